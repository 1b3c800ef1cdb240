// SPDX-License-Identifier: Apache-2.0
// The engine: PTX asynchronous copies for one cluster of CTAs. Structure only.
//
//   direct port --> tma_front --- copies, fetches, records --> tma_paths --> AXI
//        tma_csr       ^  \------ barrier operations ------->      |
//                      +----------- done, faults -----------------+
//
// Global port 0 carries all traffic but multimem stores and reductions, which go to the ports of their window.
// Reset: synchronous, active low; control state alone. Every queue is disabled out of reset.

`include "tma_assert.svh"

module tma_engine
  import tma_pkg::*;
  import tma_front_pkg::*;
  import tma_csr_pkg::*;
  import tma_status_pkg::*;
  import tma_path_pkg::*;
  import tma_axi_pkg::*;
  import tma_axil_pkg::*;
(
  input  logic                          clk_i,   // the one clock
  input  logic                          rst_ni,  // synchronous, active low

  // Direct command port: one command per cycle.
  input  logic                          cmd_valid_i,    // a command is offered
  output logic                          cmd_ready_o,    // and taken; depends on cmd_queue_i alone
  input  logic [QueueWidth-1:0]         cmd_queue_i,    // the queue that it goes to
  input  logic [511:0]                  cmd_i,          // byte 0 of the command in bits 7:0
  output logic [NumQueues-1:0]          queue_ready_o,  // bit q: a command for queue q is taken now

  // Responses: completion records.
  output logic                          rsp_valid_o,  // a record is offered
  input  logic                          rsp_ready_i,  // and taken
  output logic [255:0]                  rsp_o,        // byte 0 of the record in bits 7:0

  // AXI4-Lite subordinate: registers.
  input  logic                          s_axil_awvalid_i,
  output logic                          s_axil_awready_o,
  input  logic [16:0]                   s_axil_awaddr_i,  // byte address; page 0 is privileged, q + 1 is of queue q
  input  logic                          s_axil_wvalid_i,
  output logic                          s_axil_wready_o,
  input  logic [31:0]                   s_axil_wdata_i,
  input  logic [3:0]                    s_axil_wstrb_i,
  output logic                          s_axil_bvalid_o,
  input  logic                          s_axil_bready_i,
  output logic [1:0]                    s_axil_bresp_o,
  input  logic                          s_axil_arvalid_i,
  output logic                          s_axil_arready_o,
  input  logic [16:0]                   s_axil_araddr_i,  // the same
  output logic                          s_axil_rvalid_o,
  input  logic                          s_axil_rready_i,
  output logic [31:0]                   s_axil_rdata_o,
  output logic [1:0]                    s_axil_rresp_o,

  // External port of each CTA's shared memory.
  input  logic [NumCtas-1:0]            ext_valid_i,   // an access is offered
  output logic [NumCtas-1:0]            ext_ready_o,   // and taken
  input  logic [NumCtas-1:0]            ext_write_i,   // it writes, else it reads
  input  logic [NumCtas-1:0][31:0]      ext_addr_i,    // byte offset, multiple of 16
  input  logic [NumCtas-1:0][15:0]      ext_strb_i,    // bytes that a write changes
  input  logic [NumCtas-1:0][127:0]     ext_wdata_i,   // byte 0 in bits 7:0
  output logic [NumCtas-1:0]            ext_rvalid_o,  // the cycle after a read was taken
  output logic [NumCtas-1:0][127:0]     ext_rdata_o,   // with ext_rvalid_o

  // AXI4 manager ports, one per global port.
  output logic [NumPorts-1:0]                m_axi_arvalid_o,
  input  logic [NumPorts-1:0]                m_axi_arready_i,
  output logic [NumPorts-1:0][63:0]          m_axi_araddr_o,   // multiple of a beat
  output logic [NumPorts-1:0][IdWidth-1:0]   m_axi_arid_o,     // {client, channel}
  output logic [NumPorts-1:0][7:0]           m_axi_arlen_o,    // beats - 1
  output logic [NumPorts-1:0][2:0]           m_axi_arsize_o,   // full width
  output logic [NumPorts-1:0][1:0]           m_axi_arburst_o,  // INCR
  output logic [NumPorts-1:0][3:0]           m_axi_arcache_o,  // of the register AXCACHE
  output logic [NumPorts-1:0][2:0]           m_axi_arprot_o,   // of the queue
  output logic [NumPorts-1:0][3:0]           m_axi_arqos_o,    // from the command's cache policy
  output logic [NumPorts-1:0][15:0]          m_axi_aruser_o,   // 15:8 of the queue, 6:0 hints
  input  logic [NumPorts-1:0]                m_axi_rvalid_i,
  output logic [NumPorts-1:0]                m_axi_rready_o,
  input  logic [NumPorts-1:0][IdWidth-1:0]   m_axi_rid_i,
  input  logic [NumPorts-1:0][DataWidth-1:0] m_axi_rdata_i,
  input  logic [NumPorts-1:0][1:0]           m_axi_rresp_i,
  input  logic [NumPorts-1:0]                m_axi_rlast_i,
  output logic [NumPorts-1:0]                m_axi_awvalid_o,
  input  logic [NumPorts-1:0]                m_axi_awready_i,
  output logic [NumPorts-1:0][63:0]          m_axi_awaddr_o,   // multiple of a beat
  output logic [NumPorts-1:0][IdWidth-1:0]   m_axi_awid_o,     // the stream
  output logic [NumPorts-1:0][7:0]           m_axi_awlen_o,    // beats - 1
  output logic [NumPorts-1:0][2:0]           m_axi_awsize_o,   // full width
  output logic [NumPorts-1:0][1:0]           m_axi_awburst_o,  // INCR
  output logic [NumPorts-1:0][3:0]           m_axi_awcache_o,  // of the register AXCACHE
  output logic [NumPorts-1:0][2:0]           m_axi_awprot_o,   // of the queue
  output logic [NumPorts-1:0][3:0]           m_axi_awqos_o,    // from the command's cache policy
  output logic [NumPorts-1:0][15:0]          m_axi_awuser_o,   // 15:8 of the queue, 6:0 hints
  output logic [NumPorts-1:0]                m_axi_wvalid_o,
  input  logic [NumPorts-1:0]                m_axi_wready_i,
  output logic [NumPorts-1:0][DataWidth-1:0] m_axi_wdata_o,
  output logic [NumPorts-1:0][DataBytes-1:0] m_axi_wstrb_o,
  output logic [NumPorts-1:0]                m_axi_wlast_o,
  input  logic [NumPorts-1:0]                m_axi_bvalid_i,
  output logic [NumPorts-1:0]                m_axi_bready_o,
  input  logic [NumPorts-1:0][IdWidth-1:0]   m_axi_bid_i,
  input  logic [NumPorts-1:0][1:0]           m_axi_bresp_i,

  output logic                          irq_o,  // level: a record is in a completion ring
  output logic                          idle_o  // nothing in flight and no command held
);

  tma_cfg_check u_cfg ();

  ////////////////////
  // Set-up, status //
  ////////////////////

  queue_cfg_t [NumQueues-1:0]   cfg, live_cfg;  // as set up; with enable as it is now
  ring_cfg_t [NumQueues-1:0]    ring_cfg;
  window_write_t                window_write;
  multimem_t [NumMultimem-1:0]  multimem;
  common_cfg_t                  common;
  ports_t                       dead;
  queue_acts_t                  acts;
  queue_state_t                 state;
  logic [NumQueues-1:0][31:0]   consumer;
  queue_t                       status_queue;
  queue_status_t                status;
  record_rsp_t                  rec_back;
  front_counts_t                front_counts;
  path_counts_t                 path_counts;
  logic [CsrCounterCount-1:0]   events;

  axil_rsp_t axil;

  assign s_axil_awready_o = axil.awready;
  assign s_axil_wready_o  = axil.wready;
  assign s_axil_bvalid_o  = axil.bvalid;
  assign s_axil_bresp_o   = axil.bresp;
  assign s_axil_arready_o = axil.arready;
  assign s_axil_rvalid_o  = axil.rvalid;
  assign s_axil_rdata_o   = axil.rdata;
  assign s_axil_rresp_o   = axil.rresp;

  tma_csr u_csr (
    .clk_i, .rst_ni,
    .axil_i('{awvalid: s_axil_awvalid_i, awaddr: s_axil_awaddr_i,
              wvalid: s_axil_wvalid_i, wdata: s_axil_wdata_i, wstrb: s_axil_wstrb_i,
              bready: s_axil_bready_i,
              arvalid: s_axil_arvalid_i, araddr: s_axil_araddr_i, rready: s_axil_rready_i}),
    .axil_o(axil),
    .cfg_o(cfg), .ring_cfg_o(ring_cfg), .window_write_o(window_write), .multimem_o(multimem),
    .axcache_o(common.axcache), .watchdog_o(common.watchdog), .behaviour_o(common.behaviour),
    .idle_i(idle_o), .dead_i(dead), .active_i(state.active), .closing_i(state.closing),
    .busy_i(state.busy), .waiting_i(state.waiting), .full_i(state.full), .drained_i(state.drained),
    .head_i(state.head), .tail_i(state.tail), .producer_i(state.producer),
    .held_records_i(state.held_records),
    .status_queue_o(status_queue), .status_i(status),
    .acts_o(acts),
    .consumer_o(consumer), .rec_done_i(rec_back.done.valid), .rec_done_queue_i(rec_back.done.qid), .irq_o,
    .events_i(events)
  );

  ///////////////
  // Front end //
  ///////////////

  path_cmd_t              path, issued;
  path_levels_t           levels;
  path_events_t           path_events;
  fetch_req_t             fetch;
  fetch_rsp_t             fetch_back;
  record_req_t            rec;
  logic [NumFaulters-1:0]   fault_valid, fault_ready;
  fault_t [NumFaulters-1:0] fault;
  logic [NumCtas-1:0]     bar_valid, bar_ready, bar_update;
  bar_req_t               bar_req;
  logic                   bar_commit, bar_again;
  bar_rsp_t [NumCtas-1:0] bar_rsp;
  logic [NumQueues-1:0]   hint_waits;
  logic                   front_idle, stage_idle, paths_idle;

  tma_front u_front (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_queue_i, .cmd_i, .queue_ready_o,
    .rsp_valid_o, .rsp_ready_i, .rsp_o,
    .cfg_i(cfg), .ring_cfg_i(ring_cfg), .consumer_i(consumer), .acts_i(acts),
    .cfg_o(live_cfg), .state_o(state), .status_queue_i(status_queue), .status_o(status),
    .hint_waits_i(hint_waits),
    .bar_valid_o(bar_valid), .bar_ready_i(bar_ready), .bar_again_o(bar_again), .bar_req_o(bar_req),
    .bar_commit_o(bar_commit), .bar_rsp_i(bar_rsp), .bar_update_i(bar_update),
    .path_o(issued), .levels_i(levels), .events_i(path_events),
    .fetch_o(fetch), .fetch_i(fetch_back), .rec_o(rec), .rec_i(rec_back),
    .fault_valid_i(fault_valid), .fault_ready_o(fault_ready), .fault_i(fault),
    .idle_o(front_idle), .counts_o(front_counts)
  );

  ////////////////
  // Copy paths //
  ////////////////

  tma_path_stage u_stage (.clk_i, .rst_ni, .path_i(issued), .path_o(path), .idle_o(stage_idle));

  axi_req_t [NumPorts-1:0] axi;
  axi_rsp_t [NumPorts-1:0] axi_back;

  tma_paths u_paths (
    .clk_i, .rst_ni,
    .cfg_i(live_cfg), .window_write_i(window_write), .multimem_i(multimem), .common_i(common),
    .restart_i(acts.resume), .dead_o(dead), .hints_o(hint_waits),
    .path_i(path), .levels_o(levels), .fetch_i(fetch), .fetch_o(fetch_back),
    .rec_i(rec), .rec_o(rec_back), .events_o(path_events),
    .fault_valid_o(fault_valid), .fault_ready_i(fault_ready), .fault_o(fault),
    .bar_valid_i(bar_valid), .bar_ready_o(bar_ready), .bar_again_i(bar_again), .bar_req_i(bar_req),
    .bar_commit_i(bar_commit), .bar_rsp_o(bar_rsp), .bar_update_o(bar_update),
    .ext_valid_i, .ext_ready_o, .ext_write_i, .ext_addr_i, .ext_strb_i, .ext_wdata_i,
    .ext_rvalid_o, .ext_rdata_o,
    .axi_o(axi), .axi_i(axi_back),
    .counts_o(path_counts), .idle_o(paths_idle)
  );

  /////////////////////////
  // Ports, idle, events //
  /////////////////////////

  localparam logic [2:0] AxiSize = 3'(LineShift);  // full width
  localparam logic [1:0] AxiIncr = 2'b01;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    logic unused_queue;

    assign m_axi_arvalid_o[p] = axi[p].read.ar_valid;
    assign m_axi_araddr_o[p]  = axi[p].read.ar.addr;
    assign m_axi_arid_o[p]    = axi[p].read.ar.id;
    assign m_axi_arlen_o[p]   = axi[p].read.ar.len;
    assign m_axi_arsize_o[p]  = AxiSize;
    assign m_axi_arburst_o[p] = AxiIncr;
    assign m_axi_arcache_o[p] = axi[p].read.ar.cache;
    assign m_axi_arprot_o[p]  = axi[p].read.ar.prot;
    assign m_axi_arqos_o[p]   = axi[p].read.ar.qos;
    assign m_axi_aruser_o[p]  = axi[p].read.ar.user;
    assign m_axi_rready_o[p]  = axi[p].read.r_ready;
    assign axi_back[p].read   = '{ar_ready: m_axi_arready_i[p], r_valid: m_axi_rvalid_i[p],
                                  r_id: m_axi_rid_i[p], r_data: m_axi_rdata_i[p],
                                  r_resp: m_axi_rresp_i[p], r_last: m_axi_rlast_i[p]};
    assign unused_queue       = ^axi[p].read.ar.qid;

    assign m_axi_awvalid_o[p] = axi[p].write.aw_valid;
    assign m_axi_awaddr_o[p]  = axi[p].write.aw.addr;
    assign m_axi_awid_o[p]    = IdWidth'(axi[p].write.aw.stream);
    assign m_axi_awlen_o[p]   = axi[p].write.aw.len;
    assign m_axi_awsize_o[p]  = AxiSize;
    assign m_axi_awburst_o[p] = AxiIncr;
    assign m_axi_awcache_o[p] = axi[p].write.aw.cache;
    assign m_axi_awprot_o[p]  = axi[p].write.aw.prot;
    assign m_axi_awqos_o[p]   = axi[p].write.aw.qos;
    assign m_axi_awuser_o[p]  = axi[p].write.aw.user;
    assign m_axi_wvalid_o[p]  = axi[p].write.w_valid;
    assign m_axi_wdata_o[p]   = axi[p].write.w.data;
    assign m_axi_wstrb_o[p]   = axi[p].write.w.strb;
    assign m_axi_wlast_o[p]   = axi[p].write.w.last;
    assign m_axi_bready_o[p]  = axi[p].write.b_ready;
    assign axi_back[p].write  = '{aw_ready: m_axi_awready_i[p], w_ready: m_axi_wready_i[p],
                                  b_valid: m_axi_bvalid_i[p], b_id: m_axi_bid_i[p],
                                  b_resp: m_axi_bresp_i[p]};
  end

  assign idle_o = paths_idle && stage_idle && front_idle;

  assign events[CounterCycles]         = !idle_o;
  assign events[CounterCommands]       = front_counts.retire;
  assign events[CounterIssueStalls]    = front_counts.stall;
  assign events[CounterFaults]         = front_counts.fault;
  assign events[CounterRecords]        = front_counts.record;
  assign events[CounterReadBursts]     = axi[0].read.ar_valid && axi_back[0].read.ar_ready;
  assign events[CounterReadBeats]      = axi_back[0].read.r_valid && axi[0].read.r_ready;
  assign events[CounterReadStalls]     = axi[0].read.ar_valid && !axi_back[0].read.ar_ready && !dead[0];
  assign events[CounterWriteBursts]    = path_counts.write.aw;
  assign events[CounterWriteBeats]     = path_counts.write.w;
  assign events[CounterWriteStalls]    = path_counts.write.w_stall;
  assign events[CounterSharedLines]    = path_counts.line;
  assign events[CounterSignals]        = path_counts.signal;
  assign events[CounterPrefetchErrors] = path_counts.prefetch_error;

  ////////////////
  // Assertions //
  ////////////////

  // All loads have reported, but for those of queues that a fault has stopped: it may be theirs.
  `TMA_ASSERT(IdleHasNoReads, idle_o |-> (u_front.u_groups.read_busy & ~u_front.stopped) == '0)

endmodule
