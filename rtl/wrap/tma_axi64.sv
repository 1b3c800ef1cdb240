// SPDX-License-Identifier: Apache-2.0
// The engine on a bus of 64 bits: its pins, but for the data and strobes of the AXI4 managers. Structure only.
//
// What stands between is tma_narrow, one per global port. A port moves 8 bytes per cycle in each direction, whatever
// DataWidth is: the smallest one, 128, wastes the least on lines that are needed in part.
// Not among the sources of the engine: a build that wants it takes rtl/wrap as well, and this module as its top.

module tma_axi64
  import tma_pkg::*;
  import tma_narrow_pkg::*;
#(
  parameter int unsigned Parts = 16  // bursts of an id on the way to the bus, reads and writes apart: a power of two
) (
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

  // AXI4 manager ports of 64 bits, one per global port.
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
  input  logic [NumPorts-1:0][NarrowBits-1:0] m_axi_rdata_i,
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
  output logic [NumPorts-1:0][NarrowBits-1:0] m_axi_wdata_o,
  output logic [NumPorts-1:0][NarrowBytes-1:0] m_axi_wstrb_o,
  output logic [NumPorts-1:0]                m_axi_wlast_o,
  input  logic [NumPorts-1:0]                m_axi_bvalid_i,
  output logic [NumPorts-1:0]                m_axi_bready_o,
  input  logic [NumPorts-1:0][IdWidth-1:0]   m_axi_bid_i,
  input  logic [NumPorts-1:0][1:0]           m_axi_bresp_i,

  output logic                          irq_o,   // level: a record is in a completion ring
  output logic                          idle_o   // nothing in flight and no command held
);

  wide_req_t [NumPorts-1:0]   wide;
  wide_rsp_t [NumPorts-1:0]   wide_back;
  narrow_req_t [NumPorts-1:0] bus;
  narrow_rsp_t [NumPorts-1:0] bus_back;

  // The engine's side, as its pins are: an element per port.
  logic [NumPorts-1:0]                       arvalid, arready, rvalid, rready, rlast, awvalid, awready, wvalid,
                                             wready, wlast, bvalid, bready;
  logic [NumPorts-1:0][63:0]                 araddr, awaddr;
  logic [NumPorts-1:0][IdWidth-1:0]          arid, rid, awid, bid;
  logic [NumPorts-1:0][7:0]                  arlen, awlen;
  logic [NumPorts-1:0][2:0]                  arsize, arprot, awsize, awprot;
  logic [NumPorts-1:0][1:0]                  arburst, rresp, awburst, bresp;
  logic [NumPorts-1:0][3:0]                  arcache, arqos, awcache, awqos;
  logic [NumPorts-1:0][15:0]                 aruser, awuser;
  logic [NumPorts-1:0][DataWidth-1:0]        rdata, wdata;
  logic [NumPorts-1:0][DataBytes-1:0]        wstrb;

  tma_engine u_engine (
    .clk_i, .rst_ni, .cmd_valid_i, .cmd_ready_o, .cmd_queue_i, .cmd_i, .queue_ready_o, .rsp_valid_o, .rsp_ready_i,
    .rsp_o, .s_axil_awvalid_i, .s_axil_awready_o, .s_axil_awaddr_i, .s_axil_wvalid_i, .s_axil_wready_o,
    .s_axil_wdata_i, .s_axil_wstrb_i, .s_axil_bvalid_o, .s_axil_bready_i, .s_axil_bresp_o, .s_axil_arvalid_i,
    .s_axil_arready_o, .s_axil_araddr_i, .s_axil_rvalid_o, .s_axil_rready_i, .s_axil_rdata_o, .s_axil_rresp_o,
    .ext_valid_i, .ext_ready_o, .ext_write_i, .ext_addr_i, .ext_strb_i, .ext_wdata_i, .ext_rvalid_o, .ext_rdata_o,
    .irq_o, .idle_o, .m_axi_arvalid_o(arvalid), .m_axi_arready_i(arready), .m_axi_araddr_o(araddr),
    .m_axi_arid_o(arid), .m_axi_arlen_o(arlen), .m_axi_arsize_o(arsize), .m_axi_arburst_o(arburst),
    .m_axi_arcache_o(arcache), .m_axi_arprot_o(arprot), .m_axi_arqos_o(arqos), .m_axi_aruser_o(aruser),
    .m_axi_rvalid_i(rvalid), .m_axi_rready_o(rready), .m_axi_rid_i(rid), .m_axi_rdata_i(rdata), .m_axi_rresp_i(rresp),
    .m_axi_rlast_i(rlast), .m_axi_awvalid_o(awvalid), .m_axi_awready_i(awready), .m_axi_awaddr_o(awaddr),
    .m_axi_awid_o(awid), .m_axi_awlen_o(awlen), .m_axi_awsize_o(awsize), .m_axi_awburst_o(awburst),
    .m_axi_awcache_o(awcache), .m_axi_awprot_o(awprot), .m_axi_awqos_o(awqos), .m_axi_awuser_o(awuser),
    .m_axi_wvalid_o(wvalid), .m_axi_wready_i(wready), .m_axi_wdata_o(wdata), .m_axi_wstrb_o(wstrb),
    .m_axi_wlast_o(wlast), .m_axi_bvalid_i(bvalid), .m_axi_bready_o(bready), .m_axi_bid_i(bid), .m_axi_bresp_i(bresp)
  );

  // Full width is known, and INCR.
  logic unused_bits;
  assign unused_bits = ^{arsize, arburst, awsize, awburst};

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign wide[p] = '{
      ar_valid: arvalid[p], r_ready: rready[p], aw_valid: awvalid[p], b_ready: bready[p],
      ar: '{id: arid[p], addr: araddr[p], len: arlen[p], cache: arcache[p], prot: arprot[p], qos: arqos[p], user: aruser[p]},
      aw: '{id: awid[p], addr: awaddr[p], len: awlen[p], cache: awcache[p], prot: awprot[p], qos: awqos[p], user: awuser[p]},
      w_valid: wvalid[p], w_data: wdata[p], w_strb: wstrb[p], w_last: wlast[p]
    };
    assign arready[p]  = wide_back[p].ar_ready;
    assign rvalid[p]   = wide_back[p].r_valid;
    assign rid[p]      = wide_back[p].r_id;
    assign rdata[p]    = wide_back[p].r_data;
    assign rresp[p]    = wide_back[p].r_resp;
    assign rlast[p]    = wide_back[p].r_last;
    assign awready[p]  = wide_back[p].aw_ready;
    assign wready[p]   = wide_back[p].w_ready;
    assign bvalid[p]   = wide_back[p].b_valid;
    assign bid[p]      = wide_back[p].b_id;
    assign bresp[p]    = wide_back[p].b_resp;

    tma_narrow #(.Parts(Parts)) u_narrow (
      .clk_i, .rst_ni, .wide_i(wide[p]), .wide_o(wide_back[p]), .narrow_o(bus[p]), .narrow_i(bus_back[p])
    );

    assign m_axi_arvalid_o[p]   = bus[p].ar_valid;
    assign m_axi_araddr_o[p]    = bus[p].ar.addr;
    assign m_axi_arid_o[p]      = bus[p].ar.id;
    assign m_axi_arlen_o[p]     = bus[p].ar.len;
    assign m_axi_arsize_o[p]    = 3'd3;
    assign m_axi_arburst_o[p]   = 2'b01;
    assign m_axi_arcache_o[p]   = bus[p].ar.cache;
    assign m_axi_arprot_o[p]    = bus[p].ar.prot;
    assign m_axi_arqos_o[p]     = bus[p].ar.qos;
    assign m_axi_aruser_o[p]    = bus[p].ar.user;
    assign m_axi_rready_o[p]    = bus[p].r_ready;
    assign m_axi_awvalid_o[p]   = bus[p].aw_valid;
    assign m_axi_awaddr_o[p]    = bus[p].aw.addr;
    assign m_axi_awid_o[p]      = bus[p].aw.id;
    assign m_axi_awlen_o[p]     = bus[p].aw.len;
    assign m_axi_awsize_o[p]    = 3'd3;
    assign m_axi_awburst_o[p]   = 2'b01;
    assign m_axi_awcache_o[p]   = bus[p].aw.cache;
    assign m_axi_awprot_o[p]    = bus[p].aw.prot;
    assign m_axi_awqos_o[p]     = bus[p].aw.qos;
    assign m_axi_awuser_o[p]    = bus[p].aw.user;
    assign m_axi_wvalid_o[p]    = bus[p].w_valid;
    assign m_axi_wdata_o[p]     = bus[p].w_data;
    assign m_axi_wstrb_o[p]     = bus[p].w_strb;
    assign m_axi_wlast_o[p]     = bus[p].w_last;
    assign m_axi_bready_o[p]    = bus[p].b_ready;
    assign bus_back[p] = '{
      ar_ready: m_axi_arready_i[p], r_valid: m_axi_rvalid_i[p], r_id: m_axi_rid_i[p], r_data: m_axi_rdata_i[p],
      r_resp: m_axi_rresp_i[p], r_last: m_axi_rlast_i[p], aw_ready: m_axi_awready_i[p], w_ready: m_axi_wready_i[p],
      b_valid: m_axi_bvalid_i[p], b_id: m_axi_bid_i[p], b_resp: m_axi_bresp_i[p]
    };
  end

endmodule
