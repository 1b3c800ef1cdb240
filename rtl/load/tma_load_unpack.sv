// SPDX-License-Identifier: Apache-2.0
// Spreads the chunks of a padded row: word w goes to word 4 * (w / k) + w % k of the 128 bytes that
// the row takes in shared memory, k = 2 in Pad4, 3 in Pad6. The words between, the padding, are not
// written: shared memory keeps there what it had.
//
// The 128 bytes are written a group of Chunks chunks at a time: one beat's words lie in two of them
// at most. Combinational.

module tma_load_unpack
  import tma_pkg::*;
(
  input  logic                six_i,     // Pad6, else Pad4
  input  logic [2:0]          first_i,   // chunks of the row that the beat has
  input  logic [2:0]          last_i,
  input  logic                second_i,  // the second of two groups
  input  line_t               line_i,    // bank order
  output logic [2:0]          group_o,
  output logic                two_o,     // there is a second group
  output logic [4*Chunks-1:0] words_o,   // words of the group that are written
  output line_t               line_o
);

  // First chunks of the 128 bytes that chunks 0..5 go to, and the last ones.
  localparam logic [7:0][2:0] SixFirst = {3'd7, 3'd7, 3'd6, 3'd5, 3'd4, 3'd2, 3'd1, 3'd0};
  localparam logic [7:0][2:0] SixLast  = {3'd7, 3'd7, 3'd7, 3'd6, 3'd5, 3'd3, 3'd2, 3'd1};

  logic [2:0] first_group, last_group;

  assign first_group = (six_i ? SixFirst[first_i] : {first_i[1:0], 1'b0}) >> ChunkShift;
  assign last_group  = (six_i ? SixLast[last_i] : {last_i[1:0], 1'b1}) >> ChunkShift;
  assign group_o     = second_i ? last_group : first_group;
  assign two_o       = first_group != last_group;

  always_comb begin
    for (int unsigned c = 0; c < Chunks; c++) begin
      automatic logic [2:0] to   = 3'(32'(group_o) * Chunks + c);  // chunk of the 128 bytes
      for (int unsigned s = 0; s < 3; s++) begin
        automatic logic [4:0] word = six_i ? 5'(3 * 32'(to) + s) : 5'(2 * 32'(to) + s);
        automatic logic [2:0] from = word[4:2];
        automatic logic       hit  = from >= first_i && from <= last_i && (six_i || s < 2);

        words_o[4*c + s]            = hit;
        line_o[c*128 + s*32 +: 32]  = six_i || s < 2
            ? line_i[(32'(from) & (Chunks - 1)) * 128 + 32'(word[1:0]) * 32 +: 32] : '0;
      end
      words_o[4*c + 3]         = 1'b0;
      line_o[c*128 + 96 +: 32] = '0;
    end
  end

endmodule
