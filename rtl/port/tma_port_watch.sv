// SPDX-License-Identifier: Apache-2.0
// Watchdog of one AXI port: declares it dead when it stands still.
//
// A side stands still in a cycle in which something is awaited from the port (`pending`) and does not
// come (`progress`, see tma_port_age). After `limit_i` such cycles on either side without progress between
// them the port is dead, from the next cycle on and until reset. Cycles with neither count for nothing.
// A limit of 0 never is reached. With Short all of it is looked at a cycle later: whether a beat goes is known late.
//
// Reset: all.

`include "tma_assert.svh"

module tma_port_watch #(
  parameter bit Short = tma_pkg::ShortPaths
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [31:0] limit_i,  // cycles

  input  logic        read_pending_i,
  input  logic        read_progress_i,
  input  logic        write_pending_i,
  input  logic        write_progress_i,

  output logic        dead_o
);

  logic [1:0] pending, progress, still, expired;

  if (Short) begin : g_late
    always_ff @(posedge clk_i) begin
      pending  <= {write_pending_i, read_pending_i} & {2{rst_ni}};
      progress <= {write_progress_i, read_progress_i} & {2{rst_ni}};
    end
  end else begin : g_now
    assign pending  = {write_pending_i, read_pending_i};
    assign progress = {write_progress_i, read_progress_i};
  end

  assign still = pending & ~progress;

  for (genvar s = 0; s < 2; s++) begin : g_side
    logic [31:0] count_q;  // the cycle of standstill that this one would be, from 1

    assign expired[s] = still[s] && limit_i != '0 && count_q >= limit_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || progress[s] || limit_i == '0) count_q <= 32'd1;
      else if (still[s] && !expired[s])            count_q <= count_q + 32'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) dead_o <= 1'b0;
    else         dead_o <= dead_o || expired != '0;
  end

  `TMA_ASSERT(DeadForAReason, $rose(dead_o) |-> $past(still) != '0 && $past(limit_i) != '0)
  `TMA_COVER(ReadsStandStill, expired[0])
  `TMA_COVER(WritesStandStill, expired[1])
  `TMA_COVER(StandstillGoesOn, $rose(still[0]) && g_side[0].count_q != 32'd1)
  `TMA_COVER(LimitTakenBack, still != '0 && $fell(limit_i != '0))

endmodule
