// SPDX-License-Identifier: Apache-2.0
// tma_board on a Digilent Arty A7-100T: a quarter of its 100 MHz, 1,000,000 baud of its FT2232. Structure only.
//
// Pins have the names of the board's schematic, so that uart_txd_in is what the FTDI sends. The reset button is low when
// it is pressed.

module tma_arty_a7 (
  input  logic       clk100mhz,
  input  logic       uart_txd_in,
  output logic       uart_rxd_out,
  input  logic       ck_rst,
  output logic [3:0] led
);

  logic clk;

  tma_clock_quarter u_clock (.clk_i(clk100mhz), .clk_o(clk));

  tma_board #(.ClockHz(25_000_000), .ClocksPerBit(25)) u_board (
    .clk_i(clk), .rst_ni(ck_rst), .uart_rx_i(uart_txd_in), .uart_tx_o(uart_rxd_out), .leds_o(led)
  );

endmodule
