// SPDX-License-Identifier: Apache-2.0
// Commands on their way from issue to their paths. With `Short` they stand in a register in between: that a command
// retires is known late, behind the answers of the barriers, and the FIFOs of the paths begin paths of their own.
//
// Nothing holds a command up here: issue sends none that has no room (tma_front, which counts one more on its way).
// Commands and fences keep their order among all paths. What counts a command as begun sees it at issue.
//
// Latency: none; with `Short` a cycle. Reset: what is valid.

module tma_path_stage
  import tma_pkg::*;
  import tma_path_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic      clk_i,
  input  logic      rst_ni,

  input  path_cmd_t path_i,
  output path_cmd_t path_o,

  output logic      idle_o
);

  if (Short) begin : g_stage
    path_cmd_t path_q;

    always_ff @(posedge clk_i) begin
      path_q <= path_i;
      if (!rst_ni) begin
        path_q.load_valid     <= 1'b0;
        path_q.prefetch_valid <= 1'b0;
        path_q.store_valid    <= 1'b0;
        path_q.reduce_valid   <= 1'b0;
        path_q.shared_valid   <= 1'b0;
        path_q.fence_valid    <= 1'b0;
      end
    end

    assign path_o = path_q;
    assign idle_o = !(path_q.load_valid || path_q.prefetch_valid || path_q.store_valid || path_q.reduce_valid ||
                      path_q.shared_valid || path_q.fence_valid);
  end else begin : g_through
    logic unused;

    assign path_o = path_i;
    assign idle_o = 1'b1;
    assign unused = ^{clk_i, rst_ni};
  end

endmodule
