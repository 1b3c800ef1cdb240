// SPDX-License-Identifier: Apache-2.0
// Signals finished copies: complete_tx(bytes) on the barrier of every CTA of the copy's mask and then
// once more on those of `again`, or one arrival there behind the cp.async before it.
//
//   load path ---+
//   cp.async ----+--> signal register --> port B of all CTAs at once --> fault
//   shared path -+
//
// Throughput: one signal per cycle while the barriers are resident, one in two cycles with `again` or
// `Short`, where the units' ready holds up nothing but the register; a CTA whose barrier is not is
// waited for, the others have theirs done. One cycle of latency. The inputs take turns.
// A signal that faults in several CTAs is one fault, of the lowest CTA; it is done when its fault
// has been taken, and no other one before. A barrier that faults in the first round is not in the second.
//
// Combinational: without `Short`, `bar_b_ready_i` to the ready of the inputs. Reset: control only.

`include "tma_assert.svh"

module tma_signal
  import tma_pkg::*;
  import tma_isa_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  // Finished copies, and arrivals behind them
  input  logic                     load_sig_valid_i,
  output logic                     load_sig_ready_o,
  input  signal_t                  load_sig_i,
  input  logic                     shared_sig_valid_i,
  output logic                     shared_sig_ready_o,
  input  signal_t                  shared_sig_i,
  input  logic                     cp_sig_valid_i,
  output logic                     cp_sig_ready_o,
  input  signal_t                  cp_sig_i,

  // Barrier units
  output logic [NumCtas-1:0]       bar_b_valid_o,
  input  logic [NumCtas-1:0]       bar_b_ready_i,
  output bar_addr_t                bar_b_addr_o,
  output logic                     bar_b_arrive_o,
  output logic [SizeWidth-1:0]     bar_b_tx_o,
  input  logic [NumCtas-1:0][15:0] bar_b_fault_i,

  output logic                     fault_valid_o,
  input  logic                     fault_ready_i,
  output fault_t                   fault_o,

  output logic                     done_o,          // a signal is done
  output queue_t                   done_queue_o,
  output logic                     signal_event_o,  // a copy has signalled its barriers
  output logic                     idle_o
);

  ///////////
  // Merge //
  ///////////

  localparam int unsigned NumSources = 3;

  logic [NumSources-1:0]    valid, grant;
  logic [1:0]               index;
  signal_t [NumSources-1:0] source;
  signal_t                  next, sig_q;
  logic                     take, busy_q, done;

  assign valid  = {cp_sig_valid_i, shared_sig_valid_i, load_sig_valid_i};
  assign source = {cp_sig_i, shared_sig_i, load_sig_i};
  assign next   = source[index];
  assign take   = !busy_q || (!Short && done);
  assign {cp_sig_ready_o, shared_sig_ready_o, load_sig_ready_o} = grant & {NumSources{take}};

  tma_rr_arb #(.N(NumSources)) u_turn (
    .clk_i, .rst_ni, .request_i(valid), .advance_i(take), .grant_o(grant), .index_o(index)
  );

  ////////////////////
  // Barriers to go //
  ////////////////////

  cta_mask_t left_q, left;  // of this round; `sig_q.again` is the next one
  cta_mask_t failed;        // in this cycle

  assign bar_b_valid_o  = left_q;
  assign bar_b_addr_o   = sig_q.barrier;
  assign bar_b_arrive_o = sig_q.arrive;
  assign bar_b_tx_o     = sig_q.bytes;
  assign left           = left_q & ~bar_b_ready_i;

  ////////////
  // Faults //
  ////////////

  typedef struct packed {
    logic        valid;
    cta_t        cta;
    logic [15:0] code;
  } found_t;

  found_t found_q, found;
  logic   report_q, reported;
  fault_t report_fault_q;

  // Barriers may answer in any order: a lower CTA's fault replaces the one held.
  always_comb begin
    found = found_q;
    for (int unsigned c = NumCtas; c > 0; c--) begin
      failed[c-1] = left_q[c-1] && bar_b_ready_i[c-1] && bar_b_fault_i[c-1] != FaultNone;
      if (failed[c-1] && (!found.valid || cta_t'(c - 1) < found.cta)) begin
        found = '{valid: 1'b1, cta: cta_t'(c - 1), code: bar_b_fault_i[c-1]};
      end
    end
  end

  logic round, next_round;  // a round ends; another one follows it

  assign round      = busy_q && left == '0;
  assign next_round = round && sig_q.again != '0;

  // That there is a fault is known late: it holds up nothing but the signals behind it.
  assign done          = round && !next_round && !report_q;
  assign reported      = report_q && fault_ready_i;
  assign fault_valid_o = report_q;
  assign fault_o       = report_fault_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q        <= 1'b0;
      left_q        <= '0;
      found_q.valid <= 1'b0;
      report_q      <= 1'b0;
    end else begin
      left_q        <= next_round ? sig_q.again & ~failed : left;
      found_q.valid <= found.valid && !done;
      if (done && found.valid) report_q <= 1'b1;
      else if (fault_ready_i)  report_q <= 1'b0;
      if (take) begin
        busy_q <= valid != '0;
        if (valid != '0) left_q <= next.ctas;
      end else if (done) begin
        busy_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) sig_q       <= next;
    else      sig_q.again <= next_round ? '0 : sig_q.again & ~failed;
    found_q.cta  <= found.cta;
    found_q.code <= found.code;
    if (done && found.valid) begin
      report_fault_q <= '{origin: sig_q.origin, code: found.code,
                          address: 64'({8'(found.cta), 24'({sig_q.barrier, 3'b000})})};
    end
  end

  assign done_o         = reported || (done && !found.valid);
  assign done_queue_o   = reported ? report_fault_q.origin.qid : sig_q.origin.qid;
  assign signal_event_o = done && sig_q.ctas != '0 && !sig_q.arrive;
  assign idle_o         = !busy_q && !report_q;

  ////////////////
  // Assertions //
  ////////////////

  for (genvar c = 0; c < NumCtas; c++) begin : g_cta
    `TMA_ASSERT(SignalIsStable, bar_b_valid_o[c] && !bar_b_ready_i[c] |=>
        bar_b_valid_o[c] && $stable({bar_b_addr_o, bar_b_arrive_o, bar_b_tx_o}))
  end

  `TMA_ASSERT(AgainIsAPart, busy_q |-> (sig_q.again & ~sig_q.ctas) == '0)
  `TMA_ASSERT(ArrivesOnce, busy_q && sig_q.arrive |-> sig_q.again == '0)
  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_ASSERT_STABLE(LoadSignalIsStable, load_sig_valid_i, load_sig_ready_o, load_sig_i)
  `TMA_ASSERT_STABLE(SharedSignalIsStable, shared_sig_valid_i, shared_sig_ready_o, shared_sig_i)
  `TMA_ASSERT_STABLE(CpSignalIsStable, cp_sig_valid_i, cp_sig_ready_o, cp_sig_i)
  `TMA_COVER(AllFinish, take && valid == '1)
  `TMA_COVER(SomeBarriersLate, left != '0 && left != left_q)
  `TMA_COVER(WaitsForReport, round && !next_round && report_q)
  `TMA_COVER(FailsBeforeTheSecond, next_round && (sig_q.again & failed) != '0 && (sig_q.again & ~failed) != '0)

endmodule
