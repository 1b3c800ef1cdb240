// SPDX-License-Identifier: Apache-2.0
// Groups of all queues, of bulk copies and of cp.async. Structure only: events to the counters of
// the queue that they belong to.
//
// A store or reduction reports twice, when its reads (of its source) and when its writes are done, and each
// kind of report has a counter. Stores of each lane report in the order of issue, and so do reductions: each
// is a stream. A load is in the group too, for its reads alone: it reports when its last beat was taken.
// Tensor loads have one half of the read channels, others the other half; each kind is spread over its
// channels in turn (`channel_q` as in tma_load_source) and reports in the order of issue in each: a channel
// is a stream. A load that faulted does not report; its queue stands still, and settles when it is resumed or
// closed, with nothing in flight. A group has done its writes when it has done its reads too. cp.async report
// once.

`include "tma_assert.svh"

module tma_groups
  import tma_pkg::*;
  import tma_path_pkg::*;
#(
  localparam int unsigned PendingWidth = $clog2(GroupSlots + 1)
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,

  input  logic [NumQueues-1:0]                   enable_i,
  input  logic [NumQueues-1:0]                   resume_i,      // pulse: nothing of it is in flight

  // From issue: an operation joins the open group, the open group is committed
  input  queue_t                                 queue_i,
  input  logic [NumStreams-1:0]                  add_i,         // a store or reduction, by its stream
  input  logic                                   load_add_i,
  input  logic                                   load_tensor_i, // it is a tensor load
  input  logic                                   commit_i,
  input  logic                                   cp_add_i,
  input  logic                                   cp_commit_i,

  // From the paths, per operation in the order of issue in its stream, of loads in that of their
  // channel
  input  event_t [NumStreams-1:0]                read_done_i,   // of its source
  input  event_t [NumStreams-1:0]                write_done_i,
  input  logic [NumChannels-1:0]                 load_done_i,   // one at most
  input  queue_t                                 load_done_queue_i,
  input  event_t                                 cp_done_i,

  // Committed groups that have operations left to do; full: a commit has to wait
  output logic [NumQueues-1:0]                   full_o,
  output logic [NumQueues-1:0][PendingWidth-1:0] pending_read_o,
  output logic [NumQueues-1:0][PendingWidth-1:0] pending_write_o,
  output logic [NumQueues-1:0]                   crowded_o,      // no more operations: few commands may still come
  output logic [NumQueues-1:0]                   cp_full_o,
  output logic [NumQueues-1:0][PendingWidth-1:0] cp_pending_o,
  output logic [NumQueues-1:0]                   cp_busy_o      // a cp.async is not done
);

  // Each path, and lane, holds a burst in flight for each operation, besides a few in its stages. The load
  // path holds up to 64 cp.async in order, and as many as wait in front of it.
  localparam int unsigned MostWrites = NumWrites > NumReductions ? NumWrites : NumReductions;
  localparam int unsigned MostBursts = NumReads > MostWrites ? NumReads : MostWrites;
  localparam int unsigned BulkOps    = MostBursts + 32;
  localparam int unsigned CpOps      = 96;

  localparam int unsigned KindChannels = NumChannels / 2;

  logic [1:0][KindChannels-1:0] channel_q;  // of the next load, tensor loads: 1
  logic [1:0]                   load_add;

  assign load_add = {load_add_i && load_tensor_i, load_add_i && !load_tensor_i};

  for (genvar k = 0; k < 2; k++) begin : g_kind
    always_ff @(posedge clk_i) begin
      if (!rst_ni)          channel_q[k] <= KindChannels'(1);
      else if (load_add[k]) channel_q[k] <= {channel_q[k][KindChannels-2:0], channel_q[k][KindChannels-1]};
    end
  end

  logic [NumQueues-1:0] read_full, write_full, read_busy, write_busy, read_crowded, write_crowded, cp_crowded;

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    logic                   here, commit, settle, read_leaves, write_leaves, cp_leaves, unused_leaves;
    logic [NumChannels-1:0] loads;
    logic [NumStreams-1:0]  add, read_done, write_done;

    for (genvar s = 0; s < NumStreams; s++) begin : g_stream
      assign add[s]        = add_i[s] && here;
      assign read_done[s]  = read_done_i[s].valid && read_done_i[s].qid == queue_t'(q);
      assign write_done[s] = write_done_i[s].valid && write_done_i[s].qid == queue_t'(q);
    end

    assign here   = queue_i == queue_t'(q);
    assign commit = commit_i && here;
    assign loads  = channel_q & {{KindChannels{load_add[1] && here}}, {KindChannels{load_add[0] && here}}};
    assign settle = !enable_i[q] || resume_i[q];

    tma_group_count #(.MaxOps(BulkOps), .Streams(NumStreams + NumChannels)) u_read (
      .clk_i, .rst_ni, .enable_i(enable_i[q]), .add_i({loads, add}), .commit_i(commit),
      .done_i({load_done_i & {NumChannels{load_done_queue_i == queue_t'(q)}}, read_done}),
      .settle_i({{NumChannels{settle}}, NumStreams'(0)}), .hold_i(1'b0),
      .full_o(read_full[q]), .pending_o(pending_read_o[q]), .leaves_o(read_leaves),
      .crowded_o(read_crowded[q]), .busy_o(read_busy[q])
    );

    tma_group_count #(.MaxOps(BulkOps), .Streams(NumStreams)) u_write (
      .clk_i, .rst_ni, .enable_i(enable_i[q]), .add_i(add), .commit_i(commit),
      .done_i(write_done), .settle_i('0),
      .hold_i(pending_write_o[q] == pending_read_o[q] && !read_leaves),
      .full_o(write_full[q]), .pending_o(pending_write_o[q]), .leaves_o(write_leaves),
      .crowded_o(write_crowded[q]), .busy_o(write_busy[q])
    );

    tma_group_count #(.MaxOps(CpOps)) u_cp (
      .clk_i, .rst_ni, .enable_i(enable_i[q]), .add_i(cp_add_i && here),
      .commit_i(cp_commit_i && here), .done_i(cp_done_i.valid && cp_done_i.qid == queue_t'(q)),
      .settle_i(1'b0), .hold_i(1'b0),
      .full_o(cp_full_o[q]), .pending_o(cp_pending_o[q]), .leaves_o(cp_leaves),
      .crowded_o(cp_crowded[q]), .busy_o(cp_busy_o[q])
    );

    // Reads are done before writes are.
    assign full_o[q]     = write_full[q];
    assign crowded_o[q]  = read_crowded[q] || write_crowded[q] || cp_crowded[q];
    assign unused_leaves = write_leaves || cp_leaves;

    `TMA_ASSERT(ReadsGoFirst, pending_read_o[q] <= pending_write_o[q])
    `TMA_ASSERT(FullOfWrites, read_full[q] |-> write_full[q])
    `TMA_COVER(LoadsAlone, pending_read_o[q] != '0 && !write_busy[q])
    `TMA_COVER(SettlesALoad, resume_i[q] && read_busy[q])
  end

  `TMA_ASSERT(OneLoadReports, $onehot0(load_done_i))

  // For the covers.
  logic unused;
  assign unused = ^{read_full, read_busy, write_busy};

endmodule
