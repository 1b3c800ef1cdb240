// SPDX-License-Identifier: Apache-2.0
// A gate of a clock, as any library has it: the clock's next high phase comes if `run_i` is high at its rising edge.
//
// With Gates = 0 it is a wire: FPGAs have clock buffers with an enable of their own for this. With 1 a latch holds
// the enable while the clock is high, so that no pulse is cut.

module tma_clock_gate #(
  parameter bit Gates = 1'b0
) (
  input  logic clk_i,
  input  logic run_i,
  output logic clk_o
);

  if (Gates) begin : g_gate
    logic run_q;

    always_latch if (!clk_i) run_q = run_i;

    assign clk_o = clk_i & run_q;
  end else begin : g_wire
    logic unused_run;

    assign unused_run = run_i;
    assign clk_o      = clk_i;
  end

endmodule
