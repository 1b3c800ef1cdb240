// SPDX-License-Identifier: Apache-2.0
// Set-up of tensor copies and the walkers of both directions, for one test that gives it decoded maps.
// A command of a direction is taken when there is room for its walk.

module tma_walks
  import tma_pkg::*;
  import tma_tensor_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              granule16_i,

  input  logic              cmd_valid_i,
  output logic              cmd_ready_o,
  input  setup_cmd_t        cmd_i,
  input  map_info_t         info_i,

  output logic [1:0]        walk_valid_o,
  output logic [1:0]        row_valid_o,
  input  logic [1:0]        row_ready_i,
  output tensor_row_t [1:0] row_o,
  output walk_item_t [1:0]  item_o,
  input  logic [1:0]        stop_i,
  output logic [1:0]        busy_o
);

  logic        ready, room;
  logic [1:0]  setup_busy, walk_ready;
  walk_t [1:0] walk;

  assign room = !setup_busy[cmd_i.store] && (!walk_valid_o[cmd_i.store] || walk_ready[cmd_i.store]);
  assign cmd_ready_o = ready && room;

  tma_tensor_setup u_setup (
    .clk_i, .rst_ni, .granule16_i,
    .cmd_valid_i(cmd_valid_i && room), .cmd_ready_o(ready), .cmd_i, .info_i, .busy_o(setup_busy),
    .walk_valid_o, .walk_ready_i(walk_ready), .walk_o(walk)
  );

  for (genvar d = 0; d < 2; d++) begin : g_walk
    tma_walk u_walk (
      .clk_i, .rst_ni, .walk_valid_i(walk_valid_o[d]), .walk_ready_o(walk_ready[d]), .walk_i(walk[d]),
      .row_valid_o(row_valid_o[d]), .row_ready_i(row_ready_i[d]), .row_o(row_o[d]), .item_o(item_o[d]),
      .stop_i(stop_i[d]), .busy_o(busy_o[d])
    );
  end

endmodule
