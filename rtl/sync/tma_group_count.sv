// SPDX-License-Identifier: Apache-2.0
// Counts how many of a queue's committed groups still have operations to do.
//
// Operations report in the order of issue, so counts say it all. A commit notes how many operations
// were issued before it; the group is done once as many have reported.
//
//   issued --commit--> notes (32) --oldest--> compare with reported --> pending
//
// A commit is seen in the cycle after it. A group leaves two cycles after its last operation
// reported, one group per cycle. Groups without operations leave when they are the oldest.
// `busy_o`: an operation has not reported, in whatever group; exact in the cycle after.
//
// Disabling drops the groups, not the counts: operations of then that report later still find
// their place. Reset: counts and pointers.

`include "tma_assert.svh"

module tma_group_count
  import tma_pkg::*;
#(
  parameter  int unsigned MaxOps       = 32,  // operations that have not reported, at most
  localparam int unsigned PendingWidth = $clog2(GroupSlots + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    enable_i,
  input  logic                    add_i,     // an operation of the open group was issued
  input  logic                    commit_i,  // the open group is complete
  input  logic                    done_i,    // the oldest operation reports

  output logic                    full_o,    // a commit has to wait
  output logic [PendingWidth-1:0] pending_o,
  output logic                    busy_o
);

  // Counts wrap; half their range tells before from after.
  localparam int unsigned OpWidth   = $clog2(MaxOps) + 1;
  localparam int unsigned SlotWidth = $clog2(GroupSlots);

  typedef logic [OpWidth-1:0] ops_t;

  ops_t                    issued_q, done_q, note, ahead;
  logic [SlotWidth-1:0]    slot_q;  // of the next commit
  logic [PendingWidth-1:0] pending_q;
  logic                    leaves;

  tma_ram_1r1w #(.Width(OpWidth), .Depth(GroupSlots)) u_notes (
    .clk_i, .we_i(commit_i), .waddr_i(slot_q), .wdata_i(issued_q),
    .raddr_i(slot_q - SlotWidth'(pending_q)), .rdata_o(note)
  );

  assign ahead  = done_q - note;
  assign leaves = pending_q != '0 && !ahead[OpWidth-1];

  assign full_o    = pending_q == PendingWidth'(GroupSlots);
  assign pending_o = pending_q;
  assign busy_o    = issued_q != done_q;

  // Events are known late: they only enable registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      issued_q <= '0;
      done_q   <= '0;
      slot_q   <= '0;
    end else begin
      if (add_i)    issued_q <= issued_q + ops_t'(1);
      if (done_i)   done_q   <= done_q + ops_t'(1);
      if (commit_i) slot_q   <= slot_q + SlotWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i)    pending_q <= '0;
    else if (commit_i != leaves) pending_q <= pending_q + (leaves ? '1 : PendingWidth'(1));
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(CommitHasASlot, commit_i |-> !full_o)
  `TMA_ASSERT(OneCommandPerCycle, !(add_i && commit_i))
  `TMA_ASSERT(OpsInFlightFit, 32'(ops_t'(issued_q - done_q)) <= MaxOps)
  `TMA_ASSERT(ReportsAreOfIssued, done_i |-> busy_o)
  `TMA_COVER(Fills, full_o)
  `TMA_COVER(EmptyGroupGoes, commit_i && !busy_o)
  `TMA_COVER(DisabledWithOpsInFlight, !enable_i && busy_o)

endmodule
