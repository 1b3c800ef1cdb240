// SPDX-License-Identifier: Apache-2.0
// Says whether a command at issue has to wait for groups of its queue, bulk groups or those of cp.async.
//
// Short: that is found as the command comes, from the groups before that edge. Nothing takes effect in that cycle, so no
// group has come since; one that has left since wakes its queue again.
//
// Latency: none. Not reset.

`include "tma_assert.svh"

module tma_issue_groups
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
  import tma_path_pkg::*;
#(
  parameter bit Short = ShortPaths  // paths of few gates, for cycles
) (
  input  logic         clk_i,

  input  logic         take_i,   // the next command comes
  input  issue_t       next_i,
  input  issue_t       here_i,   // the command at issue
  input  group_state_t group_i,

  output logic         waits_o
);

  // GroupSlots at most are pending.
  function automatic logic waits(input issue_t x, input group_state_t groups);
    logic [5:0] pending;
    logic       too_many;
    pending = x.cmd.flags[FlagRead] ? groups.pending_read[x.qid] : groups.pending_write[x.qid];
    if (x.cmd.opcode == OpCpAsyncWaitGroup) pending = groups.cp_pending[x.qid];
    too_many = x.cmd.count[31:6] == '0 && pending > x.cmd.count[5:0];
    case (x.cmd.opcode)
      OpBulkCommitGroup:                   waits = groups.full[x.qid];
      OpBulkWaitGroup, OpCpAsyncWaitGroup: waits = too_many;
      OpCpAsyncCommitGroup:                waits = groups.cp_full[x.qid];
      OpCpAsyncWaitAll:                    waits = groups.cp_busy[x.qid];
      default:                             waits = 1'b0;
    endcase
  endfunction

  if (Short) begin : g_before
    logic waits_q, unused;

    always_ff @(posedge clk_i) if (take_i) waits_q <= waits(next_i, group_i);

    assign waits_o = waits_q;
    assign unused  = ^here_i;
  end else begin : g_now
    logic unused;

    assign waits_o = waits(here_i, group_i);
    assign unused  = ^{clk_i, take_i, next_i};
  end

endmodule
