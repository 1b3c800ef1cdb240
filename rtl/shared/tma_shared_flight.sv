// SPDX-License-Identifier: Apache-2.0
// Lines of reductions between the read of their destination and its write: does another one overlap them?
//
// A ring that has an entry for every line on its way, in the order of their writes. Copies have one too, which
// nobody overlaps. An entry is there from the cycle after `take_i` to the cycle of the write, `free_i`: a read in
// the next cycle finds what was written.
//
// Combinational: `reach_i` to `hit_o`. Reset: pointers and valid bits.

`include "tma_assert.svh"

module tma_shared_flight
  import tma_pkg::*;
#(
  parameter int unsigned Lines = 4  // on their way at most; a power of two, 2 or more
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // The next line: chunks of its destination, both ends included
  input  cta_t        cta_i,
  input  chunk_addr_t first_i,
  input  chunk_addr_t last_i,
  output logic        hit_o,

  input  logic        take_i,    // it is read
  input  logic        reduce_i,  // and is one of a reduction

  input  logic        free_i     // the oldest line was written
);

  typedef logic [$clog2(Lines)-1:0] place_t;

  typedef struct packed {
    cta_t        cta;
    chunk_addr_t first, last;
  } reach_t;

  reach_t             reach;
  reach_t [Lines-1:0] reach_q;
  logic   [Lines-1:0] live_q, hits;
  place_t             put_q, get_q;

  assign reach = '{cta: cta_i, first: first_i, last: last_i};

  for (genvar i = 0; i < Lines; i++) begin : g_line
    assign hits[i] = live_q[i] && reach_q[i].cta == reach.cta && reach_q[i].first <= reach.last &&
                     reach_q[i].last >= reach.first;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                             live_q[i] <= 1'b0;
      else if (take_i && put_q == place_t'(i)) live_q[i] <= reduce_i;
      else if (free_i && get_q == place_t'(i)) live_q[i] <= 1'b0;
    end

    // That a line is read is known late; until then its entry holds nothing that counts.
    always_ff @(posedge clk_i) if (!live_q[i] && put_q == place_t'(i)) reach_q[i] <= reach;
  end

  assign hit_o = hits != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      put_q <= '0;
      get_q <= '0;
    end else begin
      put_q <= put_q + place_t'(take_i);
      get_q <= get_q + place_t'(free_i);
    end
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  int held_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= 0;
    else         held_q <= held_q + int'(take_i) - int'(free_i);
  end

  `TMA_ASSERT(TakenWithRoom, take_i |-> held_q < int'(Lines))
  `TMA_ASSERT(FreedIsHeld, free_i |-> held_q > 0)
`endif

  `TMA_ASSERT_INIT(PlacesWrap, Lines >= 2 && 2**$clog2(Lines) == Lines)
  `TMA_ASSERT(NoUpdateIsLost, take_i && reduce_i |-> !hit_o)
  `TMA_ASSERT(EndsAreInOrder, take_i && reduce_i |-> first_i <= last_i)
  `TMA_COVER(Hit, hit_o)
  `TMA_COVER(HitsTwo, $countones(hits) > 1)

endmodule
