// SPDX-License-Identifier: Apache-2.0
// Says whether a queue has room for one more command. An input of this cycle decides nothing with `Short`: the answer is
// that of the cycle before, in which a command that comes is counted and one that retires is not. A queue that is disabled
// then may take one more, which is dropped with its others.
//
// Latency: none; with `Short` a cycle. Reset: no room.

`include "tma_assert.svh"

module tma_cmd_room
  import tma_pkg::*;
  import tma_front_pkg::*;
#(
  parameter  bit          Short     = ShortPaths,  // paths of few gates, for cycles
  localparam int unsigned HeldWidth = $clog2(CmdDepth) + 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 enable_i,
  input  logic [HeldWidth-1:0] held_i,    // commands, before what comes
  input  logic                 comes_i,   // one more
  output logic                 room_o
);

  logic is_full;

  assign is_full = held_i == HeldWidth'(CmdDepth);

  if (Short) begin : g_before
    logic last;  // one place is left

    assign last = held_i == HeldWidth'(CmdDepth - 1);

    always_ff @(posedge clk_i) room_o <= rst_ni && enable_i && !is_full && !(last && comes_i);

    `TMA_COVER(ComesAsItIsDisabled, comes_i && !enable_i)
    `TMA_COVER(TakesTheLastPlace, comes_i && last)
  end else begin : g_now
    logic unused;

    assign room_o = enable_i && !is_full;
    assign unused = ^{clk_i, rst_ni, comes_i};
  end

  `TMA_ASSERT(ComesWhereThereIsRoom, comes_i |-> !is_full)

endmodule
