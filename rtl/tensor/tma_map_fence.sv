// SPDX-License-Identifier: Apache-2.0
// Brings map fences to the map cache before the commands that issue sends after them.
//
// Issue does not wait for a fence, and the cache may put one off by a cycle. A fence that was put off
// is kept here, and no tensor command passes until it is gone, but those that were on offer before it;
// the next fence may come meanwhile.
// No latency; with `Short` a fence waits for a cycle, as the commands behind it do in their FIFO. Reset:
// nothing is kept.

`include "tma_assert.svh"

module tma_map_fence #(
  parameter bit Short = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        fence_valid_i,  // pulse
  input  logic [63:0] fence_addr_i,
  output logic        fence_valid_o,
  input  logic        fence_ready_i,  // not low while a fence is kept
  output logic [63:0] fence_addr_o,

  // Commands, load and store
  input  logic [1:0]  cmd_valid_i,
  output logic [1:0]  cmd_ready_o,
  output logic [1:0]  cmd_valid_o,
  input  logic [1:0]  cmd_ready_i,

  output logic        idle_o
);

  logic        comes;
  logic [63:0] comes_addr;

  if (Short) begin : g_short
    always_ff @(posedge clk_i) begin
      if (!rst_ni) comes <= 1'b0;
      else         comes <= fence_valid_i;
    end

    always_ff @(posedge clk_i) comes_addr <= fence_addr_i;
  end else begin : g_at_once
    assign comes      = fence_valid_i;
    assign comes_addr = fence_addr_i;
  end

  logic        held_q;
  logic [63:0] addr_q;
  logic [1:0]  offered_q;  // and not taken

  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= 1'b0;
    else         held_q <= comes && (held_q || !fence_ready_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) offered_q <= '0;
    else         offered_q <= cmd_valid_o & ~cmd_ready_i;
  end

  always_ff @(posedge clk_i) if (comes) addr_q <= comes_addr;

  assign fence_valid_o = held_q || comes;
  assign fence_addr_o  = held_q ? addr_q : comes_addr;
  assign cmd_valid_o   = cmd_valid_i & ({2{!held_q}} | offered_q);
  assign cmd_ready_o   = cmd_ready_i & ({2{!held_q}} | offered_q);
  assign idle_o        = !held_q && !(Short && comes);

  `TMA_ASSERT(KeptForOneCycle, held_q |-> fence_ready_i)
  `TMA_COVER(CommandWaits, held_q && (cmd_valid_i & ~offered_q) != '0)
  `TMA_COVER(FenceBehindAFence, held_q && comes)

endmodule
