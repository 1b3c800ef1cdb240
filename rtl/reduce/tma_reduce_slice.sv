// SPDX-License-Identifier: Apache-2.0
// Arithmetic of a reduction on 64 bits: one element of 64, two of 32 or four of 16 at a time: dst = OP(dst, src),
// semantics 3, M10-M15. Structure only.
//
//   1 compare --> 2 choose --> 3 align --> 4 sum --> 5 count --> 6 normalize --> 7 round
//
// Elements of all types and sizes go through the same logic, and stay where they lie: nothing is moved to a place that
// all have in common, but carries, shifts and searches end where an element does. What is no sum of floating point is
// complete behind the adder, and passes the rest as a sum that moves by nothing and has nothing to round.
//
// Sums are rounded to the nearest, ties to even; subnormals stay, but for `flush`; overflow is infinity. NaN: of f64
// its bits, src before dst, and the default one is negative; of the others all bits are set but the sign. Of min and
// max a NaN is nobody's choice, -0 is less than +0.
//
// Throughput: 64 bits per cycle. Latency: seven cycles, with `Short` nine: choose and count take two. No reset: the
// user knows when a result is there.
// What the parameters leave out gives anything.

module tma_reduce_slice
  import tma_pkg::how_t;
  import tma_reduce_pkg::*;
#(
  parameter bit Floats  = 1'b1,  // f16, bf16, f32
  parameter bit Float64 = 1'b1,  // f64, if those
  parameter bit Short   = tma_pkg::ShortPaths
) (
  input  logic        clk_i,
  input  how_t        how_i,
  input  logic [63:0] dst_i,
  input  logic [63:0] src_i,
  output logic [63:0] result_o
);

  localparam bit Doubles = Floats && Float64;

  // Named after the stage that they come from.
  form_t        compare_form, choose_form, align_form, sum_form, count_form;
  logic         compare_flush, choose_flush, align_flush, sum_flush;
  flags_t       choose_sum, align_sum, sum_sum, count_sum;
  word_t        align_head, sum_head, count_head, normalize_head;
  guards_t      align_guard, sum_guard, count_guard;
  word_t        sum_word, count_word, normalize_word;

  logic [2:0]   op;
  logic         sums;
  word_t        dst, src, nan, chosen, added, above, a, b, below;
  flags_t       less, differ, choose_down, align_down, normal, flushed, align_minus, sum_minus;
  flags_t       zero, clear, half, more, top;
  flags_t [1:0] is_normal, is_full, some;
  counts_t      right, left;

  tma_reduce_compare #(.Floats(Floats), .Float64(Doubles)) u_compare (
    .clk_i, .how_i, .dst_i, .src_i,
    .op_o(op), .form_o(compare_form), .sums_o(sums), .flush_o(compare_flush), .nan_o(nan), .dst_o(dst), .src_o(src),
    .less_o(less), .normal_o(is_normal), .full_o(is_full), .some_o(some)
  );

  tma_reduce_choose #(.Float64(Doubles), .Short(Short)) u_choose (
    .clk_i, .op_i(op), .form_i(compare_form), .sums_i(sums), .flush_i(compare_flush), .nan_i(nan),
    .dst_i(dst), .src_i(src), .less_i(less), .normal_i(is_normal), .full_i(is_full), .some_i(some),
    .form_o(choose_form), .flush_o(choose_flush), .chosen_o(chosen), .added_o(added), .above_o(above),
    .count_o(right), .sum_o(choose_sum), .differ_o(differ), .down_o(choose_down), .normal_o(normal),
    .flushed_o(flushed)
  );

  tma_reduce_align #(.Float64(Doubles)) u_align (
    .clk_i, .form_i(choose_form), .flush_i(choose_flush), .chosen_i(chosen), .added_i(added), .above_i(above),
    .count_i(right), .sum_i(choose_sum), .differ_i(differ), .down_i(choose_down), .normal_i(normal),
    .flushed_i(flushed),
    .form_o(align_form), .flush_o(align_flush), .sum_o(align_sum), .minus_o(align_minus), .down_o(align_down),
    .a_o(a), .b_o(b), .guard_o(align_guard), .head_o(align_head)
  );

  tma_reduce_sum u_sum (
    .clk_i, .form_i(align_form), .flush_i(align_flush), .sum_i(align_sum), .minus_i(align_minus),
    .down_i(align_down), .a_i(a), .b_i(b), .guard_i(align_guard), .head_i(align_head),
    .form_o(sum_form), .flush_o(sum_flush), .sum_o(sum_sum), .minus_o(sum_minus), .word_o(sum_word),
    .guard_o(sum_guard), .head_o(sum_head)
  );

  tma_reduce_count #(.Float64(Doubles), .Short(Short)) u_count (
    .clk_i, .form_i(sum_form), .flush_i(sum_flush), .sum_i(sum_sum), .minus_i(sum_minus), .word_i(sum_word),
    .guard_i(sum_guard), .head_i(sum_head),
    .form_o(count_form), .sum_o(count_sum), .count_o(left), .zero_o(zero), .clear_o(clear), .word_o(count_word),
    .below_o(below), .guard_o(count_guard), .head_o(count_head)
  );

  tma_reduce_normalize #(.Float64(Doubles)) u_normalize (
    .clk_i, .form_i(count_form), .sum_i(count_sum), .count_i(left), .zero_i(zero), .clear_i(clear),
    .word_i(count_word), .below_i(below), .guard_i(count_guard), .head_i(count_head),
    .top_o(top), .word_o(normalize_word), .head_o(normalize_head), .half_o(half), .more_o(more)
  );

  tma_reduce_round u_round (
    .clk_i, .top_i(top), .word_i(normalize_word), .head_i(normalize_head), .half_i(half), .more_i(more), .result_o
  );

endmodule
