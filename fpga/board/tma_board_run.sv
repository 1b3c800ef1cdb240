// SPDX-License-Identifier: Apache-2.0
// When the engine needs its clock: while it is reset or not idle, is accessed, and some cycles behind that.
//
// `run_o` depends on the accesses in the same cycle, because the engine may take one at once. Reset: the clock runs.

module tma_board_run #(
  parameter int unsigned Behind = 255  // cycles; registers and windows are ready within them after a reset
) (
  input  logic clk_i,
  input  logic rst_ni,     // the engine's
  input  logic idle_i,
  input  logic access_i,   // of a register or of shared memory, until the answer was taken
  output logic run_o
);

  localparam int unsigned CountWidth = $clog2(Behind + 1);

  logic [CountWidth-1:0] left_q;
  logic                  needed;

  assign needed = !rst_ni || !idle_i || access_i;
  assign run_o  = needed || left_q != '0;

  always_ff @(posedge clk_i) begin
    if (needed)            left_q <= CountWidth'(Behind);
    else if (left_q != '0) left_q <= left_q - CountWidth'(1);
  end

endmodule
