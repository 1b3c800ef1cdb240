// SPDX-License-Identifier: Apache-2.0
// The engine beside a compute unit. Structure only.
//
//   job --> tma_example_unit --- commands ---> tma_engine ---> AXI4
//                  ^   |  <----- records ----      |  ^
//                  |   +-------- tile of CTA 0 ----+  +------- AXI4-Lite, from a host
//                  +--> done
//
// The host opens windows for queue 0 and enables it on the direct port; from then on the unit works alone.

module tma_example_soc
  import tma_pkg::*;
  import tma_example_pkg::*;
(
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Jobs of the compute unit, one at a time.
  input  logic                          job_valid_i,
  output logic                          job_ready_o,
  input  job_t                          job_i,
  output logic                          done_o,       // for a cycle: the job has ended
  output logic                          failed_o,     // with done_o: by a fault of its queue

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

  logic                      cmd_valid, cmd_ready, rsp_valid, rsp_ready;
  logic [QueueWidth-1:0]     cmd_queue;
  logic [511:0]              cmd;
  logic [255:0]              rsp;
  logic [NumQueues-1:0]      unused_queue_ready;  // one queue, one sender: cmd_ready is enough
  tile_req_t                 tile;
  tile_rsp_t                 tile_back;
  logic [NumCtas-1:0]        ext_valid, ext_ready, ext_write, ext_rvalid;
  logic [NumCtas-1:0][31:0]  ext_addr;
  logic [NumCtas-1:0][15:0]  ext_strb;
  logic [NumCtas-1:0][127:0] ext_wdata, ext_rdata;

  tma_example_unit u_unit (
    .clk_i, .rst_ni,
    .job_valid_i, .job_ready_o, .job_i, .done_o, .failed_o,
    .cmd_valid_o(cmd_valid), .cmd_ready_i(cmd_ready), .cmd_queue_o(cmd_queue), .cmd_o(cmd),
    .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready), .rsp_i(rsp),
    .tile_o(tile), .tile_i(tile_back)
  );

  // The unit has the external port of CTA 0; nobody has those of the others.
  assign ext_valid = NumCtas'(tile.valid);
  assign ext_write = NumCtas'(tile.write);
  assign ext_addr  = (NumCtas*32)'(tile.addr);
  assign ext_strb  = {NumCtas{16'hFFFF}};
  assign ext_wdata = (NumCtas*128)'(tile.wdata);
  assign tile_back = '{ready: ext_ready[0], rvalid: ext_rvalid[0], rdata: ext_rdata[0]};

  if (NumCtas > 1) begin : g_others
    logic unused_others;
    assign unused_others = ^{ext_ready[NumCtas-1:1], ext_rvalid[NumCtas-1:1], ext_rdata[NumCtas-1:1]};
  end

  tma_engine u_engine (
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_queue_i(cmd_queue), .cmd_i(cmd),
    .queue_ready_o(unused_queue_ready), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_o(rsp),
    .ext_valid_i(ext_valid), .ext_ready_o(ext_ready), .ext_write_i(ext_write), .ext_addr_i(ext_addr),
    .ext_strb_i(ext_strb), .ext_wdata_i(ext_wdata), .ext_rvalid_o(ext_rvalid), .ext_rdata_o(ext_rdata),
    .clk_i, .rst_ni, .s_axil_awvalid_i, .s_axil_awready_o, .s_axil_awaddr_i, .s_axil_wvalid_i, .s_axil_wready_o,
    .s_axil_wdata_i, .s_axil_wstrb_i, .s_axil_bvalid_o, .s_axil_bready_i, .s_axil_bresp_o, .s_axil_arvalid_i,
    .s_axil_arready_o, .s_axil_araddr_i, .s_axil_rvalid_o, .s_axil_rready_i, .s_axil_rdata_o, .s_axil_rresp_o,
    .m_axi_arvalid_o, .m_axi_arready_i, .m_axi_araddr_o, .m_axi_arid_o, .m_axi_arlen_o, .m_axi_arsize_o,
    .m_axi_arburst_o, .m_axi_arcache_o, .m_axi_arprot_o, .m_axi_arqos_o, .m_axi_aruser_o, .m_axi_rvalid_i,
    .m_axi_rready_o, .m_axi_rid_i, .m_axi_rdata_i, .m_axi_rresp_i, .m_axi_rlast_i, .m_axi_awvalid_o, .m_axi_awready_i,
    .m_axi_awaddr_o, .m_axi_awid_o, .m_axi_awlen_o, .m_axi_awsize_o, .m_axi_awburst_o, .m_axi_awcache_o,
    .m_axi_awprot_o, .m_axi_awqos_o, .m_axi_awuser_o, .m_axi_wvalid_o, .m_axi_wready_i, .m_axi_wdata_o,
    .m_axi_wstrb_o, .m_axi_wlast_o, .m_axi_bvalid_i, .m_axi_bready_o, .m_axi_bid_i, .m_axi_bresp_i, .irq_o, .idle_o
  );

endmodule
