// SPDX-License-Identifier: Apache-2.0
// Commands whose bursts are over before their fill is written: where their contexts are, by number.
//
// The last line of a command's fill brings the context of its command, if it is held. At most
// FillDepth + 1 commands have lines to be written, one after the other, so the lowest bits of their
// numbers tell them apart.
//
// No latency from `hold_i` but the cycle. Reset: control only.

`include "tma_assert.svh"

module tma_load_held
  import tma_pkg::*;
  import tma_load_pkg::*;
#(
  localparam int unsigned PtrWidth = $clog2(NumReads)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // A command is over, its fill is not
  input  logic                hold_i,
  input  fill_number_t        number_i,
  input  logic [PtrWidth-1:0] place_i,

  // The line of fill on offer, of this command, its last one; it goes
  input  fill_number_t        fill_number_i,
  input  logic                fill_ends_i,
  input  logic                fill_go_i,
  output logic                brings_o,
  output logic [PtrWidth-1:0] place_o
);

  localparam int unsigned Entries = 1 << FillIndex;

  typedef logic [FillIndex-1:0] index_t;

  index_t             index, fill_index;
  logic [Entries-1:0] held_q;

  assign index      = index_t'(number_i);
  assign fill_index = index_t'(fill_number_i);
  assign brings_o   = fill_ends_i && held_q[fill_index];

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      if (!rst_ni)                                   held_q[i] <= 1'b0;
      else if (hold_i && index == index_t'(i))       held_q[i] <= 1'b1;
      else if (fill_go_i && brings_o && fill_index == index_t'(i)) held_q[i] <= 1'b0;
    end
  end

  tma_ram_1r1w #(.Width(PtrWidth), .Depth(Entries)) u_place (
    .clk_i, .we_i(hold_i), .waddr_i(index), .wdata_i(place_i), .raddr_i(fill_index), .rdata_o(place_o)
  );

  ////////////////
  // Assertions //
  ////////////////

  // Those that are held have lines to be written, from the one on offer on.
  `TMA_ASSERT_INIT(NumbersDiffer, FillDepth + 1 <= Entries)
  `TMA_ASSERT(HeldOnce, hold_i |-> !held_q[index])
  `TMA_ASSERT(HeldIsToBeWritten, hold_i |->
      fill_number_t'(number_i - fill_number_i) <= fill_number_t'(FillDepth))
  `TMA_COVER(HoldsSeveral, (held_q & (held_q - Entries'(1))) != '0)
  `TMA_COVER(Brings, fill_go_i && brings_o)

endmodule
