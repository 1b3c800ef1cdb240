// SPDX-License-Identifier: Apache-2.0
// Holds the commands of every queue and picks, in each cycle, one that may go to decode.
//
// A command is picked when its queue is neither stopped nor asleep and the path that will execute it
// has room; on each path its queues take turns (tma_cmd_pick). It leaves its queue for good only when
// issue retires it: a flush takes the queue back to its oldest unretired command, so a wait that is not
// satisfied, or a command behind a fault, is simply picked again later.
//
//   ring_cmd_i, cmd_i --> memory, CmdDepth per queue --> pick --> command register --> cmd_o
//                    \______________ when the queue is empty ______/
//
// A queue takes its commands from the ring or from the direct port, as it is bound. Of both in one
// cycle the ring's goes first: it comes every other cycle at most. A resumed queue of the direct port
// drops as many commands as it is told; one of a ring drops all, they are fetched again.
//
// The memory is block RAM, and its register that of the command. Throughput: one command per cycle in and out. Latency: one.
// Short: what a queue wants, and may, is looked up a cycle before the pick, and the command register is a stage of its own
// that is not filled as it empties: a command every other cycle out, in four cycles.
//
// `cmd_ready_o` depends on `cmd_queue_i` and the ring's input (not on `cmd_valid_i`), `queue_ready_o` and `ring_ready_o`
// on the ring's input and registers alone. Reset: control only.

