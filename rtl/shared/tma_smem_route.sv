// SPDX-License-Identifier: Apache-2.0
// Leads the writes and reads of the copy paths to the shared memories of their CTAs.
//
// Writes: load data first, then the lines of shared-to-shared copies and the chunks of cp.async by
// turns; but a line or chunk that has waited `MaxWait` cycles goes before load data. A write goes
// to all CTAs of its mask in one cycle or waits. Reads: port 0 belongs to stores and to sources of
// reductions (tma_smem_turns), port 1 to the shared path; the data comes in the cycle after the
// handshake, for that cycle. The shared path has two readers, the second for destinations of reductions, if there are any;
// they never ask one CTA in the same cycle. With Short a CTA gets the rows of the first one if that names the CTA, whether
// it asks or not.
//
// Combinational but for the CTA that a read went to, how long a write has waited and whose turn it
// is. Reset: the latter two.

`include "tma_assert.svh"

module tma_smem_route
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter bit Short = ShortPaths  // the rows of a read do not depend on its valid
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,

  // Writers
  input  logic                              load_valid_i,
  output logic                              load_ready_o,
  input  smem_write_t                       load_i,
  input  logic                              copy_valid_i,
  output logic                              copy_ready_o,
  input  smem_write_t                       copy_i,
  input  logic                              cp_valid_i,
  output logic                              cp_ready_o,
  input  chunk_write_t                      cp_i,

  // Readers: 0 stores, sources of reductions, 1 and 2 shared path
  input  logic [2:0]                        rd_valid_i,
  output logic [2:0]                        rd_ready_o,
  input  cta_t [2:0]                        rd_cta_i,
  input  bank_rows_t [2:0]                  rd_rows_i,
  output line_t [2:0]                       rd_data_o,

  // CTAs
  output logic [NumCtas-1:0]                cta_wr_valid_o,
  input  logic [NumCtas-1:0]                cta_wr_ready_i,
  output smem_write_t                       cta_wr_o,
  output logic [NumCtas-1:0][1:0]           cta_rd_valid_o,
  input  logic [NumCtas-1:0][1:0]           cta_rd_ready_i,
  output bank_rows_t [NumCtas-1:0][1:0]     cta_rd_rows_o,
  input  line_t [NumCtas-1:0][1:0]          cta_rd_data_i
);

  /////////////////////
  // Chunk as a line //
  /////////////////////

  smem_write_t chunk;

  // Every bank is given the chunk and its row, and the lane of its own bank alone is enabled.
  always_comb begin
    chunk.ctas = cta_mask_t'(1) << cp_i.cta;
    chunk.rows = {Chunks{BankRowWidth'(cp_i.addr >> ChunkShift)}};
    chunk.data = {Chunks{cp_i.data}};
    for (int unsigned b = 0; b < Chunks; b++) begin
      chunk.be[b*16 +: 16] = ChunkIdx'(b) == (ChunkIdx'(cp_i.addr) & ChunkIdx'(Chunks - 1)) ? cp_i.be
                                                                                           : '0;
    end
  end

  ////////////
  // Writes //
  ////////////

  localparam int unsigned WaitWidth = $clog2(MaxWait);

  // Those that wait for load data: 0 lines, 1 chunks.
  logic [1:0]                valid, ready, first_q;
  logic [1:0][WaitWidth-1:0] wait_q;
  logic                      any_first, load_goes, pick, last_q;
  logic                      load_ready, copy_ready, cp_ready, all_ready;

  assign valid     = {cp_valid_i, copy_valid_i};
  assign any_first = first_q != '0;
  assign load_goes = load_valid_i && !any_first;

  // In turn, among those that have waited long enough if there are any.
  always_comb begin
    if (any_first) pick = first_q[1] && (!first_q[0] || !last_q);
    else           pick = valid[1] && (!valid[0] || !last_q);
  end

  // Who goes is known late.
  assign load_ready = (load_i.ctas & ~cta_wr_ready_i) == '0;
  assign copy_ready = (copy_i.ctas & ~cta_wr_ready_i) == '0;
  assign cp_ready   = cta_wr_ready_i[cp_i.cta];

  assign cta_wr_o       = load_goes ? load_i : pick ? chunk : copy_i;
  assign all_ready      = load_goes ? load_ready : pick ? cp_ready : copy_ready;
  assign cta_wr_valid_o = cta_wr_o.ctas & {NumCtas{all_ready && (load_goes || valid != '0)}};

  assign load_ready_o = load_ready && !any_first;
  assign ready        = {2{all_ready && !load_goes}} & {pick, !pick};
  assign {cp_ready_o, copy_ready_o} = ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                      last_q <= 1'b0;
    else if ((valid & ready) != '0)   last_q <= pick;
  end

  for (genvar w = 0; w < 2; w++) begin : g_wait
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !valid[w] || ready[w]) begin
        wait_q[w]  <= '0;
        first_q[w] <= 1'b0;
      end else begin
        if (wait_q[w] != '1) wait_q[w] <= wait_q[w] + WaitWidth'(1);
        first_q[w] <= wait_q[w] == '1;
      end
    end
  end

  ///////////
  // Reads //
  ///////////

  localparam int unsigned Readers = Reduces ? 3 : 2;

  cta_t [Readers-1:0]              from_q;
  logic [Readers-1:0][NumCtas-1:0] asks;

  for (genvar r = 0; r < Readers; r++) begin : g_read
    localparam int unsigned Port = r == 0 ? 0 : 1;

    for (genvar c = 0; c < NumCtas; c++) begin : g_asks
      assign asks[r][c] = rd_valid_i[r] && rd_cta_i[r] == cta_t'(c);
    end

    assign rd_ready_o[r] = cta_rd_ready_i[rd_cta_i[r]][Port];
    assign rd_data_o[r]  = cta_rd_data_i[from_q[r]][Port];

    always_ff @(posedge clk_i) if (rd_valid_i[r] && rd_ready_o[r]) from_q[r] <= rd_cta_i[r];
  end

  for (genvar c = 0; c < NumCtas; c++) begin : g_cta
    assign cta_rd_valid_o[c][0] = asks[0][c];
    assign cta_rd_rows_o[c][0]  = rd_rows_i[0];

    if (Reduces) begin : g_two
      // Whether a destination is asked for is known late.
      assign cta_rd_valid_o[c][1] = asks[1][c] || asks[2][c];
      assign cta_rd_rows_o[c][1]  = (Short ? rd_cta_i[1] == cta_t'(c) : asks[1][c]) ? rd_rows_i[1] : rd_rows_i[2];

      `TMA_ASSERT(OneReaderOfAPort, !(asks[1][c] && asks[2][c]))
      `TMA_ASSERT(RowsOfItsReader, asks[2][c] |-> cta_rd_rows_o[c][1] == rd_rows_i[2])
    end else begin : g_one
      assign cta_rd_valid_o[c][1] = asks[1][c];
      assign cta_rd_rows_o[c][1]  = rd_rows_i[1];
    end
  end

  if (!Reduces) begin : g_unread
    logic unused;

    assign unused        = ^{rd_valid_i[2], rd_cta_i[2], rd_rows_i[2]};
    assign rd_ready_o[2] = 1'b0;
    assign rd_data_o[2]  = '0;
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(WritesSomewhere, load_valid_i |-> load_i.ctas != '0)
  `TMA_ASSERT(FirstHasAWrite, (first_q & ~valid) == '0)
  `TMA_COVER(LinesWaitForLoad, load_goes && copy_valid_i)
  `TMA_COVER(ChunksWaitForLoad, load_goes && cp_valid_i)
  `TMA_COVER(LoadWaits, load_valid_i && any_first)
  `TMA_COVER(LineAndChunkWait, !load_valid_i && valid == '1)
  `TMA_COVER(BothFirst, first_q == '1)

endmodule
