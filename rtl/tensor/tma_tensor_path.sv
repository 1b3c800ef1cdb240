// SPDX-License-Identifier: Apache-2.0
// Tensor copies of all paths up to their walks. Structure only.
//
//   loads, prefetches -----------------------> tma_map_fence --> tma_tensor --> walks
//   stores ------+                              ^       |           ^
//   reductions --+--> tma_tensor_share ---------+       +-- fences -+
//
// Throughput, latency: those of the parts. Reset: control only.

module tma_tensor_path
  import tma_pkg::*;
  import tma_tensor_pkg::*;
  import tma_path_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  window_write_t              window_write_i,
  input  queue_cfg_t [NumQueues-1:0] cfg_i,
  input  logic                       granule16_i,     // BEHAVIOUR.store_granule16

  // Pulse: forget this map
  input  logic                       fence_valid_i,
  input  queue_t                     fence_queue_i,
  input  logic [63:6]                fence_addr_i,

  // Commands, 0 loads, 1 stores, 2 reductions; fresh: one was sent in this cycle
  input  logic [2:0]                 cmd_valid_i,
  output logic [2:0]                 cmd_ready_o,
  input  logic [2:0]                 fresh_i,
  input  load_cmd_t                  load_i,
  input  store_cmd_t                 store_i,
  input  reduce_cmd_t                reduce_i,

  // Walks, by the same; stores and reductions have one of them in turn
  output logic [2:0]                 walk_valid_o,
  input  logic [2:0]                 walk_ready_i,
  output walk_t [1:0]                walk_o,

  // Fetches of maps
  output map_req_t                   map_o,
  input  map_rsp_t                   map_i,
  input  read_beat_t                 beat_i,

  output logic                       idle_o
);

  logic [1:0]  passed_valid, passed_ready;  // behind a fence: loads, and whose turn it is of the others
  logic        turn_valid, turn_ready, turn_fresh, reduce, walk_valid, walk_ready;
  logic        fence_valid, fence_idle, tensor_idle;
  logic [2:0]  op;
  logic [63:6] fence_addr;
  store_cmd_t  turn;

  tma_tensor_share u_share (
    .clk_i, .rst_ni,
    .store_valid_i(cmd_valid_i[1]), .store_ready_o(cmd_ready_o[1]), .store_i, .store_fresh_i(fresh_i[1]),
    .reduce_valid_i(cmd_valid_i[2]), .reduce_ready_o(cmd_ready_o[2]), .reduce_i, .reduce_fresh_i(fresh_i[2]),
    .cmd_valid_o(turn_valid), .cmd_ready_i(turn_ready), .cmd_o(turn), .cmd_reduce_o(reduce), .cmd_op_o(op),
    .cmd_fresh_o(turn_fresh),
    .walk_valid_i(walk_valid), .walk_ready_o(walk_ready), .walk_reduce_i(walk_o[1].item.reduce),
    .store_walk_valid_o(walk_valid_o[1]), .store_walk_ready_i(walk_ready_i[1]),
    .reduce_walk_valid_o(walk_valid_o[2]), .reduce_walk_ready_i(walk_ready_i[2])
  );

  tma_map_fence u_fence (
    .clk_i, .rst_ni, .window_write_i, .fence_valid_i, .fence_queue_i, .fence_addr_i,
    .fence_valid_o(fence_valid), .fence_addr_o(fence_addr),
    .cmd_valid_i({turn_valid, cmd_valid_i[0]}), .cmd_ready_o({turn_ready, cmd_ready_o[0]}),
    .fresh_i({turn_fresh, fresh_i[0]}),
    .cmd_valid_o(passed_valid), .cmd_ready_i(passed_ready), .idle_o(fence_idle)
  );

  tma_tensor u_tensor (
    .clk_i, .rst_ni, .cfg_i, .granule16_i,
    .cmd_valid_i(passed_valid), .cmd_ready_o(passed_ready), .load_cmd_i(load_i),
    .store_cmd_i(turn), .reduce_i(reduce), .reduce_op_i(op),
    .walk_valid_o({walk_valid, walk_valid_o[0]}), .walk_ready_i({walk_ready, walk_ready_i[0]}), .walk_o,
    .fence_valid_i(fence_valid), .fence_addr_i(fence_addr),
    .fetch_valid_o(map_o.valid), .fetch_ready_i(map_i.ready), .fetch_o(map_o.fetch),
    .fetch_denied_i(map_i.denied), .fetch_done_i(map_i.done), .beat_valid_i(map_i.r_valid), .beat_i,
    .prefetch_error_o(map_o.error), .idle_o(tensor_idle)
  );

  assign idle_o = tensor_idle && fence_idle;

endmodule
