// SPDX-License-Identifier: Apache-2.0
// Puts queues to sleep whose oldest command waits for something, and wakes them.
//
// A sleeping queue is not picked, so it costs nothing. It wakes when what it waits for may have
// come true and its command is then tried anew: group counts are compared here, a barrier wait
// wakes at every phase change in the barrier's CTA. Shared memory can also be written from outside
// without such a sign, so every barrier wait is tried again each 64 cycles.
//
// A try_wait with a limit starts its clock at the first try; `expired_o` says that it ran out.
// 0xFFFFFFFF never does.

`include "tma_assert.svh"

module tma_wait
  import tma_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // The oldest command of a queue cannot go on
  input  logic                      sleep_i,
  input  queue_t                    sleep_queue_i,
  input  logic                      sleep_barrier_i,  // for a barrier, else for groups
  input  logic                      sleep_read_i,     // groups: reads done is enough
  input  logic [5:0]                sleep_groups_i,   // groups: at most so many pending
  input  cta_t                      sleep_cta_i,      // barrier: its CTA
  input  logic [31:0]               sleep_limit_i,    // barrier: cycles

  // The queue's wait is over, or dropped
  input  logic [NumQueues-1:0]      clear_i,

  input  logic [NumQueues-1:0][5:0] pending_read_i,
  input  logic [NumQueues-1:0][5:0] pending_write_i,
  input  logic [NumCtas-1:0]        bar_update_i,

  output logic [NumQueues-1:0]      asleep_o,
  output logic [NumQueues-1:0]      expired_o,
  output logic [NumQueues-1:0]      waiting_o
);

  localparam logic [31:0] Forever = '1;

  logic [5:0] tick_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tick_q <= '0;
    else         tick_q <= tick_q + 6'd1;
  end

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    logic        asleep_q, waiting_q, barrier_q, read_q, timed_q;
    logic [5:0]  groups_q;
    cta_t        cta_q;
    logic [31:0] left_q;
    logic        sleep, wake;

    assign sleep = sleep_i && sleep_queue_i == queue_t'(q);

    always_comb begin
      if (barrier_q) wake = bar_update_i[cta_q] || tick_q == '0 || expired_o[q];
      else           wake = (read_q ? pending_read_i[q] : pending_write_i[q]) <= groups_q;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i[q]) begin
        asleep_q  <= 1'b0;
        waiting_q <= 1'b0;
        timed_q   <= 1'b0;
      end else if (sleep) begin
        asleep_q  <= 1'b1;
        waiting_q <= 1'b1;
        timed_q   <= sleep_barrier_i && sleep_limit_i != Forever;
      end else if (wake) begin
        asleep_q  <= 1'b0;
      end
    end

    always_ff @(posedge clk_i) begin
      if (sleep) begin
        barrier_q <= sleep_barrier_i;
        read_q    <= sleep_read_i;
        groups_q  <= sleep_groups_i;
        cta_q     <= sleep_cta_i;
      end
      if (sleep && !waiting_q)             left_q <= sleep_limit_i - 32'd1;
      else if (timed_q && left_q != '0)    left_q <= left_q - 32'd1;
    end

    assign asleep_o[q]  = asleep_q;
    assign waiting_o[q] = waiting_q;
    assign expired_o[q] = waiting_q && timed_q && left_q == '0;
  end

  `TMA_ASSERT(AWaitHasALimit, sleep_i && sleep_barrier_i |-> sleep_limit_i != '0)

endmodule
