// SPDX-License-Identifier: Apache-2.0
// Load path: global memory to the shared memory of one or many CTAs. Structure only.
//
//   command FIFO --> tma_load_issue --> AR
//                          | contexts
//   R ------------> tma_load_data ----> shared memory, signals
//
// Latency: two cycles from a command to AR, two from R to the write, on an idle path.

module tma_load
  import tma_pkg::*;
  import tma_load_pkg::*;
#(
  parameter int unsigned CmdDepth = 8
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  windows_t [NumQueues-1:0]      windows_i,
  input  queue_cfg_t [NumQueues-1:0]    cfg_i,
  input  logic [3:0]                    axcache_i,

  // Commands in
  input  logic                          cmd_valid_i,
  output logic                          cmd_ready_o,
  input  load_cmd_t                     cmd_i,
  output logic [$clog2(CmdDepth+1)-1:0] cmd_level_o,

  // AXI read channels
  output logic                          ar_valid_o,
  input  logic                          ar_ready_i,
  output ar_t                           ar_o,
  input  logic                          r_valid_i,
  output logic                          r_ready_o,
  input  logic [IdWidth-1:0]            r_id_i,
  input  line_t                         r_data_i,
  input  logic [1:0]                    r_resp_i,
  input  logic                          r_last_i,

  // Shared memory
  output logic                          wr_valid_o,
  input  logic                          wr_ready_i,
  output smem_write_t                   wr_o,

  // Signals of finished commands
  output logic                          sig_valid_o,
  input  logic                          sig_ready_i,
  output signal_t                       sig_o,

  // Faults: error responses first
  output logic                          fault_valid_o,
  input  logic                          fault_ready_i,
  output fault_t                        fault_o,

  output logic                          prefetch_error_o,
  output logic                          idle_o
);

  load_cmd_t cmd;
  logic      cmd_valid, cmd_ready;

  tma_fifo #(.Width($bits(load_cmd_t)), .Depth(CmdDepth), .FlowThrough(1'b1)) u_cmd (
    .clk_i, .rst_ni, .in_valid_i(cmd_valid_i), .in_ready_o(cmd_ready_o), .in_i(cmd_i),
    .out_valid_o(cmd_valid), .out_ready_i(cmd_ready), .out_o(cmd), .level_o(cmd_level_o)
  );

  logic                    ctx_valid;
  logic [ChannelWidth-1:0] ctx_channel;
  ctx_t                    ctx;
  logic [NumChannels-1:0]  ctx_full, ctx_empty;
  logic                    burst_done, signal_done, prefetch_done;
  logic                    error;
  queue_t                  error_queue;
  logic [15:0]             error_seq;
  logic                    deny_valid, bus_valid;
  fault_t                  deny, bus;
  logic                    issue_idle;

  tma_load_issue u_issue (
    .clk_i, .rst_ni, .windows_i, .cfg_i, .axcache_i,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd),
    .ar_valid_o, .ar_ready_i, .ar_o,
    .ctx_valid_o(ctx_valid), .ctx_channel_o(ctx_channel), .ctx_o(ctx),
    .ctx_full_i(ctx_full), .ctx_empty_i(ctx_empty),
    .burst_done_i(burst_done), .signal_done_i(signal_done), .prefetch_done_i(prefetch_done),
    .error_i(error), .error_queue_i(error_queue), .error_seq_i(error_seq),
    .fault_valid_o(deny_valid), .fault_ready_i(fault_ready_i && !bus_valid), .fault_o(deny),
    .idle_o(issue_idle)
  );

  tma_load_data u_data (
    .clk_i, .rst_ni,
    .ctx_valid_i(ctx_valid), .ctx_channel_i(ctx_channel), .ctx_i(ctx),
    .ctx_full_o(ctx_full), .ctx_empty_o(ctx_empty),
    .r_valid_i, .r_ready_o, .r_id_i, .r_data_i, .r_resp_i, .r_last_i,
    .wr_valid_o, .wr_ready_i, .wr_o,
    .sig_valid_o, .sig_ready_i, .sig_o,
    .burst_done_o(burst_done), .signal_done_o(signal_done), .prefetch_done_o(prefetch_done),
    .prefetch_error_o,
    .error_o(error), .error_queue_o(error_queue), .error_seq_o(error_seq),
    .fault_valid_o(bus_valid), .fault_ready_i, .fault_o(bus)
  );

  assign fault_valid_o = bus_valid || deny_valid;
  assign fault_o       = bus_valid ? bus : deny;
  assign idle_o        = issue_idle && !cmd_valid && !wr_valid_o && !fault_valid_o;

endmodule
