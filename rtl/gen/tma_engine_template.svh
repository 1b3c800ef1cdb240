// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/tma_engine.sv by make gen. Do not edit.
//
// An instance of the engine, in any configuration, and a signal for each of its pins: paste it into the module that has it,
// and drive the inputs.

// Clock and reset.
logic                                                      tma_clk;  // to the engine
logic                                                      tma_rst_n;  // to the engine

// Direct command port: one command per cycle.
logic                                                      tma_cmd_valid;  // to the engine
logic                                                      tma_cmd_ready;  // of the engine
logic [tma_pkg::QueueWidth-1:0]                            tma_cmd_queue;  // to the engine
logic [511:0]                                              tma_cmd;  // to the engine
logic [tma_pkg::NumQueues-1:0]                             tma_queue_ready;  // of the engine

// Responses: completion records.
logic                                                      tma_rsp_valid;  // of the engine
logic                                                      tma_rsp_ready;  // to the engine
logic [255:0]                                              tma_rsp;  // of the engine

// AXI4-Lite subordinate: registers.
logic                                                      tma_s_axil_awvalid;  // to the engine
logic                                                      tma_s_axil_awready;  // of the engine
logic [16:0]                                               tma_s_axil_awaddr;  // to the engine
logic                                                      tma_s_axil_wvalid;  // to the engine
logic                                                      tma_s_axil_wready;  // of the engine
logic [31:0]                                               tma_s_axil_wdata;  // to the engine
logic [3:0]                                                tma_s_axil_wstrb;  // to the engine
logic                                                      tma_s_axil_bvalid;  // of the engine
logic                                                      tma_s_axil_bready;  // to the engine
logic [1:0]                                                tma_s_axil_bresp;  // of the engine
logic                                                      tma_s_axil_arvalid;  // to the engine
logic                                                      tma_s_axil_arready;  // of the engine
logic [16:0]                                               tma_s_axil_araddr;  // to the engine
logic                                                      tma_s_axil_rvalid;  // of the engine
logic                                                      tma_s_axil_rready;  // to the engine
logic [31:0]                                               tma_s_axil_rdata;  // of the engine
logic [1:0]                                                tma_s_axil_rresp;  // of the engine

// External port of each CTA's shared memory.
logic [tma_pkg::NumCtas-1:0]                               tma_ext_valid;  // to the engine
logic [tma_pkg::NumCtas-1:0]                               tma_ext_ready;  // of the engine
logic [tma_pkg::NumCtas-1:0]                               tma_ext_write;  // to the engine
logic [tma_pkg::NumCtas-1:0][31:0]                         tma_ext_addr;  // to the engine
logic [tma_pkg::NumCtas-1:0][15:0]                         tma_ext_strb;  // to the engine
logic [tma_pkg::NumCtas-1:0][127:0]                        tma_ext_wdata;  // to the engine
logic [tma_pkg::NumCtas-1:0]                               tma_ext_rvalid;  // of the engine
logic [tma_pkg::NumCtas-1:0][127:0]                        tma_ext_rdata;  // of the engine

// AXI4 manager ports, one per global port.
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_arvalid;  // of the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_arready;  // to the engine
logic [tma_pkg::NumPorts-1:0][63:0]                        tma_m_axi_araddr;  // of the engine
logic [tma_pkg::NumPorts-1:0][tma_pkg::IdWidth-1:0]        tma_m_axi_arid;  // of the engine
logic [tma_pkg::NumPorts-1:0][7:0]                         tma_m_axi_arlen;  // of the engine
logic [tma_pkg::NumPorts-1:0][2:0]                         tma_m_axi_arsize;  // of the engine
logic [tma_pkg::NumPorts-1:0][1:0]                         tma_m_axi_arburst;  // of the engine
logic [tma_pkg::NumPorts-1:0][3:0]                         tma_m_axi_arcache;  // of the engine
logic [tma_pkg::NumPorts-1:0][2:0]                         tma_m_axi_arprot;  // of the engine
logic [tma_pkg::NumPorts-1:0][3:0]                         tma_m_axi_arqos;  // of the engine
logic [tma_pkg::NumPorts-1:0][15:0]                        tma_m_axi_aruser;  // of the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_rvalid;  // to the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_rready;  // of the engine
logic [tma_pkg::NumPorts-1:0][tma_pkg::IdWidth-1:0]        tma_m_axi_rid;  // to the engine
logic [tma_pkg::NumPorts-1:0][tma_pkg::DataWidth-1:0]      tma_m_axi_rdata;  // to the engine
logic [tma_pkg::NumPorts-1:0][1:0]                         tma_m_axi_rresp;  // to the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_rlast;  // to the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_awvalid;  // of the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_awready;  // to the engine
logic [tma_pkg::NumPorts-1:0][63:0]                        tma_m_axi_awaddr;  // of the engine
logic [tma_pkg::NumPorts-1:0][tma_pkg::IdWidth-1:0]        tma_m_axi_awid;  // of the engine
logic [tma_pkg::NumPorts-1:0][7:0]                         tma_m_axi_awlen;  // of the engine
logic [tma_pkg::NumPorts-1:0][2:0]                         tma_m_axi_awsize;  // of the engine
logic [tma_pkg::NumPorts-1:0][1:0]                         tma_m_axi_awburst;  // of the engine
logic [tma_pkg::NumPorts-1:0][3:0]                         tma_m_axi_awcache;  // of the engine
logic [tma_pkg::NumPorts-1:0][2:0]                         tma_m_axi_awprot;  // of the engine
logic [tma_pkg::NumPorts-1:0][3:0]                         tma_m_axi_awqos;  // of the engine
logic [tma_pkg::NumPorts-1:0][15:0]                        tma_m_axi_awuser;  // of the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_wvalid;  // of the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_wready;  // to the engine
logic [tma_pkg::NumPorts-1:0][tma_pkg::DataWidth-1:0]      tma_m_axi_wdata;  // of the engine
logic [tma_pkg::NumPorts-1:0][tma_pkg::DataBytes-1:0]      tma_m_axi_wstrb;  // of the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_wlast;  // of the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_bvalid;  // to the engine
logic [tma_pkg::NumPorts-1:0]                              tma_m_axi_bready;  // of the engine
logic [tma_pkg::NumPorts-1:0][tma_pkg::IdWidth-1:0]        tma_m_axi_bid;  // to the engine
logic [tma_pkg::NumPorts-1:0][1:0]                         tma_m_axi_bresp;  // to the engine

