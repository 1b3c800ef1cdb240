// SPDX-License-Identifier: Apache-2.0
// A design on the pins of an Arty A7-100T that is routed in a minute: a counter, and a block of memory that it fills and
// reads. For trying the way to a bitstream; the board is tma_arty_a7.

module tma_arty_small (
  input  logic       clk100mhz,
  input  logic       uart_txd_in,
  output logic       uart_rxd_out,
  input  logic       ck_rst,
  output logic [3:0] led
);

  logic        clk;
  logic [27:0] count_q;
  logic [7:0]  mem [2048];
  logic [7:0]  rdata_q;

  tma_clock_quarter u_clock (.clk_i(clk100mhz), .clk_o(clk));

  always_ff @(posedge clk) begin
    count_q <= ck_rst ? count_q + 28'd1 : '0;
    if (count_q[3]) mem[count_q[14:4]] <= count_q[27:20];
    rdata_q <= mem[count_q[20:10]];
  end

  assign led          = count_q[27:24] ^ rdata_q[3:0];
  assign uart_rxd_out = uart_txd_in ^ rdata_q[7];

endmodule
