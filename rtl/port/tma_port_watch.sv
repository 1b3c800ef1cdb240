// SPDX-License-Identifier: Apache-2.0
// Watchdog of one AXI port: declares it dead when it stands still.
//
// A side stands still in a cycle in which something is awaited from the port (`pending`) and nothing
// moves (`progress`). After `limit_i` such cycles in a row on either side the port is dead, from the
// next cycle on and until reset. A limit of 0 never is reached.
//
// Reset: all.

`include "tma_assert.svh"

module tma_port_watch (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [31:0] limit_i,  // cycles

  input  logic        read_pending_i,
  input  logic        read_progress_i,
  input  logic        write_pending_i,
  input  logic        write_progress_i,

  output logic        dead_o
);

  logic [1:0] still, expired;

  assign still = {write_pending_i && !write_progress_i, read_pending_i && !read_progress_i};

  for (genvar s = 0; s < 2; s++) begin : g_side
    logic [31:0] count_q;  // cycles of standstill before this one

    assign expired[s] = still[s] && limit_i != '0 && count_q >= limit_i - 32'd1;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || !still[s] || limit_i == '0) count_q <= '0;
      else if (!expired[s])                      count_q <= count_q + 32'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) dead_o <= 1'b0;
    else         dead_o <= dead_o || expired != '0;
  end

  `TMA_ASSERT(DeadForAReason, $rose(dead_o) |-> $past(still) != '0 && $past(limit_i) != '0)
  `TMA_COVER(ReadsStandStill, expired[0])
  `TMA_COVER(WritesStandStill, expired[1])
  `TMA_COVER(LimitTakenBack, still != '0 && $fell(limit_i != '0))

endmodule
