// SPDX-License-Identifier: Apache-2.0
// Cuts the engine's beats of write data into narrow ones, with the end of each part marked. Data goes no earlier than the
// cycle in which its address is at the pins: the part is told of as its address enters the register there.
//
// Throughput: one narrow beat per cycle. Latency: one cycle. `w_valid_o` and the beat are registers; `line_ready_o` depends
// on `w_ready_i`. Reset: control only.

`include "tma_assert.svh"

module tma_narrow_write
  import tma_pkg::*;
  import tma_narrow_pkg::*;
#(
  parameter int unsigned Depth = 16  // parts whose data has not gone
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  // Parts, in the order of their addresses.
  input  logic       part_i,
  output logic       room_o,
  input  logic [7:0] part_len_i,

  input  logic       line_valid_i,
  output logic       line_ready_o,
  input  line_t      line_i,
  input  strb_t      line_strb_i,
  input  logic       line_last_i,

  output logic       w_valid_o,
  input  logic       w_ready_i,
  output word_t      w_data_o,
  output word_strb_t w_strb_o,
  output logic       w_last_o
);

  localparam lane_index_t LastLane = lane_index_t'(Lanes - 1);

  logic                       part_valid, part_done, room, send, last;
  logic [7:0]                 part_len, beat_q;  // of the oldest part
  lane_index_t                lane_q;
  logic [$clog2(Depth+1)-1:0] unused_level;

  tma_fifo #(.Width(8), .Depth(Depth)) u_parts (
    .clk_i, .rst_ni,
    .in_valid_i(part_i), .in_ready_o(room_o), .in_i(part_len_i),
    .out_valid_o(part_valid), .out_ready_i(part_done), .out_o(part_len), .level_o(unused_level)
  );

  assign room         = part_valid && (!w_valid_o || w_ready_i);
  assign send         = line_valid_i && room;
  assign last         = beat_q == part_len;
  assign part_done    = send && last;
  assign line_ready_o = room && lane_q == LastLane;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q    <= '0;
      lane_q    <= '0;
      w_valid_o <= 1'b0;
    end else begin
      if (send) begin
        beat_q <= last ? '0 : beat_q + 8'd1;
        lane_q <= lane_q + lane_index_t'(1);
      end
      w_valid_o <= send || (w_valid_o && !w_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (send) begin
      w_data_o <= line_i[lane_q*NarrowBits +: NarrowBits];
      w_strb_o <= line_strb_i[lane_q*NarrowBytes +: NarrowBytes];
      w_last_o <= last;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  // Of the engine: its bursts end where their addresses say.
  `TMA_ASSERT(BurstEndsWithAPart, line_valid_i && line_ready_o && line_last_i |-> last)
  `TMA_ASSERT(PartHasRoom, part_i |-> room_o)

  `TMA_ASSERT(PartEndsWithALine, part_done |-> line_ready_o)
  `TMA_ASSERT_STABLE(BeatIsStable, w_valid_o, w_ready_i, {w_data_o, w_strb_o, w_last_o})
  `TMA_COVER(BurstGoesOn, part_done && !line_last_i)
  `TMA_COVER(DataWaitsForItsAddress, line_valid_i && !part_valid)
  `TMA_COVER(BurstFollowsBurst, w_valid_o && w_last_o && w_ready_i && send)
  `TMA_COVER(PartsFill, !room_o)

endmodule
