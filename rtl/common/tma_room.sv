// SPDX-License-Identifier: Apache-2.0
// Whether a queue has room for one more entry, of which some are still on their way to it.
//
// With `Short` it is known from the cycle before, in which one may have been sent: so room comes behind a cycle with two
// places free. Room that is there stays until it is used.
//
// Latency: none; with `Short` a cycle. Reset: with `Short`, to no room.

`include "tma_assert.svh"

module tma_room #(
  parameter  int unsigned Depth = 4,  // entries of the queue
  parameter  bit          Short = tma_pkg::ShortPaths,
  localparam int unsigned Width = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic [Width-1:0] level_i,  // entries that it holds,
  input  logic [1:0]       coming_i, // that were sent in earlier cycles and have not come
  input  logic             sent_i,   // one is sent; with room alone

  output logic             room_o
);

  logic [Width-1:0] held;

  assign held = level_i + Width'(coming_i);

  if (Short) begin : g_late
    logic room_q;

    assign room_o = room_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) room_q <= 1'b0;
      else         room_q <= held < Width'(Depth - 1) || (room_q && !sent_i);
    end
  end else begin : g_now
    assign room_o = held < Width'(Depth);
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(RoomIsThere, sent_i |-> room_o)
  `TMA_ASSERT(IsInRange, 32'(level_i) + 32'(coming_i) <= Depth)
  `TMA_COVER(Full, !room_o)

endmodule
