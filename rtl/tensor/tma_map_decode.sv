// SPDX-License-Identifier: Apache-2.0
// Decodes a tensor map, word by word, and checks the rules of maps.
//
//   word_i --> word register --+--> fields, rules of words
//                              +--> dimension: corners, level --> table of levels
//                              +--> tma_map_size: positions, rows, chunks
//
// The third word and those with the box come first, then the address, then dimension by dimension
// its size and stride. A dimension becomes the row, the slice or the next level. Fields beyond the
// rank are zero by rule MAP_RESERVED, so levels that are not used are zero without further ado.
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

  typedef enum logic [1:0] {
    StIdle,
    StHead,  // words that are there once
    StDim,   // three steps for each dimension, and once more for what is left of the levels
    StSize   // products of the whole
  } state_e;

  localparam logic [2:0] HeadLast = 3'd7;
  localparam logic [2:0] DimLast  = 3'd2;
  localparam logic [2:0] SizeLast = 3'd4;
  localparam logic [2:0] Beyond   = 3'd5;  // no dimension

  state_e      state_q;
  logic [2:0]  step_q;
  logic [2:0]  dim_q;
  logic [31:0] word_q;

  // Step of the head whose word is in the register.
  logic head_control, head_row, head_box, head_pixels, head_strides, head_low, head_high;
  logic dim_size, dim_stride, dim_rows;  // first, second, third step of a dimension

  assign head_control = state_q == StHead && step_q == 3'd1;
  assign head_row     = state_q == StHead && step_q == 3'd2;
  assign head_box     = state_q == StHead && step_q == 3'd3;
  assign head_pixels  = state_q == StHead && step_q == 3'd4;
  assign head_strides = state_q == StHead && step_q == 3'd5;
  assign head_low     = state_q == StHead && step_q == 3'd6;
  assign head_high    = state_q == StHead && step_q == HeadLast;
  assign dim_size     = state_q == StDim && step_q == 3'd0;
  assign dim_stride   = state_q == StDim && step_q == 3'd1;
  assign dim_rows     = state_q == StDim && step_q == DimLast;

  //////////////
  // Sequence //
  //////////////

  logic step_last;

  always_comb begin
    case (state_q)
      StHead:  step_last = step_q == HeadLast;
      StDim:   step_last = step_q == DimLast;
      default: step_last = step_q == SizeLast;
    endcase
  end

  assign done_o = state_q == StSize && step_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else if (start_i) state_q <= StHead;
    else if (step_last) begin
      case (state_q)
        StHead:  state_q <= StDim;
        StDim:   if (dim_q == Beyond) state_q <= StSize;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    step_q <= (start_i || step_last) ? 3'd0 : step_q + 3'd1;
    if (start_i)       dim_q <= 3'd0;
    else if (dim_rows) dim_q <= dim_q + 3'd1;
  end

  ///////////
  // Words //
  ///////////

  // The word of the next step: of dimension 0 there is no stride, of dimension 5 nothing.
  logic none;

  always_comb begin
    word_addr_o = 4'd8 + 4'(dim_q) + 4'(dim_rows);
    if (dim_size) word_addr_o = 4'd2 + 4'(dim_q);
    if (state_q == StHead) begin
      case (step_q)
        3'd0:    word_addr_o = 4'd2;
        3'd1:    word_addr_o = 4'd13;
        3'd2:    word_addr_o = 4'd14;
        3'd3:    word_addr_o = 4'd15;
        3'd4:    word_addr_o = 4'd7;
        3'd5:    word_addr_o = 4'd0;
        3'd6:    word_addr_o = 4'd1;
        default: word_addr_o = 4'd8;
      endcase
    end
  end

  assign none = (dim_size && (dim_q == 3'd0 || dim_q == Beyond)) || (dim_rows && dim_q >= 3'd4);

  always_ff @(posedge clk_i) word_q <= none ? '0 : word_i;

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
    .half_o(half),
    .element_o(element), .span_o(span), .storable_o(storable)
  );

  assign tiled       = kind == KindTiled;
  assign interleaved = control_q.interleave != InterleaveNone;
  assign rank        = control_q.rank;

  always_ff @(posedge clk_i) if (head_control) control_q <= word_q[23:0];

  ///////////////
  // Dimension //
  ///////////////

  logic       row_used, used, is_level, is_slice, full, dim_reserved, empty, inside_now;
  logic [7:0] side, box, count;
  level_t     level;

  tma_map_dim u_dim (
    .clk_i, .kind_i(kind), .rank_i(rank), .interleave_i(control_q.interleave),
    .row_i(head_row), .box_i(head_box), .strides_i(head_strides), .word_i(word_q),
    .dim_i(dim_q), .size_i(dim_size), .rest_i(dim_stride), .end_i(dim_rows), .full_i(full),
    .count_i(count), .row_used_o(row_used), .side_o(side), .box_o(box), .used_o(used),
    .is_level_o(is_level), .is_slice_o(is_slice), .level_o(level), .reserved_o(dim_reserved),
    .empty_o(empty), .inside_o(inside_now)
  );

  //////////
  // Size //
  //////////

  mul_e        mul;
  logic        mul_valid, rows_valid, too_large;
  logic [10:0] rows;
  logic [7:0]  slices_q;
  logic [9:0]  row_chunks, pitch;
  logic [13:0] row;
  logic [19:0] fold, shared;
  logic [9:0]  pixels_q;

  always_comb begin
    mul       = MulRow;
    mul_valid = head_box;
    if (state_q == StDim) begin
      mul_valid = 1'b1;
      mul       = dim_size ? MulCount : dim_stride ? MulRows : MulFold;
    end
    if (state_q == StSize) begin
      mul_valid = !step_last;
      case (step_q)
        3'd0:    mul = MulSlices;
        3'd1:    mul = MulSide;
        3'd2:    mul = MulElement;
        default: mul = MulShared;
      endcase
    end
  end

  always_comb begin
    rows = {1'b0, pixels_q} + 11'd1;
    if (kind == KindTiled) rows = 11'd1;
    if (kind == KindW128)  rows = 11'd128;
  end

  assign rows_valid = head_strides;

  tma_map_size u_size (
    .clk_i, .start_i, .mul_valid_i(mul_valid), .mul_i(mul),
    .rows_valid_i(rows_valid), .rows_i(rows), .box_i(box), .step_i(level.step),
    .element_i(element), .moves_i(is_level && tiled), .slices_i(slices_q),
    .side_i(mul == MulSide && tiled && !row_used ? '0 : side),
    .row_chunks_i(row_chunks), .pitch_i(pitch),
    .row_o(row), .count_o(count), .fold_o(fold), .shared_o(shared), .too_large_o(too_large)
  );

  // Of C, tiled.
  always_ff @(posedge clk_i) begin
    if (start_i)                                  slices_q <= '0;
    else if (dim_stride && is_slice && tiled)     slices_q <= count;
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
    .clk_i, .start_i, .fold_start_i(head_high), .fold_may_i(tiled && pitch == row_chunks),
    .is_level_i(is_level), .size_i(dim_size), .rest_i(dim_stride), .end_i(dim_rows),
    .level_i(level), .fold_i(fold), .full_o(full), .level_o(info_o.level), .fold_o(info_o.fold),
    .fold_chunks_o(info_o.fold_chunks)
  );

  ///////////
  // Rules //
  ///////////

  rules_t broken_q, broken_now, broken;

  always_comb begin
    broken_now = '0;
    if (head_control) broken_now[RuleReserved] = word_q[31:24] != '0;
    if (head_row)     broken_now[RuleReserved] = word_q[23:15] != '0;
    if (head_box)     broken_now[RuleReserved] = !tiled && control_q.wide == WideNone &&
                                                 rank == 3'd4 && (word_q[15] || word_q[31]);
    if (head_pixels)  broken_now[RuleReserved] = word_q[31:10] != '0 ||
                                                 (tiled && word_q[9:0] != '0);
    if (head_strides) broken_now[RuleReserved] = word_q[31:16] != '0;
    if (head_low)     broken_now[RuleAddress]  = word_q[3:0] != '0 || (wide_grain && word_q[4]);
    if (dim_size) begin
      broken_now[RuleDim]      = dim_q == '0 && ((padded && word_q[6:0] != '1) ||
                                                 (control_q.element_type == MapTypeB4x16 && !word_q[0]));
      broken_now[RuleCorners]  = empty;
    end
    if (dim_stride && dim_q != '0) broken_now[RuleStride] = used && wide_grain && word_q[0];
    if (dim_reserved)              broken_now[RuleReserved] = 1'b1;
  end

  always_ff @(posedge clk_i) broken_q <= start_i ? '0 : broken_q | broken_now;

  always_comb begin
    broken = broken_q | control_broken;
    if (reserved_i) broken[RuleReserved] = 1'b1;
    broken[RuleBox]  = row[5:0] != '0 || (padded && side != 8'd127) ||
                       (span != '0 && 10'(row[13:6]) > 10'(span));
    broken[RuleSize] = too_large;
  end

  always_comb begin
    fault_o = FaultNone;
    for (int i = Rules - 1; i >= 0; i--) begin
      if (broken[i]) fault_o = FaultMapReserved + 16'(i);
    end
  end

  //////////////
  // Together //
  //////////////

  logic        inside_q, one_row_q;
  logic [31:0] row_last_q, slice_last_q;
  logic [35:0] slice_stride_q;
  gchunk_t     base_q;
  logic        slice_turn;  // without slices the last turn, which has nothing, clears them

  assign slice_turn = interleaved ? is_slice : dim_q == Beyond;

  always_ff @(posedge clk_i) begin
    if (head_low)  base_q[27:0]  <= word_q[31:4];
    if (head_high) base_q[59:28] <= word_q;

    if (head_pixels)   pixels_q  <= word_q[9:0];
    if (head_box)      one_row_q <= word_q[7:0] == '0;
    if (head_high)     inside_q  <= 1'b1;
    else if (dim_size) inside_q  <= inside_q && inside_now;

    if (dim_size && dim_q == '0)  row_last_q     <= word_q;
    if (dim_size && slice_turn)   slice_last_q   <= word_q;
    if (dim_stride && slice_turn) slice_stride_q <= level.stride;
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
  assign info_o.storable      = storable;
  assign info_o.window_inside = inside_q;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(OneMapAtATime, start_i |-> state_q == StIdle)
  `TMA_ASSERT(LevelsAreAllWritten, done_o && fault_o == FaultNone |-> full)
  `TMA_COVER(BreaksSeveralRules, done_o && (broken & (broken - rules_t'(1))) != '0)
  `TMA_COVER(FoldsAllLevels, done_o && fault_o == FaultNone && info_o.fold == '1)

endmodule
