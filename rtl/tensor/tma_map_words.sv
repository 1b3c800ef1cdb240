// SPDX-License-Identifier: Apache-2.0
// The first half of a tensor map, as its beats come: written a beat at a time, read word by word.
//
// Of the second half only `reserved_o` is kept: a bit of words 20 to 31 is set. A map that is not
// a multiple of 128 is the upper half of a beat of 1,024 bits and the lower half of the next one.
//
// A word reads as written from the next cycle on. Reset: none.

`include "tma_assert.svh"

module tma_map_words
  import tma_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        start_i,      // of a map
  input  logic        beat_valid_i,
  input  line_t       beat_i,
  input  logic [2:0]  chunk_i,      // of the map, the first of this beat
  input  logic        odd_i,        // the map starts in the upper half of 128 bytes

  input  logic [3:0]  word_addr_i,
  output logic [31:0] word_o,
  output logic        reserved_o
);

  localparam int unsigned Half = DataWidth > 512 ? 512 : DataWidth;  // bits of a row

  logic            lower, set;
  logic [Half-1:0] row;           // the lower half, or a part of it

  assign lower = beat_valid_i && !chunk_i[2];

  ///////////
  // Lanes //
  ///////////

  if (DataWidth == 128) begin : g_128
    assign row = beat_i;
    assign set = chunk_i > 3'd4 && beat_i != '0;
  end else if (DataWidth == 256) begin : g_256
    assign row = beat_i;
    assign set = chunk_i[2] && (beat_i[255:128] != '0 || (chunk_i[1] && beat_i[127:0] != '0));
  end else if (DataWidth == 512) begin : g_512
    assign row = beat_i;
    assign set = chunk_i[2] && beat_i[511:128] != '0;
  end else begin : g_1024
    // A beat holds the map's lower half, its upper half, or both.
    assign row = odd_i ? beat_i[1023:512] : beat_i[511:0];
    assign set = odd_i ? chunk_i[2] && beat_i[511:128] != '0 : beat_i[1023:640] != '0;
  end

  always_ff @(posedge clk_i) begin
    if (start_i)                  reserved_o <= 1'b0;
    else if (beat_valid_i && set) reserved_o <= 1'b1;
  end

  //////////
  // Rows //
  //////////

  if (Half == 512) begin : g_register
    logic [511:0] row_q;

    always_ff @(posedge clk_i) if (lower) row_q <= row;

    assign word_o = row_q[{word_addr_i, 5'b0} +: 32];
  end else begin : g_ram
    localparam int unsigned Rows     = 512 / Half;
    localparam int unsigned RowWidth = $clog2(Rows);

    logic [Half-1:0] rdata;

    assign word_o = rdata[{word_addr_i[3-RowWidth:0], 5'b0} +: 32];

    tma_ram_1r1w #(.Width(Half), .Depth(Rows)) u_ram (
      .clk_i, .we_i(lower), .waddr_i(chunk_i[1 -: RowWidth]), .wdata_i(row),
      .raddr_i(word_addr_i[3 -: RowWidth]), .rdata_o(rdata)
    );
  end

  if (DataWidth < 1024) begin : g_unused
    logic unused_odd;
    assign unused_odd = odd_i;
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(BeatsStartRows, beat_valid_i && !odd_i |-> 32'(chunk_i) % (Half / 128) == 0)
  `TMA_COVER(ReservedBit, beat_valid_i && set)

endmodule
