// SPDX-License-Identifier: Apache-2.0
// Bulk groups of one queue: how many of the committed ones still have operations to do.
//
// Operations report in the order of issue, so counts say it all. A commit notes how many operations
// were issued before it; the group is done once as many have reported. Reads and writes have a
// count and a place in the notes each.
//
//   issued --commit--> notes (32) --oldest--> compare with reported --> pending
//
// A commit is seen in the cycle after it. A group leaves two cycles after its last operation
// reported, one group per cycle. Groups without operations leave when they are the oldest.
//
// Disabling drops the groups, not the counts: operations of then that report later still find
// their place. Reset: counts and pointers.

`include "tma_assert.svh"

module tma_group_queue
  import tma_pkg::*;
#(
  localparam int unsigned PendingWidth = $clog2(GroupSlots + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    enable_i,
  input  logic                    add_i,
  input  logic                    commit_i,
  input  logic                    read_done_i,
  input  logic                    write_done_i,

  output logic                    full_o,
  output logic [PendingWidth-1:0] pending_read_o,
  output logic [PendingWidth-1:0] pending_write_o
);

  // The store path holds a burst in flight for each operation, besides a few in its stages. Counts
  // wrap; half their range tells before from after.
  localparam int unsigned MaxOps    = NumWrites + 32;
  localparam int unsigned OpWidth   = $clog2(MaxOps) + 1;
  localparam int unsigned SlotWidth = $clog2(GroupSlots);

  typedef logic [OpWidth-1:0] ops_t;

  ops_t                    issued_q, read_q, written_q;
  logic [SlotWidth-1:0]    slot_q;  // of the next commit
  logic [PendingWidth-1:0] pending_read_q, pending_write_q;

  ///////////
  // Notes //
  ///////////

  ops_t read_note, write_note;  // of the oldest pending group

  tma_ram_1r1w #(.Width(OpWidth), .Depth(GroupSlots)) u_read_notes (
    .clk_i, .we_i(commit_i), .waddr_i(slot_q), .wdata_i(issued_q),
    .raddr_i(slot_q - SlotWidth'(pending_read_q)), .rdata_o(read_note)
  );

  tma_ram_1r1w #(.Width(OpWidth), .Depth(GroupSlots)) u_write_notes (
    .clk_i, .we_i(commit_i), .waddr_i(slot_q), .wdata_i(issued_q),
    .raddr_i(slot_q - SlotWidth'(pending_write_q)), .rdata_o(write_note)
  );

  ////////////////////
  // Groups that go //
  ////////////////////

  function automatic logic reached(input ops_t count, input ops_t note);
    ops_t ahead;
    ahead = count - note;
    return !ahead[OpWidth-1];
  endfunction

  logic read_retire, write_retire;

  assign read_retire  = pending_read_q  != '0 && reached(read_q, read_note);
  assign write_retire = pending_write_q != '0 && reached(written_q, write_note);

  assign full_o = pending_read_q  == PendingWidth'(GroupSlots) ||
                  pending_write_q == PendingWidth'(GroupSlots);
  assign pending_read_o  = pending_read_q;
  assign pending_write_o = pending_write_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      issued_q  <= '0;
      read_q    <= '0;
      written_q <= '0;
      slot_q    <= '0;
    end else begin
      issued_q  <= issued_q  + ops_t'(add_i);
      read_q    <= read_q    + ops_t'(read_done_i);
      written_q <= written_q + ops_t'(write_done_i);
      slot_q    <= slot_q    + SlotWidth'(commit_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i) begin
      pending_read_q  <= '0;
      pending_write_q <= '0;
    end else begin
      pending_read_q  <= pending_read_q  + PendingWidth'(commit_i) - PendingWidth'(read_retire);
      pending_write_q <= pending_write_q + PendingWidth'(commit_i) - PendingWidth'(write_retire);
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(CommitHasASlot, commit_i |-> !full_o)
  `TMA_ASSERT(OneCommandPerCycle, !(add_i && commit_i))
  `TMA_ASSERT(OpsInFlightFit, 32'(ops_t'(issued_q - written_q)) <= MaxOps)
  `TMA_ASSERT(ReadsAreIssued, read_done_i |-> issued_q != read_q)
  `TMA_ASSERT(WritesAreRead, write_done_i |-> read_done_i || read_q != written_q)
  `TMA_COVER(Fills, full_o)
  `TMA_COVER(EmptyGroupGoes, commit_i && issued_q == written_q)
  `TMA_COVER(DisabledWithOpsInFlight, !enable_i && issued_q != written_q)

endmodule
