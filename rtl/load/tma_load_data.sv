// SPDX-License-Identifier: Apache-2.0
// Takes the beats of loads, puts them where their burst's context says, and signals finished
// commands.
//
//   beat --> context, convert, place --+--> write register --> shared memory
//                               fill --+          |
//                                                 +---------> signal FIFO
//
// Throughput: one write per cycle; a beat takes one, or two when it is padded and does not lie in one
// line, or swizzled and the last of its burst besides: of others the part in the second line is held and
// goes with the next beat (tma_load_place). Latency: one cycle from the beat to the write.
//
// Lines of fill, beats, and ends of commands without bytes take turns at the register. A beat waits for
// FillTurn lines of fill: more of these than beats, for rows with data wait behind rows of fill. An end
// goes before a line or a beat, and one of these before the next end; but ends that a beat has to wait
// for, EndDepth and one at most, go at once. So a beat is taken within BeatTurn cycles in which shared
// memory takes writes:
//
//   fill     . F F F F .   . F F F F .   . . . F F F F .
//   ends     E . . . . .   E . . . . .   E E E . . . . .
//   beats    . . . . . B   . . . . . B   . . . . . . . B    the last one waits for three ends
//
// A command signals when its fill is written too. If some is not when its last beat or end goes, its
// context is held, and the last line of its fill brings the signal along (tma_load_contexts): no signal
// waits for fill of another command. Besides, a beat waits only while shared memory serves a port that
// has waited its bound, and a failing one for the report before it.
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
  import tma_path_pkg::event_t;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Contexts of bursts as they leave; a channel never overflows
  input  ctx_put_t                ctx_i,
  output ctx_end_t                ctx_end_o,

  // Beats
  input  logic                    beat_valid_i,
  output logic                    beat_ready_o,
  input  read_beat_t              beat_i,
  output logic [NumChannels-1:0]  some_o,         // channels with a context: others have no beats

  // Fill, line by line: whose; the last line of a row; of its command
  input  logic                    fill_valid_i,
  output logic                    fill_ready_o,
  input  smem_write_t             fill_i,
  input  fill_number_t            fill_number_i,
  input  queue_t                  fill_queue_i,
  input  logic                    fill_row_i,
  input  logic                    fill_ends_i,
  input  logic                    error_hold_i,   // no new error for now

  // Shared memory
  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output smem_write_t             wr_o,

  // Signals of finished commands
  output logic                    sig_valid_o,
  input  logic                    sig_ready_i,
  output signal_t                 sig_o,

  // A burst has ended, and will not signal
  output event_t                  burst_done_o,
  output logic                    signal_done_o,

  // The fill of a row is written
  output event_t                  fill_done_o,

  // A load that has not failed has read its last byte: pulse of its channel
  output logic [NumChannels-1:0]  read_done_o,
  output queue_t                  read_done_queue_o,

  // First failing beat of a command; `error_o` in the cycle in which its fault is taken
  output load_error_t             error_o,
  output logic                    fault_valid_o,
  input  logic                    fault_ready_i,
  output fault_t                  fault_o
);

  /////////////
  // Context //
  /////////////

  logic                    none, pop, ends, failed, fails, fault_held_q, closes, behind, both;
  logic                    beat_waits, beat_valid;
  logic                    is_first, is_last, told_q;  // told: the failing beat is reported
  logic [ChannelWidth-1:0] channel;
  logic [LenWidth-1:0]     index;
  ctx_t                    ctx;

  logic                    second_q;  // the beat's first write of two is done

  // Lines of fill that have gone since a beat did; an end has, and neither beat nor line since.
  localparam int unsigned FillTurn = 4;

  logic [2:0] fill_gone_q;
  logic       end_gone_q, none_hold, fill_first, fill_pick, fill_brings, unwritten, hold;

  // A fault on offer keeps its context. With short paths there is never an end right behind another, and a beat that
  // has to wait for one has its turn all the same, since that is known late.
  assign none_hold = second_q || fault_held_q || told_q || (!ShortPaths && end_gone_q &&
                     !beat_waits && (beat_valid_i || fill_valid_i));

  tma_load_contexts u_contexts (
    .clk_i, .rst_ni, .ctx_i,
    .beat_channel_i(beat_i.id[ChannelWidth-1:0]),
    .none_hold_i(none_hold),
    .none_o(none), .wait_o(beat_waits), .channel_o(channel), .ctx_o(ctx), .index_o(index),
    .first_o(is_first), .last_o(is_last), .failed_o(failed),
    .closes_o(closes), .behind_o(behind), .some_o, .waits_o(unwritten), .pop_i(pop), .ends_i(ends), .both_i(both),
    .fails_i(fails), .hold_i(hold), .fill_valid_i, .fill_number_i, .fill_ends_i,
    .fill_first_i(fill_first), .fill_go_i(fill_ready_o), .fill_brings_o(fill_brings)
  );

  assign beat_valid = beat_valid_i && !beat_waits;
  assign fails    = !none && (beat_i.resp[1] || beat_i.dead);
  assign ends     = is_last || (!none && beat_i.dead);

  // The end of the command comes without bytes right behind this burst: its last beat may signal.
  assign both = is_last && behind && !none && !failed && !fails;

  ///////////
  // Write //
  ///////////

  line_t       line;
  smem_write_t write;
  logic        two, holds;
  line_t       hold_line, held_line;
  logic        held_valid;  // of the burst's beat before, a part is not written

  tma_load_convert u_convert (
    .layout_i(ctx.layout), .cut_i(is_last && ctx.burst.odd != '0), .lane_i(ctx.burst.tail),
    .odd_i(ctx.burst.odd), .line_i(beat_i.data), .line_o(line)
  );

  tma_load_place u_place (
    .burst_i(ctx.burst), .layout_i(ctx.layout), .index_i(index), .first_i(is_first),
    .last_i(is_last), .second_i(second_q), .lead_i(ctx.lead), .trail_i(ctx.trail), .pair_i(Chunks > 1 && ctx.pair),
    .line_i(line),
    .held_i(held_valid), .held_line_i(held_line), .two_o(two), .holds_o(holds), .hold_o(hold_line),
    .rows_o(write.rows), .be_o(write.be), .data_o(write.data)
  );

  assign write.ctas = ctx.dst;

  logic writes;  // the beat has a write for the register
  tma_load_rest u_rest (
    .clk_i, .rst_ni, .channel_i(beat_i.id[ChannelWidth-1:0]), .go_i(pop && !none), .ends_i(ends),
    .hold_i(writes && holds), .line_i(hold_line), .held_o(held_valid), .line_o(held_line)
  );

  ////////////////////
  // Write register //
  ////////////////////

  logic    wr_go, wr_q_valid, wr_q_writes, wr_q_signals, wr_q_row;
  logic    read;    // the last beat or end of a command that has not failed goes
  signal_t wr_q_signal;
  queue_t  wr_q_fill_queue;

  assign wr_go        = !wr_q_valid || !wr_q_writes || wr_ready_i;
  assign fill_first   = fill_valid_i && !((ShortPaths ? beat_valid_i : beat_valid) &&
                        (fill_gone_q == 3'(FillTurn) || fault_held_q || told_q));
  assign fill_pick    = fill_first && !none;
  assign fill_ready_o = wr_go && fill_pick;
  assign writes       = beat_valid && !none && !fails && !fill_pick;

  // A failing beat is no write. It waits until what came before it is written, and until the register
  // of the reports is free. It goes in the cycle after it was reported, so that no beat waits for a
  // report of its own cycle.
  assign fault_valid_o = beat_valid && fails && !fill_pick && !failed && !told_q &&
                         (fault_held_q || (wr_go && !error_hold_i));
  assign beat_ready_o  = !none && !beat_waits && wr_go && !fill_pick &&
                         (fails ? failed || told_q : second_q || !two);
  assign pop           = none ? wr_go : beat_valid_i && beat_ready_o;
  assign read          = pop && is_last && (closes || both) && !failed && !fails;
  assign hold          = read && unwritten;

  assign wr_valid_o  = wr_q_valid && wr_q_writes;
  assign fill_done_o = '{valid: wr_q_valid && wr_go && wr_q_row, qid: wr_q_fill_queue};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q_valid   <= 1'b0;
      second_q     <= 1'b0;
      fill_gone_q  <= '0;
      end_gone_q   <= 1'b0;
      fault_held_q <= 1'b0;
      told_q       <= 1'b0;
    end else begin
      if (wr_go) wr_q_valid <= fill_pick || none || writes;
      if (wr_go && writes) second_q <= two && !second_q;
      if (pop && !none) fill_gone_q <= '0;
      else if (fill_ready_o && fill_gone_q != 3'(FillTurn)) fill_gone_q <= fill_gone_q + 3'd1;
      if (wr_go && (none || writes || pop || fill_pick)) end_gone_q <= none;
      fault_held_q <= fault_valid_o && !fault_ready_i;
      told_q       <= error_o.valid || (told_q && !pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (wr_go) begin
      wr_q_row          <= fill_pick && fill_row_i;
      wr_q_writes       <= !none;
      wr_q_signals      <= fill_pick ? fill_brings : read && !hold;
      wr_q_signal       <= ctx.signal;
      wr_q_fill_queue   <= fill_queue_i;
      wr_o              <= fill_pick ? fill_i : write;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_done_o <= '0;
    else         read_done_o <= NumChannels'(read) << channel;
  end

  always_ff @(posedge clk_i) if (read) read_done_queue_o <= ctx.signal.origin.qid;

  assign ctx_end_o = '{valid: pop && ends, channel: channel, both: both,
                       bare: pop && none && ctx.burst.first};

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
  assign burst_done_o  = '{valid: ctx_end_o.valid && !(closes && !failed && !fails),
                           qid: ctx.signal.origin.qid};
  assign signal_done_o = sig_valid_o && sig_ready_i;

  assign error_o         = '{valid: fault_valid_o && fault_ready_i, qid: ctx.signal.origin.qid,
                             seq: ctx.signal.origin.seq};
  assign fault_o.origin  = ctx.signal.origin;
  assign fault_o.code    = beat_i.dead    ? tma_isa_pkg::FaultPortDead
                         : beat_i.resp[0] ? tma_isa_pkg::FaultReadDecerr
                                          : tma_isa_pkg::FaultReadSlverr;
  assign fault_o.address = beat_addr;

  logic unused_fields;
  assign unused_fields = ^{beat_i.id[IdWidth-1:ChannelWidth], ctx.fills, ctx.number};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SignalAlwaysFits, wr_q_valid && wr_go && wr_q_signals |-> sig_in_ready)
  `TMA_ASSERT(LastBeatIsMarked, pop && !none |-> beat_i.last == ends)
  `TMA_ASSERT_STABLE(WriteIsStable, wr_valid_o, wr_ready_i, wr_o)
  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_COVER(FaultWaits, fault_valid_o && !fault_ready_i)
  `TMA_COVER(FaultWaitsForFill, beat_valid && fails && fill_pick)
  `TMA_COVER(DeadInABurst, pop && !none && beat_i.dead && !is_first)
  `TMA_COVER(DataWaitsForFill, beat_valid && !fails && fill_pick)
  `TMA_COVER(FillWaitsForData, fill_valid_i && writes)
  `TMA_COVER(NoneBeforeABeat, none && beat_valid && fill_valid_i)
  `TMA_COVER(SignalWithFill, fill_ready_o && fill_brings)
  `TMA_COVER(EndWithABeat, pop && both)
  `TMA_COVER(HeldBeforeAnError, pop && !none && fails && held_valid)
  `TMA_COVER(FillBetweenTwo, second_q && fill_ready_o)

`ifndef SYNTHESIS
  // Cycles that a beat, a line of fill has waited, of those in which shared memory took writes and no
  // fault was to be taken.
  localparam int unsigned BeatTurn = 16;

  logic [31:0] beat_waited_q, fill_waited_q;
  logic        counts;

  assign counts = wr_go && !(fault_valid_o && !fault_ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !beat_valid_i || beat_ready_o) beat_waited_q <= '0;
    else                                          beat_waited_q <= beat_waited_q + 32'(counts);
    if (!rst_ni || !fill_valid_i || fill_ready_o) fill_waited_q <= '0;
    else                                          fill_waited_q <= fill_waited_q + 32'(counts);
  end

  `TMA_ASSERT(BeatHasItsTurn, beat_waited_q < BeatTurn)
  `TMA_ASSERT(FillHasItsTurn, fill_waited_q < BeatTurn)
`endif

endmodule
