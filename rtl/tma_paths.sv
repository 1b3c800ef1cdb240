// SPDX-License-Identifier: Apache-2.0
// Copy paths, shared memory and the watch over the global ports. Structure only.
//
//   loads, fetches --> tma_global <-------- reads of port 0
//   stores, records ->     |     ---------> writes of all ports
//   shared-to-shared -> tma_shared_copy        \--> tma_port_watch, one per port
//                          |   \--> tma_signal: copies that are done
//                     tma_cluster: shared memory, mbarriers

`include "tma_assert.svh"

module tma_paths
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_front_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,

  // Set-up
  input  queue_cfg_t [NumQueues-1:0]        cfg_i,        // enable: active
  input  windows_t [NumQueues-1:0]          windows_i,
  input  multimem_t [NumMultimem-1:0]       multimem_i,
  input  logic [3:0]                        axcache_i,
  input  logic [31:0]                       watchdog_i,
  input  logic                              granule16_i,  // tensor stores clip as an H200 does
  input  logic [NumQueues-1:0]              restart_i,    // pulse: the queue is resumed
  output ports_t                            dead_o,

  // Commands
  input  logic                              load_valid_i,
  output logic                              load_ready_o,
  input  load_cmd_t                         load_i,
  output logic [1:0][PathLevelWidth-1:0]    load_level_o,   // tensor copies: 1
  input  logic                              prefetch_valid_i,
  output logic                              prefetch_ready_o,
  input  prefetch_cmd_t                     prefetch_i,
  output logic [PathLevelWidth-1:0]         prefetch_level_o,
  input  logic                              store_valid_i,
  output logic                              store_ready_o,
  input  store_cmd_t                        store_i,
  output logic [NumLanes-1:0][PathLevelWidth-1:0] store_level_o,  // by lane
  input  logic                              shared_valid_i,
  output logic                              shared_ready_o,
  input  shared_cmd_t                       shared_i,
  output logic [PathLevelWidth-1:0]         shared_level_o,
  input  logic                              fence_valid_i,  // pulse: forget this tensor map
  input  queue_t                            fence_queue_i,
  input  logic [63:6]                       fence_addr_i,

  // Fetches of commands
  input  logic                              fetch_valid_i,
  output logic                              fetch_ready_o,
  input  fetch_t                            fetch_i,
  output logic                              fetch_denied_o,
  output logic                              ring_r_valid_o,
  input  logic                              ring_r_ready_i,
  output read_beat_t                        ring_r_o,

  // Records of ring queues
  input  logic                              rec_valid_i,
  output logic                              rec_ready_o,
  input  record_cmd_t                       rec_i,
  input  logic [255:0]                      rec_data_i,
  output logic                              rec_data_pop_o,
  output logic                              rec_done_o,
  output queue_t                            rec_done_queue_o,

  // What was done: bursts that left, rows with fill, copies as in tma_queue_ctl, reads of stores by lane,
  // of loads by channel
  output logic [1:0]                        add_o,
  output queue_t [1:0]                      add_queue_o,
  output logic [NumDones-1:0]               done_o,
  output queue_t [NumDones-1:0]             done_queue_o,
  output logic [NumLanes-1:0]               read_done_o,
  output queue_t [NumLanes-1:0]             read_done_queue_o,
  output logic [NumChannels-1:0]            load_done_o,
  output queue_t                            load_done_queue_o,

  // Faults: load, store, signal
  output logic [2:0]                        fault_valid_o,
  input  logic [2:0]                        fault_ready_i,
  output fault_t [2:0]                      fault_o,

  // Barrier operations of issue
  input  logic [NumCtas-1:0]                bar_valid_i,
  output logic [NumCtas-1:0]                bar_ready_o,
  input  logic                              bar_again_i,
  input  bar_req_t                          bar_req_i,
  input  logic                              bar_commit_i,
  output bar_rsp_t [NumCtas-1:0]            bar_rsp_o,
  output logic [NumCtas-1:0]                bar_update_o,

  // External ports of the shared memories
  input  logic [NumCtas-1:0]                ext_valid_i,
  output logic [NumCtas-1:0]                ext_ready_o,
  input  logic [NumCtas-1:0]                ext_write_i,
  input  logic [NumCtas-1:0][31:0]          ext_addr_i,
  input  logic [NumCtas-1:0][15:0]          ext_strb_i,
  input  logic [NumCtas-1:0][127:0]         ext_wdata_i,
  output logic [NumCtas-1:0]                ext_rvalid_o,
  output logic [NumCtas-1:0][127:0]         ext_rdata_o,

  // AXI read channels of port 0
  output logic                              ar_valid_o,
  input  logic                              ar_ready_i,
  output ar_t                               ar_o,
  input  logic                              r_valid_i,
  output logic                              r_ready_o,
  input  logic [IdWidth-1:0]                r_id_i,
  input  line_t                             r_data_i,
  input  logic [1:0]                        r_resp_i,
  input  logic                              r_last_i,

  // AXI write channels
  output logic [NumPorts-1:0]               aw_valid_o,
  input  logic [NumPorts-1:0]               aw_ready_i,
  output logic [NumPorts-1:0][63:0]         aw_addr_o,
  output logic [NumPorts-1:0][LenWidth-1:0] aw_len_o,
  output logic [NumPorts-1:0][3:0]          aw_cache_o,
  output logic [NumPorts-1:0][2:0]          aw_prot_o,
  output logic [NumPorts-1:0][3:0]          aw_qos_o,
  output logic [NumPorts-1:0][15:0]         aw_user_o,
  output logic [NumPorts-1:0]               w_valid_o,
  input  logic [NumPorts-1:0]               w_ready_i,
  output line_t [NumPorts-1:0]              w_data_o,
  output strb_t [NumPorts-1:0]              w_strb_o,
  output logic [NumPorts-1:0]               w_last_o,
  input  logic [NumPorts-1:0]               b_valid_i,
  output logic [NumPorts-1:0]               b_ready_o,
  input  logic [NumPorts-1:0][1:0]          b_resp_i,

  // Events for the counters
  output logic                              aw_event_o,
  output logic                              w_event_o,
  output logic                              w_stall_o,
  output logic                              line_event_o,
  output logic                              signal_event_o,
  output logic                              prefetch_error_o,

  output logic                              idle_o
);

  // Copies that are done, see tma_queue_ctl.
  localparam int unsigned Row = 0, Burst = 1, Signal = 2, Store = 3, CpAsync = 4, CpDrop = 5,
                          Fill = 6, Prefetch = 7, Spread = 8;

  logic [NumLanes-1:0]   write_done;
  queue_t [NumLanes-1:0] write_done_queue;

  assign done_o[Store]       = write_done[0];
  assign done_queue_o[Store] = write_done_queue[0];
  if (NumLanes > 1) begin : g_spread
    assign done_o[Spread]       = write_done[1];
    assign done_queue_o[Spread] = write_done_queue[1];
  end

  logic         load_wr_valid, load_wr_ready, copy_wr_valid, copy_wr_ready;
  smem_write_t  load_wr, copy_wr;
  logic         cp_wr_valid, cp_wr_ready;
  chunk_write_t cp_wr;
  logic [1:0]        rd_valid, rd_ready;
  cta_t [1:0]        rd_cta;
  bank_rows_t [1:0]  rd_rows;
  line_t [1:0]       rd_data;
  logic         load_sig_valid, load_sig_ready, copy_sig_valid, copy_sig_ready;
  logic         cp_sig_valid, cp_sig_ready;
  signal_t      load_sig, copy_sig, cp_sig;
  logic         copy_valid, copy_ready;
  shared_cmd_t  copy_cmd;
  logic         global_idle, copy_idle, signal_idle;
  ports_t       read_pending, read_progress, write_pending, write_progress;

  ///////////
  // Paths //
  ///////////

  tma_global u_global (
    .clk_i, .rst_ni, .windows_i, .multimem_i, .cfg_i, .axcache_i, .granule16_i, .restart_i,
    .load_valid_i, .load_ready_o, .load_i, .load_level_o,
    .prefetch_valid_i, .prefetch_ready_o, .prefetch_i, .prefetch_level_o,
    .store_valid_i, .store_ready_o, .store_i, .store_level_o, .fence_valid_i, .fence_queue_i, .fence_addr_i,
    .fetch_valid_i, .fetch_ready_o, .fetch_i, .fetch_denied_o,
    .ring_r_valid_o, .ring_r_ready_i, .ring_r_o,
    .rec_valid_i, .rec_ready_o, .rec_i, .rec_data_i, .rec_data_pop_o,
    .rec_done_o, .rec_done_queue_o,
    .wr_valid_o(load_wr_valid), .wr_ready_i(load_wr_ready), .wr_o(load_wr),
    .cp_wr_valid_o(cp_wr_valid), .cp_wr_ready_i(cp_wr_ready), .cp_wr_o(cp_wr),
    .rd_valid_o(rd_valid[0]), .rd_ready_i(rd_ready[0]), .rd_cta_o(rd_cta[0]),
    .rd_rows_o(rd_rows[0]), .rd_data_i(rd_data[0]),
    .sig_valid_o(load_sig_valid), .sig_ready_i(load_sig_ready), .sig_o(load_sig),
    .cp_sig_valid_o(cp_sig_valid), .cp_sig_ready_i(cp_sig_ready), .cp_sig_o(cp_sig),
    .row_done_o(done_o[Row]), .row_done_queue_o(done_queue_o[Row]),
    .prefetch_done_o(done_o[Prefetch]), .prefetch_done_queue_o(done_queue_o[Prefetch]),
    .load_done_o, .load_done_queue_o,
    .burst_add_o(add_o[0]), .burst_add_queue_o(add_queue_o[0]),
    .fill_add_o(add_o[1]), .fill_add_queue_o(add_queue_o[1]),
    .fill_done_o(done_o[Fill]), .fill_done_queue_o(done_queue_o[Fill]),
    .burst_done_o(done_o[Burst]), .burst_done_queue_o(done_queue_o[Burst]),
    .cp_done_o(done_o[CpAsync]), .cp_done_queue_o(done_queue_o[CpAsync]),
    .cp_drop_o(done_o[CpDrop]), .cp_drop_queue_o(done_queue_o[CpDrop]),
    .read_done_o, .read_done_queue_o,
    .write_done_o(write_done), .write_done_queue_o(write_done_queue),
    .fault_valid_o(fault_valid_o[1:0]), .fault_ready_i(fault_ready_i[1:0]), .fault_o(fault_o[1:0]),
    .ar_valid_o, .ar_ready_i, .ar_o,
    .r_valid_i, .r_ready_o, .r_id_i, .r_data_i, .r_resp_i, .r_last_i,
    .aw_valid_o, .aw_ready_i, .aw_addr_o, .aw_len_o, .aw_cache_o, .aw_prot_o, .aw_qos_o,
    .aw_user_o, .w_valid_o, .w_ready_i, .w_data_o, .w_strb_o, .w_last_o,
    .b_valid_i, .b_ready_o, .b_resp_i,
    .dead_i(dead_o), .read_pending_o(read_pending[0]), .read_progress_o(read_progress[0]),
    .write_pending_o(write_pending), .write_progress_o(write_progress),
    .aw_event_o, .w_event_o, .w_stall_o, .prefetch_error_o, .idle_o(global_idle)
  );

  tma_fifo #(.Width($bits(shared_cmd_t)), .Depth(PathDepth), .FlowThrough(!ShortPaths)) u_copy_cmd (
    .clk_i, .rst_ni,
    .in_valid_i(shared_valid_i), .in_ready_o(shared_ready_o), .in_i(shared_i),
    .out_valid_o(copy_valid), .out_ready_i(copy_ready), .out_o(copy_cmd), .level_o(shared_level_o)
  );

  tma_shared_copy u_copy (
    .clk_i, .rst_ni,
    .cmd_valid_i(copy_valid), .cmd_ready_o(copy_ready), .cmd_i(copy_cmd),
    .rd_valid_o(rd_valid[1]), .rd_ready_i(rd_ready[1]), .rd_cta_o(rd_cta[1]),
    .rd_rows_o(rd_rows[1]), .rd_data_i(rd_data[1]),
    .wr_valid_o(copy_wr_valid), .wr_ready_i(copy_wr_ready), .wr_o(copy_wr),
    .sig_valid_o(copy_sig_valid), .sig_ready_i(copy_sig_ready), .sig_o(copy_sig),
    .line_event_o, .idle_o(copy_idle)
  );

  /////////////////////////////
  // Barriers, shared memory //
  /////////////////////////////

  logic [NumCtas-1:0]       bar_b_valid, bar_b_ready;
  bar_addr_t                bar_b_addr;
  logic                     bar_b_arrive;
  logic [SizeWidth-1:0]     bar_b_tx;
  logic [NumCtas-1:0][15:0] bar_b_fault;

  tma_signal u_signal (
    .clk_i, .rst_ni,
    .load_sig_valid_i(load_sig_valid), .load_sig_ready_o(load_sig_ready), .load_sig_i(load_sig),
    .shared_sig_valid_i(copy_sig_valid), .shared_sig_ready_o(copy_sig_ready),
    .shared_sig_i(copy_sig),
    .cp_sig_valid_i(cp_sig_valid), .cp_sig_ready_o(cp_sig_ready), .cp_sig_i(cp_sig),
    .bar_b_valid_o(bar_b_valid), .bar_b_ready_i(bar_b_ready), .bar_b_addr_o(bar_b_addr),
    .bar_b_arrive_o(bar_b_arrive), .bar_b_tx_o(bar_b_tx), .bar_b_fault_i(bar_b_fault),
    .fault_valid_o(fault_valid_o[2]), .fault_ready_i(fault_ready_i[2]), .fault_o(fault_o[2]),
    .done_o(done_o[Signal]), .done_queue_o(done_queue_o[Signal]),
    .signal_event_o, .idle_o(signal_idle)
  );

  tma_cluster u_cluster (
    .clk_i, .rst_ni,
    .load_valid_i(load_wr_valid), .load_ready_o(load_wr_ready), .load_i(load_wr),
    .copy_valid_i(copy_wr_valid), .copy_ready_o(copy_wr_ready), .copy_i(copy_wr),
    .cp_valid_i(cp_wr_valid), .cp_ready_o(cp_wr_ready), .cp_i(cp_wr),
    .rd_valid_i(rd_valid), .rd_ready_o(rd_ready), .rd_cta_i(rd_cta), .rd_rows_i(rd_rows),
    .rd_data_o(rd_data),
    .ext_valid_i, .ext_ready_o, .ext_write_i, .ext_addr_i, .ext_strb_i, .ext_wdata_i,
    .ext_rvalid_o, .ext_rdata_o,
    .bar_a_valid_i(bar_valid_i), .bar_a_ready_o(bar_ready_o), .bar_a_again_i(bar_again_i),
    .bar_a_req_i(bar_req_i), .bar_a_commit_i(bar_commit_i), .bar_a_rsp_o(bar_rsp_o),
    .bar_b_valid_i(bar_b_valid), .bar_b_ready_o(bar_b_ready), .bar_b_addr_i(bar_b_addr),
    .bar_b_arrive_i(bar_b_arrive), .bar_b_tx_i(bar_b_tx), .bar_b_fault_o(bar_b_fault),
    .bar_update_o
  );

  //////////
  // Dead //
  //////////

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    // Nothing is read from the other ports.
    if (p > 0) begin : g_unread
      assign read_pending[p]  = 1'b0;
      assign read_progress[p] = 1'b0;
    end

    tma_port_watch u_watch (
      .clk_i, .rst_ni, .limit_i(watchdog_i),
      .read_pending_i(read_pending[p]), .read_progress_i(read_progress[p]),
      .write_pending_i(write_pending[p]), .write_progress_i(write_progress[p]),
      .dead_o(dead_o[p])
    );
  end

  assign idle_o = global_idle && copy_idle && signal_idle && !copy_valid;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // What was written and is not signalled yet, in bytes. A chunk counts whole, however little of it
  // a write has: padding is signalled and never written. Copies that fail signal nothing; what is
  // left of them is forgotten when nothing is on its way.
  function automatic int members(input cta_mask_t ctas);
    members = 0;
    for (int unsigned c = 0; c < NumCtas; c++) members += ctas[c] ? 1 : 0;
  endfunction

  function automatic int written(input strb_t be, input cta_mask_t ctas);
    written = 0;
    for (int unsigned b = 0; b < Chunks; b++) written += be[16*b +: 16] != '0 ? 16 : 0;
    return written * members(ctas);
  endfunction

  int load_left_q, copy_left_q, load_left, copy_left, load_tx, copy_tx;

  assign load_left = load_left_q +
                     (load_wr_valid && load_wr_ready ? written(load_wr.be, load_wr.ctas) : 0);
  assign copy_left = copy_left_q +
                     (copy_wr_valid && copy_wr_ready ? written(copy_wr.be, copy_wr.ctas) : 0);
  assign load_tx   = int'(load_sig.bytes) * (members(load_sig.ctas) + members(load_sig.again));
  assign copy_tx   = int'(copy_sig.bytes) * (members(copy_sig.ctas) + members(copy_sig.again));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || idle_o) begin
      load_left_q <= 0;
      copy_left_q <= 0;
    end else begin
      load_left_q <= load_left - (load_sig_valid && load_sig_ready ? load_tx : 0);
      copy_left_q <= copy_left - (copy_sig_valid && copy_sig_ready ? copy_tx : 0);
    end
  end

  // A signal is offered with the last write at the earliest, that of a shared copy behind it.
  `TMA_ASSERT(LoadIsWritten, load_sig_valid |-> load_left >= load_tx)
  `TMA_ASSERT(CopyIsWritten, copy_sig_valid |-> copy_left_q >= copy_tx)

  // Nor is more written than is signalled, where nothing has failed since all was at rest. A chunk of a
  // padded type may be written in two parts, and would count twice.
  logic failed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || idle_o) failed_q <= 1'b0;
    else                   failed_q <= failed_q || fault_valid_o != '0;
  end

  `TMA_ASSERT(NoMoreIsWritten, idle_o && !failed_q |-> (Packed || load_left_q == 0) && copy_left_q == 0)
`endif

  `TMA_ASSERT(LoadKeepsToItsCtas, load_valid_i && load_i.client == ClientLoad |->
      ((load_i.dst | load_i.signal.ctas | load_i.signal.again) &
       ~cfg_i[load_i.signal.origin.qid].cta_mask) == '0)
  `TMA_ASSERT(CpKeepsToItsCta, load_valid_i && load_i.client == ClientCp |->
      load_i.signal.ctas == cta_mask_t'(1) << cfg_i[load_i.signal.origin.qid].cta)
  `TMA_ASSERT(StoreReadsItsCta, store_valid_i |-> store_i.cta == cfg_i[store_i.origin.qid].cta)
  `TMA_ASSERT(CopyKeepsToItsCtas, shared_valid_i |->
      shared_i.src_cta == cfg_i[shared_i.signal.origin.qid].cta &&
      (shared_i.signal.ctas & ~cfg_i[shared_i.signal.origin.qid].cta_mask) == '0)

endmodule
