// SPDX-License-Identifier: Apache-2.0
// Doorbells of the rings: keeps TAIL of every queue, and reports those that ask for too much.
//
// A TAIL that is more than the ring's slots ahead of HEAD changes nothing but is fault RING_OVERRUN.
// Faults wait in a FIFO with a place for each queue; of a queue whose fault waits already, another
// one is no further fault.
//
// One doorbell per cycle; TAIL and fault are there in the next. Short: it stands in a register first, with how far it
// is ahead of HEAD; a cycle later. Reset: control only.

`include "tma_assert.svh"

module tma_ring_door
  import tma_pkg::*;
  import tma_isa_pkg::*;
#(
  parameter bit Short = ShortPaths  // paths of few gates, for cycles
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [NumQueues-1:0]        enable_i,     // a queue that is not has TAIL 0
  input  logic [NumQueues-1:0][4:0]   slots_i,      // log2
  input  logic [NumQueues-1:0][31:0]  head_i,

  input  logic                        door_valid_i,
  input  queue_t                      door_queue_i,
  input  logic [31:0]                 door_tail_i,
  output logic [NumQueues-1:0][31:0]  tail_o,

  output logic                        fault_valid_o,
  input  logic                        fault_ready_i,
  output fault_t                      fault_o,
  output logic [NumQueues-1:0]        waiting_o,    // a fault of the queue is not taken, perhaps not yet on offer

  output logic                        idle_o        // no doorbell on its way, no fault
);

  logic [31:0] door_ahead, door_most;
  logic [15:0] head;
  logic [31:0] ahead, tail, most;
  logic        valid, rings, overrun;
  queue_t      queue;

  assign door_ahead = door_tail_i - head_i[door_queue_i];
  assign door_most  = 32'd1 << slots_i[door_queue_i];

  if (Short) begin : g_stage
    // HEAD may move meanwhile; software has not seen it when it rings. Not of a life that ends.
    always_ff @(posedge clk_i) begin
      valid <= rst_ni && door_valid_i && enable_i[door_queue_i];
      queue <= door_queue_i;
      tail  <= door_tail_i;
      head  <= head_i[door_queue_i][15:0];
      ahead <= door_ahead;
      most  <= door_most;
    end
  end else begin : g_at_once
    assign valid = door_valid_i;
    assign queue = door_queue_i;
    assign tail  = door_tail_i;
    assign head  = head_i[door_queue_i][15:0];
    assign ahead = door_ahead;
    assign most  = door_most;
  end

  assign rings   = valid && enable_i[queue];
  assign overrun = rings && ahead > most;

  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (!rst_ni || !enable_i[q]) begin
        tail_o[q] <= '0;
      end else if (rings && !overrun && queue == queue_t'(q)) begin
        tail_o[q] <= tail;
      end
    end
  end

  ////////////
  // Faults //
  ////////////

  localparam int unsigned LevelWidth = $clog2(NumQueues + 1);

  logic                  report, ready;
  logic [NumQueues-1:0]  waiting_q;
  queue_t                fault_queue;
  logic [15:0]           fault_seq;
  logic [31:0]           fault_tail;
  logic [LevelWidth-1:0] level;

  assign report = overrun && !waiting_q[queue];

  tma_fifo #(.Width($bits(queue_t) + 48), .Depth(NumQueues)) u_faults (
    .clk_i, .rst_ni,
    .in_valid_i(report), .in_ready_o(ready), .in_i({queue, head, tail}),
    .out_valid_o(fault_valid_o), .out_ready_i(fault_ready_i),
    .out_o({fault_queue, fault_seq, fault_tail}), .level_o(level)
  );

  assign fault_o = '{origin: '{qid: fault_queue, seq: fault_seq, tag: '0},
                     code: FaultRingOverrun, address: 64'(fault_tail)};

  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (!rst_ni) begin
        waiting_q[q] <= 1'b0;
      end else if (report && queue == queue_t'(q)) begin
        waiting_q[q] <= 1'b1;
      end else if (fault_valid_o && fault_ready_i && fault_queue == queue_t'(q)) begin
        waiting_q[q] <= 1'b0;
      end
    end
  end

  assign waiting_o = waiting_q;

  assign idle_o = !door_valid_i && !valid && !fault_valid_o;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(EveryQueueHasAPlace, report |-> ready)
  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_COVER(FaultMerges, overrun && waiting_q[queue])
  `TMA_COVER(SeveralFaults, level > LevelWidth'(1))

endmodule
