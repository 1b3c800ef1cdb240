// SPDX-License-Identifier: Apache-2.0
// Properties of tma_mbarrier_alu: for every object whose fields are in their ranges and every operation, the
// answer, the fault and the object afterwards are those of barrier_rules_pkg, and the fields stay in their
// ranges; with a complete_tx that comes first in the same cycle, as if the operation had come after it.

module barrier_alu_proof
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import barrier_rules_pkg::*;
#(
  parameter bit WithFirst = 1'b1
) (
  input barrier_t              bar_i,
  input logic                  first_i,
  input logic [CountWidth-1:0] first_tx_i,
  input bar_req_t              req_i
);

  logic [CountWidth-1:0] pending;
  logic                  phase, ends;
  barrier_t              bar;
  fault_e                fault;

  tma_mbarrier_alu #(.WithFirst(WithFirst)) dut (
    .bar_i, .first_i, .first_tx_i, .op_i(req_i.op), .count_i(req_i.count), .tx_i(req_i.tx),
    .drop_i(req_i.drop), .no_complete_i(req_i.no_complete),
    .pending_o(pending), .phase_o(phase), .bar_o(bar), .ends_o(ends), .fault_o(fault)
  );

  localparam bar_req_t Complete = '{op: BarComplete, default: '0};

  bar_req_t first;
  outcome_t was, want;     // after what comes first; after the operation
  model_t   is;
  logic     changes;       // of the operations, those that leave another object

  always_comb begin
    first    = Complete;
    first.tx = first_tx_i;
    was      = WithFirst && first_i ? apply(model(bar_i), first)
                                    : '{bar: model(bar_i), fault: FaultNone, ends: 1'b0};
    want     = apply(was.bar, req_i);
    is       = model(bar);
    changes  = !(req_i.op inside {BarCheck, BarTest}) && want.fault == FaultNone;
  end

  always_comb begin
    assume (in_range(model(bar_i)));
    assume (was.fault == FaultNone);
    // What issue sends: arrivals that are none, and bytes that go with no such operation, do not exist.
    assume (req_i.op == BarArrive || !(req_i.drop || req_i.no_complete));
    assume (req_i.op inside {BarExpect, BarComplete, BarArrive} || req_i.tx == '0);

    FaultIsTheRule:   assert (fault == want.fault);
    AnswerIsBefore:   assert (pending == CountWidth'(was.bar.pending) && phase == was.bar.phase);
    if (changes) begin
      PhaseEnds:      assert (ends == want.ends);
      LivesOrNot:     assert (is.alive == want.bar.alive);
      PhaseIsRight:   assert (is.phase == want.bar.phase);
      TxIsRight:      assert (is.tx == want.bar.tx);
      PendingIsRight: assert (is.pending == want.bar.pending && is.expected == want.bar.expected);
      RangesHold:     assert (in_range(is));
    end

    DropEnds:   cover (req_i.op == BarArrive && req_i.drop && changes && want.ends && want.bar.pending > 1);
    ExpectEnds: cover (req_i.op == BarExpect && changes && want.ends);
    TxIsLowest: cover (changes && want.bar.tx == -CountMax);
  end

  if (WithFirst) begin : g_first
    always_comb ArrivesInTheNext: cover (was.ends && req_i.op == BarArrive && changes);
  end

  for (genvar f = 0; f < 6; f++) begin : g_fault
    localparam fault_e Faults [6] = '{FaultBarrierDead, FaultPendingUnderflow, FaultTxCountRange,
                                      FaultNoCompleteCompletes, FaultExpectedUnderflow, FaultPendingOverflow};
    always_comb EveryFault: cover (fault == Faults[f]);
  end

endmodule
