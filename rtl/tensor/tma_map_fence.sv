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
// Latency: a cycle. Reset: nothing is kept.

`include "tma_assert.svh"

module tma_map_fence
  import tma_pkg::*;
(
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  windows_t [NumQueues-1:0] windows_i,

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

  logic     valid_q, covered;
  queue_t   queue_q;
  windows_t windows;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= fence_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (fence_valid_i) begin
      queue_q      <= fence_queue_i;
      fence_addr_o <= fence_addr_i;
    end
  end

  assign windows = windows_i[queue_q];

  always_comb begin
    covered = 1'b0;
    for (int unsigned w = 0; w < NumWindows; w++) begin
      if (windows[w].read && fence_addr_o[63:12] >= windows[w].base &&
          fence_addr_o[63:12] <= windows[w].limit) begin
        covered = 1'b1;
      end
    end
  end

  assign fence_valid_o = valid_q && covered;
  assign cmd_valid_o   = cmd_valid_i & ~({2{valid_q}} & fresh_i);
  assign cmd_ready_o   = cmd_ready_i & ~({2{valid_q}} & fresh_i);
  assign idle_o        = !valid_q;

  logic unused_windows;
  assign unused_windows = ^windows;

  `TMA_COVER(CommandWaits, valid_q && (cmd_valid_i & fresh_i) != '0)
  `TMA_COVER(CommandBeforeIt, valid_q && (cmd_valid_i & ~fresh_i) != '0)
  `TMA_COVER(FenceBehindAFence, valid_q && fence_valid_i)
  `TMA_COVER(Dropped, valid_q && !covered)

endmodule
