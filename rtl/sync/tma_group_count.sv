// SPDX-License-Identifier: Apache-2.0
// Counts how many of a queue's committed groups still have operations to do.
//
// Operations come in streams, each of which reports in the order of issue, so counts say it all. A
// commit notes how many operations of each stream were issued before it; the group is done once as many
// have reported.
//
//   issued --commit--> notes (32) --oldest--> compare with reported --> pending
//
// Only what is in flight is counted, so a group may have any number of operations. But a stream whose operations
// report may run ahead of a group that waits for another stream, and must not by half the range of its counts:
// it would look as if it were behind. So a queue that has issued three quarters of that behind the commit of its oldest
// group is `crowded_o`, from the next cycle on and until the group leaves; `Slack` more of each stream may then come.
//
// A commit is seen in the cycle after it. A group leaves two cycles after its last operation
// reported, one group per cycle, unless `hold_i`; with `Short` the comparison has a cycle of its own:
// a cycle later, and a group every other cycle. Groups without operations leave when they are the
// oldest. `busy_o`: an operation has not reported, in whatever group; exact in the cycle after.
//
// Disabling drops the groups, not the counts: operations of then that report later still find
// their place. But in a stream that settles, who has not reported by then never will: what it reports
// in the same cycle does not count. Reset: counts and pointers.

`include "tma_assert.svh"

module tma_group_count
  import tma_pkg::*;
#(
  parameter  int unsigned MaxOps       = 64,  // operations that have not reported, at most
  parameter  int unsigned Streams      = 1,
  parameter  bit          Short        = ShortPaths,
  localparam int unsigned PendingWidth = $clog2(GroupSlots + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    enable_i,
  input  logic [Streams-1:0]      add_i,     // an operation of the open group was issued
  input  logic                    commit_i,  // the open group is complete
  input  logic [Streams-1:0]      done_i,    // the oldest operation reports
  input  logic [Streams-1:0]      settle_i,
  input  logic                    hold_i,    // no group may leave

  output logic                    full_o,    // a commit has to wait
  output logic [PendingWidth-1:0] pending_o,
  output logic                    leaves_o,  // the oldest group leaves
  output logic                    crowded_o, // no more operations
  output logic                    busy_o
);

  // Counts wrap; half their range tells before from after.
  localparam int unsigned OpWidth   = $clog2(MaxOps) + 1;
  localparam int          Slack     = 2 ** (OpWidth - 3) - 2;
  localparam int unsigned SlotWidth = $clog2(GroupSlots);

  typedef logic [OpWidth-1:0] ops_t;

  ops_t [Streams-1:0]      issued_q, done_q, note;
  logic [Streams-1:0]      reached, crowded, stream_busy;
  logic [SlotWidth-1:0]    slot_q, oldest_q;  // of the next commit, of the oldest group
  logic [PendingWidth-1:0] pending_q;

  tma_ram_1r1w #(.Width(Streams * OpWidth), .Depth(GroupSlots)) u_notes (
    .clk_i, .we_i(commit_i), .waddr_i(slot_q), .wdata_i(issued_q),
    .raddr_i(oldest_q), .rdata_o(note)
  );

  // Events are known late: they only enable registers.
  for (genvar s = 0; s < Streams; s++) begin : g_stream
    ops_t ahead, behind;

    assign ahead          = done_q[s] - note[s];
    assign behind         = issued_q[s] - note[s];
    assign reached[s]     = !ahead[OpWidth-1];
    assign crowded[s]     = behind[OpWidth-1 -: 3] >= 3'd3;
    assign stream_busy[s] = issued_q[s] != done_q[s];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        issued_q[s] <= '0;
        done_q[s]   <= '0;
      end else begin
        if (add_i[s])         issued_q[s] <= issued_q[s] + ops_t'(1);
        if (settle_i[s])      done_q[s]   <= issued_q[s];
        else if (done_i[s])   done_q[s]   <= done_q[s] + ops_t'(1);
      end
    end

    `TMA_ASSERT(OpsInFlightFit, 32'(ops_t'(issued_q[s] - done_q[s])) <= MaxOps)
    `TMA_ASSERT(ReportsAreOfIssued, done_i[s] && !settle_i[s] |-> stream_busy[s])
    `TMA_ASSERT(SettlesAtRest, settle_i[s] |-> !add_i[s])
    `TMA_ASSERT(NotHalfARange, pending_q != '0 |-> !behind[OpWidth-1])
  end

  logic over;  // all operations of the oldest group have reported

  if (Short) begin : g_short
    // Of the group that is the oldest now: it was in the cycle before.
    always_ff @(posedge clk_i) over <= pending_q != '0 && &reached && !leaves_o;
  end else begin : g_at_once
    assign over = &reached;
  end

  assign leaves_o  = pending_q != '0 && over && !hold_i;
  assign full_o    = pending_q == PendingWidth'(GroupSlots);

  always_ff @(posedge clk_i) crowded_o <= rst_ni && pending_q != '0 && crowded != '0;

  assign pending_o = pending_q;
  assign busy_o    = stream_busy != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i) begin
      slot_q   <= '0;
      oldest_q <= '0;
    end else begin
      if (commit_i) slot_q   <= slot_q + SlotWidth'(1);
      if (leaves_o) oldest_q <= oldest_q + SlotWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i)      pending_q <= '0;
    else if (commit_i != leaves_o) pending_q <= pending_q + (leaves_o ? '1 : PendingWidth'(1));
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(OldestIsOfThosePending, oldest_q == slot_q - SlotWidth'(pending_q))
  `TMA_ASSERT(CommitHasASlot, commit_i |-> !full_o)
  `TMA_ASSERT(GroupsLeaveAtRest, pending_q != '0 && !busy_o && !leaves_o && enable_i |=> leaves_o || hold_i)
  `TMA_ASSERT(OneCommandPerCycle, !(add_i != '0 && commit_i))
  // Commands between the pick of a queue and here. With fewer than eight operations it is in a proof, which lets none come.
  `TMA_ASSERT_INIT(SlackIsEnough, MaxOps < 8 || Slack >= 8)
  `TMA_COVER(Fills, full_o)
  `TMA_COVER(Crowds, crowded_o && pending_q != '0)
  `TMA_COVER(EmptyGroupGoes, commit_i && !busy_o)
  `TMA_COVER(DisabledWithOpsInFlight, !enable_i && busy_o)

endmodule
