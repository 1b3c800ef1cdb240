// SPDX-License-Identifier: Apache-2.0
// Puts the records of ring queues into their completion rings, in global memory.
//
//   answers, faults --> place in the ring --> queue --> command register --> cmd_o
//                                                  \--> data queue --------> data_o
//   producer <-- done, in order
//
// A record has its place from the moment it comes in. Record n of a queue goes to slot n modulo the
// ring's slots; its phase is 1 in the first lap of the ring, 0 in the next, and so on. One slot
// is kept for a fault record: `room_o` says that an answer fits besides, `rec_room_o` that a fault
// does. An answer is always taken; issue keeps the room by `room_o` and `ans_level_o`. A fault
// record enters in a cycle without an answer and leaves `Reserve` entries to the answers that issue
// has under way; while it waits the level reads full, so that a busy issue cannot keep it out.
//
// Short: answers come a cycle after issue has issued them, and `room_o` counts the one that comes. It
// comes from registers: room that software makes shows a cycle later.
//
// A queue that is not active drops its records, but for those whose command is on its way; `flight_o`
// says when none is left, and it must not become active before.
//
// One record per cycle, with Short every other one. Latency: two cycles to `cmd_valid_o`, the data a cycle before its
// command; with Short four, the data a cycle behind it.
// Reset: control, places and counts.

