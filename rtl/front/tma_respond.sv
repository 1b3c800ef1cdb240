// SPDX-License-Identifier: Apache-2.0
// Sends the completion records: answers of issue and fault records, in one queue.
//
// An answer is always taken; issue keeps the room by `ans_level_o`. A fault record enters in a
// cycle without an answer, and so comes behind every earlier answer of its queue. It leaves
// `Reserve` entries to the answers that issue has under way, and while it waits the level reads
// full, so that a busy issue cannot keep it out.
//
// One record per cycle. Latency: one cycle. Reset: pointers only.

`include "tma_assert.svh"

module tma_respond
  import tma_pkg::*;
  import tma_isa_pkg::*;
#(
  localparam int unsigned Depth = tma_front_pkg::AnswerDepth,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Answers; there is room
  input  logic                  ans_valid_i,
  input  record_t               ans_i,
  output logic [LevelWidth-1:0] ans_level_o,  // entries that answers may not use

  // Fault records
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

  localparam int unsigned Reserve   = 4;
  localparam int unsigned KindWidth = 3;

  // Faults have an address and no value, answers a value and no address.
  typedef struct packed {
    logic [31:0]          seq;
    queue_t               qid;
    logic [KindWidth-1:0] kind;
    logic [15:0]          fault;
    logic [63:0]          operand;
    logic [31:0]          tag;
  } entry_t;

  record_t               in;
  entry_t                entry, out;
  logic                  push, ready;
  logic [LevelWidth-1:0] level;

  assign rec_ready_o = !ans_valid_i && level < LevelWidth'(Depth - Reserve);
  assign push        = ans_valid_i || (rec_valid_i && rec_ready_o);
  assign in          = ans_valid_i ? ans_i : rec_i;
  assign ans_level_o = rec_valid_i ? LevelWidth'(Depth) : level;

  assign entry.seq     = in.sequence_number;
  assign entry.qid     = queue_t'(in.queue_number);
  assign entry.kind    = in.kind[KindWidth-1:0];
  assign entry.fault   = in.fault;
  assign entry.operand = in.value | in.address;
  assign entry.tag     = in.tag;

  tma_fifo #(.Width($bits(entry_t)), .Depth(Depth)) u_records (
    .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(ready), .in_i(entry),
    .out_valid_o(rsp_valid_o), .out_ready_i(rsp_ready_i), .out_o(out), .level_o(level)
  );

  logic is_fault;

  assign is_fault = out.kind == KindFault[KindWidth-1:0];

  always_comb begin
    rsp_o                 = '0;
    rsp_o.sequence_number = out.seq;
    rsp_o.queue_number    = 8'(out.qid);
    rsp_o.kind            = 8'(out.kind);
    rsp_o.fault           = out.fault;
    rsp_o.tag             = out.tag;
    if (is_fault) rsp_o.address = out.operand;
    else          rsp_o.value   = out.operand;
  end

  assign event_o = rsp_valid_o && rsp_ready_i;
  assign idle_o  = !rsp_valid_o && !rec_valid_i;

  logic unused_bits;
  assign unused_bits = ^in.phase ^ ^in.queue_number ^ ^in.kind;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(RecordIsStable, rsp_valid_o, rsp_ready_i, rsp_o)
  `TMA_ASSERT(AnswerHasRoom, push |-> ready)
  `TMA_ASSERT(OneOperand, push |-> in.value == '0 || in.address == '0)
  `TMA_ASSERT(FaultsHaveTheAddress, push && in.kind == KindFault |-> in.value == '0)
  `TMA_ASSERT(AnswersHaveTheValue, push && in.kind != KindFault |-> in.address == '0)
  `TMA_ASSERT(KindFits, push |-> in.kind == 8'(entry.kind) && in.phase == '0)
  `TMA_COVER(FaultWaitsForRoom, rec_valid_i && !ans_valid_i && !rec_ready_o)
  `TMA_COVER(FaultWaitsForAnAnswer, rec_valid_i && ans_valid_i)

endmodule
