// SPDX-License-Identifier: Apache-2.0
// What the bounds of all levels mean together: which of them start outside of their window, whether
// nothing of the copy lies in the tensor, how many levels fold into the row.
//
// A level folds when the map lets it, all levels below it fold, and the box lies inside the tensor in
// all of them: then their rows are one (semantics, 2.3, 2.4). Of what the rounds before have said
// `bad` and `out` are kept, and for as long as the next levels may fold, that they may.
//
// Results are there in the position step, `start_bad_o` and `outside_o` until the next command.
// Reset: none.

`include "tma_assert.svh"

module tma_setup_bounds
  import tma_pkg::*;
  import tma_tensor_pkg::*;
  import tma_setup_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,

  // The command
  input  logic                              first_i,           // its first operand step
  input  logic                              none_i,
  input  logic                              list_i,
  input  logic                              wide_i,
  input  logic                              tiled_i,
  input  logic                              slice_used_i,      // the C dimension of interleaved maps
  input  logic [31:0]                       slice_i,
  input  logic [31:0]                       slice_last_i,
  input  logic [Levels-1:0]                 fold_i,            // as in map_info_t
  input  logic [Levels-1:0][RowChunks-1:0]  fold_chunks_i,

  // The round, from its position step on
  input  round_t                            position_i,
  input  logic                              position_first_i,
  input  logic                              row_outside_i,
  input  logic                              row_whole_i,
  input  logic [Lanes-1:0]                  fits_i,
  input  logic [Lanes-1:0]                  outside_i,
  input  logic [Lanes-1:0]                  ahead_i,
  input  logic [Lanes-1:0]                  behind_i,

  output logic                              positions_o,       // the round has positions of levels
  output logic [Lanes-1:0]                  folded_o,
  output logic                              any_folded_o,
  output logic [RowChunks-1:0]              fold_chunks_o,     // of the row, then

  output logic [Levels-1:0]                 start_bad_o,
  output logic                              outside_o
);

  index_t [Lanes-1:0] at;

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    assign at[l] = level_of(position_i.group, index_t'(l));
  end

  assign positions_o = position_i.valid && position_i.op == OpStart && !none_i;

  /////////////
  // Outside //
  /////////////

  logic              slice_outside_q, out, out_q;
  logic [Levels-1:0] bad, bad_q;

  always_ff @(posedge clk_i) begin
    if (first_i) slice_outside_q <= slice_used_i && (slice_i[31] || slice_i > slice_last_i);
  end

  always_comb begin
    bad = position_first_i ? '0 : bad_q;
    out = (!position_first_i && out_q) || row_outside_i || slice_outside_q;
    if (positions_o) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        bad[at[l]] = behind_i[l] || (ahead_i[l] && !wide_i);
        if (outside_i[l]) out = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (position_i.valid) bad_q <= bad;
    if (position_i.valid) out_q <= out;
  end

  // They are looked at in the last sum step, which may be the last position step.
  assign start_bad_o = !Split && position_i.valid ? bad : bad_q;
  assign outside_o   = !Split && position_i.valid ? out : out_q;

  //////////
  // Fold //
  //////////

  logic folding, folding_q;

  always_comb begin
    folding       = position_first_i || position_i.op != OpStart || position_i.group == '0
                  ? tiled_i && !list_i && row_whole_i && !row_outside_i && !slice_outside_q : folding_q;
    any_folded_o  = 1'b0;
    fold_chunks_o = '0;
    folded_o      = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (!fold_i[at[l]] || !fits_i[l]) folding = 1'b0;
      if (folding) begin
        folded_o[l]   = 1'b1;
        any_folded_o  = 1'b1;
        fold_chunks_o = fold_chunks_i[at[l]];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (positions_o) folding_q <= folding;
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(FoldedIsInside, positions_o && any_folded_o |->
      row_whole_i && !row_outside_i && !slice_outside_q && (folded_o & (~fits_i | outside_i)) == '0)
  `TMA_ASSERT(FoldsFromBelow, positions_o |-> (folded_o & (folded_o + Lanes'(1))) == '0)
  `TMA_ASSERT(FoldsOnTheFolded, positions_o && any_folded_o && position_i.group != '0 |-> folding_q)
  `TMA_COVER(Folded, positions_o && any_folded_o)

endmodule
