// SPDX-License-Identifier: Apache-2.0
// One operation on one mbarrier object.
//
// Combinational. An operation that faults changes nothing; where several rules are broken the
// first in the order of the fault codes is reported.
//
// A phase completes when nothing is pending and no bytes are missing. That is looked at after every
// operation that counts, expect_tx included, and only after the whole operation: arrive with
// expect_tx is one step.

module tma_mbarrier_alu
  import tma_pkg::*;
  import tma_isa_pkg::*;
(
  input  bar_op_e               op_i,
  input  logic [CountWidth-1:0] count_i,
  input  logic [CountWidth-1:0] tx_i,
  input  logic                  drop_i,
  input  logic                  no_complete_i,
  input  barrier_t              bar_i,

  output barrier_t              bar_o,    // as it was if the operation faults or only looks
  output logic                  write_o,  // the object is written
  output logic                  flip_o,   // a phase completes
  output fault_e                fault_o
);

  logic                  alive, counts, arrives;
  logic [TxWidth-1:0]    delta;
  logic [TxWidth:0]      tx;          // one bit wider than the field: shows an overflow
  logic                  tx_outside;
  logic [CountWidth-1:0] left, arrivals, expected;
  logic                  completes;

  assign alive    = bar_i.live == BarrierAlive;
  assign arrives  = op_i == BarArrive;
  assign counts   = arrives || op_i == BarExpect || op_i == BarComplete;
  assign arrivals = arrives ? count_i : '0;

  assign delta = op_i == BarComplete ? -TxWidth'(tx_i) : TxWidth'(tx_i);
  assign tx    = {bar_i.tx[TxWidth-1], bar_i.tx} + {delta[TxWidth-1], delta};

  // The range is symmetric: the most negative number that the field could hold lies outside.
  assign tx_outside = tx[TxWidth] != tx[TxWidth-1] ||
                      (tx[TxWidth-1] && tx[TxWidth-2:0] == '0);

  assign left      = bar_i.pending - arrivals;
  assign expected  = drop_i && arrives ? bar_i.expected - count_i : bar_i.expected;
  assign completes = bar_i.pending == arrivals && tx[TxWidth-1:0] == '0;

  always_comb begin
    fault_o = FaultNone;
    if (op_i != BarInit && !alive)                          fault_o = FaultBarrierDead;
    else if (arrives && bar_i.pending < count_i)            fault_o = FaultPendingUnderflow;
    else if (counts && tx_outside)                          fault_o = FaultTxCountRange;
    else if (arrives && no_complete_i && completes)         fault_o = FaultNoCompleteCompletes;
    else if (arrives && drop_i && bar_i.expected < count_i) fault_o = FaultExpectedUnderflow;
  end

  assign write_o = fault_o == FaultNone && op_i != BarCheck && op_i != BarTest;
  assign flip_o  = write_o && counts && completes;

  always_comb begin
    bar_o = bar_i;
    if (write_o) begin
      case (op_i)
        BarInit: bar_o = '{live: BarrierAlive, phase: 1'b0, tx: '0, pending: count_i,
                           expected: count_i};
        BarInval: bar_o = '0;
        default: begin
          bar_o.tx       = tx[TxWidth-1:0];
          bar_o.expected = expected;
          bar_o.pending  = completes ? expected : left;
          bar_o.phase    = bar_i.phase ^ completes;
        end
      endcase
    end
  end

endmodule
