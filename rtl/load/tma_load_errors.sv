// SPDX-License-Identifier: Apache-2.0
// Counts what prefetches met, one by one: errors of beats and of maps, parts that no window allows.
// Several may come in a cycle; an event comes out in the cycle after it came in, or later. Where 2^Width - 4
// wait nothing more is counted: that takes prefetches that fail in every cycle and for so long. Reset: all.

`include "tma_assert.svh"

module tma_load_errors #(
  parameter int unsigned NumSources = 3,
  parameter int unsigned Width      = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic [NumSources-1:0] event_i,
  output logic                  event_o,
  output logic                  busy_o
);

  logic [Width-1:0] left_q, come;

  always_comb begin
    come = '0;
    if (left_q[Width-1:2] != '1)
      for (int unsigned i = 0; i < NumSources; i++) come += Width'(event_i[i]);
  end

  assign event_o = left_q != '0;
  assign busy_o  = event_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else         left_q <= left_q + come - Width'(event_o);
  end

  `TMA_ASSERT_INIT(SourcesFit, NumSources <= 3)
  `TMA_ASSERT(NoneWraps, left_q == '1 |-> come == '0)
  `TMA_COVER(SeveralAtOnce, (event_i & (event_i - NumSources'(1))) != '0)

endmodule
