// SPDX-License-Identifier: Apache-2.0
// Packs rows of 128 values of 6 bits, one per byte of shared memory, into the 96 bytes of global memory.
//
//   lines of the row --> 12 of 16 bytes --> assemble --> row (96 bytes) --> lanes of its beats
//
// A row starts at a multiple of 32 bytes, and so does each part of it that a page has cut off: lanes
// are chosen two by two, of three places. Only whole rows come in. Value 0 is in the low bits.
//
// A line per cycle in, a beat per cycle out: the next row is assembled while one goes out. The last line
// of a row may come only when the row before is gone in that cycle at the latest (`left_o`). Its first
// beat is there in the cycle after it. Reset: control only.

`include "tma_assert.svh"

module tma_store_pack
  import tma_pkg::*;
  import tma_store_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  // Lines in
  input  logic                line_valid_i,
  input  logic                line_last_i,   // of the row
  input  line_t               line_i,
  input  pack_t               row_i,         // what is written of it

  // Beats out
  output logic                beat_valid_o,
  input  logic                beat_ready_i,
  output ports_t              ports_o,
  output logic                last_o,
  output logic [Chunks-1:0]   chunk_en_o,
  output line_t               line_o,
  output logic [3:0]          left_o         // beats
);

  localparam int unsigned Values   = 128;
  localparam int unsigned RowWidth = Values * 6;
  localparam int unsigned Piece    = Chunks * 96;       // of a line, packed
  localparam int unsigned Kept     = RowWidth - Piece;  // of the lines before the last one

  logic                load, taken, first_q;
  logic [3:0]          left_q;
  pack_t               now_q;
  logic [RowWidth-1:0] full, row_q;
  logic [Piece-1:0]    piece;

  //////////
  // Row  //
  //////////

  for (genvar v = 0; v < Chunks * 16; v++) begin : g_value
    assign piece[6*v +: 6] = line_i[8*v +: 6];
  end

  if (Kept == 0) begin : g_whole
    assign full = piece;
  end else begin : g_assemble
    logic [Kept-1:0] kept_q;

    assign full = {piece, kept_q};

    always_ff @(posedge clk_i) if (line_valid_i) kept_q <= full[RowWidth-1 -: Kept];
  end

  assign load  = line_valid_i && line_last_i;
  assign taken = beat_valid_o && beat_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)    left_q <= '0;
    else if (load)  left_q <= row_i.len + 4'd1;
    else if (taken) left_q <= left_q - 4'd1;
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      row_q   <= full;
      now_q   <= row_i;
      first_q <= 1'b1;
    end else if (taken) begin
      now_q.chunk <= now_q.chunk + 4'(Chunks);
      first_q     <= 1'b0;
    end
  end

  ///////////
  // Lanes //
  ///////////

  // `chunk` of the row is in lane 0, which may lie in front of the row. Lanes outside carry anything.
  if (Chunks == 1) begin : g_one
    logic [7:0][127:0] chunks;

    assign chunks = {256'b0, row_q};
    assign line_o = chunks[now_q.chunk[2:0]];
  end else begin : g_pairs
    logic [3:0][255:0] pairs;

    assign pairs = {256'b0, row_q};

    for (genvar p = 0; p < Chunks / 2; p++) begin : g_pair
      logic [1:0] place;

      assign place = now_q.chunk[2:1] + 2'(p);
      assign line_o[256*p +: 256] = pairs[place];
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < Chunks; i++) begin
      chunk_en_o[i] = (!first_q || ChunkIdx'(i) >= now_q.head) &&
                      (!last_o  || ChunkIdx'(i) <= now_q.tail);
    end
  end

  assign beat_valid_o = left_q != '0;
  assign last_o       = left_q == 4'd1;
  assign ports_o      = now_q.ports;
  assign left_o       = left_q;

  // Upper bits of the bytes are dropped.
  logic unused;
  assign unused = ^{line_i, now_q};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(RowHasRoom, load |-> left_q == '0 || (last_o && beat_ready_i))
  `TMA_ASSERT(PairsAreKept, load && Chunks > 1 |-> !row_i.chunk[0] && !row_i.head[0])
  `TMA_COVER(RowAfterRow, load && taken)
  `TMA_COVER(PartOfARow, load && (row_i.chunk + 4'(row_i.head)) != '0)
  `TMA_COVER(Waits, beat_valid_o && !beat_ready_i)

endmodule
