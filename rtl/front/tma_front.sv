// SPDX-License-Identifier: Apache-2.0
// Front end: takes commands, checks and issues them in the order of their queue, and answers.
// Structure only.
//
//   direct port --> tma_cmd_queue --> tma_check --> tma_issue --> copy paths, barrier units
//                        ^                              |  \--> tma_groups
//                        +---- retire, flush, sleep ----+
//                   tma_respond <-- answers ------------+
//                        ^--------- tma_faults <-- faults of issue, paths and signals

module tma_front
  import tma_pkg::*;
  import tma_front_pkg::*;
  import tma_status_pkg::*;
(
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Direct port, responses
  input  logic                          cmd_valid_i,
  output logic                          cmd_ready_o,
  input  queue_t                        cmd_queue_i,
  input  logic [511:0]                  cmd_i,
  output logic [NumQueues-1:0]          queue_ready_o,
  output logic                          rsp_valid_o,
  input  logic                          rsp_ready_i,
  output logic [255:0]                  rsp_o,

  // Set-up and status of the queues
  input  queue_cfg_t [NumQueues-1:0]    cfg_i,
  output logic [NumQueues-1:0]          held_o,
  output logic [NumQueues-1:0]          waiting_o,
  output logic [NumQueues-1:0][31:0]    head_o,
  input  queue_t                        status_queue_i,
  output queue_status_t                 status_o,        // of that queue, same cycle

  // Barrier units
  output logic [NumCtas-1:0]            bar_valid_o,
  input  logic [NumCtas-1:0]            bar_ready_i,
  output bar_req_t                      bar_req_o,
  output logic                          bar_commit_o,
  input  bar_rsp_t [NumCtas-1:0]        bar_rsp_i,
  input  logic [NumCtas-1:0]            bar_update_i,

  // Copy paths
  output logic                          load_valid_o,
  input  logic                          load_ready_i,
  output load_cmd_t                     load_o,
  input  logic [PathLevelWidth-1:0]     load_level_i,
  output logic                          store_valid_o,
  input  logic                          store_ready_i,
  output store_cmd_t                    store_o,
  input  logic [PathLevelWidth-1:0]     store_level_i,
  output logic                          shared_valid_o,
  input  logic                          shared_ready_i,
  output shared_cmd_t                   shared_o,
  input  logic [PathLevelWidth-1:0]     shared_level_i,

  // Stores that are done, in command order
  input  logic                          read_done_i,
  input  queue_t                        read_done_queue_i,
  input  logic                          write_done_i,
  input  queue_t                        write_done_queue_i,

  // Faults found after issue: load, store, signal
  input  logic [2:0]                    fault_valid_i,
  output logic [2:0]                    fault_ready_o,
  input  fault_t [2:0]                  fault_i,

  output logic                          idle_o,          // no command held, no record waiting
  output logic                          retire_event_o,
  output logic                          stall_event_o,
  output logic                          fault_event_o,
  output logic                          record_event_o
);

  logic [NumQueues-1:0] enable, stopped, asleep;

  for (genvar q = 0; q < NumQueues; q++) begin : g_enable
    assign enable[q] = cfg_i[q].enable;
  end

  localparam int unsigned AnswerLevel = $clog2(AnswerDepth + 1);
  localparam int unsigned InPipeline  = 3;  // commands between the pick and a path's FIFO

  logic                  picked_valid, picked_ready, retire, flush;
  queue_t                picked_queue;
  tma_isa_pkg::command_t picked;
  issue_t                checked;
  queue_t                issue_queue;
  logic [AnswerLevel-1:0] answer_level;
  logic [3:0]            path_ready;

  assign path_ready[tma_isa_pkg::PathLoad]   = load_level_i   <= PathLevelWidth'(PathDepth - InPipeline);
  assign path_ready[tma_isa_pkg::PathStore]  = store_level_i  <= PathLevelWidth'(PathDepth - InPipeline);
  assign path_ready[tma_isa_pkg::PathShared] = shared_level_i <= PathLevelWidth'(PathDepth - InPipeline);
  assign path_ready[tma_isa_pkg::PathSync]   = 1'b1;

  tma_cmd_queue u_queue (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_queue_i, .cmd_i, .queue_ready_o,
    .enable_i(enable), .blocked_i(stopped | asleep), .path_ready_i(path_ready),
    .answer_ready_i(answer_level <= AnswerLevel'(AnswerDepth - InPipeline)),
    .cmd_valid_o(picked_valid), .cmd_ready_i(picked_ready), .cmd_queue_o(picked_queue),
    .cmd_o(picked),
    .retire_i(retire), .retire_queue_i(issue_queue), .flush_i(flush), .flush_queue_i(issue_queue),
    .held_o, .stalled_o(stall_event_o)
  );

  tma_check u_check (
    .qid_i(picked_queue), .cmd_i(picked), .cta_i(cfg_i[picked_queue].cta),
    .cta_mask_i(cfg_i[picked_queue].cta_mask), .issue_o(checked)
  );

  logic                      group_add, group_commit;
  logic [NumQueues-1:0]      group_full;
  logic [NumQueues-1:0][5:0] pending_read, pending_write;
  logic                      ans_valid;
  tma_isa_pkg::record_t      ans;
  logic                      issue_fault_valid, issue_fault_ready;
  fault_t                    issue_fault;

  tma_issue u_issue (
    .clk_i, .rst_ni,
    .valid_i(picked_valid), .ready_o(picked_ready), .issue_i(checked),
    .enable_i(enable), .stopped_i(stopped),
    .retire_o(retire), .flush_o(flush), .queue_o(issue_queue),
    .asleep_o(asleep), .waiting_o, .head_o,
    .bar_valid_o, .bar_ready_i, .bar_req_o, .bar_commit_o, .bar_rsp_i, .bar_update_i,
    .group_add_o(group_add), .group_commit_o(group_commit),
    .group_full_i(group_full), .pending_read_i(pending_read), .pending_write_i(pending_write),
    .load_valid_o, .load_ready_i, .load_o, .store_valid_o, .store_ready_i, .store_o,
    .shared_valid_o, .shared_ready_i, .shared_o,
    .ans_valid_o(ans_valid), .ans_o(ans),
    .fault_valid_o(issue_fault_valid), .fault_ready_i(issue_fault_ready), .fault_o(issue_fault)
  );

  /////////////////////////
  // Groups and records  //
  /////////////////////////

  tma_groups u_groups (
    .clk_i, .rst_ni, .enable_i(enable),
    .add_i(group_add), .add_queue_i(issue_queue),
    .commit_i(group_commit), .commit_queue_i(issue_queue),
    .read_done_i, .read_done_queue_i,
    .write_done_i, .write_done_queue_i,
    .full_o(group_full), .pending_read_o(pending_read), .pending_write_o(pending_write)
  );

  logic                 rec_valid, rec_ready, respond_idle, faults_idle;
  tma_isa_pkg::record_t rec;

  tma_faults u_faults (
    .clk_i, .rst_ni, .enable_i(enable), .head_i(head_o),
    .fault_valid_i({fault_valid_i, issue_fault_valid}),
    .fault_ready_o({fault_ready_o, issue_fault_ready}), .fault_i({fault_i, issue_fault}),
    .stopped_o(stopped), .status_queue_i, .status_o, .event_o(fault_event_o),
    .rec_valid_o(rec_valid), .rec_ready_i(rec_ready), .rec_o(rec), .idle_o(faults_idle)
  );

  tma_respond u_respond (
    .clk_i, .rst_ni,
    .ans_valid_i(ans_valid), .ans_i(ans), .ans_level_o(answer_level),
    .rec_valid_i(rec_valid), .rec_ready_o(rec_ready), .rec_i(rec),
    .rsp_valid_o, .rsp_ready_i, .rsp_o, .event_o(record_event_o), .idle_o(respond_idle)
  );

  assign retire_event_o = retire;
  assign idle_o         = held_o == '0 && respond_idle && faults_idle;

endmodule
