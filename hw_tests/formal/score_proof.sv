// SPDX-License-Identifier: Apache-2.0
// Properties of tma_reduce_score, for any requests and any order of what ends when: no update of a chunk is lost,
// with none in flight nobody waits, and two in flight overlap only where the younger follows the older: no cycle.
//
// One chunk, any one, is followed. Whatever is taken that has it stands behind all bursts in flight that have it:
// they are over, or it follows the youngest of them, whose line it takes over. A request may be withdrawn, for a cycle.

module score_proof
  import tma_pkg::*;
  import tma_reduce_pkg::*;
#(
  parameter int unsigned Entries = 4,
  parameter bit          Short   = 1'b0
) (
  input logic   clk_i,
  input logic   rst_ni,
  input logic   valid_i,
  input reach_t request_i,
  input logic   go_i,
  input logic   end_i,
  input reach_t chunk_i    // `first` alone: the one that is followed
);

  localparam int unsigned EntryWidth = $clog2(Entries);

  typedef logic [EntryWidth-1:0] place_t;

  logic   ok, follows, idle, take, frees;
  place_t from, place;

  tma_reduce_score #(.Entries(Entries), .Short(Short)) dut (
    .clk_i, .rst_ni, .valid_i, .request_i, .ok_o(ok), .follows_o(follows), .from_o(from), .place_o(place),
    .take_i(take), .free_i(frees), .idle_o(idle)
  );

  logic                started_q = 1'b0;  // the first cycle is a reset
  reach_t              chunk_q, request_q, leader, covering;
  logic                waits_q;           // a request was there before
  logic [EntryWidth:0] level_q;           // bursts in flight
  logic [Entries-1:0]  has_q, held, live; // burst i has the chunk
  place_t              last_q;            // the youngest that has
  logic                has;
  logic                chosen;            // of a request that still stands

  assign has   = request_i.port == chunk_q.port && request_i.page == chunk_q.page &&
                 request_i.first <= chunk_q.first && request_i.last >= chunk_q.first;
  assign take   = valid_i && ok && go_i;
  assign frees  = level_q != '0 && end_i;
  assign held   = has_q & live;
  assign leader = dut.u_reach.mem[from];
  assign chosen = dut.chosen_q && waits_q;

  for (genvar i = 0; i < Entries; i++) begin : g_live
    assign live[i] = {1'b0, place_t'(i) - dut.get_q} < level_q;
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) chunk_q <= chunk_i;
    request_q <= request_i;
    waits_q   <= rst_ni && valid_i && !take;
    if (!rst_ni) begin
      level_q <= '0;
      has_q   <= '0;
      last_q  <= '0;
    end else begin
      level_q <= level_q + (EntryWidth + 1)'(take) - (EntryWidth + 1)'(frees);
      if (take) has_q[place] <= has;
      if (take && has) last_q <= place;
    end
  end

  function automatic logic touches(reach_t a, reach_t b);
    return a.first <= b.last && b.first <= a.last;
  endfunction

  function automatic logic [15:0] digest(reach_t r);
    return r.page[15:0] ^ r.page[31:16] ^ r.page[47:32] ^ {r.page[51:48], 12'(r.port)};
  endfunction

  function automatic logic covers(reach_t a, reach_t b);
    return a.whole && a.port == b.port && a.page == b.page && a.first <= b.first && a.last >= b.last &&
           a.first >> ChunkShift == a.last >> ChunkShift;
  endfunction

  assign covering = dut.u_reach.mem[dut.youngest_q];

  always_comb begin
    assume (rst_ni == started_q);
    assume (request_i.first <= request_i.last);
    if (waits_q) assume (!valid_i || request_i == request_q);
    if (started_q) begin
      // What it is about.
      NoUpdateIsLost:  assert (!(take && has && held != '0) || (follows && from == last_q));
      NobodyWaitsLong: assert (!(waits_q && level_q == '0) || ok);
      LeaderHasIt:     assert (!(take && follows) || (leader.port == request_i.port && leader.page == request_i.page &&
                               leader.first <= request_i.first && leader.last >= request_i.last));
      LeaderIsWhole:   assert (!(take && follows) || leader.whole);
      LineIsOne:       assert (!(take && follows) ||
                               request_i.first >> ChunkShift == request_i.last >> ChunkShift);

      // Why it holds.
      RingIsCounted:   assert (level_q <= (EntryWidth + 1)'(Entries) && dut.live_q == live &&
                               dut.put_q == dut.get_q + place_t'(level_q) && place == dut.put_q);
      IdleIsEmpty:     assert (idle == (level_q == '0));
      LookedAsItIs:    assert (dut.looked_q == waits_q);
      CoveredIsKnown:  assert (!(dut.covers_q && waits_q) || covers(covering, request_q));
      CovererIsLive:   assert (!dut.covers_q || live[dut.youngest_q]);
      LastIsYoungest:  assert (held == '0 || held[last_q]);
    end
  end

  for (genvar i = 0; i < Entries; i++) begin : g_entry
    reach_t reach;

    assign reach = dut.u_reach.mem[i];

    always_comb begin
      if (started_q && live[i]) begin
        EntryIsItsReach: assert (dut.entry_q[i].digest == digest(reach) && dut.entry_q[i].first == reach.first &&
                                 dut.entry_q[i].last == reach.last && reach.first <= reach.last);
        HasIsItsReach:   assert (has_q[i] == (reach.port == chunk_q.port && reach.page == chunk_q.page &&
                                              reach.first <= chunk_q.first && reach.last >= chunk_q.first));
        NoneIsYounger:   assert (!has_q[i] || place_t'(i) - dut.get_q <= last_q - dut.get_q);
        TouchedIsKnown:  assert (!waits_q || dut.touched_q[i] == (digest(reach) == digest(request_q) &&
                                                                  touches(reach, request_q)));
        ChosenIsYoungest: assert (!chosen || !dut.hits[i] || (live[dut.youngest_q] &&
                                  place_t'(i) - dut.get_q <= dut.youngest_q - dut.get_q));
        CoveringIsYoungest: assert (!(dut.covers_q && waits_q) || !dut.hits[i] || (live[dut.youngest_q] &&
                                    place_t'(i) - dut.get_q <= dut.youngest_q - dut.get_q));
        ChosenIsTouched: assert (!chosen || dut.youngest_q != place_t'(i) || dut.hits[i]);
      end
    end
  end

  //////////////////////
  // Who follows whom //
  //////////////////////

  // Of the bursts in flight, the one that each follows, while that is in flight itself.
  logic   [Entries-1:0] follows_q;
  place_t [Entries-1:0] leader_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      if (frees && leader_q[i] == dut.get_q) follows_q[i] <= 1'b0;
    end
    if (take) begin
      follows_q[place] <= follows && !(frees && from == dut.get_q);
      leader_q[place]  <= from;
    end
  end

  function automatic place_t age(place_t i);
    return i - dut.get_q;  // 0: the oldest
  endfunction

  for (genvar j = 0; j < Entries; j++) begin : g_follower
    always_comb begin
      if (started_q && live[j] && follows_q[j]) begin
        // Who is followed came before: there is no cycle.
        LeaderIsOlder: assert (live[leader_q[j]] && age(leader_q[j]) < age(place_t'(j)));
      end
    end

    for (genvar i = 0; i < Entries; i++) begin : g_older
      always_comb begin
        // Two bursts in flight overlap only where the younger one follows the older, or one in between.
        if (started_q && held[i] && held[j] && age(place_t'(i)) < age(place_t'(j))) begin
          OverlapFollows: assert (follows_q[j] && held[leader_q[j]] && age(leader_q[j]) >= age(place_t'(i)) &&
                                  age(leader_q[j]) < age(place_t'(j)));
        end
      end
    end
  end

  always_comb begin
    if (started_q) begin
      Follows:         cover (take && follows && has);
      FollowsFollower: cover (held[place_t'(dut.get_q)] && held[place_t'(dut.get_q + 1)] && take && follows && has);
      Waits:           cover (waits_q && dut.looked_q && !ok && held != '0 && has);
      RingIsFull:      cover (32'(level_q) == Entries);
    end
  end

endmodule
