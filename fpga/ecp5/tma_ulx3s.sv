// SPDX-License-Identifier: Apache-2.0
// tma_board on a ULX3S with an LFE5U-85F: 25 MHz of its oscillator, 1,000,000 baud of its FT231X. Structure only.
//
// Pins have the names of the board's schematic, so that ftdi_txd is what the FTDI sends. Fire 1 resets.

module tma_ulx3s (
  input  logic       clk_25mhz,
  input  logic       ftdi_txd,
  output logic       ftdi_rxd,
  input  logic       fire1,
  output logic [3:0] led,
  output logic       wifi_gpio0  // high: the ESP32 leaves the FPGA alone
);

  tma_board #(.ClockHz(25_000_000), .ClocksPerBit(25)) u_board (
    .clk_i(clk_25mhz), .rst_ni(!fire1), .uart_rx_i(ftdi_txd), .uart_tx_o(ftdi_rxd), .leds_o(led)
  );

  assign wifi_gpio0 = 1'b1;

endmodule
