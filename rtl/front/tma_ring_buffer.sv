// SPDX-License-Identifier: Apache-2.0
// Commands that were fetched ahead: RingDepth of each queue, in block RAM.
//
// Beats come a whole fetch after the other. A beat holds a part of a command, one, or two of which
// either may be somebody else's; parts go straight to their place. A command fails when one of its
// beats does, with the gravest of their errors; the beat with which a port dies fails the command
// that it belongs to and ends its fetch.
//
//   beat_i --> place of the queue's next command --> memory --> rdata_o
//          \-> received_o, failed_o
//
// One beat and one read per cycle. Read data comes in the next cycle and stays until the next read.
// Reset: the position in a command.

`include "tma_assert.svh"

module tma_ring_buffer
  import tma_pkg::*;
  import tma_front_pkg::*;
  import tma_ring_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Beats
  input  logic                  beat_valid_i,
  input  line_t                 beat_data_i,
  input  logic [1:0]            beat_resp_i,
  input  logic                  beat_last_i,
  input  logic                  beat_dead_i,
  input  queue_t                beat_queue_i,
  input  logic                  beat_odd_i,   // the fetch ends before an odd command
  input  logic                  closed_i,     // of that queue: drop it
  input  place_t                place_i,      // of that queue's next command
  output logic [1:0]            received_o,   // commands that are complete with this beat
  output fetch_e                failed_o,     // why the last of them failed

  // Reads
  input  logic                  read_i,
  input  queue_t                read_queue_i,
  input  place_t                read_place_i,
  output tma_isa_pkg::command_t rdata_o
);

  logic   complete;
  fetch_e error, so_far;

  ///////////
  // Error //
  ///////////

  always_comb begin
    error = FetchOk;
    if (beat_resp_i[1]) error = beat_resp_i[0] ? FetchDecerr : FetchSlverr;
    if (beat_dead_i)    error = FetchDead;
    if (so_far > error) error = so_far;
  end

  assign failed_o = received_o != '0 ? error : FetchOk;

  if (CmdBeats > 1) begin : g_parts
    ////////////////////////////////
    // A command is several beats //
    ////////////////////////////////

    localparam int unsigned PartWidth = $clog2(CmdBeats);

    logic [PartWidth-1:0] part_q;
    fetch_e               so_far_q;
    line_t [CmdBeats-1:0] parts;
    logic                 unused_odd;

    assign so_far     = so_far_q;
    assign complete   = part_q == PartWidth'(CmdBeats - 1) || beat_dead_i;
    assign received_o = {1'b0, beat_valid_i && complete && !closed_i};
    assign unused_odd = beat_odd_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        part_q   <= '0;
        so_far_q <= FetchOk;
      end else if (beat_valid_i) begin
        part_q   <= complete ? '0 : part_q + PartWidth'(1);
        so_far_q <= complete ? FetchOk : error;
      end
    end

    for (genvar p = 0; p < CmdBeats; p++) begin : g_part
      tma_ram_1r1w_sync #(.Width(DataWidth), .Depth(NumQueues * RingDepth)) u_ram (
        .clk_i, .we_i(beat_valid_i && !closed_i && part_q == PartWidth'(p)),
        .waddr_i({beat_queue_i, place_i}), .wdata_i(beat_data_i),
        .re_i(read_i), .raddr_i({read_queue_i, read_place_i}), .rdata_o(parts[p])
      );
    end

    assign rdata_o = parts;
  end else begin : g_whole
    //////////////////////////////////
    // A beat is one command or two //
    //////////////////////////////////

    localparam int unsigned RowWidth = PlaceWidth - (BeatCmds - 1);

    logic [BeatCmds-1:0]                  mine;  // commands of the beat that were asked for
    tma_isa_pkg::command_t [BeatCmds-1:0] row;

    assign so_far   = FetchOk;
    assign complete = 1'b1;

    for (genvar c = 0; c < BeatCmds; c++) begin : g_cmd
      tma_ram_1r1w_sync #(.Width(512), .Depth(NumQueues * RingDepth / BeatCmds)) u_ram (
        .clk_i, .we_i(beat_valid_i && !closed_i && mine[c]),
        .waddr_i({beat_queue_i, place_i[PlaceWidth-1 -: RowWidth]}), .wdata_i(beat_data_i[512*c +: 512]),
        .re_i(read_i), .raddr_i({read_queue_i, read_place_i[PlaceWidth-1 -: RowWidth]}), .rdata_o(row[c])
      );
    end

    if (BeatCmds == 1) begin : g_one
      logic unused_odd;
      assign unused_odd = beat_odd_i;
      assign mine       = 1'b1;
      assign received_o = {1'b0, beat_valid_i && !closed_i};
      assign rdata_o    = row;
    end else begin : g_two
      logic upper_q;

      assign mine = {!(beat_last_i && beat_odd_i), !place_i[0]};

      // The first that failed ends it all.
      always_comb begin
        received_o = 2'd0;
        if (beat_valid_i && !closed_i) received_o = (mine == '1 && error == FetchOk) ? 2'd2 : 2'd1;
      end

      always_ff @(posedge clk_i) if (read_i) upper_q <= read_place_i[0];

      assign rdata_o = row[upper_q];

      `TMA_COVER(LowerIsStale, received_o != '0 && !mine[0])
      `TMA_COVER(UpperIsStale, received_o != '0 && !mine[1])
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(FetchIsWholeCommands, beat_valid_i && beat_last_i |-> complete)
  `TMA_ASSERT(DeathIsLast, beat_valid_i && beat_dead_i |-> beat_last_i)
  `TMA_ASSERT(ReadsWhatIsThere, read_i && received_o != '0 && read_queue_i == beat_queue_i |->
      read_place_i != place_i)
  `TMA_COVER(Fails, received_o != '0 && failed_o != FetchOk)

endmodule
