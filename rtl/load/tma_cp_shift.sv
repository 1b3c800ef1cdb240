// SPDX-License-Identifier: Apache-2.0
// Moves the bytes of a cp.async from their place in the source's chunk to that in the destination's,
// and zeroes those behind the valid ones.
//
// Sizes are 4, 8 and 16 and both places multiples of them: whole words move. Combinational.

module tma_cp_shift
  import tma_pkg::*;
(
  input  cp_t          cp_i,
  input  logic [1:0]   word_i,   // first word in the source's chunk
  input  logic [127:0] data_i,   // source's chunk
  output logic [15:0]  be_o,     // destination's chunk
  output logic [127:0] data_o
);

  logic [1:0]  first, amount;
  logic [15:0] written, valid, keep;  // bytes, from the operand's first on; `keep`: of the chunk

  assign first  = cp_i.dst[3:2];
  assign amount = word_i - first;

  always_comb begin
    for (int unsigned b = 0; b < 16; b++) begin
      written[b] = 5'(b) < cp_i.size;
      valid[b]   = 5'(b) < cp_i.valid;
    end
  end

  assign be_o = written << {first, 2'b00};
  assign keep = valid << {first, 2'b00};

  for (genvar w = 0; w < 4; w++) begin : g_word
    logic [1:0] from;  // word of the source's chunk

    assign from = 2'(w) + amount;
    for (genvar b = 0; b < 4; b++) begin : g_byte
      assign data_o[32*w + 8*b +: 8] = data_i[32 * 32'(from) + 8*b +: 8] & {8{keep[4*w + b]}};
    end
  end

  // Places are multiples of a word.
  logic unused_dst;
  assign unused_dst = ^cp_i.dst[1:0] ^ cp_i.arrive;

endmodule
