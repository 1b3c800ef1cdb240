// SPDX-License-Identifier: Apache-2.0
// What a load makes of the bytes of a beat: words rounded to tf32, and fill in place of the bytes of
// the last chunk that are out of bounds.
//
// TF32 is an f32 of 10 mantissa bits: nearest even, a NaN becomes 0x7FFFE000. Fill is not rounded.
// Combinational.

module tma_load_convert
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input  layout_t             layout_i,
  input  logic                cut_i,    // bytes of chunk `lane_i` from `odd_i` on are fill
  input  logic [ChunkIdx-1:0] lane_i,
  input  logic [3:0]          odd_i,
  input  line_t               line_i,
  output line_t               line_o
);

  function automatic logic [31:0] tf32(input logic [31:0] word);
    logic        up;
    logic [17:0] rounded;  // exponent and mantissa

    up      = word[12] && (word[13] || word[11:0] != '0);
    rounded = word[30:13] + 18'(up);
    if (word[30:23] == '1 && word[22:0] != '0) return 32'h7FFFE000;
    return {word[31], rounded, 13'b0};
  endfunction

  logic        is_tf32;
  logic [15:0] fill;

  assign is_tf32 = layout_i.format == FormatTf32;
  assign fill    = fill_half(layout_i.nan);

  always_comb begin
    for (int unsigned w = 0; w < DataBytes / 4; w++) begin
      line_o[w*32 +: 32] = is_tf32 ? tf32(line_i[w*32 +: 32]) : line_i[w*32 +: 32];
    end
    for (int unsigned c = 0; c < Chunks; c++) begin
      for (int unsigned b = 0; b < 16; b++) begin
        if (cut_i && ChunkIdx'(c) == lane_i && 4'(b) >= odd_i) begin
          line_o[c*128 + b*8 +: 8] = fill[(b % 2) * 8 +: 8];
        end
      end
    end
  end

  logic unused_swizzle;
  assign unused_swizzle = ^layout_i.swizzle;

endmodule
