// SPDX-License-Identifier: Apache-2.0
// Swaps lanes of a line in bank order: lane i of the output is lane i XOR mask of the input, in as
// many bits as a lane's number has. Combinational.

module tma_load_swizzle
  import tma_pkg::*;
#(
  parameter int unsigned LaneWidth = 128
) (
  input  logic [Chunks*LaneWidth-1:0] line_i,
  input  logic [2:0]                  mask_i,
  output logic [Chunks*LaneWidth-1:0] line_o
);

  if (Chunks == 1) begin : g_one
    logic unused_mask;
    assign unused_mask = ^mask_i;
    assign line_o      = line_i;
  end else begin : g_many
    always_comb begin
      for (int unsigned i = 0; i < Chunks; i++) begin
        line_o[i*LaneWidth +: LaneWidth] =
            line_i[((i ^ 32'(mask_i)) & (Chunks - 1)) * LaneWidth +: LaneWidth];
      end
    end
  end

endmodule
