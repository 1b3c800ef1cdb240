// SPDX-License-Identifier: Apache-2.0
// Says which of some mbarriers lie under a line access, and under its byte enables.
//
// Combinational. Each bank has a row of its own in an access, and a barrier lies in one bank.

module tma_mbarrier_cover
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter int unsigned N = 8
) (
  input  bank_rows_t            rows_i,   // of the line
  input  strb_t                 be_i,     // bank order
  input  bar_addr_t [N-1:0]     bars_i,

  output logic [N-1:0]          under_o,  // the line holds the barrier
  output logic [N-1:0][1:0]     half_o    // and a byte of its lower, upper four is enabled
);

  localparam int unsigned Words = DataBytes / 4;

  logic [Words-1:0] enabled;

  for (genvar i = 0; i < Words; i++) begin : g_word
    assign enabled[i] = be_i[4*i +: 4] != '0;
  end

  for (genvar n = 0; n < N; n++) begin : g_bar
    logic [ChunkIdx-1:0]   bank;
    logic [ChunkShift+1:0] word;

    assign bank       = bars_i[n][1 +: ChunkIdx] & ChunkIdx'(Chunks - 1);
    assign word       = {bars_i[n][ChunkShift:0], 1'b0};
    assign under_o[n] = bars_i[n][BarAddr-1:ChunkShift+1] == rows_i[bank];
    assign half_o[n]  = {2{under_o[n]}} & enabled[word +: 2];
  end

endmodule
