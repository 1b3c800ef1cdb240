// SPDX-License-Identifier: Apache-2.0
// Which places of the memory of contexts are free.
//
// First those that were never used, in their order, then those that are given back, in that order. Of two that are
// given back at once the second may have to wait for the memory of free places (`late_o`). With Short a place is free a
// cycle later. `place_o` and `late_o` depend on registers alone. Reset: all are free.

`include "tma_assert.svh"

module tma_load_places
  import tma_pkg::*;
  import tma_load_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // The next one, and it is taken
  output logic [PlaceWidth-1:0] place_o,
  input  logic                  take_i,

  // One is given back; with `both_i` another one with it, unless one is late
  input  logic                  give_i,
  input  logic [PlaceWidth-1:0] place_i,
  input  logic                  both_i,
  input  logic [PlaceWidth-1:0] second_i,
  output logic                  late_o
);

  typedef logic [PlaceWidth-1:0] ptr_t;

  logic                          late_valid_q, late_used, fresh_left, gives, given_valid, freed_valid, unused_ready;
  logic [PlaceWidth:0]           fresh_q;  // places from here on were never used
  ptr_t                          late_q, freed, gives_place, given;
  logic [$clog2(NumReads+1)-1:0] free_level;

  assign fresh_left = fresh_q != (PlaceWidth+1)'(NumReads);
  assign place_o    = fresh_left ? fresh_q[PlaceWidth-1:0] : late_valid_q ? late_q : freed;
  assign late_o     = late_valid_q;
  assign late_used  = take_i && !fresh_left;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                   late_valid_q <= 1'b0;
    else if (both_i)               late_valid_q <= 1'b1;
    else if (late_used || !give_i) late_valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) if (both_i) late_q <= second_i;

  assign gives       = give_i || (late_valid_q && !late_used);
  assign gives_place = give_i ? place_i : late_q;

  // That one is given back is known late.
  if (Short) begin : g_given
    always_ff @(posedge clk_i) begin
      if (!rst_ni) given_valid <= 1'b0;
      else         given_valid <= gives;
    end

    always_ff @(posedge clk_i) given <= gives_place;
  end else begin : g_gives
    assign given_valid = gives;
    assign given       = gives_place;
  end

  tma_fifo #(.Width(PlaceWidth), .Depth(NumReads)) u_free (
    .clk_i, .rst_ni, .in_valid_i(given_valid), .in_ready_o(unused_ready), .in_i(given),
    .out_valid_o(freed_valid), .out_ready_i(take_i && !fresh_left && !late_valid_q),
    .out_o(freed), .level_o(free_level)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                   fresh_q <= '0;
    else if (take_i && fresh_left) fresh_q <= fresh_q + (PlaceWidth+1)'(1);
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  int known;  // places that are free

  assign known = int'(late_valid_q) + int'(Short && given_valid) + int'(free_level) + NumReads - int'(fresh_q);
`endif

  `TMA_ASSERT(ContextHasAPlace, take_i |-> fresh_left || late_valid_q || freed_valid)
  `TMA_COVER(PlaceAgain, take_i && !fresh_left)
  `TMA_COVER(LateWaits, late_valid_q && give_i && !late_used)
  `TMA_COVER(LateAgain, late_valid_q && late_used)

endmodule
