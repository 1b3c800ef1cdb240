// SPDX-License-Identifier: Apache-2.0
// Resets of the board: of everything from the pin, and of what RESET of the line resets.
//
// The pin may come at any time and is taken through registers that are 0 when the FPGA wakes up, so a board without
// a button starts in reset as well. `pulse_i` resets engine, memory port and accesses alone, for Cycles cycles;
// `done_o` is low as long.

`include "tma_assert.svh"

module tma_board_reset #(
  parameter int unsigned Cycles = 16  // of a reset, 2 or more
) (
  input  logic clk_i,
  input  logic rst_ni,     // the pin

  output logic line_rst_no,  // of everything
  input  logic pulse_i,
  output logic done_o,
  output logic rst_no        // of engine, memory port and accesses
);

  localparam int unsigned CountWidth = $clog2(Cycles);

  // The values are those of the wake-up. Two registers for the pin: three in a row would become a shift register in
  // LUTs, which is no synchroniser.
  logic                  pin_q  = 1'b0;
  logic                  line_q = 1'b0;
  logic                  held_q = 1'b0;  // the second reset is over
  logic [CountWidth-1:0] count_q;

  always_ff @(posedge clk_i) begin
    pin_q  <= rst_ni;
    line_q <= pin_q;
  end

  always_ff @(posedge clk_i) begin
    if (!line_q || pulse_i) begin
      held_q  <= 1'b0;
      count_q <= '0;
    end else if (!held_q) begin
      held_q  <= count_q == CountWidth'(Cycles - 1);
      count_q <= count_q + CountWidth'(1);
    end
  end

  assign line_rst_no = line_q;
  assign rst_no      = held_q;
  assign done_o      = held_q;

  `TMA_ASSERT_INIT(CyclesInRange, Cycles >= 2)

endmodule
