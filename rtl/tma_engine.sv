// SPDX-License-Identifier: Apache-2.0
// The engine: PTX asynchronous copies for one cluster of CTAs. Structure only.
//
//   direct port --> tma_front --- copies, fetches, records --> tma_paths --> AXI
//        tma_csr       ^  \------ barrier operations ------->      |
//                      +----------- done, faults -----------------+
//
// Global port 0 carries all traffic but multimem stores, which go to the ports of their window.
// Reset: synchronous, active low; control state alone. Every queue is disabled out of reset.

module tma_engine
  import tma_pkg::*;
  import tma_front_pkg::*;
  import tma_csr_pkg::*;
  import tma_status_pkg::*;
(
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Direct command port: one command per cycle.
  input  logic                          cmd_valid_i,
  output logic                          cmd_ready_o,
  input  logic [QueueWidth-1:0]         cmd_queue_i,
  input  logic [511:0]                  cmd_i,        // byte 0 of the command in bits 7:0
  output logic [NumQueues-1:0]          queue_ready_o, // bit q: a command for queue q is taken now

  // Responses: completion records.
  output logic                          rsp_valid_o,
  input  logic                          rsp_ready_i,
  output logic [255:0]                  rsp_o,

  // AXI4-Lite subordinate: registers.
  input  logic                          s_axil_awvalid_i,
  output logic                          s_axil_awready_o,
  input  logic [16:0]                   s_axil_awaddr_i,
  input  logic                          s_axil_wvalid_i,
  output logic                          s_axil_wready_o,
  input  logic [31:0]                   s_axil_wdata_i,
  input  logic [3:0]                    s_axil_wstrb_i,
  output logic                          s_axil_bvalid_o,
  input  logic                          s_axil_bready_i,
  output logic [1:0]                    s_axil_bresp_o,
  input  logic                          s_axil_arvalid_i,
  output logic                          s_axil_arready_o,
  input  logic [16:0]                   s_axil_araddr_i,
  output logic                          s_axil_rvalid_o,
  input  logic                          s_axil_rready_i,
  output logic [31:0]                   s_axil_rdata_o,
  output logic [1:0]                    s_axil_rresp_o,

  // External port of each CTA's shared memory.
  input  logic [NumCtas-1:0]            ext_valid_i,
  output logic [NumCtas-1:0]            ext_ready_o,
  input  logic [NumCtas-1:0]            ext_write_i,
  input  logic [NumCtas-1:0][31:0]      ext_addr_i,   // byte offset, multiple of 16
  input  logic [NumCtas-1:0][15:0]      ext_strb_i,
  input  logic [NumCtas-1:0][127:0]     ext_wdata_i,
  output logic [NumCtas-1:0]            ext_rvalid_o, // the cycle after a read was taken
  output logic [NumCtas-1:0][127:0]     ext_rdata_o,

  // AXI4 manager ports, one per global port.
  output logic [NumPorts-1:0]                m_axi_arvalid_o,
  input  logic [NumPorts-1:0]                m_axi_arready_i,
  output logic [NumPorts-1:0][63:0]          m_axi_araddr_o,
  output logic [NumPorts-1:0][IdWidth-1:0]   m_axi_arid_o,
  output logic [NumPorts-1:0][7:0]           m_axi_arlen_o,
  output logic [NumPorts-1:0][2:0]           m_axi_arsize_o,
  output logic [NumPorts-1:0][1:0]           m_axi_arburst_o,
  output logic [NumPorts-1:0][3:0]           m_axi_arcache_o,
  output logic [NumPorts-1:0][2:0]           m_axi_arprot_o,
  output logic [NumPorts-1:0][3:0]           m_axi_arqos_o,
  output logic [NumPorts-1:0][15:0]          m_axi_aruser_o,
  input  logic [NumPorts-1:0]                m_axi_rvalid_i,
  output logic [NumPorts-1:0]                m_axi_rready_o,
  input  logic [NumPorts-1:0][IdWidth-1:0]   m_axi_rid_i,
  input  logic [NumPorts-1:0][DataWidth-1:0] m_axi_rdata_i,
  input  logic [NumPorts-1:0][1:0]           m_axi_rresp_i,
  input  logic [NumPorts-1:0]                m_axi_rlast_i,
  output logic [NumPorts-1:0]                m_axi_awvalid_o,
  input  logic [NumPorts-1:0]                m_axi_awready_i,
  output logic [NumPorts-1:0][63:0]          m_axi_awaddr_o,
  output logic [NumPorts-1:0][IdWidth-1:0]   m_axi_awid_o,
  output logic [NumPorts-1:0][7:0]           m_axi_awlen_o,
  output logic [NumPorts-1:0][2:0]           m_axi_awsize_o,
  output logic [NumPorts-1:0][1:0]           m_axi_awburst_o,
  output logic [NumPorts-1:0][3:0]           m_axi_awcache_o,
  output logic [NumPorts-1:0][2:0]           m_axi_awprot_o,
  output logic [NumPorts-1:0][3:0]           m_axi_awqos_o,
  output logic [NumPorts-1:0][15:0]          m_axi_awuser_o,
  output logic [NumPorts-1:0]                m_axi_wvalid_o,
  input  logic [NumPorts-1:0]                m_axi_wready_i,
  output logic [NumPorts-1:0][DataWidth-1:0] m_axi_wdata_o,
  output logic [NumPorts-1:0][DataBytes-1:0] m_axi_wstrb_o,
  output logic [NumPorts-1:0]                m_axi_wlast_o,
  input  logic [NumPorts-1:0]                m_axi_bvalid_i,
  output logic [NumPorts-1:0]                m_axi_bready_o,
  input  logic [NumPorts-1:0][IdWidth-1:0]   m_axi_bid_i,
  input  logic [NumPorts-1:0][1:0]           m_axi_bresp_i,

  output logic                          irq_o,   // level: a record is in a completion ring
  output logic                          idle_o   // nothing in flight and no command held
);

  tma_cfg_check u_cfg ();

  ////////////////////
  // Set-up, status //
  ////////////////////

  queue_cfg_t [NumQueues-1:0]   cfg, live_cfg;  // as set up; with enable as it is now
  ring_cfg_t [NumQueues-1:0]    ring_cfg;
  windows_t [NumQueues-1:0]     windows;
  multimem_t [NumMultimem-1:0]  multimem;
  logic [3:0]                   axcache;
  logic [31:0]                  watchdog;
  logic                         granule16;
  ports_t                       dead;
  logic [NumQueues-1:0]         active, closing, busy, waiting, full, drained;
  logic [NumQueues-1:0][31:0]   head, tail, producer, consumer;
  held_records_t [NumQueues-1:0] held_records;
  queue_t                       status_queue;
  queue_status_t                status;
  logic                         door_valid;
  queue_t                       door_queue;
  logic [31:0]                  door_tail, resume_index;
  logic [NumQueues-1:0]         resume, reset, cancel;
  logic                         rec_done;
  queue_t                       rec_done_queue;
  logic [CsrCounterCount-1:0]   events;

  tma_csr u_csr (
    .clk_i, .rst_ni,
    .axil_awvalid_i(s_axil_awvalid_i), .axil_awready_o(s_axil_awready_o),
    .axil_awaddr_i(s_axil_awaddr_i),
    .axil_wvalid_i(s_axil_wvalid_i), .axil_wready_o(s_axil_wready_o),
    .axil_wdata_i(s_axil_wdata_i), .axil_wstrb_i(s_axil_wstrb_i),
    .axil_bvalid_o(s_axil_bvalid_o), .axil_bready_i(s_axil_bready_i),
    .axil_bresp_o(s_axil_bresp_o),
    .axil_arvalid_i(s_axil_arvalid_i), .axil_arready_o(s_axil_arready_o),
    .axil_araddr_i(s_axil_araddr_i),
    .axil_rvalid_o(s_axil_rvalid_o), .axil_rready_i(s_axil_rready_i),
    .axil_rdata_o(s_axil_rdata_o), .axil_rresp_o(s_axil_rresp_o),
    .cfg_o(cfg), .ring_cfg_o(ring_cfg), .windows_o(windows), .multimem_o(multimem),
    .axcache_o(axcache), .watchdog_o(watchdog), .granule16_o(granule16),
    .idle_i(idle_o), .dead_i(dead), .active_i(active), .closing_i(closing), .busy_i(busy),
    .waiting_i(waiting), .full_i(full), .drained_i(drained),
    .head_i(head), .tail_i(tail), .producer_i(producer), .held_records_i(held_records),
    .status_queue_o(status_queue), .status_i(status),
    .door_valid_o(door_valid), .door_queue_o(door_queue), .door_tail_o(door_tail),
    .resume_o(resume), .resume_index_o(resume_index), .reset_o(reset), .cancel_o(cancel),
    .consumer_o(consumer), .rec_done_i(rec_done), .rec_done_queue_i(rec_done_queue), .irq_o,
    .events_i(events)
  );

  ///////////////
  // Front end //
  ///////////////

  logic [NumCtas-1:0]        bar_valid, bar_ready, bar_update;
  bar_req_t                  bar_req;
  logic                      bar_commit, bar_again;
  bar_rsp_t [NumCtas-1:0]    bar_rsp;
  logic                      load_valid, load_ready, store_valid, store_ready;
  logic                      shared_valid, shared_ready;
  load_cmd_t                 load;
  store_cmd_t                store;
  shared_cmd_t               shared;
  logic                      prefetch_valid, prefetch_ready;
  prefetch_cmd_t             prefetch;
  logic [PathLevelWidth-1:0] prefetch_level, shared_level;
  logic [1:0][PathLevelWidth-1:0] load_level;
  logic [NumLanes-1:0][PathLevelWidth-1:0] store_level;
  logic                      fetch_valid, fetch_ready, fetch_denied, ring_r_valid, ring_r_ready;
  fetch_t                    fetch;
  read_beat_t                ring_r;
  logic                      rec_valid, rec_ready, rec_data_pop;
  record_cmd_t               rec;
  logic [255:0]              rec_data;
  logic [1:0]                add;         // to what is in flight: bursts, rows with fill
  queue_t [1:0]              add_queue;
  queue_t                    load_done_queue;
  logic [NumLanes-1:0]       read_done;
  queue_t [NumLanes-1:0]     read_done_queue;
  logic [NumChannels-1:0]    load_done;
  logic [NumDones-1:0]       done;        // as in tma_queue_ctl
  queue_t [NumDones-1:0]     done_queue;
  logic [2:0]                fault_valid, fault_ready;  // load, store, signal
  fault_t [2:0]              fault;
  logic                      fence_valid;  // of a tensor map
  queue_t                    fence_queue;
  logic [63:6]               fence_addr;
  logic                      front_idle, paths_idle;
  logic [NumQueues-1:0]      hint_waits;

  tma_front u_front (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_queue_i, .cmd_i, .queue_ready_o,
    .rsp_valid_o, .rsp_ready_i, .rsp_o,
    .cfg_i(cfg), .ring_cfg_i(ring_cfg), .consumer_i(consumer),
    .door_valid_i(door_valid), .door_queue_i(door_queue), .door_tail_i(door_tail),
    .resume_i(resume), .resume_index_i(resume_index), .reset_i(reset), .cancel_i(cancel),
    .cfg_o(live_cfg), .active_o(active), .closing_o(closing), .busy_o(busy),
    .waiting_o(waiting), .full_o(full), .drained_o(drained), .head_o(head), .tail_o(tail),
    .producer_o(producer), .held_records_o(held_records),
    .status_queue_i(status_queue), .status_o(status),
    .bar_valid_o(bar_valid), .bar_ready_i(bar_ready), .bar_req_o(bar_req),
    .bar_again_o(bar_again), .bar_commit_o(bar_commit), .bar_rsp_i(bar_rsp), .bar_update_i(bar_update),
    .load_valid_o(load_valid), .load_ready_i(load_ready), .load_o(load), .load_level_i(load_level),
    .prefetch_valid_o(prefetch_valid), .prefetch_ready_i(prefetch_ready), .prefetch_o(prefetch),
    .prefetch_level_i(prefetch_level),
    .store_valid_o(store_valid), .store_ready_i(store_ready), .store_o(store),
    .store_level_i(store_level),
    .shared_valid_o(shared_valid), .shared_ready_i(shared_ready), .shared_o(shared),
    .shared_level_i(shared_level),
    .fence_valid_o(fence_valid), .fence_queue_o(fence_queue), .fence_addr_o(fence_addr),
    .fetch_valid_o(fetch_valid), .fetch_ready_i(fetch_ready), .fetch_o(fetch),
    .fetch_denied_i(fetch_denied), .ring_r_valid_i(ring_r_valid), .ring_r_ready_o(ring_r_ready),
    .ring_r_i(ring_r),
    .rec_valid_o(rec_valid), .rec_ready_i(rec_ready), .rec_o(rec), .rec_data_o(rec_data),
    .rec_data_pop_i(rec_data_pop), .rec_done_i(rec_done), .rec_done_queue_i(rec_done_queue),
    .add_i(add), .add_queue_i(add_queue),
    .done_i(done), .done_queue_i(done_queue), .hint_waits_i(hint_waits),
    .read_done_i(read_done), .read_done_queue_i(read_done_queue),
    .load_done_i(load_done), .load_done_queue_i(load_done_queue),
    .fault_valid_i(fault_valid), .fault_ready_o(fault_ready), .fault_i(fault),
    .idle_o(front_idle), .retire_event_o(events[CounterCommands]),
    .stall_event_o(events[CounterIssueStalls]), .fault_event_o(events[CounterFaults]),
    .record_event_o(events[CounterRecords])
  );

  ////////////////
  // Copy paths //
  ////////////////

  ar_t ar;

  tma_paths u_paths (
    .clk_i, .rst_ni,
    .cfg_i(live_cfg), .windows_i(windows), .multimem_i(multimem), .axcache_i(axcache),
    .watchdog_i(watchdog), .granule16_i(granule16), .restart_i(resume), .dead_o(dead),
    .load_valid_i(load_valid), .load_ready_o(load_ready), .load_i(load), .load_level_o(load_level),
    .prefetch_valid_i(prefetch_valid), .prefetch_ready_o(prefetch_ready), .prefetch_i(prefetch),
    .prefetch_level_o(prefetch_level),
    .store_valid_i(store_valid), .store_ready_o(store_ready), .store_i(store),
    .store_level_o(store_level),
    .shared_valid_i(shared_valid), .shared_ready_o(shared_ready), .shared_i(shared),
    .shared_level_o(shared_level),
    .fence_valid_i(fence_valid), .fence_queue_i(fence_queue), .fence_addr_i(fence_addr),
    .fetch_valid_i(fetch_valid), .fetch_ready_o(fetch_ready), .fetch_i(fetch),
    .fetch_denied_o(fetch_denied), .ring_r_valid_o(ring_r_valid), .ring_r_ready_i(ring_r_ready),
    .ring_r_o(ring_r),
    .rec_valid_i(rec_valid), .rec_ready_o(rec_ready), .rec_i(rec), .rec_data_i(rec_data),
    .rec_data_pop_o(rec_data_pop), .rec_done_o(rec_done), .rec_done_queue_o(rec_done_queue),
    .add_o(add), .add_queue_o(add_queue),
    .done_o(done), .done_queue_o(done_queue),
    .read_done_o(read_done), .read_done_queue_o(read_done_queue),
    .load_done_o(load_done), .load_done_queue_o(load_done_queue),
    .fault_valid_o(fault_valid), .fault_ready_i(fault_ready), .fault_o(fault),
    .bar_valid_i(bar_valid), .bar_ready_o(bar_ready), .bar_req_i(bar_req),
    .bar_again_i(bar_again), .bar_commit_i(bar_commit), .bar_rsp_o(bar_rsp), .bar_update_o(bar_update),
    .ext_valid_i, .ext_ready_o, .ext_write_i, .ext_addr_i, .ext_strb_i, .ext_wdata_i,
    .ext_rvalid_o, .ext_rdata_o,
    .ar_valid_o(m_axi_arvalid_o[0]), .ar_ready_i(m_axi_arready_i[0]), .ar_o(ar),
    .r_valid_i(m_axi_rvalid_i[0]), .r_ready_o(m_axi_rready_o[0]), .r_id_i(m_axi_rid_i[0]),
    .r_data_i(m_axi_rdata_i[0]), .r_resp_i(m_axi_rresp_i[0]), .r_last_i(m_axi_rlast_i[0]),
    .aw_valid_o(m_axi_awvalid_o), .aw_ready_i(m_axi_awready_i), .aw_addr_o(m_axi_awaddr_o),
    .aw_len_o(m_axi_awlen_o), .aw_cache_o(m_axi_awcache_o), .aw_prot_o(m_axi_awprot_o),
    .aw_qos_o(m_axi_awqos_o), .aw_user_o(m_axi_awuser_o),
    .w_valid_o(m_axi_wvalid_o), .w_ready_i(m_axi_wready_i), .w_data_o(m_axi_wdata_o),
    .w_strb_o(m_axi_wstrb_o), .w_last_o(m_axi_wlast_o),
    .b_valid_i(m_axi_bvalid_i), .b_ready_o(m_axi_bready_o), .b_resp_i(m_axi_bresp_i),
    .aw_event_o(events[CounterWriteBursts]), .w_event_o(events[CounterWriteBeats]),
    .w_stall_o(events[CounterWriteStalls]), .line_event_o(events[CounterSharedLines]),
    .signal_event_o(events[CounterSignals]), .prefetch_error_o(events[CounterPrefetchErrors]),
    .idle_o(paths_idle)
  );

  /////////////////////////
  // Ports, idle, events //
  /////////////////////////

  assign m_axi_araddr_o[0]  = ar.addr;
  assign m_axi_arid_o[0]    = ar.id;
  assign m_axi_arlen_o[0]   = ar.len;
  assign m_axi_arcache_o[0] = ar.cache;
  assign m_axi_arprot_o[0]  = ar.prot;
  assign m_axi_arqos_o[0]   = ar.qos;
  assign m_axi_aruser_o[0]  = ar.user;

  // Nobody counts the bursts of prefetches. None stays behind on the pins when its queue has closed: the
  // windows may be others then. A dead port keeps what it has for ever.
  for (genvar q = 0; q < NumQueues; q++) begin : g_hint
    assign hint_waits[q] = m_axi_arvalid_o[0] && !dead[0] && ar.qid == queue_t'(q) &&
                           (ar.id[IdWidth-1 -: 3] == ClientPrefetch || ar.id[IdWidth-1 -: 3] == ClientMap);
  end

  // Nothing is read from the other ports.
  for (genvar p = 1; p < NumPorts; p++) begin : g_unread
    assign m_axi_arvalid_o[p] = 1'b0;
    assign m_axi_araddr_o[p]  = '0;
    assign m_axi_arid_o[p]    = '0;
    assign m_axi_arlen_o[p]   = '0;
    assign m_axi_arcache_o[p] = '0;
    assign m_axi_arprot_o[p]  = '0;
    assign m_axi_arqos_o[p]   = '0;
    assign m_axi_aruser_o[p]  = '0;
    assign m_axi_rready_o[p]  = 1'b0;
  end

  localparam logic [2:0] AxiSize = 3'(LineShift);  // full width
  localparam logic [1:0] AxiIncr = 2'b01;

  // All writes of a port are in order.
  assign m_axi_arsize_o  = {NumPorts{AxiSize}};
  assign m_axi_arburst_o = {NumPorts{AxiIncr}};
  assign m_axi_awsize_o  = {NumPorts{AxiSize}};
  assign m_axi_awburst_o = {NumPorts{AxiIncr}};
  assign m_axi_awid_o    = '0;

  assign idle_o = paths_idle && front_idle;

  assign events[CounterCycles]     = !idle_o;
  assign events[CounterReadBursts] = m_axi_arvalid_o[0] && m_axi_arready_i[0];
  assign events[CounterReadBeats]  = m_axi_rvalid_i[0] && m_axi_rready_o[0];
  assign events[CounterReadStalls] = m_axi_arvalid_o[0] && !m_axi_arready_i[0] && !dead[0];

endmodule
