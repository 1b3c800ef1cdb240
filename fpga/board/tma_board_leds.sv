// SPDX-License-Identifier: Apache-2.0
// What the board shows: life, the line, work, trouble.
//
// [0] blinks, half a second on and half a second off. [1] the line moved, [2] the engine was busy, each for a while
// that an eye sees. [3] the last answer had a status that is not OKAY. Reset: all dark.

`include "tma_assert.svh"

module tma_board_leds #(
  parameter int unsigned ClockHz = 50_000_000
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [1:0] line_i,     // both directions, low when they move
  input  logic       idle_i,
  input  logic       trouble_i,
  output logic [3:0] leds_o
);

  localparam int unsigned Half       = ClockHz / 2;   // cycles of half a second
  localparam int unsigned Glow       = ClockHz / 16;  // that a short event is seen
  localparam int unsigned CountWidth = $clog2(Half + 1);

  logic [CountWidth-1:0]      count_q;
  logic [1:0]                 events;
  logic [1:0][CountWidth-1:0] glow_q;

  assign events = {!idle_i, line_i != '1};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q   <= '0;
      leds_o[0] <= 1'b0;
    end else if (count_q == CountWidth'(Half - 1)) begin
      count_q   <= '0;
      leds_o[0] <= !leds_o[0];
    end else begin
      count_q <= count_q + CountWidth'(1);
    end
  end

  for (genvar e = 0; e < 2; e++) begin : g_event
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                glow_q[e] <= '0;
      else if (events[e])         glow_q[e] <= CountWidth'(Glow);
      else if (glow_q[e] != '0)   glow_q[e] <= glow_q[e] - CountWidth'(1);
      leds_o[1 + e] <= rst_ni && glow_q[e] != '0;
    end
  end

  always_ff @(posedge clk_i) leds_o[3] <= rst_ni && trouble_i;

  `TMA_ASSERT_INIT(ClockInRange, ClockHz >= 16)

endmodule
