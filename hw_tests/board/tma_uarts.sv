// SPDX-License-Identifier: Apache-2.0
// Receivers and transmitters of several speeds, for one test: 4, 5, 16 and 27 clocks per bit.

module tma_uarts (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic [3:0]      rx_line_i,
  output logic [3:0]      rx_valid_o,
  output logic [3:0]      rx_error_o,
  output logic [3:0][7:0] rx_byte_o,

  input  logic [3:0]      tx_valid_i,
  output logic [3:0]      tx_ready_o,
  input  logic [3:0][7:0] tx_byte_i,
  output logic [3:0]      tx_line_o
);

  localparam int unsigned Clocks [4] = '{4, 5, 16, 27};

  for (genvar u = 0; u < 4; u++) begin : g_uart
    tma_uart_rx #(.ClocksPerBit(Clocks[u])) u_rx (
      .clk_i, .rst_ni, .line_i(rx_line_i[u]), .valid_o(rx_valid_o[u]), .error_o(rx_error_o[u]), .byte_o(rx_byte_o[u])
    );

    tma_uart_tx #(.ClocksPerBit(Clocks[u])) u_tx (
      .clk_i, .rst_ni, .valid_i(tx_valid_i[u]), .ready_o(tx_ready_o[u]), .byte_i(tx_byte_i[u]), .line_o(tx_line_o[u])
    );
  end

endmodule
