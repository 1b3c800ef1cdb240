// SPDX-License-Identifier: Apache-2.0
// Records of all queues: answers of issue and faults, to the response port or to completion rings,
// as the queue is bound. Structure, and the split by queue. Short: an answer, which comes late in its
// cycle, waits for the next one in a register.
//
//   answers ---+--> tma_respond ----> response port
//              +--> tma_completion -> store path
//   faults --> tma_faults --^

`include "tma_assert.svh"

module tma_records
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
  import tma_status_pkg::*;
  import tma_path_pkg::*;
#(
  parameter  bit          Short      = ShortPaths,       // paths of few gates, for cycles
  localparam int unsigned NumSources = NumFaulters + 2,  // issue, those of the paths, ring
  localparam int unsigned InPipeline = Short ? 5 : 3     // commands between the look at the room and their record
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Set-up and progress of the queues
  input  logic [NumQueues-1:0]        active_i,
  input  logic [NumQueues-1:0]        ring_i,
  input  ring_cfg_t [NumQueues-1:0]   ring_cfg_i,
  input  logic [NumQueues-1:0]        resume_i,
  input  logic [NumQueues-1:0][31:0]  head_i,
  input  logic [NumQueues-1:0][31:0]  consumer_i,
  output logic [NumQueues-1:0][31:0]  producer_o,
  output held_records_t [NumQueues-1:0] held_o,

  // Answers
  output logic [NumQueues-1:0]        answer_ready_o,  // commands that answer may be picked
  output logic [NumQueues-1:0]        room_o,          // one fits where the queue's records go
  input  logic                        ans_valid_i,
  input  queue_t                      ans_queue_i,
  input  record_t                     ans_i,

  // Faults
  input  logic   [NumSources-1:0]     fault_valid_i,
  output logic   [NumSources-1:0]     fault_ready_o,
  input  fault_t [NumSources-1:0]     fault_i,
  output logic [NumQueues-1:0]        stopped_o,
  output logic [NumQueues-1:0]        pending_o,       // a fault record is not handed over
  output logic [NumQueues-1:0]        flight_o,        // records on their way to the ring
  input  queue_t                      status_queue_i,
  output queue_status_t               status_o,        // of that queue, same cycle

  // Response port
  output logic                        rsp_valid_o,
  input  logic                        rsp_ready_i,
  output record_t                     rsp_o,

  // Store path
  output logic                        cmd_valid_o,
  input  logic                        cmd_ready_i,
  output record_cmd_t                 cmd_o,
  output logic [255:0]                data_o,
  input  logic                        data_pop_i,
  input  logic                        done_i,
  input  queue_t                      done_queue_i,

  output logic                        fault_event_o,
  output logic                        record_event_o,
  output logic                        idle_o
);

  localparam int unsigned LevelWidth = $clog2(AnswerDepth + 1);

  logic [LevelWidth-1:0] respond_level, completion_level;
  logic                  respond_ready, completion_ready;
  logic [NumQueues-1:0]  ring_room, rec_room;
  logic [1:0]            rec_valid, rec_ready;
  record_t [1:0]         rec;
  logic                  respond_event, completion_event;
  logic                  faults_idle, respond_idle, completion_idle;

  // InPipeline: commands in registers and the one that the look lets go. Without Short there are two registers; with it
  // five, and the look is a cycle older, but most of them take a command when they were empty: four are full at most.
  `TMA_ASSERT_INIT(ReserveIsForTheRegisters, AnswerReserve >= InPipeline - 1)

  assign respond_ready    = respond_level    <= LevelWidth'(AnswerDepth - InPipeline);
  assign completion_ready = completion_level <= LevelWidth'(AnswerDepth - InPipeline);

  assign answer_ready_o = (ring_i & {NumQueues{completion_ready}}) | (~ring_i & {NumQueues{respond_ready}});
  assign room_o         = ~ring_i | ring_room;

  tma_faults #(.Short(Short)) u_faults (
    .clk_i, .rst_ni, .active_i, .ring_i, .room_i(rec_room), .resume_i, .head_i,
    .fault_valid_i, .fault_ready_o, .fault_i, .stopped_o, .pending_o,
    .rec_valid_o(rec_valid), .rec_ready_i(rec_ready), .rec_o(rec),
    .status_queue_i, .status_o, .event_o(fault_event_o), .idle_o(faults_idle)
  );

  /////////////
  // Answers //
  /////////////

  record_t              ans;
  logic                 to_respond, to_completion, waits;
  logic [NumQueues-1:0] flight, coming;

  if (Short) begin : g_register
    record_t ans_q;
    logic    respond_q, completion_q;
    queue_t  queue_q;

    always_ff @(posedge clk_i) begin
      ans_q        <= ans_i;
      queue_q      <= ans_queue_i;
      respond_q    <= rst_ni && ans_valid_i && !ring_i[ans_queue_i];
      completion_q <= rst_ni && ans_valid_i && ring_i[ans_queue_i];
    end

    // One of a queue that is no longer active would be dropped anyway.
    assign ans           = ans_q;
    assign to_respond    = respond_q;
    assign to_completion = completion_q && active_i[queue_q];
    assign coming        = NumQueues'(completion_q) << queue_q;
    assign waits         = respond_q || completion_q;
  end else begin : g_direct
    assign ans           = ans_i;
    assign to_respond    = ans_valid_i && !ring_i[ans_queue_i];
    assign to_completion = ans_valid_i && ring_i[ans_queue_i];
    assign coming        = '0;
    assign waits         = 1'b0;
  end

  assign flight_o = flight | coming;

  tma_respond #(.Short(Short)) u_respond (
    .clk_i, .rst_ni,
    .ans_valid_i(to_respond), .ans_i(ans), .ans_level_o(respond_level),
    .rec_valid_i(rec_valid[0]), .rec_ready_o(rec_ready[0]), .rec_i(rec[0]),
    .rsp_valid_o, .rsp_ready_i, .rsp_o, .event_o(respond_event), .idle_o(respond_idle)
  );

  tma_completion #(.Short(Short)) u_completion (
    .clk_i, .rst_ni, .active_i, .ring_cfg_i, .consumer_i, .producer_o, .held_o, .flight_o(flight),
    .room_o(ring_room), .rec_room_o(rec_room),
    .ans_valid_i(to_completion), .ans_i(ans), .ans_level_o(completion_level),
    .rec_valid_i(rec_valid[1]), .rec_ready_o(rec_ready[1]), .rec_i(rec[1]),
    .cmd_valid_o, .cmd_ready_i, .cmd_o, .data_o, .data_pop_i, .done_i, .done_queue_i,
    .event_o(completion_event), .event_hold_i(respond_event), .idle_o(completion_idle)
  );

  assign record_event_o = respond_event || completion_event;
  assign idle_o         = faults_idle && respond_idle && completion_idle && !waits;

endmodule