`include "tma_assert.svh"

module tma_completion
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_record_pkg::*;
#(
  parameter  bit          Short = ShortPaths,  // paths of few gates, for cycles
  localparam int unsigned Depth = tma_front_pkg::AnswerDepth,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Set-up and progress of the queues
  input  logic [NumQueues-1:0]       active_i,
  input  ring_cfg_t [NumQueues-1:0]  ring_cfg_i,
  input  logic [NumQueues-1:0][31:0] consumer_i,   // records that software has taken
  output logic [NumQueues-1:0][31:0] producer_o,   // records that are written
  output held_records_t [NumQueues-1:0] held_o,    // records with a place that are not taken
  output logic [NumQueues-1:0]       flight_o,     // records that are not
  output logic [NumQueues-1:0]       room_o,       // for an answer
  output logic [NumQueues-1:0]       rec_room_o,   // for a fault record

  // Answers; there is room
  input  logic                       ans_valid_i,  // of an active queue
  input  record_t                    ans_i,
  output logic [LevelWidth-1:0]      ans_level_o,  // entries that answers may not use

  // Fault records; one may be withdrawn
  input  logic                       rec_valid_i,
  output logic                       rec_ready_o,
  input  record_t                    rec_i,

  // Store path: data of the oldest record whose command was taken
  output logic                       cmd_valid_o,
  input  logic                       cmd_ready_i,
  output record_cmd_t                cmd_o,
  output logic [255:0]               data_o,
  input  logic                       data_pop_i,
  input  logic                       done_i,       // in order, written or failed
  input  queue_t                     done_queue_i,

  output logic                       event_o,      // a record is done with, now or before
  input  logic                       event_hold_i, // not in this cycle
  output logic                       idle_o
);

  localparam int unsigned Reserve     = tma_front_pkg::AnswerReserve;
  localparam int unsigned DataDepth   = 4;
  localparam int unsigned SlotWidth   = 16;   // of the largest ring
  localparam int unsigned SlotShift   = 5;    // bytes of a slot
  localparam int unsigned MaxFlight   = Depth + DataDepth + NumWrites + 16;
  localparam int unsigned FlightWidth = $clog2(MaxFlight + 1);

  // Place in the ring: one bit more than a slot, for the lap.
  typedef logic [SlotWidth:0] place_t;

  typedef struct packed {
    place_t       place;
    held_record_t rec;
  } entry_t;

  typedef struct packed {
    logic         phase;
    held_record_t rec;
  } data_t;

  ////////////
  // Places //
  ////////////

  record_t                        in;
  queue_t                         in_queue;
  logic                           push, ready;
  logic [LevelWidth-1:0]          level;
  place_t [NumQueues-1:0]         next_q;

  assign rec_ready_o = !ans_valid_i && level < LevelWidth'(Depth - Reserve);
  assign push        = ans_valid_i || (rec_valid_i && rec_ready_o);
  assign in          = ans_valid_i ? ans_i : rec_i;
  assign in_queue    = queue_t'(in.queue_number);
  assign ans_level_o = rec_valid_i ? LevelWidth'(Depth) : level;

  // A ring of 2^n slots is full when bit n of what it holds is set.
  for (genvar q = 0; q < NumQueues; q++) begin : g_room
    place_t held, more;

    assign held          = next_q[q] - place_t'(consumer_i[q]);
    assign held_o[q]     = held;
    assign rec_room_o[q] = !held[ring_cfg_i[q].completion_slots];

    if (Short) begin : g_before
      // Room for one, two and three answers as of the cycle before, and what has come since.
      logic [SlotWidth-1:0] free;
      logic [2:0]           room_q;
      logic                 came_q, comes;

      assign free  = ~held[SlotWidth-1:0] & ~({SlotWidth{1'b1}} << ring_cfg_i[q].completion_slots);
      assign comes = ans_valid_i && queue_t'(ans_i.queue_number) == queue_t'(q);
      assign more  = '0;

      always_ff @(posedge clk_i) begin
        came_q <= push && in_queue == queue_t'(q);
        room_q <= {free[SlotWidth-1:2] != '0 || free[1:0] == '1, free[SlotWidth-1:1] != '0, free != '0} &
                  {3{rec_room_o[q]}};
      end

      assign room_o[q] = came_q && comes ? room_q[2] : came_q || comes ? room_q[1] : room_q[0];
    end else begin : g_now
      assign more      = held + place_t'(1);
      assign room_o[q] = !more[ring_cfg_i[q].completion_slots] && rec_room_o[q];
    end

    logic unused_more;
    assign unused_more = ^more;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (!rst_ni || !active_i[q])               next_q[q] <= '0;
      else if (push && in_queue == queue_t'(q))  next_q[q] <= next_q[q] + place_t'(1);
    end
  end

  entry_t entry, head;
  logic   head_valid, head_active, load, drop;

  // With Short what a place is in its ring is worked out as the record comes: a slot, and in the top bit its lap.
  place_t place;

  function automatic place_t in_ring(input place_t at, input logic [4:0] slots);
    place_t bit_n;  // of a ring of 2^n slots
    bit_n   = place_t'(1) << slots;
    in_ring = {(at & bit_n) != '0, at[SlotWidth-1:0] & SlotWidth'(bit_n - place_t'(1))};
  endfunction

  assign place = next_q[in_queue];
  assign entry = '{place: Short ? in_ring(place, ring_cfg_i[in_queue].completion_slots) : place, rec: hold(in)};

  tma_fifo_block #(.Width($bits(entry_t)), .Depth(Depth), .Block(Short), .Register(1'b1), .FlowThrough(1'b0)) u_records (
    .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(ready), .in_i(entry),
    .out_valid_o(head_valid), .out_ready_i(load || drop), .out_o(head), .level_o(level)
  );

  //////////////////////
  // Command register //
  //////////////////////

  logic [51:0]          base;
  logic [SlotWidth-1:0] slot;
  logic                 lap;
  record_cmd_t          cmd_q;
  logic                 cmd_valid_q, data_ready, data_valid;
  data_t                data;
  logic [$clog2(DataDepth+1)-1:0] data_level;

  assign base        = ring_cfg_i[head.rec.qid].completion_base;
  assign {lap, slot} = Short ? head.place : in_ring(head.place, ring_cfg_i[head.rec.qid].completion_slots);
  assign head_active = active_i[head.rec.qid];
  assign load        = head_valid && head_active && data_ready && (!cmd_valid_q || (!Short && cmd_ready_i));
  assign drop        = head_valid && !head_active;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) cmd_valid_q <= 1'b0;
    else         cmd_valid_q <= load || (cmd_valid_q && !cmd_ready_i);
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      cmd_q.gaddr  <= {base, 12'h000} + 64'({slot, SlotShift'(0)});
      cmd_q.origin <= '{qid: head.rec.qid, seq: head.rec.seq[15:0], tag: head.rec.tag};
    end
  end

  assign cmd_valid_o = cmd_valid_q;
  assign cmd_o       = cmd_q;

  tma_fifo_block #(.Width($bits(data_t)), .Depth(DataDepth), .Block(Short), .FlowThrough(1'b0)) u_data (
    .clk_i, .rst_ni, .in_valid_i(load), .in_ready_o(data_ready),
    .in_i({!lap, head.rec}),
    .out_valid_o(data_valid), .out_ready_i(data_pop_i), .out_o(data), .level_o(data_level)
  );

  assign data_o = whole(data.rec, data.phase);

  //////////
  // Done //
  //////////

  logic [NumQueues-1:0][FlightWidth-1:0] flight_q;

  for (genvar q = 0; q < NumQueues; q++) begin : g_flight
    logic came, dropped, done;

    assign came        = push && in_queue == queue_t'(q);
    assign dropped     = drop && head.rec.qid == queue_t'(q);
    assign done        = done_i && done_queue_i == queue_t'(q);
    assign flight_o[q] = flight_q[q] != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) flight_q[q] <= '0;
      else         flight_q[q] <= flight_q[q] + FlightWidth'(came) - FlightWidth'(dropped) -
                                  FlightWidth'(done);
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || !active_i[q]) producer_o[q] <= '0;
      else if (done)               producer_o[q] <= producer_o[q] + 32'd1;
    end

    `TMA_ASSERT(NothingIsDoneTwice, 32'(flight_q[q]) >= 32'(dropped) + 32'(done))
    `TMA_ASSERT(FlightFits, 32'(flight_q[q]) <= MaxFlight)
    `TMA_ASSERT(NewLifeStartsEmpty, $rose(active_i[q]) |-> !flight_o[q])
  end

  logic [FlightWidth-1:0] owed_q;  // events

  assign event_o = !event_hold_i && (done_i || owed_q != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) owed_q <= '0;
    else         owed_q <= owed_q + FlightWidth'(done_i) - FlightWidth'(event_o);
  end

  assign idle_o = flight_o == '0 && owed_q == '0 && !rec_valid_i;

  logic unused_level;
  assign unused_level = ^data_level;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(CommandIsStable, cmd_valid_o, cmd_ready_i, cmd_o)
  `TMA_ASSERT(CommandIsAligned, cmd_valid_o |-> cmd_o.gaddr[SlotShift-1:0] == '0)
  `TMA_ASSERT(EntryForEveryRecord, push |-> ready)
  `TMA_ASSERT(RecordIsHeldWhole, push |-> holds(in))
  `TMA_ASSERT(RecordsOfActiveQueues, push |-> active_i[in_queue])
  `TMA_ASSERT(AnswerHasASlot, ans_valid_i |-> Short ? rec_room_o[in_queue] : room_o[in_queue])
  `TMA_ASSERT(FaultHasASlot, rec_valid_i |-> rec_room_o[queue_t'(rec_i.queue_number)])
  `TMA_ASSERT(DataIsThere, data_pop_i |-> data_valid)
  `TMA_ASSERT(EventsFit, owed_q != '1)
  `TMA_COVER(FaultWaitsForRoom, rec_valid_i && !ans_valid_i && !rec_ready_o)
  `TMA_COVER(FaultWaitsForAnAnswer, rec_valid_i && ans_valid_i)
  `TMA_COVER(FaultTakesTheLastSlot, push && !ans_valid_i && !room_o[in_queue])
  `TMA_COVER(SecondLap, load && lap)
  `TMA_COVER(WaitsForData, head_valid && head_active && !data_ready)
  `TMA_COVER(Drops, drop)
  `TMA_COVER(WritesOfAnInactiveQueue, cmd_valid_q && !active_i[cmd_q.origin.qid])
  `TMA_COVER(EventWaits, done_i && event_hold_i)

endmodule
