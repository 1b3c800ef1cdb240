// SPDX-License-Identifier: Apache-2.0
// Reductions to global memory: read, arithmetic, write, burst by burst. Structure only.
//
//   command FIFO --+--> tma_store_source --> join --> tma_reduce_issue <--> tma_reduce_score
//      | tensor    |                                   |        |
//      v           |                               job v        v AR
//   set-up         |               shared --> tma_store_data   ports --> tma_reduce_old
//      v           |               memory               |                     |
//   tma_walk ------+                                    +--> tma_reduce_merge <+
//                                                                |
//            done, faults <-- tma_reduce_track <-- B    W <-- tma_reduce_send
//
// It is a path of its own: what a reduction waits for, itself first of all, holds up no load, store or record. It meets
// them at the ports, by turns, and offers an address when all of its data is there.
//
// A multimem reduction goes to each port of its window in turn, and is read and written there by itself.
//
// Throughput: a line per cycle; a burst every other cycle (`Short`: every fourth); bursts that follow each other every
// tenth (twelfth). Latency on an idle path, with the registers of the ports: three cycles (four) from a row to AR, three
// more with `CmdFlow` 0; twelve (17) from the last old data to AW, one more to W. Reset: control only.

`include "tma_assert.svh"

module tma_reduce
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_tensor_pkg::*;
  import tma_store_pkg::*;
  import tma_reduce_pkg::*;
  import tma_axi_pkg::*;
  import tma_path_pkg::*;
#(
  parameter int unsigned CmdDepth = 8,
  parameter bit          CmdFlow  = 1'b1, // 0: a command waits in block memory, for three cycles
  parameter bit          Short    = ShortPaths
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  window_write_t                 window_write_i,
  input  multimem_t [NumMultimem-1:0]   multimem_i,
  input  queue_cfg_t [NumQueues-1:0]    cfg_i,
  input  logic [3:0]                    axcache_i,
  input  logic                          f32_ftz_i,    // BEHAVIOUR.f32_ftz

  // Commands in
  input  logic                          cmd_valid_i,
  output logic                          cmd_ready_o,
  input  reduce_cmd_t                   cmd_i,
  output logic [$clog2(CmdDepth+1)-1:0] cmd_level_o,

  // Tensor commands out, to their set-up; as walks they come back, in order
  output logic                          tensor_valid_o,
  input  logic                          tensor_ready_i,
  output reduce_cmd_t                   tensor_o,
  input  logic                          walk_valid_i,
  output logic                          walk_ready_o,
  input  walk_t                         walk_i,

  // Shared memory: data comes in the cycle after the handshake, in bank order
  output logic                          rd_valid_o,
  input  logic                          rd_ready_i,
  output cta_t                          rd_cta_o,
  output bank_rows_t                    rd_rows_o,
  input  line_t                         rd_data_i,

  // To and from the ports
  output read_req_t [NumPorts-1:0]      reader_o,
  input  reader_rsp_t [NumPorts-1:0]    reader_i,
  output writer_req_t [NumPorts-1:0]    writer_o,
  input  writer_rsp_t [NumPorts-1:0]    writer_i,

  // One pulse each per command, in command order, of faulted commands too
  output event_t                        read_done_o,
  output event_t                        write_done_o,

  // Faults: at most one per command, before its write_done
  output logic                          fault_valid_o,
  input  logic                          fault_ready_i,
  output fault_t                        fault_o,

  output write_counts_t                 counts_o,
  output logic                          idle_o
);

  //////////
  // Rows //
  //////////

  reduce_cmd_t cmd;
  logic        cmd_valid, cmd_ready;

  tma_fifo_block #(.Width($bits(reduce_cmd_t)), .Depth(CmdDepth), .Block(!CmdFlow), .Register(1'b1)) u_cmd (
    .clk_i, .rst_ni, .in_valid_i(cmd_valid_i), .in_ready_o(cmd_ready_o), .in_i(cmd_i),
    .out_valid_o(cmd_valid), .out_ready_i(cmd_ready), .out_o(cmd), .level_o(cmd_level_o)
  );

  logic        walk_valid, walk_ready, step_valid, step_ready, step_stop, walk_row_valid, walk_row_ready, walk_stop;
  logic        walk_busy, stage_busy, unused_slot;
  walk_t       walk;
  tensor_row_t step_row, walk_row;
  walk_item_t  step_item, walk_item;

  // So the set-up of a walk lies beside the rows of the one before it: tma_tensor_share.
  tma_fifo #(.Width($bits(walk_t)), .Depth(1)) u_slot (
    .clk_i, .rst_ni, .in_valid_i(walk_valid_i), .in_ready_o(walk_ready_o), .in_i(walk_i),
    .out_valid_o(walk_valid), .out_ready_i(walk_ready), .out_o(walk), .level_o(unused_slot)
  );

  tma_walk #(.Wide(1'b0)) u_walk (
    .clk_i, .rst_ni, .walk_valid_i(walk_valid), .walk_ready_o(walk_ready), .walk_i(walk),
    .row_valid_o(step_valid), .row_ready_i(step_ready), .row_o(step_row),
    .item_o(step_item), .stop_i(step_stop), .busy_o(walk_busy)
  );

  tma_walk_stage #(.Short(Short), .NoFills(1'b1)) u_stage (
    .clk_i, .rst_ni,
    .row_valid_i(step_valid), .row_ready_o(step_ready), .row_i(step_row), .item_i(step_item),
    .stop_o(step_stop),
    .row_valid_o(walk_row_valid), .row_ready_i(walk_row_ready), .row_o(walk_row),
    .item_o(walk_item), .stop_i(walk_stop), .busy_o(stage_busy)
  );

  logic       source_valid, source_ready, source_alone, source_follows, source_rest, source_pass, source_stop;
  logic       source_idle, row_valid, row_ready, row_pair, stop, join_busy, unused_record, unused_rest;
  row_t       source_row, row;
  item_t      source_item, row_item, item;
  store_cmd_t tensor;

  tma_store_source #(.Short(Short)) u_source (
    .clk_i, .rst_ni,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd.copy), .how_i(cmd.how),
    .rec_valid_i(1'b0), .rec_ready_o(unused_record), .rec_i('0),
    .tensor_valid_o, .tensor_ready_i, .tensor_o(tensor),
    .walk_row_valid_i(walk_row_valid), .walk_row_ready_o(walk_row_ready), .walk_row_i(walk_row),
    .walk_item_i(walk_item), .walk_stop_o(walk_stop),
    .row_valid_o(source_valid), .row_ready_i(source_ready), .row_o(source_row), .item_o(source_item),
    .alone_o(source_alone), .follows_o(source_follows), .rest_o(source_rest), .pass_o(source_pass),
    .stop_i(source_stop), .idle_o(source_idle)
  );

  assign tensor_o = '{copy: tensor, how: cmd.how};
  tma_row_join #(.ItemWidth($bits(item_t))) u_join (
    .clk_i, .rst_ni,
    .row_valid_i(source_valid), .row_ready_o(source_ready), .row_i(source_row), .item_i(source_item),
    .alone_i(source_alone), .follows_i(source_follows), .apart_i(1'b0),
    .rest_i(source_rest), .pass_i(source_pass), .drop_o(source_stop),
    .row_valid_o(row_valid), .row_ready_i(row_ready), .row_o(row), .item_o(row_item),
    .pair_o(row_pair), .rest_o(unused_rest), .drop_i(stop), .busy_o(join_busy)
  );

  always_comb begin
    item      = row_item;
    item.pair = row_pair;
  end

  ////////////
  // Bursts //
  ////////////

  queue_t   window_queue;
  windows_t windows;
  tma_windows u_windows (.clk_i, .write_i(window_write_i), .queue_i(window_queue), .windows_o(windows));

  logic    score_valid, score_ok, follows, go, push, free, score_idle, track_ready, abort, issue_idle;
  reach_t  reach;
  slot_t   from, unused_place;
  ports_t  ar_valid, ar_ready, old_room;
  ar_t     ar;
  plan_t   plan_in, plan;
  target_t target_in, target;
  logic    plan_room, target_room, plan_valid, plan_ready, target_valid, target_ready, job_ready;
  job_t    job;
  track_t  track;
  logic [1:0][$clog2(NumReductions+1)-1:0] unused_levels;

  tma_reduce_issue #(.Short(Short)) u_issue (
    .clk_i, .rst_ni, .window_queue_o(window_queue), .windows_i(windows), .multimem_i, .cfg_i, .axcache_i, .f32_ftz_i,
    .row_valid_i(row_valid), .row_ready_o(row_ready), .row_i(row), .item_i(item), .stop_o(stop),
    .score_valid_o(score_valid), .reach_o(reach), .score_ok_i(score_ok), .follows_i(follows), .from_i(from),
    .ar_valid_o(ar_valid), .ar_ready_i(ar_ready), .ar_o(ar), .old_room_i(old_room),
    .go_o(go), .places_i(plan_room && target_room), .plan_o(plan_in), .target_o(target_in),
    .push_o(push), .job_ready_i(job_ready), .job_o(job), .track_ready_i(track_ready), .track_o(track),
    .abort_i(abort), .idle_o(issue_idle)
  );

  tma_reduce_score #(.Entries(NumReductions), .Short(Short)) u_score (
    .clk_i, .rst_ni, .valid_i(score_valid), .request_i(reach), .ok_o(score_ok), .follows_o(follows), .from_o(from),
    .place_o(unused_place), .take_i(go), .free_i(free), .idle_o(score_idle)
  );

  tma_fifo_block #(.Width($bits(plan_t)), .Depth(NumReductions), .Block(!Short), .FlowThrough(1'b0)) u_plans (
    .clk_i, .rst_ni, .in_valid_i(go), .in_ready_o(plan_room), .in_i(plan_in),
    .out_valid_o(plan_valid), .out_ready_i(plan_ready), .out_o(plan), .level_o(unused_levels[0])
  );

  tma_fifo_block #(.Width($bits(target_t)), .Depth(NumReductions)) u_targets (
    .clk_i, .rst_ni, .in_valid_i(go), .in_ready_o(target_room), .in_i(target_in),
    .out_valid_o(target_valid), .out_ready_i(target_ready), .out_o(target), .level_o(unused_levels[1])
  );

  //////////////
  // New data //
  //////////////

  ports_t                unused_ports;
  logic                  new_valid, new_ready, drop_valid, drop_ready, data_idle, unused_taken, unused_pop, unused_data;
  lane_t                 unused_lane;
  write_beat_t           new_beat;
  event_t [NumLanes-1:0] read_done;

  tma_store_data #(.Short(Short), .Jobs(NumReductions), .Packs(1'b0)) u_data (
    .clk_i, .rst_ni,
    .job_valid_i(push), .job_ready_o(job_ready), .job_i(job),
    .rd_valid_o, .rd_ready_i, .rd_cta_o, .rd_rows_o, .rd_data_i,
    .rec_data_i('0), .rec_data_pop_o(unused_pop),
    .w_valid_o(unused_ports), .w_ready_i({NumPorts{new_ready}}), .w_lane_o(unused_lane), .w_o(new_beat),
    .w_taken_o(unused_taken), .w_there_o(new_valid),
    .drop_valid_o(drop_valid), .drop_ready_i(drop_ready), .read_done_o(read_done), .idle_o(data_idle)
  );

  assign read_done_o = read_done[0];
  assign unused_data = ^{unused_ports, read_done};

  //////////////
  // Old data //
  //////////////

  ports_t                     old_valid, old_pop, old_back, aw_valid, aw_ready, w_valid, w_ready, b_valid, b_ready;
  ports_t                     stalls, unused_streams;
  old_t [NumPorts-1:0]        old;
  aw_t                        aw;
  write_beat_t                w;
  write_resp_t [NumPorts-1:0] b;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    tma_reduce_old #(.Short(Short)) u_old (
      .clk_i, .rst_ni, .r_valid_i(reader_i[p].r_valid), .r_i(reader_i[p].r),
      .room_o(old_room[p]), .ask_i(ar_valid[p] && ar_ready[p]), .len_i(ar.len), .back_i(old_back[p]),
      .valid_o(old_valid[p]), .pop_i(old_pop[p]), .old_o(old[p])
    );

    `TMA_ASSERT(IdleHoldsNoRoom, idle_o |-> u_old.held_q == '0)

    assign reader_o[p] = '{ar_valid: ar_valid[p], ar: ar, r_ready: 1'b1};
    assign ar_ready[p] = reader_i[p].ar_ready;
    assign writer_o[p] = '{aw_valid: aw_valid[p], aw: aw, w_valid: w_valid[p], w_stream: stream_t'(StreamReduce), w: w,
                           b_ready: NumStreams'(b_ready[p]) << StreamReduce};
    assign aw_ready[p] = writer_i[p].aw_ready;
    assign w_ready[p]  = writer_i[p].w_ready;
    assign b_valid[p]  = writer_i[p].b_valid[StreamReduce];
    assign b[p]        = writer_i[p].b[StreamReduce];
    assign stalls[p]   = writer_i[p].stalls;
    assign unused_streams[p] = ^{writer_i[p], reader_i[p]};
  end

  /////////////
  // Results //
  /////////////

  logic     line_valid, line_ready, burst, outcome_valid, outcome_ready, merge_idle, send_idle, track_idle;
  result_t  line;
  failure_t failure;
  outcome_t outcome;

  tma_reduce_merge u_merge (
    .clk_i, .rst_ni, .plan_valid_i(plan_valid), .plan_ready_o(plan_ready), .plan_i(plan),
    .old_valid_i(old_valid), .old_pop_o(old_pop), .old_back_o(old_back), .old_i(old),
    .new_valid_i(new_valid), .new_ready_o(new_ready), .new_i(new_beat),
    .line_valid_o(line_valid), .line_ready_i(line_ready), .line_o(line), .burst_o(burst), .failure_o(failure),
    .idle_o(merge_idle)
  );

  tma_reduce_send u_send (
    .clk_i, .rst_ni, .target_valid_i(target_valid), .target_ready_o(target_ready), .target_i(target),
    .burst_i(burst), .failure_i(failure), .line_valid_i(line_valid), .line_ready_o(line_ready), .line_i(line),
    .aw_valid_o(aw_valid), .aw_ready_i(aw_ready), .aw_o(aw), .w_valid_o(w_valid), .w_ready_i(w_ready), .w_o(w),
    .outcome_valid_o(outcome_valid), .outcome_ready_i(outcome_ready), .outcome_o(outcome), .idle_o(send_idle)
  );

  tma_reduce_track u_track (
    .clk_i, .rst_ni, .track_valid_i(push), .track_ready_o(track_ready), .track_i(track),
    .outcome_valid_i(outcome_valid), .outcome_ready_o(outcome_ready), .outcome_i(outcome),
    .b_valid_i(b_valid), .b_ready_o(b_ready), .b_i(b),
    .drop_valid_i(drop_valid), .drop_ready_o(drop_ready), .abort_o(abort), .free_o(free), .write_done_o,
    .fault_valid_o, .fault_ready_i, .fault_o, .idle_o(track_idle)
  );

  assign counts_o = '{aw: (aw_valid & aw_ready) != '0, w: (w_valid & w_ready) != '0, w_stall: stalls != '0};
  assign idle_o   = cmd_level_o == '0 && !cmd_valid && source_idle && !join_busy && issue_idle && data_idle &&
                    merge_idle && send_idle && track_idle && score_idle;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(WalkIsCounted, (walk_busy && !step_stop) || stage_busy |-> !source_idle)
  `TMA_ASSERT(EntriesHaveATrack, free |-> !track_idle)

endmodule
