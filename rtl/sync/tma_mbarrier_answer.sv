// SPDX-License-Identifier: Apache-2.0
// Port A's operation on the object that it has found: what it answers, and what it makes of the object.
//
// Without `Step` the answer is there in the cycle in which the object is, and is that after a
// complete_tx of port B on the same barrier in the same cycle (`same_i`). A waits where B comes first:
// where B arrives, or may leave the range of the tx-count, which takes a count or an operand of 2^19
// and more. With `Step` the answer goes through a register: it is there in the second cycle in which a
// request stands here, valid or not, and is worked out anew for as long as B is at work on the same barrier.
//
// BarCheck asks whether the object is an mbarrier. What comes first does not make it one, nor end it,
// so it waits for no one.
//
// Latency: none; with `Step` a cycle. Reset: control only.

`include "tma_assert.svh"

module tma_mbarrier_answer
  import tma_pkg::*;
  import tma_isa_pkg::*;
#(
  parameter bit Step = ShortPaths
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Request
  input  logic                 valid_i,
  input  logic                 again_i,     // it is that of the cycle before
  input  bar_req_t             req_i,
  input  logic                 commit_i,    // take effect, if ready

  // Its object. With `Step` the last three are of the entry found in the cycle before, if it is still
  // that object's.
  input  logic                 usable_i,    // may be worked on,
  input  barrier_t             old_i,       // this one
  input  logic                 present_i,   // is resident, nobody waits for its write-back
  input  logic                 alive_i,     // is an mbarrier
  input  logic                 same_i,      // port B works on it
  input  logic                 filling_i,   // no write: a fill comes
  input  logic                 b_arrive_i,
  input  logic [SizeWidth-1:0] b_tx_i,

  output logic                 ready_o,
  output bar_rsp_t             rsp_o,
  output barrier_t             new_o,       // after the operation, if `write_o`
  output logic                 write_o,     // it takes effect
  output logic                 flip_o       // and completes a phase
);

  typedef struct packed {
    bar_rsp_t rsp;
    barrier_t bar;
    logic     ends;   // a phase
  } answer_t;

  answer_t made, answer;
  fault_e  fault;
  logic    check, changes;

  tma_mbarrier_alu #(.WithFirst(!Step)) u_alu (
    .bar_i(old_i), .first_i(same_i), .first_tx_i(b_tx_i),
    .op_i(req_i.op), .count_i(req_i.count), .tx_i(req_i.tx),
    .drop_i(req_i.drop), .no_complete_i(req_i.no_complete),
    .pending_o(made.rsp.pending), .phase_o(made.rsp.phase),
    .bar_o(made.bar), .ends_o(made.ends), .fault_o(fault)
  );

  assign made.rsp.fault = fault;
  assign check          = req_i.op == BarCheck;
  assign changes        = !check && req_i.op != BarTest && answer.rsp.fault == FaultNone;

  if (Step) begin : g_step
    answer_t answer_q;
    logic    made_q;
    logic    unused;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) made_q <= 1'b0;
      else         made_q <= usable_i && !same_i && !write_o;
    end

    always_ff @(posedge clk_i) answer_q <= made;

    assign answer  = answer_q;
    assign ready_o = again_i && present_i && (check || (made_q && !same_i && !filling_i));
    assign unused  = ^{b_arrive_i, b_tx_i};
  end else begin : g_at_once
    logic b_extreme, unused;

    assign b_extreme = old_i.tx[TxWidth-1] && (!old_i.tx[TxWidth-2] || b_tx_i[SizeWidth-1]);
    assign answer    = made;
    assign ready_o   = check ? present_i : usable_i && !filling_i && !(same_i && (b_extreme || b_arrive_i));
    assign unused    = ^{clk_i, rst_ni, again_i};

    `TMA_COVER(SameBarrier, write_o && same_i)
    `TMA_COVER(SameButExtreme, valid_i && same_i && b_extreme)
  end

  assign rsp_o   = '{fault: !check ? answer.rsp.fault : alive_i ? FaultNone : FaultBarrierDead,
                     phase: answer.rsp.phase, pending: answer.rsp.pending};
  assign new_o   = answer.bar;
  assign write_o = valid_i && ready_o && commit_i && changes;
  assign flip_o  = write_o && answer.ends;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(AgainIsTheSame, valid_i && again_i |-> $stable(req_i))
  `TMA_COVER(SameWaits, valid_i && usable_i && same_i && !ready_o && !check)

endmodule
