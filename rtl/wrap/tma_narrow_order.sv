// SPDX-License-Identifier: Apache-2.0
// Remembers, for each id, which of its parts on the way are the last of their bursts: a queue of bits per id.
//
// One part in and one out per cycle. `room_o` depends on `push_id_i`, `last_o` on `pop_id_i`. A part is known from the cycle
// after its push on. Reset: counters only.

`include "tma_assert.svh"

module tma_narrow_order
  import tma_narrow_pkg::*;
#(
  parameter int unsigned IdBits = 5,  // ids are below 2**IdBits
  parameter int unsigned Depth  = 16  // parts of an id on the way: a power of two, 2 or more
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic push_i,
  input  id_t  push_id_i,
  input  logic push_last_i,
  output logic room_o,

  input  logic pop_i,
  input  id_t  pop_id_i,
  output logic last_o
);

  localparam int unsigned PtrWidth = $clog2(Depth);
  localparam int unsigned NumIds   = 2**IdBits;

  // Pushed, popped; one bit more than an index: full differs from empty.
  logic [NumIds-1:0][PtrWidth:0] wr_q, rd_q;
  logic [PtrWidth:0]             wr, rd;
  logic [IdBits-1:0]             push_id, pop_id;

  assign push_id = push_id_i[IdBits-1:0];
  assign pop_id  = pop_id_i[IdBits-1:0];
  assign wr      = wr_q[push_id];
  assign rd      = rd_q[pop_id];
  assign room_o  = wr - rd_q[push_id] != (PtrWidth+1)'(Depth);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q <= '0;
      rd_q <= '0;
    end else begin
      if (push_i) wr_q[push_id] <= wr + (PtrWidth+1)'(1);
      if (pop_i)  rd_q[pop_id]  <= rd + (PtrWidth+1)'(1);
    end
  end

  tma_ram_1r1w #(.Width(1), .Depth(NumIds * Depth)) u_ram (
    .clk_i, .we_i(push_i), .waddr_i({push_id, wr[PtrWidth-1:0]}), .wdata_i(push_last_i),
    .raddr_i({pop_id, rd[PtrWidth-1:0]}), .rdata_o(last_o)
  );

  `TMA_ASSERT_INIT(DepthIsAPowerOfTwo, Depth >= 2 && (Depth & (Depth - 1)) == 0)
  `TMA_ASSERT(PushIsInRange, push_i |-> push_id_i == id_t'(push_id))
  `TMA_ASSERT(PopIsInRange, pop_i |-> pop_id_i == id_t'(pop_id))
  `TMA_ASSERT(PushHasRoom, push_i |-> room_o)
  `TMA_ASSERT(PopIsOwed, pop_i |-> wr_q[pop_id] != rd)
  `TMA_COVER(IdIsFull, !room_o)

endmodule
