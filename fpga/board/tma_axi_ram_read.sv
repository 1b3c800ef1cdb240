// SPDX-License-Identifier: Apache-2.0
// Read side of the AXI memory: bursts into rows, and the bridge's lines in between.
//
//   AR --> burst --> row --> RAM --> output --> R
//   line ------------^        \--> line
//
// One beat per cycle, also from one burst to the next; four cycles from an address to its first beat. A burst outside
// of memory has DECERR in each beat. Bursts are answered in their order. Burst and line take turns where both wait. A
// row that is written in this cycle is read in the next one. Reset: control only.

`include "tma_assert.svh"

module tma_axi_ram_read
  import tma_board_pkg::*;
#(
  parameter int unsigned MemoryBytes = 1 << 18,
  localparam int unsigned RowWidth = $clog2(MemoryBytes / LineBytes)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                ar_valid_i,
  output logic                ar_ready_o,
  input  ram_burst_t          ar_i,
  output logic                r_valid_o,
  input  logic                r_ready_i,
  output ram_r_t              r_o,

  input  logic                line_valid_i,
  input  logic [RowWidth-1:0] line_row_i,
  output logic                line_ready_o,
  output logic                line_rvalid_o,

  input  logic                writes_i,      // this row is written
  input  logic [RowWidth-1:0] write_row_i,
  output logic                re_o,
  output logic [RowWidth-1:0] row_o,
  input  logic [127:0]        rdata_i        // in the next cycle, until the next read
);

  logic                burst_valid, outside, last_beat;
  logic [IdWidth-1:0]  id;
  logic [RowWidth-1:0] burst_row;

  // What the RAM holds at its output.
  logic                beat_q, line_q, beat_last_q, beat_outside_q;
  logic [IdWidth-1:0]  beat_id_q;
  logic                free, beat_ready, beat_wants, beat_go, line_go, line_turn_q, clear;

  tma_axi_ram_burst #(.MemoryBytes(MemoryBytes)) u_burst (
    .clk_i, .rst_ni, .valid_i(ar_valid_i), .ready_o(ar_ready_o), .burst_i(ar_i),
    .row_valid_o(burst_valid), .row_o(burst_row), .id_o(id), .outside_o(outside), .last_o(last_beat),
    .next_i(beat_go)
  );

  // Whose turn it is does not hang on the row.
  assign free         = !beat_q || beat_ready;
  assign beat_wants   = burst_valid && !(line_valid_i && line_turn_q);
  assign row_o        = beat_wants ? burst_row : line_row_i;
  assign clear        = !writes_i || write_row_i != row_o;
  assign beat_go      = free && clear && beat_wants;
  assign line_go      = free && clear && line_valid_i && !beat_wants;
  assign re_o         = beat_go || line_go;
  assign line_ready_o = line_go;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q      <= 1'b0;
      line_q      <= 1'b0;
      line_turn_q <= 1'b0;
    end else begin
      if (free) beat_q <= beat_go;
      line_q <= line_go;
      if (beat_go) line_turn_q <= 1'b1;
      if (line_go) line_turn_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (free) begin
      beat_id_q      <= id;
      beat_last_q    <= last_beat;
      beat_outside_q <= outside;
    end
  end

  assign line_rvalid_o = line_q;

  ////////////
  // Output //
  ////////////

  ram_r_t beat, unused_behind;
  logic   unused_behind_valid;

  assign beat = '{id: beat_id_q, data: beat_outside_q ? '0 : rdata_i, last: beat_last_q,
                  resp: beat_outside_q ? RespDecerr : RespOkay};

  tma_skid #(.Width($bits(ram_r_t))) u_skid (
    .clk_i, .rst_ni, .drop_i(1'b0),
    .in_valid_i(beat_q), .in_ready_o(beat_ready), .in_i(beat),
    .out_valid_o(r_valid_o), .out_ready_i(r_ready_i), .out_o(r_o),
    .behind_valid_o(unused_behind_valid), .behind_o(unused_behind)
  );

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(LineIsStable, line_valid_i, line_ready_o, line_row_i)
  `TMA_ASSERT(ReadMissesTheWrite, re_o && writes_i |-> row_o != write_row_i)
  `TMA_COVER(WaitsForAWrite, free && burst_valid && !clear)
  `TMA_COVER(LineWaitsForAWrite, free && line_valid_i && !beat_wants && !clear)
  `TMA_COVER(LineBetweenBeats, line_go && burst_valid)
  `TMA_COVER(BeatBetweenLines, beat_go && line_valid_i)
  `TMA_COVER(OutputIsFull, beat_q && !beat_ready)

endmodule
