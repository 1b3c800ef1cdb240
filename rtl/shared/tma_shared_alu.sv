// SPDX-License-Identifier: Apache-2.0
// Arithmetic of reductions in shared memory: dst = OP(dst, src) on a line of integers, semantics 3.
//
//   dst --> + src, 1, -1 --> sum --+
//    \----> compare with src ------+--> result
//
// Pairs of operator and type are those of the shared column of semantics 1.5: only an add has elements of 64 bits.
// Any other pair gives anything. Combinational.

module tma_shared_alu
  import tma_pkg::*;
  import tma_isa_pkg::*;
(
  input  how_t  how_i,
  input  line_t dst_i,        // old
  input  line_t src_i,        // new
  output line_t result_o
);

  localparam int unsigned Pairs = DataBytes / 8;

  // What becomes of a word.
  typedef enum logic [2:0] {TakeSum, TakeDst, TakeSrc, TakeAnd, TakeOr, TakeXor, TakeZero} take_e;

  logic adds, counts_up, joins, is_signed, unused_flush;

  assign adds         = how_i.op == ReduceAdd;
  assign counts_up    = how_i.op == ReduceInc;
  assign joins        = how_i.kind == TypeU64;
  assign is_signed    = how_i.kind == TypeS32;
  assign unused_flush = how_i.flush;

  for (genvar p = 0; p < Pairs; p++) begin : g_pair
    logic [1:0][31:0] dst, src, other, sum, result;
    logic             unused_carry;

    assign dst = dst_i[64*p +: 64];
    assign src = src_i[64*p +: 64];

    // A bit between the words of the pair: it takes the carry of the lower one, and passes it on if `joins`.
    assign {sum[1], unused_carry, sum[0]} = {dst[1], joins, dst[0]} + {other[1], 1'b0, other[0]};

    for (genvar w = 0; w < 2; w++) begin : g_word
      logic  less, equal;
      take_e take;

      assign other[w] = adds ? src[w] : {{31{!counts_up}}, 1'b1};
      assign less     = {dst[w][31] ^ is_signed, dst[w][30:0]} < {src[w][31] ^ is_signed, src[w][30:0]};
      assign equal    = dst[w] == src[w];

      always_comb begin
        unique case (how_i.op)
          ReduceAdd: take = TakeSum;
          ReduceMin: take = less ? TakeDst : TakeSrc;
          ReduceMax: take = less ? TakeSrc : TakeDst;
          ReduceInc: take = less ? TakeSum : TakeZero;
          ReduceDec: take = dst[w] == '0 || !(less || equal) ? TakeSrc : TakeSum;
          ReduceAnd: take = TakeAnd;
          ReduceOr:  take = TakeOr;
          default:   take = TakeXor;
        endcase
      end

      // Three operands and three bits of choice: as much as a LUT has.
      always_comb begin
        unique case (take)
          TakeSum:  result[w] = sum[w];
          TakeDst:  result[w] = dst[w];
          TakeSrc:  result[w] = src[w];
          TakeAnd:  result[w] = dst[w] & src[w];
          TakeOr:   result[w] = dst[w] | src[w];
          TakeXor:  result[w] = dst[w] ^ src[w];
          default:  result[w] = '0;
        endcase
      end
    end

    assign result_o[64*p +: 64] = result;
  end

endmodule
