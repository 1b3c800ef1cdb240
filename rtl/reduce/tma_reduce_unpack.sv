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
  import tma_pkg::how_t;
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
  output about_t           about_o,    // special, minus, sign and exponent are for later
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

  logic    is_float, is_signed, sums, less;
  size_e   size;
  float_e  format;

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

  /////////////////////
  // Each of the two //
  /////////////////////

  top_t [1:0]            top;
  exp_t [1:0]            field, exponent;
  logic [1:0]            normal, flushed;
  logic [1:0][Width-1:0] word;

  assign top = {to_top(size, 64'(src_i)), to_top(size, 64'(dst_i))};

  for (genvar i = 0; i < 2; i++) begin : g_operand
    top_t fraction, significand;

    assign field[i]    = exponent_of(format, top[i]);
    assign normal[i]   = field[i] != '0;
    assign exponent[i] = field[i] | exp_t'(!normal[i]);
    assign fraction    = fraction_of(format, top[i]);
    assign significand = {1'b0, normal[i], fraction[63:2]};
    assign word[i]     = Width'((sums ? significand : top[i]) >> (64 - Width));
    assign flushed[i]  = sums && how_i.flush && how_i.kind == TypeF32 && !normal[i];

    always_ff @(posedge clk_i) begin
      sign_o[i]     <= top[i][63];
      exponent_o[i] <= exponent[i];
      ahead_o[i]    <= exponent[i] - exponent[1-i];
      full_o[i]     <= field[i] == full_of(format);
      nan_o[i]      <= is_float && field[i] == full_of(format) && fraction != '0;
    end
  end

  /////////////
  // Compare //
  /////////////

  // As unsigned numbers, then by the signs: of different ones, and of two negative floating-point numbers, the order
  // is the other one. Of a sum of floating point signs do not count.
  logic [1:0]            sign;
  logic [1:0][Width-1:0] bits;
  logic                  below, same;

  assign sign  = {top[1][63], top[0][63]};
  assign bits  = {!sums && sign[1], top[1][62 -: Width-1], !sums && sign[0], top[0][62 -: Width-1]};
  assign below = bits[0] < bits[1];
  assign same  = bits[0] == bits[1];

  always_comb begin
    less = below;
    if (is_float && !sums) less = sign[0] != sign[1] ? sign[0] : below != (sign[0] && !same);
    else if (is_signed)    less = below ^ (sign[0] != sign[1]);
  end

  always_ff @(posedge clk_i) begin
    op_o    <= how_i.op;
    about_o <= '{size: size, format: format, sums: sums, flush: how_i.flush && how_i.kind == TypeF32,
                 special: 1'b0, minus: 1'b0, sign: 1'b0, exponent: '0};
    dst_o   <= flushed[0] ? '0 : word[0];
    src_o   <= flushed[1] ? '0 : word[1];
    less_o  <= less;
    equal_o <= same;
    zero_o  <= top[0][63 -: Width] == '0;
  end

endmodule
