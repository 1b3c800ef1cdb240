// SPDX-License-Identifier: Apache-2.0
// Last stage of a reduction: a sum of floating point is rounded to the nearest, ties to even, and put together.
//
//   word + head + 1, if it is rounded up, at the last bit of each element
//
// The hidden bit adds to the exponent as it has to, and so does a carry out of the fraction.
//
// Throughput: 64 bits per cycle. Latency: a cycle. No reset.

module tma_reduce_round
  import tma_reduce_pkg::*;
(
  input  logic   clk_i,

  // From tma_reduce_normalize
  input  flags_t top_i,
  input  word_t  word_i,
  input  word_t  head_i,
  input  flags_t half_i,
  input  flags_t more_i,

  output word_t  result_o
);

  // In front of each segment a place that begins an element, or lets the carry through.
  flags_t                         bottom, up;
  logic [Segments-1:0][SegBits:0] a, b, total;

  assign bottom = bottoms(top_i);

  for (genvar s = 0; s < Segments; s++) begin : g_place
    assign up[s] = bottom[s] && half_i[s] && (more_i[s] || word_i[s][0]);
    assign a[s]  = {word_i[s], !bottom[s] || up[s]};
    assign b[s]  = {head_i[s], up[s]};
  end

  assign total = a + b;

  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < Segments; s++) result_o[s] <= total[s][SegBits:1];
  end

  logic unused_cuts;
  assign unused_cuts = ^{total[3][0], total[2][0], total[1][0], total[0][0]};

endmodule
