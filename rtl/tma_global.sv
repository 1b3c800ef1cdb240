// SPDX-License-Identifier: Apache-2.0
// What moves data between global and shared memory. Structure only.
//
//   loads, fetches --> tma_load <---- reads of port 0
//                       ^    \  tensor commands
//                walks  |     v
//                     tma_tensor: maps, set-up
//                walks  |     ^
//                       v    /  tensor commands
//   stores, records -> tma_store ---> writes of all ports

module tma_global
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_tensor_pkg::*;
  import tma_front_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,

  // Set-up
  input  windows_t [NumQueues-1:0]          windows_i,
  input  multimem_t [NumMultimem-1:0]       multimem_i,
  input  queue_cfg_t [NumQueues-1:0]        cfg_i,        // enable: active
  input  logic [3:0]                        axcache_i,
  input  logic                              granule16_i,  // tensor stores clip as an H200 does
  input  logic [NumQueues-1:0]              restart_i,    // pulse: the queue is resumed

  // Commands
  input  logic                              load_valid_i,
  output logic                              load_ready_o,
  input  load_cmd_t                         load_i,
  output logic [1:0][PathLevelWidth-1:0]    load_level_o,   // tensor copies: 1
  input  logic                              prefetch_valid_i,
  output logic                              prefetch_ready_o,
  input  prefetch_cmd_t                     prefetch_i,
  output logic [PathLevelWidth-1:0]         prefetch_level_o,
  input  logic                              store_valid_i,
  output logic                              store_ready_o,
  input  store_cmd_t                        store_i,
  output logic [NumLanes-1:0][PathLevelWidth-1:0] store_level_o,  // by lane
  input  logic                              fence_valid_i,  // pulse: forget this tensor map
  input  queue_t                            fence_queue_i,
  input  logic [63:6]                       fence_addr_i,

  // Fetches of commands
  input  logic                              fetch_valid_i,
  output logic                              fetch_ready_o,
  input  fetch_t                            fetch_i,
  output logic                              fetch_denied_o,
  output logic                              ring_r_valid_o,
  input  logic                              ring_r_ready_i,
  output read_beat_t                        ring_r_o,

  // Records of ring queues
  input  logic                              rec_valid_i,
  output logic                              rec_ready_o,
  input  record_cmd_t                       rec_i,
  input  logic [255:0]                      rec_data_i,
  output logic                              rec_data_pop_o,
  output logic                              rec_done_o,
  output queue_t                            rec_done_queue_o,

  // Shared memory: loads, cp.async, stores
  output logic                              wr_valid_o,
  input  logic                              wr_ready_i,
  output smem_write_t                       wr_o,
  output logic                              cp_wr_valid_o,
  input  logic                              cp_wr_ready_i,
  output chunk_write_t                      cp_wr_o,
  output logic                              rd_valid_o,
  input  logic                              rd_ready_i,
  output cta_t                              rd_cta_o,
  output bank_rows_t                        rd_rows_o,
  input  line_t                             rd_data_i,

  // Signals of finished loads, arrivals behind cp.async
  output logic                              sig_valid_o,
  input  logic                              sig_ready_i,
  output signal_t                           sig_o,
  output logic                              cp_sig_valid_o,
  input  logic                              cp_sig_ready_i,
  output signal_t                           cp_sig_o,

  // What was done, as in tma_load and tma_store
  output logic                              row_done_o,
  output queue_t                            row_done_queue_o,
  output logic                              prefetch_done_o,
  output queue_t                            prefetch_done_queue_o,
  output logic [NumChannels-1:0]            load_done_o,
  output queue_t                            load_done_queue_o,
  output logic                              burst_add_o,
  output queue_t                            burst_add_queue_o,
  output logic                              burst_done_o,
  output queue_t                            burst_done_queue_o,
  output logic                              fill_add_o,
  output queue_t                            fill_add_queue_o,
  output logic                              fill_done_o,
  output queue_t                            fill_done_queue_o,
  output logic                              cp_done_o,
  output queue_t                            cp_done_queue_o,
  output logic                              cp_drop_o,
  output queue_t                            cp_drop_queue_o,
  output logic [NumLanes-1:0]               read_done_o,        // of stores, by lane
  output queue_t [NumLanes-1:0]             read_done_queue_o,
  output logic [NumLanes-1:0]               write_done_o,
  output queue_t [NumLanes-1:0]             write_done_queue_o,

  // Faults: load, store
  output logic [1:0]                        fault_valid_o,
  input  logic [1:0]                        fault_ready_i,
  output fault_t [1:0]                      fault_o,

  // AXI read channels of port 0
  output logic                              ar_valid_o,
  input  logic                              ar_ready_i,
  output ar_t                               ar_o,
  input  logic                              r_valid_i,
  output logic                              r_ready_o,
  input  logic [IdWidth-1:0]                r_id_i,
  input  line_t                             r_data_i,
  input  logic [1:0]                        r_resp_i,
  input  logic                              r_last_i,

  // AXI write channels
  output logic [NumPorts-1:0]               aw_valid_o,
  input  logic [NumPorts-1:0]               aw_ready_i,
  output logic [NumPorts-1:0][63:0]         aw_addr_o,
  output logic [NumPorts-1:0][LenWidth-1:0] aw_len_o,
  output logic [NumPorts-1:0][3:0]          aw_cache_o,
  output logic [NumPorts-1:0][2:0]          aw_prot_o,
  output logic [NumPorts-1:0][3:0]          aw_qos_o,
  output logic [NumPorts-1:0][15:0]         aw_user_o,
  output logic [NumPorts-1:0]               w_valid_o,
  input  logic [NumPorts-1:0]               w_ready_i,
  output line_t [NumPorts-1:0]              w_data_o,
  output strb_t [NumPorts-1:0]              w_strb_o,
  output logic [NumPorts-1:0]               w_last_o,
  input  logic [NumPorts-1:0]               b_valid_i,
  output logic [NumPorts-1:0]               b_ready_o,
  input  logic [NumPorts-1:0][1:0]          b_resp_i,

  // To and from tma_port_watch
  input  ports_t                            dead_i,
  output logic                              read_pending_o,
  output logic                              read_progress_o,
  output ports_t                            write_pending_o,
  output ports_t                            write_progress_o,

  // Events for the counters
  output logic                              aw_event_o,
  output logic                              w_event_o,
  output logic                              w_stall_o,
  output logic                              prefetch_error_o,

  output logic                              idle_o
);

  logic [1:0]  tensor_valid, tensor_ready, walk_valid, walk_ready;  // load, store
  load_cmd_t   load_tensor;
  store_cmd_t  store_tensor;
  walk_t [1:0] walk;
  logic        map_fetch_valid, map_fetch_ready, map_denied, map_done, map_r_valid;
  fetch_t      map_fetch;
  logic [1:0]  passed_valid, passed_ready;  // tensor commands behind a fence
  logic        fence_valid, fence_idle;
  logic [63:6] fence_addr;
  logic        map_prefetch_error, load_idle, store_idle, tensor_idle;

  tma_load #(.CmdDepth(PathDepth), .CmdFlow(!ShortPaths)) u_load (
    .clk_i, .rst_ni, .windows_i, .cfg_i, .axcache_i, .restart_i,
    .cmd_valid_i(load_valid_i), .cmd_ready_o(load_ready_o), .cmd_i(load_i),
    .cmd_level_o(load_level_o),
    .prefetch_valid_i, .prefetch_ready_o, .prefetch_i, .prefetch_level_o,
    .tensor_valid_o(tensor_valid[0]), .tensor_ready_i(tensor_ready[0]), .tensor_o(load_tensor),
    .walk_valid_i(walk_valid[0]), .walk_ready_o(walk_ready[0]), .walk_i(walk[0]),
    .fetch_valid_i, .fetch_ready_o, .fetch_i, .fetch_denied_o,
    .ring_r_valid_o, .ring_r_ready_i, .ring_r_o,
    .map_fetch_valid_i(map_fetch_valid), .map_fetch_ready_o(map_fetch_ready),
    .map_fetch_i(map_fetch), .map_denied_o(map_denied), .map_done_o(map_done),
    .map_r_valid_o(map_r_valid),
    .ar_valid_o, .ar_ready_i, .ar_o,
    .r_valid_i, .r_ready_o, .r_id_i, .r_data_i, .r_resp_i, .r_last_i,
    .dead_i(dead_i[0]), .read_pending_o, .read_progress_o,
    .wr_valid_o, .wr_ready_i, .wr_o, .cp_wr_valid_o, .cp_wr_ready_i, .cp_wr_o,
    .sig_valid_o, .sig_ready_i, .sig_o, .cp_sig_valid_o, .cp_sig_ready_i, .cp_sig_o,
    .row_done_o, .row_done_queue_o, .prefetch_done_o, .prefetch_done_queue_o,
    .read_done_o(load_done_o), .read_done_queue_o(load_done_queue_o),
    .burst_add_o, .burst_add_queue_o, .burst_done_o, .burst_done_queue_o, .cp_done_o, .cp_done_queue_o,
    .cp_drop_o, .cp_drop_queue_o, .fill_add_o, .fill_add_queue_o, .fill_done_o, .fill_done_queue_o,
    .fault_valid_o(fault_valid_o[0]), .fault_ready_i(fault_ready_i[0]), .fault_o(fault_o[0]),
    .map_error_i(map_prefetch_error), .prefetch_error_o, .idle_o(load_idle)
  );

  tma_store #(.CmdDepth(PathDepth), .CmdFlow(!ShortPaths)) u_store (
    .clk_i, .rst_ni, .windows_i, .multimem_i, .cfg_i, .axcache_i,
    .cmd_valid_i(store_valid_i), .cmd_ready_o(store_ready_o), .cmd_i(store_i),
    .cmd_level_o(store_level_o),
    .tensor_valid_o(tensor_valid[1]), .tensor_ready_i(tensor_ready[1]), .tensor_o(store_tensor),
    .walk_valid_i(walk_valid[1]), .walk_ready_o(walk_ready[1]), .walk_i(walk[1]),
    .rec_valid_i, .rec_ready_o, .rec_i, .rec_data_i, .rec_data_pop_o,
    .rd_valid_o, .rd_ready_i, .rd_cta_o, .rd_rows_o, .rd_data_i,
    .aw_valid_o, .aw_ready_i, .aw_addr_o, .aw_len_o, .aw_cache_o, .aw_prot_o, .aw_qos_o,
    .aw_user_o, .w_valid_o, .w_ready_i, .w_data_o, .w_strb_o, .w_last_o,
    .b_valid_i, .b_ready_o, .b_resp_i, .dead_i, .write_pending_o, .write_progress_o,
    .read_done_o, .read_done_queue_o, .write_done_o, .write_done_queue_o,
    .rec_done_o, .rec_done_queue_o,
    .fault_valid_o(fault_valid_o[1]), .fault_ready_i(fault_ready_i[1]), .fault_o(fault_o[1]),
    .aw_event_o, .w_event_o, .w_stall_o, .idle_o(store_idle)
  );

  tma_map_fence u_fence (
    .clk_i, .rst_ni, .windows_i, .fence_valid_i, .fence_queue_i, .fence_addr_i,
    .fence_valid_o(fence_valid), .fence_addr_o(fence_addr),
    .cmd_valid_i(tensor_valid), .cmd_ready_o(tensor_ready),
    .fresh_i({store_level_o[0] == '0, load_level_o[1] == '0}),
    .cmd_valid_o(passed_valid), .cmd_ready_i(passed_ready), .idle_o(fence_idle)
  );

  tma_tensor u_tensor (
    .clk_i, .rst_ni, .cfg_i, .granule16_i,
    .cmd_valid_i(passed_valid), .cmd_ready_o(passed_ready), .load_cmd_i(load_tensor),
    .store_cmd_i(store_tensor),
    .walk_valid_o(walk_valid), .walk_ready_i(walk_ready), .walk_o(walk),
    .fence_valid_i(fence_valid), .fence_addr_i(fence_addr),
    .fetch_valid_o(map_fetch_valid), .fetch_ready_i(map_fetch_ready), .fetch_o(map_fetch),
    .fetch_denied_i(map_denied), .fetch_done_i(map_done),
    .beat_valid_i(map_r_valid), .beat_i(ring_r_o),
    .prefetch_error_o(map_prefetch_error), .idle_o(tensor_idle)
  );

  assign idle_o           = load_idle && store_idle && tensor_idle && fence_idle;

endmodule
