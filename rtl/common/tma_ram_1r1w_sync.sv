// SPDX-License-Identifier: Apache-2.0
// Memory with one write port and one read port whose data comes in the next cycle: block RAM.
//
// Read data stays until the next read. A read in the cycle of a write to its word may see either
// content: users must not. Not reset.

module tma_ram_1r1w_sync #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 64,  // 2 or more
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic                 clk_i,
  input  logic                 we_i,
  input  logic [AddrWidth-1:0] waddr_i,
  input  logic [Width-1:0]     wdata_i,
  input  logic                 re_i,
  input  logic [AddrWidth-1:0] raddr_i,
  output logic [Width-1:0]     rdata_o
);

  (* ram_style = "block", no_rw_check *)
  logic [Width-1:0] mem [Depth];

  always_ff @(posedge clk_i) if (we_i) mem[waddr_i] <= wdata_i;

  always_ff @(posedge clk_i) if (re_i) rdata_o <= mem[raddr_i];

endmodule
