// SPDX-License-Identifier: Apache-2.0
// Leads the writes and reads of the copy paths to the shared memories of their CTAs.
//
// Writes: load data first, then the lines of shared-to-shared copies and the chunks of cp.async by
// turns; but a line or chunk that has waited `MaxWait` cycles goes before load data. A write goes
// to all CTAs of its mask in one cycle or waits. Reads: port 0 belongs to the store path, port 1 to
// the shared path; the data comes in the cycle after the handshake, that of port 0 stays until the
// next one.
//
// Combinational but for the CTA that a read went to, how long a write has waited and whose turn it
// is. Reset: the latter two.

`include "tma_assert.svh"

module tma_smem_route
  import tma_pkg::*;
  import tma_smem_pkg::*;
(
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

  // Readers
  input  logic [1:0]                        rd_valid_i,
  output logic [1:0]                        rd_ready_o,
  input  cta_t [1:0]                        rd_cta_i,
  input  bank_rows_t [1:0]                  rd_rows_i,
  output line_t [1:0]                       rd_data_o,

  // CTAs
  output logic [NumCtas-1:0]                cta_wr_valid_o,
  input  logic [NumCtas-1:0]                cta_wr_ready_i,
  output smem_write_t                       cta_wr_o,
  output logic [NumCtas-1:0][1:0]           cta_rd_valid_o,
  input  logic [NumCtas-1:0][1:0]           cta_rd_ready_i,
  output bank_rows_t [1:0]                  cta_rd_rows_o,
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

  localparam int unsigned MaxWait   = 8;
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

  cta_t [1:0] from_q;

  assign cta_rd_rows_o = rd_rows_i;

  for (genvar p = 0; p < 2; p++) begin : g_read
    for (genvar c = 0; c < NumCtas; c++) begin : g_cta
      assign cta_rd_valid_o[c][p] = rd_valid_i[p] && rd_cta_i[p] == cta_t'(c);
    end

    assign rd_ready_o[p] = cta_rd_ready_i[rd_cta_i[p]][p];
    assign rd_data_o[p]  = cta_rd_data_i[from_q[p]][p];

    always_ff @(posedge clk_i) if (rd_valid_i[p] && rd_ready_o[p]) from_q[p] <= rd_cta_i[p];
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
