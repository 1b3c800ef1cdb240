// SPDX-License-Identifier: Apache-2.0
// Sends a command's request to the barrier units, and makes one answer of theirs.
//
// The same request goes to every CTA of the mask; it is answered when all of them are. Of a command
// that may have several, answers are gathered, each CTA is asked until it has given its own:
//
//   CTA 0 ready   ____/~\_____________        an external writer that drops CTA 1's barrier again and
//   CTA 1 ready   ________________/~\_        again decides when that is, not whether both are at once
//   answer                        ^
//
// The lowest faulting CTA wins. Combinational, but for what was gathered; Short: every answer is gathered, and
// counts from the next cycle on. Operands that the operation does not use are zero or of no effect, so that
// nothing lies between the issue register and the units. Reset: everything.

`include "tma_assert.svh"

module tma_issue_barrier
  import tma_pkg::*;
  import tma_isa_pkg::*;
#(
  parameter bit Short = ShortPaths  // paths of few gates, for cycles
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Command
  input  bar_op_e                 op_i,
  input  logic [15:0]             flags_i,
  input  logic [OffWidth-1:0]     barrier_i,    // byte offset, multiple of 8
  input  logic [CountWidth-1:0]   count_i,
  input  logic [CountWidth-1:0]   tx_i,
  input  cta_mask_t               ctas_i,
  input  logic                    enable_i,     // the command may reach its barriers
  input  logic                    tail_i,       // it signals the barriers that it has checked
  input  logic                    end_i,        // what was gathered is done with

  // Barrier units
  output logic [NumCtas-1:0]      bar_valid_o,
  input  logic [NumCtas-1:0]      bar_ready_i,
  output bar_req_t                bar_req_o,
  input  bar_rsp_t [NumCtas-1:0]  bar_rsp_i,

  // Answer, valid when ready; phase and pending count before the operation, of the lowest CTA
  output logic                    ready_o,
  output logic                    bad_o,        // there is a fault
  output fault_e                  fault_o,
  output logic [7:0]              fault_rank_o,
  output logic                    phase_o,
  output logic [CountWidth-1:0]   pending_o
);

  assign bar_req_o = '{op: op_i, addr: barrier_i[OffWidth-1:3], count: count_i, tx: tx_i,
                       drop: flags_i[FlagDrop], no_complete: flags_i[FlagNoComplete]};

  logic      several;        // CTAs may answer one by one
  logic      gather;         // what they answer
  cta_mask_t told_q, bad_q;  // CTAs that have answered; of these, with a fault
  cta_mask_t asked, bad;

  assign several     = tail_i || op_i == BarCheck;
  assign gather      = Short || several;
  assign asked       = ctas_i & ~told_q;
  assign bar_valid_o = asked & {NumCtas{enable_i}};
  assign ready_o     = (Short ? asked : asked & ~bar_ready_i) == '0;

  for (genvar c = 0; c < NumCtas; c++) begin : g_cta
    assign bad[c] = asked[c] && bar_rsp_i[c].fault != FaultNone;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || end_i) begin
      told_q <= '0;
      bad_q  <= '0;
    end else if (gather) begin
      told_q <= told_q | (bar_valid_o & bar_ready_i);
      bad_q  <= bad_q | (bar_valid_o & bar_ready_i & bad);
    end
  end

  // Whether the command takes effect hangs on this alone, so it does not wait for which fault it is.
  assign bad_o = (Short ? bad_q : bad | bad_q) != '0;

  // What the one CTA has answered to an operation.
  bar_rsp_t rsp_q;

  if (Short) begin : g_answer
    bar_rsp_t rsp;

    always_comb begin
      rsp = '0;
      for (int unsigned c = 0; c < NumCtas; c++) if (ctas_i[c]) rsp |= bar_rsp_i[c];
    end

    always_ff @(posedge clk_i) if (asked != '0) rsp_q <= rsp;
  end else begin : g_no_answer
    assign rsp_q = '0;
  end

  // The one fault that is gathered of several CTAs is that of a check.
  always_comb begin
    fault_o      = FaultNone;
    fault_rank_o = '0;
    phase_o      = 1'b0;
    pending_o    = '0;
    for (int unsigned c = NumCtas; c > 0; c--) begin
      if (ctas_i[c-1]) begin
        phase_o   = Short ? rsp_q.phase   : bar_rsp_i[c-1].phase;
        pending_o = Short ? rsp_q.pending : bar_rsp_i[c-1].pending;
        if ((!Short && bad[c-1]) || bad_q[c-1]) begin
          fault_o      = !bad_q[c-1]     ? fault_e'(bar_rsp_i[c-1].fault) :
                         Short && !several ? fault_e'(rsp_q.fault) : FaultBarrierDead;
          fault_rank_o = 8'(c - 1);
        end
      end
    end
  end

  logic unused;
  assign unused = ^{barrier_i[2:0], flags_i};

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // A unit answers a check with its first fill, which may come behind one for a signal. For each a victim is
  // written back and memory is read, 11 cycles at most while the engine uses all others (tma_smem); in the
  // worst case every barrier of the unit has to be written back before.
  localparam int unsigned MaxHold = 2 * (32 + 11 * NumBarriers);

  logic [31:0] hold_q;  // cycles for which a check has held up issue

  always_ff @(posedge clk_i) begin
    if (!rst_ni || end_i || !enable_i || op_i != BarCheck) hold_q <= '0;
    else                                                   hold_q <= hold_q + 32'd1;
  end

  `TMA_ASSERT(CheckIsBounded, hold_q < MaxHold)
`endif
  `TMA_ASSERT(WhatIsNotGatheredHasOneCta, enable_i && !several |-> $onehot0(ctas_i))
  `TMA_ASSERT(GathersOfOneCommand, told_q != '0 |-> enable_i && (told_q & ~ctas_i) == '0)
  `TMA_COVER(AnswersOneByOne, told_q != '0 && asked != '0)
  `TMA_COVER(FaultOfTheFirstToAnswer, enable_i && ready_o && bad == '0 && bad_q != '0)

endmodule
