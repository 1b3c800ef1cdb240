// SPDX-License-Identifier: Apache-2.0
// The example for its test, with what goes between the unit and the engine at pins of its own.

module tma_example_view
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
  output logic                          idle_o,   // nothing in flight and no command held

  output logic                          cmd_valid_o,
  output logic                          cmd_ready_o,
  output logic [QueueWidth-1:0]         cmd_queue_o,
  output logic [511:0]                  cmd_o,
  output logic                          rsp_valid_o,
  output logic                          rsp_ready_o,
  output logic [255:0]                  rsp_o,
  output tile_req_t                     tile_o,
  output tile_rsp_t                     tile_back_o
);

  tma_example_soc u_soc (.*);

  assign cmd_valid_o = u_soc.cmd_valid;
  assign cmd_ready_o = u_soc.cmd_ready;
  assign cmd_queue_o = u_soc.cmd_queue;
  assign cmd_o       = u_soc.cmd;
  assign rsp_valid_o = u_soc.rsp_valid;
  assign rsp_ready_o = u_soc.rsp_ready;
  assign rsp_o       = u_soc.rsp;
  assign tile_o      = u_soc.tile;
  assign tile_back_o = u_soc.tile_back;

endmodule
