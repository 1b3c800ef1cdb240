// SPDX-License-Identifier: Apache-2.0
// Chooses the resident mbarrier that is written back next.
//
// Demanded ones first, else any dirty one, in turn. The choice is registered, to keep it out of the
// path into memory; it stays until it was written, or until a demanded one comes up. One barrier
// per cycle. Reset: control only.

`include "tma_assert.svh"

module tma_mbarrier_clean #(
  parameter int unsigned N = 8,
  localparam int unsigned IndexWidth = $clog2(N)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic [N-1:0]          dirty_i,
  input  logic [N-1:0]          held_i,    // somebody waits for it to be clean

  output logic                  valid_o,
  input  logic                  ready_i,
  output logic                  demand_o,
  output logic [IndexWidth-1:0] index_o,
  output logic [N-1:0]          written_o  // one hot, in the cycle in which memory takes it
);

  logic                  some_q, demand_q;
  logic [N-1:0]          chosen_q;  // one hot
  logic [IndexWidth-1:0] index_q;

  ////////////
  // Choice //
  ////////////

  logic [N-1:0]          others, demanded, pool, behind, chosen;
  logic [IndexWidth-1:0] index;
  logic                  stay;

  assign others   = dirty_i & ~chosen_q;
  assign demanded = others & held_i;
  assign pool     = demanded != '0 ? demanded : others;
  assign behind   = pool & ~(chosen_q - N'(1));
  assign chosen   = behind != '0 ? behind & ~(behind - N'(1)) : pool & ~(pool - N'(1));

  always_comb begin
    index = '0;
    for (int unsigned i = 0; i < N; i++) if (chosen[i]) index |= IndexWidth'(i);
  end

  // One that was written and is dirty again comes up in the cycle after the next.
  assign stay = valid_o && !ready_i && (demand_q || demanded == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      some_q   <= 1'b0;
      demand_q <= 1'b0;
      chosen_q <= '0;
      index_q  <= '0;
    end else if (stay) begin
      demand_q <= (chosen_q & held_i) != '0;
    end else begin
      some_q   <= pool != '0;
      demand_q <= demanded != '0;
      chosen_q <= chosen;
      index_q  <= index;
    end
  end

  // An access may have dropped it since it was chosen.
  assign valid_o   = some_q && (chosen_q & dirty_i) != '0;
  assign demand_o  = demand_q;
  assign index_o   = index_q;
  assign written_o = valid_o && ready_i ? chosen_q : '0;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(ChoiceIsOneHot, valid_o |-> $onehot(chosen_q))
  `TMA_ASSERT(IndexIsTheChoice, valid_o |-> chosen_q[index_o])
  `TMA_COVER(DemandOvertakes, valid_o && !ready_i && !stay)

endmodule
