// SPDX-License-Identifier: Apache-2.0
// The load path with the read port that it has in the engine, for the tests of the load path.

module tma_load_port
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_tensor_pkg::*;
  import tma_load_pkg::*;
  import tma_path_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter int unsigned CmdDepth = 8
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  window_write_t                 window_write_i,
  input  queue_cfg_t [NumQueues-1:0]    cfg_i,       // enable: the queue is active
  input  logic [NumQueues-1:0]          restart_i,   // pulse: the queue is resumed
  input  logic [3:0]                    axcache_i,
  input  logic                          dead_i,      // the port has died

  // How many commands wait: 0 plain ones, 1 tensor copies, 2 bulk prefetches
  output logic [2:0][$clog2(CmdDepth+1)-1:0] level_o,

  // Commands in
  input  logic                          cmd_valid_i,
  output logic                          cmd_ready_o,
  input  load_cmd_t                     cmd_i,

  // Bulk prefetches in
  input  logic                          prefetch_valid_i,
  output logic                          prefetch_ready_o,
  input  prefetch_cmd_t                 prefetch_i,

  // Tensor copies out to set-up, their walks in
  output logic                          tensor_valid_o,
  input  logic                          tensor_ready_i,
  output load_cmd_t                     tensor_o,
  input  logic                          walk_valid_i,
  output logic                          walk_ready_o,
  input  walk_t                         walk_i,

  // Fetches of the ring, of maps
  input  fetch_req_t                    fetch_i,
  output fetch_rsp_t                    fetch_o,
  input  map_req_t                      map_i,
  output map_rsp_t                      map_o,

  // AXI read channels
  output read_req_t                     axi_o,
  input  read_rsp_t                     axi_i,

  // Shared memory: loads, cp.async
  output logic                          wr_valid_o,
  input  logic                          wr_ready_i,
  output smem_write_t                   wr_o,
  output logic                          cp_wr_valid_o,
  input  logic                          cp_wr_ready_i,
  output chunk_write_t                  cp_wr_o,

  // Signals: 0 of finished loads, 1 arrivals behind cp.async
  output logic [1:0]                    sig_valid_o,
  input  logic [1:0]                    sig_ready_i,
  output signal_t [1:0]                 sig_o,

  output logic                          fault_valid_o,
  input  logic                          fault_ready_i,
  output fault_t                        fault_o,

  output load_events_t                  events_o,
  output logic                          pending_o,
  output logic                          idle_o
);

  read_req_t            read;
  reader_rsp_t          read_back;
  logic [NumQueues-1:0] unused_hints;
  logic                 unused_progress;

  tma_load #(.CmdDepth(CmdDepth)) u_load (
    .clk_i, .rst_ni, .window_write_i, .cfg_i, .restart_i, .axcache_i, .dead_i, .level_o,
    .cmd_valid_i, .cmd_ready_o, .cmd_i, .prefetch_valid_i, .prefetch_ready_o, .prefetch_i,
    .tensor_valid_o, .tensor_ready_i, .tensor_o, .walk_valid_i, .walk_ready_o, .walk_i,
    .fetch_i, .fetch_o, .map_i, .map_o, .port_o(read), .port_i(read_back),
    .wr_valid_o, .wr_ready_i, .wr_o, .cp_wr_valid_o, .cp_wr_ready_i, .cp_wr_o,
    .sig_valid_o, .sig_ready_i, .sig_o, .fault_valid_o, .fault_ready_i, .fault_o,
    .events_o, .idle_o
  );

  tma_read_port u_port (
    .clk_i, .rst_ni, .dead_i,
    .ar_valid_i(read.ar_valid), .ar_ready_o(read_back.ar_ready), .ar_i(read.ar),
    .r_valid_o(read_back.r_valid), .r_ready_i(read.r_ready), .r_o(read_back.r), .hints_o(unused_hints),
    .ar_valid_o(axi_o.ar_valid), .ar_ready_i(axi_i.ar_ready), .ar_o(axi_o.ar),
    .r_valid_i(axi_i.r_valid), .r_ready_o(axi_o.r_ready), .r_id_i(axi_i.r_id), .r_data_i(axi_i.r_data),
    .r_resp_i(axi_i.r_resp), .r_last_i(axi_i.r_last), .pending_o, .progress_o(unused_progress)
  );

endmodule
