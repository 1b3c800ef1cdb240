// SPDX-License-Identifier: Apache-2.0
// Between the rules that a command is held against and the one that its record names. With `Short` it stands in a
// register there, which takes a command when it is empty: one every other cycle.
//
// A command whose queue is flushed, disabled or resumed is dropped here, be it in the register or on its way in;
// without `Short` that is the business of the command register in front and of issue behind.
//
// Latency: none; with `Short` a cycle. Reset: what is valid.

`include "tma_assert.svh"

module tma_check_stage
  import tma_pkg::*;
  import tma_front_pkg::*;
#(
  parameter bit Short = ShortPaths  // paths of few gates, for cycles
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic [NumQueues-1:0] live_i,
  input  logic                 flush_i,
  input  queue_t               flush_queue_i,

  input  logic                 valid_i,
  output logic                 ready_o,
  input  judged_t              judged_i,

  output logic                 valid_o,
  input  logic                 ready_i,
  output judged_t              judged_o
);

  if (Short) begin : g_stage
    logic    valid_q, stays;
    judged_t judged_q;
    queue_t  queue;

    assign queue   = valid_q ? judged_q.qid : judged_i.qid;
    assign stays   = live_i[queue] && !(flush_i && flush_queue_i == queue);
    assign ready_o = !valid_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= stays && (valid_q ? !ready_i : valid_i);
    end

    always_ff @(posedge clk_i) if (!valid_q) judged_q <= judged_i;

    assign valid_o  = valid_q;
    assign judged_o = judged_q;

    `TMA_COVER(FlushedHere, valid_q && flush_i && flush_queue_i == queue)
    `TMA_COVER(FlushedAsItComes, !valid_q && valid_i && flush_i && flush_queue_i == queue)
    `TMA_COVER(DisabledHere, valid_q && !ready_i && !live_i[queue])
  end else begin : g_through
    logic unused;

    assign ready_o  = ready_i;
    assign valid_o  = valid_i;
    assign judged_o = judged_i;
    assign unused   = ^{clk_i, rst_ni, live_i, flush_i, flush_queue_i};
  end

endmodule
