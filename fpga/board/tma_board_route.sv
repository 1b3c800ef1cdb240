// SPDX-License-Identifier: Apache-2.0
// Where a line access goes: to memory or to the external port of the CTA's shared memory. Combinational.

module tma_board_route
  import tma_board_pkg::*;
#(
  parameter int unsigned NumCtas = 2
) (
  input  logic                      shared_i,
  input  logic [7:0]                cta_i,

  input  logic                      line_valid_i,
  input  line_req_t                 line_i,
  output line_rsp_t                 line_o,

  // Memory
  output logic                      mem_valid_o,
  input  line_rsp_t                 mem_i,

  // Shared memory
  output logic [NumCtas-1:0]        ext_valid_o,
  input  logic [NumCtas-1:0]        ext_ready_i,
  output logic [NumCtas-1:0]        ext_write_o,
  output logic [NumCtas-1:0][31:0]  ext_addr_o,
  output logic [NumCtas-1:0][15:0]  ext_strb_o,
  output logic [NumCtas-1:0][127:0] ext_wdata_o,
  input  logic [NumCtas-1:0]        ext_rvalid_i,
  input  logic [NumCtas-1:0][127:0] ext_rdata_i
);

  assign mem_valid_o = line_valid_i && !shared_i;

  for (genvar c = 0; c < NumCtas; c++) begin : g_cta
    assign ext_valid_o[c] = line_valid_i && shared_i && cta_i == 8'(c);
    assign ext_write_o[c] = line_i.write;
    assign ext_addr_o[c]  = line_i.addr;
    assign ext_strb_o[c]  = line_i.strb;
    assign ext_wdata_o[c] = line_i.wdata;
  end

  always_comb begin
    line_o = mem_i;
    for (int unsigned c = 0; c < NumCtas; c++) begin
      if (shared_i && cta_i == 8'(c)) begin
        line_o = '{ready: ext_ready_i[c], rvalid: ext_rvalid_i[c], rdata: ext_rdata_i[c]};
      end
    end
  end

endmodule
