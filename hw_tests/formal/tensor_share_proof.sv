// SPDX-License-Identifier: Apache-2.0
// Properties of tma_tensor_share, for any tensor stores and reductions that stay on offer until they are taken, any
// set-up that holds one of them at a time, and walkers that stay free until a walk comes: one is let in at a time, as it
// is; who has its walker free and none of its kind inside is passed over by one of the other kind at most; of stores one
// walk more than that leaves while a reduction could go, and of those that were not on offer before it came none waits
// for its walker. A walk of a reduction never waits.
//
// Who waits for its own walker is passed over without end: that is what turns are for, the others need theirs.
//
// Assumed of tma_tensor: it takes a command when none is in set-up and no walk waits, or in the cycle in which that is
// taken; the walk is that of the command inside and stays until it is taken. How long set-up takes is not asked.

module tensor_share_proof
  import tma_pkg::*;
#(
  parameter bit Short = 1'b0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [1:0]  valid_i,       // 0: a store, 1: a reduction
  input logic [1:0]  fresh_i,
  input store_cmd_t  store_i,
  input reduce_cmd_t reduce_i,
  input logic        cmd_ready_i,
  input logic        walk_valid_i,
  input logic        walk_reduce_i,
  input logic [1:0]  walk_ready_i
);

  logic [1:0] ready, walk_valid;
  logic       valid, reduce, fresh, walk_ready;
  logic [2:0] op;
  store_cmd_t cmd;

  tma_tensor_share #(.Short(Short)) dut (
    .clk_i, .rst_ni,
    .store_valid_i(valid_i[0]), .store_ready_o(ready[0]), .store_i, .store_fresh_i(fresh_i[0]),
    .reduce_valid_i(valid_i[1]), .reduce_ready_o(ready[1]), .reduce_i, .reduce_fresh_i(fresh_i[1]),
    .cmd_valid_o(valid), .cmd_ready_i, .cmd_o(cmd), .cmd_reduce_o(reduce), .cmd_op_o(op), .cmd_fresh_o(fresh),
    .walk_valid_i, .walk_ready_o(walk_ready), .walk_reduce_i,
    .store_walk_valid_o(walk_valid[0]), .store_walk_ready_i(walk_ready_i[0]),
    .reduce_walk_valid_o(walk_valid[1]), .reduce_walk_ready_i(walk_ready_i[1])
  );

  logic       started_q = 1'b0;     // the first cycle is a reset
  logic [1:0] goes, waits_q;
  logic       leaves, walk_waits_q; // the walk
  logic [1:0] free_q;               // of a walker: it was, and got no walk
  logic [1:0] is_in;                // in set-up, or its walk waits
  logic       inside_q, kind_q;     // so is one; the last that was let in is a reduction
  logic [1:0] way;                  // its walker is free, and none of its kind is inside
  logic       held_q, on_offer_q;   // on offer and not taken; a reduction

  assign goes   = valid_i & ready;
  assign leaves = walk_valid_i && walk_ready;
  assign is_in = 2'(inside_q) << kind_q;
  assign way    = walk_ready_i & ~is_in;

  always_ff @(posedge clk_i) begin
    started_q    <= 1'b1;
    waits_q      <= rst_ni ? valid_i & ~goes : '0;
    walk_waits_q <= rst_ni && walk_valid_i && !walk_ready;
    free_q       <= rst_ni ? walk_ready_i & ~walk_valid : '0;
    inside_q     <= rst_ni && (goes != '0 || (inside_q && !leaves));
    held_q       <= rst_ni && valid && !cmd_ready_i;
    on_offer_q   <= reduce;
    if (!rst_ni)         kind_q <= 1'b0;
    else if (goes != '0) kind_q <= goes[1];
  end

  // Of a command that waits, what it is does not change.
  store_cmd_t  own_store_q;
  reduce_cmd_t own_reduce_q;

  always_ff @(posedge clk_i) begin
    own_store_q  <= store_i;
    own_reduce_q <= reduce_i;
  end

  always_comb begin
    assume (started_q || !rst_ni);
    assume ((waits_q & ~valid_i) == '0);
    if (waits_q[0]) assume (store_i == own_store_q);
    if (waits_q[1]) assume (reduce_i == own_reduce_q);
    if (cmd_ready_i) assume (!inside_q || leaves);
    if (walk_valid_i) assume (inside_q && walk_reduce_i == kind_q);
    assume (!walk_waits_q || walk_valid_i);
    assume ((free_q & ~walk_ready_i) == '0);

    if (started_q) begin
      OneIsLetIn:   assert (goes != '1 && (goes != '0) == (valid && cmd_ready_i));
      if (valid)    CommandIsItsOwn: assert (valid_i[reduce] && fresh == fresh_i[reduce] &&
                                             cmd == (reduce ? reduce_i.copy : store_i) &&
                                             op == (reduce ? reduce_i.how.op : '0));
      if (held_q)   OfferStays:      assert (valid && reduce == on_offer_q);
      WalkIsItsOwn: assert (walk_valid == 2'(walk_valid_i) << walk_reduce_i &&
                            walk_ready == walk_ready_i[walk_reduce_i]);
      if (walk_valid[1])  ReductionIsTakenAtOnce: assert (walk_ready_i[1]);
    end
  end

  ///////////
  // Turns //
  ///////////

  for (genvar i = 0; i < 2; i++) begin : g_kind
    logic [7:0] passed_q;  // of the other kind, let in since it has its way free

    always_ff @(posedge clk_i) begin
      if (!rst_ni || !valid_i[i] || goes[i]) passed_q <= '0;
      else                                   passed_q <= passed_q + 8'(way[i] && goes[1-i]);
    end

    always_comb begin
      if (started_q) begin
        HasItsTurn: assert (passed_q <= 8'd1);
        if (passed_q != '0) ItIsNext: assert (valid_i[i] && way[i] && dut.g_share.clear[i] &&
                                              32'(dut.g_share.last_q) != i &&
                                              (!dut.g_share.held_q || 32'(dut.g_share.choice_q) == i));

        WaitsLongest: cover (passed_q == 8'd1 && goes[i] && valid_i == '1);
      end
    end
  end

  logic [1:0] both;  // who wants to go and has its way, where nobody is on offer before

  assign both = valid_i & ~is_in & (Short ? free_q : walk_ready_i);

  always_comb begin
    if (started_q) begin
      if (both == '1 && !dut.g_share.held_q) LastGoesSecond: assert (dut.g_share.choose != kind_q);
      LinkLast: assert (dut.g_share.last_q == kind_q);
    end
  end

  logic [7:0] walks_q;           // walks of stores that left since the reduction has its way free
  logic       behind, behind_q;  // the store on offer was chosen when a reduction wanted to go
  logic       polite_q;          // so was the store inside

  assign behind = held_q ? behind_q : Short ? waits_q[1] : valid_i[1];

  always_ff @(posedge clk_i) begin
    behind_q <= behind;
    if (goes[0]) polite_q <= behind;
    if (!rst_ni || !valid_i[1] || goes[1]) walks_q <= '0;
    else                                   walks_q <= walks_q + 8'(way[1] && walk_valid[0] && walk_ready);
  end

  always_comb begin
    if (started_q) begin
      TwoWalksAtMost:  assert (walks_q <= 8'd2);
      if (walks_q != '0) WalksAreCounted: assert (valid_i[1] && way[1] &&
                                                  walks_q + 8'(is_in[0]) <= 8'd1 + g_kind[1].passed_q);
      if (walk_valid[0] && polite_q) StoreIsTakenAtOnce: assert (walk_ready_i[0]);

      LinkInside:      assert (dut.g_share.inside_q == is_in);
      LinkHeld:        assert (Short || dut.g_share.held_q == held_q);
      if (dut.g_share.held_q) LinkChoice: assert (valid_i[dut.g_share.choice_q] &&
                                                  (!held_q || dut.g_share.choice_q == on_offer_q));
      if (dut.g_share.held_q && dut.g_share.choice_q) ReductionHasItsWay: assert (way[1]);
      if (is_in[1])   ReductionWillBeTaken: assert (walk_ready_i[1]);
      if (valid && !reduce && behind) StoreHasItsWay: assert (way[0]);
      if (is_in[0] && polite_q)      StoreWillBeTaken: assert (walk_ready_i[0]);

      ReductionWaitsForTwo: cover (walks_q == 8'd2 && goes[1]);
      StoreBehindAStore:    cover (is_in[0] && walk_valid[0] && !walk_ready && valid && !reduce && valid_i[1]);
      StoreGivesWay:        cover (valid_i == '1 && goes[1] && !walk_ready_i[0]);
    end
  end

  //////////////////////////////
  // Nobody waits for nothing //
  //////////////////////////////

  logic       wanting;  // somebody has its way free, or is a store alone
  logic [7:0] idle_q;   // cycles of that with nobody on offer

  assign wanting = (valid_i & way) != '0 || valid_i == 2'b01;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !wanting || valid) idle_q <= '0;
    else                              idle_q <= idle_q + 8'd1;
  end

  if (Short) begin : g_short
    always_comb begin
      if (started_q) begin
        IdleForTwoCycles: assert (idle_q <= 8'd2);
        LinkFree:         assert (dut.g_share.g_short.free_q == free_q);
        if (idle_q == 8'd1) LinkIdle:     assert (dut.g_share.held_q || dut.g_share.may != '0);
        if (idle_q == 8'd2) SomebodyIsOn: assert (valid);

        IdleForTwo:       cover (idle_q == 8'd2 && valid_i == '1);
      end
    end
  end else begin : g_at_once
    always_comb begin
      if (started_q && wanting) SomebodyIsOnAtOnce: assert (valid);
    end
  end

endmodule
