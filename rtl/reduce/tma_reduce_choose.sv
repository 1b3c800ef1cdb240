// SPDX-License-Identifier: Apache-2.0
// Second stage of a reduction: what goes into the adder. Semantics 3, M10-M15.
//
//   dst, src --> one of them, bit by bit, a constant ---> chosen --+
//           \--> smaller magnitude, or what is added ---> added  --+--> adder (tma_reduce_sum)
//            \-> difference of exponents ---------------> count
//
// What needs no adder (min, max, bits, a NaN, infinity) is `chosen`, beside an `added` of zero. Of a sum of floating
// point `chosen` is the operand as it is, with the larger magnitude, `added` the significand of the other one.
//
// With `Short` that which one it is, and the difference of exponents, has a cycle of its own.
//
// Throughput: 64 bits per cycle. Latency: a cycle, with `Short` two. No reset.

module tma_reduce_choose
  import tma_isa_pkg::*;
  import tma_reduce_pkg::*;
#(
  parameter bit Float64 = 1'b1,
  parameter bit Short   = tma_pkg::ShortPaths
) (
  input  logic         clk_i,

  // From tma_reduce_compare
  input  logic [2:0]   op_i,
  input  form_t        form_i,
  input  logic         sums_i,
  input  logic         flush_i,
  input  word_t        nan_i,
  input  word_t        dst_i,
  input  word_t        src_i,
  input  flags_t       less_i,
  input  flags_t [1:0] normal_i,
  input  flags_t [1:0] full_i,
  input  flags_t [1:0] some_i,

  // From the next cycle on, with `Short` the one after it
  output form_t        form_o,
  output logic         flush_o,
  output word_t        chosen_o,
  output word_t        added_o,
  output word_t        above_o,   // of `added`, the segment above each one, if that is of the same element
  output counts_t      count_o,   // places that `added` goes to the right; spread
  output flags_t       sum_o,     // a sum of floating point, of finite numbers; spread
  output flags_t       differ_o,  // and of different signs; spread
  output flags_t       down_o,    // less one; spread
  output flags_t       normal_o,  // the exponent of `chosen` is not 0
  output flags_t       flushed_o  // `chosen` counts as 0; spread
);

  // What `chosen` is.
  typedef enum logic [2:0] {TakeDst, TakeSrc, TakeAnd, TakeOr, TakeXor, TakeConst} take_e;

  // What is known before anything moves: at the uppermost segments, or as it came.
  typedef struct packed {
    logic [2:0]              op;
    form_t                   form;
    logic                    sums, flush;
    word_t                   nan, dst, src;
    flags_t                  less;
    flags_t [1:0]            normal;
    flags_t                  differ, special;
    flags_t [2:0]            code;            // take_e, bit by bit
    flags_t [CountWidth-1:0] places;
  } decision_t;

  word_t     operand[2];
  decision_t made, known;

  assign operand = '{dst_i, src_i};

  if (Short) begin : g_short
    always_ff @(posedge clk_i) known <= made;
  end else begin : g_at_once
    assign known = made;
  end

  //////////////
  // Decision //
  //////////////

  flags_t                  differ, special;
  flags_t [1:0]            nan, some;
  flags_t [2:0]            code;
  flags_t [CountWidth-1:0] places;
  logic                    double;

  assign made = '{op: op_i, form: form_i, sums: sums_i, flush: flush_i, nan: nan_i, dst: dst_i, src: src_i,
                  less: less_i, normal: normal_i, differ: differ, special: special, code: code, places: places};

  assign double = Float64 && form_i.hidden[3][4];

  for (genvar i = 0; i < 2; i++) begin : g_nan
    assign some[i] = gather(form_i.top, some_i[i]);

    for (genvar s = 0; s < Segments; s++) begin : g_segment
      assign nan[i][s] = form_i.exponent[s][SegBits-2] && full_i[i][s] && some[i][s];
    end
  end

  assign special = full_i[0] | full_i[1];

  // Infinity is larger than any number, and a NaN than infinity: of a sum they are the larger one.
  for (genvar s = 0; s < Segments; s++) begin : g_take
    take_e choice;
    logic  invalid, is_nan;

    assign differ[s] = dst_i[s][SegBits-1] != src_i[s][SegBits-1];
    assign invalid   = full_i[0][s] && full_i[1][s] && !nan[0][s] && !nan[1][s] && differ[s];
    assign is_nan    = invalid || (!double && (nan[0][s] || nan[1][s]));

    always_comb begin
      choice = TakeDst;
      if (sums_i) begin
        if (is_nan)                        choice = TakeConst;
        else if (less_i[s] || nan[1][s])   choice = TakeSrc;
      end else begin
        unique case (op_i)
          ReduceAdd: choice = TakeDst;
          ReduceMin, ReduceMax: begin
            if (nan[0][s] && nan[1][s])                  choice = TakeConst;
            else if (nan[0][s])                          choice = TakeSrc;
            else if (nan[1][s])                          choice = TakeDst;
            else if (less_i[s] == (op_i == ReduceMax))   choice = TakeSrc;
          end
          ReduceInc: if (!less_i[s])                     choice = TakeConst;
          // At zero, or above the src.
          ReduceDec: if (!less_i[s] || !some[0][s])      choice = TakeSrc;
          ReduceAnd: choice = TakeAnd;
          ReduceOr:  choice = TakeOr;
          default:   choice = TakeXor;
        endcase
      end
    end

    assign {code[2][s], code[1][s], code[0][s]} = choice;
  end

  ///////////////
  // Exponents //
  ///////////////

  // They are subtracted where they lie. Less one, if dst is the smaller one: then all bits the other way are the
  // difference. The exponent of a number that is not normal is 1. A count of all ones leaves nothing of it.
  for (genvar s = 0; s < Segments; s++) begin : g_exponent
    localparam int unsigned Low = s == Segments - 1 && Float64 ? 4 : 7;

    logic [SegBits-2:Low] exponent[2];
    logic [SegBits-2:Low] other, difference;
    logic [SegBits-2:4]   ahead;
    logic                 far, unused_cut;
    count_t               count;

    for (genvar i = 0; i < 2; i++) begin : g_one
      assign exponent[i] = operand[i][s][SegBits-2:Low] | (form_i.hidden[s][SegBits-2:Low] &
                                                           {(SegBits - 1 - Low){!normal_i[i][s]}});
    end

    // Bits that are no exponent let the borrow through. By words, here and below: bit by bit, simulation of the whole
    // engine takes a quarter longer.
    assign other = (form_i.exponent[s][SegBits-2:Low] & exponent[1]) | (~form_i.exponent[s][SegBits-2:Low] & exponent[0]);

    assign {difference, unused_cut} = {exponent[0], 1'b1} + {~other, !less_i[s]};

    always_comb begin
      ahead                = '0;
      ahead[SegBits-2:Low] = difference ^ {(SegBits - 1 - Low){less_i[s]}};
      count                = '0;
      if (s % 2 == 0) begin
        far        = form_i.hidden[s][10] ? ahead[14] : |ahead[14:11];
        count[3:0] = form_i.hidden[s][10] ? ahead[13:10] : ahead[10:7];
      end else if (form_i.hidden[s][10]) begin
        {far, count[3:0]} = ahead[14:10];
      end else if (s == Segments - 1 && double) begin
        {far, count} = {|ahead[14:10], ahead[9:4]};
      end else begin
        {far, count[4:0]} = {|ahead[14:12] || (ahead[11] && form_i.top[0]), ahead[11:7]};
      end
      if (!sums_i) {far, count} = '0;
    end

    for (genvar k = 0; k < CountWidth; k++) assign places[k][s] = count[k] || far;
  end

  ////////////
  // Choice //
  ////////////

  flags_t                  sum, steps;
  flags_t [2:0]            take;
  flags_t [CountWidth-1:0] away;
  word_t                   chosen;

  assign sum      = known.sums ? ~spread(known.form.top, known.special) : '0;

  for (genvar i = 0; i < 3; i++) assign take[i] = spread(known.form.top, known.code[i]);

  for (genvar s = 0; s < Segments; s++) begin : g_chosen
    always_comb begin
      unique case (take_e'({take[2][s], take[1][s], take[0][s]}))
        TakeDst:   chosen[s] = known.dst[s];
        TakeSrc:   chosen[s] = known.src[s];
        TakeAnd:   chosen[s] = known.dst[s] & known.src[s];
        TakeOr:    chosen[s] = known.dst[s] | known.src[s];
        TakeXor:   chosen[s] = known.dst[s] ^ known.src[s];
        default:   chosen[s] = known.nan[s];   // zero, where a counter begins again
      endcase
    end
  end

  // A counter that goes on.
  for (genvar s = 0; s < Segments; s++) assign steps[s] = {take[2][s], take[1][s], take[0][s]} == TakeDst;

  ///////////
  // Added //
  ///////////

  flags_t       dst_added, bottom;
  flags_t [1:0] zeroed;
  word_t        mask, added;

  assign bottom    = bottoms(known.form.top);
  assign dst_added = known.sums ? known.less : '0;

  for (genvar i = 0; i < 2; i++) assign zeroed[i] = known.flush ? ~spread(known.form.top, known.normal[i]) : '0;

  for (genvar s = 0; s < Segments; s++) begin : g_added
    logic     kept, hidden, step;
    segment_t value, beside;       // beside what is kept of the element

    assign hidden   = sum[s] && (dst_added[s] ? known.normal[0][s] : known.normal[1][s]);
    assign kept     = known.sums ? sum[s] && !(dst_added[s] ? zeroed[0][s] : zeroed[1][s]) : known.op == ReduceAdd;
    assign mask[s]  = kept ? known.form.fraction[s] : '0;
    assign step     = !known.sums && known.op == ReduceInc && steps[s] && bottom[s];
    assign value    = dst_added[s] ? known.dst[s] : known.src[s];
    assign beside   = {known.form.hidden[s][SegBits-1:1] & {(SegBits-1){hidden}}, step};
    assign added[s] = (mask[s] & value) | (~mask[s] & beside);
  end

  for (genvar k = 0; k < CountWidth; k++) assign away[k] = spread(known.form.top, known.places[k]);

  always_ff @(posedge clk_i) begin
    form_o    <= known.form;
    flush_o   <= known.flush;
    chosen_o  <= chosen;
    added_o   <= added;
    sum_o     <= sum;
    differ_o  <= spread(known.form.top, known.differ) & sum;
    down_o    <= known.op == ReduceDec ? steps : '0;
    for (int unsigned s = 0; s < Segments; s++) begin
      above_o[s]   <= s == Segments - 1 || bottom[(s+1) % Segments] ? '0 : added[(s+1) % Segments];
      normal_o[s]  <= known.less[s] ? known.normal[1][s] : known.normal[0][s];
      flushed_o[s] <= known.less[s] ? zeroed[1][s] : zeroed[0][s];
      for (int unsigned k = 0; k < CountWidth; k++) count_o[s][k] <= away[k][s];
    end
  end

endmodule
