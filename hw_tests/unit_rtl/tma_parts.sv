// SPDX-License-Identifier: Apache-2.0
// The parts that the paths are made of, side by side under one clock, for one test.

module tma_parts
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  localparam int unsigned PathBits = 2048
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // Queues: 0 plain, 1 flow-through, of 5 entries; 2 of a single one; 3 of 4 in block memory,
  // 4 with a register behind it
  input  logic [4:0]                fifo_in_valid_i,
  output logic [4:0]                fifo_in_ready_o,
  input  logic [4:0][31:0]          fifo_in_i,
  output logic [4:0]                fifo_out_valid_o,
  input  logic [4:0]                fifo_out_ready_i,
  output logic [4:0][31:0]          fifo_out_o,
  output logic [4:0][2:0]           fifo_level_o,

  input  logic                      ram_we_i,
  input  logic [2:0]                ram_waddr_i,
  input  logic [31:0]               ram_wdata_i,
  input  logic [2:0]                ram_raddr_i,
  output logic [31:0]               ram_rdata_o,

  input  logic [4:0]                arb_request_i,
  input  logic                      arb_advance_i,
  output logic [4:0]                arb_grant_o,
  output logic [2:0]                arb_index_o,

  input  logic [Chunks-1:0][15:0]    rotate_i,
  input  logic [ChunkIdx-1:0]       rotate_amount_i,
  output logic [Chunks-1:0][15:0]    rotate_o,

  // Two readers of shared memory in turn, and what they read together
  input  logic [1:0]                turn_valid_i,
  output logic [1:0]                turn_ready_o,
  input  cta_t [1:0]                turn_cta_i,
  input  bank_rows_t [1:0]          turn_rows_i,
  output logic                      both_valid_o,
  input  logic                      both_ready_i,
  output cta_t                      both_cta_o,
  output bank_rows_t                both_rows_o,

  // Commands on their way to the paths: the bits of a path_cmd_t from the lowest on
  input  logic [PathBits-1:0]       path_i,
  output logic [PathBits-1:0]       path_o,
  output logic [15:0]               path_width_o,
  output logic                      path_idle_o,

  input  logic                      load_valid_i,
  output logic                      load_ready_o,
  input  smem_write_t               load_i,
  input  logic                      copy_valid_i,
  output logic                      copy_ready_o,
  input  smem_write_t               copy_i,
  input  logic                      cp_valid_i,
  output logic                      cp_ready_o,
  input  chunk_write_t              cp_i,
  input  logic [2:0]                rd_valid_i,
  output logic [2:0]                rd_ready_o,
  input  cta_t [2:0]                rd_cta_i,
  input  bank_rows_t [2:0]          rd_rows_i,
  output line_t [2:0]               rd_data_o,
  output logic [NumCtas-1:0]        cta_wr_valid_o,
  input  logic [NumCtas-1:0]        cta_wr_ready_i,
  output smem_write_t               cta_wr_o,
  output logic [NumCtas-1:0][1:0]   cta_rd_valid_o,
  input  logic [NumCtas-1:0][1:0]   cta_rd_ready_i,
  output bank_rows_t [NumCtas-1:0][1:0] cta_rd_rows_o,
  input  line_t [NumCtas-1:0][1:0]  cta_rd_data_i
);

  for (genvar f = 0; f < 3; f++) begin : g_fifo
    localparam int unsigned Depth = f == 2 ? 1 : 5;
    logic [$clog2(Depth+1)-1:0] level;
    tma_fifo #(.Width(32), .Depth(Depth), .FlowThrough(f == 1)) u_fifo (
      .clk_i, .rst_ni, .in_valid_i(fifo_in_valid_i[f]), .in_ready_o(fifo_in_ready_o[f]),
      .in_i(fifo_in_i[f]), .out_valid_o(fifo_out_valid_o[f]), .out_ready_i(fifo_out_ready_i[f]),
      .out_o(fifo_out_o[f]), .level_o(level)
    );
    assign fifo_level_o[f] = 3'(level);
  end

  for (genvar f = 3; f < 5; f++) begin : g_fifo_block
    tma_fifo_block #(.Width(32), .Depth(4), .Register(f == 4)) u_fifo (
      .clk_i, .rst_ni, .in_valid_i(fifo_in_valid_i[f]), .in_ready_o(fifo_in_ready_o[f]),
      .in_i(fifo_in_i[f]), .out_valid_o(fifo_out_valid_o[f]), .out_ready_i(fifo_out_ready_i[f]),
      .out_o(fifo_out_o[f]), .level_o(fifo_level_o[f])
    );
  end

  tma_ram_1r1w #(.Width(32), .Depth(7)) u_ram (
    .clk_i, .we_i(ram_we_i), .waddr_i(ram_waddr_i), .wdata_i(ram_wdata_i),
    .raddr_i(ram_raddr_i), .rdata_o(ram_rdata_o)
  );

  tma_rr_arb #(.N(5)) u_arb (
    .clk_i, .rst_ni, .request_i(arb_request_i), .advance_i(arb_advance_i),
    .grant_o(arb_grant_o), .index_o(arb_index_o)
  );

  tma_rotate #(.LaneWidth(16)) u_rotate (
    .line_i(rotate_i), .amount_i(rotate_amount_i), .line_o(rotate_o)
  );

  tma_smem_turns u_turns (
    .clk_i, .rst_ni, .valid_i(turn_valid_i), .ready_o(turn_ready_o), .cta_i(turn_cta_i), .rows_i(turn_rows_i),
    .rd_valid_o(both_valid_o), .rd_ready_i(both_ready_i), .rd_cta_o(both_cta_o), .rd_rows_o(both_rows_o)
  );

  tma_path_pkg::path_cmd_t staged;
  logic                    unused_path;

  assign path_width_o = 16'($bits(staged));
  assign path_o       = PathBits'(staged);
  assign unused_path  = ^path_i;

  tma_path_stage u_stage (
    .clk_i, .rst_ni, .path_i(path_i[$bits(tma_path_pkg::path_cmd_t)-1:0]), .path_o(staged), .idle_o(path_idle_o)
  );

  tma_smem_route u_route (
    .clk_i, .rst_ni, .load_valid_i, .load_ready_o, .load_i, .copy_valid_i, .copy_ready_o, .copy_i,
    .cp_valid_i, .cp_ready_o, .cp_i,
    .rd_valid_i, .rd_ready_o, .rd_cta_i, .rd_rows_i, .rd_data_o,
    .cta_wr_valid_o, .cta_wr_ready_i, .cta_wr_o, .cta_rd_valid_o, .cta_rd_ready_i, .cta_rd_rows_o,
    .cta_rd_data_i
  );

endmodule
