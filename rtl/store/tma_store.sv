// SPDX-License-Identifier: Apache-2.0
// Store path: shared memory of one CTA to global memory. Structure only.
//
//   command FIFO --> tma_store_issue --> AW
//                      |         |
//                      | jobs    | bursts in flight
//                      v         v
//          tma_store_data     tma_store_track <-- B
//            |       |                 |
//   shared memory    W          done, faults
//
// Throughput: one AW and one W beat per cycle, also across commands of one beat.
// Latency on an idle path: AW two cycles after the command, its first W beat two cycles after AW
// is valid. W is never offered before its AW.

`include "tma_assert.svh"

module tma_store
  import tma_pkg::*;
  import tma_store_pkg::*;
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
  input  store_cmd_t                    cmd_i,
  output logic [$clog2(CmdDepth+1)-1:0] cmd_level_o,

  // Shared memory: data comes in the cycle after the handshake, in bank order
  output logic                          rd_valid_o,
  input  logic                          rd_ready_i,
  output cta_t                          rd_cta_o,
  output chunk_addr_t                   rd_addr_o,
  input  line_t                         rd_data_i,

  // AXI write channels
  output logic                          aw_valid_o,
  input  logic                          aw_ready_i,
  output logic [63:0]                   aw_addr_o,
  output logic [LenWidth-1:0]           aw_len_o,
  output logic [3:0]                    aw_cache_o,
  output logic [2:0]                    aw_prot_o,
  output logic [3:0]                    aw_qos_o,
  output logic [15:0]                   aw_user_o,
  output logic                          w_valid_o,
  input  logic                          w_ready_i,
  output line_t                         w_data_o,
  output strb_t                         w_strb_o,
  output logic                          w_last_o,
  input  logic                          b_valid_i,
  output logic                          b_ready_o,
  input  logic [1:0]                    b_resp_i,

  // One pulse each per command, in command order, of faulted commands too
  output logic                          read_done_o,
  output queue_t                        read_done_queue_o,
  output logic                          write_done_o,
  output queue_t                        write_done_queue_o,

  // Faults: at most one per command, before its write_done
  output logic                          fault_valid_o,
  input  logic                          fault_ready_i,
  output fault_t                        fault_o,

  // Events for the counters
  output logic                          aw_event_o,
  output logic                          w_event_o,
  output logic                          w_stall_o,

  output logic                          idle_o
);

  store_cmd_t cmd;
  logic       cmd_valid, cmd_ready;

  tma_fifo #(.Width($bits(store_cmd_t)), .Depth(CmdDepth), .FlowThrough(1'b1)) u_cmd (
    .clk_i, .rst_ni, .in_valid_i(cmd_valid_i), .in_ready_o(cmd_ready_o), .in_i(cmd_i),
    .out_valid_o(cmd_valid), .out_ready_i(cmd_ready), .out_o(cmd), .level_o(cmd_level_o)
  );

  logic   push, job_ready, track_ready;
  job_t   job;
  track_t track;
  logic   abort;
  logic   drop_valid, drop_ready;
  logic   issue_idle, data_idle, track_idle;

  tma_store_issue u_issue (
    .clk_i, .rst_ni, .windows_i, .cfg_i, .axcache_i,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd),
    .aw_valid_o, .aw_ready_i, .aw_addr_o, .aw_len_o, .aw_cache_o, .aw_prot_o, .aw_qos_o, .aw_user_o,
    .push_o(push), .job_ready_i(job_ready), .job_o(job),
    .track_ready_i(track_ready), .track_o(track),
    .abort_i(abort), .idle_o(issue_idle)
  );

  tma_store_data u_data (
    .clk_i, .rst_ni,
    .job_valid_i(push), .job_ready_o(job_ready), .job_i(job),
    .rd_valid_o, .rd_ready_i, .rd_cta_o, .rd_addr_o, .rd_data_i,
    .w_valid_o, .w_ready_i, .w_data_o, .w_strb_o, .w_last_o,
    .drop_valid_o(drop_valid), .drop_ready_i(drop_ready),
    .read_done_o, .read_done_queue_o,
    .idle_o(data_idle)
  );

  tma_store_track u_track (
    .clk_i, .rst_ni,
    .track_valid_i(push), .track_ready_o(track_ready), .track_i(track),
    .b_valid_i, .b_ready_o, .b_resp_i,
    .drop_valid_i(drop_valid), .drop_ready_o(drop_ready),
    .abort_o(abort),
    .write_done_o, .write_done_queue_o,
    .fault_valid_o, .fault_ready_i, .fault_o,
    .idle_o(track_idle)
  );

  assign aw_event_o = aw_valid_o && aw_ready_i;
  assign w_event_o  = w_valid_o && w_ready_i;
  assign w_stall_o  = w_valid_o && !w_ready_i;
  assign idle_o     = !cmd_valid && issue_idle && data_idle && track_idle;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // Bursts whose AW was taken and whose last W beat was not.
  int unsigned ahead_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ahead_q <= 0;
    else         ahead_q <= ahead_q + 32'(aw_event_o) - 32'(w_event_o && w_last_o);
  end
`endif

  `TMA_ASSERT(WriteDataFollowsItsAddress, w_valid_o |-> aw_valid_o || ahead_q != 0)
  `TMA_COVER(AddressRunsAhead, ahead_q > 2)

endmodule
