// SPDX-License-Identifier: Apache-2.0
// Decodes a tensor map, word by word, and checks the rules of maps.
//
//   word_i --> tma_map_steps --+--> tma_map_control: kind, layout
//              word register   +--> tma_map_dim: corners, level --> tma_map_levels: table of levels
//                              +--> tma_map_size: positions, rows, chunks
//                              +--> tma_map_rules: the fault
//
// The third word and those with the box come first, then the address, then dimension by dimension
// its size and stride. A dimension becomes the row, the slice or the next level; those beyond the
// rank become levels that are not used, whatever their fields hold.
//
// One map at a time: `done_o` 31 cycles after `start_i`, with the lowest of the rules that the map
// breaks. `info_o` stays until the next start.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_map_decode
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
  import tma_map_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        start_i,      // the words are there, and stay until it is done
  input  logic        reserved_i,   // a bit of words 20 to 31 is set
  output logic [3:0]  word_addr_o,
  input  logic [31:0] word_i,       // in the same cycle

  output logic        done_o,
  output logic [15:0] fault_o,
  output map_info_t   info_o
);

  ///////////
  // Words //
  ///////////

  logic [31:0] word;
  step_t       step;
  logic [2:0]  dim;
  mul_e        mul, mul_next;
  logic        mul_valid;

  tma_map_steps u_steps (
    .clk_i, .rst_ni, .start_i, .word_addr_o, .word_i, .word_o(word), .step_o(step), .dim_o(dim),
    .mul_valid_o(mul_valid), .mul_o(mul), .next_o(mul_next), .done_o
  );

  /////////////
  // Control //
  /////////////

  control_t   control_q;
  rules_t     control_broken;
  tma_tensor_pkg::kind_e kind;
  layout_t    layout;
  logic       padded, wide_grain, half, storable;
  logic [2:0] unit;
  logic [5:0] element;
  logic [3:0] span;
  logic       tiled, interleaved;
  logic [2:0] rank;  // - 1

  tma_map_control u_control (
    .control_i(control_q), .broken_o(control_broken), .kind_o(kind), .layout_o(layout),
    .padded_o(padded), .wide_grain_o(wide_grain), .promotion_o(info_o.promotion), .unit_o(unit),
    .half_o(half), .element_o(element), .span_o(span), .storable_o(storable), .ops_o(info_o.ops),
    .arith_o(info_o.arith), .flush_o(info_o.flush)
  );

  assign tiled       = kind == KindTiled;
  assign interleaved = control_q.interleave != InterleaveNone;
  assign rank        = control_q.rank;

  always_ff @(posedge clk_i) if (step.control) control_q <= word[23:0];

  ///////////////
  // Dimension //
  ///////////////

  logic       row_used, used, is_level, is_slice, full, empty, inside_now;
  logic [7:0] side, box, count;
  level_t     level;

  tma_map_dim u_dim (
    .clk_i, .kind_i(kind), .rank_i(rank), .interleave_i(control_q.interleave),
    .row_i(step.row), .box_i(step.box), .strides_i(step.strides), .word_i(word),
    .dim_i(dim), .size_i(step.size), .rest_i(step.rest), .end_i(step.turn), .full_i(full),
    .count_i(count), .row_used_o(row_used), .side_o(side), .box_o(box), .used_o(used),
    .is_level_o(is_level), .is_slice_o(is_slice), .level_o(level), .empty_o(empty),
    .inside_o(inside_now)
  );

  //////////
  // Size //
  //////////

  logic        too_large;
  logic [10:0] rows;
  logic [7:0]  slices_q;
  logic [9:0]  row_chunks, pitch;
  logic [13:0] row;
  logic [19:0] fold, shared;
  logic [9:0]  pixels_q;

  always_comb begin
    rows = {1'b0, pixels_q} + 11'd1;
    if (kind == KindTiled) rows = 11'd1;
    if (kind == KindW128)  rows = 11'd128;
  end

  tma_map_size u_size (
    .clk_i, .start_i, .mul_valid_i(mul_valid), .mul_i(mul), .next_i(mul_next),
    .rows_valid_i(step.strides), .rows_i(rows), .box_i(box), .step_i(level.step),
    .element_i(element), .moves_i(is_level && used && tiled), .slices_i(slices_q),
    .side_i(mul_next == MulSide && tiled && !row_used ? '0 : side),
    .row_chunks_i(row_chunks), .pitch_i(pitch),
    .row_o(row), .count_o(count), .fold_o(fold), .shared_o(shared), .too_large_o(too_large)
  );

  // Of C, tiled.
  always_ff @(posedge clk_i) begin
    if (start_i)                             slices_q <= '0;
    else if (step.rest && is_slice && tiled) slices_q <= count;
  end

  always_comb begin
    row_chunks = 10'(row[13:6]);
    if (interleaved) row_chunks = (row_used ? 10'(side) + 10'd1 : 10'd1) << control_q.interleave[1];
    pitch = span == '0 ? row_chunks : 10'(span);
  end

  ////////////
  // Levels //
  ////////////

  tma_map_levels u_levels (
    .clk_i, .start_i, .fold_start_i(step.high), .fold_may_i(tiled && pitch == row_chunks),
    .is_level_i(is_level), .size_i(step.size), .rest_i(step.rest), .end_i(step.turn),
    .level_i(level), .fold_i(fold), .full_o(full), .level_o(info_o.level), .fold_o(info_o.fold),
    .fold_chunks_o(info_o.fold_chunks)
  );

  ///////////
  // Rules //
  ///////////

  rules_t broken;

  tma_map_rules u_rules (
    .clk_i, .start_i, .step_i(step), .word_i(word), .dim_i(dim),
    .control_i(control_q), .control_broken_i(control_broken), .tiled_i(tiled), .padded_i(padded),
    .wide_grain_i(wide_grain), .used_i(used), .empty_i(empty),
    .reserved_i, .side_i(side), .row_i(row), .span_i(span), .too_large_i(too_large),
    .broken_o(broken), .fault_o
  );

  //////////////
  // Together //
  //////////////

  logic        inside_q, one_row_q, runs_q;
  logic [31:0] row_last_q, slice_last_q;
  logic [35:0] slice_stride_q;
  gchunk_t     base_q;
  logic        slice_turn;  // without slices the last turn, which has nothing, clears them

  assign slice_turn = interleaved ? is_slice : dim == Beyond;

  // Pixels of W, dimension 1, lie side by side in both memories.
  logic runs;

  assign runs = Runs && (kind == KindIm2col || kind == KindW) && !interleaved &&
                row_last_q == 32'(side) && pitch == row_chunks && row_chunks <= 10'd8 &&
                (row_chunks & (row_chunks - 10'd1)) == '0 &&
                level.step == '0 && level.stride == 36'(row_chunks);

  always_ff @(posedge clk_i) begin
    if (step.low)  base_q[27:0]  <= word[31:4];
    if (step.high) base_q[59:28] <= word;

    if (step.pixels)    pixels_q  <= word[9:0];
    if (step.box)       one_row_q <= word[7:0] == '0;
    if (step.high)      inside_q  <= 1'b1;
    else if (step.size) inside_q  <= inside_q && inside_now;

    if (step.size && dim == '0)  row_last_q     <= word;
    if (step.size && slice_turn) slice_last_q   <= word;
    if (step.rest && slice_turn) slice_stride_q <= level.stride;

    if (step.rest && dim == 3'd1) runs_q <= runs;
  end

  assign info_o.base          = base_q;
  assign info_o.rank          = rank + 3'd1;
  assign info_o.kind          = kind;
  assign info_o.interleaved   = interleaved;
  assign info_o.layout        = layout;
  assign info_o.row_used      = row_used;
  assign info_o.unit          = unit;
  assign info_o.half          = half;
  assign info_o.row_last      = row_last_q;
  assign info_o.row_count     = row_used ? 10'(side) + 10'd1 : 10'd1;
  assign info_o.row_chunks    = row_chunks;
  assign info_o.pitch         = pitch;
  assign info_o.slice_used    = interleaved;
  assign info_o.slice_dim     = interleaved ? rank - 3'd1 : '0;
  assign info_o.slice_last    = slice_last_q;
  assign info_o.slice_stride  = slice_stride_q;
  assign info_o.pixels        = pixels_q;
  assign info_o.bytes         = {fold, 4'b0};
  assign info_o.chunks        = shared;
  assign info_o.row_bytes     = row[13:2];
  assign info_o.one_row       = tiled && one_row_q;
  assign info_o.runs          = runs_q;
  assign info_o.storable      = storable;
  assign info_o.window_inside = inside_q;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(LevelsAreAllWritten, done_o && fault_o == FaultNone |-> full)
  `TMA_COVER(BreaksSeveralRules, done_o && (broken & (broken - rules_t'(1))) != '0)
  if (Runs) begin : g_runs
    `TMA_COVER(MakesRuns, done_o && fault_o == FaultNone && info_o.runs)
  end
  `TMA_COVER(FoldsAllLevels, done_o && fault_o == FaultNone && info_o.fold == '1)

endmodule
