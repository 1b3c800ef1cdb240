// SPDX-License-Identifier: Apache-2.0
// Sends a command's request to the barrier units, and makes one answer of theirs.
//
// The same request goes to every CTA of the mask; it is answered when all of them are ready.
// The lowest faulting CTA wins. Combinational. Operands that the operation does not use are zero or
// of no effect, so that nothing lies between the issue register and the units.

module tma_issue_barrier
  import tma_pkg::*;
  import tma_isa_pkg::*;
(
  // Command
  input  bar_op_e                 op_i,
  input  logic [15:0]             flags_i,
  input  logic [OffWidth-1:0]     barrier_i,    // byte offset, multiple of 8
  input  logic [CountWidth-1:0]   count_i,
  input  logic [CountWidth-1:0]   tx_i,
  input  cta_mask_t               ctas_i,
  input  logic                    enable_i,     // the command may reach its barriers

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

  assign bar_valid_o = ctas_i & {NumCtas{enable_i}};
  assign ready_o     = (ctas_i & ~bar_ready_i) == '0;

  // Whether the command takes effect hangs on this alone, so it does not wait for which fault it is.
  always_comb begin
    bad_o = 1'b0;
    for (int unsigned c = 0; c < NumCtas; c++) begin
      if (ctas_i[c] && bar_rsp_i[c].fault != FaultNone) bad_o = 1'b1;
    end
  end

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
