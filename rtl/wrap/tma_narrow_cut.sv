// SPDX-License-Identifier: Apache-2.0
// Makes the addresses of a narrow bus of those of the engine: a burst of more than 256 narrow beats becomes two.
//
// A burst of the engine stays in a page of 4 KiB, 512 narrow beats, so two are always enough, and the second one begins 2 KiB
// behind the first. Each part is told of as it enters the register at the pins: which id, and whether it is the last of its burst.
//
// Throughput: one part per cycle. Latency: one cycle. `out_valid_o`, `out_o` are registers; `in_ready_o` depends on `in_i`,
// `room_i` and `out_ready_i`. Reset: control only.

`include "tma_assert.svh"

module tma_narrow_cut
  import tma_pkg::*;
  import tma_narrow_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       in_valid_i,
  output logic       in_ready_o,
  input  ax_t        in_i,

  // A part enters the register; with room for what is kept of it only.
  output logic       part_o,
  input  logic       room_i,
  output id_t        part_id_o,
  output logic [7:0] part_len_o,
  output logic       part_last_o,

  output logic       out_valid_o,
  input  logic       out_ready_i,
  output ax_t        out_o
);

  logic       second_q;  // the first part has gone
  logic       split;
  logic [8:0] beats;     // narrow, less one
  ax_t        part;

  assign beats = 9'({in_i.len, {LaneWidth{1'b1}}});
  assign split = beats[8];

  always_comb begin
    part          = in_i;
    part.len      = split && !second_q ? 8'd255 : beats[7:0];
    part.addr[11] = in_i.addr[11] || second_q;
  end

  assign part_o      = in_valid_i && room_i && (!out_valid_o || out_ready_i);
  assign part_id_o   = in_i.id;
  assign part_len_o  = part.len;
  assign part_last_o = !split || second_q;
  assign in_ready_o  = part_o && part_last_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      second_q    <= 1'b0;
      out_valid_o <= 1'b0;
    end else begin
      if (part_o) second_q <= !part_last_o;
      out_valid_o <= part_o || (out_valid_o && !out_ready_i);
    end
  end

  always_ff @(posedge clk_i) if (part_o) out_o <= part;

  ////////////////
  // Assertions //
  ////////////////

  // Of the engine.
  `TMA_ASSERT_STABLE(InputIsStable, in_valid_i, in_ready_o, in_i)
  `TMA_ASSERT(InputIsAligned, in_valid_i |-> in_i.addr[LineShift-1:0] == '0)
  `TMA_ASSERT(InputStaysInPage, in_valid_i |->
      32'(in_i.addr[11:0]) + (32'(in_i.len) + 1) * DataBytes <= 32'd4096)

  `TMA_ASSERT_STABLE(OutputIsStable, out_valid_o, out_ready_i, out_o)
  `TMA_ASSERT(OutputStaysInPage, out_valid_o |->
      32'(out_o.addr[11:0]) + (32'(out_o.len) + 1) * NarrowBytes <= 32'd4096)
  `TMA_COVER(BurstIsSplit, part_o && second_q)
  `TMA_COVER(WholePage, part_o && second_q && part_len_o == 8'd255)
  `TMA_COVER(LongestUncut, part_o && !split && part_len_o == 8'd255)
  `TMA_COVER(WaitsForRoom, in_valid_i && !room_i)
  `TMA_COVER(WaitsForBus, in_valid_i && room_i && out_valid_o && !out_ready_i)

endmodule
