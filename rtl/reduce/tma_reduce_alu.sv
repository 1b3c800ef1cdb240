// SPDX-License-Identifier: Apache-2.0
// Arithmetic of reductions on a line: old data of memory with new data, element by element.
//
//   line in --> slices of 64 bits --> line out
//
// With fewer lanes than a line has, a line goes through them in Steps parts, one per cycle; its result is
// complete with the last one.
//
// Throughput: a line per Steps cycles, across operators and types. Latency: Steps + 6 cycles from the handshake to
// `out_valid_o`, with `Short` three more: two of the slices, and operands have a register. Nobody can delay it: a result has to be taken. Reset: control only.

`include "tma_assert.svh"

module tma_reduce_alu
  import tma_pkg::*;
  import tma_reduce_pkg::*;
#(
  parameter int unsigned LaneBytes = DataBytes,  // 8 or more; a power of two, a line at most
  parameter bit          Floats    = 1'b1,
  parameter bit          Float64   = 1'b1,
  parameter bit          Short     = ShortPaths
) (
  input  logic  clk_i,
  input  logic  rst_ni,

  input  logic  in_valid_i,
  output logic  in_ready_o,
  input  how_t  how_i,
  input  line_t dst_i,        // old
  input  line_t src_i,        // new

  output logic  out_valid_o,
  output line_t out_o
);

  localparam int unsigned AluStages = Short ? 10 : 7;  // cycles from the operands of an element to its result
  localparam int unsigned Steps     = DataBytes / LaneBytes;
  localparam int unsigned StepWidth = Steps > 1 ? $clog2(Steps) : 1;
  localparam int unsigned LaneBits  = 8 * LaneBytes;

  typedef logic [LaneBits-1:0] part_t;

  // A part on its way: which one it is.
  typedef struct packed {
    logic                 valid;
    logic [StepWidth-1:0] step;
  } part_info_t;

  `TMA_ASSERT_INIT(LanesAreSlices, LaneBytes >= 8 && LaneBytes <= DataBytes && DataBytes % LaneBytes == 0)

  how_t       how;
  part_t      dst, src, result;
  part_info_t first;
  part_info_t [AluStages-1:0] stage_q;

  //////////
  // Lane //
  //////////

  how_t  lane_how;
  part_t lane_dst, lane_src;

  if (Short) begin : g_operands
    always_ff @(posedge clk_i) {lane_how, lane_dst, lane_src} <= {how, dst, src};
  end else begin : g_operands_at_once
    assign {lane_how, lane_dst, lane_src} = {how, dst, src};
  end

  for (genvar s = 0; s < LaneBytes / 8; s++) begin : g_slice
    tma_reduce_slice #(.Floats(Floats), .Float64(Float64), .Short(Short)) u_slice (
      .clk_i, .how_i(lane_how), .dst_i(lane_dst[64*s +: 64]), .src_i(lane_src[64*s +: 64]),
      .result_o(result[64*s +: 64])
    );
  end

  always_ff @(posedge clk_i) begin
    stage_q <= {stage_q[AluStages-2:0], first};
    if (!rst_ni) begin
      for (int unsigned i = 0; i < AluStages; i++) stage_q[i].valid <= 1'b0;
    end
  end

  ///////////
  // Parts //
  ///////////

  if (Steps == 1) begin : g_whole
    assign in_ready_o  = 1'b1;
    assign how         = how_i;
    assign dst         = dst_i;
    assign src         = src_i;
    assign first       = '{valid: in_valid_i, step: '0};
    assign out_valid_o = stage_q[AluStages-1].valid;
    assign out_o       = result;

    logic unused_step;
    assign unused_step = stage_q[AluStages-1].step;
  end else begin : g_parts
    localparam logic [StepWidth-1:0] Last = StepWidth'(Steps - 1);

    logic [StepWidth-1:0] step_q;   // of the part that goes in; 0: that of a new line
    how_t                 how_q;
    part_t [Steps-1:0]    dst_q, src_q, result_q;

    assign in_ready_o = step_q == '0;
    assign how        = in_ready_o ? how_i : how_q;
    assign dst        = in_ready_o ? dst_i[0 +: LaneBits] : dst_q[step_q];
    assign src        = in_ready_o ? src_i[0 +: LaneBits] : src_q[step_q];
    assign first      = '{valid: !in_ready_o || in_valid_i, step: step_q};

    always_ff @(posedge clk_i) begin
      if (!rst_ni)          step_q <= '0;
      else if (first.valid) step_q <= step_q + StepWidth'(1);
    end

    always_ff @(posedge clk_i) begin
      if (in_ready_o) begin
        how_q <= how_i;
        dst_q <= dst_i;
        src_q <= src_i;
      end
      if (stage_q[AluStages-1].valid) result_q[stage_q[AluStages-1].step] <= result;
    end

    assign out_valid_o = stage_q[AluStages-1].valid && stage_q[AluStages-1].step == Last;

    always_comb begin
      out_o                         = result_q;
      out_o[(Steps - 1) * LaneBits +: LaneBits] = result;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_COVER(LineBehindALine, in_valid_i && in_ready_o && stage_q[Steps-1].valid)
  `TMA_COVER(Pause, !in_valid_i && stage_q[0].valid)

endmodule
