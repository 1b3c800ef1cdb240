// SPDX-License-Identifier: Apache-2.0
// Store path: shared memory of one CTA to global memory, and records of the completion rings.
// Structure only.
//
//   command FIFO --+                      +--> tma_store_issue --> AW --> ports
//      | tensor    +--> tma_store_source -+       |  ^ |  |               ^   |
//      v           |    tma_store_spread -+  room v  | |  | in flight     |   | B
//   set-up         |     ^    tma_store_room <-------+ |  v               | W v
//      v           |     |                   jobs v    | tma_store_tracks <---+
//   tma_walk ------+  broadcasts          tma_store_data      |           |
//   records -------+           shared memory --^  |           |           |
//                                                 +-----------|-----------+
//                                                        done, faults
//
// Between source and issue tma_row_join makes one row of two that share a line.
//
// A multimem store goes to the ports of its multimem window, all else to port 0. With several ports,
// multimem stores have a lane of their own, 1: they wait for whatever port they go to, and nothing of
// lane 0 waits for them. Commands of a lane keep their order, those of different lanes have none. The
// lane is the AXI id of a burst. A tensor command leaves for its set-up and comes back as a walk, which
// is one command of many rows: it counts as done, or fails, as a whole. No port ever owes its memory data
// that waits for another port (tma_store_room).
//
// Throughput: one AW and one W beat per cycle on all ports, also across rows and commands of one beat.
// Beats that a swizzle spreads over two 128-byte lines of shared memory take two cycles.
// Latency on an idle path: AW two cycles after the command (a row of a walk: one after it is valid),
// its first W beat two cycles after AW is valid. With `CmdFlow` 0 a command takes three more to AW, with
// `Short` a row of a walk one more, and so does a row that another one could join, or a record; with `Short`
// W takes three more. W is never offered before its AW.

