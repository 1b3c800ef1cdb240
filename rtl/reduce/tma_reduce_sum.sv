// SPDX-License-Identifier: Apache-2.0
// Fourth stage of a reduction: one adder for the elements of all types and sizes.
//
//   segment 3 | guards, cut | segment 2 | guards, cut | segment 1 | guards, cut | segment 0 | guards, cut
//
// The cut begins an element, with a carry for a difference, or lets the carry of the segment below through, and so do
// the guards then.
//
// Throughput: 64 bits per cycle. Latency: a cycle. No reset.

module tma_reduce_sum
  import tma_reduce_pkg::*;
(
  input  logic    clk_i,

  // From tma_reduce_align
  input  form_t   form_i,
  input  logic    flush_i,
  input  flags_t  sum_i,
  input  flags_t  minus_i,
  input  flags_t  down_i,
  input  word_t   a_i,
  input  word_t   b_i,
  input  guards_t guard_i,
  input  word_t   head_i,

  // From the next cycle on
  output form_t   form_o,
  output logic    flush_o,
  output flags_t  sum_o,
  output flags_t  minus_o,
  output word_t   word_o,
  output guards_t guard_o,
  output word_t   head_o
);

  localparam int unsigned PlaceBits = SegBits + GuardBits + 1;

  typedef logic [Segments-1:0][PlaceBits-1:0] places_t;

  flags_t  bottom, inverted;
  places_t a, b, total;

  assign bottom   = bottoms(form_i.top);
  assign inverted = minus_i | down_i;   // a - 1 is a + ~0

  for (genvar s = 0; s < Segments; s++) begin : g_place
    assign a[s] = {a_i[s], {GuardBits{!bottom[s] && !inverted[s]}}, !bottom[s] || minus_i[s]};
    assign b[s] = {{b_i[s], guard_i[s]} ^ {(SegBits + GuardBits){inverted[s]}}, bottom[s] && minus_i[s]};
  end

  assign total = a + b;

  always_ff @(posedge clk_i) begin
    form_o  <= form_i;
    flush_o <= flush_i;
    sum_o   <= sum_i;
    minus_o <= minus_i;
    head_o  <= head_i;
    for (int unsigned s = 0; s < Segments; s++) begin
      word_o[s]  <= total[s][PlaceBits-1 -: SegBits];
      guard_o[s] <= total[s][GuardBits:1];
    end
  end

  logic unused_cuts;
  assign unused_cuts = ^{total[3][0], total[2][0], total[1][0], total[0][0]};

endmodule
