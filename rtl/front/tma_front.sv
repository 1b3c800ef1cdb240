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

  // Set-up of the queues, doorbells, recovery
  input  queue_cfg_t [NumQueues-1:0]    cfg_i,
  input  ring_cfg_t [NumQueues-1:0]     ring_cfg_i,
  input  logic [NumQueues-1:0][31:0]    consumer_i,
  input  logic                          door_valid_i,
  input  queue_t                        door_queue_i,
  input  logic [31:0]                   door_tail_i,
  input  logic [NumQueues-1:0]          resume_i,
  input  logic [31:0]                   resume_index_i,
  input  logic [NumQueues-1:0]          reset_i,
  input  logic [NumQueues-1:0]          cancel_i,

  // Status of the queues
  output queue_cfg_t [NumQueues-1:0]    cfg_o,           // set-up; enable: active
  output logic [NumQueues-1:0]          active_o,
  output logic [NumQueues-1:0]          closing_o,
  output logic [NumQueues-1:0]          busy_o,
  output logic [NumQueues-1:0]          waiting_o,
  output logic [NumQueues-1:0]          full_o,
  output logic [NumQueues-1:0]          drained_o,
  output logic [NumQueues-1:0][31:0]    head_o,
  output logic [NumQueues-1:0][31:0]    tail_o,
  output logic [NumQueues-1:0][31:0]    producer_o,
  output held_records_t [NumQueues-1:0] held_records_o,
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

  // Copy paths
  output logic                          load_valid_o,
  input  logic                          load_ready_i,
  output load_cmd_t                     load_o,
  input  logic [1:0][PathLevelWidth-1:0] load_level_i,  // tensor copies: 1
  output logic                          prefetch_valid_o,
  input  logic                          prefetch_ready_i,
  output prefetch_cmd_t                 prefetch_o,
  input  logic [PathLevelWidth-1:0]     prefetch_level_i,
  output logic                          store_valid_o,
  input  logic                          store_ready_i,
  output store_cmd_t                    store_o,
  input  logic [NumLanes-1:0][PathLevelWidth-1:0] store_level_i,  // by lane
  output logic                          shared_valid_o,
  input  logic                          shared_ready_i,
  output shared_cmd_t                   shared_o,
  input  logic [PathLevelWidth-1:0]     shared_level_i,
  output logic                          fence_valid_o,  // pulse: forget this tensor map
  output queue_t                        fence_queue_o,
  output logic [63:6]                   fence_addr_o,

  // Fetches of commands
  output logic                          fetch_valid_o,
  input  logic                          fetch_ready_i,
  output fetch_t                        fetch_o,
  input  logic                          fetch_denied_i,
  input  logic                          ring_r_valid_i,
  output logic                          ring_r_ready_o,
  input  read_beat_t                    ring_r_i,

  // Records of ring queues
  output logic                          rec_valid_o,
  input  logic                          rec_ready_i,
  output record_cmd_t                   rec_o,
  output logic [255:0]                  rec_data_o,
  input  logic                          rec_data_pop_i,
  input  logic                          rec_done_i,
  input  queue_t                        rec_done_queue_i,

  // What the paths have done: bursts that left, rows with fill, copies as in tma_queue_ctl, reads of
  // stores by lane, of loads by channel
  input  logic [1:0]                    add_i,
  input  queue_t [1:0]                  add_queue_i,
  input  logic [NumDones-1:0]           done_i,
  input  queue_t [NumDones-1:0]         done_queue_i,
  input  logic [NumLanes-1:0]           read_done_i,
  input  queue_t [NumLanes-1:0]         read_done_queue_i,
  input  logic [NumChannels-1:0]        load_done_i,
  input  queue_t                        load_done_queue_i,

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

  localparam int unsigned InPipeline = 3;  // commands between the pick and a path's FIFO
  localparam int unsigned HeldWidth  = $clog2(CmdDepth) + 1;
  localparam int unsigned Store      = 3;  // of `done_i`
  localparam int unsigned CpAsync    = 4;
  localparam int unsigned Spread     = NumDones - 1;  // with two lanes

  /////////////////////////
  // Lives of the queues //
  /////////////////////////

  logic [NumQueues-1:0] enable, ring, stopped, asleep, hold, issuing;
  logic [NumQueues-1:0] ring_flight, rec_flight, rec_pending, flight, held, ring_held;
  logic                 copy;
  queue_t               issue_queue;
  logic [4:0]           fault_valid, fault_ready;
  fault_t [4:0]         fault;
  queue_t [3:0]         offer_queue;

  for (genvar i = 0; i < 4; i++) begin : g_offer
    assign offer_queue[i] = fault[i+1].origin.qid;
  end

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    assign enable[q] = cfg_i[q].enable;

    // A write may disable a queue and bind it anew at once: it stays where it is until its life is over.
    always_ff @(posedge clk_i) if (!active_o[q]) ring[q] <= cfg_i[q].ring;

    assign cfg_o[q]  = '{enable: active_o[q], ring: ring[q], cta: cfg_i[q].cta,
                         cta_mask: cfg_i[q].cta_mask, stream: cfg_i[q].stream,
                         prot: cfg_i[q].prot, cancel_mask: cfg_i[q].cancel_mask};
  end

  // A fault of issue is taken as it comes, while its command is there.
  tma_queue_ctl u_ctl (
    .clk_i, .rst_ni, .enable_i(enable), .reset_i, .add_i({prefetch_valid_o, add_i, copy}),
    .add_queue_i({issue_queue, add_queue_i, issue_queue}), .done_i, .done_queue_i,
    .flight_i(issuing | ring_flight | hint_waits_i), .record_i(rec_flight), .pending_fault_i(rec_pending),
    .fault_offer_i(fault_valid[4:1]), .fault_queue_i(offer_queue), .head_i(head_o), .hold_o(hold),
    .active_o, .closing_o, .drained_o, .flight_o(flight)
  );

  logic [NumQueues-1:0][31:0]          ring_tail;
  logic [NumQueues-1:0][HeldWidth-1:0] held_count;
  logic [HeldWidth-1:0]                resume_skip;

  tma_queue_tail u_tail (
    .ring_i(ring), .head_i(head_o), .ring_tail_i(ring_tail), .held_count_i(held_count), .tail_o,
    .resume_i, .index_i(resume_index_i[HeldWidth-1:0]), .skip_o(resume_skip)
  );

  assign busy_o = flight | held | ring_held;

  //////////////
  // Commands //
  //////////////

  logic                 ring_valid, ring_ready, picked_valid, picked_ready, retire, flush;
  logic                 ring_idle;
  queue_t               ring_queue, picked_queue;
  fetched_t             ring_cmd, picked;
  logic [NumQueues-1:0] room, answer_ready;
  issue_t               checked;
  logic [NumPaths-1:0]  path_ready;

  function automatic logic has_room(input logic [PathLevelWidth-1:0] level);
    return level <= PathLevelWidth'(PathDepth - InPipeline);
  endfunction

  assign path_ready[tma_isa_pkg::PathLoad]     = has_room(load_level_i[0]);
  assign path_ready[tma_isa_pkg::PathStore]    = has_room(store_level_i[0]);
  assign path_ready[tma_isa_pkg::PathShared]   = has_room(shared_level_i);
  assign path_ready[tma_isa_pkg::PathSync]     = 1'b1;
  assign path_ready[tma_isa_pkg::PathPrefetch] = has_room(prefetch_level_i);
  assign path_ready[tma_isa_pkg::PathTensor]   = has_room(load_level_i[1]);

  // Stores by lane.
  logic                  group_add;
  logic [NumLanes-1:0]   store_add, write_done;
  queue_t [NumLanes-1:0] write_done_queue;

  if (NumLanes == 1) begin : g_one_lane
    assign store_add        = group_add;
    assign write_done       = done_i[Store];
    assign write_done_queue = done_queue_i[Store];
  end else begin : g_lanes
    assign path_ready[tma_isa_pkg::PathMultimem] = has_room(store_level_i[1]);

    assign store_add        = {group_add && store_o.multimem, group_add && !store_o.multimem};
    assign write_done       = {done_i[Spread], done_i[Store]};
    assign write_done_queue = {done_queue_i[Spread], done_queue_i[Store]};
  end

  tma_ring u_ring (
    .clk_i, .rst_ni, .cfg_i(cfg_o), .ring_cfg_i, .head_i(head_o), .stopped_i(stopped),
    .restart_i(resume_i), .restart_index_i(resume_index_i),
    .door_valid_i, .door_queue_i, .door_tail_i, .tail_o(ring_tail),
    .fetch_valid_o, .fetch_ready_i, .fetch_o, .fetch_denied_i,
    .r_valid_i(ring_r_valid_i), .r_ready_o(ring_r_ready_o), .r_i(ring_r_i),
    .room_i(room), .cmd_valid_o(ring_valid), .cmd_ready_i(ring_ready), .cmd_queue_o(ring_queue),
    .cmd_o(ring_cmd),
    .fault_valid_o(fault_valid[4]), .fault_ready_i(fault_ready[4]), .fault_o(fault[4]),
    .held_o(ring_held), .flight_o(ring_flight), .idle_o(ring_idle)
  );

  tma_cmd_queue u_queue (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_queue_i, .cmd_i, .queue_ready_o,
    .ring_valid_i(ring_valid), .ring_ready_o(ring_ready), .ring_queue_i(ring_queue),
    .ring_cmd_i(ring_cmd), .room_o(room),
    .enable_i(active_o), .ring_bound_i(ring), .blocked_i(stopped | asleep | hold),
    .path_ready_i(path_ready), .answer_ready_i(answer_ready),
    .cmd_valid_o(picked_valid), .cmd_ready_i(picked_ready), .cmd_queue_o(picked_queue),
    .cmd_o(picked),
    .retire_i(retire), .retire_queue_i(issue_queue), .flush_i(flush), .flush_queue_i(issue_queue),
    .resume_i, .resume_skip_i(resume_skip),
    .held_o(held), .held_count_o(held_count), .stalled_o(stall_event_o)
  );

  tma_check u_check (
    .qid_i(picked_queue), .cmd_i(picked), .cta_i(cfg_i[picked_queue].cta),
    .cta_mask_i(cfg_i[picked_queue].cta_mask), .cancel_mask_i(cfg_i[picked_queue].cancel_mask),
    .issue_o(checked)
  );

  logic                      load_add, group_commit, cp_add, cp_commit;
  logic [NumQueues-1:0]      group_full, cp_full, cp_busy, record_room;
  logic [NumQueues-1:0][5:0] pending_read, pending_write, cp_pending;
  logic                      ans_valid;
  tma_isa_pkg::record_t      ans;

  tma_issue u_issue (
    .clk_i, .rst_ni,
    .valid_i(picked_valid), .ready_o(picked_ready), .issue_i(checked),
    .enable_i(active_o), .stopped_i(stopped), .resume_i, .resume_index_i, .cancel_i,
    .retire_o(retire), .flush_o(flush), .queue_o(issue_queue),
    .asleep_o(asleep), .waiting_o, .full_o, .issuing_o(issuing), .head_o,
    .bar_valid_o, .bar_ready_i, .bar_again_o, .bar_req_o, .bar_commit_o, .bar_rsp_i, .bar_update_i,
    .group_add_o(group_add), .load_add_o(load_add), .group_commit_o(group_commit),
    .group_full_i(group_full), .pending_read_i(pending_read), .pending_write_i(pending_write),
    .cp_add_o(cp_add), .cp_commit_o(cp_commit),
    .cp_full_i(cp_full), .cp_pending_i(cp_pending), .cp_busy_i(cp_busy),
    .load_valid_o, .load_ready_i, .load_o, .prefetch_valid_o, .prefetch_ready_i, .prefetch_o,
    .store_valid_o, .store_ready_i, .store_o,
    .shared_valid_o, .shared_ready_i, .shared_o, .copy_o(copy), .fence_valid_o, .fence_addr_o,
    .record_room_i(record_room), .ans_valid_o(ans_valid), .ans_o(ans),
    .fault_valid_o(fault_valid[0]), .fault_ready_i(fault_ready[0]), .fault_o(fault[0])
  );

  ////////////////////////
  // Groups and records //
  ////////////////////////

  tma_groups u_groups (
    .clk_i, .rst_ni, .enable_i(active_o), .resume_i, .queue_i(issue_queue), .add_i(store_add),
    .load_add_i(load_add), .load_tensor_i(load_o.tensor), .commit_i(group_commit), .cp_add_i(cp_add),
    .cp_commit_i(cp_commit),
    .read_done_i, .read_done_queue_i, .load_done_i, .load_done_queue_i,
    .write_done_i(write_done), .write_done_queue_i(write_done_queue),
    .cp_done_i(done_i[CpAsync]), .cp_done_queue_i(done_queue_i[CpAsync]),
    .full_o(group_full), .pending_read_o(pending_read), .pending_write_o(pending_write),
    .cp_full_o(cp_full), .cp_pending_o(cp_pending), .cp_busy_o(cp_busy)
  );

  logic records_idle;

  assign fault_valid[3:1] = fault_valid_i;
  assign fault[3:1]       = fault_i;
  assign fault_ready_o    = fault_ready[3:1];

  tma_records u_records (
    .clk_i, .rst_ni, .active_i(active_o), .ring_i(ring), .ring_cfg_i, .resume_i, .head_i(head_o),
    .consumer_i, .producer_o, .held_o(held_records_o),
    .answer_ready_o(answer_ready), .room_o(record_room),
    .ans_valid_i(ans_valid), .ans_queue_i(issue_queue), .ans_i(ans),
    .fault_valid_i(fault_valid), .fault_ready_o(fault_ready), .fault_i(fault),
    .stopped_o(stopped), .pending_o(rec_pending), .flight_o(rec_flight),
    .status_queue_i, .status_o, .rsp_valid_o, .rsp_ready_i, .rsp_o,
    .cmd_valid_o(rec_valid_o), .cmd_ready_i(rec_ready_i), .cmd_o(rec_o), .data_o(rec_data_o),
    .data_pop_i(rec_data_pop_i), .done_i(rec_done_i), .done_queue_i(rec_done_queue_i),
    .fault_event_o, .record_event_o, .idle_o(records_idle)
  );

  assign fence_queue_o  = issue_queue;
  assign retire_event_o = retire;
  assign idle_o         = busy_o == '0 && ring_idle && records_idle;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SignalsKeepToTheirMask, picked_valid && checked.fault == tma_isa_pkg::FaultNone |->
      ((checked.ctas | checked.again) & ~cfg_i[picked_queue].cta_mask) == '0)

endmodule
