// SPDX-License-Identifier: Apache-2.0
// A quarter of a clock, onto a global clock net. For Xilinx 7 series.
//
// The open place and route knows no clock managers, so registers divide; their skew to clk_i does not matter, nothing
// else has that clock.

module tma_clock_quarter (
  input  logic clk_i,
  output logic clk_o
);

  logic [1:0] count_q = '0;

  always_ff @(posedge clk_i) count_q <= count_q + 1'b1;

  BUFG u_global (.I(count_q[1]), .O(clk_o));

endmodule
