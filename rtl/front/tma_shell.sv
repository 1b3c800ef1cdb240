// SPDX-License-Identifier: Apache-2.0
// The shell between a host that knows no SLVERR, as behind PCIe, and the engine: control registers of a Vitis kernel, shared
// memory, and the count of what was refused. Everything else is the engine's.
//
//   host -> tma_ap_ctrl -> tma_shell_regs -> registers of the engine
//                                |
//                                +-> external ports of shared memory
//
// rtl/spec/shell.rdl lists the registers. No latency beside the engine's: a request goes through in its cycle.

module tma_shell
  import tma_pkg::*;
  import tma_axil_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  axil_req_t                 host_i,
  output axil_rsp_t                 host_o,
  output axil_req_t                 engine_o,
  input  axil_rsp_t                 engine_i,
  input  logic                      idle_i,       // of the engine
  input  logic                      irq_i,
  output logic                      interrupt_o,  // level

  // Shared memory of all CTAs, see tma_engine
  output logic [NumCtas-1:0]        ext_valid_o,
  input  logic [NumCtas-1:0]        ext_ready_i,
  output logic [NumCtas-1:0]        ext_write_o,
  output logic [NumCtas-1:0][31:0]  ext_addr_o,
  output logic [NumCtas-1:0][15:0]  ext_strb_o,
  output logic [NumCtas-1:0][127:0] ext_wdata_o,
  input  logic [NumCtas-1:0]        ext_rvalid_i,
  input  logic [NumCtas-1:0][127:0] ext_rdata_i
);

  axil_req_t inner_req;
  axil_rsp_t inner_rsp;

  tma_ap_ctrl u_ap_ctrl (
    .clk_i, .rst_ni, .host_i, .host_o, .engine_o(inner_req), .engine_i(inner_rsp),
    .idle_i, .irq_i, .interrupt_o
  );

  tma_shell_regs u_regs (
    .clk_i, .rst_ni, .host_i(inner_req), .host_o(inner_rsp), .engine_o, .engine_i,
    .ext_valid_o, .ext_ready_i, .ext_write_o, .ext_addr_o, .ext_strb_o, .ext_wdata_o, .ext_rvalid_i, .ext_rdata_i
  );

endmodule
