// SPDX-License-Identifier: Apache-2.0
// Makes one response of those of a burst's parts: the worst, when the last one has come.
//
// Throughput: one response per cycle. Latency: one cycle. `b_ready_o` depends on `out_ready_i` and a register alone.
// Reset: control only.

`include "tma_assert.svh"

module tma_narrow_resp
  import tma_pkg::*;
  import tma_narrow_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       b_valid_i,
  output logic       b_ready_o,
  input  id_t        b_id_i,
  input  logic [1:0] b_resp_i,

  output logic       pop_o,
  input  logic       last_i,    // of its burst

  output logic       out_valid_o,
  input  logic       out_ready_i,
  output id_t        out_id_o,
  output logic [1:0] out_resp_o
);

  logic [2**StreamWidth-1:0][1:0] worst_q;  // of the parts so far, by stream
  stream_t                        stream;
  logic [1:0]                     resp;

  assign b_ready_o = !out_valid_o || out_ready_i;
  assign pop_o     = b_valid_i && b_ready_o;
  assign stream    = stream_t'(b_id_i);
  assign resp      = worse(worst_q[stream], b_resp_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      worst_q     <= '0;
      out_valid_o <= 1'b0;
    end else begin
      if (pop_o) worst_q[stream] <= last_i ? '0 : resp;
      if (b_ready_o) out_valid_o <= pop_o && last_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop_o && last_i) begin
      out_id_o   <= b_id_i;
      out_resp_o <= resp;
    end
  end

  `TMA_ASSERT_STABLE(OutputIsStable, out_valid_o, out_ready_i, {out_id_o, out_resp_o})
  `TMA_COVER(EarlierPartIsWorse, pop_o && last_i && worst_q[stream] > b_resp_i)
  `TMA_COVER(LaterPartIsWorse, pop_o && last_i && worst_q[stream] != '0 && b_resp_i > worst_q[stream])
  `TMA_COVER(EngineLetsWait, b_valid_i && !b_ready_o)

endmodule
