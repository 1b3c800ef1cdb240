// SPDX-License-Identifier: Apache-2.0
// Holds the commands of every queue and picks, in each cycle, one that may go to decode.
//
// Queues take turns. A command is picked when its queue is neither stopped nor asleep and the path
// that will execute it has room. It leaves its queue for good only when issue retires it: a flush
// takes the queue back to its oldest unretired command, so a wait that is not satisfied, or a
// command behind a fault, is simply picked again later.
//
//   cmd_i --> memory, CmdDepth per queue --> pick --> command register --> cmd_o
//        \______________ when the queue is empty ______/
//
// Throughput: one command per cycle in and out, also of one queue. Latency: one cycle.
// `cmd_ready_o` depends on `cmd_queue_i` (not on `cmd_valid_i`); `queue_ready_o` on registers alone.

`include "tma_assert.svh"

module tma_cmd_queue
  import tma_pkg::*;
  import tma_front_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Direct port
  input  logic                  cmd_valid_i,
  output logic                  cmd_ready_o,
  input  queue_t                cmd_queue_i,
  input  tma_isa_pkg::command_t cmd_i,
  output logic [NumQueues-1:0]  queue_ready_o,

  // What may be picked
  input  logic [NumQueues-1:0]  enable_i,     // a disabled queue forgets its commands
  input  logic [NumQueues-1:0]  blocked_i,    // stopped or asleep
  input  logic [3:0]            path_ready_i, // by path_e: room for three more commands
  input  logic                  answer_ready_i,

  // Picked command
  output logic                  cmd_valid_o,
  input  logic                  cmd_ready_i,
  output queue_t                cmd_queue_o,
  output tma_isa_pkg::command_t cmd_o,

  // From issue
  input  logic                  retire_i,     // the oldest command of the queue is done with
  input  queue_t                retire_queue_i,
  input  logic                  flush_i,      // pick the queue's commands again from the oldest on
  input  queue_t                flush_queue_i,

  output logic [NumQueues-1:0]  held_o,       // commands that have not retired
  output logic                  stalled_o     // a queue holds commands and none was picked
);

  localparam int unsigned PtrWidth = $clog2(CmdDepth);
  typedef logic [PtrWidth:0] ptr_t;  // one bit more than an index: full differs from empty

  // Written up to, picked up to, retired up to.
  ptr_t [NumQueues-1:0] wr_q, pick_q, retire_q;
  cmd_class_t [NumQueues-1:0][CmdDepth-1:0] class_q;

  /////////////////
  // Direct port //
  /////////////////

  logic       accept;
  cmd_class_t in_class;

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    assign queue_ready_o[q] = enable_i[q] && ptr_t'(wr_q[q] - retire_q[q]) != ptr_t'(CmdDepth);
    assign held_o[q]        = wr_q[q] != retire_q[q];
  end

  assign cmd_ready_o = queue_ready_o[cmd_queue_i];
  assign accept      = cmd_valid_i && cmd_ready_o;
  assign in_class    = class_of(cmd_i.opcode, cmd_i.flags[tma_isa_pkg::FlagRecord]);

  always_ff @(posedge clk_i) begin
    if (accept) class_q[cmd_queue_i][wr_q[cmd_queue_i][PtrWidth-1:0]] <= in_class;
  end

  //////////
  // Pick //
  //////////

  function automatic logic may_go(input cmd_class_t c, input logic [3:0] paths, input logic answer);
    return paths[c.path] && (!c.answers || answer);
  endfunction

  logic [NumQueues-1:0]  request, grant;
  logic                  any_request, slot_free, bypass;
  queue_t                picked;
  tma_isa_pkg::command_t stored;

  for (genvar q = 0; q < NumQueues; q++) begin : g_request
    assign request[q] = enable_i[q] && !blocked_i[q] && wr_q[q] != pick_q[q] &&
                        may_go(class_q[q][pick_q[q][PtrWidth-1:0]], path_ready_i, answer_ready_i);
  end

  assign slot_free = !cmd_valid_o || cmd_ready_i;

  tma_rr_arb #(.N(NumQueues)) u_arb (
    .clk_i, .rst_ni, .request_i(request), .advance_i(slot_free), .grant_o(grant), .index_o(picked)
  );

  assign any_request = |grant;

  // A command for a queue that has none waiting need not be read back from the memory.
  assign bypass = accept && !any_request && !blocked_i[cmd_queue_i] &&
                  wr_q[cmd_queue_i] == pick_q[cmd_queue_i] &&
                  may_go(in_class, path_ready_i, answer_ready_i);

  queue_t pick_queue;
  logic   pick;
  assign pick_queue = any_request ? picked : cmd_queue_i;
  assign pick       = slot_free && (any_request || bypass) &&
                      !(flush_i && flush_queue_i == pick_queue);

  tma_ram_1r1w #(.Width($bits(tma_isa_pkg::command_t)), .Depth(NumQueues * CmdDepth)) u_ram (
    .clk_i, .we_i(accept), .waddr_i({cmd_queue_i, wr_q[cmd_queue_i][PtrWidth-1:0]}), .wdata_i(cmd_i),
    .raddr_i({picked, pick_q[picked][PtrWidth-1:0]}), .rdata_o(stored)
  );

  //////////////////////
  // Command register //
  //////////////////////

  // A disabled queue's command leaves the register at once: the queue may be enabled again soon.
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                      cmd_valid_o <= 1'b0;
    else if (slot_free)               cmd_valid_o <= pick;
    else if (!enable_i[cmd_queue_o])  cmd_valid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (pick) begin
      cmd_o       <= any_request ? stored : cmd_i;
      cmd_queue_o <= pick_queue;
    end
  end

  //////////////
  // Pointers //
  //////////////

  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (!rst_ni || !enable_i[q]) begin
        wr_q[q]     <= '0;
        pick_q[q]   <= '0;
        retire_q[q] <= '0;
      end else begin
        if (accept && cmd_queue_i == queue_t'(q)) wr_q[q] <= wr_q[q] + ptr_t'(1);
        if (retire_i && retire_queue_i == queue_t'(q)) retire_q[q] <= retire_q[q] + ptr_t'(1);
        if (flush_i && flush_queue_i == queue_t'(q)) pick_q[q] <= retire_q[q];
        else if (pick && pick_queue == queue_t'(q))  pick_q[q] <= pick_q[q] + ptr_t'(1);
      end
    end
  end

  assign stalled_o = |held_o && !cmd_valid_o;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(FlushAndRetireExclude,
      !(flush_i && retire_i && flush_queue_i == retire_queue_i))
  // Issue takes a new command in the cycle of a flush, and drops it if it is the flushed queue's.
  `TMA_ASSERT(FlushMovesThePipeline, flush_i |-> slot_free)
  `TMA_ASSERT(RetiresWhatItHolds, retire_i && enable_i[retire_queue_i] |-> held_o[retire_queue_i])
  `TMA_COVER(Full, cmd_valid_i && !cmd_ready_o && enable_i[cmd_queue_i])
  `TMA_COVER(FlushWhilePicking, flush_i && accept && cmd_queue_i == flush_queue_i)

endmodule
