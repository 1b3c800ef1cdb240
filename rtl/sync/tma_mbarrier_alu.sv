// SPDX-License-Identifier: Apache-2.0
// One operation on one mbarrier object, after an optional complete_tx of the same cycle.
//
// Combinational. An operation that faults changes nothing; where several rules are broken the
// first in the order of the fault codes is reported.
//
// A phase completes when nothing is pending and no bytes are missing. That is looked at after every
// operation that counts, expect_tx included, and only after the whole operation: arrive with
// expect_tx is one step.
//
// The complete_tx before (`first_i`) must not fault. Rather than one object after the other, this
// computes the operation for both outcomes of the first one and selects late: the difference of
// the arrivals to a new phase is the one that arrive_drop needs anyway.

module tma_mbarrier_alu
  import tma_pkg::*;
  import tma_isa_pkg::*;
#(
  parameter bit WithFirst = 1'b1  // 0: nothing ever comes first
) (
  input  barrier_t              bar_i,

  // complete_tx that comes first
  input  logic                  first_i,
  input  logic [CountWidth-1:0] first_tx_i,

  // The operation
  input  bar_op_e               op_i,
  input  logic [CountWidth-1:0] count_i,
  input  logic [CountWidth-1:0] tx_i,
  input  logic                  drop_i,
  input  logic                  no_complete_i,

  output logic [CountWidth-1:0] pending_o,  // before the operation, after the first one
  output logic                  phase_o,    // likewise
  output barrier_t              bar_o,      // after the operation, of one that changes the object
  output logic                  ends_o,     // it completes a phase, if it has no fault
  output fault_e                fault_o
);

  localparam int unsigned SumWidth = TxWidth + 2;  // of three terms
  localparam int unsigned TopBits  = SumWidth - CountWidth;

  ///////////////////
  // What is asked //
  ///////////////////

  logic                  alive, arrives, counts;
  logic [CountWidth-1:0] arrivals;

  assign alive    = bar_i.live == BarrierAlive;
  assign arrives  = op_i == BarArrive;
  assign counts   = arrives || op_i == BarExpect || op_i == BarComplete;
  // Adding one arrival is taking away all but one of 2^20: `pending` and `none_left` follow suit.
  assign arrivals = arrives ? count_i : {CountWidth{op_i == BarPend}};

  ///////////////////////////
  // complete_tx before it //
  ///////////////////////////

  logic first, first_flip;

  assign first      = WithFirst && first_i;
  assign first_flip = first && bar_i.pending == '0 && bar_i.tx == {1'b0, first_tx_i};
  assign pending_o  = first_flip ? bar_i.expected : bar_i.pending;
  assign phase_o    = bar_i.phase ^ first_flip;

  ///////////
  // Bytes //
  ///////////

  logic                minus;
  logic [SumWidth-1:0] held, delta, sum;
  logic [TopBits-1:0]  top;
  logic                low_zero, tx_zero, tx_outside;

  assign minus = op_i == BarComplete;
  assign held  = SumWidth'($signed(bar_i.tx));
  assign delta = minus ? ~SumWidth'(tx_i) : SumWidth'(tx_i);

  // One carry chain; the ones that complements lack go into low bits.
  if (WithFirst) begin : g_three
    logic [SumWidth-1:0] minus_first, partial, carry;
    logic                unused_low, unused_carry;

    assign minus_first  = first ? ~SumWidth'(first_tx_i) : '1;
    assign partial      = held ^ minus_first ^ delta;
    assign carry        = (held & minus_first) | (held & delta) | (minus_first & delta);
    assign unused_carry = carry[SumWidth-1];
    assign {sum, unused_low} = {partial, 1'b1} + {carry[SumWidth-2:0], 1'b1, minus};
  end else begin : g_two
    logic unused_low;

    assign {sum, unused_low} = {held, 1'b1} + {delta, minus};
  end

  // The range is symmetric: -2^20, which the field could hold, lies outside.
  assign top        = sum[SumWidth-1 -: TopBits];
  assign low_zero   = sum[CountWidth-1:0] == '0;
  assign tx_zero    = top == '0 && low_zero;
  assign tx_outside = top != '0 && (top != '1 || low_zero);

  //////////////
  // Arrivals //
  //////////////

  logic [CountWidth-1:0] left, left_next, expected;
  logic                  none_left, below, below_next, completes;

  assign left      = bar_i.pending - arrivals;
  assign left_next = bar_i.expected - arrivals;  // in a phase that the first one has begun
  assign none_left = first_flip ? bar_i.expected == arrivals : bar_i.pending == arrivals;
  assign below     = bar_i.pending < count_i;
  assign below_next = bar_i.expected < count_i;
  assign completes = none_left && tx_zero;
  assign expected  = drop_i ? left_next : bar_i.expected;

  ////////////
  // Result //
  ////////////

  always_comb begin
    fault_o = FaultNone;
    if (op_i != BarInit && !alive)                          fault_o = FaultBarrierDead;
    else if (arrives && (first_flip ? below_next : below))  fault_o = FaultPendingUnderflow;
    else if (counts && tx_outside)                          fault_o = FaultTxCountRange;
    else if (arrives && no_complete_i && completes)         fault_o = FaultNoCompleteCompletes;
    else if (arrives && drop_i && below_next)               fault_o = FaultExpectedUnderflow;
    else if (op_i == BarPend && none_left)                  fault_o = FaultPendingOverflow;
  end

  assign ends_o = counts && completes;

  always_comb begin
    bar_o.live     = BarrierAlive;
    bar_o.phase    = phase_o ^ completes;
    bar_o.tx       = sum[TxWidth-1:0];
    bar_o.expected = expected;
    if (completes)       bar_o.pending = expected;
    else if (first_flip) bar_o.pending = left_next;
    else                 bar_o.pending = left;

    if (op_i == BarInit) begin
      bar_o.phase    = 1'b0;
      bar_o.tx       = '0;
      bar_o.expected = count_i;
      bar_o.pending  = count_i;
    end
    if (op_i == BarInval) bar_o = '0;
  end

endmodule
