// SPDX-License-Identifier: Apache-2.0
// Write side of the AXI memory: bursts into rows, and the bridge's lines in between.
//
//   AW --> burst --> row --> RAM,  B behind the last beat
//   W  -----------> data --> RAM
//   line --------------------^
//
// One beat per cycle, also from one burst to the next. B comes when the beat is in memory. A burst outside of memory
// is taken and has DECERR. Burst and line take turns where both wait. No beat is taken before its address.
// Reset: control only.

`include "tma_assert.svh"

module tma_axi_ram_write
  import tma_board_pkg::*;
#(
  parameter int unsigned MemoryBytes = 1 << 18,
  localparam int unsigned RowWidth = $clog2(MemoryBytes / LineBytes)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                aw_valid_i,
  output logic                aw_ready_o,
  input  ram_burst_t          aw_i,
  input  logic                w_valid_i,
  output logic                w_ready_o,
  input  ram_w_t              w_i,
  output logic                b_valid_o,
  input  logic                b_ready_i,
  output ram_b_t              b_o,

  input  logic                line_valid_i,
  input  logic [RowWidth-1:0] line_row_i,
  input  logic [15:0]         line_strb_i,
  input  logic [127:0]        line_data_i,
  output logic                line_ready_o,

  output logic                writes_o,      // some bytes of this row
  output logic [RowWidth-1:0] row_o,
  output logic [15:0]         be_o,
  output logic [127:0]        data_o
);

  logic                burst_valid, outside, last_beat, beat_wants, beat_go, line_go, line_turn_q, b_room;
  logic [IdWidth-1:0]  id;
  logic [RowWidth-1:0] burst_row;

  tma_axi_ram_burst #(.MemoryBytes(MemoryBytes)) u_burst (
    .clk_i, .rst_ni, .valid_i(aw_valid_i), .ready_o(aw_ready_o), .burst_i(aw_i),
    .row_valid_o(burst_valid), .row_o(burst_row), .id_o(id), .outside_o(outside), .last_o(last_beat),
    .next_i(beat_go)
  );

  assign beat_wants   = burst_valid && w_valid_i && b_room;
  assign beat_go      = beat_wants && !(line_valid_i && line_turn_q);
  assign line_go      = line_valid_i && !beat_go;
  assign w_ready_o    = burst_valid && b_room && !(line_valid_i && line_turn_q);
  assign line_ready_o = line_go;

  assign row_o    = line_go ? line_row_i : burst_row;
  assign data_o   = line_go ? line_data_i : w_i.data;
  assign writes_o = line_go || (beat_go && !outside);

  always_comb begin
    be_o = '0;
    if (line_go)                    be_o = line_strb_i;
    else if (beat_go && !outside) be_o = w_i.strb;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      line_turn_q <= 1'b0;
    end else begin
      if (beat_go) line_turn_q <= 1'b1;
      if (line_go) line_turn_q <= 1'b0;
    end
  end

  ram_b_t answer, unused_behind;
  logic   unused_behind_valid;

  assign answer = '{id: id, resp: outside ? RespDecerr : RespOkay};

  tma_skid #(.Width($bits(ram_b_t))) u_skid (
    .clk_i, .rst_ni, .drop_i(1'b0),
    .in_valid_i(beat_go && last_beat), .in_ready_o(b_room), .in_i(answer),
    .out_valid_o(b_valid_o), .out_ready_i(b_ready_i), .out_o(b_o),
    .behind_valid_o(unused_behind_valid), .behind_o(unused_behind)
  );

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(DataIsStable, w_valid_i, w_ready_o, w_i)
  `TMA_ASSERT_STABLE(LineIsStable, line_valid_i, line_ready_o, {line_row_i, line_strb_i, line_data_i})
  `TMA_ASSERT(LastIsLast, beat_go |-> w_i.last == last_beat)
  `TMA_COVER(LineBetweenBeats, line_go && burst_valid && w_valid_i && !last_beat)
  `TMA_COVER(BeatBetweenLines, beat_go && line_valid_i)
  `TMA_COVER(NoRoomForAnAnswer, burst_valid && !b_room)

endmodule
