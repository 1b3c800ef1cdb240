// SPDX-License-Identifier: Apache-2.0
// Sixth stage of a reduction: the first bit of a sum of floating point comes to its place, and the exponent follows.
//
//   word --> left by 0, 4, 8, 12 --> by segments --> right by 1, left by 0, 1, 2 --> word
//
// Throughput: 64 bits per cycle. Latency: a cycle. No reset.

module tma_reduce_normalize
  import tma_reduce_pkg::*;
#(
  parameter bit Float64 = 1'b1
) (
  input  logic    clk_i,

  // From tma_reduce_count
  input  form_t   form_i,
  input  flags_t  sum_i,
  input  counts_t count_i,
  input  flags_t  zero_i,
  input  flags_t  clear_i,
  input  word_t   word_i,
  input  word_t   below_i,
  input  guards_t guard_i,
  input  word_t   head_i,

  // From the next cycle on
  output flags_t  top_o,
  output word_t   word_o,
  output word_t   head_o,    // without the hidden bit, which is in `word`
  output flags_t  half_o,    // what lies below the last bit of an element
  output flags_t  more_o
);

  // Bits of a sum of 16 bits, and of the uppermost segment of others; what is above them stays.
  localparam int unsigned Short = 12;

  flags_t bottom;

  assign bottom = bottoms(form_i.top);

  // Within segments. Where an element begins nothing but a guard comes from below.
  word_t by_four;

  for (genvar s = 0; s < Segments; s++) begin : g_four
    localparam bit          Top  = s == Segments - 1 || (s == 1 && !Float64);
    localparam int unsigned Bits = Top ? Short : SegBits;

    logic [Bits-1:0]    wide;
    logic [SegBits-1:0] unused_below;

    assign {wide, unused_below} = {word_i[s][Bits-1:0], below_i[s]} << {count_i[s][3:2], 2'b00};

    always_comb begin
      by_four[s]           = word_i[s];
      by_four[s][Bits-1:0] = wide;
    end
  end

  // By whole segments: those of 32 bits by one, those of 64 by three at most. The first bit that fell off may come too.
  word_t      by_segment;
  flags_t     fallen;
  logic [1:0] half;   // of the elements of 32 bits: by a segment
  logic [1:0] by;     // of that of 64

  assign half = form_i.top[1] && !form_i.top[0] ? {count_i[2][4], count_i[0][4]} : '0;
  assign by   = Float64 && !form_i.top[1] ? count_i[0][5:4] : '0;

  for (genvar s = 0; s < Segments; s++) assign fallen[s] = guard_i[s][2] && count_i[s][3:2] == '0;

  for (genvar s = 0; s < Segments; s++) begin : g_segments
    localparam bit          Top  = s == Segments - 1 || (s == 1 && !Float64);
    localparam int unsigned Bits = Top ? 9 : SegBits;

    segment_t taken;

    if (!Float64) begin : g_of_two
      if (s % 2 != 0) begin : g_segment
        assign taken = half[s/2] ? by_four[s-1] : by_four[s];
      end else begin : g_fallen
        assign taken = half[s/2] ? {fallen[s], {(SegBits-1){1'b0}}} : by_four[s];
      end
    end else begin : g_of_four
      word_t      from;
      logic [1:0] down;   // so many segments below; three: what fell off, of an element of 32 bits in the upper half

      assign down = by | {s == 2 && half[1], half[s/2]};

      for (genvar k = 0; k < Segments; k++) begin : g_from
        if (s >= k) begin : g_segment
          assign from[k] = by_four[s-k];
        end else if (k == s + 1) begin : g_fallen
          assign from[k] = {s == 2 && bottom[2] ? fallen[2] : fallen[0], {(SegBits-1){1'b0}}};
        end else begin : g_nothing
          assign from[k] = '0;
        end
      end

      assign taken = from[down];
    end

    always_comb begin
      by_segment[s]           = by_four[s];
      by_segment[s][Bits-1:0] = taken[Bits-1:0];
    end

    logic unused_taken;
    assign unused_taken = ^taken;
  end

  logic unused_by;
  assign unused_by = ^by;

  // By one.
  word_t  by_one, mask;
  flags_t half_bit, more;

  for (genvar s = 0; s < Segments; s++) begin : g_one
    localparam bit          Top  = s == Segments - 1 || (s == 1 && !Float64);
    localparam int unsigned Bits = Top ? 11 : SegBits;

    logic [SegBits+2:0] wide;
    logic [1:0]         last;   // below this segment
    logic               far;

    assign far  = count_i[s][CountWidth-1:2] != '0;

    if (s == 0) begin : g_lowest
      assign last = far ? 2'b00 : guard_i[s][2:1];
    end else begin : g_other
      assign last = !bottom[s] ? by_segment[s-1][SegBits-1 -: 2] : far ? 2'b00 : guard_i[s][2:1];
    end

    if (s == Segments - 1) begin : g_highest
      assign wide = {1'b0, by_segment[s], last};
    end else begin : g_not_highest
      assign wide = {by_segment[s+1][0], by_segment[s], last};
    end

    always_comb begin
      by_one[s]           = by_segment[s];
      by_one[s][Bits-1:0] = Bits'(wide >> ~count_i[s][1:0]);
    end

    always_comb begin
      unique case (count_i[s][1:0])
        2'd0:    {half_bit[s], more[s]} = {word_i[s][0], |guard_i[s]};
        2'd1:    {half_bit[s], more[s]} = {guard_i[s][2], |guard_i[s][1:0]};
        default: {half_bit[s], more[s]} = guard_i[s][1:0];
      endcase
      if (far || !sum_i[s]) half_bit[s] = 1'b0;
    end

    // Infinity has the hidden bit, which completes the exponent.
    assign mask[s] = !sum_i[s] ? '1 : form_i.hidden[s] | (clear_i[s] ? '0 : form_i.fraction[s]);
  end

  //////////////
  // Exponent //
  //////////////

  word_t head;

  for (genvar s = 0; s < Segments; s++) begin : g_exponent
    logic [SegBits-2:4] placed;

    always_comb begin
      if (form_i.hidden[s][10])                                      placed = 11'(count_i[s][4:0]) << 6;
      else if (s == Segments - 1 && Float64 && form_i.hidden[s][4])  placed = 11'(count_i[s]);
      else                                                           placed = 11'(count_i[s][4:0]) << 3;
      head[s]              = head_i[s];
      head[s][SegBits-2:4] = head_i[s][SegBits-2:4] - placed;
      if (zero_i[s] || !sum_i[s]) head[s][SegBits-2:0] = '0;
      if (!form_i.top[s]) head[s] = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    top_o  <= form_i.top;
    head_o <= head;
    half_o <= half_bit & ~clear_i;
    more_o <= more;
    word_o <= mask & by_one;
  end

  logic unused_bits;
  assign unused_bits = ^{form_i.exponent, bottom[0], fallen[3], fallen[1]};

endmodule
