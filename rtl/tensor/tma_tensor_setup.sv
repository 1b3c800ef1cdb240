// SPDX-License-Identifier: Apache-2.0
// Makes a walk of a tensor copy and its decoded map: rules, positions, addresses, totals. Structure only.
//
//   cmd_i, info_i --> steps: held --> lanes --> bounds ------> walk of its direction
//                               \        \----> sums ------/
//                                \----> row, rules -------/
//
// `Lanes` levels are worked on at once, each with a multiplier of its own: starts first, then what
// lies between the start and the restart of the levels that have both (im2col), and the C dimension
// of interleaved maps by itself. With 4 lanes a tile takes 2 cycles, and is on offer in the third;
// with fewer the product is a step of its own.
//
// A walk is kept, apart for each direction, until it is taken. The user starts nothing for a direction
// whose walk is not taken yet or taken in this cycle: set-up never waits for a walker.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_tensor_setup
  import tma_pkg::*;
  import tma_tensor_pkg::*;
  import tma_setup_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              granule16_i,

  input  logic              cmd_valid_i,
  output logic              cmd_ready_o,
  input  setup_cmd_t        cmd_i,
  input  map_info_t         info_i,       // of its map, unless it has a fault or asks for the map alone

  output logic [1:0]        busy_o,       // set-up of a command of this direction
  output logic [1:0]        walk_valid_o, // 0: loads, 1: stores and reductions
  input  logic [1:0]        walk_ready_i,
  output walk_t [1:0]       walk_o
);

  ///////////
  // Steps //
  ///////////

  setup_cmd_t cmd;
  map_info_t  info;
  logic       granule16, none, load, list, wide, tiled, runs, slice_apart;
  round_t     operand, position, sum;
  logic       first, position_first, finish;

  tma_setup_steps u_steps (
    .clk_i, .rst_ni, .granule16_i, .cmd_valid_i, .cmd_ready_o, .cmd_i, .info_i, .busy_o,
    .cmd_o(cmd), .info_o(info), .granule16_o(granule16), .none_o(none), .load_o(load), .list_o(list),
    .wide_o(wide), .tiled_o(tiled), .runs_o(runs), .slice_apart_o(slice_apart),
    .operand_o(operand), .first_o(first), .position_o(position), .position_first_o(position_first),
    .sum_o(sum), .finish_o(finish)
  );

  ////////////
  // Levels //
  ////////////

  logic [Lanes-1:0]        folded, fits, level_outside, ahead, behind;
  walk_level_t [Lanes-1:0] level;
  gchunk_t [Lanes-1:0]     product;
  gchunk_t [Levels-1:0]    addr;
  logic [Levels-1:0]       addr_we;
  gchunk_t                 row_start;
  run_t                    run;

  tma_setup_lanes u_lanes (
    .clk_i, .operand_i(operand), .cmd_i(cmd), .info_i(info), .list_i(list), .wide_i(wide),
    .tiled_i(tiled), .runs_i(runs), .slice_apart_i(slice_apart), .folded_i(folded), .level_o(level),
    .fits_o(fits), .outside_o(level_outside), .ahead_o(ahead), .behind_o(behind),
    .run_o(run), .product_o(product)
  );

  tma_setup_sums u_sums (
    .clk_i, .first_i(first), .base_i(info.base), .row_i(row_start), .sum_i(sum),
    .product_i(product), .list_i(list), .addr_o(addr), .we_o(addr_we)
  );

  /////////////////
  // Row, bounds //
  /////////////////

  logic                 row_outside, row_whole, positions, any_folded, outside;
  logic [RowChunks-1:0] fill, head, chunks, tail, fold_chunks;
  logic [3:0]           odd;
  logic [Levels-1:0]    start_bad;

  tma_setup_row u_row (
    .clk_i, .step_i(first), .info_i(info), .coord_i(cmd.op.coord[0]),
    .store_i(cmd.store), .load_i(load), .granule16_i(granule16),
    .start_o(row_start), .outside_o(row_outside), .whole_o(row_whole), .fill_o(fill),
    .head_o(head), .chunks_o(chunks), .odd_o(odd), .tail_o(tail)
  );

  tma_setup_bounds u_bounds (
    .clk_i, .rst_ni, .first_i(first), .none_i(none), .list_i(list), .wide_i(wide), .tiled_i(tiled),
    .slice_used_i(info.slice_used), .slice_i(cmd.op.coord[info.slice_dim]),
    .slice_last_i(info.slice_last), .fold_i(info.fold), .fold_chunks_i(info.fold_chunks),
    .position_i(position), .position_first_i(position_first), .row_outside_i(row_outside),
    .row_whole_i(row_whole), .fits_i(fits), .outside_i(level_outside), .ahead_i(ahead),
    .behind_i(behind), .positions_o(positions), .folded_o(folded), .any_folded_o(any_folded),
    .fold_chunks_o(fold_chunks), .start_bad_o(start_bad), .outside_o(outside)
  );

  /////////////////
  // Rules, walk //
  /////////////////

  logic [15:0]          rule;
  logic [63:0]          rule_addr;
  logic [SizeWidth-1:0] bytes;

  tma_setup_rules u_rules (
    .clk_i, .step_i(first), .cmd_i(cmd), .info_i(info), .start_bad_i(start_bad),
    .fault_o(rule), .addr_o(rule_addr), .bytes_o(bytes)
  );

  tma_setup_walk u_walk (
    .clk_i, .rst_ni, .cmd_i(cmd), .info_i(info), .none_i(none), .load_i(load), .wide_i(wide),
    .tiled_i(tiled), .runs_i(runs), .position_i(position), .position_first_i(position_first),
    .positions_i(positions), .level_i(level), .fill_i(fill), .head_i(head), .chunks_i(chunks),
    .odd_i(odd), .tail_i(tail), .any_folded_i(any_folded), .fold_chunks_i(fold_chunks),
    .run_i(run), .sum_valid_i(sum.valid), .addr_i(addr), .addr_we_i(addr_we), .finish_i(finish),
    .outside_i(outside), .rule_i(rule), .rule_addr_i(rule_addr), .bytes_i(bytes),
    .walk_valid_o, .walk_ready_i, .walk_o
  );

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  logic padded;

  assign padded = Packed && (info.layout.format == FormatPad4 || info.layout.format == FormatPad6);

  `TMA_ASSERT(RowIsItsParts, positions && position.group == '0 && load && !padded && !row_outside |->
      head + chunks + tail == RowChunks'(info.row_chunks) && fill == RowChunks'(info.row_chunks))
`endif
  `TMA_ASSERT(RowOfAStoreHasNoFill, positions && !load |-> head == '0 && tail == '0 && fill == '0)
  `TMA_ASSERT(WalkStartsInItsWindow, finish && !none && rule == tma_isa_pkg::FaultNone |->
      start_bad == '0)
  `TMA_ASSERT(RoomForTheWalk, cmd_valid_i && cmd_ready_o |->
                              !walk_valid_o[cmd_i.store] || walk_ready_i[cmd_i.store])

endmodule
