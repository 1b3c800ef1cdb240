// SPDX-License-Identifier: Apache-2.0
// Block RAM of lines of 16 bytes: one write with byte enables and one read per cycle.
//
// A memory per byte of the line, so that deep ones need no multiplexer behind their blocks. Read data comes in the
// next cycle and stays until the next read. A read in the cycle of a write to its line may see anything: users must
// not. Not reset.

`include "tma_assert.svh"

module tma_ram_bytes #(
  parameter int unsigned Rows = 64,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                clk_i,
  input  logic [15:0]         be_i,
  input  logic [RowWidth-1:0] waddr_i,
  input  logic [127:0]        wdata_i,
  input  logic                re_i,
  input  logic [RowWidth-1:0] raddr_i,
  output logic [127:0]        rdata_o
);

  for (genvar b = 0; b < 16; b++) begin : g_byte
    (* ram_style = "block", no_rw_check *)
    logic [7:0] mem [Rows];
    logic [7:0] rdata_q;

    always_ff @(posedge clk_i) if (be_i[b]) mem[waddr_i] <= wdata_i[8*b +: 8];
    always_ff @(posedge clk_i) if (re_i) rdata_q <= mem[raddr_i];

    assign rdata_o[8*b +: 8] = rdata_q;
  end

  `TMA_ASSERT_INIT(RowsAreAPowerOfTwo, Rows == 1 << RowWidth)

endmodule
