// SPDX-License-Identifier: Apache-2.0
// Brings map fences to the map cache before the commands that issue sends after them.
//
//   fence_i --> register --> is it in a window of the queue? --> fence_o
//
// A fence of a queue that may not read the map's first byte is dropped: such a queue has used none,
// and nobody's map is forgotten by a stranger. A fence is handed over in the cycle after it came, and
// the cache takes it always. In that cycle a command that comes straight through its FIFO (`fresh_i`)
// was sent behind the fence, and waits; commands that were there before do not.
//
// Latency: a cycle. With `Short` half of the windows are looked at in each of two cycles, a third one brings together what
// was seen, and the fence leaves in the one behind it: fences come every other cycle then, and commands behind them wait
// for three.
// Reset: nothing is kept.

`include "tma_assert.svh"

module tma_map_fence
  import tma_pkg::*;
  import tma_path_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  window_write_t            window_write_i,

  input  logic                     fence_valid_i,  // pulse
  input  queue_t                   fence_queue_i,
  input  logic [63:6]              fence_addr_i,
  output logic                     fence_valid_o,  // pulse
  output logic [63:6]              fence_addr_o,

  // Commands, load and store
  input  logic [1:0]               cmd_valid_i,
  output logic [1:0]               cmd_ready_o,
  input  logic [1:0]               fresh_i,        // it was sent in this cycle
  output logic [1:0]               cmd_valid_o,
  input  logic [1:0]               cmd_ready_i,

  output logic                     idle_o
);

  localparam int unsigned Looks   = Short ? 2 : 1;
  localparam int unsigned Steps   = Short ? 3 : 1;
  localparam int unsigned PerStep = (NumWindows + Looks - 1) / Looks;  // of an odd number one is seen twice

  logic [Steps-1:0]      step_q;   // windows of this step are looked at
  queue_t                queue_q;
  windows_t              windows;  // of the queue
  window_t [PerStep-1:0] some;     // of this step
  logic [63:6]           addr_q;
  logic [1:0]            held;
  logic [PerStep-1:0]    hits;     // windows of this step that hold it

  always_ff @(posedge clk_i) begin
    if (!rst_ni) step_q <= '0;
    else         step_q <= Steps'({step_q, fence_valid_i});
  end

  always_ff @(posedge clk_i) begin
    if (fence_valid_i) begin
      queue_q <= fence_queue_i;
      addr_q  <= fence_addr_i;
    end
  end

  tma_windows u_windows (
    .clk_i, .write_i(window_write_i), .queue_i(queue_q), .windows_o(windows)
  );

  assign some = step_q[0] ? windows[PerStep-1:0] : windows[NumWindows-1 -: PerStep];

  for (genvar w = 0; w < PerStep; w++) begin : g_window
    assign hits[w] = some[w].read && addr_q[63:12] >= some[w].base && addr_q[63:12] <= some[w].limit;
  end

  if (Short) begin : g_leaves
    logic               valid_q, covered_q;
    logic [PerStep-1:0] hits_q;
    logic [63:6]        passed_q, leaves_q;  // a fence may be behind it

    assign fence_valid_o = valid_q;
    assign fence_addr_o  = leaves_q;
    assign idle_o        = step_q == '0 && !valid_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= step_q[Steps-1] && (covered_q || hits_q != '0);
    end

    always_ff @(posedge clk_i) begin
      hits_q    <= hits;
      covered_q <= hits_q != '0;
      passed_q  <= addr_q;
      leaves_q  <= passed_q;
    end
  end else begin : g_at_once
    assign fence_valid_o = step_q[Steps-1] && hits != '0;
    assign fence_addr_o  = addr_q;
    assign idle_o        = step_q == '0;
  end

  // Who is looked up a cycle after it came needs no more.
  assign held        = {2{step_q != '0}} & fresh_i;
  assign cmd_valid_o = cmd_valid_i & ~held;
  assign cmd_ready_o = cmd_ready_i & ~held;

  logic unused_windows;
  assign unused_windows = ^some;

  `TMA_ASSERT(OneAtATime, Short && fence_valid_i |-> !step_q[0])
  `TMA_COVER(CommandWaits, (cmd_valid_i & held) != '0)
  `TMA_COVER(CommandBeforeIt, step_q != '0 && (cmd_valid_i & ~fresh_i) != '0)
  `TMA_COVER(FenceBehindAFence, step_q != '0 && fence_valid_i)
  `TMA_COVER(Dropped, Short ? $past(step_q[Steps-1]) && !fence_valid_o : step_q[Steps-1] && !fence_valid_o)

endmodule
