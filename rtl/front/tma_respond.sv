// SPDX-License-Identifier: Apache-2.0
// Sends the completion records of the direct queues: answers of issue and fault records, in one
// order.
//
// An answer is always taken; issue keeps the room by `ans_level_o`. A fault record enters in a
// cycle without an answer, and so comes behind every earlier answer of its queue. It leaves
// `Reserve` entries to the answers that issue has under way, and while it waits the level reads
// full, so that a busy issue cannot keep it out.
//
// One record per cycle. Latency: one cycle, with Short two. Reset: pointers only.

`include "tma_assert.svh"

module tma_respond
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_record_pkg::*;
#(
  parameter  bit          Short = ShortPaths,  // paths of few gates, for cycles
  localparam int unsigned Depth = tma_front_pkg::AnswerDepth,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Answers; there is room
  input  logic                  ans_valid_i,
  input  record_t               ans_i,
  output logic [LevelWidth-1:0] ans_level_o,  // entries that answers may not use

  // Fault records; one may be withdrawn
  input  logic                  rec_valid_i,
  output logic                  rec_ready_o,
  input  record_t               rec_i,

  // Records out
  output logic                  rsp_valid_o,
  input  logic                  rsp_ready_i,
  output record_t               rsp_o,

  output logic                  event_o,      // a record was sent
  output logic                  idle_o
);

  localparam int unsigned Reserve = tma_front_pkg::AnswerReserve;

  record_t               in;
  held_record_t          out;
  logic                  push, ready;
  logic [LevelWidth-1:0] level;

  assign rec_ready_o = !ans_valid_i && level < LevelWidth'(Depth - Reserve);
  assign push        = ans_valid_i || (rec_valid_i && rec_ready_o);
  assign in          = ans_valid_i ? ans_i : rec_i;
  assign ans_level_o = rec_valid_i ? LevelWidth'(Depth) : level;

  tma_fifo_block #(.Width($bits(held_record_t)), .Depth(Depth), .Block(Short), .FlowThrough(1'b0)) u_records (
    .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(ready), .in_i(hold(in)),
    .out_valid_o(rsp_valid_o), .out_ready_i(rsp_ready_i), .out_o(out), .level_o(level)
  );

  assign rsp_o   = whole(out, 1'b0);
  assign event_o = rsp_valid_o && rsp_ready_i;
  assign idle_o  = level == '0 && !rec_valid_i;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(RecordIsStable, rsp_valid_o, rsp_ready_i, rsp_o)
  `TMA_ASSERT(AnswerHasRoom, push |-> ready)
  `TMA_ASSERT(RecordIsHeldWhole, push |-> holds(in))
  `TMA_COVER(FaultWaitsForRoom, rec_valid_i && !ans_valid_i && !rec_ready_o)
  `TMA_COVER(FaultWaitsForAnAnswer, rec_valid_i && ans_valid_i)

endmodule
