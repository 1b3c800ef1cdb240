// SPDX-License-Identifier: Apache-2.0
// Properties of tma_group_count, for any operations of any streams that report in any order between streams: a
// committed group leaves when all operations issued before its commit have reported, not before, and at once where it
// is the oldest; groups leave in the order of their commits. With `Short` it leaves in the cycle behind that, exactly:
// of groups that wait for nothing, one every other cycle.
//
// One group, any of them, is followed from its commit. What it waits for is counted here from the ports alone. No
// stream issues half the range of its counts behind the commit of the oldest group: that is assumed, not proven.

module group_count_proof
  import tma_pkg::*;
#(
  parameter int unsigned MaxOps  = 4,
  parameter int unsigned Streams = 2,
  parameter bit          Short   = 1'b0
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               enable_i,
  input logic [Streams-1:0] add_i,
  input logic               commit_i,
  input logic [Streams-1:0] done_i,
  input logic [Streams-1:0] settle_i,
  input logic               hold_i,
  input logic               follow_i     // follow the group that is committed now
);

  localparam int unsigned PendingWidth = $clog2(GroupSlots + 1);
  localparam int unsigned SlotWidth    = $clog2(GroupSlots);
  localparam int unsigned OpWidth      = $clog2(MaxOps) + 1;

  typedef logic [7:0]         count_t;
  typedef logic [OpWidth-1:0] ops_t;
  typedef ops_t [Streams-1:0] note_t;

  logic                    full, leaves, busy, unused_crowded;
  logic [PendingWidth-1:0] pending;

  tma_group_count #(.MaxOps(MaxOps), .Streams(Streams), .Short(Short)) dut (
    .clk_i, .rst_ni, .enable_i, .add_i, .commit_i, .done_i, .settle_i, .hold_i,
    .full_o(full), .pending_o(pending), .leaves_o(leaves), .crowded_o(unused_crowded), .busy_o(busy)
  );

  logic                 started_q = 1'b0;  // the first cycle is a reset
  count_t [Streams-1:0] out_q;             // operations that have not reported
  count_t [Streams-1:0] waits_q;           // of these, those that the followed group waits for
  count_t               count_q;           // groups that have not left
  count_t               ahead_q;           // in front of the followed one
  count_t               left_q;            // groups that have left
  logic                 follow_q;
  logic                 ready_q;           // in the cycle before, the followed one was the oldest, waited and stayed
  logic [1:0]           leaves_q;          // one has left: a cycle ago, two cycles ago
  logic                 clear, goes;       // it waits for nothing; it has to go
  note_t                oldest;            // what was issued when the oldest group was committed

  assign clear  = waits_q == '0;
  assign goes   = Short ? ready_q : clear;
  assign oldest = note_t'(dut.u_notes.mem[dut.slot_q - SlotWidth'(dut.pending_q)]);

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    ready_q   <= rst_ni && enable_i && follow_q && ahead_q == '0 && clear && !leaves;
    leaves_q  <= rst_ni ? {leaves_q[0], leaves} : '0;
    for (int unsigned s = 0; s < Streams; s++) begin
      if (!rst_ni || settle_i[s]) out_q[s] <= '0;
      else                        out_q[s] <= out_q[s] + count_t'(add_i[s]) - count_t'(done_i[s]);
    end
    count_q <= rst_ni && enable_i ? count_q + count_t'(commit_i) - count_t'(leaves) : '0;
    left_q  <= rst_ni ? left_q + count_t'(leaves) : '0;

    if (!rst_ni || !enable_i) begin
      follow_q <= 1'b0;
    end else if (!follow_q) begin
      follow_q <= commit_i && follow_i;
      ahead_q  <= count_q - count_t'(leaves);
      for (int unsigned s = 0; s < Streams; s++) begin
        waits_q[s] <= settle_i[s] ? '0 : out_q[s] - count_t'(done_i[s]);
      end
    end else begin
      if (leaves) begin
        follow_q <= ahead_q != '0;
        ahead_q  <= ahead_q - count_t'(1);
      end
      for (int unsigned s = 0; s < Streams; s++) begin
        if (settle_i[s])                        waits_q[s] <= '0;
        else if (done_i[s] && waits_q[s] != '0) waits_q[s] <= waits_q[s] - count_t'(1);
      end
    end
  end

  always_comb begin
    assume (rst_ni == started_q);
    for (int unsigned s = 0; s < Streams; s++) begin
      assume (!add_i[s] || (out_q[s] < count_t'(MaxOps) && !settle_i[s]));
      assume (!done_i[s] || settle_i[s] || out_q[s] != '0);
      if (count_q != '0 && ops_t'(dut.issued_q[s] - oldest[s]) == ops_t'(2 ** (OpWidth - 1) - 1)) assume (!add_i[s]);
    end
    assume (!commit_i || (!full && enable_i && add_i == '0));

    if (started_q) begin
      PendingIsCount: assert (count_t'(pending) == count_q && count_q <= count_t'(GroupSlots));
      FullIsFull:     assert (full == (count_q == count_t'(GroupSlots)));
      BusyIsBusy:     assert (busy == (out_q != '0));
      if (leaves) begin
        SomebodyLeaves:    assert (count_q != '0);
        LeavesNotWhenHeld: assert (!hold_i);
      end
      if (follow_q && ahead_q == '0) begin
        if (leaves) LeavesWhenDone: assert (clear);
        LeavesInTime: assert (!goes || hold_i || leaves);
        if (leaves) LeavesNoSooner: assert (goes);
      end

      OneByOne:       cover (follow_q && ahead_q == 8'd1 && leaves);
      WaitsForBoth:   cover (follow_q && ahead_q == '0 && waits_q[0] == 8'd1 && waits_q[1] == 8'd2);
      BoundIsReached: cover (left_q == 8'd2 && out_q != '0 && dut.done_q[0] != '0 && dut.done_q[1] != '0);
    end
  end

  if (Short) begin : g_short
    always_comb begin
      if (started_q) EveryOtherCycle: cover (follow_q && ahead_q == '0 && leaves && leaves_q == 2'b10);
    end
  end

endmodule
