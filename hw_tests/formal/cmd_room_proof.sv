// SPDX-License-Identifier: Apache-2.0
// Properties of tma_cmd_room, for any commands that come where there is room, retire and are dropped: who comes fits; of
// the CmdDepth places all are used; and it is told exactly: with `Short` in the cycle behind, what retired not counted.
//
// Held commands are counted here: some of them, or all, may go at once (retired, skipped by a resume, dropped beside the
// one that comes), and all are gone behind a cycle in which the queue is disabled.

module cmd_room_proof
  import tma_front_pkg::*;
#(
  parameter  bit          Short     = 1'b0,
  localparam int unsigned HeldWidth = $clog2(CmdDepth) + 1
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 enable_i,
  input logic                 comes_i,
  input logic [HeldWidth-1:0] leave_i
);

  typedef logic [7:0] count_t;

  logic   started_q = 1'b0;  // the first cycle is a reset
  count_t held_q;
  logic   room, told_q;      // told: known in the cycle before, without what retired in it

  tma_cmd_room #(.Short(Short)) dut (
    .clk_i, .rst_ni, .enable_i, .held_i(HeldWidth'(held_q)), .comes_i, .room_o(room)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    told_q    <= rst_ni && enable_i && held_q + count_t'(comes_i) < count_t'(CmdDepth);
    if (!rst_ni || !enable_i) held_q <= '0;
    else                      held_q <= held_q + count_t'(comes_i) - count_t'(leave_i);
  end

  always_comb begin
    assume (started_q || !rst_ni);
    assume (!comes_i || (room && rst_ni));
    assume (count_t'(leave_i) <= held_q + count_t'(comes_i));

    if (started_q) begin
      NeverTooMany:  assert (held_q <= count_t'(CmdDepth));
      if (room)      OneMoreFits: assert (held_q < count_t'(CmdDepth));
      RoomIsTold:    assert (room == (Short ? told_q : enable_i && held_q < count_t'(CmdDepth)));

      Fills:         cover (held_q == count_t'(CmdDepth));
      RoomAgain:     cover (room && held_q == count_t'(CmdDepth - 1) && leave_i == '0 && comes_i);
    end
  end

  if (Short) begin : g_short
    always_comb begin
      if (started_q) ComesAsItIsDisabled: cover (comes_i && !enable_i && held_q == count_t'(CmdDepth - 1));
    end
  end

endmodule
