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

  // Every word of the line is one of few words of the row, one for each group and format. By a computed
  // index it would be selected among all of them.
  always_comb begin
    words_o = '0;
    line_o  = '0;
    for (int unsigned g = 0; g < 8 / Chunks; g++) begin
      for (int unsigned c = 0; c < Chunks; c++) begin
        for (int unsigned s = 0; s < 3; s++) begin
          automatic int unsigned six  = 3 * (g * Chunks + c) + s;  // word of the row, of chunk g * Chunks + c
          automatic int unsigned four = 2 * (g * Chunks + c) + s;  // of the 128 bytes
          if (32'(group_o) == g && six_i) begin
            words_o[4*c + s]           = 3'(six / 4) >= first_i && 3'(six / 4) <= last_i;
            line_o[c*128 + s*32 +: 32] = line_i[(six / 4 % Chunks) * 128 + (six % 4) * 32 +: 32];
          end else if (32'(group_o) == g && s < 2) begin
            words_o[4*c + s]           = 3'(four / 4) >= first_i && 3'(four / 4) <= last_i;
            line_o[c*128 + s*32 +: 32] = line_i[(four / 4 % Chunks) * 128 + (four % 4) * 32 +: 32];
          end
        end
      end
    end
  end

endmodule
