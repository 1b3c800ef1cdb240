// SPDX-License-Identifier: Apache-2.0
// Bursts in flight of both lanes: which answer belongs to which.
//
//   B of lane 0, port 0 ----> tma_store_track of lane 0      done, faults
//   B of lane 1, all ports -> tma_store_track of lane 1
//
// Every port answers a lane in the order of its bursts, and the lanes apart: what one of them waits for holds up
// nothing of the other. With one lane there is one track.
//
// Throughput: as tma_store_track, in both lanes at once. Latency: none. Reset: control only.

`include "tma_assert.svh"

module tma_store_tracks
  import tma_pkg::*;
  import tma_store_pkg::*;
  import tma_path_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Entries in, by lane
  input  logic [NumLanes-1:0]        track_valid_i,
  output logic [NumLanes-1:0]        track_ready_o,
  input  track_t                     track_i,
  input  logic                       held_i,        // a broadcast is on its way here
  output logic                       spread_room_o, // there is room for another one

  // B, by lane and port
  input  ports_t [NumLanes-1:0]                    b_valid_i,
  output ports_t [NumLanes-1:0]                    b_ready_o,
  input  write_resp_t [NumLanes-1:0][NumPorts-1:0] b_i,

  // By lane, as in tma_store_track
  input  logic [NumLanes-1:0]        drop_valid_i,
  output logic [NumLanes-1:0]        drop_ready_o,
  output logic [NumLanes-1:0]        abort_o,
  output event_t [NumLanes-1:0]      write_done_o,
  output event_t                     rec_done_o,

  output logic                       fault_valid_o,
  input  logic                       fault_ready_i,
  output fault_t                     fault_o,

  output logic                       idle_o
);

  localparam int unsigned LevelWidth = $clog2(NumWrites + 1);

  logic [NumLanes-1:0]                       fault_valid, fault_ready, idle;
  event_t [NumLanes-1:0]                     rec_done;
  fault_t [NumLanes-1:0]                     fault;
  logic [NumLanes-1:0][LevelWidth-1:0]       level;

  for (genvar l = 0; l < NumLanes; l++) begin : g_lane
    tma_store_track u_track (
      .clk_i, .rst_ni,
      .track_valid_i(track_valid_i[l]), .track_ready_o(track_ready_o[l]), .track_i,
      .b_valid_i(b_valid_i[l]), .b_ready_o(b_ready_o[l]), .b_i(b_i[l]), .read_i(1'b0),
      .drop_valid_i(drop_valid_i[l]), .drop_ready_o(drop_ready_o[l]),
      .abort_o(abort_o[l]),
      .write_done_o(write_done_o[l].valid), .write_done_queue_o(write_done_o[l].qid),
      .rec_done_o(rec_done[l].valid), .rec_done_queue_o(rec_done[l].qid),
      .fault_valid_o(fault_valid[l]), .fault_ready_i(fault_ready[l]), .fault_o(fault[l]),
      .level_o(level[l]), .idle_o(idle[l])
    );
  end

  assign rec_done_o = rec_done[0];
  assign idle_o     = &idle;

  if (NumLanes == 1) begin : g_one_lane
    logic unused;

    assign fault_valid_o = fault_valid;
    assign fault_ready   = fault_ready_i;
    assign fault_o       = fault;
    assign spread_room_o = 1'b1;
    assign unused        = ^{held_i, level};
  end else begin : g_lanes
    assign spread_room_o = level[1] + LevelWidth'(held_i) < LevelWidth'(NumWrites);

    ////////////
    // Faults //
    ////////////

    // Of either lane, the one that was on offer first.
    logic waits_q, turn_q, turn;

    assign turn          = waits_q ? turn_q : !fault_valid[0];
    assign fault_valid_o = fault_valid != '0;
    assign fault_o       = fault[turn];
    assign fault_ready   = {fault_ready_i && turn, fault_ready_i && !turn};

    always_ff @(posedge clk_i) begin
      if (!rst_ni) waits_q <= 1'b0;
      else         waits_q <= fault_valid_o && !fault_ready_i;
    end

    always_ff @(posedge clk_i) turn_q <= turn;

    logic unused_lane;
    assign unused_lane = ^{rec_done[1], level[0]};

    `TMA_ASSERT(BroadcastHasAnEntry, track_valid_i[1] |-> track_ready_o[1])
    `TMA_ASSERT(RecordsArePlain, !rec_done[1].valid)
    `TMA_COVER(BothFault, fault_valid == '1)
    `TMA_COVER(BothDone, write_done_o[0].valid && write_done_o[1].valid)
    `TMA_COVER(PassesABroadcast, b_valid_i[1][0] && !b_ready_o[1][0] && b_valid_i[0][0] && b_ready_o[0][0])
    `TMA_COVER(BroadcastsFill, !spread_room_o)
  end

endmodule
