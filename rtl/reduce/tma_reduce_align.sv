// SPDX-License-Identifier: Apache-2.0
// Third stage of a reduction: equal exponents.
//
//   chosen --> significand ------------------------------------------------> a
//         \--> sign, exponent ---------------------------------------------> head
//   added ---> right by 0, 4, 8, 12 --> by 0, 1, 2, 3 --> by segments ------> b
//
// What is no sum of floating point is `a` and `b` as it is; `head` is zero then.
//
// Throughput: 64 bits per cycle. Latency: a cycle. No reset.

module tma_reduce_align
  import tma_reduce_pkg::*;
#(
  parameter bit Float64 = 1'b1
) (
  input  logic    clk_i,

  // From tma_reduce_choose
  input  form_t   form_i,
  input  logic    flush_i,
  input  word_t   chosen_i,
  input  word_t   added_i,
  input  word_t   above_i,
  input  counts_t count_i,
  input  flags_t  sum_i,
  input  flags_t  differ_i,
  input  flags_t  down_i,
  input  flags_t  normal_i,
  input  flags_t  flushed_i,

  // From the next cycle on
  output form_t   form_o,
  output logic    flush_o,
  output flags_t  sum_o,
  output flags_t  minus_o,   // a - b
  output flags_t  down_o,    // a - 1
  output word_t   a_o,
  output word_t   b_o,
  output guards_t guard_o,   // below `b`, where an element has its lowest segment
  output word_t   head_o
);

  // Significands of 16 bits that need no segment above: of f16. Above them are integers alone, which stay.
  localparam int unsigned Short = 11;

  // Within segments, below them two bits that fell off.
  logic [Segments-1:0][SegBits+1:0] moved;
  flags_t                           lost;

  for (genvar s = 0; s < Segments; s++) begin : g_right
    localparam bit          Top  = s == Segments - 1 || (s == 1 && !Float64);
    localparam int unsigned Bits = Top ? Short : SegBits;

    logic [SegBits+SegBits:0]  wide;
    logic [SegBits+4:0]        by_four;
    logic [SegBits+1:0]        by_one;
    logic [3:0]                count;
    logic                      lost_four, lost_one;

    assign count   = count_i[s][3:0];
    assign wide    = Top ? (2*SegBits+1)'({added_i[s][Bits-1:0], 2'b00})
                         : {above_i[s][SegBits-2:0], added_i[s], 2'b00};
    assign by_four = (SegBits+5)'(wide >> {count[3:2], 2'b00});
    assign by_one  = (SegBits+2)'(by_four >> count[1:0]);

    always_comb begin
      unique case (count[3:2])
        2'd0:    lost_four = 1'b0;
        2'd1:    lost_four = added_i[s][1:0] != '0;
        2'd2:    lost_four = added_i[s][5:0] != '0;
        default: lost_four = added_i[s][9:0] != '0;
      endcase
      unique case (count[1:0])
        2'd0:    lost_one = 1'b0;
        2'd1:    lost_one = by_four[0];
        2'd2:    lost_one = by_four[1:0] != '0;
        default: lost_one = by_four[2:0] != '0;
      endcase
      moved[s] = by_one;
      if (Top) moved[s][SegBits+1:Short+2] = added_i[s][SegBits-1:Short];
    end

    assign lost[s] = lost_four || lost_one;
  end

  // By whole segments: those of 32 bits by one, those of 64 by three at most.
  word_t      b;
  guards_t    guard;
  logic [1:0] half;   // of the elements of 32 bits: by a segment
  logic [1:0] by;     // of that of 64

  assign half = form_i.top[1] && !form_i.top[0] ? {count_i[2][4], count_i[0][4]} : '0;
  assign by   = Float64 && !form_i.top[1] ? count_i[0][5:4] : '0;

  for (genvar s = 0; s < Segments; s++) begin : g_segments
    if (s == Segments - 1 || (s == 1 && !Float64)) begin : g_top
      assign b[s] = half[s/2] || by != '0 ? '0 : moved[s][SegBits+1:2];
    end else if (!Float64) begin : g_of_two
      assign b[s] = half[s/2] ? moved[s+1][SegBits+1:2] : moved[s][SegBits+1:2];
    end else begin : g_of_four
      word_t      from;
      logic [1:0] up;   // so many segments above; three: there is none

      assign up = by | {s % 2 != 0 && half[s/2], half[s/2]};

      for (genvar k = 0; k < Segments; k++) begin : g_from
        if (s + k < Segments) begin : g_segment
          assign from[k] = moved[s+k][SegBits+1:2];
        end else begin : g_nothing
          assign from[k] = '0;
        end
      end

      assign b[s] = from[up];
    end
  end

  // Segment 0 may lose three of them, segment 2 one.
  always_comb begin
    for (int unsigned s = 0; s < Segments; s++) guard[s] = {moved[s][1:0], lost[s]};
    if (half[0] || by == 2'd1)
      guard[0] = {moved[0][17:16], lost[0] || moved[0][15:0] != '0};
    if (by == 2'd2)
      guard[0] = {moved[1][17:16], lost[0] || moved[0] != '0 || moved[1][15:2] != '0};
    if (by == 2'd3)
      guard[0] = {moved[2][17:16], lost[0] || moved[0] != '0 || moved[1][17:2] != '0 || moved[2][15:2] != '0};
    if (half[1])
      guard[2] = {moved[2][17:16], lost[2] || moved[2][15:0] != '0};
  end

  /////////////////////////////////
  // Significand, sign, exponent //
  /////////////////////////////////

  flags_t bottom;
  word_t  a_mask, head_mask, a, head;

  assign bottom = bottoms(form_i.top);

  for (genvar s = 0; s < Segments; s++) begin : g_masks
    assign a_mask[s]    = !sum_i[s] ? '1 : flushed_i[s] ? '0 : form_i.fraction[s];
    assign head_mask[s] = !sum_i[s] ? '0 : form_i.exponent[s] | {form_i.top[s], {(SegBits-1){1'b0}}};
    assign a[s]         = (a_mask[s] & chosen_i[s]) | (~a_mask[s] & form_i.hidden[s] & {SegBits{sum_i[s] && normal_i[s]}});
    assign head[s]      = head_mask[s] & (chosen_i[s] | (form_i.hidden[s] & {SegBits{!normal_i[s]}}));
  end

  always_ff @(posedge clk_i) begin
    form_o  <= form_i;
    flush_o <= flush_i;
    sum_o   <= sum_i;
    minus_o <= differ_i;
    down_o  <= down_i;
    a_o     <= a;
    b_o     <= b;
    head_o  <= head;
    for (int unsigned s = 0; s < Segments; s++) guard_o[s] <= bottom[s] ? guard[s] : '0;
  end

endmodule
