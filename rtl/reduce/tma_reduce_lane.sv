// SPDX-License-Identifier: Apache-2.0
// Arithmetic of a reduction on one element at a time: dst = OP(dst, src), semantics 3, M10-M15. Structure only.
//
//   1 tma_reduce_unpack --> 2, 3 tma_reduce_sum --> 4-7 tma_reduce_round
//
// An element of any type stands at the top of its word while it is worked on, zeros below it: all signs lie in the
// same place, and one adder serves all types.
//
// Sums are rounded to the nearest, ties to even; subnormals stay, but for `flush`; overflow is infinity. NaN: of f64
// its bits, src before dst, and the default one is negative; of the others all bits are set but the sign. Of min and
// max a NaN is nobody's choice, -0 is less than +0.
//
// Throughput: an element per cycle. Latency: seven cycles. No reset: the user knows when a result is there.
// A lane of 16 bits has f16 and bf16 alone. What the width or the type does not have gives anything.

module tma_reduce_lane
  import tma_pkg::how_t;
  import tma_reduce_pkg::*;
#(
  parameter int unsigned Width   = 64,    // bits of the longest element: 16, 32, 64
  parameter bit          Floats  = 1'b1,  // f16, bf16 and, where it fits, f32
  parameter bit          Float64 = 1'b1   // f64, where it fits
) (
  input  logic             clk_i,

  input  how_t             how_i,
  input  logic [Width-1:0] dst_i,     // the element in the low bits, anything above
  input  logic [Width-1:0] src_i,

  output logic [Width-1:0] result_o   // likewise
);

  logic [2:0]       op;
  about_t           about, sum_about;
  logic [Width-1:0] dst, src, sum;
  logic [1:0]       sign, full, is_nan;
  exp_t [1:0]       exponent, ahead;
  logic             less, equal, zero;

  tma_reduce_unpack #(.Width(Width), .Floats(Floats), .Float64(Float64)) u_unpack (
    .clk_i, .how_i, .dst_i, .src_i,
    .op_o(op), .about_o(about), .dst_o(dst), .src_o(src), .sign_o(sign), .exponent_o(exponent),
    .ahead_o(ahead), .full_o(full), .nan_o(is_nan), .less_o(less), .equal_o(equal), .zero_o(zero)
  );

  tma_reduce_sum #(.Width(Width)) u_sum (
    .clk_i, .op_i(op), .about_i(about), .dst_i(dst), .src_i(src), .sign_i(sign), .exponent_i(exponent),
    .ahead_i(ahead), .full_i(full), .nan_i(is_nan), .less_i(less), .equal_i(equal), .zero_i(zero),
    .about_o(sum_about), .sum_o(sum)
  );

  tma_reduce_round #(.Width(Width)) u_round (.clk_i, .about_i(sum_about), .sum_i(sum), .result_o);

endmodule
