// SPDX-License-Identifier: Apache-2.0
// Keeps the write bursts in flight and says when a command is done or has failed.
//
//   entries --> FIFO of `Entries`, block memory --> head <-- B of every port
//                                                    +-----> write_done, rec_done, fault register
//
// Every port answers in the order of its bursts. An entry goes when all its ports have answered; of
// several that failed, the lowest is reported. One that awaits none (`dropped`) goes when it is the
// head, so everything earlier has its responses: a window violation is reported there, behind the
// errors of lower addresses. A command reports its first fault alone, and is done only after that
// was taken, so nobody takes a command for done that has yet to stop its queue. An entry that `ends`
// stands for rows without data at the end of a command.
//
// A dead port does not stop a command that has living ones: it goes on to these. Reductions have an entry for each
// port, and what ends one can be an error of its read (`read_i`).
//
// Throughput: one entry per cycle; a fault costs two cycles more. Latency: a cycle from the last B
// to write_done. `b_ready_o` of a port depends on `b_valid_i` of the others.

`include "tma_assert.svh"

module tma_store_track
  import tma_pkg::*;
  import tma_store_pkg::*;
#(
  parameter int unsigned Entries = NumWrites
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Entries in
  input  logic                       track_valid_i,
  output logic                       track_ready_o,
  input  track_t                     track_i,

  // B
  input  ports_t                     b_valid_i,
  output ports_t                     b_ready_o,
  input  write_resp_t [NumPorts-1:0] b_i,
  input  logic                       read_i,   // it is the read half of a reduction that answers

  // A dropped entry goes together with its job
  input  logic                       drop_valid_i,
  output logic                       drop_ready_o,

  output logic                       abort_o,  // an error hit the command that issue holds, until its last entry

  output logic                       write_done_o,
  output queue_t                     write_done_queue_o,
  output logic                       rec_done_o,
  output queue_t                     rec_done_queue_o,

  output logic                       fault_valid_o,
  input  logic                       fault_ready_i,
  output fault_t                     fault_o,

  output logic [$clog2(Entries+1)-1:0] level_o,  // entries held
  output logic                       idle_o
);

  localparam int unsigned LevelWidth = $clog2(Entries + 1);

  logic                  head_valid, pop;
  track_t                head;
  logic [LevelWidth-1:0] level;

  // No response comes before its entry is the head: data takes longer. One of a dead port waits.
  if (Entries >= 16 && $countones(Entries) == 1) begin : g_block
    tma_fifo_block #(.Width($bits(track_t)), .Depth(Entries), .Register(ShortPaths)) u_entries (
      .clk_i, .rst_ni, .in_valid_i(track_valid_i), .in_ready_o(track_ready_o), .in_i(track_i),
      .out_valid_o(head_valid), .out_ready_i(pop), .out_o(head), .level_o(level)
    );
  end else begin : g_lut
    tma_fifo #(.Width($bits(track_t)), .Depth(Entries)) u_entries (
      .clk_i, .rst_ni, .in_valid_i(track_valid_i), .in_ready_o(track_ready_o), .in_i(track_i),
      .out_valid_o(head_valid), .out_ready_i(pop), .out_o(head), .level_o(level)
    );
  end

  ///////////////
  // Responses //
  ///////////////

  logic        faulted_q;  // the head's command has reported a fault
  logic        awaits, answered, response, error, fatal, deny, ended;
  ports_t      bad, dead;  // ports of the head that failed; that are dead
  write_resp_t worst;      // of the lowest that failed

  always_comb begin
    worst = b_i[0];
    for (int unsigned p = NumPorts; p > 0; p--) if (bad[p-1]) worst = b_i[p-1];
  end

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign dead[p]      = head.ports[p] && b_i[p].dead;
    assign bad[p]       = head.ports[p] && (b_i[p].dead || b_i[p].resp[1]);
    assign b_ready_o[p] = awaits && head.ports[p] &&
                          (head.ports & ~b_valid_i & ~ports_t'(1 << p)) == '0;
  end

  assign awaits   = head_valid && !head.dropped && !head.ends && !fault_valid_o;
  assign answered = (head.ports & ~b_valid_i) == '0;
  assign response = awaits && answered;
  assign error    = response && bad != '0;
  assign fatal    = response && (bad != dead || (dead == head.ports && !head.others));

  // The violation is raised first and the entry goes when it was taken.
  assign deny         = head_valid && head.code != '0 && !faulted_q && !fault_valid_o;
  assign drop_ready_o = head_valid && head.dropped && !deny && !fault_valid_o;
  assign ended        = head_valid && head.ends && !fault_valid_o;

  assign pop = response || ended || (drop_valid_i && drop_ready_o);

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
      if (push_last != pop_last) whole_q <= push_last ? whole_q + LevelWidth'(1) : whole_q - LevelWidth'(1);
      if (push_last)                   abort_o <= 1'b0;
      else if (fatal && whole_q == '0) abort_o <= 1'b1;
    end
  end

  /////////////////////
  // Done and faults //
  /////////////////////

  logic        done_q, record_q;
  logic [15:0] code;

  always_comb begin
    if (head.dropped)       code = 16'(head.code);
    else if (worst.dead)    code = tma_isa_pkg::FaultPortDead;
    else if (read_i)        code = worst.resp[0] ? tma_isa_pkg::FaultReadDecerr : tma_isa_pkg::FaultReadSlverr;
    else if (worst.resp[0]) code = head.record ? tma_isa_pkg::FaultCompletionDecerr
                                               : tma_isa_pkg::FaultWriteDecerr;
    else                    code = head.record ? tma_isa_pkg::FaultCompletionSlverr
                                               : tma_isa_pkg::FaultWriteSlverr;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q        <= 1'b0;
      fault_valid_o <= 1'b0;
    end else begin
      done_q        <= pop_last || (done_q && fault_valid_o);
      fault_valid_o <= ((error || deny) && !faulted_q) || (fault_valid_o && !fault_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop_last) begin
      write_done_queue_o <= head.origin.qid;
      record_q           <= head.record;
    end
    if (!fault_valid_o) begin
      fault_o.origin  <= head.origin;
      fault_o.address <= head.address;
      fault_o.code    <= code;
    end
  end

  assign write_done_o     = done_q && !fault_valid_o && !record_q;
  assign rec_done_o       = done_q && !fault_valid_o && record_q;
  assign rec_done_queue_o = write_done_queue_o;
  assign level_o          = level;
  assign idle_o           = level == '0 && !done_q && !fault_valid_o;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_ASSERT(ResponseHasABurst, b_valid_i != '0 |-> level != '0)
  `TMA_ASSERT(CommandsAreCounted, whole_q <= level)
  `TMA_ASSERT(IdleHasNoCommands, idle_o |-> whole_q == '0)
  `TMA_ASSERT(DeniedIsDropped, head_valid && head.code != '0 |-> head.dropped)
  `TMA_ASSERT(NothingComesBehind, head_valid && (head.dropped || head.ends) |-> head.last)
  `TMA_ASSERT(EntryGoesSomewhere, awaits |-> head.ports != '0)
  `TMA_COVER(ErrorOfAWholeCommand, error && whole_q != '0)
  `TMA_COVER(ErrorOfTheHeldCommand, error && whole_q == '0)
  `TMA_COVER(SecondErrorOfACommand, error && faulted_q)
  `TMA_COVER(DeniedBehindAnError, pop && head.dropped && faulted_q)
  `TMA_COVER(EndOfACommandWithAnError, ended && faulted_q)
  `TMA_COVER(RecordFails, error && head.record)
  `TMA_COVER(HeadOfADeadPort, error && worst.dead)

endmodule
