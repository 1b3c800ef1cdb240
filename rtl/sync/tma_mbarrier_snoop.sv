// SPDX-License-Identifier: Apache-2.0
// Watches the accesses to shared memory for those that meet a resident mbarrier.
//
// Combinational. A read names rows for all banks, also for those that it has no use for: it waits
// for the write-back of barriers there as well.

module tma_mbarrier_snoop
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter int unsigned N = 8
) (
  // Entries
  input  logic [N-1:0]      valid_i,
  input  logic [N-1:0]      dirty_i,
  input  logic [N-1:0]      still_i,        // not updated in this cycle
  input  bar_addr_t [N-1:0] bars_i,
  input  bar_addr_t         fill_addr_i,    // barrier on its way into an entry,
  input  logic              fill_busy_i,    // if there is one

  // Engine write
  input  logic              wr_go_i,
  input  bank_rows_t        wr_rows_i,
  input  strb_t             wr_be_i,
  output logic [N-1:0][1:0] wr_half_o,      // halves that it overwrites

  // Engine reads
  input  logic [1:0]        rd_valid_i,
  input  logic [1:0]        rd_ready_i,
  input  bank_rows_t [1:0]  rd_rows_i,
  output logic [1:0]        rd_stall_o,

  // External port
  input  logic              ext_write_i,
  input  logic              ext_ready_i,
  input  chunk_addr_t       ext_addr_i,
  input  logic [15:0]       ext_strb_i,
  output logic [N-1:0]      ext_match_o,    // entries in the chunk that it asks for
  output logic              ext_stall_o,
  output logic [N-1:0]      ext_drop_o,     // entries that it overwrites

  output logic [N-1:0]      keep_still_o,   // an access waits for them
  output logic              fill_written_o  // the engine writes the barrier on its way
);

  ///////////////////
  // Engine writes //
  ///////////////////

  logic [N:0]      unused_under;
  logic [N:0][1:0] wr_half;

  tma_mbarrier_cover #(.N(N + 1)) u_write (
    .rows_i(wr_rows_i), .be_i(wr_be_i), .bars_i({fill_addr_i, bars_i}),
    .under_o(unused_under), .half_o(wr_half)
  );

  assign wr_half_o = wr_go_i ? wr_half[N-1:0] : '0;

  //////////////////
  // Engine reads //
  //////////////////

  logic [1:0][N-1:0] rd_under;

  for (genvar p = 0; p < 2; p++) begin : g_read
    logic [N-1:0][1:0] unused_half;

    tma_mbarrier_cover #(.N(N)) u_cover (
      .rows_i(rd_rows_i[p]), .be_i('0), .bars_i, .under_o(rd_under[p]), .half_o(unused_half)
    );

    assign rd_stall_o[p] = (rd_under[p] & valid_i & dirty_i) != '0;
  end

  /////////////////////
  // External writes //
  /////////////////////

  logic [N-1:0] ext_under, ext_wait;
  logic [1:0]   strobed;
  logic         ext_on_fill;

  assign strobed = {ext_strb_i[15:8] != '0, ext_strb_i[7:0] != '0};

  always_comb begin
    for (int unsigned n = 0; n < N; n++) begin
      ext_match_o[n] = valid_i[n] && bars_i[n][BarAddr-1:1] == ext_addr_i;
      ext_under[n]   = ext_match_o[n] && strobed[bars_i[n][0]];
    end
  end

  // It may go when the entry is clean and still, so that no update is lost with it. A barrier on its
  // way goes first: whoever writes it again and again would keep its requests waiting for ever.
  assign ext_wait    = ext_under & ~(still_i & ~dirty_i);
  assign ext_on_fill = fill_busy_i && fill_addr_i[BarAddr-1:1] == ext_addr_i &&
                       strobed[fill_addr_i[0]];
  assign ext_stall_o = ext_wait != '0 || ext_on_fill;
  assign ext_drop_o  = ext_write_i && ext_ready_i ? ext_under : '0;

  assign keep_still_o = ({N{rd_valid_i[0] && !rd_ready_i[0]}} & rd_under[0]) |
                        ({N{rd_valid_i[1] && !rd_ready_i[1]}} & rd_under[1]) |
                        ({N{ext_write_i && !ext_ready_i}} & ext_under);

  assign fill_written_o = wr_go_i && wr_half[N] != '0;

endmodule
