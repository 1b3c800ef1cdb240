// SPDX-License-Identifier: Apache-2.0
// Front end: takes commands, checks and issues them in the order of their queue, and answers.
// Structure only.
//
//   doorbells --> tma_ring --+
//   direct port -------------+--> tma_cmd_queue --> tma_check --> tma_issue --> copy paths, barriers
//                                      ^                              |  \--> tma_groups
//                                      +---- retire, flush, sleep ----+
//   response port, completion rings <-- tma_records <-- answers ------+
//                                            ^--------- faults of issue, paths, signals and rings
//   tma_queue_ctl: which queues are active; nothing else looks at the enable bit of the registers

`include "tma_assert.svh"

module tma_front
  import tma_pkg::*;
  import tma_front_pkg::*;
  import tma_status_pkg::*;
  import tma_path_pkg::*;
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

  // Set-up of the queues, doorbells, recovery, status
  input  queue_cfg_t [NumQueues-1:0]    cfg_i,
  input  ring_cfg_t [NumQueues-1:0]     ring_cfg_i,
  input  logic [NumQueues-1:0][31:0]    consumer_i,
  input  queue_acts_t                   acts_i,
  output queue_cfg_t [NumQueues-1:0]    cfg_o,           // set-up; enable: active
  output queue_state_t                  state_o,
  input  queue_t                        status_queue_i,
  output queue_status_t                 status_o,        // of that queue, same cycle

  input  logic [NumQueues-1:0]          hint_waits_i,    // a prefetch of it is on the pins of the port

  // Barrier units
  output logic [NumCtas-1:0]            bar_valid_o,
  input  logic [NumCtas-1:0]            bar_ready_i,
  output logic                          bar_again_o,
  output bar_req_t                      bar_req_o,
  output logic                          bar_commit_o,
  input  bar_rsp_t [NumCtas-1:0]        bar_rsp_i,
  input  logic [NumCtas-1:0]            bar_update_i,

  // Copy paths, fetches of commands, records of ring queues
  output path_cmd_t                     path_o,
  input  path_levels_t                  levels_i,
  input  path_events_t                  events_i,
  output fetch_req_t                    fetch_o,
  input  fetch_rsp_t                    fetch_i,
  output record_req_t                   rec_o,
  input  record_rsp_t                   rec_i,

  // Faults found after issue: see tma_path_pkg
  input  logic [NumFaulters-1:0]        fault_valid_i,
  output logic [NumFaulters-1:0]        fault_ready_o,
  input  fault_t [NumFaulters-1:0]      fault_i,

  output logic                          idle_o,          // no command held, no record waiting
  output front_counts_t                 counts_o
);

  // Commands between the pick and a path's FIFO. With ShortPaths they stand in five registers, four of them full when issue
  // holds one up. Issue may take the next one as that leaves; so there is one in the last register when the first one is
  // free again, and who looked at the level then has not seen it.
  localparam int unsigned InPipeline = ShortPaths ? 5 : 3;
  localparam int unsigned HeldWidth  = $clog2(CmdDepth) + 1;

  // Of faults: issue is 0, then come those found after it.
  localparam int unsigned FaultRing  = NumFaulters + 1;

  /////////////////////////
  // Lives of the queues //
  /////////////////////////

  logic [NumQueues-1:0] enable, ring, stopped, asleep, hold, crowded, issuing;
  logic [NumQueues-1:0] ring_flight, ring_faults, rec_flight, rec_pending, flight, held, ring_held;
  logic                 copy;
  queue_t               issue_queue;
  logic [FaultRing:0]   fault_valid, fault_ready;
  fault_t [FaultRing:0] fault;
  queue_t [FaultRing:1] offer_queue;

  for (genvar i = 1; i <= FaultRing; i++) begin : g_offer
    assign offer_queue[i] = fault[i].origin.qid;
  end

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    assign enable[q] = cfg_i[q].enable;

    // A write may disable a queue and bind it anew at once: it stays where it is until its life is over.
    always_ff @(posedge clk_i) if (!state_o.active[q]) ring[q] <= cfg_i[q].ring;

    assign cfg_o[q]  = '{enable: state_o.active[q], ring: ring[q], cta: cfg_i[q].cta,
                         cta_mask: cfg_i[q].cta_mask, stream: cfg_i[q].stream,
                         prot: cfg_i[q].prot, cancel_mask: cfg_i[q].cancel_mask};
  end

  // A fault of issue is taken as it comes, while its command is there.
  tma_queue_ctl u_ctl (
    .clk_i, .rst_ni, .enable_i(enable), .reset_i(acts_i.reset),
    .copy_i({copy, issue_queue}), .begun_i(events_i.begun), .ended_i(events_i.ended),
    .hint_i({path_o.prefetch_valid, issue_queue}), .hint_done_i(events_i.prefetch),
    .flight_i(issuing | ring_flight | hint_waits_i), .record_i(rec_flight), .pending_fault_i(rec_pending | ring_faults),
    .fault_offer_i(fault_valid[FaultRing:1]), .fault_queue_i(offer_queue), .head_i(state_o.head), .hold_o(hold),
    .active_o(state_o.active), .closing_o(state_o.closing), .drained_o(state_o.drained), .flight_o(flight)
  );

  logic [NumQueues-1:0][31:0]          ring_tail;
  logic [NumQueues-1:0][HeldWidth-1:0] held_count;
  logic [HeldWidth-1:0]                resume_skip;

  tma_queue_tail u_tail (
    .ring_i(ring), .head_i(state_o.head), .ring_tail_i(ring_tail), .held_count_i(held_count),
    .tail_o(state_o.tail),
    .resume_i(acts_i.resume), .index_i(acts_i.resume_index[HeldWidth-1:0]), .skip_o(resume_skip)
  );

  assign state_o.busy = flight | held | ring_held;

  //////////////
  // Commands //
  //////////////

  logic                 ring_valid, ring_ready, picked_valid, picked_ready, checked_valid, checked_ready;
  logic                 retire, flush;
  logic                 ring_idle;
  queue_t               ring_queue, picked_queue;
  fetched_t             ring_cmd, picked;
  logic [NumQueues-1:0] room, answer_ready;
  issue_t               checked;
  logic [NumPaths-1:0]  path_ready;

  function automatic logic has_room(input path_level_t level);
    return level <= PathLevelWidth'(PathDepth - InPipeline);
  endfunction

  assign path_ready[tma_isa_pkg::PathLoad]     = has_room(levels_i.load);
  assign path_ready[tma_isa_pkg::PathTensor]   = has_room(levels_i.tensor);
  assign path_ready[tma_isa_pkg::PathStore]    = has_room(levels_i.store[0]);
  assign path_ready[tma_isa_pkg::PathShared]   = has_room(levels_i.shared);
  assign path_ready[tma_isa_pkg::PathSync]     = 1'b1;
  assign path_ready[tma_isa_pkg::PathPrefetch] = has_room(levels_i.prefetch);

  // What is written, by stream.
  group_req_t            group;
  logic [NumStreams-1:0] write_add;

  if (NumLanes == 1) begin : g_one_lane
    assign write_add[0] = group.store;
  end else begin : g_lanes
    assign path_ready[tma_isa_pkg::PathMultimem] = has_room(levels_i.store[1]);

    assign write_add[1:0] = {group.store && path_o.store.multimem, group.store && !path_o.store.multimem};
  end

  if (Reduces) begin : g_reduces
    assign path_ready[tma_isa_pkg::PathReduce] = has_room(levels_i.reduce);

    assign write_add[StreamReduce] = group.reduce;

    // Nothing asks for it.
    if (NumLanes == 1) begin : g_no_multimem
      assign path_ready[tma_isa_pkg::PathMultimem] = 1'b0;
    end
  end else begin : g_no_reduces
    logic unused;
    assign unused = ^{levels_i.reduce, group.reduce};
  end

  tma_ring u_ring (
    .clk_i, .rst_ni, .cfg_i(cfg_o), .ring_cfg_i, .head_i(state_o.head), .stopped_i(stopped),
    .restart_i(acts_i.resume), .restart_index_i(acts_i.resume_index),
    .door_valid_i(acts_i.door_valid), .door_queue_i(acts_i.door_queue), .door_tail_i(acts_i.door_tail),
    .tail_o(ring_tail),
    .fetch_valid_o(fetch_o.valid), .fetch_ready_i(fetch_i.ready), .fetch_o(fetch_o.fetch),
    .fetch_denied_i(fetch_i.denied),
    .r_valid_i(fetch_i.r_valid), .r_ready_o(fetch_o.r_ready), .r_i(fetch_i.r),
    .room_i(room), .cmd_valid_o(ring_valid), .cmd_ready_i(ring_ready), .cmd_queue_o(ring_queue),
    .cmd_o(ring_cmd),
    .fault_valid_o(fault_valid[FaultRing]), .fault_ready_i(fault_ready[FaultRing]), .fault_o(fault[FaultRing]),
    .fault_waits_o(ring_faults), .held_o(ring_held), .flight_o(ring_flight), .idle_o(ring_idle)
  );

  tma_cmd_queue u_queue (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_queue_i, .cmd_i, .queue_ready_o,
    .ring_valid_i(ring_valid), .ring_ready_o(ring_ready), .ring_queue_i(ring_queue),
    .ring_cmd_i(ring_cmd), .room_o(room),
    .enable_i(state_o.active), .ring_bound_i(ring), .blocked_i(stopped | asleep | hold | crowded),
    .path_ready_i(path_ready), .answer_ready_i(answer_ready),
    .cmd_valid_o(picked_valid), .cmd_ready_i(picked_ready), .cmd_queue_o(picked_queue),
    .cmd_o(picked),
    .retire_i(retire), .retire_queue_i(issue_queue), .flush_i(flush), .flush_queue_i(issue_queue),
    .resume_i(acts_i.resume), .resume_skip_i(resume_skip),
    .held_o(held), .held_count_o(held_count), .stalled_o(counts_o.stall)
  );

  tma_check u_check (
    .clk_i, .rst_ni, .live_i(state_o.active & ~acts_i.resume), .flush_i(flush), .flush_queue_i(issue_queue),
    .valid_i(picked_valid), .ready_o(picked_ready), .qid_i(picked_queue), .cmd_i(picked), .cta_i(cfg_i[picked_queue].cta),
    .cta_mask_i(cfg_i[picked_queue].cta_mask), .cancel_mask_i(cfg_i[picked_queue].cancel_mask),
    .valid_o(checked_valid), .ready_i(checked_ready), .issue_o(checked)
  );

  group_state_t         group_state;
  logic [NumQueues-1:0] record_room;
  logic                 ans_valid;
  tma_isa_pkg::record_t ans;

  tma_issue u_issue (
    .clk_i, .rst_ni,
    .valid_i(checked_valid), .ready_o(checked_ready), .issue_i(checked),
    .enable_i(state_o.active), .stopped_i(stopped), .resume_i(acts_i.resume),
    .resume_index_i(acts_i.resume_index), .cancel_i(acts_i.cancel),
    .retire_o(retire), .flush_o(flush), .queue_o(issue_queue),
    .asleep_o(asleep), .waiting_o(state_o.waiting), .full_o(state_o.full), .issuing_o(issuing),
    .head_o(state_o.head),
    .bar_valid_o, .bar_ready_i, .bar_again_o, .bar_req_o, .bar_commit_o, .bar_rsp_i, .bar_update_i,
    .group_o(group), .group_i(group_state), .path_o, .copy_o(copy),
    .record_room_i(record_room), .ans_valid_o(ans_valid), .ans_o(ans),
    .fault_valid_o(fault_valid[0]), .fault_ready_i(fault_ready[0]), .fault_o(fault[0])
  );

  ////////////////////////
  // Groups and records //
  ////////////////////////

  tma_groups u_groups (
    .clk_i, .rst_ni, .enable_i(state_o.active), .resume_i(acts_i.resume), .queue_i(issue_queue),
    .add_i(write_add),
    .load_add_i(group.load), .load_tensor_i(path_o.load.tensor), .commit_i(group.commit),
    .cp_add_i(group.cp), .cp_commit_i(group.cp_commit),
    .read_done_i(events_i.read), .write_done_i(events_i.ended.store),
    .load_done_i(events_i.load_read), .load_done_queue_i(events_i.load_read_queue),
    .cp_done_i(events_i.ended.cp_async),
    .full_o(group_state.full), .crowded_o(crowded), .pending_read_o(group_state.pending_read),
    .pending_write_o(group_state.pending_write),
    .cp_full_o(group_state.cp_full), .cp_pending_o(group_state.cp_pending),
    .cp_busy_o(group_state.cp_busy)
  );

  logic records_idle;

  assign fault_valid[NumFaulters:1] = fault_valid_i;
  assign fault[NumFaulters:1]       = fault_i;
  assign fault_ready_o              = fault_ready[NumFaulters:1];

  tma_records u_records (
    .clk_i, .rst_ni, .active_i(state_o.active), .ring_i(ring), .ring_cfg_i, .resume_i(acts_i.resume),
    .head_i(state_o.head), .consumer_i, .producer_o(state_o.producer), .held_o(state_o.held_records),
    .answer_ready_o(answer_ready), .room_o(record_room),
    .ans_valid_i(ans_valid), .ans_queue_i(issue_queue), .ans_i(ans),
    .fault_valid_i(fault_valid), .fault_ready_o(fault_ready), .fault_i(fault),
    .stopped_o(stopped), .pending_o(rec_pending), .flight_o(rec_flight),
    .status_queue_i, .status_o, .rsp_valid_o, .rsp_ready_i, .rsp_o,
    .cmd_valid_o(rec_o.valid), .cmd_ready_i(rec_i.ready), .cmd_o(rec_o.cmd), .data_o(rec_o.data),
    .data_pop_i(rec_i.data_pop), .done_i(rec_i.done.valid), .done_queue_i(rec_i.done.qid),
    .fault_event_o(counts_o.fault), .record_event_o(counts_o.record), .idle_o(records_idle)
  );

  assign counts_o.retire = retire;
  assign idle_o          = state_o.busy == '0 && ring_idle && records_idle;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SignalsKeepToTheirMask, checked_valid && checked.fault == tma_isa_pkg::FaultNone |->
      ((checked.ctas | checked.again) & ~cfg_i[checked.qid].cta_mask) == '0)

  // Of a queue of which nothing is in flight every store and cp.async has reported.
  for (genvar q = 0; q < NumQueues; q++) begin : g_rest
    `TMA_ASSERT(RestHasNoWrites, !state_o.busy[q] |-> !u_groups.write_busy[q] && !group_state.cp_busy[q])
  end

endmodule
