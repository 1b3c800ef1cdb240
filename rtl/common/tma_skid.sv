// SPDX-License-Identifier: Apache-2.0
// The register of a channel at the pins, and a place behind it, so that its ready is a register, too: nothing
// that a pin says reaches the inside in the same cycle.
//
//   in_i --+--------------> output register --> out_o
//          +--> behind --->
//
//   cycle         0    1    2    3    4
//   in_i          A    B    C    C    D
//   in_ready_o    1    1    0    1    1
//   behind             -    B
//   out_o              A    A    B    C
//   out_ready_i        0    1    1    1
//
// `drop_i` (for good) keeps what is on offer until it is taken, and lets nothing follow: what is behind goes,
// and what comes is taken and goes as well.
//
// Throughput: one entry per cycle. Latency: one cycle, also behind one that leaves. `in_ready_o` depends on
// `drop_i` and registers alone; `out_valid_o`, `out_o`, `behind_valid_o` and `behind_o` are registers.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_skid #(
  parameter int unsigned Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             drop_i,

  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_i,

  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_o,

  output logic             behind_valid_o,
  output logic [Width-1:0] behind_o
);

  logic out_free;

  assign out_free   = !out_valid_o || out_ready_i;
  assign in_ready_o = !behind_valid_o || drop_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_o    <= 1'b0;
      behind_valid_o <= 1'b0;
    end else begin
      if (out_free) out_valid_o <= (behind_valid_o || in_valid_i) && !drop_i;
      behind_valid_o <= (behind_valid_o || in_valid_i) && !out_free && !drop_i;
    end
  end

  always_ff @(posedge clk_i) if (out_free) out_o <= behind_valid_o ? behind_o : in_i;
  always_ff @(posedge clk_i) if (!behind_valid_o) behind_o <= in_i;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(OutputIsStable, out_valid_o, out_ready_i, out_o)
  `TMA_ASSERT(BehindIsBehind, behind_valid_o |-> out_valid_o)
  `TMA_ASSERT(DropStays, drop_i |=> drop_i)
  `TMA_COVER(Fills, behind_valid_o && !drop_i)
  `TMA_COVER(PassesAtOnce, out_valid_o && out_ready_i && in_valid_i && in_ready_o && !drop_i)
  `TMA_COVER(BehindIsDropped, behind_valid_o && drop_i)

endmodule
