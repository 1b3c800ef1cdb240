// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/pkg/tma_cfg_default_pkg.sv by make gen. Do not edit.
//
// The engine of configuration `default` as a kernel: flat ports under the names that Vitis expects.
// In front of the registers is the shell, which has shared memory as well: see tma_shell. Commands come
// from rings: the direct port is tied off.
//
// Latency and throughput: the engine's. Reset: synchronous, active low; control state alone.

`include "tma_assert.svh"

// One module name, a file per configuration: a build takes exactly one of them.
/* verilator lint_off DECLFILENAME */
module tma_kernel
  import tma_pkg::*;
  import tma_axil_pkg::*;
(
  input  logic          ap_clk,
  input  logic          ap_rst_n,

  input  logic          s_axi_control_AWVALID,
  output logic          s_axi_control_AWREADY,
  input  logic [15:0]   s_axi_control_AWADDR,
  input  logic          s_axi_control_WVALID,
  output logic          s_axi_control_WREADY,
  input  logic [31:0]   s_axi_control_WDATA,
  input  logic [3:0]    s_axi_control_WSTRB,
  output logic          s_axi_control_BVALID,
  input  logic          s_axi_control_BREADY,
  output logic [1:0]    s_axi_control_BRESP,
  input  logic          s_axi_control_ARVALID,
  output logic          s_axi_control_ARREADY,
  input  logic [15:0]   s_axi_control_ARADDR,
  output logic          s_axi_control_RVALID,
  input  logic          s_axi_control_RREADY,
  output logic [31:0]   s_axi_control_RDATA,
  output logic [1:0]    s_axi_control_RRESP,

  output logic          m_axi_gmem0_AWVALID,
  input  logic          m_axi_gmem0_AWREADY,
  output logic [4:0]    m_axi_gmem0_AWID,
  output logic [63:0]   m_axi_gmem0_AWADDR,
  output logic [7:0]    m_axi_gmem0_AWLEN,
  output logic [2:0]    m_axi_gmem0_AWSIZE,
  output logic [1:0]    m_axi_gmem0_AWBURST,
  output logic          m_axi_gmem0_AWLOCK,
  output logic [3:0]    m_axi_gmem0_AWCACHE,
  output logic [2:0]    m_axi_gmem0_AWPROT,
  output logic [3:0]    m_axi_gmem0_AWQOS,
  output logic [3:0]    m_axi_gmem0_AWREGION,
  output logic [15:0]   m_axi_gmem0_AWUSER,
  output logic          m_axi_gmem0_WVALID,
  input  logic          m_axi_gmem0_WREADY,
  output logic [511:0]  m_axi_gmem0_WDATA,
  output logic [63:0]   m_axi_gmem0_WSTRB,
  output logic          m_axi_gmem0_WLAST,
  input  logic          m_axi_gmem0_BVALID,
  output logic          m_axi_gmem0_BREADY,
  input  logic [4:0]    m_axi_gmem0_BID,
  input  logic [1:0]    m_axi_gmem0_BRESP,
  output logic          m_axi_gmem0_ARVALID,
  input  logic          m_axi_gmem0_ARREADY,
  output logic [4:0]    m_axi_gmem0_ARID,
  output logic [63:0]   m_axi_gmem0_ARADDR,
  output logic [7:0]    m_axi_gmem0_ARLEN,
  output logic [2:0]    m_axi_gmem0_ARSIZE,
  output logic [1:0]    m_axi_gmem0_ARBURST,
  output logic          m_axi_gmem0_ARLOCK,
  output logic [3:0]    m_axi_gmem0_ARCACHE,
  output logic [2:0]    m_axi_gmem0_ARPROT,
  output logic [3:0]    m_axi_gmem0_ARQOS,
  output logic [3:0]    m_axi_gmem0_ARREGION,
  output logic [15:0]   m_axi_gmem0_ARUSER,
  input  logic          m_axi_gmem0_RVALID,
  output logic          m_axi_gmem0_RREADY,
  input  logic [4:0]    m_axi_gmem0_RID,
  input  logic [511:0]  m_axi_gmem0_RDATA,
  input  logic [1:0]    m_axi_gmem0_RRESP,
  input  logic          m_axi_gmem0_RLAST,

  output logic          m_axi_gmem1_AWVALID,
  input  logic          m_axi_gmem1_AWREADY,
  output logic [4:0]    m_axi_gmem1_AWID,
  output logic [63:0]   m_axi_gmem1_AWADDR,
  output logic [7:0]    m_axi_gmem1_AWLEN,
  output logic [2:0]    m_axi_gmem1_AWSIZE,
  output logic [1:0]    m_axi_gmem1_AWBURST,
  output logic          m_axi_gmem1_AWLOCK,
  output logic [3:0]    m_axi_gmem1_AWCACHE,
  output logic [2:0]    m_axi_gmem1_AWPROT,
  output logic [3:0]    m_axi_gmem1_AWQOS,
  output logic [3:0]    m_axi_gmem1_AWREGION,
  output logic [15:0]   m_axi_gmem1_AWUSER,
  output logic          m_axi_gmem1_WVALID,
  input  logic          m_axi_gmem1_WREADY,
  output logic [511:0]  m_axi_gmem1_WDATA,
  output logic [63:0]   m_axi_gmem1_WSTRB,
  output logic          m_axi_gmem1_WLAST,
  input  logic          m_axi_gmem1_BVALID,
  output logic          m_axi_gmem1_BREADY,
  input  logic [4:0]    m_axi_gmem1_BID,
  input  logic [1:0]    m_axi_gmem1_BRESP,
  output logic          m_axi_gmem1_ARVALID,
  input  logic          m_axi_gmem1_ARREADY,
  output logic [4:0]    m_axi_gmem1_ARID,
  output logic [63:0]   m_axi_gmem1_ARADDR,
  output logic [7:0]    m_axi_gmem1_ARLEN,
  output logic [2:0]    m_axi_gmem1_ARSIZE,
  output logic [1:0]    m_axi_gmem1_ARBURST,
  output logic          m_axi_gmem1_ARLOCK,
  output logic [3:0]    m_axi_gmem1_ARCACHE,
  output logic [2:0]    m_axi_gmem1_ARPROT,
  output logic [3:0]    m_axi_gmem1_ARQOS,
  output logic [3:0]    m_axi_gmem1_ARREGION,
  output logic [15:0]   m_axi_gmem1_ARUSER,
  input  logic          m_axi_gmem1_RVALID,
  output logic          m_axi_gmem1_RREADY,
  input  logic [4:0]    m_axi_gmem1_RID,
  input  logic [511:0]  m_axi_gmem1_RDATA,
  input  logic [1:0]    m_axi_gmem1_RRESP,
  input  logic          m_axi_gmem1_RLAST,

  // The name is Vitis', and GCC's attribute of that name is no trouble here.
  /* verilator lint_off SYMRSVDWORD */
  output logic          interrupt
  /* verilator lint_on SYMRSVDWORD */
);

  axil_req_t                 host_req, engine_req;
  axil_rsp_t                 host_rsp, engine_rsp;
  logic                      irq, idle;
  logic [NumCtas-1:0]        ext_valid, ext_ready, ext_write, ext_rvalid;
  logic [NumCtas-1:0][31:0]  ext_addr;
  logic [NumCtas-1:0][15:0]  ext_strb;
  logic [NumCtas-1:0][127:0] ext_wdata, ext_rdata;

  assign host_req = '{
    awvalid: s_axi_control_AWVALID,
    awaddr: {1'b0, s_axi_control_AWADDR},
    wvalid: s_axi_control_WVALID,
    wdata: s_axi_control_WDATA,
    wstrb: s_axi_control_WSTRB,
    bready: s_axi_control_BREADY,
    arvalid: s_axi_control_ARVALID,
    araddr: {1'b0, s_axi_control_ARADDR},
    rready: s_axi_control_RREADY
  };
  assign s_axi_control_AWREADY = host_rsp.awready;
  assign s_axi_control_WREADY = host_rsp.wready;
  assign s_axi_control_BVALID = host_rsp.bvalid;
  assign s_axi_control_BRESP = host_rsp.bresp;
  assign s_axi_control_ARREADY = host_rsp.arready;
  assign s_axi_control_RVALID = host_rsp.rvalid;
  assign s_axi_control_RDATA = host_rsp.rdata;
  assign s_axi_control_RRESP = host_rsp.rresp;

  tma_shell u_shell (
    .clk_i(ap_clk), .rst_ni(ap_rst_n),
    .host_i(host_req), .host_o(host_rsp), .engine_o(engine_req), .engine_i(engine_rsp),
    .idle_i(idle), .irq_i(irq), .interrupt_o(interrupt),
    .ext_valid_o(ext_valid), .ext_ready_i(ext_ready), .ext_write_o(ext_write), .ext_addr_o(ext_addr),
    .ext_strb_o(ext_strb), .ext_wdata_o(ext_wdata), .ext_rvalid_i(ext_rvalid), .ext_rdata_i(ext_rdata)
  );

  // What nobody is there to look at.
  logic                 cmd_ready, rsp_valid;
  logic [NumQueues-1:0] queue_ready;
  logic [255:0]         rsp;

  tma_engine u_engine (
    .clk_i(ap_clk), .rst_ni(ap_rst_n),
    .cmd_valid_i(1'b0), .cmd_ready_o(cmd_ready), .cmd_queue_i('0), .cmd_i('0),
    .queue_ready_o(queue_ready),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(1'b1), .rsp_o(rsp),
    .ext_valid_i(ext_valid), .ext_ready_o(ext_ready), .ext_write_i(ext_write), .ext_addr_i(ext_addr),
    .ext_strb_i(ext_strb), .ext_wdata_i(ext_wdata), .ext_rvalid_o(ext_rvalid), .ext_rdata_o(ext_rdata),
    .s_axil_awvalid_i(engine_req.awvalid),
    .s_axil_awready_o(engine_rsp.awready),
    .s_axil_awaddr_i(engine_req.awaddr),
    .s_axil_wvalid_i(engine_req.wvalid),
    .s_axil_wready_o(engine_rsp.wready),
    .s_axil_wdata_i(engine_req.wdata),
    .s_axil_wstrb_i(engine_req.wstrb),
    .s_axil_bvalid_o(engine_rsp.bvalid),
    .s_axil_bready_i(engine_req.bready),
    .s_axil_bresp_o(engine_rsp.bresp),
    .s_axil_arvalid_i(engine_req.arvalid),
    .s_axil_arready_o(engine_rsp.arready),
    .s_axil_araddr_i(engine_req.araddr),
    .s_axil_rvalid_o(engine_rsp.rvalid),
    .s_axil_rready_i(engine_req.rready),
    .s_axil_rdata_o(engine_rsp.rdata),
    .s_axil_rresp_o(engine_rsp.rresp),
    .m_axi_awvalid_o({m_axi_gmem1_AWVALID, m_axi_gmem0_AWVALID}),
    .m_axi_awready_i({m_axi_gmem1_AWREADY, m_axi_gmem0_AWREADY}),
    .m_axi_awid_o({m_axi_gmem1_AWID, m_axi_gmem0_AWID}),
    .m_axi_awaddr_o({m_axi_gmem1_AWADDR, m_axi_gmem0_AWADDR}),
    .m_axi_awlen_o({m_axi_gmem1_AWLEN, m_axi_gmem0_AWLEN}),
    .m_axi_awsize_o({m_axi_gmem1_AWSIZE, m_axi_gmem0_AWSIZE}),
    .m_axi_awburst_o({m_axi_gmem1_AWBURST, m_axi_gmem0_AWBURST}),
    .m_axi_awcache_o({m_axi_gmem1_AWCACHE, m_axi_gmem0_AWCACHE}),
    .m_axi_awprot_o({m_axi_gmem1_AWPROT, m_axi_gmem0_AWPROT}),
    .m_axi_awqos_o({m_axi_gmem1_AWQOS, m_axi_gmem0_AWQOS}),
    .m_axi_awuser_o({m_axi_gmem1_AWUSER, m_axi_gmem0_AWUSER}),
    .m_axi_wvalid_o({m_axi_gmem1_WVALID, m_axi_gmem0_WVALID}),
    .m_axi_wready_i({m_axi_gmem1_WREADY, m_axi_gmem0_WREADY}),
    .m_axi_wdata_o({m_axi_gmem1_WDATA, m_axi_gmem0_WDATA}),
    .m_axi_wstrb_o({m_axi_gmem1_WSTRB, m_axi_gmem0_WSTRB}),
    .m_axi_wlast_o({m_axi_gmem1_WLAST, m_axi_gmem0_WLAST}),
    .m_axi_bvalid_i({m_axi_gmem1_BVALID, m_axi_gmem0_BVALID}),
    .m_axi_bready_o({m_axi_gmem1_BREADY, m_axi_gmem0_BREADY}),
    .m_axi_bid_i({m_axi_gmem1_BID, m_axi_gmem0_BID}),
    .m_axi_bresp_i({m_axi_gmem1_BRESP, m_axi_gmem0_BRESP}),
    .m_axi_arvalid_o({m_axi_gmem1_ARVALID, m_axi_gmem0_ARVALID}),
    .m_axi_arready_i({m_axi_gmem1_ARREADY, m_axi_gmem0_ARREADY}),
    .m_axi_arid_o({m_axi_gmem1_ARID, m_axi_gmem0_ARID}),
    .m_axi_araddr_o({m_axi_gmem1_ARADDR, m_axi_gmem0_ARADDR}),
    .m_axi_arlen_o({m_axi_gmem1_ARLEN, m_axi_gmem0_ARLEN}),
    .m_axi_arsize_o({m_axi_gmem1_ARSIZE, m_axi_gmem0_ARSIZE}),
    .m_axi_arburst_o({m_axi_gmem1_ARBURST, m_axi_gmem0_ARBURST}),
    .m_axi_arcache_o({m_axi_gmem1_ARCACHE, m_axi_gmem0_ARCACHE}),
    .m_axi_arprot_o({m_axi_gmem1_ARPROT, m_axi_gmem0_ARPROT}),
    .m_axi_arqos_o({m_axi_gmem1_ARQOS, m_axi_gmem0_ARQOS}),
    .m_axi_aruser_o({m_axi_gmem1_ARUSER, m_axi_gmem0_ARUSER}),
    .m_axi_rvalid_i({m_axi_gmem1_RVALID, m_axi_gmem0_RVALID}),
    .m_axi_rready_o({m_axi_gmem1_RREADY, m_axi_gmem0_RREADY}),
    .m_axi_rid_i({m_axi_gmem1_RID, m_axi_gmem0_RID}),
    .m_axi_rdata_i({m_axi_gmem1_RDATA, m_axi_gmem0_RDATA}),
    .m_axi_rresp_i({m_axi_gmem1_RRESP, m_axi_gmem0_RRESP}),
    .m_axi_rlast_i({m_axi_gmem1_RLAST, m_axi_gmem0_RLAST}),
    .irq_o(irq), .idle_o(idle)
  );

  assign m_axi_gmem0_AWLOCK = '0;
  assign m_axi_gmem0_AWREGION = '0;
  assign m_axi_gmem0_ARLOCK = '0;
  assign m_axi_gmem0_ARREGION = '0;
  assign m_axi_gmem1_AWLOCK = '0;
  assign m_axi_gmem1_AWREGION = '0;
  assign m_axi_gmem1_ARLOCK = '0;
  assign m_axi_gmem1_ARREGION = '0;

  logic unused_bits;
  assign unused_bits = ^{cmd_ready, queue_ready, rsp_valid, rsp};

  `TMA_ASSERT_INIT(PortsAreTheConfiguration, DataWidth == 512 &&
      NumPorts == 2 && IdWidth == 5)
  `TMA_ASSERT_INIT(PagesAreInReach, 4096 * (NumQueues + 1) <= 2**16)

endmodule
