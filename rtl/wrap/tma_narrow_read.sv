// SPDX-License-Identifier: Apache-2.0
// Makes the engine's beats of read data of narrow ones. Beats of different ids may come in any order: each id gathers
// its own, the last narrow beat of a line goes with those before it.
//
//   r (64 bits) --+--> lanes of ids, 0 .. Lanes-2 ---> register --> R of the engine
//                 +--> last lane --------------------->
//
// The response of a line is the worst of its beats; RLAST is that of the last part of the burst.
//
// Throughput: one narrow beat per cycle. Latency: one cycle behind the last beat of a line. `r_ready_o` depends on
// `line_ready_i` and a register, on nothing of the beat. Reset: control only.

`include "tma_assert.svh"

module tma_narrow_read
  import tma_pkg::*;
  import tma_narrow_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       r_valid_i,
  output logic       r_ready_o,
  input  id_t        r_id_i,
  input  word_t      r_data_i,
  input  logic [1:0] r_resp_i,
  input  logic       r_last_i,

  // The end of a part, and whether it is the last of its burst.
  output logic       pop_o,
  input  logic       last_i,

  output logic       line_valid_o,
  input  logic       line_ready_i,
  output id_t        line_id_o,
  output line_t      line_o,
  output logic [1:0] line_resp_o,
  output logic       line_last_o
);

  localparam lane_index_t LastLane = lane_index_t'(Lanes - 1);

  lane_index_t [Ids-1:0] lane_q;  // that comes next
  logic [Ids-1:0][1:0]   resp_q;  // worst of the line's beats so far
  word_t [Lanes-1:0]     words;
  lane_index_t           lane;
  logic [1:0]            resp;
  logic                  take, complete;

  assign r_ready_o = !line_valid_o || line_ready_i;
  assign take      = r_valid_i && r_ready_o;
  assign lane      = lane_q[r_id_i];
  assign complete  = take && lane == LastLane;
  assign resp      = worse(resp_q[r_id_i], r_resp_i);
  assign pop_o     = take && r_last_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lane_q       <= '0;
      resp_q       <= '0;
      line_valid_o <= 1'b0;
    end else begin
      if (take) begin
        lane_q[r_id_i] <= lane + lane_index_t'(1);
        resp_q[r_id_i] <= complete ? '0 : resp;
      end
      if (r_ready_o) line_valid_o <= complete;
    end
  end

  for (genvar l = 0; l < Lanes - 1; l++) begin : g_lane
    tma_ram_1r1w #(.Width(NarrowBits), .Depth(Ids)) u_ram (
      .clk_i, .we_i(take && lane == lane_index_t'(l)), .waddr_i(r_id_i), .wdata_i(r_data_i),
      .raddr_i(r_id_i), .rdata_o(words[l])
    );
  end

  assign words[Lanes-1] = r_data_i;

  always_ff @(posedge clk_i) begin
    if (complete) begin
      line_id_o   <= r_id_i;
      line_o      <= words;
      line_resp_o <= resp;
      line_last_o <= r_last_i && last_i;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  logic [Ids-1:0] begun;  // ids that have a part of a line

  for (genvar i = 0; i < Ids; i++) begin : g_begun
    assign begun[i] = lane_q[i] != '0;
  end

  // Of the bus.
  `TMA_ASSERT(PartEndsWithALine, take && r_last_i |-> complete)

  `TMA_ASSERT_STABLE(LineIsStable, line_valid_o, line_ready_i, {line_id_o, line_o, line_resp_o, line_last_o})
  `TMA_COVER(LinesInterleave, take && (begun & ~(Ids'(1) << r_id_i)) != '0)
  `TMA_COVER(EarlierBeatIsWorse, complete && resp_q[r_id_i] > r_resp_i)
  `TMA_COVER(PartIsNotTheLast, pop_o && !last_i)
  `TMA_COVER(LineFollowsLine, line_valid_o && line_ready_i && complete)
  `TMA_COVER(EngineLetsWait, r_valid_i && !r_ready_o)

endmodule
