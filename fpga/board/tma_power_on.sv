// SPDX-License-Identifier: Apache-2.0
// Reset of a board: from its configuration until the clock has run for a while, and while a button is pressed.
//
// The counter starts at 0 because FPGAs load registers with their initial values; nothing else resets it but the button.
// The button may bounce and come at any time.

module tma_power_on #(
  parameter int unsigned Cycles = 1 << 16  // behind configuration and button
) (
  input  logic clk_i,
  input  logic button_i,  // 1: pressed
  output logic rst_no
);

  localparam int unsigned Width = $clog2(Cycles + 1);

  logic [1:0]       button_q = '0;
  logic [Width-1:0] count_q  = '0;

  always_ff @(posedge clk_i) begin
    button_q <= {button_q[0], button_i};
    if (button_q[1])                      count_q <= '0;
    else if (count_q != Width'(Cycles))   count_q <= count_q + 1'b1;
  end

  assign rst_no = count_q == Width'(Cycles);

endmodule
