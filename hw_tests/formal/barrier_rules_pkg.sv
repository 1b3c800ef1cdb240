// SPDX-License-Identifier: Apache-2.0
// What mbarrier operations do, as docs/semantics.md 1.17 and the rules of docs/gen/faults.md say it, in whole
// numbers and a step at a time. Nothing here is shared with rtl/sync.
package barrier_rules_pkg;

  import tma_pkg::*;
  import tma_isa_pkg::*;

  localparam int CountMax = 2**20 - 1;

  typedef struct packed {
    logic               alive;
    logic               phase;
    logic signed [31:0] tx, pending, expected;
  } model_t;

  typedef struct packed {
    model_t bar;
    fault_e fault;
    logic   ends;   // a phase
  } outcome_t;

  // What an object says, and whether its fields are in their ranges.
  function automatic model_t model(input barrier_t bar);
    return '{alive: bar.live == BarrierAlive, phase: bar.phase, tx: 32'($signed(bar.tx)),
             pending: 32'(bar.pending), expected: 32'(bar.expected)};
  endfunction

  function automatic logic in_range(input model_t m);
    return m.tx >= -CountMax && m.tx <= CountMax && m.pending >= 0 && m.pending <= CountMax &&
           m.expected >= 0 && m.expected <= CountMax;
  endfunction

  // The check after an operation that counts.
  function automatic outcome_t transition(input model_t m);
    outcome_t o;
    o = '{bar: m, fault: FaultNone, ends: m.pending == 0 && m.tx == 0};
    if (o.ends) begin
      o.bar.phase   = !m.phase;
      o.bar.pending = m.expected;
    end
    return o;
  endfunction

  function automatic outcome_t apply(input model_t m, input bar_req_t req);
    model_t   after;
    outcome_t o;
    logic     counts;

    after  = m;
    counts = 1'b0;
    unique case (req.op)
      BarInit:  after = '{alive: 1'b1, phase: 1'b0, tx: 0, pending: 32'(req.count), expected: 32'(req.count)};
      BarInval: after = '0;
      BarExpect: begin
        after.tx = m.tx + 32'(req.tx);
        counts   = 1'b1;
      end
      BarComplete: begin
        after.tx = m.tx - 32'(req.tx);
        counts   = 1'b1;
      end
      BarArrive: begin
        after.tx      = m.tx + 32'(req.tx);
        after.pending = m.pending - 32'(req.count);
        if (req.drop) after.expected = m.expected - 32'(req.count);
        counts        = 1'b1;
      end
      BarPend:  after.pending = m.pending + 1;
      default:  after = m;  // it only looks
    endcase

    o = counts ? transition(after) : '{bar: after, fault: FaultNone, ends: 1'b0};

    // The first rule that is broken, in the order of the codes.
    if (req.op != BarInit && !m.alive)                            o.fault = FaultBarrierDead;
    else if (after.pending < 0)                                   o.fault = FaultPendingUnderflow;
    else if (after.tx < -CountMax || after.tx > CountMax)         o.fault = FaultTxCountRange;
    else if (req.op == BarArrive && req.no_complete && o.ends)    o.fault = FaultNoCompleteCompletes;
    else if (after.expected < 0)                                  o.fault = FaultExpectedUnderflow;
    else if (after.pending > CountMax)                            o.fault = FaultPendingOverflow;
    return o;
  endfunction

endpackage
