// SPDX-License-Identifier: Apache-2.0
// Says which of some mbarriers lie under a line access, and under its byte enables.
//
// Combinational. A line may start at any chunk, so it takes its upper banks from one row and its
// lower banks from the next.

module tma_mbarrier_cover
  import tma_pkg::*;
#(
  parameter int unsigned N = 8
) (
  input  chunk_addr_t           addr_i,   // first chunk of the line
  input  strb_t                 be_i,     // bank order
  input  bar_addr_t [N-1:0]     bars_i,

  output logic [N-1:0]          under_o,  // the line holds the barrier
  output logic [N-1:0][1:0]     half_o    // and a byte of its lower, upper four is enabled
);

  localparam int unsigned RowWidth = ChunkAddr - ChunkShift;
  localparam int unsigned Words    = DataBytes / 4;

  logic [RowWidth-1:0] row, row_next;
  logic [ChunkIdx-1:0] head;
  logic [Words-1:0]    enabled;

  assign row      = addr_i[ChunkAddr-1:ChunkShift];
  assign row_next = row + RowWidth'(1);
  assign head     = addr_i[ChunkIdx-1:0] & ChunkIdx'(Chunks - 1);

  for (genvar i = 0; i < Words; i++) begin : g_word
    assign enabled[i] = be_i[4*i +: 4] != '0;
  end

  for (genvar n = 0; n < N; n++) begin : g_bar
    logic [ChunkIdx-1:0]   bank;
    logic [ChunkShift+1:0] word;

    assign bank       = bars_i[n][1 +: ChunkIdx] & ChunkIdx'(Chunks - 1);
    assign word       = {bars_i[n][ChunkShift:0], 1'b0};
    assign under_o[n] = bars_i[n][BarAddr-1:ChunkShift+1] == (bank < head ? row_next : row);
    assign half_o[n]  = {2{under_o[n]}} & enabled[word +: 2];
  end

endmodule
