// SPDX-License-Identifier: Apache-2.0
// Tells tma_port_watch when one side of a port has moved, so that one burst that the memory has lost is
// found among others that move.
//
// It works in rounds. A round begins with a mark at every id that is owed something, and at an address
// or data that is not taken. What moves loses its mark, and the round is over when no mark is left. So
// an id that nothing comes for holds a round open, whatever comes for others:
//
//   cycle         1    2    3    4    5    6    7
//   owed          AB   AB   AB   AB   AB   AB   A     A is lost, B has burst after burst
//   comes              B    A    B         B    B
//   marks         --   AB   A-   -B   A-   A-   A- ..
//   progress_o    x         x    x                    rounds end; the watch counts the cycles of the last
//
// Addresses and data that are not taken count as moved with anything on their side: they wait for what
// was there before them, and when that is over the side is silent. Ids get marks only when no address
// waits, for theirs may be the one.
//
// Silence of the side is seen a cycle after it begins. An id that nothing comes for is seen with the round
// after the one in which it last moved, and rounds are shorter than the watch's limit, so it is found
// within two limits and a cycle. Reset: all.

`include "tma_assert.svh"

module tma_port_age #(
  parameter int unsigned NumIds = 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              addr_waits_i,  // an address is not taken
  input  logic              data_waits_i,
  input  logic              moves_i,       // anything moves
  input  logic [NumIds-1:0] owes_i,        // bursts of this id are owed data or a response
  input  logic [NumIds-1:0] comes_i,       // and some is there

  output logic              progress_o     // no round goes on, or it is over
);

  logic              stalls_q;
  logic [NumIds-1:0] marks_q, left;
  logic              stalls_left;

  assign left        = marks_q & ~comes_i;
  assign stalls_left = stalls_q && !moves_i;
  assign progress_o  = left == '0 && !stalls_left;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stalls_q <= 1'b0;
      marks_q  <= '0;
    end else begin
      stalls_q <= progress_o ? addr_waits_i || data_waits_i : stalls_left;
      marks_q  <= progress_o ? (addr_waits_i ? '0 : owes_i & ~comes_i) : left;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_COVER(HeldOpen, left != '0 && moves_i)
  `TMA_COVER(OverInAStall, progress_o && marks_q != '0 && addr_waits_i)

endmodule
