// SPDX-License-Identifier: Apache-2.0
// Fifth stage of a reduction: by how many places a sum of floating point goes to the left, that its first bit is where
// a carry would be.
//
//   word, guards --> zeros in front, by segment --> by element --> less those of the format --> count
//
// A subnormal sum keeps its zeros: the count is not more than the exponent. What is no sum has a count of one, the same
// as a sum without a carry, which moves nothing.
//
// With `Short` the zeros of an element have a register.
//
// Throughput: 64 bits per cycle. Latency: a cycle, with `Short` two. No reset.

module tma_reduce_count
  import tma_reduce_pkg::*;
#(
  parameter bit Float64 = 1'b1,
  parameter bit Short   = tma_pkg::ShortPaths
) (
  input  logic    clk_i,

  // From tma_reduce_sum
  input  form_t   form_i,
  input  logic    flush_i,
  input  flags_t  sum_i,
  input  flags_t  minus_i,
  input  word_t   word_i,
  input  guards_t guard_i,
  input  word_t   head_i,

  // From the next cycle on, with `Short` the one after it
  output form_t   form_o,
  output flags_t  sum_o,
  output counts_t count_o,   // spread
  output flags_t  zero_o,    // nothing is left: no exponent
  output flags_t  clear_o,   // the fraction is not the sum's, but zero; spread
  output word_t   word_o,
  output word_t   below_o,   // the segment below each one; where an element begins, what fell off
  output guards_t guard_o,
  output word_t   head_o
);

  // Zeros in front of the first bit, by halves. The last place is not looked at: of no bit they are one less than bits.
  function automatic logic [3:0] zeros_of(logic [SegBits-1:1] value);
    logic [3:0] zeros;
    logic [7:1] eight;
    logic [3:1] four;
    zeros[3] = value[15:8] == '0;
    eight    = zeros[3] ? value[7:1] : value[15:9];
    zeros[2] = eight[7:4] == '0;
    four     = zeros[2] ? eight[3:1] : eight[7:5];
    zeros[1] = four[3:2] == '0;
    zeros[0] = zeros[1] ? !four[1] : !four[3];
    return zeros;
  endfunction

  typedef logic [Segments-1:0][10:0] fields_t;

  // A sum, and what is known of it.
  typedef struct packed {
    form_t   form;
    logic    flush;
    flags_t  sum, minus;
    word_t   word;
    guards_t guard;
    word_t   head;
    counts_t zeros;
    flags_t  none;
    fields_t field;     // exponents
    flags_t  largest;   // of the largest number
  } found_t;

  found_t searching, found;

  if (Short) begin : g_short
    always_ff @(posedge clk_i) found <= searching;
  end else begin : g_at_once
    assign found = searching;
  end

  // No sum has a bit in the first four places. So the last four are those of the segment below, or the guards; a
  // difference has its first bit there if no others fell off.
  flags_t                    bottom, none;
  word_t                     searched;
  logic [Segments-1:0][3:0]  zeros;

  assign bottom = bottoms(form_i.top);

  logic unused_lowest;
  assign unused_lowest = bottom[0];

  for (genvar s = 0; s < Segments; s++) begin : g_zeros
    logic [3:0] last;

    if (s == 0) begin : g_lowest
      assign last = {guard_i[s][GuardBits-1], 3'd0};
    end else begin : g_other
      assign last = bottom[s] ? {guard_i[s][GuardBits-1], 3'd0} : word_i[s-1][SegBits-1 -: 4];
    end

    assign searched[s] = {word_i[s][SegBits-5:0], last};
    assign zeros[s]    = zeros_of(searched[s][SegBits-1:1]);
    assign none[s]     = searched[s] == '0;
  end

  // Of elements.
  flags_t          zero;
  logic [1:0][4:0] zeros_32;
  logic [5:0]      zeros_64;
  counts_t         zeros_in;

  for (genvar w = 0; w < 2; w++) begin : g_word
    assign zeros_32[w] = {none[2*w+1], none[2*w+1] ? zeros[2*w] : zeros[2*w+1]};
  end

  assign zeros_64 = {&none[3:2], &none[3:2] ? zeros_32[0] : zeros_32[1]};
  assign zero     = ~gather(form_i.top, ~none);

  always_comb begin
    for (int unsigned s = 0; s < Segments; s++) zeros_in[s] = count_t'(zeros[s]);
    if (!form_i.top[0]) begin
      zeros_in[1] = count_t'(zeros_32[0]);
      zeros_in[3] = count_t'(zeros_32[1]);
    end
    if (Float64 && !form_i.top[1]) zeros_in[3] = zeros_64;
  end

  // Of the exponent of infinity the last bit is missing.
  fields_t field_in;
  flags_t  largest;

  for (genvar s = 0; s < Segments; s++) begin : g_field
    always_comb begin
      field_in[s] = '0;
      if (form_i.hidden[s][10]) begin
        field_in[s][4:0] = head_i[s][14:10];
        largest[s]       = &head_i[s][14:11] && !head_i[s][10] && word_i[s][11];
      end else if (s == Segments - 1 && Float64 && form_i.hidden[s][4]) begin
        field_in[s]      = head_i[s][14:4];
        largest[s]       = &head_i[s][14:5] && !head_i[s][4] && word_i[s][5];
      end else begin
        field_in[s][7:0] = head_i[s][14:7];
        largest[s]       = &head_i[s][14:8] && !head_i[s][7] && word_i[s][8];
      end
    end
  end

  assign searching = '{form: form_i, flush: flush_i, sum: sum_i, minus: minus_i, word: word_i, guard: guard_i,
                       head: head_i, zeros: zeros_in, none: zero, field: field_in, largest: largest};

  ////////////
  // Counts //
  ////////////

  flags_t                  begins, tiny;
  flags_t [CountWidth-1:0] places, away;

  assign begins = bottoms(found.form.top);

  for (genvar s = 0; s < Segments; s++) begin : g_count
    // Elements of 16 bits alone, or the uppermost segment of longer ones.
    localparam int unsigned Bits = s % 2 == 0 ? 4 : s == Segments - 1 && Float64 ? 6 : 5;

    logic [Bits-1:0] format;   // zeros that it has in front of a carry
    logic [Bits-1:0] over;
    logic [10:0]     field;

    assign field = found.field[s];

    always_comb begin
      if (found.form.hidden[s][10])                                             format = '0;
      else if (s == Segments - 1 && Float64 && found.form.hidden[s][4])  format = Bits'(6);
      else                                                                      format = Bits'(3);
    end

    assign over    = found.zeros[s][Bits-1:0] - format;
    assign tiny[s] = field[10:Bits] == '0 && over > field[Bits-1:0];

    for (genvar k = 0; k < CountWidth; k++) begin : g_bit
      assign places[k][s] = k < Bits && (tiny[s] ? field[k % Bits] : over[k % Bits]);
    end
  end

  for (genvar k = 0; k < CountWidth; k++) assign away[k] = spread(found.form.top, places[k]);

  // Beyond the largest number comes infinity. A rounding that carries so far leaves no fraction by itself.
  always_ff @(posedge clk_i) begin
    form_o  <= found.form;
    sum_o   <= found.sum;
    zero_o  <= found.none;
    clear_o <= spread(found.form.top, found.largest | (found.flush ? tiny : '0));
    word_o  <= found.word;
    guard_o <= found.guard;
    head_o  <= found.head;
    for (int unsigned s = 0; s < Segments; s++) begin
      below_o[s] <= {found.guard[s][GuardBits-1], {(SegBits-1){1'b0}}};
      if (s > 0 && !begins[s]) below_o[s] <= found.word[(s+Segments-1) % Segments];
      for (int unsigned k = 0; k < CountWidth; k++) count_o[s][k] <= found.sum[s] ? away[k][s] : k == 0;
      // A difference of which nothing is left is positive.
      if (found.none[s] && found.minus[s]) head_o[s][SegBits-1] <= 1'b0;
    end
  end

endmodule
