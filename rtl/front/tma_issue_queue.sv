// SPDX-License-Identifier: Apache-2.0
// Keeps what issue knows of every queue: the number of its next command, and the state that its
// last arrive returned.
//
// A queue starts with number 0 and no state. A resume sets the number, the state stays. Changes
// show in the cycle after. Reset: all but the states.

`include "tma_assert.svh"

module tma_issue_queue
  import tma_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic [NumQueues-1:0]       enable_i,
  input  logic [NumQueues-1:0]       resume_i,
  input  logic [31:0]                resume_index_i,

  // A command retires
  input  logic                       retire_i,
  input  logic                       arrive_i,       // it is an arrive
  input  queue_t                     queue_i,
  input  logic [CountWidth:0]        state_i,        // {phase, pending} before it

  output logic [NumQueues-1:0][31:0] head_o,
  output logic                       state_valid_o,  // of `queue_i`
  output logic [CountWidth:0]        state_o
);

  logic [NumQueues-1:0][31:0]         head_q;
  logic [NumQueues-1:0]               state_valid_q;
  logic [NumQueues-1:0][CountWidth:0] state_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (!rst_ni || !enable_i[q]) begin
        head_q[q]        <= '0;
        state_valid_q[q] <= 1'b0;
      end else if (resume_i[q]) begin
        head_q[q] <= resume_index_i;
      end else if (retire_i && queue_i == queue_t'(q)) begin
        head_q[q] <= head_q[q] + 32'd1;
        if (arrive_i) state_valid_q[q] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (retire_i && arrive_i) state_q[queue_i] <= state_i;
  end

  assign head_o        = head_q;
  assign state_valid_o = state_valid_q[queue_i];
  assign state_o       = state_q[queue_i];

  `TMA_ASSERT(OneQueueIsResumed, (resume_i & (resume_i - NumQueues'(1))) == '0)
  `TMA_ASSERT(ResumesNothingThatRetires, retire_i |-> !resume_i[queue_i])

endmodule
