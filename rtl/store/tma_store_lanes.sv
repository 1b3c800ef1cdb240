// SPDX-License-Identifier: Apache-2.0
// Puts chunks of shared memory into the lanes of a beat, through the swizzle.
//
//   address of a chunk --> rows of the banks --> shared memory --> select --+--> line_o
//                     \--> lane <- bank, next cycle ---------------^        |
//                                                                  hold <---+
//
// Lanes of the beat that are needed get chunks that follow each other, the first of them that of
// `addr_i`; other lanes get anything. In the burst's first beat lanes are needed from `head_i` on, in
// its last beat up to `tail_i`; of a pair just these two are, and they get the chunk of `addr_i` and the next one.
// A swizzle XORs the low bits of chunk addresses with a number that is
// the same in a whole 128-byte line of shared memory. So of one such line, all lanes come from
// different banks: one read does. A beat whose chunks are of two lines takes two, the first of which
// is held (`two_o`; `second_i` says which it is).
//
// No latency on either side. Data of a read that was taken (`take_i`) comes in the cycle after.
//
// Reset: none.

`include "tma_assert.svh"

module tma_store_lanes
  import tma_pkg::*;
  import tma_smem_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  // A read
  input  swizzle_e            swizzle_i,
  input  chunk_addr_t         addr_i,
  input  logic [2:0]          lane0_i,   // chunk of lane 0, low bits, also when it is not needed
  input  logic                first_i,
  input  logic                last_i,
  input  logic [ChunkIdx-1:0] head_i,
  input  logic [ChunkIdx-1:0] tail_i,
  input  logic                second_i,
  input  logic                pair_i,    // of a beat of its own, lanes `head_i` and `tail_i` alone
  input  logic                take_i,
  output logic                two_o,
  output bank_rows_t          rows_o,

  // Data of the read before; of two, with the second the whole
  input  line_t               data_i,
  output line_t               line_o
);

  localparam int unsigned LineChunks = 8;  // of 128 bytes

  logic [2:0] flips;  // what the swizzle XORs

  assign flips = swizzle_chunks(swizzle_i, addr_i[5:3] + 3'(second_i));

  //////////
  // Rows //
  //////////

  bank_row_t row, next_row, row_flips;

  assign row       = BankRowWidth'(addr_i >> ChunkShift);
  assign next_row  = row + BankRowWidth'(1);
  assign row_flips = BankRowWidth'(flips) >> ChunkShift;

  // A bank below the first chunk's comes from the row after.
  for (genvar b = 0; b < Chunks; b++) begin : g_row
    assign rows_o[b] = row_flips ^ (((32'(flips) ^ b) & (Chunks - 1)) < (32'(addr_i) & (Chunks - 1))
                                    ? next_row : row);
  end

  ///////////
  // Lanes //
  ///////////

  if (Chunks == 1) begin : g_one
    logic unused_bits;

    assign two_o       = 1'b0;
    assign line_o      = data_i;
    assign unused_bits = ^{clk_i, rst_ni, take_i, pair_i, lane0_i, first_i, last_i, head_i, tail_i};
  end else begin : g_many
    logic [Chunks-1:0][ChunkIdx-1:0] bank_q;
    logic [Chunks-1:0]               behind;  // the lane's chunk is not in the line of lane 0's
    logic [Chunks-1:0]               keep_q;
    logic                            first_q;
    line_t                           line, hold_q;

    // It is soon known which lanes are behind, and late which beat it is.
    assign two_o = swizzle_i != SwizzleOff && (last_i ? behind[tail_i] : behind[Chunks-1]) &&
                   !pair_i && !(first_i && behind[head_i]);

    always_ff @(posedge clk_i) begin
      first_q <= take_i && two_o && !second_i;
      if (first_q) hold_q <= line;
    end

    for (genvar i = 0; i < Chunks; i++) begin : g_lane
      assign behind[i] = 4'(lane0_i) + 4'(i) >= 4'(LineChunks);

      always_ff @(posedge clk_i) begin
        if (take_i) begin
          bank_q[i] <= (pair_i && ChunkIdx'(i) == tail_i ? addr_i[ChunkIdx-1:0] + ChunkIdx'(1)
                                                         : lane0_i[ChunkIdx-1:0] + ChunkIdx'(i)) ^
                       flips[ChunkIdx-1:0];
          keep_q[i] <= second_i && !behind[i];
        end
      end

      assign line[128*i +: 128]   = data_i[128 * 32'(bank_q[i]) +: 128];
      assign line_o[128*i +: 128] = keep_q[i] ? hold_q[128*i +: 128] : line[128*i +: 128];
    end

    `TMA_COVER(TwoReads, take_i && second_i)
    `TMA_COVER(OtherLineIsNotNeeded, take_i && swizzle_i != SwizzleOff && behind[Chunks-1] && !two_o)
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(PairIsOneRead, take_i && pair_i && swizzle_i != SwizzleOff |-> addr_i[2:0] != '1)
  `TMA_ASSERT(SecondFollowsAFirst, second_i && take_i |-> two_o)
  `TMA_COVER(Swizzled, take_i && flips != '0)

endmodule