`include "tma_assert.svh"

module tma_store
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_tensor_pkg::*;
  import tma_store_pkg::*;
  import tma_axi_pkg::*;
  import tma_path_pkg::*;
#(
  parameter int unsigned CmdDepth = 8,
  parameter bit          CmdFlow  = 1'b1, // 0: a command waits in block memory, for three cycles
  parameter bit          Short    = ShortPaths  // rows of walks and reads wait for a cycle, likewise
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,

  input  window_write_t                     window_write_i,
  input  multimem_t [NumMultimem-1:0]       multimem_i,
  input  queue_cfg_t [NumQueues-1:0]        cfg_i,
  input  logic [3:0]                        axcache_i,

  // Commands in: `cmd_ready_o` depends on `cmd_i.multimem`. Levels by lane.
  input  logic                              cmd_valid_i,
  output logic                              cmd_ready_o,
  input  store_cmd_t                        cmd_i,
  output logic [NumLanes-1:0][$clog2(CmdDepth+1)-1:0] cmd_level_o,

  // Tensor commands out, to their set-up; as walks they come back, in order
  output logic                              tensor_valid_o,
  input  logic                              tensor_ready_i,
  output store_cmd_t                        tensor_o,
  input  logic                              walk_valid_i,
  output logic                              walk_ready_o,
  input  walk_t                             walk_i,

  // Records in: they go before the commands that wait. The bytes are those of the oldest record
  // whose bytes were not taken; they may be looked at from the cycle after its handshake on.
  input  logic                              rec_valid_i,
  output logic                              rec_ready_o,
  input  record_cmd_t                       rec_i,
  input  logic [255:0]                      rec_data_i,
  output logic                              rec_data_pop_o,

  // Shared memory: data comes in the cycle after the handshake, in bank order
  output logic                              rd_valid_o,
  input  logic                              rd_ready_i,
  output cta_t                              rd_cta_o,
  output bank_rows_t                        rd_rows_o,
  input  line_t                             rd_data_i,

  // To and from the ports
  output writer_req_t [NumPorts-1:0]        port_o,
  input  writer_rsp_t [NumPorts-1:0]        port_i,
  input  ports_t                            leaves_i,   // data has made room for another beat

  // By lane, one pulse each per command, in command order, of faulted commands too; of records, rec_done
  output event_t [NumLanes-1:0]             read_done_o,
  output event_t [NumLanes-1:0]             write_done_o,
  output event_t                            rec_done_o,

  // Faults: at most one per command or record, before its write_done or rec_done
  output logic                              fault_valid_o,
  input  logic                              fault_ready_i,
  output fault_t                            fault_o,

  output write_counts_t                     counts_o,
  output logic                              idle_o
);

  store_cmd_t          cmd;
  logic                cmd_valid, cmd_ready;
  logic [NumLanes-1:0] in_valid, in_ready;

  tma_fifo_block #(.Width($bits(store_cmd_t)), .Depth(CmdDepth), .Block(!CmdFlow), .Register(1'b1)) u_cmd (
    .clk_i, .rst_ni, .in_valid_i(in_valid[0]), .in_ready_o(in_ready[0]), .in_i(cmd_i),
    .out_valid_o(cmd_valid), .out_ready_i(cmd_ready), .out_o(cmd), .level_o(cmd_level_o[0])
  );

  logic        step_valid, step_ready, step_stop, walk_row_valid, walk_row_ready, walk_stop;
  logic        walk_busy, stage_busy;
  tensor_row_t step_row, walk_row;
  walk_item_t  step_item, walk_item;

  tma_walk #(.Wide(1'b0)) u_walk (
    .clk_i, .rst_ni, .walk_valid_i, .walk_ready_o, .walk_i,
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

  logic [NumLanes-1:0]  row_valid, row_ready, stop;
  row_t [NumLanes-1:0]  row;
  item_t [NumLanes-1:0] item;
  logic                 source_valid, source_ready, source_alone, source_follows, source_rest, source_pass;
  logic                 source_stop, source_idle, row_pair, unused_rest, join_busy;
  row_t                 source_row;
  item_t                source_item, row_item;

  tma_store_source #(.Short(Short)) u_source (
    .clk_i, .rst_ni,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd), .how_i('0),
    .rec_valid_i, .rec_ready_o, .rec_i,
    .tensor_valid_o, .tensor_ready_i, .tensor_o,
    .walk_row_valid_i(walk_row_valid), .walk_row_ready_o(walk_row_ready), .walk_row_i(walk_row),
    .walk_item_i(walk_item), .walk_stop_o(walk_stop),
    .row_valid_o(source_valid), .row_ready_i(source_ready), .row_o(source_row), .item_o(source_item),
    .alone_o(source_alone), .follows_o(source_follows), .rest_o(source_rest), .pass_o(source_pass),
    .stop_i(source_stop), .idle_o(source_idle)
  );

  tma_row_join #(.ItemWidth($bits(item_t))) u_join (
    .clk_i, .rst_ni,
    .row_valid_i(source_valid), .row_ready_o(source_ready), .row_i(source_row), .item_i(source_item),
    .alone_i(source_alone), .follows_i(source_follows), .apart_i(1'b0),
    .rest_i(source_rest), .pass_i(source_pass), .drop_o(source_stop),
    .row_valid_o(row_valid[0]), .row_ready_i(row_ready[0]), .row_o(row[0]), .item_o(row_item),
    .pair_o(row_pair), .rest_o(unused_rest), .drop_i(stop[0]), .busy_o(join_busy)
  );

  always_comb begin
    item[0]      = row_item;
    item[0].pair = row_pair;
  end

  logic                job_valid, job_ready;
  job_t                job;
  logic [NumLanes-1:0] track_valid, track_ready, abort, drop_valid, drop_ready;
  track_t              track;
  event_t [NumLanes-1:0] read_done;
  logic                held, enter, go;      // of broadcasts
  logic [LenWidth-1:0] len;
  logic                spread_room, unused_there, issue_idle, data_idle, track_idle;

  ports_t                     aw_valid, aw_ready;
  aw_t [NumPorts-1:0]         aw;
  ports_t                     w_valid, w_ready, w_stalls;
  lane_t                      w_lane;
  write_beat_t                w;

  // By lane and port
  ports_t [NumLanes-1:0]                    b_valid, b_ready;
  write_resp_t [NumLanes-1:0][NumPorts-1:0] b;

  queue_t   window_queue;
  windows_t windows;
  tma_windows u_windows (.clk_i, .write_i(window_write_i), .queue_i(window_queue), .windows_o(windows));

  tma_store_issue #(.Short(Short)) u_issue (
    .clk_i, .rst_ni, .window_queue_o(window_queue), .windows_i(windows), .multimem_i, .cfg_i, .axcache_i,
    .row_valid_i(row_valid), .row_ready_o(row_ready), .row_i(row), .item_i(item), .stop_o(stop),
    .aw_valid_o(aw_valid), .aw_ready_i(aw_ready), .aw_o(aw),
    .job_valid_o(job_valid), .job_ready_i(job_ready), .job_o(job),
    .track_valid_o(track_valid), .track_ready_i(track_ready), .track_o(track),
    .held_o(held), .len_o(len), .enter_i(enter), .go_i(go),
    .abort_i(abort), .idle_o(issue_idle)
  );

  if (NumLanes == 1) begin : g_one_lane
    logic unused_room;

    assign in_valid    = cmd_valid_i;
    assign cmd_ready_o = in_ready;
    assign enter       = 1'b1;
    assign go          = 1'b1;
    assign read_done_o = read_done;
    assign unused_room = ^{leaves_i, held, len, spread_room};
  end else begin : g_spread
    logic   room;
    event_t stopped_done;

    assign in_valid    = {cmd_valid_i && cmd_i.multimem, cmd_valid_i && !cmd_i.multimem};
    assign cmd_ready_o = in_ready[cmd_i.multimem];

    tma_store_spread #(.Depth(CmdDepth), .Flow(CmdFlow)) u_spread (
      .clk_i, .rst_ni, .cmd_valid_i(in_valid[1]), .cmd_ready_o(in_ready[1]), .cmd_i,
      .level_o(cmd_level_o[1]), .row_valid_o(row_valid[1]), .row_ready_i(row_ready[1]),
      .row_o(row[1]), .item_o(item[1]),
      .stop_i(stop[1]), .stop_queue_i(job.qid), .stopped_o(drop_valid[1]),
      .drop_ready_i(drop_ready[1]), .read_done_o(stopped_done.valid),
      .read_done_queue_o(stopped_done.qid)
    );

    tma_store_room u_room (
      .clk_i, .rst_ni, .held_i(held), .len_i(len), .sent_i(aw_valid), .leaves_i,
      .stop_i(job_valid && job.dropped), .stopped_i(drop_valid[0] && drop_ready[0]),
      .enter_o(room), .go_o(go)
    );

    assign enter       = room && spread_room && !drop_valid[1];
    assign read_done_o = {stopped_done.valid ? stopped_done : read_done[1], read_done[0]};

    // Everything of it and before it was answered, and nothing came behind it.
    `TMA_ASSERT(StoppedHasRead, stopped_done.valid |-> !read_done[1].valid)
    `TMA_ASSERT(IdleHoldsNoStop, idle_o |-> u_room.stops_q == '0)
  end

  tma_store_data #(.Short(Short)) u_data (
    .clk_i, .rst_ni,
    .job_valid_i(job_valid), .job_ready_o(job_ready), .job_i(job),
    .rd_valid_o, .rd_ready_i, .rd_cta_o, .rd_rows_o, .rd_data_i,
    .rec_data_i, .rec_data_pop_o,
    .w_valid_o(w_valid), .w_ready_i(w_ready), .w_lane_o(w_lane), .w_o(w), .w_taken_o(counts_o.w), .w_there_o(unused_there),
    .drop_valid_o(drop_valid[0]), .drop_ready_i(drop_ready[0]),
    .read_done_o(read_done),
    .idle_o(data_idle)
  );

  tma_store_tracks u_tracks (
    .clk_i, .rst_ni,
    .track_valid_i(track_valid), .track_ready_o(track_ready), .track_i(track),
    .held_i(held), .spread_room_o(spread_room),
    .b_valid_i(b_valid), .b_ready_o(b_ready), .b_i(b),
    .drop_valid_i(drop_valid), .drop_ready_o(drop_ready),
    .abort_o(abort),
    .write_done_o, .rec_done_o,
    .fault_valid_o, .fault_ready_i, .fault_o,
    .idle_o(track_idle)
  );

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign port_o[p].aw_valid = aw_valid[p];
    assign port_o[p].aw       = aw[p];
    assign port_o[p].w_valid  = w_valid[p];
    assign port_o[p].w_stream = stream_t'(w_lane);
    assign port_o[p].w        = w;
    assign aw_ready[p]        = port_i[p].aw_ready;
    assign w_ready[p]         = port_i[p].w_ready;
    assign w_stalls[p]        = port_i[p].stalls;

    for (genvar l = 0; l < NumLanes; l++) begin : g_lane
      assign port_o[p].b_ready[l] = b_ready[l][p];
      assign b_valid[l][p]        = port_i[p].b_valid[l];
      assign b[l][p]              = port_i[p].b[l];
    end

    if (Reduces) begin : g_reductions
      logic unused_stream;

      assign port_o[p].b_ready[StreamReduce] = 1'b0;
      assign unused_stream                   = ^{port_i[p].b_valid[StreamReduce], port_i[p].b[StreamReduce]};
    end
  end

  // The track holds every burst until its responses, so nothing living is left in the ports.
  assign counts_o.aw      = aw_valid != '0;
  assign counts_o.w_stall = w_stalls != '0;
  assign idle_o           = cmd_level_o[0] == '0 && !cmd_valid && !(NumLanes > 1 && row_valid[NumLanes-1]) &&
                            source_idle && !join_busy && issue_idle && data_idle && track_idle;

  ////////////////
  // Assertions //
  ////////////////

  for (genvar p = 0; NumLanes > 1 && p < NumPorts; p++) begin : g_room
    `TMA_ASSERT(IdleHoldsNoRoom, idle_o |-> g_spread.u_room.beats_q[p] == '0 || leaves_i[p]) // a dead port drains
    `TMA_ASSERT(DataOfOtherPortsHasRoom, p > 0 && w_valid[p] |-> w_ready[p])
    `TMA_ASSERT(AddressOfOtherPortsHasRoom, p > 0 && held |-> aw_ready[p])
  end

  `TMA_ASSERT(WalkIsCounted, (walk_busy && !step_stop) || stage_busy |-> !source_idle)

endmodule
