// SPDX-License-Identifier: Apache-2.0
// Keeps the write bursts in flight and says when a command is done or has failed.
//
//   entries --> FIFO of NumWrites --> head <-- B
//                                      +-----> write_done, fault register
//
// Responses come in the order of the bursts. An entry that awaits none (`dropped`) goes when it is
// the head, so everything earlier has its response: a window violation is reported there, behind
// the errors of lower addresses. A command reports its first fault alone, and is done only after
// that was taken, so nobody takes a command for done that has yet to stop its queue.
//
// Throughput: one response per cycle; a fault costs two cycles more. Latency: a cycle from the
// last B to write_done.

`include "tma_assert.svh"

module tma_store_track
  import tma_pkg::*;
  import tma_store_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  // Entries in
  input  logic       track_valid_i,
  output logic       track_ready_o,
  input  track_t     track_i,

  // B
  input  logic       b_valid_i,
  output logic       b_ready_o,
  input  logic [1:0] b_resp_i,

  // A dropped entry goes together with its job
  input  logic       drop_valid_i,
  output logic       drop_ready_o,

  output logic       abort_o,  // an error hit the command that issue holds, until its last entry

  output logic       write_done_o,
  output queue_t     write_done_queue_o,

  output logic       fault_valid_o,
  input  logic       fault_ready_i,
  output fault_t     fault_o,

  output logic       idle_o
);

  localparam int unsigned LevelWidth = $clog2(NumWrites + 1);

  logic                  head_valid, pop;
  track_t                head;
  logic [LevelWidth-1:0] level;

  tma_fifo #(.Width($bits(track_t)), .Depth(NumWrites)) u_entries (
    .clk_i, .rst_ni, .in_valid_i(track_valid_i), .in_ready_o(track_ready_o), .in_i(track_i),
    .out_valid_o(head_valid), .out_ready_i(pop), .out_o(head), .level_o(level)
  );

  ///////////////
  // Responses //
  ///////////////

  logic faulted_q;  // the head's command has reported a fault
  logic response, error, deny;

  assign b_ready_o = head_valid && !head.dropped && !fault_valid_o;
  assign response  = b_valid_i && b_ready_o;
  assign error     = response && b_resp_i[1];

  // The violation is raised first and the entry goes when it was taken.
  assign deny         = head_valid && head.denied && !faulted_q && !fault_valid_o;
  assign drop_ready_o = head_valid && head.dropped && !deny && !fault_valid_o;

  assign pop = response || (drop_valid_i && drop_ready_o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni)               faulted_q <= 1'b0;
    else if (pop && head.last) faulted_q <= 1'b0;
    else if (error || deny)    faulted_q <= 1'b1;
  end

  ///////////
  // Abort //
  ///////////

  // Commands with all their entries in the FIFO. When there is none, the head's command is the one
  // that issue holds.
  logic [LevelWidth-1:0] whole_q;
  logic                  push_last, pop_last;

  assign push_last = track_valid_i && track_ready_o && track_i.last;
  assign pop_last  = pop && head.last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      whole_q <= '0;
      abort_o <= 1'b0;
    end else begin
      whole_q <= whole_q + LevelWidth'(push_last) - LevelWidth'(pop_last);
      if (push_last)                   abort_o <= 1'b0;
      else if (error && whole_q == '0) abort_o <= 1'b1;
    end
  end

  /////////////////////
  // Done and faults //
  /////////////////////

  logic done_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q        <= 1'b0;
      fault_valid_o <= 1'b0;
    end else begin
      done_q        <= pop_last || (done_q && !write_done_o);
      fault_valid_o <= ((error || deny) && !faulted_q) || (fault_valid_o && !fault_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop_last) write_done_queue_o <= head.origin.qid;
    if (!fault_valid_o) begin
      fault_o.origin  <= head.origin;
      fault_o.address <= {head.chunk, 4'b0};
      fault_o.code    <= head.denied ? tma_isa_pkg::FaultWindowWrite
                       : b_resp_i[0] ? tma_isa_pkg::FaultWriteDecerr
                       :               tma_isa_pkg::FaultWriteSlverr;
    end
  end

  assign write_done_o = done_q && !fault_valid_o;
  assign idle_o       = !head_valid && !done_q && !fault_valid_o;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_ASSERT(ResponseHasABurst, b_valid_i |-> head_valid)
  `TMA_ASSERT(CommandsAreCounted, whole_q <= level)
  `TMA_ASSERT(DeniedIsDropped, head_valid && head.denied |-> head.dropped && head.last)
  `TMA_COVER(ErrorOfAWholeCommand, error && whole_q != '0)
  `TMA_COVER(ErrorOfTheHeldCommand, error && whole_q == '0)
  `TMA_COVER(SecondErrorOfACommand, error && faulted_q)
  `TMA_COVER(DeniedBehindAnError, pop && head.denied && faulted_q)

endmodule
