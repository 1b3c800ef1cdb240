// SPDX-License-Identifier: Apache-2.0
// Leads the writes and reads of the copy paths to the shared memories of their CTAs.
//
// Writes: load data before shared-to-shared lines, but for a line that has waited `MaxWait` cycles;
// a write goes to all CTAs of its mask in one cycle or waits. Reads: port 0 belongs to the store path, port 1 to the shared path; the data
// comes in the cycle after the handshake, that of port 0 stays until the next one. Combinational but
// for the CTA that a read went to and how long a line has waited. Reset: the latter.

`include "tma_assert.svh"

module tma_smem_route
  import tma_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,

  // Writers, first come first
  input  logic                              load_valid_i,
  output logic                              load_ready_o,
  input  smem_write_t                       load_i,
  input  logic                              copy_valid_i,
  output logic                              copy_ready_o,
  input  smem_write_t                       copy_i,

  // Readers
  input  logic [1:0]                        rd_valid_i,
  output logic [1:0]                        rd_ready_o,
  input  cta_t [1:0]                        rd_cta_i,
  input  chunk_addr_t [1:0]                 rd_addr_i,
  output line_t [1:0]                       rd_data_o,

  // CTAs
  output logic [NumCtas-1:0]                cta_wr_valid_o,
  input  logic [NumCtas-1:0]                cta_wr_ready_i,
  output smem_write_t                       cta_wr_o,
  output logic [NumCtas-1:0][1:0]           cta_rd_valid_o,
  input  logic [NumCtas-1:0][1:0]           cta_rd_ready_i,
  output chunk_addr_t [1:0]                 cta_rd_addr_o,
  input  line_t [NumCtas-1:0][1:0]          cta_rd_data_i
);

  ////////////
  // Writes //
  ////////////

  localparam int unsigned MaxWait   = 8;
  localparam int unsigned WaitWidth = $clog2(MaxWait);

  logic                 all_ready, load_goes, copy_first_q;
  logic [WaitWidth-1:0] copy_wait_q;

  assign load_goes      = load_valid_i && !copy_first_q;
  assign cta_wr_o       = load_goes ? load_i : copy_i;
  assign all_ready      = (cta_wr_o.ctas & ~cta_wr_ready_i) == '0;
  assign load_ready_o   = all_ready && !copy_first_q;
  assign copy_ready_o   = all_ready && !load_goes;
  assign cta_wr_valid_o = cta_wr_o.ctas & {NumCtas{all_ready && (load_goes || copy_valid_i)}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !copy_valid_i || copy_ready_o) begin
      copy_wait_q  <= '0;
      copy_first_q <= 1'b0;
    end else begin
      if (copy_wait_q != '1) copy_wait_q <= copy_wait_q + WaitWidth'(1);
      copy_first_q <= copy_wait_q == '1;
    end
  end

  ///////////
  // Reads //
  ///////////

  cta_t [1:0] from_q;

  assign cta_rd_addr_o = rd_addr_i;

  for (genvar p = 0; p < 2; p++) begin : g_read
    for (genvar c = 0; c < NumCtas; c++) begin : g_cta
      assign cta_rd_valid_o[c][p] = rd_valid_i[p] && rd_cta_i[p] == cta_t'(c);
    end

    assign rd_ready_o[p] = cta_rd_ready_i[rd_cta_i[p]][p];
    assign rd_data_o[p]  = cta_rd_data_i[from_q[p]][p];

    always_ff @(posedge clk_i) if (rd_valid_i[p] && rd_ready_o[p]) from_q[p] <= rd_cta_i[p];
  end

  `TMA_ASSERT(WritesSomewhere, load_valid_i |-> load_i.ctas != '0)
  `TMA_ASSERT(FirstHasALine, copy_first_q |-> copy_valid_i)
  `TMA_COVER(CopyWaitsForLoad, load_goes && copy_valid_i)
  `TMA_COVER(LoadWaitsForCopy, load_valid_i && copy_first_q)

endmodule
