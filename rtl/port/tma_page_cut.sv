// SPDX-License-Identifier: Apache-2.0
// Cuts rows into rows that each lie in one 4 KiB page, or in a smaller piece of one, for a guard.
//
//   row_i ---+--> first part ----> row_o
//            +--> rest held --> next part --^
//
// The first part comes out in the cycle in which the row comes in, and takes the row with it; the
// rest follows, a piece at a time, before another row is taken (`held_o`). What belongs to the row
// besides has to be kept by the user for as long. `abort_i` drops the rest; a part that is on offer
// from it is withdrawn.
//
// One part per cycle, also across rows. No latency: `row_valid_o` and `row_o` depend on the inputs,
// `row_ready_o` on `row_ready_i`.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_page_cut
  import tma_pkg::*;
#(
  parameter int unsigned Piece = 256  // chunks, a power of two: rows are cut at multiples of it
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Rows in
  input  logic row_valid_i,
  output logic row_ready_o,
  input  row_t row_i,

  // Rows inside a piece out; the first of a row keeps its `first`, the last its `last` and `odd`
  output logic row_valid_o,
  input  logic row_ready_i,
  output row_t row_o,

  output logic held_o,  // the next part is of the row that was taken last
  input  logic abort_i  // drop what is held
);

  localparam int unsigned PieceBits = 4 + $clog2(Piece);

  // The rest always starts with a piece.
  logic                  held_q;
  logic [63-PieceBits:0] piece_q;  // its number
  chunk_addr_t           saddr_q;
  logic [RowChunks-1:0]  chunks_q;
  logic [3:0]            odd_q;
  logic                  last_q;

  row_t       whole;    // before the cut
  logic [8:0] to_page;  // to the end of the piece
  logic       is_tail;
  logic       taken;

  always_comb begin
    whole = row_i;
    if (held_q) begin
      whole.gaddr  = {piece_q, PieceBits'(0)};
      whole.saddr  = saddr_q;
      whole.chunks = chunks_q;
      whole.odd    = odd_q;
      whole.none   = 1'b0;
      whole.first  = 1'b0;
      whole.last   = last_q;
    end
  end

  assign to_page = held_q ? 9'(Piece) : 9'(Piece) - (9'(row_i.gaddr[11:4]) & 9'(Piece - 1));
  assign is_tail = whole.chunks <= RowChunks'(to_page);

  always_comb begin
    row_o = whole;
    if (!is_tail) begin
      row_o.chunks = RowChunks'(to_page);
      row_o.odd    = '0;
      row_o.last   = 1'b0;
    end
  end

  assign row_valid_o = held_q ? !abort_i : row_valid_i;
  assign row_ready_o = !held_q && row_ready_i;
  assign taken       = row_valid_o && row_ready_i;
  assign held_o      = held_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                held_q <= 1'b0;
    else if (taken)             held_q <= !is_tail;
    else if (held_q && abort_i) held_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (taken) begin
      piece_q  <= whole.gaddr[63:PieceBits] + 1'b1;
      saddr_q  <= whole.saddr + chunk_addr_t'(to_page);
      chunks_q <= whole.chunks - RowChunks'(to_page);
      odd_q    <= whole.odd;
      last_q   <= whole.last;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(PageHoldsWholePieces, 256 % Piece == 0)
  `TMA_ASSERT(RowIsNotEmpty, row_valid_i |-> row_i.chunks != '0)
  `TMA_ASSERT(PartStaysInItsPiece, row_valid_o |-> row_o.chunks != '0 &&
      row_o.chunks <= RowChunks'(Piece) - (RowChunks'(row_o.gaddr[11:4]) & RowChunks'(Piece - 1)))
  `TMA_ASSERT(HeldPartIsStable, held_q && row_valid_o && !row_ready_i && !abort_i |=>
      held_q && $stable(row_o))
  `TMA_COVER(RowOfThreePages, held_q && taken && !is_tail)
  `TMA_COVER(RestDropped, held_q && abort_i)
  `TMA_COVER(NewRowInAnAbort, !held_q && abort_i && taken)

endmodule
