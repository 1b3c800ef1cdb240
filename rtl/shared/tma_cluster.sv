// SPDX-License-Identifier: Apache-2.0
// Shared memory of all CTAs, with the barriers that live in it. Structure only.
//
//   load path, cp.async, shared-to-shared --> tma_smem_route --> tma_cta x NumCtas <-- external ports
//   store path, shared-to-shared <------------------'                ^
//                                              issue, tma_signal ----+  mbarrier operations

`include "tma_assert.svh"

module tma_cluster
  import tma_pkg::*;
  import tma_smem_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Writers: load path, shared-to-shared, cp.async
  input  logic                       load_valid_i,
  output logic                       load_ready_o,
  input  smem_write_t                load_i,
  input  logic                       copy_valid_i,
  output logic                       copy_ready_o,
  input  smem_write_t                copy_i,
  input  logic                       cp_valid_i,
  output logic                       cp_ready_o,
  input  chunk_write_t               cp_i,

  // Readers: 0 stores, sources of reductions, 1 shared-to-shared, 2 destinations of its reductions
  input  logic [2:0]                 rd_valid_i,
  output logic [2:0]                 rd_ready_o,
  input  cta_t [2:0]                 rd_cta_i,
  input  bank_rows_t [2:0]           rd_rows_i,
  output line_t [2:0]                rd_data_o,

  // External ports
  input  logic [NumCtas-1:0]         ext_valid_i,
  output logic [NumCtas-1:0]         ext_ready_o,
  input  logic [NumCtas-1:0]         ext_write_i,
  input  logic [NumCtas-1:0][31:0]   ext_addr_i,
  input  logic [NumCtas-1:0][15:0]   ext_strb_i,
  input  logic [NumCtas-1:0][127:0]  ext_wdata_i,
  output logic [NumCtas-1:0]         ext_rvalid_o,
  output logic [NumCtas-1:0][127:0]  ext_rdata_o,

  // Barrier operations of issue
  input  logic [NumCtas-1:0]         bar_a_valid_i,
  output logic [NumCtas-1:0]         bar_a_ready_o,
  input  logic                       bar_a_again_i,   // the request is that of the cycle before
  input  bar_req_t                   bar_a_req_i,
  input  logic                       bar_a_commit_i,
  output bar_rsp_t [NumCtas-1:0]     bar_a_rsp_o,

  // complete_tx of finished copies, arrivals behind cp.async
  input  logic [NumCtas-1:0]         bar_b_valid_i,
  output logic [NumCtas-1:0]         bar_b_ready_o,
  input  bar_addr_t                  bar_b_addr_i,
  input  logic                       bar_b_arrive_i,
  input  logic [SizeWidth-1:0]       bar_b_tx_i,
  output logic [NumCtas-1:0][15:0]   bar_b_fault_o,

  output logic [NumCtas-1:0]         bar_update_o
);

  logic [NumCtas-1:0]            cta_wr_valid, cta_wr_ready;
  smem_write_t                   cta_wr;
  logic [NumCtas-1:0][1:0]       cta_rd_valid, cta_rd_ready;
  bank_rows_t [NumCtas-1:0][1:0] cta_rd_rows;
  line_t [NumCtas-1:0][1:0]      cta_rd_data;

  tma_smem_route u_route (
    .clk_i, .rst_ni,
    .load_valid_i, .load_ready_o, .load_i,
    .copy_valid_i, .copy_ready_o, .copy_i, .cp_valid_i, .cp_ready_o, .cp_i,
    .rd_valid_i, .rd_ready_o, .rd_cta_i, .rd_rows_i, .rd_data_o,
    .cta_wr_valid_o(cta_wr_valid), .cta_wr_ready_i(cta_wr_ready), .cta_wr_o(cta_wr),
    .cta_rd_valid_o(cta_rd_valid), .cta_rd_ready_i(cta_rd_ready), .cta_rd_rows_o(cta_rd_rows),
    .cta_rd_data_i(cta_rd_data)
  );

  for (genvar c = 0; c < NumCtas; c++) begin : g_cta
    tma_cta u_cta (
      .clk_i, .rst_ni,
      .wr_valid_i(cta_wr_valid[c]), .wr_ready_o(cta_wr_ready[c]), .wr_i(cta_wr),
      .rd_valid_i(cta_rd_valid[c]), .rd_ready_o(cta_rd_ready[c]), .rd_rows_i(cta_rd_rows[c]),
      .rd_data_o(cta_rd_data[c]),
      .ext_valid_i(ext_valid_i[c]), .ext_ready_o(ext_ready_o[c]), .ext_write_i(ext_write_i[c]),
      .ext_addr_i(ext_addr_i[c]), .ext_strb_i(ext_strb_i[c]), .ext_wdata_i(ext_wdata_i[c]),
      .ext_rvalid_o(ext_rvalid_o[c]), .ext_rdata_o(ext_rdata_o[c]),
      .bar_a_valid_i(bar_a_valid_i[c]), .bar_a_ready_o(bar_a_ready_o[c]),
      .bar_a_again_i, .bar_a_req_i, .bar_a_commit_i, .bar_a_rsp_o(bar_a_rsp_o[c]),
      .bar_b_valid_i(bar_b_valid_i[c]), .bar_b_ready_o(bar_b_ready_o[c]),
      .bar_b_addr_i(bar_b_addr_i), .bar_b_arrive_i(bar_b_arrive_i), .bar_b_tx_i(bar_b_tx_i),
      .bar_b_fault_o(bar_b_fault_o[c]), .bar_update_o(bar_update_o[c])
    );
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // Whoever sees the end of a phase, at port A or the external port, reads memory from then on: when
  // a signal reaches a barrier, no write that was handed over may still be on its way. With ShortPaths a write lands in
  // the cycle after it was handed over, in which its signal is still in front of tma_signal.
  for (genvar c = 0; c < NumCtas; c++) begin : g_watch
    int   under_way_q;
    logic lands, comes, came_q;

    assign lands = g_cta[c].u_cta.u_smem.wr_go;
    assign comes = cta_wr_valid[c] && cta_wr_ready[c];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) under_way_q <= 0;
      else under_way_q <= under_way_q + int'(comes) - int'(lands);
      came_q <= rst_ni && ShortPaths && comes;
    end

    `TMA_ASSERT(SignalBehindWrites, bar_b_valid_i[c] |-> under_way_q == int'(came_q))
    `TMA_ASSERT(TakenLands, came_q |-> lands)
  end
`endif

endmodule
