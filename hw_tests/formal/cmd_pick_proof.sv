// SPDX-License-Identifier: Apache-2.0
// Properties of tma_cmd_pick, for any wishes and any paths that open and close: what is picked may go;
// a queue that waits for one path is passed over by NumQueues - 1 picks of that path at most, whatever
// the others do, and a path that stays open by NumPaths - 1 picks.
//
// One queue and one path, any of them, are followed. As in rr_arb_proof, their turn comes nearer with
// every pick of another, which is what makes the bounds inductive.

module cmd_pick_proof
  import tma_pkg::*;
  import tma_isa_pkg::path_e;
  import tma_front_pkg::*;
(
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [NumQueues-1:0]  wants_i,
  input path_e [NumQueues-1:0] path_i,
  input logic [NumPaths-1:0]   path_ready_i,
  input logic                  take_i,
  input queue_t                follow_i,       // this queue, always the same one
  input path_e                 follow_path_i   // and this path
);

  logic   valid;
  queue_t queue;

  tma_cmd_pick dut (
    .clk_i, .rst_ni, .wants_i, .path_i, .path_ready_i, .take_i, .valid_o(valid), .queue_o(queue)
  );

  logic started_q = 1'b0;  // the first cycle is a reset

  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [NumPaths-1:0]  open, picked;  // somebody may go there; somebody goes
  logic [NumQueues-1:0] may;           // go now
  logic                 goes;

  assign goes = take_i && valid;

  always_comb begin
    open   = '0;
    picked = '0;
    may    = '0;
    for (int unsigned q = 0; q < NumQueues; q++) begin
      assume (32'(path_i[q]) < NumPaths);
      may[q] = wants_i[q] && path_ready_i[path_i[q]];
      if (may[q]) open[path_i[q]] = 1'b1;
    end
    if (goes) picked[path_i[queue]] = 1'b1;
  end

  /////////////////////
  // What others had //
  /////////////////////

  localparam int unsigned CountWidth = 5;

  typedef logic [CountWidth-1:0] count_t;

  queue_t followed_q;
  path_e  followed_path_q;
  logic   waits_q;          // the queue waited in the cycle before, for this path
  path_e  path_q;
  count_t passed_q;         // picks that others had of that path since then
  count_t waited_q;         // picks of other paths since the path followed is open

  always_ff @(posedge clk_i) begin
    followed_q      <= follow_i;
    followed_path_q <= follow_path_i;
    waits_q         <= wants_i[follow_i];
    path_q          <= path_i[follow_i];
    if (!rst_ni || !wants_i[follow_i] || (goes && queue == follow_i)) begin
      passed_q <= '0;
    end else begin
      passed_q <= (waits_q && path_q == path_i[follow_i] ? passed_q : '0) +
                  count_t'(picked[path_i[follow_i]]);
    end
    if (!rst_ni || !open[follow_path_i] || picked[follow_path_i]) waited_q <= '0;
    else                                                         waited_q <= waited_q + count_t'(goes);
  end

  // Those that are looked at before it: as far as it lies behind the last granted, round once.
  logic [NumPaths-1:0][NumQueues-1:0] after;
  count_t                             place, path_place;

  for (genvar p = 0; p < NumPaths; p++) begin : g_path
    assign after[p] = dut.g_path[p].u_arb.after_q;

    // Ones at the positions behind the last granted.
    always_comb begin
      if (started_q) LinkTurn: assert ((~after[p] & (~after[p] + NumQueues'(1))) == '0);
    end
  end

  always_comb begin
    place      = count_t'(followed_q);
    path_place = count_t'(followed_path_q);
    for (int unsigned q = 0; q < NumQueues; q++) place += count_t'(after[path_q][q]);
    for (int unsigned p = 0; p < NumPaths; p++) path_place += count_t'(dut.after_q[p]);
    if (place >= count_t'(NumQueues)) place -= count_t'(NumQueues);
    if (path_place >= count_t'(NumPaths)) path_place -= count_t'(NumPaths);
  end

  ////////////////
  // Properties //
  ////////////////

  always_comb begin
    assume (started_q || !rst_ni);
    assume (32'(follow_path_i) < NumPaths);
    if (started_q) assume (follow_i == followed_q && follow_path_i == followed_path_q);

    if (started_q) begin
      SomebodyIsPicked:    assert (valid == (may != '0));
      if (valid) PickedMayGo: assert (may[queue]);
      LinkPathTurn:        assert ((~dut.after_q & (~dut.after_q + NumPaths'(1))) == '0);
      LinkPath:            assert (32'(path_q) < NumPaths && 32'(followed_path_q) < NumPaths);
      TurnComesNearer:     assert (passed_q + place < count_t'(NumQueues));
      QueueHasItsTurn:     assert (passed_q < count_t'(NumQueues));
      PathTurnComesNearer: assert (waited_q + path_place < count_t'(NumPaths));
      PathHasItsTurn:      assert (waited_q < count_t'(NumPaths));
    end
  end

  always_comb begin
    if (started_q) begin
      QueueIsPassed: cover (passed_q == count_t'(2) && goes && queue == follow_i);
      PathIsPassed:  cover (waited_q == count_t'(2) && picked[follow_path_i]);
    end
  end

endmodule
