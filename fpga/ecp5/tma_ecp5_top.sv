// SPDX-License-Identifier: Apache-2.0
// The engine with five pins: what drives its inputs is shifted in, what it answers comes out as one bit,
// its parity.
//
// For measurements of area and speed only. Every input comes from a register of its own and every
// output goes to one, so that nothing of the engine is optimised away and every path has a clock at
// both ends. Costs one register per port bit, and a LUT and a register per three output bits.
//
//   serial_i --> in_q, shifts while shift_i --> tma_engine --> out_q --> parity, in steps --> parity_o
//
// Reset: synchronous, active low; the engine's alone.

module tma_ecp5_top
  import tma_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic shift_i,
  input  logic serial_i,
  output logic parity_o
);

  typedef struct packed {
    logic                               cmd_valid;
    logic [QueueWidth-1:0]              cmd_queue;
    logic [511:0]                       cmd;
    logic                               rsp_ready;
    logic                               axil_awvalid;
    logic [16:0]                        axil_awaddr;
    logic                               axil_wvalid;
    logic [31:0]                        axil_wdata;
    logic [3:0]                         axil_wstrb;
    logic                               axil_bready;
    logic                               axil_arvalid;
    logic [16:0]                        axil_araddr;
    logic                               axil_rready;
    logic [NumCtas-1:0]                 ext_valid;
    logic [NumCtas-1:0]                 ext_write;
    logic [NumCtas-1:0][31:0]           ext_addr;
    logic [NumCtas-1:0][15:0]           ext_strb;
    logic [NumCtas-1:0][127:0]          ext_wdata;
    logic [NumPorts-1:0]                arready;
    logic [NumPorts-1:0]                rvalid;
    logic [NumPorts-1:0][IdWidth-1:0]   rid;
    logic [NumPorts-1:0][DataWidth-1:0] rdata;
    logic [NumPorts-1:0][1:0]           rresp;
    logic [NumPorts-1:0]                rlast;
    logic [NumPorts-1:0]                awready;
    logic [NumPorts-1:0]                wready;
    logic [NumPorts-1:0]                bvalid;
    logic [NumPorts-1:0][IdWidth-1:0]   bid;
    logic [NumPorts-1:0][1:0]           bresp;
  } in_t;

  typedef struct packed {
    logic                               cmd_ready;
    logic [NumQueues-1:0]               queue_ready;
    logic                               rsp_valid;
    logic [255:0]                       rsp;
    logic                               axil_awready;
    logic                               axil_wready;
    logic                               axil_bvalid;
    logic [1:0]                         axil_bresp;
    logic                               axil_arready;
    logic                               axil_rvalid;
    logic [31:0]                        axil_rdata;
    logic [1:0]                         axil_rresp;
    logic [NumCtas-1:0]                 ext_ready;
    logic [NumCtas-1:0]                 ext_rvalid;
    logic [NumCtas-1:0][127:0]          ext_rdata;
    logic [NumPorts-1:0]                arvalid;
    logic [NumPorts-1:0][63:0]          araddr;
    logic [NumPorts-1:0][IdWidth-1:0]   arid;
    logic [NumPorts-1:0][7:0]           arlen;
    logic [NumPorts-1:0][2:0]           arsize;
    logic [NumPorts-1:0][1:0]           arburst;
    logic [NumPorts-1:0][3:0]           arcache;
    logic [NumPorts-1:0][2:0]           arprot;
    logic [NumPorts-1:0][3:0]           arqos;
    logic [NumPorts-1:0][15:0]          aruser;
    logic [NumPorts-1:0]                rready;
    logic [NumPorts-1:0]                awvalid;
    logic [NumPorts-1:0][63:0]          awaddr;
    logic [NumPorts-1:0][IdWidth-1:0]   awid;
    logic [NumPorts-1:0][7:0]           awlen;
    logic [NumPorts-1:0][2:0]           awsize;
    logic [NumPorts-1:0][1:0]           awburst;
    logic [NumPorts-1:0][3:0]           awcache;
    logic [NumPorts-1:0][2:0]           awprot;
    logic [NumPorts-1:0][3:0]           awqos;
    logic [NumPorts-1:0][15:0]          awuser;
    logic [NumPorts-1:0]                wvalid;
    logic [NumPorts-1:0][DataWidth-1:0] wdata;
    logic [NumPorts-1:0][DataBytes-1:0] wstrb;
    logic [NumPorts-1:0]                wlast;
    logic [NumPorts-1:0]                bready;
    logic                               irq;
    logic                               idle;
  } out_t;

  logic rst_nq;
  in_t  in_q;
  out_t out, out_q;

  always_ff @(posedge clk_i) begin
    rst_nq <= rst_ni;
    if (shift_i) in_q <= {in_q[$bits(in_t)-2:0], serial_i};
    out_q <= out;
  end

  // Four bits to one in every step.
  localparam int unsigned Sixteenth = ($bits(out_t) + 15) / 16;

  logic [16*Sixteenth-1:0] out_bits;
  logic [4*Sixteenth-1:0]  fours_q;
  logic [Sixteenth-1:0]    sixteens_q;

  assign out_bits = (16*Sixteenth)'(out_q);

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4 * Sixteenth; i++) fours_q[i]    <= ^out_bits[4*i +: 4];
    for (int unsigned i = 0; i < Sixteenth; i++)     sixteens_q[i] <= ^fours_q[4*i +: 4];
    parity_o <= ^sixteens_q;
  end

  tma_engine u_engine (
    .clk_i, .rst_ni(rst_nq),
    .cmd_valid_i(in_q.cmd_valid), .cmd_ready_o(out.cmd_ready), .cmd_queue_i(in_q.cmd_queue),
    .cmd_i(in_q.cmd), .queue_ready_o(out.queue_ready),
    .rsp_valid_o(out.rsp_valid), .rsp_ready_i(in_q.rsp_ready), .rsp_o(out.rsp),

    .s_axil_awvalid_i(in_q.axil_awvalid), .s_axil_awready_o(out.axil_awready),
    .s_axil_awaddr_i(in_q.axil_awaddr),
    .s_axil_wvalid_i(in_q.axil_wvalid), .s_axil_wready_o(out.axil_wready),
    .s_axil_wdata_i(in_q.axil_wdata), .s_axil_wstrb_i(in_q.axil_wstrb),
    .s_axil_bvalid_o(out.axil_bvalid), .s_axil_bready_i(in_q.axil_bready),
    .s_axil_bresp_o(out.axil_bresp),
    .s_axil_arvalid_i(in_q.axil_arvalid), .s_axil_arready_o(out.axil_arready),
    .s_axil_araddr_i(in_q.axil_araddr),
    .s_axil_rvalid_o(out.axil_rvalid), .s_axil_rready_i(in_q.axil_rready),
    .s_axil_rdata_o(out.axil_rdata), .s_axil_rresp_o(out.axil_rresp),

    .ext_valid_i(in_q.ext_valid), .ext_ready_o(out.ext_ready), .ext_write_i(in_q.ext_write),
    .ext_addr_i(in_q.ext_addr), .ext_strb_i(in_q.ext_strb), .ext_wdata_i(in_q.ext_wdata),
    .ext_rvalid_o(out.ext_rvalid), .ext_rdata_o(out.ext_rdata),

    .m_axi_arvalid_o(out.arvalid), .m_axi_arready_i(in_q.arready), .m_axi_araddr_o(out.araddr),
    .m_axi_arid_o(out.arid), .m_axi_arlen_o(out.arlen), .m_axi_arsize_o(out.arsize),
    .m_axi_arburst_o(out.arburst), .m_axi_arcache_o(out.arcache), .m_axi_arprot_o(out.arprot),
    .m_axi_arqos_o(out.arqos), .m_axi_aruser_o(out.aruser),
    .m_axi_rvalid_i(in_q.rvalid), .m_axi_rready_o(out.rready), .m_axi_rid_i(in_q.rid),
    .m_axi_rdata_i(in_q.rdata), .m_axi_rresp_i(in_q.rresp), .m_axi_rlast_i(in_q.rlast),
    .m_axi_awvalid_o(out.awvalid), .m_axi_awready_i(in_q.awready), .m_axi_awaddr_o(out.awaddr),
    .m_axi_awid_o(out.awid), .m_axi_awlen_o(out.awlen), .m_axi_awsize_o(out.awsize),
    .m_axi_awburst_o(out.awburst), .m_axi_awcache_o(out.awcache), .m_axi_awprot_o(out.awprot),
    .m_axi_awqos_o(out.awqos), .m_axi_awuser_o(out.awuser),
    .m_axi_wvalid_o(out.wvalid), .m_axi_wready_i(in_q.wready), .m_axi_wdata_o(out.wdata),
    .m_axi_wstrb_o(out.wstrb), .m_axi_wlast_o(out.wlast),
    .m_axi_bvalid_i(in_q.bvalid), .m_axi_bready_o(out.bready), .m_axi_bid_i(in_q.bid),
    .m_axi_bresp_i(in_q.bresp),

    .irq_o(out.irq), .idle_o(out.idle)
  );

endmodule
