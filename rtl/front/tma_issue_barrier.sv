// SPDX-License-Identifier: Apache-2.0
// Translates a command into a request to barrier units, and their answers into one.
//
// The same request goes to every CTA of the mask; it is answered when all of them are ready.
// The lowest faulting CTA wins. Combinational.

module tma_issue_barrier
  import tma_pkg::*;
  import tma_isa_pkg::*;
(
  // Command
  input  logic [7:0]              opcode_i,
  input  logic [15:0]             flags_i,
  input  logic [OffWidth-1:0]     barrier_i,    // byte offset, multiple of 8
  input  logic [CountWidth-1:0]   count_i,
  input  logic [CountWidth-1:0]   tx_i,
  input  logic                    size_zero_i,  // a copy of no bytes
  input  cta_mask_t               ctas_i,
  input  logic                    enable_i,     // the command may reach its barriers

  // Barrier units
  output logic [NumCtas-1:0]      bar_valid_o,
  input  logic [NumCtas-1:0]      bar_ready_i,
  output bar_req_t                bar_req_o,
  input  bar_rsp_t [NumCtas-1:0]  bar_rsp_i,

  // Answer, valid when ready; phase and pending count before the operation, of the lowest CTA
  output logic                    ready_o,
  output fault_e                  fault_o,
  output logic [7:0]              fault_rank_o,
  output logic                    phase_o,
  output logic [CountWidth-1:0]   pending_o
);

  always_comb begin
    bar_req_o.addr        = barrier_i[OffWidth-1:3];
    bar_req_o.count       = count_i;
    bar_req_o.tx          = tx_i;
    bar_req_o.drop        = flags_i[FlagDrop];
    bar_req_o.no_complete = flags_i[FlagNoComplete];
    case (opcode_i)
      OpMbarrierInit:       bar_req_o.op = BarInit;
      OpMbarrierInval:      bar_req_o.op = BarInval;
      OpMbarrierExpectTx:   bar_req_o.op = BarExpect;
      OpMbarrierCompleteTx: bar_req_o.op = BarComplete;
      OpMbarrierArrive: begin
        bar_req_o.op = BarArrive;
        if (!flags_i[FlagExpectTx]) bar_req_o.tx = '0;
      end
      OpMbarrierTestWait, OpMbarrierTryWait: bar_req_o.op = BarTest;
      default: begin
        // A copy signals when it is done, one of no bytes at once.
        bar_req_o.op = size_zero_i ? BarComplete : BarCheck;
        bar_req_o.tx = '0;
      end
    endcase
  end

  assign bar_valid_o = ctas_i & {NumCtas{enable_i}};
  assign ready_o     = (ctas_i & ~bar_ready_i) == '0;

  always_comb begin
    fault_o      = FaultNone;
    fault_rank_o = '0;
    phase_o      = 1'b0;
    pending_o    = '0;
    for (int unsigned c = NumCtas; c > 0; c--) begin
      if (ctas_i[c-1]) begin
        phase_o   = bar_rsp_i[c-1].phase;
        pending_o = bar_rsp_i[c-1].pending;
        if (bar_rsp_i[c-1].fault != FaultNone) begin
          fault_o      = fault_e'(bar_rsp_i[c-1].fault);
          fault_rank_o = 8'(c - 1);
        end
      end
    end
  end

  logic unused;
  assign unused = ^{barrier_i[2:0], flags_i};

endmodule
