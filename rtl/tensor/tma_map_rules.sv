// SPDX-License-Identifier: Apache-2.0
// The rules that a tensor map has to keep, in the order of their codes (semantics, 2.2).
//
// What a single word breaks is kept from its step on. What the fields of the control word break
// among themselves, and what products decide, is asked for when the map is done: `fault_o` is of
// value then. All but the last product is steady long before, and has a register. No latency behind
// the last step. Reset: none, `start_i` forgets the map before.

module tma_map_rules
  import tma_isa_pkg::*;
  import tma_map_pkg::*;
(
  input  logic        clk_i,
  input  logic        start_i,

  // The word in the register
  input  step_t       step_i,
  input  logic [31:0] word_i,
  input  logic [2:0]  dim_i,

  // The control word, steady from its step on
  input  control_t    control_i,
  input  rules_t      control_broken_i,
  input  logic        tiled_i,
  input  logic        padded_i,
  input  logic        wide_grain_i,     // addresses and strides are multiples of 32

  // Of the dimension, in its steps
  input  logic        used_i,
  input  logic        empty_i,          // its window has nothing, at any time

  // Of the whole map
  input  logic        reserved_i,       // a bit of words 20 to 31 is set
  input  logic [7:0]  side_i,           // boxDim[0] - 1
  input  logic [13:0] row_i,            // of the box, in units of 2 bits
  input  logic [3:0]  span_i,           // of the swizzle, in chunks; 0: none
  input  logic        too_large_i,

  output rules_t      broken_o,
  output logic [15:0] fault_o
);

  rules_t broken_q, broken_now;

  always_comb begin
    broken_now = '0;
    if (step_i.control) broken_now[RuleReserved] = word_i[31:24] != '0;
    if (step_i.row)     broken_now[RuleReserved] = word_i[23:15] != '0;
    if (step_i.box)     broken_now[RuleReserved] = !tiled_i && control_i.wide == WideNone &&
                                                   control_i.rank == 3'd4 && (word_i[15] || word_i[31]);
    if (step_i.pixels)  broken_now[RuleReserved] = word_i[31:10] != '0 ||
                                                   (tiled_i && word_i[9:0] != '0);
    if (step_i.strides) broken_now[RuleReserved] = word_i[31:16] != '0;
    if (step_i.low)     broken_now[RuleAddress]  = word_i[3:0] != '0 || (wide_grain_i && word_i[4]);
    if (step_i.size) begin
      broken_now[RuleDim] = dim_i == '0 && ((padded_i && word_i[6:0] != '1) ||
                                            (control_i.element_type == MapTypeB4x16 && !word_i[0]));
    end
    if (step_i.rest && dim_i != '0) broken_now[RuleStride] = used_i && wide_grain_i && word_i[0];
    broken_now[RuleCorners] = empty_i;
  end

  always_ff @(posedge clk_i) broken_q <= start_i ? '0 : broken_q | broken_now;

  rules_t steady, steady_q;

  always_comb begin
    steady          = control_broken_i;
    steady[RuleBox] = row_i[5:0] != '0 || (padded_i && side_i != 8'd127) ||
                      (span_i != '0 && 10'(row_i[13:6]) > 10'(span_i));
    if (reserved_i) steady[RuleReserved] = 1'b1;
  end

  always_ff @(posedge clk_i) steady_q <= steady;

  always_comb begin
    broken_o           = broken_q | steady_q;
    broken_o[RuleSize] = too_large_i;
  end

  always_comb begin
    fault_o = FaultNone;
    for (int i = Rules - 1; i >= 0; i--) begin
      if (broken_o[i]) fault_o = FaultMapReserved + 16'(i);
    end
  end

  // Steps that carry no rule of their own, fields that tma_map_control looks at.
  logic unused;
  assign unused = ^{step_i, control_i};

endmodule
