// SPDX-License-Identifier: Apache-2.0
// Goes through the words of a tensor map: which word is read, what the one in the register is, which
// product is formed (semantics, 2.13: the words).
//
// 31 steps, one per cycle, the first one in the cycle behind `start_i`: eight for the words that are
// there once, three for each of five dimensions and once more for what is left of the levels, five
// for the products of the whole. `done_o` is the last one. A word is in the register one cycle after
// its address.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_map_steps
  import tma_map_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        start_i,
  output logic [3:0]  word_addr_o,
  input  logic [31:0] word_i,       // in the same cycle

  output logic [31:0] word_o,
  output step_t       step_o,       // what word_o is
  output logic [2:0]  dim_o,        // its dimension; 5: none, the word is 0
  output logic        mul_valid_o,
  output mul_e        mul_o,
  output mul_e        next_o,       // of the next cycle
  output logic        done_o
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

  state_e      state_q;
  logic [2:0]  step_q;
  logic [2:0]  dim_q;
  logic [31:0] word_q;

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

  always_comb begin
    step_o         = '0;
    step_o.control = state_q == StHead && step_q == 3'd1;
    step_o.row     = state_q == StHead && step_q == 3'd2;
    step_o.box     = state_q == StHead && step_q == 3'd3;
    step_o.pixels  = state_q == StHead && step_q == 3'd4;
    step_o.strides = state_q == StHead && step_q == 3'd5;
    step_o.low     = state_q == StHead && step_q == 3'd6;
    step_o.high    = state_q == StHead && step_q == HeadLast;
    step_o.size    = state_q == StDim && step_q == 3'd0;
    step_o.rest    = state_q == StDim && step_q == 3'd1;
    step_o.turn    = state_q == StDim && step_q == DimLast;
  end

  assign dim_o  = dim_q;
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
    if (start_i)          dim_q <= 3'd0;
    else if (step_o.turn) dim_q <= dim_q + 3'd1;
  end

  ///////////
  // Words //
  ///////////

  // The word of the next step: of dimension 0 there is no stride, of dimension 5 nothing.
  logic none;

  always_comb begin
    word_addr_o = 4'd8 + 4'(dim_q) + 4'(step_o.turn);
    if (step_o.size) word_addr_o = 4'd2 + 4'(dim_q);
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

  assign none = (step_o.size && (dim_q == 3'd0 || dim_q == Beyond)) || (step_o.turn && dim_q >= 3'd4);

  always_ff @(posedge clk_i) word_q <= none ? '0 : word_i;

  assign word_o = word_q;

  //////////////
  // Products //
  //////////////

  // Chosen in the cycle before.
  logic next_valid;

  always_comb begin
    next_o     = MulRow;
    next_valid = step_o.box || step_o.high;
    if (step_o.high) next_o = MulCount;
    if (state_q == StDim) begin
      next_valid = 1'b1;
      next_o     = step_o.size     ? MulRows
                 : step_o.rest     ? MulFold
                 : dim_q == Beyond ? MulSlices
                                   : MulCount;
    end
    if (state_q == StSize) begin
      next_valid = step_q < 3'd3;
      case (step_q)
        3'd0:    next_o = MulSide;
        3'd1:    next_o = MulElement;
        default: next_o = MulShared;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    mul_valid_o <= next_valid;
    mul_o       <= next_o;
  end

  `TMA_ASSERT(OneMapAtATime, start_i |-> state_q == StIdle)

endmodule
