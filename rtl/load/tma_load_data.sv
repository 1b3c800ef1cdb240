// SPDX-License-Identifier: Apache-2.0
// Takes the beats of loads, puts them where their burst's context says, and signals finished
// commands.
//
//   beat --> context, convert, place --+--> write register --> shared memory
//                               fill --+          |
//                                                 +---------> signal FIFO
//
// Throughput: one write per cycle; a beat takes one, or two when it is swizzled or padded and does
// not lie in one line. Fill goes before beats, so whatever comes behind the fill of a command, its
// signal does too. Besides, a beat waits only while shared memory serves a port that has waited its
// bound, and a failing one for the report before it. Latency: one cycle from the beat to the write.
//
// Data of different channels may interleave at any beat. A beat with an error response is not
// written, its command signals nothing, and its first such beat is reported, which takes a cycle more.
// So is the end of a burst whose port died. The end of a command without bytes goes with the last beat
// before it, or takes a cycle and no write. Reset: control only.

`include "tma_assert.svh"

module tma_load_data
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_load_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Contexts of bursts as they leave; a channel never overflows
  input  logic                    ctx_valid_i,
  input  logic [ChannelWidth-1:0] ctx_channel_i,
  input  ctx_t                    ctx_i,
  output logic                    ctx_end_o,      // a burst has ended
  output logic [ChannelWidth-1:0] ctx_end_channel_o,
  output logic                    ctx_end_both_o, // and the end of its command with it

  // Beats
  input  logic                    beat_valid_i,
  output logic                    beat_ready_o,
  input  read_beat_t              beat_i,
  output logic [NumChannels-1:0]  some_o,         // channels with a context: others have no beats

  // Fill; there is some to come
  input  logic                    fill_valid_i,
  output logic                    fill_ready_o,
  input  smem_write_t             fill_i,
  input  logic                    fill_busy_i,
  output logic                    fill_left_o,    // a line of it is still in the register
  input  logic                    error_hold_i,   // no new error for now

  // Shared memory
  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output smem_write_t             wr_o,

  // Signals of finished commands
  output logic                    sig_valid_o,
  input  logic                    sig_ready_i,
  output signal_t                 sig_o,

  // A burst has ended, and will not signal; its queue
  output logic                    burst_done_o,
  output queue_t                  burst_done_queue_o,
  output logic                    signal_done_o,

  // A load that has not failed has read its last byte: pulse of its channel
  output logic [NumChannels-1:0]  read_done_o,
  output queue_t                  read_done_queue_o,

  // First failing beat of a command; `error_o` in the cycle in which its fault is taken
  output logic                    error_o,
  output queue_t                  error_queue_o,
  output logic [15:0]             error_seq_o,
  output logic                    fault_valid_o,
  input  logic                    fault_ready_i,
  output fault_t                  fault_o
);

  /////////////
  // Context //
  /////////////

  logic                    none, pop, ends, failed, fails, fault_held_q, behind, both;
  logic                    beat_waits, beat_valid;
  logic                    is_first, is_last, told_q;  // told: the failing beat is reported
  logic [ChannelWidth-1:0] channel;
  logic [LenWidth-1:0]     index;
  ctx_t                    ctx;

  logic                    second_q;  // the beat's first write of two is done

  // A fault on offer keeps its context.
  tma_load_contexts u_contexts (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_channel_i, .ctx_i,
    .beat_channel_i(beat_i.id[ChannelWidth-1:0]),
    .none_hold_i(fill_busy_i || second_q || fault_held_q || told_q),
    .none_o(none), .wait_o(beat_waits), .channel_o(channel), .ctx_o(ctx), .index_o(index),
    .first_o(is_first), .last_o(is_last), .failed_o(failed),
    .behind_o(behind), .some_o, .pop_i(pop), .ends_i(ends), .both_i(both), .fails_i(fails)
  );

  assign beat_valid = beat_valid_i && !beat_waits;
  assign fails    = !none && (beat_i.resp[1] || beat_i.dead);
  assign ends     = is_last || (!none && beat_i.dead);

  // The end of the command comes without bytes, behind this burst: the fill before it is written, so
  // the last beat may signal.
  assign both = is_last && behind && !none && !failed && !fails;

  ///////////
  // Write //
  ///////////

  line_t       line;
  smem_write_t write;
  logic        two;

  tma_load_convert u_convert (
    .layout_i(ctx.layout), .cut_i(is_last && ctx.burst.odd != '0), .lane_i(ctx.burst.tail),
    .odd_i(ctx.burst.odd), .line_i(beat_i.data), .line_o(line)
  );

  tma_load_place u_place (
    .burst_i(ctx.burst), .layout_i(ctx.layout), .index_i(index), .first_i(is_first),
    .last_i(is_last), .second_i(second_q), .line_i(line),
    .two_o(two), .rows_o(write.rows), .be_o(write.be), .data_o(write.data)
  );

  assign write.ctas = ctx.dst;

  ////////////////////
  // Write register //
  ////////////////////

  logic    wr_go, wr_q_valid, wr_q_writes, wr_q_signals, wr_q_fill;
  logic    writes;  // the beat has a write for the register
  logic    read;    // the last beat or end of a command that has not failed goes
  signal_t wr_q_signal;

  assign wr_go        = !wr_q_valid || !wr_q_writes || wr_ready_i;
  assign fill_ready_o = wr_go;
  assign writes       = beat_valid && !none && !fails && !fill_busy_i;

  // A failing beat is no write. It waits until what came before it is written, fill too, for it may
  // be the last of its command, and until the register of the reports is free. It goes in the cycle
  // after it was reported, so that no beat waits for a report of its own cycle.
  assign fault_valid_o = beat_valid && fails && !failed && !told_q &&
                         (fault_held_q || (wr_go && !fill_busy_i && !error_hold_i));
  assign beat_ready_o  = !none && !beat_waits && wr_go && !fill_busy_i &&
                         (fails ? failed || told_q : second_q || !two);
  assign pop           = none ? wr_go : beat_valid_i && beat_ready_o;
  assign read          = pop && is_last && (ctx.burst.last || both) && !failed && !fails;

  assign wr_valid_o  = wr_q_valid && wr_q_writes;
  assign fill_left_o = wr_q_valid && wr_q_fill;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q_valid   <= 1'b0;
      second_q     <= 1'b0;
      fault_held_q <= 1'b0;
      told_q       <= 1'b0;
    end else begin
      if (wr_go) wr_q_valid <= fill_valid_i || none || writes;
      if (wr_go && writes) second_q <= two && !second_q;
      fault_held_q <= fault_valid_o && !fault_ready_i;
      told_q       <= error_o || (told_q && !pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (wr_go) begin
      wr_q_fill    <= fill_valid_i;
      wr_q_writes  <= fill_valid_i || !none;
      wr_q_signals <= !fill_valid_i && read;
      wr_q_signal  <= ctx.signal;
      wr_o         <= fill_valid_i ? fill_i : write;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_done_o <= '0;
    else         read_done_o <= NumChannels'(read) << channel;
  end

  always_ff @(posedge clk_i) if (read) read_done_queue_o <= ctx.signal.origin.qid;

  assign ctx_end_o         = pop && ends;
  assign ctx_end_channel_o = channel;
  assign ctx_end_both_o    = both;

  ////////////////////////
  // Signals and faults //
  ////////////////////////

  logic        sig_in_ready;
  logic [63:0] beat_addr;  // the first operand byte of the beat
  logic [$clog2(NumReads+1)-1:0] unused_level;

  tma_fifo #(.Width($bits(signal_t)), .Depth(NumReads), .FlowThrough(1'b1)) u_signals (
    .clk_i, .rst_ni,
    .in_valid_i(wr_q_valid && wr_go && wr_q_signals), .in_ready_o(sig_in_ready), .in_i(wr_q_signal),
    .out_valid_o(sig_valid_o), .out_ready_i(sig_ready_i), .out_o(sig_o), .level_o(unused_level)
  );

  assign beat_addr = ctx.burst.addr +
      (is_first ? 64'({ctx.burst.head, 4'b0}) : 64'(32'(index) * DataBytes));

  // A burst that will signal keeps its slot until its signal was taken.
  assign burst_done_o  = ctx_end_o && !(ctx.burst.last && !failed && !fails);
  assign signal_done_o = sig_valid_o && sig_ready_i;

  assign burst_done_queue_o = ctx.signal.origin.qid;

  assign error_o         = fault_valid_o && fault_ready_i;
  assign error_queue_o   = ctx.signal.origin.qid;
  assign error_seq_o     = ctx.signal.origin.seq;
  assign fault_o.origin  = ctx.signal.origin;
  assign fault_o.code    = beat_i.dead    ? tma_isa_pkg::FaultPortDead
                         : beat_i.resp[0] ? tma_isa_pkg::FaultReadDecerr
                                          : tma_isa_pkg::FaultReadSlverr;
  assign fault_o.address = beat_addr;

  logic unused_id;
  assign unused_id = ^beat_i.id[IdWidth-1:ChannelWidth];

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SignalAlwaysFits, wr_q_valid && wr_go && wr_q_signals |-> sig_in_ready)
  `TMA_ASSERT(LastBeatIsMarked, pop && !none |-> beat_i.last == ends)
  `TMA_ASSERT(FillIsBusy, fill_valid_i |-> fill_busy_i)
  `TMA_ASSERT_STABLE(WriteIsStable, wr_valid_o, wr_ready_i, wr_o)
  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_COVER(FaultWaits, fault_valid_o && !fault_ready_i)
  `TMA_COVER(FaultWaitsForFill, beat_valid_i && fails && !failed && fill_busy_i)
  `TMA_COVER(DeadInABurst, pop && !none && beat_i.dead && !is_first)
  `TMA_COVER(DataWaitsForFill, beat_valid_i && !fails && fill_busy_i)
  `TMA_COVER(EndWithABeat, pop && both)
  `TMA_COVER(NoneBeforeABeat, none && beat_valid_i)
  `TMA_COVER(FillBetweenTwo, second_q && fill_busy_i)

endmodule