`include "tma_assert.svh"

module tma_cmd_queue
  import tma_pkg::*;
  import tma_front_pkg::*;
#(
  parameter  bit          Short     = ShortPaths,  // paths of few gates, for cycles
  localparam int unsigned PtrWidth  = $clog2(CmdDepth),
  localparam int unsigned HeldWidth = PtrWidth + 1  // 0..CmdDepth
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Direct port
  input  logic                  cmd_valid_i,
  output logic                  cmd_ready_o,
  input  queue_t                cmd_queue_i,
  input  tma_isa_pkg::command_t cmd_i,
  output logic [NumQueues-1:0]  queue_ready_o,

  // Rings
  input  logic                  ring_valid_i,
  output logic                  ring_ready_o,
  input  queue_t                ring_queue_i,
  input  fetched_t              ring_cmd_i,
  output logic [NumQueues-1:0]  room_o,         // an enabled queue has room for a command

  // What may be picked
  input  logic [NumQueues-1:0]  enable_i,       // a disabled queue forgets its commands
  input  logic [NumQueues-1:0]  ring_bound_i,   // commands come from the ring
  input  logic [NumQueues-1:0]  blocked_i,      // stopped, asleep or crowded
  input  logic [NumPaths-1:0]   path_ready_i,   // by path_e: room for all that may be on their way, and one more
  input  logic [NumQueues-1:0]  answer_ready_i, // room for the records of commands that write one

  // Picked command
  output logic                  cmd_valid_o,
  input  logic                  cmd_ready_i,
  output queue_t                cmd_queue_o,
  output fetched_t              cmd_o,

  // From issue
  input  logic                  retire_i,     // the oldest command of the queue is done with
  input  queue_t                retire_queue_i,
  input  logic                  flush_i,      // pick the queue's commands again from the oldest on
  input  queue_t                flush_queue_i,

  // A faulted queue goes on
  input  logic [NumQueues-1:0]  resume_i,
  input  logic [HeldWidth-1:0]  resume_skip_i,  // of the direct port: its oldest commands that go

  output logic [NumQueues-1:0]  held_o,         // commands that have not retired
  output logic [NumQueues-1:0][HeldWidth-1:0] held_count_o,
  output logic                  stalled_o       // a queue holds commands and none was picked
);

  typedef logic [HeldWidth-1:0] ptr_t;  // one bit more than an index: full differs from empty

  // Written up to, picked up to, retired up to.
  ptr_t [NumQueues-1:0] wr_q, pick_q, retire_q;

  ///////////////////////////////
  // From the ring or the port //
  ///////////////////////////////

  logic                 accept, from_ring;
  logic [NumQueues-1:0] comes;
  queue_t               in_queue;
  fetched_t             in;
  cmd_class_t           in_class;

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    assign held_count_o[q]  = wr_q[q] - retire_q[q];
    assign held_o[q]        = wr_q[q] != retire_q[q];
    assign queue_ready_o[q] = room_o[q] && !ring_bound_i[q] && !from_ring;
    assign comes[q]         = accept && in_queue == queue_t'(q);

    tma_cmd_room #(.Short(Short)) u_room (
      .clk_i, .rst_ni, .enable_i(enable_i[q]), .held_i(held_count_o[q]), .comes_i(comes[q]), .room_o(room_o[q])
    );
  end

  assign ring_ready_o = room_o[ring_queue_i];
  assign from_ring    = ring_valid_i && ring_ready_o;
  assign cmd_ready_o  = queue_ready_o[cmd_queue_i];
  assign accept       = from_ring || (cmd_valid_i && cmd_ready_o);
  assign in_queue     = from_ring ? ring_queue_i : cmd_queue_i;
  assign in           = from_ring ? ring_cmd_i : '{fetch: FetchOk, cmd: cmd_i};

  // Of a command that failed to come there is nothing to go by: it faults at issue.
  assign in_class = in.fetch == FetchOk
      ? class_of(in.cmd.opcode, in.cmd.flags[tma_isa_pkg::FlagRecord])
      : '{path: tma_isa_pkg::PathSync, answers: 1'b0};

  //////////
  // Pick //
  //////////

  logic [NumQueues-1:0]               live;    // of others, what is picked leaves its register at once: they may go on soon
  logic [NumQueues-1:0]               wants;   // there is a command, and nothing holds its queue back
  tma_isa_pkg::path_e [NumQueues-1:0] path;    // that executes it
  logic                               any_request, slot_free, bypass;
  queue_t                             picked, pick_queue;
  logic                               pick, stays;

  assign live = enable_i & ~resume_i;

  for (genvar q = 0; q < NumQueues; q++) begin : g_request
    cmd_class_t now;
    logic       may, goes;  // there is one, and nothing holds its queue back
    tma_ram_1r1w #(.Width($bits(cmd_class_t)), .Depth(CmdDepth)) u_class (
      .clk_i, .we_i(comes[q]), .waddr_i(wr_q[q][PtrWidth-1:0]), .wdata_i(in_class),
      .raddr_i(pick_q[q][PtrWidth-1:0]), .rdata_o(now)
    );

    if (Short) begin : g_look
      // Not of a queue whose pointer moves.
      logic goes_q, moves;
      assign moves = (pick && picked == queue_t'(q)) || (flush_i && flush_queue_i == queue_t'(q));

      always_ff @(posedge clk_i) begin
        path[q] <= now.path;
        goes_q  <= rst_ni && live[q] && goes && !moves;
      end

      assign goes     = may && path_ready_i[now.path];
      assign wants[q] = goes_q;
    end else begin : g_at_once
      assign path[q]  = now.path;
      assign goes     = may;
      assign wants[q] = enable_i[q] && goes;
    end

    assign may = !blocked_i[q] && wr_q[q] != pick_q[q] && (!now.answers || answer_ready_i[q]);
  end

  tma_cmd_pick u_pick (
    .clk_i, .rst_ni, .wants_i(wants), .path_i(path), .path_ready_i(Short ? '1 : path_ready_i), .take_i(slot_free),
    .valid_o(any_request), .queue_o(picked)
  );

  // A command for a queue that has none waiting need not be read back from the memory.
  assign bypass = !Short && accept && !any_request && !blocked_i[in_queue] &&
                  wr_q[in_queue] == pick_q[in_queue] &&
                  path_ready_i[in_class.path] && (!in_class.answers || answer_ready_i[in_queue]);

  // That a queue is flushed is known late: what is picked of it is dropped.
  assign pick_queue = any_request || Short ? picked : in_queue;
  assign pick       = slot_free && (any_request || bypass);
  assign stays      = pick && !(flush_i && flush_queue_i == pick_queue);

  localparam int unsigned AddrWidth = QueueWidth + PtrWidth;
  logic [AddrWidth-1:0] waddr, raddr;
  assign waddr = {in_queue, wr_q[in_queue][PtrWidth-1:0]};
  assign raddr = {picked, pick_q[picked][PtrWidth-1:0]};

  //////////////////////
  // Command register //
  //////////////////////

  if (Short) begin : g_stage
    // What is read goes on when the register was empty in the cycle before, which is known early.
    logic                 read_valid_q, read_live, moves;
    queue_t               read_queue_q;
    fetched_t             stored;
    logic [NumQueues-1:0] live_q;  // in the cycle of the pick

    assign slot_free = !read_valid_q || !cmd_valid_o;
    assign read_live = live[read_queue_q] && live_q[read_queue_q];
    assign moves     = read_valid_q && !cmd_valid_o && read_live;

    tma_ram_1r1w_sync #(.Width($bits(fetched_t)), .Depth(NumQueues * CmdDepth)) u_ram (
      .clk_i, .we_i(accept), .waddr_i(waddr), .wdata_i(in), .re_i(slot_free), .raddr_i(raddr),
      .rdata_o(stored)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        read_valid_q <= 1'b0;
        cmd_valid_o  <= 1'b0;
      end else begin
        if (slot_free) read_valid_q <= stays;
        else if (!read_live || (flush_i && flush_queue_i == read_queue_q)) read_valid_q <= 1'b0;

        if (!cmd_valid_o) cmd_valid_o <= moves && !(flush_i && flush_queue_i == read_queue_q);
        else if (cmd_ready_i || !live[cmd_queue_o] || (flush_i && flush_queue_i == cmd_queue_o)) cmd_valid_o <= 1'b0;
      end
    end

    // What was read without a pick goes no further: of a word that is being written a memory may give anything, and barriers
    // are looked up by an address whose valid comes later.
    always_ff @(posedge clk_i) begin
      live_q <= live;
      if (pick) read_queue_q <= pick_queue;
      if (read_valid_q && !cmd_valid_o) {cmd_queue_o, cmd_o} <= {read_queue_q, stored};
    end

    `TMA_ASSERT(WhatIsNotPickedGoesNoFurther, $past(!read_valid_q) |-> $stable(cmd_o) && $stable(cmd_queue_o))
  end else begin : g_whole
    // The register is the memory's own, and another one for a command that comes past it.
    fetched_t stored, direct_q;
    logic     is_stored_q;

    assign slot_free = !cmd_valid_o || cmd_ready_i;
    assign cmd_o     = is_stored_q ? stored : direct_q;

    tma_ram_1r1w_sync #(.Width($bits(fetched_t)), .Depth(NumQueues * CmdDepth)) u_ram (
      .clk_i, .we_i(accept), .waddr_i(waddr), .wdata_i(in), .re_i(pick), .raddr_i(raddr), .rdata_o(stored)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni)        cmd_valid_o <= 1'b0;
      else if (slot_free) cmd_valid_o <= stays;
      else if (!live[cmd_queue_o]) cmd_valid_o <= 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (pick) begin
        is_stored_q <= any_request;
        direct_q    <= in;
        cmd_queue_o <= pick_queue;
      end
    end
  end

  //////////////
  // Pointers //
  //////////////

  ptr_t [NumQueues-1:0] go_on;  // oldest command of a queue that is resumed

  for (genvar q = 0; q < NumQueues; q++) begin : g_go_on
    assign go_on[q] = ring_bound_i[q] ? wr_q[q] : retire_q[q] + resume_skip_i;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (!rst_ni || !enable_i[q]) begin
        wr_q[q]     <= '0;
        pick_q[q]   <= '0;
        retire_q[q] <= '0;
      end else begin
        if (comes[q] && !(resume_i[q] && ring_bound_i[q])) wr_q[q] <= wr_q[q] + ptr_t'(1);
        if (resume_i[q]) begin
          retire_q[q] <= go_on[q];
          pick_q[q]   <= go_on[q];
        end else begin
          if (retire_i && retire_queue_i == queue_t'(q)) retire_q[q] <= retire_q[q] + ptr_t'(1);
          if (flush_i && flush_queue_i == queue_t'(q)) pick_q[q] <= retire_q[q];
          else if (pick && pick_queue == queue_t'(q))  pick_q[q] <= pick_q[q] + ptr_t'(1);
        end
      end
    end
  end

  assign stalled_o = |held_o && !cmd_valid_o;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(FlushAndRetireExclude,
      !(flush_i && retire_i && flush_queue_i == retire_queue_i))
  // Without Short, issue takes a new command in the cycle of a flush, and drops it if it is the flushed queue's.
  `TMA_ASSERT(FlushMovesThePipeline, flush_i && !Short |-> !cmd_valid_o || cmd_ready_i)
  `TMA_ASSERT(RetiresWhatItHolds, retire_i && enable_i[retire_queue_i] |-> held_o[retire_queue_i])
  for (genvar q = 0; q < NumQueues; q++) begin : g_resume
    `TMA_ASSERT(ResumedQueueIsStopped, resume_i[q] |-> blocked_i[q])
    `TMA_ASSERT(ResumedQueueRetiresNothing, !(resume_i[q] && retire_i && retire_queue_i == queue_t'(q)))
    `TMA_ASSERT(SkipsWhatItHolds,
        resume_i[q] && enable_i[q] && !ring_bound_i[q] |-> resume_skip_i <= held_count_o[q])
  end
  `TMA_ASSERT(RingCommandIsOfARing, from_ring |-> ring_bound_i[ring_queue_i])
  `TMA_COVER(Full, cmd_valid_i && !cmd_ready_o && room_o == '0)
  `TMA_COVER(FlushWhilePicking, flush_i && accept && in_queue == flush_queue_i)
  `TMA_COVER(RingGoesFirst, from_ring && cmd_valid_i && room_o[cmd_queue_i])
  `TMA_COVER(RingCommandInResume, from_ring && resume_i[ring_queue_i])

endmodule
