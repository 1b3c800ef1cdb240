// SPDX-License-Identifier: Apache-2.0
// Says whether a command at issue has to wait for groups of its queue, bulk groups or those of cp.async.
//
// Short: that is found as the command comes, from the groups before that edge. No command of groups takes effect in that
// cycle, so none has come since; one that has left since wakes its queue again.
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

  issue_t     looked;
  logic [5:0] pending;
  logic       too_many, waits;

  assign looked = Short ? next_i : here_i;

  always_comb begin
    pending = looked.cmd.flags[FlagRead] ? group_i.pending_read[looked.qid] : group_i.pending_write[looked.qid];
    if (looked.cmd.opcode == OpCpAsyncWaitGroup) pending = group_i.cp_pending[looked.qid];
  end

  // GroupSlots at most are pending.
  assign too_many = looked.cmd.count[31:6] == '0 && pending > looked.cmd.count[5:0];

  always_comb begin
    case (looked.cmd.opcode)
      OpBulkCommitGroup:                   waits = group_i.full[looked.qid];
      OpBulkWaitGroup, OpCpAsyncWaitGroup: waits = too_many;
      OpCpAsyncCommitGroup:                waits = group_i.cp_full[looked.qid];
      OpCpAsyncWaitAll:                    waits = group_i.cp_busy[looked.qid];
      default:                             waits = 1'b0;
    endcase
  end

  if (Short) begin : g_before
    always_ff @(posedge clk_i) if (take_i) waits_o <= waits;
  end else begin : g_now
    assign waits_o = waits;
  end

  logic unused;
  assign unused = ^{clk_i, take_i, next_i, here_i, looked};

endmodule
