// SPDX-License-Identifier: Apache-2.0
// First stage of a reduction: both operands compared, and what of them is special. Semantics 3.
//
// One carry chain compares the elements of all sizes. In front of each segment it has a place that begins an element,
// or lets the carry of the segment below through:
//
//   segment 3 | cut | segment 2 | cut | segment 1 | cut | segment 0 | cut <-- 1
//                ^ an element that begins: carry out to the right, 1 in at the left
//
// Throughput: 64 bits per cycle. Latency: a cycle. No reset.

module tma_reduce_compare
  import tma_isa_pkg::*;
  import tma_pkg::how_t;
  import tma_reduce_pkg::*;
#(
  parameter bit Floats  = 1'b1,
  parameter bit Float64 = 1'b1
) (
  input  logic         clk_i,

  input  how_t         how_i,
  input  word_t        dst_i,
  input  word_t        src_i,

  // From the next cycle on
  output logic [2:0]   op_o,
  output form_t        form_o,
  output logic         sums_o,    // a sum of floating point
  output logic         flush_o,
  output word_t        nan_o,     // what comes where there is no number
  output word_t        dst_o,
  output word_t        src_o,
  output flags_t       less_o,    // dst < src, of `dec` dst <= src, of a sum of floating point by magnitude; spread
  output flags_t [1:0] normal_o,  // the exponent of dst 0, of src 1 is not 0
  output flags_t [1:0] full_o,    // all its bits are set: infinity or NaN
  output flags_t [1:0] some_o     // the fraction is not 0, in this segment
);

  layout_e layout;
  form_t   form;
  logic    sums;

  always_comb begin
    layout = Whole;
    if (Floats) begin
      unique case (how_i.kind)
        TypeF16:  layout = F16;
        TypeBf16: layout = Bf16;
        TypeF32:  layout = F32;
        TypeF64:  layout = Float64 ? F64 : Whole;
        default:  layout = Whole;
      endcase
    end
  end

  assign form = form_of(size_of(how_i.kind), layout);
  assign sums = layout != Whole && how_i.op == ReduceAdd;

  /////////////////////
  // Each of the two //
  /////////////////////

  word_t [1:0] operand;

  assign operand = {src_i, dst_i};

  for (genvar i = 0; i < 2; i++) begin : g_operand
    for (genvar s = 0; s < Segments; s++) begin : g_segment
      always_ff @(posedge clk_i) begin
        normal_o[i][s] <= (operand[i][s] & form.exponent[s]) != '0;
        full_o[i][s]   <= (operand[i][s] | ~form.exponent[s]) == '1;
        some_o[i][s]   <= (operand[i][s] & form.fraction[s]) != '0;
      end
    end
  end

  /////////////
  // Compare //
  /////////////

  // dst - src, as unsigned numbers. Of a sum of floating point signs do not count: the src has that of the dst here.
  flags_t                         bottom, below, less;
  logic                           at_most;
  logic [Segments-1:0][SegBits:0] minuend, subtrahend;
  logic [Segments:0][SegBits:0]   difference;

  assign bottom  = bottoms(form.top);
  assign at_most = how_i.op == ReduceDec;

  for (genvar s = 0; s < Segments; s++) begin : g_chain
    logic sign;

    assign sign          = sums && form.top[s] ? dst_i[s][SegBits-1] : src_i[s][SegBits-1];
    assign minuend[s]    = {dst_i[s], !bottom[s] || !at_most};
    assign subtrahend[s] = {~sign, ~src_i[s][SegBits-2:0], bottom[s] && !at_most};
    // The place in front of the next segment has the carry, if the element ends here.
    assign below[s]      = !difference[s+1][0];
  end

  assign difference = {{SegBits{1'b0}}, {1'b0, minuend} + {1'b0, subtrahend}};

  logic unused_first;
  assign unused_first = ^difference[0];

  // Then by the signs: of different ones, and of two negative floating-point numbers, the order is the other one.
  // (Of two that are equal it does not matter which is less.)
  for (genvar s = 0; s < Segments; s++) begin : g_less
    logic [1:0] sign;
    logic       turned;

    assign sign = {src_i[s][SegBits-1], dst_i[s][SegBits-1]};

    always_comb begin
      turned = 1'b0;
      if (layout != Whole)                                      turned = !sums && sign != '0;
      else if (how_i.kind == TypeS32 || how_i.kind == TypeS64)  turned = ^sign;
    end

    assign less[s] = below[s] ^ turned;
  end

  always_ff @(posedge clk_i) begin
    op_o    <= how_i.op;
    form_o  <= form;
    sums_o  <= sums;
    nan_o   <= nan_of(layout);
    flush_o <= how_i.flush && layout == F32;
    dst_o   <= dst_i;
    src_o   <= src_i;
    less_o  <= spread(form.top, less);
  end

endmodule
