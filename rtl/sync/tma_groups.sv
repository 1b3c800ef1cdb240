// SPDX-License-Identifier: Apache-2.0
// Bulk groups of all queues. Structure only: events to the queue that they belong to.

module tma_groups
  import tma_pkg::*;
#(
  localparam int unsigned PendingWidth = $clog2(GroupSlots + 1)
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,

  input  logic [NumQueues-1:0]                   enable_i,

  // From issue: an operation joins the open group; the open group is committed
  input  logic                                   add_i,
  input  queue_t                                 add_queue_i,
  input  logic                                   commit_i,
  input  queue_t                                 commit_queue_i,

  // From the paths, per operation in the order of issue
  input  logic                                   read_done_i,
  input  queue_t                                 read_done_queue_i,
  input  logic                                   write_done_i,
  input  queue_t                                 write_done_queue_i,

  // Committed groups that have operations left to do; full: a commit has to wait
  output logic [NumQueues-1:0]                   full_o,
  output logic [NumQueues-1:0][PendingWidth-1:0]   pending_read_o,
  output logic [NumQueues-1:0][PendingWidth-1:0]   pending_write_o
);

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    tma_group_queue u_queue (
      .clk_i, .rst_ni, .enable_i(enable_i[q]),
      .add_i(add_i && add_queue_i == queue_t'(q)),
      .commit_i(commit_i && commit_queue_i == queue_t'(q)),
      .read_done_i(read_done_i && read_done_queue_i == queue_t'(q)),
      .write_done_i(write_done_i && write_done_queue_i == queue_t'(q)),
      .full_o(full_o[q]), .pending_read_o(pending_read_o[q]), .pending_write_o(pending_write_o[q])
    );
  end

endmodule
