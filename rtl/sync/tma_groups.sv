// SPDX-License-Identifier: Apache-2.0
// Groups of all queues, of bulk copies and of cp.async. Structure only: events to the counters of
// the queue that they belong to.
//
// A bulk operation reports twice, when its reads and when its writes are done, and each kind of
// report has a counter. cp.async report once.

`include "tma_assert.svh"

module tma_groups
  import tma_pkg::*;
#(
  localparam int unsigned PendingWidth = $clog2(GroupSlots + 1)
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,

  input  logic [NumQueues-1:0]                   enable_i,

  // From issue: an operation joins the open group, the open group is committed
  input  queue_t                                 queue_i,
  input  logic                                   add_i,
  input  logic                                   commit_i,
  input  logic                                   cp_add_i,
  input  logic                                   cp_commit_i,

  // From the paths, per operation in the order of issue
  input  logic                                   read_done_i,
  input  queue_t                                 read_done_queue_i,
  input  logic                                   write_done_i,
  input  queue_t                                 write_done_queue_i,
  input  logic                                   cp_done_i,
  input  queue_t                                 cp_done_queue_i,

  // Committed groups that have operations left to do; full: a commit has to wait
  output logic [NumQueues-1:0]                   full_o,
  output logic [NumQueues-1:0][PendingWidth-1:0] pending_read_o,
  output logic [NumQueues-1:0][PendingWidth-1:0] pending_write_o,
  output logic [NumQueues-1:0]                   cp_full_o,
  output logic [NumQueues-1:0][PendingWidth-1:0] cp_pending_o,
  output logic [NumQueues-1:0]                   cp_busy_o      // a cp.async is not done
);

  // The store path holds a burst in flight for each operation, besides a few in its stages. The
  // load path holds up to 64 cp.async in order, and as many as wait in front of it.
  localparam int unsigned BulkOps = NumWrites + 32;
  localparam int unsigned CpOps   = 96;

  logic [NumQueues-1:0] read_full, write_full, read_busy, write_busy;

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    logic here, add, commit;

    assign here   = queue_i == queue_t'(q);
    assign add    = add_i && here;
    assign commit = commit_i && here;

    tma_group_count #(.MaxOps(BulkOps)) u_read (
      .clk_i, .rst_ni, .enable_i(enable_i[q]), .add_i(add), .commit_i(commit),
      .done_i(read_done_i && read_done_queue_i == queue_t'(q)),
      .full_o(read_full[q]), .pending_o(pending_read_o[q]), .busy_o(read_busy[q])
    );

    tma_group_count #(.MaxOps(BulkOps)) u_write (
      .clk_i, .rst_ni, .enable_i(enable_i[q]), .add_i(add), .commit_i(commit),
      .done_i(write_done_i && write_done_queue_i == queue_t'(q)),
      .full_o(write_full[q]), .pending_o(pending_write_o[q]), .busy_o(write_busy[q])
    );

    tma_group_count #(.MaxOps(CpOps)) u_cp (
      .clk_i, .rst_ni, .enable_i(enable_i[q]), .add_i(cp_add_i && here),
      .commit_i(cp_commit_i && here), .done_i(cp_done_i && cp_done_queue_i == queue_t'(q)),
      .full_o(cp_full_o[q]), .pending_o(cp_pending_o[q]), .busy_o(cp_busy_o[q])
    );

    // Reads of an operation are done before its writes are.
    assign full_o[q] = write_full[q];

    `TMA_ASSERT(ReadsGoFirst, pending_read_o[q] <= pending_write_o[q])
    `TMA_ASSERT(FullOfWrites, read_full[q] |-> write_full[q])
    `TMA_ASSERT(WritesComeLast, read_busy[q] |-> write_busy[q])
  end

  // For the assertions.
  logic unused;
  assign unused = ^{read_full, read_busy, write_busy};

endmodule
