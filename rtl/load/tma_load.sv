// SPDX-License-Identifier: Apache-2.0
// Load path: everything that reads global memory through one read port. Structure only.
//
//   commands --> FIFO --> tma_load_source --> join --> tma_load_issue --> tma_read_port --> AR
//                           ^       |           ^    |
//                     tma_walk      |fill     fetches|contexts
//                           ^       v                v
//   tensor --> FIFO --> set-up  tma_load_fill --> tma_load_data --> shared memory, signals
//   copies                                           ^
//   R --> tma_load_beats ----------------------------+
//                      |---> tma_cp_async ---> shared memory, arrivals
//                      +---> ring, maps
//
// Tensor copies wait apart from other commands, which so never wait for a map. Nor do bulk prefetches wait
// among the commands: tma_load_prefetch offers their pages to tma_load_issue beside the fetches.
//
// Latency: two cycles from a command or the row of a walk to AR, two from R to the write, on an idle
// path; one more with `CmdFlow` 0. With `Short` 1, one more for rows of walks, and two to set-up.

`include "tma_assert.svh"

module tma_load
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_tensor_pkg::*;
  import tma_load_pkg::*;
#(
  parameter int unsigned CmdDepth = 8,
  parameter bit          CmdFlow  = 1'b1, // 0: a command waits for a cycle, so that paths are short
  parameter bit          Short    = ShortPaths  // and so do the rows of walks
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  windows_t [NumQueues-1:0]      windows_i,
  input  queue_cfg_t [NumQueues-1:0]    cfg_i,       // enable: the queue is active
  input  logic [NumQueues-1:0]          restart_i,   // pulse: the queue is resumed
  input  logic [3:0]                    axcache_i,
  input  logic                          dead_i,      // the port has died

  // Commands in; levels: tensor copies are 1
  input  logic                          cmd_valid_i,
  output logic                          cmd_ready_o,
  input  load_cmd_t                     cmd_i,
  output logic [1:0][$clog2(CmdDepth+1)-1:0] cmd_level_o,

  // Bulk prefetches in
  input  logic                          prefetch_valid_i,
  output logic                          prefetch_ready_o,
  input  prefetch_cmd_t                 prefetch_i,
  output logic [$clog2(CmdDepth+1)-1:0] prefetch_level_o,

  // Tensor copies out to set-up, their walks in
  output logic                          tensor_valid_o,
  input  logic                          tensor_ready_i,
  output load_cmd_t                     tensor_o,
  input  logic                          walk_valid_i,
  output logic                          walk_ready_o,
  input  walk_t                         walk_i,

  // Ring fetches in, their beats out. Denied: the newest of those taken before this cycle.
  input  logic                          fetch_valid_i,
  output logic                          fetch_ready_o,
  input  fetch_t                        fetch_i,
  output logic                          fetch_denied_o,
  output logic                          ring_r_valid_o,
  input  logic                          ring_r_ready_i,
  output read_beat_t                    ring_r_o,

  // Fetches and probes of maps in. Denied as above; done: it has left, denied or not. Their beats are
  // on `ring_r_o` too and always taken.
  input  logic                          map_fetch_valid_i,
  output logic                          map_fetch_ready_o,
  input  fetch_t                        map_fetch_i,
  output logic                          map_denied_o,
  output logic                          map_done_o,
  output logic                          map_r_valid_o,

  // AXI read channels
  output logic                          ar_valid_o,
  input  logic                          ar_ready_i,
  output ar_t                           ar_o,
  input  logic                          r_valid_i,
  output logic                          r_ready_o,
  input  logic [IdWidth-1:0]            r_id_i,
  input  line_t                         r_data_i,
  input  logic [1:0]                    r_resp_i,
  input  logic                          r_last_i,
  output logic                          read_pending_o,
  output logic                          read_progress_o,

  // Shared memory: loads, cp.async
  output logic                          wr_valid_o,
  input  logic                          wr_ready_i,
  output smem_write_t                   wr_o,
  output logic                          cp_wr_valid_o,
  input  logic                          cp_wr_ready_i,
  output chunk_write_t                  cp_wr_o,

  // Signals of finished loads, arrivals behind cp.async
  output logic                          sig_valid_o,
  input  logic                          sig_ready_i,
  output signal_t                       sig_o,
  output logic                          cp_sig_valid_o,
  input  logic                          cp_sig_ready_i,
  output signal_t                       cp_sig_o,

  output logic                          fault_valid_o,
  input  logic                          fault_ready_i,
  output fault_t                        fault_o,

  // Pulses: a load or tensor prefetch has issued its last burst, or will issue no more; a bulk
  // prefetch; a load of this channel has read its last byte; a load has issued a burst; one has ended
  // that does not signal; a row of a load has fill; that is written; a cp.async is done; an arrival was
  // dropped (never in one cycle with the one before)
  output logic                          row_done_o,
  output queue_t                        row_done_queue_o,
  output logic                          prefetch_done_o,
  output queue_t                        prefetch_done_queue_o,
  output logic [NumChannels-1:0]        read_done_o,
  output queue_t                        read_done_queue_o,
  output logic                          burst_add_o,
  output queue_t                        burst_add_queue_o,
  output logic                          burst_done_o,
  output queue_t                        burst_done_queue_o,
  output logic                          fill_add_o,
  output queue_t                        fill_add_queue_o,
  output logic                          fill_done_o,
  output queue_t                        fill_done_queue_o,
  output logic                          cp_done_o,
  output queue_t                        cp_done_queue_o,
  output logic                          cp_drop_o,
  output queue_t                        cp_drop_queue_o,

  // What prefetches met, one by one; that of a map comes in
  input  logic                          map_error_i,
  output logic                          prefetch_error_o,
  output logic                          idle_o
);

  //////////////
  // Commands //
  //////////////

  plain_cmd_t  cmd_in, cmd;
  tensor_cmd_t tensor_in, tensor;
  logic        cmd_valid, cmd_ready, cmd_room, tensor_room;
  tensor_row_t step_row, walk_row;
  walk_item_t  step_item, walk_item;
  logic        step_valid, step_ready, step_stop, walk_row_valid, walk_row_ready, walk_stop;
  logic        walk_busy, ahead_busy;
  logic        source_valid, source_ready, source_rest, source_pass, source_drop;
  logic        row_valid, row_ready, row_rest, row_drop, row_hold, join_busy;
  row_t        source_row, row;
  item_t       source_item, item;
  logic        fill_valid, fill_ready, fill_wr_valid, fill_wr_ready, fill_row, fill_ends;
  fill_t       fill;
  fill_number_t fill_number;
  queue_t      fill_queue;
  smem_write_t fill_wr;

  assign cmd_in = '{client: cmd_i.client, dst: cmd_i.dst, gaddr: cmd_i.gaddr, chunks: cmd_i.chunks,
                    saddr: cmd_i.saddr, hint: cmd_i.hint, cp: cmd_i.cp, signal: cmd_i.signal};

  assign tensor_in = '{client: cmd_i.client, op: cmd_i.op, im2col: cmd_i.im2col, dst: cmd_i.dst,
                       gaddr: cmd_i.gaddr, chunks: cmd_i.chunks, hint: cmd_i.hint, signal: cmd_i.signal};

  assign cmd_ready_o = cmd_i.tensor ? tensor_room : cmd_room;

  tma_fifo #(.Width($bits(plain_cmd_t)), .Depth(CmdDepth), .FlowThrough(CmdFlow)) u_cmd (
    .clk_i, .rst_ni, .in_valid_i(cmd_valid_i && !cmd_i.tensor), .in_ready_o(cmd_room), .in_i(cmd_in),
    .out_valid_o(cmd_valid), .out_ready_i(cmd_ready), .out_o(cmd), .level_o(cmd_level_o[0])
  );

  tma_fifo_block #(.Width($bits(tensor_cmd_t)), .Depth(CmdDepth), .Block(Short)) u_tensor (
    .clk_i, .rst_ni, .in_valid_i(cmd_valid_i && cmd_i.tensor), .in_ready_o(tensor_room), .in_i(tensor_in),
    .out_valid_o(tensor_valid_o), .out_ready_i(tensor_ready_i), .out_o(tensor), .level_o(cmd_level_o[1])
  );

  assign tensor_o = '{client: tensor.client, tensor: 1'b1, op: tensor.op, im2col: tensor.im2col,
                      dst: tensor.dst, gaddr: tensor.gaddr, chunks: tensor.chunks, saddr: '0,
                      hint: tensor.hint, cp: '0, signal: tensor.signal};

  tma_walk u_walk (
    .clk_i, .rst_ni, .walk_valid_i, .walk_ready_o, .walk_i,
    .row_valid_o(step_valid), .row_ready_i(step_ready), .row_o(step_row),
    .item_o(step_item), .stop_i(step_stop), .busy_o(walk_busy)
  );

  tma_walk_ahead #(.Short(Short)) u_ahead (
    .clk_i, .rst_ni,
    .row_valid_i(step_valid), .row_ready_o(step_ready), .row_i(step_row), .item_i(step_item),
    .stop_o(step_stop),
    .row_valid_o(walk_row_valid), .row_ready_i(walk_row_ready), .row_o(walk_row),
    .item_o(walk_item), .stop_i(walk_stop), .busy_o(ahead_busy)
  );

  tma_load_source u_source (
    .clk_i, .rst_ni, .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd),
    .walk_valid_i(walk_row_valid), .walk_ready_o(walk_row_ready), .walk_i(walk_row),
    .walk_item_i(walk_item), .walk_stop_o(walk_stop),
    .row_valid_o(source_valid), .row_ready_i(source_ready), .row_o(source_row), .item_o(source_item),
    .fill_valid_o(fill_valid), .fill_ready_i(fill_ready), .fill_o(fill),
    .hold_i(row_hold), .rest_o(source_rest), .pass_o(source_pass), .drop_i(source_drop)
  );

  tma_load_join u_join (
    .clk_i, .rst_ni,
    .row_valid_i(source_valid), .row_ready_o(source_ready), .row_i(source_row), .item_i(source_item),
    .rest_i(source_rest), .pass_i(source_pass), .drop_o(source_drop),
    .row_valid_o(row_valid), .row_ready_i(row_ready), .row_o(row), .item_o(item),
    .rest_o(row_rest), .drop_i(row_drop), .busy_o(join_busy)
  );

  tma_load_fill u_fill (
    .clk_i, .rst_ni, .fill_valid_i(fill_valid), .fill_ready_o(fill_ready), .fill_i(fill),
    .wr_valid_o(fill_wr_valid), .wr_ready_i(fill_wr_ready), .wr_o(fill_wr),
    .number_o(fill_number), .queue_o(fill_queue), .row_o(fill_row), .ends_o(fill_ends)
  );

  assign fill_add_o       = fill_valid;
  assign fill_add_queue_o = fill.qid;

  ////////////////
  // Prefetches //
  ////////////////

  ar_t                  ar;
  logic                 ar_valid, ar_ready;
  logic [NumQueues-1:0] active;
  logic                 page_valid, page_ready, page_left, prefetch_idle, skip, beat_error, errors_busy;
  fetch_t               page;
  hint_t                page_hint;
  logic                 page_may, prefetch_beat;
  logic [15:0]          prefetch_beats_q;  // of all prefetches, that are to come

  for (genvar q = 0; q < NumQueues; q++) begin : g_active
    assign active[q] = cfg_i[q].enable;
  end

  tma_load_prefetch #(.Depth(CmdDepth)) u_prefetch (
    .clk_i, .rst_ni, .active_i(active),
    .cmd_valid_i(prefetch_valid_i), .cmd_ready_o(prefetch_ready_o), .cmd_i(prefetch_i),
    .level_o(prefetch_level_o),
    .page_valid_o(page_valid), .page_ready_i(page_ready && page_may), .page_o(page),
    .hint_o(page_hint),
    .left_i(page_left), .done_o(prefetch_done_o), .done_queue_o(prefetch_done_queue_o),
    .idle_o(prefetch_idle)
  );

  // What others read comes behind these beats at most, and those of one more page.
  assign page_may = prefetch_beats_q < 16'(PrefetchBeats) || dead_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || dead_i) prefetch_beats_q <= '0;
    else prefetch_beats_q <= prefetch_beats_q - 16'(prefetch_beat) +
                             (ar_valid && ar_ready && ar.id[IdWidth-1 -: 3] == ClientPrefetch
                              ? 16'(ar.len) + 16'd1 : '0);
  end

  tma_load_errors #(.NumSources(3)) u_errors (
    .clk_i, .rst_ni, .event_i({map_error_i, skip, beat_error}), .event_o(prefetch_error_o),
    .busy_o(errors_busy)
  );

  ///////////
  // Issue //
  ///////////

  logic                    ctx_valid, ctx_end, ctx_end_both, ctx_end_bare;
  logic [ChannelWidth-1:0] ctx_channel, ctx_end_channel;
  ctx_t                    ctx;
  logic                    cp_take, cp_full, cp_valid;
  cp_ctx_t                 cp;
  logic [ChunkIdx-1:0]     cp_lane;
  logic                    load_done, other_done, signal_done;
  logic                    error, error_hold;
  queue_t                  error_queue;
  logic [15:0]             error_seq;
  logic [2:0]              fault_valid, fault_ready;  // cp.async, windows, load data: early ones first
  fault_t [2:0]            fault;
  logic                    issue_idle, cp_idle;

  tma_load_issue u_issue (
    .clk_i, .rst_ni, .windows_i, .cfg_i, .axcache_i,
    .src_valid_i(row_valid), .src_ready_o(row_ready), .src_row_i(row), .src_item_i(item),
    .rest_i(row_rest), .drop_o(row_drop), .hold_o(row_hold),
    .fetch_valid_i({page_valid && page_may, map_fetch_valid_i, fetch_valid_i}),
    .fetch_ready_o({page_ready, map_fetch_ready_o, fetch_ready_o}),
    .fetch_i({page, map_fetch_i, fetch_i}), .page_hint_i(page_hint),
    .fetch_denied_o({map_denied_o, fetch_denied_o}), .page_left_o(page_left), .skip_o(skip),
    .map_done_o,
    .ar_valid_o(ar_valid), .ar_ready_i(ar_ready), .ar_o(ar),
    .ctx_valid_o(ctx_valid), .ctx_channel_o(ctx_channel), .ctx_o(ctx),
    .ctx_end_i(ctx_end), .ctx_end_channel_i(ctx_end_channel), .ctx_end_both_i(ctx_end_both),
    .ctx_end_bare_i(ctx_end_bare),
    .cp_take_o(cp_take), .cp_full_i(cp_full), .cp_valid_o(cp_valid), .cp_o(cp),
    .cp_lane_o(cp_lane),
    .load_done_i(load_done), .other_done_i(other_done), .signal_done_i(signal_done),
    .error_i(error), .error_queue_i(error_queue), .error_seq_i(error_seq),
    .error_hold_o(error_hold),
    .fault_valid_o(fault_valid[1]), .fault_ready_i(fault_ready[1]), .fault_o(fault[1]),
    .row_done_o, .row_done_queue_o, .burst_add_o, .burst_add_queue_o, .idle_o(issue_idle)
  );

  //////////
  // Port //
  //////////

  logic       r_valid, r_ready;
  read_beat_t r, beat;
  logic       beat_valid, beat_ready, cp_beat_valid;

  logic [NumChannels-1:0] some;  // channels with a context

  tma_read_port u_port (
    .clk_i, .rst_ni, .dead_i,
    .ar_valid_i(ar_valid), .ar_ready_o(ar_ready), .ar_i(ar),
    .r_valid_o(r_valid), .r_ready_i(r_ready), .r_o(r),
    .ar_valid_o, .ar_ready_i, .ar_o, .r_valid_i, .r_ready_o, .r_id_i, .r_data_i, .r_resp_i,
    .r_last_i, .pending_o(read_pending_o), .progress_o(read_progress_o)
  );

  tma_load_beats u_beats (
    .clk_i, .rst_ni, .r_valid_i(r_valid), .r_ready_o(r_ready), .r_i(r), .beat_o(beat),
    .load_valid_o(beat_valid), .load_ready_i(beat_ready), .load_some_i(some),
    .ring_valid_o(ring_r_valid_o), .ring_ready_i(ring_r_ready_i),
    .map_valid_o(map_r_valid_o), .cp_valid_o(cp_beat_valid),
    .other_done_o(other_done), .prefetch_beat_o(prefetch_beat), .prefetch_error_o(beat_error)
  );

  assign ring_r_o = beat;

  //////////
  // Data //
  //////////

  tma_load_data u_data (
    .clk_i, .rst_ni,
    .ctx_valid_i(ctx_valid), .ctx_channel_i(ctx_channel), .ctx_i(ctx),
    .ctx_end_o(ctx_end), .ctx_end_channel_o(ctx_end_channel), .ctx_end_both_o(ctx_end_both),
    .ctx_end_bare_o(ctx_end_bare),
    .beat_valid_i(beat_valid), .beat_ready_o(beat_ready), .beat_i(beat), .some_o(some),
    .fill_valid_i(fill_wr_valid), .fill_ready_o(fill_wr_ready), .fill_i(fill_wr),
    .fill_number_i(fill_number), .fill_queue_i(fill_queue), .fill_row_i(fill_row),
    .fill_ends_i(fill_ends), .error_hold_i(error_hold),
    .wr_valid_o, .wr_ready_i, .wr_o, .sig_valid_o, .sig_ready_i, .sig_o,
    .burst_done_o(load_done), .burst_done_queue_o, .signal_done_o(signal_done),
    .fill_done_o, .fill_done_queue_o, .read_done_o, .read_done_queue_o,
    .error_o(error), .error_queue_o(error_queue), .error_seq_o(error_seq),
    .fault_valid_o(fault_valid[2]), .fault_ready_i(fault_ready[2]), .fault_o(fault[2])
  );

  assign burst_done_o = load_done;

  tma_cp_async u_cp (
    .clk_i, .rst_ni, .active_i(active), .restart_i,
    .take_i(cp_take), .full_o(cp_full), .ctx_valid_i(cp_valid), .ctx_i(cp), .ctx_lane_i(cp_lane),
    .beat_valid_i(cp_beat_valid), .beat_i(beat),
    .wr_valid_o(cp_wr_valid_o), .wr_ready_i(cp_wr_ready_i), .wr_o(cp_wr_o),
    .sig_valid_o(cp_sig_valid_o), .sig_ready_i(cp_sig_ready_i), .sig_o(cp_sig_o),
    .fault_valid_o(fault_valid[0]), .fault_ready_i(fault_ready[0]), .fault_o(fault[0]),
    .done_o(cp_done_o), .done_queue_o(cp_done_queue_o),
    .drop_o(cp_drop_o), .drop_queue_o(cp_drop_queue_o), .idle_o(cp_idle)
  );

  tma_load_fault #(.NumSources(3)) u_fault (
    .clk_i, .rst_ni, .valid_i(fault_valid), .ready_o(fault_ready), .fault_i(fault),
    .fault_valid_o, .fault_ready_i, .fault_o
  );

  assign idle_o = issue_idle && cp_idle && !cmd_valid && cmd_level_o[1] == '0 && !tensor_valid_o && !walk_busy &&
                  !ahead_busy && !join_busy && !fill_wr_valid && !wr_valid_o && !fault_valid_o && prefetch_idle && !errors_busy;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // Cycles in a row in which a beat was not taken, of those in which shared memory took writes, the
  // ring its beats, and no fault was to be taken.
  localparam int unsigned MaxStall = 32;

  logic        counts;
  logic [31:0] stalled_q;

  assign counts = !(wr_valid_o && !wr_ready_i) && !(ring_r_valid_o && !ring_r_ready_i) &&
                  !(fault_valid[2] && !fault_ready[2]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !r_valid || r_ready) stalled_q <= '0;
    else                                stalled_q <= stalled_q + 32'(counts);
  end

  `TMA_ASSERT(DataIsTaken, stalled_q < MaxStall)
`endif

  `TMA_ASSERT(IdleIsOwedNothing, idle_o |-> u_port.owes == '0 && some == '0 &&
      u_data.u_contexts.u_held.held_q == '0)
  `TMA_ASSERT(IdleReadsNoPages, idle_o |-> prefetch_beats_q == '0)

endmodule
