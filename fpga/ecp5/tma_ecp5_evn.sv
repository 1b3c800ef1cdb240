// SPDX-License-Identifier: Apache-2.0
// tma_board on Lattice's ECP5 evaluation board (LFE5UM5G-85F-EVN): 12 MHz of its FTDI, 1,000,000 baud. Structure only.
//
// The board's serial line is connected when R34 and R35 are populated; docs/bring-up.md. LEDs are on when low, and so
// is a button that is pressed.

module tma_ecp5_evn (
  input  logic       clk12,
  input  logic       rx,
  output logic       tx,
  input  logic       rst_n,
  output logic [3:0] led_n
);

  logic [3:0] leds;

  tma_board #(.ClockHz(12_000_000), .ClocksPerBit(12)) u_board (
    .clk_i(clk12), .rst_ni(rst_n), .uart_rx_i(rx), .uart_tx_o(tx), .leds_o(leds)
  );

  assign led_n = ~leds;

endmodule
