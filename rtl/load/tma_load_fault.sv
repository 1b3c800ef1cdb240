// SPDX-License-Identifier: Apache-2.0
// One register for the faults of all parts of the load path.
//
// The lowest source goes first. A source's ready does not depend on `fault_ready_i`; a fault every
// other cycle. One cycle of latency. Reset: control only.

`include "tma_assert.svh"

module tma_load_fault
  import tma_pkg::*;
#(
  parameter int unsigned NumSources = 3
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic [NumSources-1:0]   valid_i,
  output logic [NumSources-1:0]   ready_o,
  input  fault_t [NumSources-1:0] fault_i,

  output logic                    fault_valid_o,
  input  logic                    fault_ready_i,
  output fault_t                  fault_o
);

  fault_t chosen;

  always_comb begin
    chosen = fault_i[NumSources-1];
    for (int i = NumSources - 1; i >= 0; i--) if (valid_i[i]) chosen = fault_i[i];
  end

  // Ones up to the lowest valid: nobody goes before these.
  assign ready_o = (valid_i ^ (valid_i - NumSources'(1))) & {NumSources{!fault_valid_o}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni)             fault_valid_o <= 1'b0;
    else if (!fault_valid_o) fault_valid_o <= valid_i != '0;
    else                     fault_valid_o <= !fault_ready_i;
  end

  always_ff @(posedge clk_i) if (!fault_valid_o) fault_o <= chosen;

  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_COVER(SeveralSources, (valid_i & (valid_i - NumSources'(1))) != '0)

endmodule
