// SPDX-License-Identifier: Apache-2.0
// Load path: everything that reads global memory through one read port. Structure only.
//
//   commands --> FIFO --> tma_load_source --> join --> tma_load_issue --> AR, of the port
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
// path; three more for a command with `CmdFlow` 0, one for rows that another one could join. With `Short` 1,
// one more for rows of walks, one in the guard, and two to set-up.

`include "tma_assert.svh"

module tma_load
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_tensor_pkg::*;
  import tma_load_pkg::*;
  import tma_path_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter int unsigned CmdDepth = 8,
  parameter bit          CmdFlow  = 1'b1, // 0: a command waits in block memory, for three cycles
  parameter bit          Short    = ShortPaths  // and so do the rows of walks
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  window_write_t                 window_write_i,
  input  queue_cfg_t [NumQueues-1:0]    cfg_i,       // enable: the queue is active
  input  logic [NumQueues-1:0]          restart_i,   // pulse: the queue is resumed
  input  logic [3:0]                    axcache_i,
  input  logic                          dead_i,      // the port has died

  // How many commands wait: 0 plain ones, 1 tensor copies, 2 bulk prefetches
  output logic [2:0][$clog2(CmdDepth+1)-1:0] level_o,

  // Commands in
  input  logic                          cmd_valid_i,
  output logic                          cmd_ready_o,
  input  load_cmd_t                     cmd_i,

  // Bulk prefetches in
  input  logic                          prefetch_valid_i,
  output logic                          prefetch_ready_o,
  input  prefetch_cmd_t                 prefetch_i,

  // Tensor copies out to set-up, their walks in
  output logic                          tensor_valid_o,
  input  logic                          tensor_ready_i,
  output load_cmd_t                     tensor_o,
  input  logic                          walk_valid_i,
  output logic                          walk_ready_o,
  input  walk_t                         walk_i,

  // Fetches of the ring, of maps
  input  fetch_req_t                    fetch_i,
  output fetch_rsp_t                    fetch_o,
  input  map_req_t                      map_i,
  output map_rsp_t                      map_o,

  // To and from the port
  output read_req_t                     port_o,
  input  reader_rsp_t                   port_i,

  // Shared memory: loads, cp.async
  output logic                          wr_valid_o,
  input  logic                          wr_ready_i,
  output smem_write_t                   wr_o,
  output logic                          cp_wr_valid_o,
  input  logic                          cp_wr_ready_i,
  output chunk_write_t                  cp_wr_o,

  // Signals: 0 of finished loads, 1 arrivals behind cp.async
  output logic [1:0]                    sig_valid_o,
  input  logic [1:0]                    sig_ready_i,
  output signal_t [1:0]                 sig_o,

  output logic                          fault_valid_o,
  input  logic                          fault_ready_i,
  output fault_t                        fault_o,

  output load_events_t                  events_o,
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
  logic        step_valid, step_ready, step_stop, walk_row_valid, walk_row_ready, walk_stop, walk_busy, stage_busy;
  logic        source_valid, source_ready, source_rest, source_pass, source_drop, source_alone, source_apart;
  logic        row_valid, row_ready, row_pair, row_rest, row_drop, row_hold, join_busy;
  row_t        source_row, row;
  item_t       source_item, row_item, item;
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

  tma_fifo_block #(.Width($bits(plain_cmd_t)), .Depth(CmdDepth), .Block(!CmdFlow), .Register(1'b1)) u_cmd (
    .clk_i, .rst_ni, .in_valid_i(cmd_valid_i && !cmd_i.tensor), .in_ready_o(cmd_room), .in_i(cmd_in),
    .out_valid_o(cmd_valid), .out_ready_i(cmd_ready), .out_o(cmd), .level_o(level_o[0])
  );

  tma_fifo_block #(.Width($bits(tensor_cmd_t)), .Depth(CmdDepth), .Block(Short)) u_tensor (
    .clk_i, .rst_ni, .in_valid_i(cmd_valid_i && cmd_i.tensor), .in_ready_o(tensor_room), .in_i(tensor_in),
    .out_valid_o(tensor_valid_o), .out_ready_i(tensor_ready_i), .out_o(tensor), .level_o(level_o[1])
  );

  assign tensor_o = '{client: tensor.client, tensor: 1'b1, op: tensor.op, im2col: tensor.im2col,
                      dst: tensor.dst, gaddr: tensor.gaddr, chunks: tensor.chunks, saddr: '0,
                      hint: tensor.hint, cp: '0, signal: tensor.signal};

  tma_walk u_walk (
    .clk_i, .rst_ni, .walk_valid_i, .walk_ready_o, .walk_i,
    .row_valid_o(step_valid), .row_ready_i(step_ready), .row_o(step_row),
    .item_o(step_item), .stop_i(step_stop), .busy_o(walk_busy)
  );

  tma_walk_stage #(.Short(Short)) u_stage (
    .clk_i, .rst_ni, .row_valid_i(step_valid), .row_ready_o(step_ready), .row_i(step_row), .item_i(step_item),
    .stop_o(step_stop), .row_valid_o(walk_row_valid), .row_ready_i(walk_row_ready), .row_o(walk_row),
    .item_o(walk_item), .stop_i(walk_stop), .busy_o(stage_busy)
  );

  tma_load_source u_source (
    .clk_i, .rst_ni, .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd),
    .walk_valid_i(walk_row_valid), .walk_ready_o(walk_row_ready), .walk_i(walk_row),
    .walk_item_i(walk_item), .walk_stop_o(walk_stop),
    .row_valid_o(source_valid), .row_ready_i(source_ready), .row_o(source_row), .item_o(source_item),
    .alone_o(source_alone), .apart_o(source_apart),
    .fill_valid_o(fill_valid), .fill_ready_i(fill_ready), .fill_o(fill),
    .hold_i(row_hold), .rest_o(source_rest), .pass_o(source_pass), .drop_i(source_drop)
  );

  tma_row_join #(.ItemWidth($bits(item_t))) u_join (
    .clk_i, .rst_ni,
    .row_valid_i(source_valid), .row_ready_o(source_ready), .row_i(source_row), .item_i(source_item),
    .alone_i(source_alone), .follows_i(source_alone), .apart_i(source_apart),
    .rest_i(source_rest), .pass_i(source_pass), .drop_o(source_drop),
    .row_valid_o(row_valid), .row_ready_i(row_ready), .row_o(row), .item_o(row_item), .pair_o(row_pair),
    .rest_o(row_rest), .drop_i(row_drop), .busy_o(join_busy)
  );

  always_comb begin
    item      = row_item;
    item.pair = row_pair;
  end

  tma_load_fill u_fill (
    .clk_i, .rst_ni, .fill_valid_i(fill_valid), .fill_ready_o(fill_ready), .fill_i(fill),
    .wr_valid_o(fill_wr_valid), .wr_ready_i(fill_wr_ready), .wr_o(fill_wr),
    .number_o(fill_number), .queue_o(fill_queue), .row_o(fill_row), .ends_o(fill_ends)
  );

  assign events_o.fill_add = '{valid: fill_valid, qid: fill.qid};

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
  prefetch_beats_t      prefetch_beats_q;  // of all prefetches, that are to come

  for (genvar q = 0; q < NumQueues; q++) begin : g_active
    assign active[q] = cfg_i[q].enable;
  end

  tma_load_prefetch #(.Depth(CmdDepth)) u_prefetch (
    .clk_i, .rst_ni, .active_i(active),
    .cmd_valid_i(prefetch_valid_i), .cmd_ready_o(prefetch_ready_o), .cmd_i(prefetch_i),
    .level_o(level_o[2]),
    .page_valid_o(page_valid), .page_ready_i(page_ready && page_may), .page_o(page),
    .hint_o(page_hint),
    .left_i(page_left), .done_o(events_o.prefetch.valid), .done_queue_o(events_o.prefetch.qid),
    .idle_o(prefetch_idle)
  );

  // What others read comes behind these beats at most, and those of one more page.
  assign page_may = prefetch_beats_q < prefetch_beats_t'(PrefetchBeats) || dead_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || dead_i) prefetch_beats_q <= '0;
    else prefetch_beats_q <= prefetch_beats_q - prefetch_beats_t'(prefetch_beat) +
                             (ar_valid && ar_ready && ar.id[IdWidth-1 -: 3] == ClientPrefetch
                              ? prefetch_beats_t'(ar.len) + prefetch_beats_t'(1) : '0);
  end

  tma_load_errors #(.NumSources(3)) u_errors (
    .clk_i, .rst_ni, .event_i({map_i.error, skip, beat_error}), .event_o(events_o.prefetch_error), .busy_o(errors_busy)
  );

  ///////////
  // Issue //
  ///////////

  ctx_put_t                ctx;
  ctx_end_t                ctx_end;
  cp_put_t                 cp;
  load_error_t             error;
  logic                    cp_take, cp_full, error_hold, other_done, signal_done, issue_idle, cp_idle, data_busy;
  logic [2:0]              fault_valid, fault_ready;  // cp.async, windows, load data: early ones first
  fault_t [2:0]            fault;
  queue_t                  window_queue;
  windows_t                windows;

  tma_windows u_windows (.clk_i, .write_i(window_write_i), .queue_i(window_queue), .windows_o(windows));

  tma_load_issue u_issue (
    .clk_i, .rst_ni, .window_queue_o(window_queue), .windows_i(windows), .cfg_i, .axcache_i, .src_valid_i(row_valid),
    .src_ready_o(row_ready), .src_row_i(row), .src_item_i(item), .rest_i(row_rest), .drop_o(row_drop),
    .hold_o(row_hold), .fetch_valid_i({page_valid && page_may, map_i.valid, fetch_i.valid}),
    .fetch_ready_o({page_ready, map_o.ready, fetch_o.ready}), .fetch_i({page, map_i.fetch, fetch_i.fetch}),
    .page_hint_i(page_hint), .fetch_denied_o({map_o.denied, fetch_o.denied}), .page_left_o(page_left), .skip_o(skip),
    .map_done_o(map_o.done), .ar_valid_o(ar_valid), .ar_ready_i(ar_ready), .ar_o(ar), .ctx_o(ctx),
    .ctx_end_i(ctx_end), .cp_take_o(cp_take), .cp_full_i(cp_full), .cp_o(cp), .load_done_i(events_o.burst_done.valid),
    .other_done_i(other_done), .signal_done_i(signal_done), .error_i(error), .error_hold_o(error_hold),
    .fault_valid_o(fault_valid[1]), .fault_ready_i(fault_ready[1]), .fault_o(fault[1]), .issued_o(events_o.issued),
    .burst_add_o(events_o.burst_add), .idle_o(issue_idle)
  );

  //////////
  // Port //
  //////////

  logic       r_ready;
  read_beat_t beat;
  logic       beat_valid, beat_ready, cp_beat_valid;

  logic [NumChannels-1:0] some;  // channels with a context

  assign port_o   = '{ar_valid: ar_valid, ar: ar, r_ready: r_ready};
  assign ar_ready = port_i.ar_ready;

  tma_load_beats u_beats (
    .clk_i, .rst_ni, .r_valid_i(port_i.r_valid), .r_ready_o(r_ready), .r_i(port_i.r), .beat_o(beat),
    .load_valid_o(beat_valid), .load_ready_i(beat_ready), .load_some_i(some),
    .ring_valid_o(fetch_o.r_valid), .ring_ready_i(fetch_i.r_ready),
    .map_valid_o(map_o.r_valid), .cp_valid_o(cp_beat_valid),
    .other_done_o(other_done), .prefetch_beat_o(prefetch_beat), .prefetch_error_o(beat_error)
  );

  assign fetch_o.r = beat;

  //////////
  // Data //
  //////////

  tma_load_data u_data (
    .clk_i, .rst_ni,
    .ctx_i(ctx), .ctx_end_o(ctx_end),
    .beat_valid_i(beat_valid), .beat_ready_o(beat_ready), .beat_i(beat), .some_o(some),
    .fill_valid_i(fill_wr_valid), .fill_ready_o(fill_wr_ready), .fill_i(fill_wr),
    .fill_number_i(fill_number), .fill_queue_i(fill_queue), .fill_row_i(fill_row),
    .fill_ends_i(fill_ends), .error_hold_i(error_hold),
    .wr_valid_o, .wr_ready_i, .wr_o,
    .sig_valid_o(sig_valid_o[0]), .sig_ready_i(sig_ready_i[0]), .sig_o(sig_o[0]),
    .burst_done_o(events_o.burst_done), .signal_done_o(signal_done),
    .fill_done_o(events_o.fill_done), .read_done_o(events_o.read), .read_done_queue_o(events_o.read_queue),
    .error_o(error),
    .fault_valid_o(fault_valid[2]), .fault_ready_i(fault_ready[2]), .fault_o(fault[2]), .busy_o(data_busy)
  );

  tma_cp_async u_cp (
    .clk_i, .rst_ni, .active_i(active), .restart_i,
    .take_i(cp_take), .full_o(cp_full), .ctx_valid_i(cp.valid), .ctx_i(cp.ctx), .ctx_lane_i(cp.lane),
    .beat_valid_i(cp_beat_valid), .beat_i(beat),
    .wr_valid_o(cp_wr_valid_o), .wr_ready_i(cp_wr_ready_i), .wr_o(cp_wr_o),
    .sig_valid_o(sig_valid_o[1]), .sig_ready_i(sig_ready_i[1]), .sig_o(sig_o[1]),
    .fault_valid_o(fault_valid[0]), .fault_ready_i(fault_ready[0]), .fault_o(fault[0]),
    .done_o(events_o.cp_done.valid), .done_queue_o(events_o.cp_done.qid),
    .drop_o(events_o.cp_drop.valid), .drop_queue_o(events_o.cp_drop.qid), .idle_o(cp_idle)
  );

  tma_load_fault #(.NumSources(3)) u_fault (
    .clk_i, .rst_ni, .valid_i(fault_valid), .ready_o(fault_ready), .fault_i(fault),
    .fault_valid_o, .fault_ready_i, .fault_o
  );

  assign idle_o = issue_idle && cp_idle && prefetch_idle && level_o[1:0] == '0 && !cmd_valid && !tensor_valid_o &&
      !walk_busy && !stage_busy && !join_busy && !fill_wr_valid && !data_busy && !fault_valid_o && !errors_busy;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // Cycles in a row in which a beat was not taken, of those in which shared memory took writes, the
  // ring its beats, and no fault was to be taken.
  localparam int unsigned MaxStall = 32;

  logic        counts;
  logic [31:0] stalled_q;

  assign counts = !(wr_valid_o && !wr_ready_i) && !(fetch_o.r_valid && !fetch_i.r_ready) &&
                  !(fault_valid[2] && !fault_ready[2]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !port_i.r_valid || r_ready) stalled_q <= '0;
    else                                       stalled_q <= stalled_q + 32'(counts);
  end

  `TMA_ASSERT(DataIsTaken, stalled_q < MaxStall)
`endif

  `TMA_ASSERT(IdleIsOwedNothing, idle_o |-> some == '0 && u_data.u_contexts.u_held.held_q == '0)
  `TMA_ASSERT(JoinedHasNoFill, row_valid && row_pair && item.client == ClientLoad |-> {item.lead, item.trail} == '0)
  `TMA_ASSERT(IdleReadsNoPages, idle_o |-> prefetch_beats_q == '0)

  if (Chunks > 1) begin : g_joined
    `TMA_COVER(Prefetches, row_valid && row_ready && row_pair && item.client == ClientPrefetch)
  end

endmodule
