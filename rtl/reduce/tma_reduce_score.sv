// SPDX-License-Identifier: Apache-2.0
// Bursts of reductions between their read and their write, so that no update of memory is lost.
//
//   request --> 1 look: which bursts in flight does it touch? --> 2 the youngest --> 3 does it reach as far?
//                        none: it goes                                                yes: it follows that one
//
// A burst reads old data and writes it back changed. Until then nobody may read what it writes: a request that
// touches a chunk of a burst in flight waits until that is over. But where both lie in one line, and the youngest burst
// in flight that it touches has every chunk of the request, it need not: it follows that one, and takes over the
// line as the latter leaves it, without a read. Whoever older had one of these chunks, that one has followed itself,
// so that the line has all updates.
//
//   chunks of a line       0  1  2  3
//   in flight, A           A  A
//   in flight, B follows A    B
//   request                   R          follows B
//   request                R  R          waits: B is the youngest, and has not chunk 0
//
// Nobody follows a burst that has not all bytes of its chunks: it would leave the others unknown.
//
// Bursts are known by a digest of their page: two pages may share one, and then wait for each other; none follows
// another without its whole address being the same. Bursts leave in the order in which they came.
//
// Throughput: a request every other cycle. Latency: `ok_o` a cycle after a request that touches nobody is there, two
// cycles after one that follows, with `Short` three. A request stays until it is taken, or is withdrawn for a cycle at
// least. Reset: control only.

`include "tma_assert.svh"

module tma_reduce_score
  import tma_pkg::*;
  import tma_reduce_pkg::*;
#(
  parameter  int unsigned Entries    = 16,  // bursts in flight, a power of two
  parameter  bit          Short      = ShortPaths,
  localparam int unsigned EntryWidth = $clog2(Entries)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  input  reach_t                request_i,
  output logic                  ok_o,       // it may go,
  output logic                  follows_o,  // behind `from_o`
  output logic [EntryWidth-1:0] from_o,
  output logic [EntryWidth-1:0] place_o,    // of the request
  input  logic                  take_i,     // it goes

  input  logic                  free_i,     // the oldest burst in flight has written
  output logic                  idle_o
);

  typedef logic [EntryWidth-1:0] place_t;

  // What all bursts in flight are looked at by.
  typedef struct packed {
    logic [15:0] digest;
    logic [7:0]  first, last;
  } entry_t;

  `TMA_ASSERT_INIT(EntriesAreAPowerOfTwo, Entries >= 2 && 2 ** EntryWidth == Entries)

  place_t             put_q, get_q;
  logic [Entries-1:0] live_q;
  entry_t             entry_q [Entries];

  assign place_o = put_q;
  assign idle_o  = live_q == '0;

  /////////////
  // 1: look //
  /////////////

  entry_t             looks;
  logic [Entries-1:0] touched, touched_q, hits;
  logic               looked_q, room;

  assign looks = '{digest: request_i.page[15:0] ^ request_i.page[31:16] ^ request_i.page[47:32] ^
                           {request_i.page[51:48], 12'(request_i.port)},
                   first: request_i.first, last: request_i.last};

  for (genvar i = 0; i < Entries; i++) begin : g_entry
    assign touched[i] = entry_q[i].digest == looks.digest && entry_q[i].first <= looks.last &&
                        entry_q[i].last >= looks.first;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                              live_q[i] <= 1'b0;
      else if (take_i && put_q == place_t'(i))  live_q[i] <= 1'b1;
      else if (free_i && get_q == place_t'(i))  live_q[i] <= 1'b0;
    end

    always_ff @(posedge clk_i) if (take_i && put_q == place_t'(i)) entry_q[i] <= looks;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      put_q    <= '0;
      get_q    <= '0;
      looked_q <= 1'b0;
    end else begin
      if (take_i) put_q <= put_q + place_t'(1);
      if (free_i) get_q <= get_q + place_t'(1);
      looked_q <= valid_i && !take_i;
    end
  end

  always_ff @(posedge clk_i) touched_q <= touched & live_q;

  assign hits = touched_q & live_q;
  assign room = !live_q[put_q];

  /////////////////////
  // 2: the youngest //
  /////////////////////

  logic [Entries-1:0] newer;     // those that came after the ring began anew
  place_t             youngest, youngest_q;
  logic               chosen_q;

  assign newer = hits & ~({Entries{1'b1}} << put_q);

  always_comb begin
    youngest = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (newer != '0 ? newer[i] : hits[i]) youngest = place_t'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) chosen_q <= 1'b0;
    else         chosen_q <= looked_q && !take_i && hits != '0;
  end

  always_ff @(posedge clk_i) youngest_q <= youngest;

  //////////////////////////////
  // 3: does it reach as far? //
  //////////////////////////////

  reach_t held, request;

  // It is the same since the cycle before; with `Short` what it is made of ends at a register.
  if (Short) begin : g_request
    always_ff @(posedge clk_i) request <= request_i;
  end else begin : g_request_at_once
    assign request = request_i;
  end

  logic unused_request;
  assign unused_request = request.whole;

  tma_ram_1r1w #(.Width($bits(reach_t)), .Depth(Entries)) u_reach (
    .clk_i, .we_i(take_i), .waddr_i(put_q), .wdata_i(request_i), .raddr_i(youngest_q), .rdata_o(held)
  );

  // Both in one line: chunks of it differ in their low bits alone.
  logic covers, covers_q;  // `covers_q`: the one at `from_o` does, and is in flight
  logic stays;             // the youngest, in the next cycle

  assign covers = chosen_q && held.whole && held.port == request.port && held.page == request.page &&
                  held.first <= request.first && held.last >= request.last &&
                  (held.first >> ChunkShift) == (held.last >> ChunkShift);

  assign stays  = live_q[youngest_q] && !(free_i && get_q == youngest_q);

  // Until it has left, no other one is the youngest.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) covers_q <= 1'b0;
    else         covers_q <= covers && looked_q && !take_i && stays;
  end

  assign from_o    = youngest_q;
  assign follows_o = Short ? covers_q : covers && live_q[from_o];
  assign ok_o      = looked_q && room && (hits == '0 || follows_o);

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(TakenIfItMay, take_i |-> valid_i && ok_o)
  `TMA_ASSERT(RequestStays, valid_i && !take_i |=> !valid_i || $stable(request_i))
  `TMA_ASSERT(FreedIsLive, free_i |-> live_q[get_q])
  `TMA_ASSERT(ReachIsInOrder, valid_i |-> request_i.first <= request_i.last)
  `TMA_COVER(Follows, take_i && follows_o && hits != '0)
  `TMA_COVER(FollowsAFollower, take_i && follows_o && $countones(hits) > 1)
  `TMA_COVER(WaitsForOneThatIsShorter, chosen_q && live_q[youngest_q] && !covers)
  `TMA_COVER(WaitsForRoom, looked_q && !room)
  `TMA_COVER(ItsLeaderIsOver, chosen_q && !live_q[youngest_q])
  `TMA_COVER(ItsLeaderLeaves, covers && looked_q && free_i && get_q == youngest_q)
  if (Short) begin : g_short
    `TMA_ASSERT(LeaderIsInFlight, follows_o |-> live_q[from_o])
    `TMA_ASSERT(LeaderIsTheOneThatCovers, follows_o |-> $stable(from_o))
  end

endmodule
