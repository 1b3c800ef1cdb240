// SPDX-License-Identifier: Apache-2.0
// Second and third stage of a reduction of one element: equal exponents, then one adder for all types.
//
//   dst, src --> larger magnitude ----------------> a --+
//           \--> smaller one, moved to the right -> b --+--> a + b, a - b
//
// What needs no adder (min, max, bits, a NaN) is chosen as `a`, beside a `b` of zero. Bits that fall off at the right
// stay as the last one.
//
// Latency: two cycles. No reset.

module tma_reduce_sum
  import tma_isa_pkg::*;
  import tma_reduce_pkg::*;
#(
  parameter int unsigned Width = 64
) (
  input  logic             clk_i,

  // From tma_reduce_unpack
  input  logic [2:0]       op_i,
  input  about_t           about_i,
  input  logic [Width-1:0] dst_i,
  input  logic [Width-1:0] src_i,
  input  logic [1:0]       sign_i,
  input  exp_t [1:0]       exponent_i,
  input  exp_t [1:0]       ahead_i,
  input  logic [1:0]       full_i,
  input  logic [1:0]       nan_i,
  input  logic             less_i,
  input  logic             equal_i,
  input  logic             zero_i,

  output about_t           about_o,
  output logic [Width-1:0] sum_o
);

  localparam int unsigned CountWidth = $clog2(Width);

  typedef logic [Width-1:0] word_t;

  // What `a` is, bit by bit.
  typedef enum logic [2:0] {TakeDst, TakeSrc, TakeAnd, TakeOr, TakeXor, TakeConst} take_e;

  // What `b` is.
  typedef enum logic [2:0] {AddNothing, AddSrc, AddOne, AddMinusOne, AddSmaller} add_e;

  take_e take;
  add_e  adds;
  logic  differ, special, invalid, is_nan;

  ////////////
  // Choice //
  ////////////

  assign differ  = sign_i[0] != sign_i[1];
  assign special = about_i.sums && full_i != '0;
  assign invalid = &full_i && nan_i == '0 && differ;
  assign is_nan  = about_i.sums && (invalid || (about_i.format != F64 && nan_i != '0));

  // Infinity is larger than any number, and a NaN than infinity: of a sum they are the larger one.
  always_comb begin
    take = TakeDst;
    adds = AddNothing;
    if (about_i.sums) begin
      if (is_nan)                  take = TakeConst;
      else if (less_i || nan_i[1]) take = TakeSrc;
      if (!special)                adds = AddSmaller;
    end else begin
      unique case (op_i)
        ReduceAdd: adds = AddSrc;
        ReduceMin, ReduceMax: begin
          if (&nan_i)                                 take = TakeConst;
          else if (nan_i[0])                          take = TakeSrc;
          else if (nan_i[1])                          take = TakeDst;
          else if (less_i == (op_i == ReduceMax))     take = TakeSrc;
        end
        ReduceInc: begin
          if (less_i) adds = AddOne;
          else        take = TakeConst;
        end
        ReduceDec: begin
          if (zero_i || (!less_i && !equal_i)) take = TakeSrc;
          else                                 adds = AddMinusOne;
        end
        ReduceAnd: take = TakeAnd;
        ReduceOr:  take = TakeOr;
        default:   take = TakeXor;
      endcase
    end
  end

  // Zero of a counter; the NaN of two NaNs, whose bits are all set but the sign; that of a sum, of f64 the quiet one.
  word_t constant;

  always_comb begin
    constant = '0;
    if (!about_i.sums) begin
      if (op_i != ReduceInc) constant = word_t'({16'h7FFF, 48'd0} >> (64 - Width));
    end else if (about_i.format == F64) begin
      constant = word_t'((64'd3 << 61) >> (64 - Width));
    end else begin
      constant = word_t'((~((last_of(about_i.format) >> 1) - 64'd1) & ~(64'd1 << 63)) >> (64 - Width));
    end
  end

  //////////////
  // 2: words //
  //////////////

  word_t                 a, b, a_q, b_q, smaller, moved, one;
  exp_t                  ahead;
  logic [CountWidth-1:0] count;
  logic                  picks_src, lost;
  about_t                about, about_q;

  assign ahead   = less_i ? ahead_i[1] : ahead_i[0];
  assign smaller = less_i ? dst_i : src_i;
  assign count   = ahead[CountWidth-1:0] | {CountWidth{(ahead >> CountWidth) != '0}};

  // By powers of two. The largest count leaves nothing: the first bit of a significand is the second of its word.
  always_comb begin
    moved = smaller;
    lost  = 1'b0;
    for (int unsigned k = 0; k < CountWidth; k++) begin
      if (count[k]) begin
        lost  = lost || (moved & ~({Width{1'b1}} << (1 << k))) != '0;
        moved = moved >> (1 << k);
      end
    end
  end

  always_comb begin
    unique case (take)
      TakeDst:   a = dst_i;
      TakeSrc:   a = src_i;
      TakeAnd:   a = dst_i & src_i;
      TakeOr:    a = dst_i | src_i;
      TakeXor:   a = dst_i ^ src_i;
      default:   a = constant;
    endcase
  end

  // The last bit of a word of 32 or 64.
  assign one = about_i.size == Size32 ? word_t'(1) << (Width - 32) : word_t'(1);

  always_comb begin
    unique case (adds)
      AddSrc:      b = src_i;
      AddOne:      b = one;
      AddMinusOne: b = ~(one - word_t'(1));
      AddSmaller:  b = {moved[Width-1:1], moved[0] || lost};
      default:     b = '0;
    endcase
  end

  assign picks_src = take == TakeSrc;

  always_comb begin
    about          = about_i;
    about.special  = special;
    about.minus    = adds == AddSmaller && differ;
    about.sign     = is_nan ? about_i.format == F64 : sign_i[picks_src];
    about.exponent = exponent_i[picks_src];
    if (is_nan) about.exponent = full_of(about_i.format);
  end

  always_ff @(posedge clk_i) begin
    a_q     <= a;
    b_q     <= b;
    about_q <= about;
  end

  ////////////
  // 3: sum //
  ////////////

  always_ff @(posedge clk_i) begin
    sum_o   <= a_q + (b_q ^ {Width{about_q.minus}}) + word_t'(about_q.minus);
    about_o <= about_q;
  end

endmodule
