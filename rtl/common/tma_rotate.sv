// SPDX-License-Identifier: Apache-2.0
// Rotates a line by whole 16-byte chunks: chunk i of the output is chunk (i + amount) mod Chunks
// of the input.
//
// All bulk and tensor data is 16-byte granular, so this is the only alignment network that the
// copy paths need. Combinational.

module tma_rotate
  import tma_pkg::*;
#(
  parameter int unsigned LaneWidth = 128  // bits of one chunk: 128 for data, 16 for strobes
) (
  input  logic [Chunks*LaneWidth-1:0] line_i,
  input  logic [ChunkIdx-1:0]         amount_i,  // 0 when a line is one chunk
  output logic [Chunks*LaneWidth-1:0] line_o
);

  if (Chunks == 1) begin : g_one
    logic unused_amount;
    assign unused_amount = ^amount_i;
    assign line_o        = line_i;
  end else begin : g_many
    logic [2*Chunks*LaneWidth-1:0] twice;
    assign twice = {line_i, line_i};
    always_comb begin
      for (int unsigned i = 0; i < Chunks; i++) begin
        line_o[i*LaneWidth +: LaneWidth] =
            twice[(32'(amount_i) + i) * LaneWidth +: LaneWidth];
      end
    end
  end

endmodule
