// SPDX-License-Identifier: Apache-2.0
// One CTA: its shared memory, and its mbarriers over it.
//
// Structural. Latencies and combinational paths are those of the two parts.
//
//   engine write, reads ---+---------------> tma_smem <--- external port
//                          | snoop            ^  |
//                          v       write-back |  | fill
//   port A, port B ------> tma_mbarrier ------+--+
//
// `ctas` of the write is the sender's business: what arrives here is written.

`include "tma_assert.svh"

module tma_cta
  import tma_pkg::*;
  import tma_smem_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Engine write
  input  logic                 wr_valid_i,
  output logic                 wr_ready_o,
  input  smem_write_t          wr_i,

  // Engine reads, data in the next cycle
  input  logic [1:0]           rd_valid_i,
  output logic [1:0]           rd_ready_o,
  input  bank_rows_t [1:0]     rd_rows_i,
  output line_t [1:0]          rd_data_o,

  // External port
  input  logic                 ext_valid_i,
  output logic                 ext_ready_o,
  input  logic                 ext_write_i,
  input  logic [31:0]          ext_addr_i,
  input  logic [15:0]          ext_strb_i,
  input  logic [127:0]         ext_wdata_i,
  output logic                 ext_rvalid_o,
  output logic [127:0]         ext_rdata_o,

  // Barrier operations of issue
  input  logic                 bar_a_valid_i,
  output logic                 bar_a_ready_o,
  input  logic                 bar_a_again_i,    // the request is that of the cycle before
  input  bar_req_t             bar_a_req_i,
  input  logic                 bar_a_commit_i,
  output bar_rsp_t             bar_a_rsp_o,

  // Barrier signals of finished copies
  input  logic                 bar_b_valid_i,
  output logic                 bar_b_ready_o,
  input  bar_addr_t            bar_b_addr_i,
  input  logic                 bar_b_arrive_i,
  input  logic [SizeWidth-1:0] bar_b_tx_i,
  output logic [15:0]          bar_b_fault_o,

  output logic                 bar_update_o
);

  logic [1:0]   rd_stall;
  logic         ext_stall, ext_inside;
  logic [15:0]  ext_override;
  logic [127:0] ext_data;
  logic         wb_valid, wb_demand, wb_ready, fill_valid, fill_ready;
  bar_addr_t    wb_addr, fill_addr;
  logic [7:0]   wb_be;
  logic [63:0]  wb_data, fill_data;
  logic         unused_ctas;
  logic         wr_go;
  bank_rows_t   wr_rows;
  strb_t        wr_be;

  assign unused_ctas = ^wr_i.ctas;
  assign ext_inside  = ext_addr_i < 32'(SmemBytes);

  tma_smem u_smem (
    .clk_i, .rst_ni,
    .wr_valid_i, .wr_ready_o, .wr_rows_i(wr_i.rows), .wr_be_i(wr_i.be), .wr_data_i(wr_i.data),
    .wr_go_o(wr_go), .wr_rows_o(wr_rows), .wr_be_o(wr_be),
    .rd_valid_i, .rd_ready_o, .rd_rows_i, .rd_stall_i(rd_stall), .rd_data_o,
    .ext_valid_i, .ext_ready_o, .ext_write_i, .ext_addr_i, .ext_strb_i, .ext_wdata_i,
    .ext_stall_i(ext_stall), .ext_rvalid_o, .ext_rdata_o,
    .ext_override_i(ext_override), .ext_data_i(ext_data),
    .wb_valid_i(wb_valid), .wb_demand_i(wb_demand), .wb_ready_o(wb_ready),
    .wb_addr_i(wb_addr), .wb_be_i(wb_be), .wb_data_i(wb_data),
    .fill_valid_i(fill_valid), .fill_ready_o(fill_ready), .fill_addr_i(fill_addr),
    .fill_data_o(fill_data)
  );

  tma_mbarrier u_mbarrier (
    .clk_i, .rst_ni,
    .bar_a_valid_i, .bar_a_ready_o, .bar_a_again_i, .bar_a_req_i, .bar_a_commit_i, .bar_a_rsp_o,
    .bar_b_valid_i, .bar_b_ready_o, .bar_b_addr_i, .bar_b_arrive_i, .bar_b_tx_i, .bar_b_fault_o,
    .bar_update_o,
    .wr_go_i(wr_go), .wr_rows_i(wr_rows), .wr_be_i(wr_be),
    .rd_valid_i, .rd_ready_i(rd_ready_o), .rd_rows_i, .rd_stall_o(rd_stall),
    .ext_valid_i(ext_valid_i && ext_inside), .ext_ready_i(ext_ready_o), .ext_write_i,
    .ext_addr_i(ext_addr_i[4 +: ChunkAddr]), .ext_strb_i, .ext_stall_o(ext_stall),
    .ext_override_o(ext_override), .ext_data_o(ext_data),
    .wb_valid_o(wb_valid), .wb_demand_o(wb_demand), .wb_ready_i(wb_ready),
    .wb_addr_o(wb_addr), .wb_be_o(wb_be), .wb_data_o(wb_data),
    .fill_valid_o(fill_valid), .fill_ready_i(fill_ready), .fill_addr_o(fill_addr),
    .fill_data_i(fill_data)
  );

  ////////////////
  // Assertions //
  ////////////////

  `TMA_COVER(ReadMeetsDirty0, rd_valid_i[0] && rd_stall[0])
  `TMA_COVER(ReadMeetsDirty1, rd_valid_i[1] && rd_stall[1])
  `TMA_COVER(ExternalWriteWaits, ext_valid_i && ext_write_i && ext_stall)
  `TMA_COVER(ExternalReadOverridden, ext_rvalid_o && ext_override != '0)

endmodule
