// SPDX-License-Identifier: Apache-2.0
// What of swizzled beats is not written yet, and goes with the next beat of their burst (tma_load_place).
//
// A place for each read channel of tensor copies, whose beats may interleave; others hold nothing. A part is
// gone with the next beat, even if that is an error: of a load that fails not all is written. What is held is
// known in the cycle of the beat. Reset: control only.

`include "tma_assert.svh"

module tma_load_rest
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // The beat on offer, its channel; it goes, and this part of it is to be held
  input  logic [ChannelWidth-1:0] channel_i,
  input  logic                    go_i,
  input  logic                    ends_i,    // with its burst
  input  logic                    hold_i,
  input  line_t                   line_i,    // in bank order

  // Of the beat before it
  output logic                    held_o,
  output line_t                   line_o
);

  if (Chunks == 1) begin : g_none
    logic unused;
    assign unused = ^{clk_i, rst_ni, channel_i, go_i, ends_i, hold_i, line_i};
    assign held_o = 1'b0;
    assign line_o = '0;
  end else begin : g_held
    localparam int unsigned Turns = 1 << TurnWidth;

    logic [Turns-1:0]     held_q;
    logic [TurnWidth-1:0] turn;    // of the channel, among those of tensor copies
    logic                 tensor, goes;

    assign tensor = channel_i[ChannelWidth-1];
    assign turn   = channel_i[TurnWidth-1:0];
    assign goes   = go_i && tensor;
    assign held_o = tensor && held_q[turn];

    always_ff @(posedge clk_i) begin
      if (!rst_ni)   held_q       <= '0;
      else if (goes) held_q[turn] <= hold_i;
    end

    tma_ram_1r1w #(.Width(8 * DataBytes), .Depth(Turns)) u_line (
      .clk_i, .we_i(goes && hold_i), .waddr_i(turn), .wdata_i(line_i), .raddr_i(turn), .rdata_o(line_o)
    );

    `TMA_ASSERT(OfTensorCopies, go_i && hold_i |-> tensor)
    `TMA_ASSERT(GoesWithItsBurst, goes && ends_i |-> !hold_i)
    `TMA_COVER(HeldInAllChannels, held_q == '1)
    `TMA_COVER(HeldAgain, goes && hold_i && held_o)
    `TMA_COVER(HeldBeforeTheEnd, goes && ends_i && held_o)
  end

endmodule
