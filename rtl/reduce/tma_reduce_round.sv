// SPDX-License-Identifier: Apache-2.0
// Last stages of a reduction of one element: a sum of floating point finds its first bit, is rounded and put together.
// All else passes.
//
//   4 leading zeros --> 5 move to the left --> 6 round --> 7 put together, back to the low bits
//
// Latency: four cycles. No reset.

module tma_reduce_round
  import tma_reduce_pkg::*;
#(
  parameter int unsigned Width = 64
) (
  input  logic             clk_i,
  input  about_t           about_i,
  input  logic [Width-1:0] sum_i,
  output logic [Width-1:0] result_o   // in the low bits
);

  localparam int unsigned CountWidth = $clog2(Width);

  typedef logic [Width-1:0]      word_t;
  typedef logic [CountWidth-1:0] count_t;

  //////////////////////
  // 4: leading zeros //
  //////////////////////

  // Halves, from the largest on: is the upper one zero? Of no bit at all it is one less than Width.
  function automatic count_t zeros_of(word_t value);
    word_t  rest;
    count_t count;
    rest = value;
    for (int unsigned k = CountWidth; k > 0; k--) begin
      count[k-1] = (rest >> (Width - (1 << (k - 1)))) == '0;
      if (count[k-1]) rest = rest << (1 << (k - 1));
    end
    return count;
  endfunction

  word_t  sum_q;
  logic   some_q;   // a bit is set
  count_t zeros, count_q;
  about_t four_q;

  assign zeros = zeros_of(sum_i);

  // The first bit moves to where the carry was; a subnormal number keeps its zeros. A difference of which nothing is
  // left is positive.
  always_ff @(posedge clk_i) begin
    sum_q   <= sum_i;
    some_q  <= zeros != '1 || sum_i[0];
    count_q <= !about_i.sums                       ? '0
             : exp_t'(zeros) > about_i.exponent    ? count_t'(about_i.exponent)
                                                   : zeros;
    four_q  <= about_i;
  end

  /////////////////////////
  // 5: move to the left //
  /////////////////////////

  word_t  moved, moved_q;
  about_t five_q;

  assign moved = sum_q << count_q;

  always_ff @(posedge clk_i) begin
    moved_q         <= moved;
    five_q          <= four_q;
    five_q.sign     <= four_q.sign && (!four_q.minus || some_q);
    five_q.exponent <= moved[Width-1] ? four_q.exponent + exp_t'(1) - exp_t'(count_q) : '0;
  end

  //////////////
  // 6: round //
  //////////////

  top_t   top, last_bit;
  logic   last, half, more, up, carry;
  word_t  rounded, rounded_q;
  about_t six_q;

  assign top      = {moved_q, {(64 - Width){1'b0}}};
  assign last_bit = last_of(five_q.format);
  assign last     = (top & last_bit) != '0;
  assign half     = (top & (last_bit >> 1)) != '0;
  assign more     = (top & ((last_bit >> 1) - 64'd1)) != '0;
  assign up       = five_q.sums && half && (more || last);

  assign {carry, rounded} = {1'b0, moved_q} + {1'b0, up ? last_bit[63 -: Width] : word_t'(0)};

  // A carry leaves a fraction of zero. A subnormal sum is exact: it has nothing to round.
  always_ff @(posedge clk_i) begin
    rounded_q      <= rounded;
    six_q          <= five_q;
    six_q.exponent <= five_q.exponent + exp_t'(carry);
  end

  /////////////////////
  // 7: put together //
  /////////////////////

  logic        infinite, flushed;
  top_t        fraction;
  logic [63:0] value;

  assign infinite = six_q.exponent == full_of(six_q.format) && !six_q.special;
  assign flushed  = six_q.exponent == '0 && six_q.flush;

  always_comb begin
    fraction = {rounded_q[Width-2:0], {(65 - Width){1'b0}}};
    if (infinite || flushed) fraction = '0;
    value = six_q.sums ? join_float(six_q.format, six_q.sign, six_q.exponent, fraction)
                       : from_top(six_q.size, {rounded_q, {(64 - Width){1'b0}}});
  end

  always_ff @(posedge clk_i) result_o <= value[Width-1:0];

  logic unused_bits;
  assign unused_bits = ^{value, six_q.minus};

endmodule
