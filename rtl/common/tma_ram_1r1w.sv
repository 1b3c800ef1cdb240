// SPDX-License-Identifier: Apache-2.0
// Small memory, one write and one combinational read port: distributed (LUT) memory.
//
// A word reads as written from the cycle after its write on. Not reset.

module tma_ram_1r1w #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4,
  localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                 clk_i,
  input  logic                 we_i,
  input  logic [AddrWidth-1:0] waddr_i,
  input  logic [Width-1:0]     wdata_i,
  input  logic [AddrWidth-1:0] raddr_i,
  output logic [Width-1:0]     rdata_o
);

  (* ram_style = "distributed" *)
  logic [Width-1:0] mem [Depth];

  always_ff @(posedge clk_i) if (we_i) mem[waddr_i] <= wdata_i;

  assign rdata_o = mem[raddr_i];

endmodule
