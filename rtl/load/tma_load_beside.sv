// SPDX-License-Identifier: Apache-2.0
// How many chunks of a row's fill go with its data.
//
// Fill that lies in the same line of shared memory as the first chunk of data, or the last one, is written
// with the beat that brings this chunk, if the whole beat lies in that line; else two chunks could meet in
// a bank:
//
//   line of shared memory   . . F F | D D D D | D D F F | F F . .
//   `lead`, `trail`                   none: 0     2       the other two are fill by themselves
//
// `lead` belongs to the first beat of the row, `trail` to its last one, which may be the same. Of a row
// without data both are 0. Combinational.

module tma_load_beside
  import tma_pkg::*;
(
  input  logic [ChunkIdx-1:0]  lane_i,    // place of the first chunk of data in its beat
  input  chunk_addr_t          saddr_i,   // of the row in shared memory
  input  logic [RowChunks-1:0] head_i,    // chunks of fill,
  input  logic [RowChunks-1:0] chunks_i,  // of data,
  input  logic [RowChunks-1:0] tail_i,    // of fill
  output logic [ChunkIdx-1:0]  lead_o,
  output logic [ChunkIdx-1:0]  trail_o
);

  if (Chunks == 1) begin : g_one
    logic unused;
    assign unused  = ^{lane_i, saddr_i, head_i, chunks_i, tail_i};
    assign lead_o  = '0;
    assign trail_o = '0;
  end else begin : g_many
    typedef logic [ChunkIdx:0]   count_t;  // of chunks, to Chunks
    typedef logic [ChunkIdx-1:0] index_t;

    index_t first, last;   // places of the first and last chunk of data in their lines
    count_t room;          // of the first beat
    logic   has_data, one; // all data comes in one beat
    count_t first_beat, last_beat;  // chunks

    function automatic index_t at_most(input logic [RowChunks-1:0] count, input index_t most);
      return count < RowChunks'(most) ? index_t'(count) : most;
    endfunction

    assign has_data   = chunks_i != '0;
    assign first      = index_t'(saddr_i) + index_t'(head_i);
    assign last       = first + index_t'(chunks_i) - index_t'(1);
    assign room       = count_t'(Chunks) - count_t'(lane_i);
    assign one        = chunks_i <= RowChunks'(room);
    assign first_beat = one ? count_t'(chunks_i) : room;
    assign last_beat  = one ? count_t'(chunks_i)
                            : count_t'(index_t'(index_t'(chunks_i) + lane_i - index_t'(1))) + count_t'(1);

    assign lead_o  = has_data && (ChunkIdx+2)'(first) + (ChunkIdx+2)'(first_beat) <= (ChunkIdx+2)'(Chunks)
                   ? at_most(head_i, first) : '0;
    assign trail_o = has_data && last_beat <= count_t'(last) + count_t'(1)
                   ? at_most(tail_i, ~last) : '0;

    logic unused_upper;
    assign unused_upper = ^saddr_i[ChunkAddr-1:ChunkIdx];
  end

endmodule