// The rest.
logic                                                      tma_irq;  // of the engine
logic                                                      tma_idle;  // of the engine

tma_engine u_tma (
  .clk_i               (tma_clk),
  .rst_ni              (tma_rst_n),
  .cmd_valid_i         (tma_cmd_valid),
  .cmd_ready_o         (tma_cmd_ready),
  .cmd_queue_i         (tma_cmd_queue),
  .cmd_i               (tma_cmd),
  .queue_ready_o       (tma_queue_ready),
  .rsp_valid_o         (tma_rsp_valid),
  .rsp_ready_i         (tma_rsp_ready),
  .rsp_o               (tma_rsp),
  .s_axil_awvalid_i    (tma_s_axil_awvalid),
  .s_axil_awready_o    (tma_s_axil_awready),
  .s_axil_awaddr_i     (tma_s_axil_awaddr),
  .s_axil_wvalid_i     (tma_s_axil_wvalid),
  .s_axil_wready_o     (tma_s_axil_wready),
  .s_axil_wdata_i      (tma_s_axil_wdata),
  .s_axil_wstrb_i      (tma_s_axil_wstrb),
  .s_axil_bvalid_o     (tma_s_axil_bvalid),
  .s_axil_bready_i     (tma_s_axil_bready),
  .s_axil_bresp_o      (tma_s_axil_bresp),
  .s_axil_arvalid_i    (tma_s_axil_arvalid),
  .s_axil_arready_o    (tma_s_axil_arready),
  .s_axil_araddr_i     (tma_s_axil_araddr),
  .s_axil_rvalid_o     (tma_s_axil_rvalid),
  .s_axil_rready_i     (tma_s_axil_rready),
  .s_axil_rdata_o      (tma_s_axil_rdata),
  .s_axil_rresp_o      (tma_s_axil_rresp),
  .ext_valid_i         (tma_ext_valid),
  .ext_ready_o         (tma_ext_ready),
  .ext_write_i         (tma_ext_write),
  .ext_addr_i          (tma_ext_addr),
  .ext_strb_i          (tma_ext_strb),
  .ext_wdata_i         (tma_ext_wdata),
  .ext_rvalid_o        (tma_ext_rvalid),
  .ext_rdata_o         (tma_ext_rdata),
  .m_axi_arvalid_o     (tma_m_axi_arvalid),
  .m_axi_arready_i     (tma_m_axi_arready),
  .m_axi_araddr_o      (tma_m_axi_araddr),
  .m_axi_arid_o        (tma_m_axi_arid),
  .m_axi_arlen_o       (tma_m_axi_arlen),
  .m_axi_arsize_o      (tma_m_axi_arsize),
  .m_axi_arburst_o     (tma_m_axi_arburst),
  .m_axi_arcache_o     (tma_m_axi_arcache),
  .m_axi_arprot_o      (tma_m_axi_arprot),
  .m_axi_arqos_o       (tma_m_axi_arqos),
  .m_axi_aruser_o      (tma_m_axi_aruser),
  .m_axi_rvalid_i      (tma_m_axi_rvalid),
  .m_axi_rready_o      (tma_m_axi_rready),
  .m_axi_rid_i         (tma_m_axi_rid),
  .m_axi_rdata_i       (tma_m_axi_rdata),
  .m_axi_rresp_i       (tma_m_axi_rresp),
  .m_axi_rlast_i       (tma_m_axi_rlast),
  .m_axi_awvalid_o     (tma_m_axi_awvalid),
  .m_axi_awready_i     (tma_m_axi_awready),
  .m_axi_awaddr_o      (tma_m_axi_awaddr),
  .m_axi_awid_o        (tma_m_axi_awid),
  .m_axi_awlen_o       (tma_m_axi_awlen),
  .m_axi_awsize_o      (tma_m_axi_awsize),
  .m_axi_awburst_o     (tma_m_axi_awburst),
  .m_axi_awcache_o     (tma_m_axi_awcache),
  .m_axi_awprot_o      (tma_m_axi_awprot),
  .m_axi_awqos_o       (tma_m_axi_awqos),
  .m_axi_awuser_o      (tma_m_axi_awuser),
  .m_axi_wvalid_o      (tma_m_axi_wvalid),
  .m_axi_wready_i      (tma_m_axi_wready),
  .m_axi_wdata_o       (tma_m_axi_wdata),
  .m_axi_wstrb_o       (tma_m_axi_wstrb),
  .m_axi_wlast_o       (tma_m_axi_wlast),
  .m_axi_bvalid_i      (tma_m_axi_bvalid),
  .m_axi_bready_o      (tma_m_axi_bready),
  .m_axi_bid_i         (tma_m_axi_bid),
  .m_axi_bresp_i       (tma_m_axi_bresp),
  .irq_o               (tma_irq),
  .idle_o              (tma_idle)
);
