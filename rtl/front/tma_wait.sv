// SPDX-License-Identifier: Apache-2.0
// Puts queues to sleep whose oldest command waits for something, and wakes them.
//
// A sleeping queue is not picked, so it costs nothing. It wakes when what it waits for may have
// come true and its command is then tried anew: group counts are compared here, a barrier wait
// wakes at every phase change in the barrier's CTA. Shared memory can also be written from outside
// without such a sign, so every barrier wait is tried again each 64 cycles.
//
// A try_wait with a limit starts its clock when it first sleeps for its barrier; `expired_o` says
// that it ran out. 0xFFFFFFFF never does.
//
// A queue that waits can be cancelled: it wakes, and its command learns of it by `cancelled_o` if
// it still has to wait. A cancel of any other queue is forgotten.
//
// Latency: a cycle from what it waits for to the end of its sleep; Short: two from a change of a barrier, whose answer
// is a cycle old when its queue goes to sleep. Reset: control only.

`include "tma_assert.svh"

module tma_wait
  import tma_pkg::*;
  import tma_front_pkg::*;
#(
  parameter bit Short = ShortPaths  // paths of few gates, for cycles
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // The oldest command of a queue cannot go on
  input  logic                      sleep_i,
  input  queue_t                    sleep_queue_i,
  input  logic [NumQueues-1:0]      here_i,         // a command of this queue is there; with `sleep_i`, of that one
  input  wait_t                     sleep_for_i,    // what it would wait for

  // The queue's wait is over, or dropped
  input  logic [NumQueues-1:0]      clear_i,
  input  logic [NumQueues-1:0]      cancel_i,

  // What queues wait for
  input  logic [NumCtas-1:0]        bar_update_i,
  input  logic [NumQueues-1:0][5:0] pending_read_i,
  input  logic [NumQueues-1:0][5:0] pending_write_i,
  input  logic [NumQueues-1:0][5:0] cp_pending_i,
  input  logic [NumQueues-1:0]      cp_busy_i,
  input  logic [NumQueues-1:0]      record_room_i,

  output logic [NumQueues-1:0]      asleep_o,
  output logic [NumQueues-1:0]      expired_o,
  output logic [NumQueues-1:0]      cancelled_o,
  output logic [NumQueues-1:0]      waiting_o,
  output logic [NumQueues-1:0]      full_o       // waiting for room for a record
);

  localparam logic [31:0] Forever = '1;

  logic [5:0] tick_q;
  logic       sleep_barrier;

  assign sleep_barrier = sleep_for_i.kind == WaitBarrier;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tick_q <= '0;
    else         tick_q <= tick_q + 6'd1;
  end

  logic [NumCtas-1:0] update, update_q;

  always_ff @(posedge clk_i) update_q <= bar_update_i;

  assign update = Short ? update_q : bar_update_i;

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    logic        asleep_q, waiting_q, full_q, timed_q, expired_q, cancelled_q;
    wait_e       kind_q;
    logic [5:0]  groups_q;
    cta_t        cta_q;
    logic [31:0] left_q;
    logic        sleep, wake, start, last;

    assign sleep = sleep_i && sleep_queue_i == queue_t'(q);
    assign start = sleep && sleep_barrier && !timed_q;  // of the clock
    assign last  = left_q == 32'd1;

    always_comb begin
      case (kind_q)
        WaitBarrier: wake = update[cta_q] || tick_q == '0 || expired_q;
        WaitRead:    wake = pending_read_i[q] <= groups_q;
        WaitWrite:   wake = pending_write_i[q] <= groups_q;
        WaitCp:      wake = cp_pending_i[q] <= groups_q;
        WaitCpAll:   wake = !cp_busy_i[q];
        default:     wake = record_room_i[q];
      endcase
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i[q]) begin
        asleep_q    <= 1'b0;
        waiting_q   <= 1'b0;
        timed_q     <= 1'b0;
        expired_q   <= 1'b0;
        cancelled_q <= 1'b0;
      end else begin
        if (sleep)                    asleep_q <= 1'b1;
        else if (wake || cancelled_q) asleep_q <= 1'b0;
        if (sleep)                    waiting_q <= 1'b1;
        if (start)                    timed_q <= sleep_for_i.limit != Forever;
        if (start)                    expired_q <= sleep_for_i.limit == 32'd1;
        else if (timed_q && last)     expired_q <= 1'b1;
        if (waiting_q && cancel_i[q]) cancelled_q <= 1'b1;
      end
    end

    // That it waits is known late, and what for early: that counts as it goes to sleep.
    always_ff @(posedge clk_i) begin
      if (sleep) full_q <= sleep_for_i.kind == WaitRoom;
      if (here_i[q]) begin
        kind_q   <= sleep_for_i.kind;
        groups_q <= sleep_for_i.groups;
        cta_q    <= sleep_for_i.cta;
      end
      left_q <= timed_q ? left_q - 32'd1 : sleep_for_i.limit - 32'd1;
    end

    assign asleep_o[q]    = asleep_q;
    assign expired_o[q]   = expired_q;
    assign cancelled_o[q] = cancelled_q;
    assign waiting_o[q]   = waiting_q;
    assign full_o[q]      = waiting_q && full_q;

    `TMA_COVER(CancelledAwake, waiting_q && !asleep_q && cancel_i[q])
    `TMA_COVER(CancelledAsItGoesOn, waiting_q && cancel_i[q] && clear_i[q])
    `TMA_COVER(CancelledForRoom, full_o[q] && cancel_i[q])
    `TMA_COVER(LosesItsRoom, sleep && timed_q && sleep_for_i.kind == WaitRoom)
  end

  `TMA_ASSERT(WhoSleepsIsHere, sleep_i |-> here_i[sleep_queue_i])
  `TMA_ASSERT(AWaitHasALimit, sleep_i && sleep_barrier |-> sleep_for_i.limit != '0)
  `TMA_ASSERT(ACancelledQueueIsAwake, sleep_i |-> !cancelled_o[sleep_queue_i])

endmodule
