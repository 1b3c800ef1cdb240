// SPDX-License-Identifier: Apache-2.0
// Responses of reductions: of its write, or that its read has failed, in the order in which bursts went.
//
//   outcomes --> FIFO --> head --+--> tma_store_track --> done, faults, abort
//   B of the head's port --------+          ^
//   entries --------------------------------+
//
// A burst whose entry goes leaves the score (`free_o`): what it has written can be read.
//
// One burst per cycle. No latency besides that of tma_store_track. Reset: control only.

`include "tma_assert.svh"

module tma_reduce_track
  import tma_pkg::*;
  import tma_store_pkg::*;
  import tma_reduce_pkg::*;
  import tma_path_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic                       track_valid_i,
  output logic                       track_ready_o,
  input  track_t                     track_i,

  input  logic                       outcome_valid_i,
  output logic                       outcome_ready_o,
  input  outcome_t                   outcome_i,

  // B of the reductions, by port
  input  ports_t                     b_valid_i,
  output ports_t                     b_ready_o,
  input  write_resp_t [NumPorts-1:0] b_i,

  input  logic                       drop_valid_i,
  output logic                       drop_ready_o,
  output logic                       abort_o,
  output logic                       free_o,

  output event_t                     write_done_o,

  output logic                       fault_valid_o,
  input  logic                       fault_ready_i,
  output fault_t                     fault_o,

  output logic                       idle_o
);

  logic                               head_valid;
  outcome_t                           head;
  logic [$clog2(NumReductions+1)-1:0] unused_level;

  tma_fifo #(.Width($bits(outcome_t)), .Depth(NumReductions), .FlowThrough(1'b0)) u_outcomes (
    .clk_i, .rst_ni, .in_valid_i(outcome_valid_i), .in_ready_o(outcome_ready_o), .in_i(outcome_i),
    .out_valid_o(head_valid), .out_ready_i(free_o), .out_o(head), .level_o(unused_level)
  );

  ports_t                     here, valid, ready;
  write_resp_t [NumPorts-1:0] response;

  assign valid     = here & (b_valid_i | {NumPorts{head.failure.failed}});
  assign b_ready_o = head.failure.failed ? '0 : ready & here;
  assign free_o    = (valid & ready) != '0;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign here[p]     = head_valid && head.port == port_t'(p);
    assign response[p] = head.failure.failed ? '{resp: head.failure.resp, dead: head.failure.dead} : b_i[p];
  end

  logic   unused_rec_done;
  queue_t unused_rec_queue;
  logic [$clog2((NumWrites > NumReductions ? NumWrites : NumReductions)+1)-1:0] unused_entries;

  tma_store_track #(.Entries(NumWrites > NumReductions ? NumWrites : NumReductions)) u_track (
    .clk_i, .rst_ni, .track_valid_i, .track_ready_o, .track_i,
    .b_valid_i(valid), .b_ready_o(ready), .b_i(response), .read_i(head.failure.failed),
    .drop_valid_i, .drop_ready_o, .abort_o,
    .write_done_o(write_done_o.valid), .write_done_queue_o(write_done_o.qid),
    .rec_done_o(unused_rec_done), .rec_done_queue_o(unused_rec_queue),
    .fault_valid_o, .fault_ready_i, .fault_o, .level_o(unused_entries), .idle_o
  );

  ////////////////
  // Assertions //
  ////////////////

  `TMA_COVER(ReadHasFailed, free_o && head.failure.failed && !head.failure.dead)
  `TMA_COVER(PortHasDied, free_o && response[head.port].dead)
  `TMA_COVER(WriteHasFailed, free_o && !head.failure.failed && b_i[head.port].resp[1])

endmodule
