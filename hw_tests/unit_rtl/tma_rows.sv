// SPDX-License-Identifier: Apache-2.0
// What makes bursts of rows, side by side under one clock, for one test: the cut at pages, and
// guard 0 of reads, 1 of writes, 2 of reductions, which check early where logic is slow.

module tma_rows
  import tma_pkg::*;
(
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic                           cut_valid_i,
  output logic                           cut_ready_o,
  input  row_t                           cut_i,
  output logic                           part_valid_o,
  input  logic                           part_ready_i,
  output row_t                           part_o,
  output logic                           cut_held_o,
  input  logic                           cut_abort_i,

  input  windows_t [NumQueues-1:0]       windows_i,
  input  multimem_t [NumMultimem-1:0]    multimem_i,
  input  logic [2:0]                     row_valid_i,
  output logic [2:0]                     row_ready_o,
  input  row_t [2:0]                     row_i,
  input  queue_t [2:0]                   row_queue_i,
  input  logic [2:0]                     row_mm_i,
  output logic [2:0]                     burst_valid_o,
  input  logic [2:0]                     burst_ready_i,
  output burst_t [2:0]                   burst_o,
  output ports_t [2:0]                   ports_o,
  output logic [2:0][NumPorts-1:0][63:0] port_addr_o,
  output logic [2:0]                     deny_valid_o,
  input  logic [2:0]                     deny_ready_i,
  output logic [2:0][63:0]               deny_addr_o,
  output logic [2:0][15:0]               deny_code_o,
  output logic [2:0]                     guard_busy_o,
  input  logic [2:0]                     guard_abort_i
);

  tma_page_cut u_cut (
    .clk_i, .rst_ni, .row_valid_i(cut_valid_i), .row_ready_o(cut_ready_o), .row_i(cut_i),
    .row_valid_o(part_valid_o), .row_ready_i(part_ready_i), .row_o(part_o),
    .held_o(cut_held_o), .abort_i(cut_abort_i)
  );

  for (genvar g = 0; g < 3; g++) begin : g_guard
    queue_t queue_q;  // of the row that is held

    always_ff @(posedge clk_i) if (row_ready_o[g]) queue_q <= row_queue_i[g];

    tma_guard #(.Write(g > 0), .Both(g == 2), .Step(ShortPaths)) u_guard (
      .clk_i, .rst_ni, .multimem_i,
      .row_valid_i(row_valid_i[g]), .row_ready_o(row_ready_o[g]), .row_i(row_i[g]),
      .windows_i(windows_i[ShortPaths ? queue_q : row_queue_i[g]]), .mm_i(row_mm_i[g]),
      .burst_valid_o(burst_valid_o[g]), .burst_ready_i(burst_ready_i[g]), .burst_o(burst_o[g]),
      .ports_o(ports_o[g]), .port_addr_o(port_addr_o[g]),
      .deny_valid_o(deny_valid_o[g]), .deny_ready_i(deny_ready_i[g]), .deny_addr_o(deny_addr_o[g]),
      .deny_code_o(deny_code_o[g]), .busy_o(guard_busy_o[g]), .abort_i(guard_abort_i[g])
    );
  end

endmodule
