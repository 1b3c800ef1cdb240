// SPDX-License-Identifier: Apache-2.0
// When engine and memory need their clock: while they are reset or not idle and while registers are accessed, and
// some cycles behind that, in which what a write of a register sets off begins; and while a line is accessed.
//
// `run_o` depends on the accesses in the same cycle. Reset: the clock runs.

`include "tma_assert.svh"

module tma_board_run #(
  parameter int unsigned Behind = 31  // cycles
) (
  input  logic clk_i,
  input  logic rst_ni,    // the engine's
  input  logic idle_i,
  input  logic reg_i,     // an access of a register, until the bridge has its answer
  input  logic line_i,    // of a line of memory or shared memory
  output logic run_o
);

  localparam int unsigned CountWidth = $clog2(Behind + 1);

  logic [CountWidth-1:0] left_q;
  logic                  needed;

  assign needed = !rst_ni || !idle_i || reg_i;
  assign run_o  = needed || line_i || left_q != '0;

  always_ff @(posedge clk_i) begin
    if (needed)            left_q <= CountWidth'(Behind);
    else if (left_q != '0) left_q <= left_q - CountWidth'(1);
  end

  `TMA_COVER(Stops, !run_o)
  `TMA_COVER(RunsForALine, line_i && !needed && left_q == '0)

endmodule
