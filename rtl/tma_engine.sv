// SPDX-License-Identifier: Apache-2.0
// The engine: PTX asynchronous copies for one cluster of CTAs. Structure only.
//
//   direct port --> tma_front --+--> tma_load <------ AXI reads
//        tma_csr       ^        +--> tma_store -----> AXI writes
//                      |        +--> tma_shared_copy
//                      |                 |  shared memory, mbarriers
//                 tma_cluster <----------+--> tma_signal: copies that are done
//
// Global port 0 carries all traffic of this build; the others are for multimem objects and idle.
// Reset: synchronous, active low; control state alone. Every queue is disabled out of reset.

module tma_engine
  import tma_pkg::*;
  import tma_front_pkg::*;
  import tma_load_pkg::*;
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
  input  logic [15:0]                   s_axil_awaddr_i,
  input  logic                          s_axil_wvalid_i,
  output logic                          s_axil_wready_o,
  input  logic [31:0]                   s_axil_wdata_i,
  input  logic [3:0]                    s_axil_wstrb_i,
  output logic                          s_axil_bvalid_o,
  input  logic                          s_axil_bready_i,
  output logic [1:0]                    s_axil_bresp_o,
  input  logic                          s_axil_arvalid_i,
  output logic                          s_axil_arready_o,
  input  logic [15:0]                   s_axil_araddr_i,
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

  output logic                          irq_o,   // level; always 0 until completion rings are built
  output logic                          idle_o   // nothing in flight and no command held
);

  /////////////////////
  // Set-up, status  //
  /////////////////////

  queue_cfg_t [NumQueues-1:0]   cfg;
  windows_t [NumQueues-1:0]     windows;
  logic [3:0]                   axcache;
  logic [NumQueues-1:0]         waiting, held;
  logic [NumQueues-1:0][31:0]   head;
  queue_t                       status_queue;
  queue_status_t                status;
  logic [CsrCounterCount-1:0]   events;
  logic                         paths_idle;

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
    .cfg_o(cfg), .windows_o(windows), .axcache_o(axcache),
    .idle_i(idle_o), .queue_busy_i(held | {NumQueues{!paths_idle}}), .queue_waiting_i(waiting),
    .head_i(head), .status_queue_o(status_queue), .status_i(status), .events_i(events)
  );

  ///////////////
  // Front end //
  ///////////////

  logic [NumCtas-1:0]     bar_a_valid, bar_a_ready, bar_update;
  bar_req_t               bar_a_req;
  logic                   bar_a_commit;
  bar_rsp_t [NumCtas-1:0] bar_a_rsp;
  logic                   load_valid, load_ready, store_valid, store_ready;
  logic                   shared_valid, shared_ready;
  load_cmd_t              load;
  store_cmd_t             store;
  shared_cmd_t            shared;
  logic [PathLevelWidth-1:0] load_level, store_level, shared_level;
  logic                   read_done, write_done;
  queue_t                 read_done_queue, write_done_queue;
  logic [2:0]             fault_valid, fault_ready;  // load, store, signal
  fault_t [2:0]           fault;
  logic                   front_idle;

  tma_front u_front (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_queue_i, .cmd_i, .queue_ready_o,
    .rsp_valid_o, .rsp_ready_i, .rsp_o,
    .cfg_i(cfg), .held_o(held), .waiting_o(waiting), .head_o(head), 
    .status_queue_i(status_queue), .status_o(status),
    .bar_valid_o(bar_a_valid), .bar_ready_i(bar_a_ready), .bar_req_o(bar_a_req),
    .bar_commit_o(bar_a_commit), .bar_rsp_i(bar_a_rsp), .bar_update_i(bar_update),
    .load_valid_o(load_valid), .load_ready_i(load_ready), .load_o(load), .load_level_i(load_level),
    .store_valid_o(store_valid), .store_ready_i(store_ready), .store_o(store),
    .store_level_i(store_level),
    .shared_valid_o(shared_valid), .shared_ready_i(shared_ready), .shared_o(shared),
    .shared_level_i(shared_level),
    .read_done_i(read_done), .read_done_queue_i(read_done_queue),
    .write_done_i(write_done), .write_done_queue_i(write_done_queue),
    .fault_valid_i(fault_valid), .fault_ready_o(fault_ready), .fault_i(fault),
    .idle_o(front_idle), .retire_event_o(events[CounterCommands]),
    .stall_event_o(events[CounterIssueStalls]), .fault_event_o(events[CounterFaults]),
    .record_event_o(events[CounterRecords])
  );

  ////////////////
  // Copy paths //
  ////////////////

  logic        load_wr_valid, load_wr_ready, copy_wr_valid, copy_wr_ready;
  smem_write_t load_wr, copy_wr;
  logic [1:0]        rd_valid, rd_ready;
  cta_t [1:0]        rd_cta;
  chunk_addr_t [1:0] rd_addr;
  line_t [1:0]       rd_data;
  logic        load_sig_valid, load_sig_ready, copy_sig_valid, copy_sig_ready;
  signal_t     load_sig, copy_sig;
  logic        copy_valid, copy_ready;
  shared_cmd_t copy_cmd;
  logic        load_idle, store_idle, copy_idle, signal_idle;
  logic        prefetch_error, line_event, signal_event;
  ar_t         ar;

  tma_load #(.CmdDepth(PathDepth)) u_load (
    .clk_i, .rst_ni, .windows_i(windows), .cfg_i(cfg), .axcache_i(axcache),
    .cmd_valid_i(load_valid), .cmd_ready_o(load_ready), .cmd_i(load), .cmd_level_o(load_level),
    .ar_valid_o(m_axi_arvalid_o[0]), .ar_ready_i(m_axi_arready_i[0]), .ar_o(ar),
    .r_valid_i(m_axi_rvalid_i[0]), .r_ready_o(m_axi_rready_o[0]), .r_id_i(m_axi_rid_i[0]),
    .r_data_i(m_axi_rdata_i[0]), .r_resp_i(m_axi_rresp_i[0]), .r_last_i(m_axi_rlast_i[0]),
    .wr_valid_o(load_wr_valid), .wr_ready_i(load_wr_ready), .wr_o(load_wr),
    .sig_valid_o(load_sig_valid), .sig_ready_i(load_sig_ready), .sig_o(load_sig),
    .fault_valid_o(fault_valid[0]), .fault_ready_i(fault_ready[0]), .fault_o(fault[0]),
    .prefetch_error_o(prefetch_error), .idle_o(load_idle)
  );

  assign m_axi_araddr_o[0]  = ar.addr;
  assign m_axi_arid_o[0]    = ar.id;
  assign m_axi_arlen_o[0]   = ar.len;
  assign m_axi_arsize_o[0]  = AxiSize;
  assign m_axi_arburst_o[0] = AxiIncr;
  assign m_axi_arcache_o[0] = ar.cache;
  assign m_axi_arprot_o[0]  = ar.prot;
  assign m_axi_arqos_o[0]   = ar.qos;
  assign m_axi_aruser_o[0]  = ar.user;

  tma_store #(.CmdDepth(PathDepth)) u_store (
    .clk_i, .rst_ni, .windows_i(windows), .cfg_i(cfg), .axcache_i(axcache),
    .cmd_valid_i(store_valid), .cmd_ready_o(store_ready), .cmd_i(store), .cmd_level_o(store_level),
    .rd_valid_o(rd_valid[0]), .rd_ready_i(rd_ready[0]), .rd_cta_o(rd_cta[0]),
    .rd_addr_o(rd_addr[0]), .rd_data_i(rd_data[0]),
    .aw_valid_o(m_axi_awvalid_o[0]), .aw_ready_i(m_axi_awready_i[0]),
    .aw_addr_o(m_axi_awaddr_o[0]), .aw_len_o(m_axi_awlen_o[0]), .aw_cache_o(m_axi_awcache_o[0]),
    .aw_prot_o(m_axi_awprot_o[0]), .aw_qos_o(m_axi_awqos_o[0]), .aw_user_o(m_axi_awuser_o[0]),
    .w_valid_o(m_axi_wvalid_o[0]), .w_ready_i(m_axi_wready_i[0]), .w_data_o(m_axi_wdata_o[0]),
    .w_strb_o(m_axi_wstrb_o[0]), .w_last_o(m_axi_wlast_o[0]),
    .b_valid_i(m_axi_bvalid_i[0]), .b_ready_o(m_axi_bready_o[0]), .b_resp_i(m_axi_bresp_i[0]),
    .read_done_o(read_done), .read_done_queue_o(read_done_queue),
    .write_done_o(write_done), .write_done_queue_o(write_done_queue),
    .fault_valid_o(fault_valid[1]), .fault_ready_i(fault_ready[1]), .fault_o(fault[1]),
    .aw_event_o(events[CounterWriteBursts]), .w_event_o(events[CounterWriteBeats]),
    .w_stall_o(events[CounterWriteStalls]), .idle_o(store_idle)
  );

  assign m_axi_awid_o[0]    = '0;  // all writes in order
  assign m_axi_awsize_o[0]  = AxiSize;
  assign m_axi_awburst_o[0] = AxiIncr;

  tma_fifo #(.Width($bits(shared_cmd_t)), .Depth(PathDepth), .FlowThrough(1'b1)) u_copy_cmd (
    .clk_i, .rst_ni,
    .in_valid_i(shared_valid), .in_ready_o(shared_ready), .in_i(shared),
    .out_valid_o(copy_valid), .out_ready_i(copy_ready), .out_o(copy_cmd), .level_o(shared_level)
  );

  tma_shared_copy u_copy (
    .clk_i, .rst_ni,
    .cmd_valid_i(copy_valid), .cmd_ready_o(copy_ready), .cmd_i(copy_cmd),
    .rd_valid_o(rd_valid[1]), .rd_ready_i(rd_ready[1]), .rd_cta_o(rd_cta[1]),
    .rd_addr_o(rd_addr[1]), .rd_data_i(rd_data[1]),
    .wr_valid_o(copy_wr_valid), .wr_ready_i(copy_wr_ready), .wr_o(copy_wr),
    .sig_valid_o(copy_sig_valid), .sig_ready_i(copy_sig_ready), .sig_o(copy_sig),
    .line_event_o(line_event), .idle_o(copy_idle)
  );

  logic [NumCtas-1:0]       bar_b_valid, bar_b_ready;
  bar_addr_t                bar_b_addr;
  logic [SizeWidth-1:0]     bar_b_tx;
  logic [NumCtas-1:0][15:0] bar_b_fault;

  tma_signal u_signal (
    .clk_i, .rst_ni,
    .load_sig_valid_i(load_sig_valid), .load_sig_ready_o(load_sig_ready), .load_sig_i(load_sig),
    .shared_sig_valid_i(copy_sig_valid), .shared_sig_ready_o(copy_sig_ready),
    .shared_sig_i(copy_sig),
    .bar_b_valid_o(bar_b_valid), .bar_b_ready_i(bar_b_ready), .bar_b_addr_o(bar_b_addr),
    .bar_b_tx_o(bar_b_tx), .bar_b_fault_i(bar_b_fault),
    .fault_valid_o(fault_valid[2]), .fault_ready_i(fault_ready[2]), .fault_o(fault[2]),
    .signal_event_o(signal_event), .idle_o(signal_idle)
  );

  ///////////////////
  // Shared memory //
  ///////////////////

  tma_cluster u_cluster (
    .clk_i, .rst_ni,
    .load_valid_i(load_wr_valid), .load_ready_o(load_wr_ready), .load_i(load_wr),
    .copy_valid_i(copy_wr_valid), .copy_ready_o(copy_wr_ready), .copy_i(copy_wr),
    .rd_valid_i(rd_valid), .rd_ready_o(rd_ready), .rd_cta_i(rd_cta), .rd_addr_i(rd_addr),
    .rd_data_o(rd_data),
    .ext_valid_i, .ext_ready_o, .ext_write_i, .ext_addr_i, .ext_strb_i, .ext_wdata_i,
    .ext_rvalid_o, .ext_rdata_o,
    .bar_a_valid_i(bar_a_valid), .bar_a_ready_o(bar_a_ready), .bar_a_req_i(bar_a_req),
    .bar_a_commit_i(bar_a_commit), .bar_a_rsp_o(bar_a_rsp),
    .bar_b_valid_i(bar_b_valid), .bar_b_ready_o(bar_b_ready), .bar_b_addr_i(bar_b_addr),
    .bar_b_tx_i(bar_b_tx), .bar_b_fault_o(bar_b_fault), .bar_update_o(bar_update)
  );

  //////////////////////////////
  // Idle ports, idle, events //
  //////////////////////////////

  for (genvar p = 1; p < NumPorts; p++) begin : g_unused_port
    assign m_axi_arvalid_o[p] = 1'b0;
    assign m_axi_araddr_o[p]  = '0;
    assign m_axi_arid_o[p]    = '0;
    assign m_axi_arlen_o[p]   = '0;
    assign m_axi_arsize_o[p]  = AxiSize;
    assign m_axi_arburst_o[p] = AxiIncr;
    assign m_axi_arcache_o[p] = '0;
    assign m_axi_arprot_o[p]  = '0;
    assign m_axi_arqos_o[p]   = '0;
    assign m_axi_aruser_o[p]  = '0;
    assign m_axi_rready_o[p]  = 1'b0;
    assign m_axi_awvalid_o[p] = 1'b0;
    assign m_axi_awaddr_o[p]  = '0;
    assign m_axi_awid_o[p]    = '0;
    assign m_axi_awlen_o[p]   = '0;
    assign m_axi_awsize_o[p]  = AxiSize;
    assign m_axi_awburst_o[p] = AxiIncr;
    assign m_axi_awcache_o[p] = '0;
    assign m_axi_awprot_o[p]  = '0;
    assign m_axi_awqos_o[p]   = '0;
    assign m_axi_awuser_o[p]  = '0;
    assign m_axi_wvalid_o[p]  = 1'b0;
    assign m_axi_wdata_o[p]   = '0;
    assign m_axi_wstrb_o[p]   = '0;
    assign m_axi_wlast_o[p]   = 1'b0;
    assign m_axi_bready_o[p]  = 1'b0;
  end

  assign paths_idle = load_idle && store_idle && copy_idle && signal_idle && !copy_valid;
  assign idle_o     = paths_idle && front_idle;
  assign irq_o      = 1'b0;

  assign events[CounterCycles]         = !idle_o;
  assign events[CounterReadBursts]     = m_axi_arvalid_o[0] && m_axi_arready_i[0];
  assign events[CounterReadBeats]      = m_axi_rvalid_i[0] && m_axi_rready_o[0];
  assign events[CounterSharedLines]    = line_event;
  assign events[CounterSignals]        = signal_event;
  assign events[CounterReadStalls]     = m_axi_arvalid_o[0] && !m_axi_arready_i[0];
  assign events[CounterPrefetchErrors] = prefetch_error;

endmodule
