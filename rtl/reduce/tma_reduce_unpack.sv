// SPDX-License-Identifier: Apache-2.0
// First stage of a reduction of one element: both operands at the top of their words, compared.
//
// Of a sum of floating point a word is the significand, with a bit for a carry above it, of all else the element:
//
//   bits       Width-1   Width-2   Width-3 ...
//   word       0         hidden    fraction, zeros     a sum of floating point
//              element, zeros                          all else
//
// Latency: a cycle. No reset.

module tma_reduce_unpack
  import tma_isa_pkg::*;
  import tma_reduce_pkg::*;
#(
  parameter int unsigned Width   = 64,
  parameter bit          Floats  = 1'b1,
  parameter bit          Float64 = 1'b1
) (
  input  logic             clk_i,

  input  how_t             how_i,
  input  logic [Width-1:0] dst_i,
  input  logic [Width-1:0] src_i,

  // From the next cycle on
  output logic [2:0]       op_o,
  output about_t           about_o,    // neither special nor sign nor exponent
  output logic [Width-1:0] dst_o,
  output logic [Width-1:0] src_o,
  output logic [1:0]       sign_o,     // of dst 0, of src 1; and so of all pairs
  output exp_t [1:0]       exponent_o, // that of subnormal numbers is 1
  output exp_t [1:0]       ahead_o,    // this exponent less the other one
  output logic [1:0]       full_o,     // infinity or NaN
  output logic [1:0]       nan_o,
  output logic             less_o,     // dst < src; of a sum of floating point, of their magnitudes
  output logic             equal_o,
  output logic             zero_o      // no bit of dst is set
);

  logic    is_float, is_signed, sums;
  size_e   size;
  float_e format;

  // A lane of 16 bits has nothing but floating point.
  assign is_float  = Floats && (Width == 16 || how_i.kind == TypeF16 || how_i.kind == TypeBf16 ||
                                how_i.kind == TypeF32 || (Float64 && how_i.kind == TypeF64));
  assign is_signed = Width > 16 && (how_i.kind == TypeS32 || how_i.kind == TypeS64);
  assign sums      = is_float && how_i.op == ReduceAdd;

  always_comb begin
    size = size_of(how_i.kind);
    if (Width == 32 && size == Size64) size = Size32;
    if (Width == 16)                   size = Size16;
    format = how_i.kind == TypeF16 ? F16 : Bf16;
    if (Width >= 32 && how_i.kind == TypeF32)            format = F32;
    if (Width >= 64 && Float64 && how_i.kind == TypeF64) format = F64;
  end

  ////////////////////////
  // One of the operands //
  ////////////////////////

  typedef struct packed {
    top_t top;
    top_t key;    // its order as unsigned number
    exp_t field;
    top_t fraction;
  } operand_t;

  function automatic operand_t operand_of(logic [Width-1:0] value);
    operand_t operand;
    operand.top      = to_top(size, 64'(value));
    operand.field    = exponent_of(format, operand.top);
    operand.fraction = fraction_of(format, operand.top);
    operand.key      = operand.top;
    if (sums)           operand.key[63] = 1'b0;
    else if (!is_float) operand.key[63] = operand.top[63] ^ is_signed;
    else                operand.key     = operand.top[63] ? ~operand.top : operand.top | 64'd1 << 63;
    return operand;
  endfunction

  operand_t [1:0]        operand;
  logic [1:0][Width-1:0] word, key;

  assign operand = {operand_of(src_i), operand_of(dst_i)};

  for (genvar i = 0; i < 2; i++) begin : g_operand
    logic             normal;
    logic [Width-1:0] significand;

    assign normal = operand[i].field != '0;
    assign key[i] = operand[i].key[63 -: Width];

    always_comb begin
      significand = Width'({1'b0, normal, operand[i].fraction[63:2]} >> (64 - Width));
      if (how_i.flush && how_i.kind == TypeF32 && !normal) significand = '0;
      word[i] = sums ? significand : operand[i].top[63 -: Width];
    end

    always_ff @(posedge clk_i) begin
      sign_o[i]     <= operand[i].top[63];
      exponent_o[i] <= operand[i].field | exp_t'(!normal);
      ahead_o[i]    <= (operand[i].field | exp_t'(!normal)) -
                       (operand[1-i].field | exp_t'(operand[1-i].field == '0));
      full_o[i]     <= operand[i].field == full_of(format);
      nan_o[i]      <= is_float && operand[i].field == full_of(format) && operand[i].fraction != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    op_o         <= how_i.op;
    about_o      <= '{size: size, format: format, sums: sums, flush: how_i.flush && how_i.kind == TypeF32,
                      special: 1'b0, sign: 1'b0, exponent: '0};
    dst_o        <= word[0];
    src_o        <= word[1];
    less_o       <= key[0] < key[1];
    equal_o      <= key[0] == key[1];
    zero_o       <= operand[0].top == '0;
  end

  // What a fraction has behind the width of a lane is zero.
  logic unused_bits;
  assign unused_bits = ^operand;

endmodule
