// SPDX-License-Identifier: Apache-2.0
// Takes the beats of loads, puts them where their burst's context says, and signals finished
// commands.
//
//   beat --> context --+--> tma_load_write --> shared memory, signals
//   fill --------------+
//
// Throughput: one write per cycle; a beat takes one, or two when it is padded and does not lie in one
// line, or swizzled and the last of its burst besides: of others the part in the second line is held and
// goes with the next beat (tma_load_place). Latency: one cycle from the beat to the write, with Short two.
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
#(
  parameter bit Short = ShortPaths
) (
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
  output fault_t                  fault_o,

  output logic                    busy_o          // a write is here
);

  /////////////
  // Context //
  /////////////

  logic                    none, pop, ends, failed, fails, fault_held_q, closes, behind, both;
  logic                    beat_waits, beat_valid;
  logic                    is_first, is_last, told_q;  // told: the failing beat is reported
  logic [ChannelWidth-1:0] channel;
  logic [LenWidth-1:0]     index;
  logic [PlaceWidth-1:0]   place, second;
  ctx_t                    ctx;
  load_step_t              step, now;  // what is chosen; what is written, with Short a cycle later
  logic                    step_valid, step_ready, now_valid, now_goes;
  logic                    written;    // all before the step
  logic                    halfway;    // of a beat's two writes the first is done

  // Lines of fill that have gone since a beat did; an end has, and neither beat nor line since.
  localparam int unsigned FillTurn = 4;

  logic [2:0] fill_gone_q;
  logic       end_gone_q, none_hold, fill_first, fill_waits, fill_pick, fill_brings, fill_early, unwritten, hold, beat_goes;

  // A fault on offer keeps its context. With short paths there is never an end right behind another, and a beat that
  // has to wait for one has its turn all the same, since that is known late.
  assign none_hold = halfway || fault_held_q || told_q || (!Short && end_gone_q &&
                     !beat_waits && (beat_valid_i || fill_valid_i));

  tma_load_contexts #(.Short(Short)) u_contexts (
    .clk_i, .rst_ni, .ctx_i,
    .beat_channel_i(beat_i.id[ChannelWidth-1:0]),
    .none_hold_i(none_hold),
    .none_o(none), .wait_o(beat_waits), .channel_o(channel), .ctx_o(ctx), .index_o(index), .place_o(place), .second_o(second),
    .first_o(is_first), .last_o(is_last), .failed_o(failed),
    .closes_o(closes), .behind_o(behind), .some_o, .pop_i(pop), .ends_i(ends), .both_i(both),
    .fails_i(fails), .now_valid_i(now_valid), .now_goes_i(now_goes), .now_i(now), .waits_o(unwritten), .hold_i(hold),
    .fill_valid_i, .fill_number_i, .fill_ends_i,
    .fill_first_i(fill_first), .fill_go_i(fill_ready_o), .fill_brings_o(fill_brings)
  );

  assign beat_valid = beat_valid_i && !beat_waits;
  assign fails    = !none && (beat_i.resp[1] || beat_i.dead);
  assign ends     = is_last || (!none && beat_i.dead);

  // The end of the command comes without bytes right behind this burst: its last beat may signal.
  assign both = is_last && behind && !none && !failed && !fails;

  ////////////
  // Choice //
  ////////////

  logic writes;  // the beat has a write
  logic read;    // the last beat or end of a command that has not failed goes

  // With Short the last line of a command's fill does not overtake its last beat, which says whether it waits for it. Which
  // command's a line is, and that it is the last one, is known late: no line goes beside such a beat, nor a beat before it.
  assign fill_early   = Short && now_valid && now.read && (now.ctx.fills || now.both);
  assign fill_first   = fill_valid_i && !((Short ? beat_valid_i : beat_valid) &&
                        (fill_gone_q == 3'(FillTurn) || fault_held_q || told_q));
  assign fill_waits   = fill_first && !none;
  assign fill_pick    = fill_waits && !fill_early;
  assign fill_ready_o = step_ready && fill_pick;
  assign writes       = beat_valid && !none && !fails && !fill_waits;

  // A failing beat is no write. It goes in the cycle after it was reported, so that no beat waits for a
  // report of its own cycle.
  assign beat_goes    = !none && !beat_waits && !fill_waits && (!fails || failed || told_q);
  assign beat_ready_o = beat_goes && step_ready;
  assign pop          = none ? step_ready : beat_valid_i && beat_ready_o;
  assign read         = is_last && (closes || both) && !failed && !fails && !fill_waits;

  assign step_valid = fill_pick || none || (beat_valid_i && beat_goes);
  assign step       = '{fill: fill_pick, none: none, writes: writes, first: is_first, last: is_last, ends: ends && !fill_waits,
                        both: both && !fill_waits, read: read, done: ends && !fill_waits && !(closes && !failed && !fails), brings: fill_brings, row: fill_row_i, qid: fill_queue_i,
                        channel: channel, index: index, place: place, second: second, ctx: ctx,
                        data: beat_i.data};

  tma_load_write #(.Short(Short)) u_write (
    .clk_i, .rst_ni, .step_valid_i(step_valid), .step_ready_o(step_ready), .step_i(step), .fill_i,
    .now_valid_o(now_valid), .now_o(now), .goes_o(now_goes), .hold_i(hold), .written_o(written), .halfway_o(halfway),
    .wr_valid_o, .wr_ready_i, .wr_o, .sig_valid_o, .sig_ready_i, .sig_o, .fill_done_o
  );

  assign hold   = now.read && unwritten;
  assign busy_o = wr_valid_o || (Short && now_valid);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_gone_q  <= '0;
      end_gone_q   <= 1'b0;
      fault_held_q <= 1'b0;
      told_q       <= 1'b0;
    end else begin
      if (pop && !none) fill_gone_q <= '0;
      else if (fill_ready_o && fill_gone_q != 3'(FillTurn)) fill_gone_q <= fill_gone_q + 3'd1;
      if (written && step_valid) end_gone_q <= none;
      fault_held_q <= fault_valid_o && !fault_ready_i;
      told_q       <= error_o.valid || (told_q && !pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_done_o <= '0;
    else         read_done_o <= NumChannels'(now_goes && now.read) << now.channel;
  end

  always_ff @(posedge clk_i) read_done_queue_o <= now.ctx.signal.origin.qid;

  assign ctx_end_o = '{valid: pop && ends, channel: channel, both: both,
                       bare: pop && none && ctx.burst.first};

  ///////////////////////
  // Bursts and faults //
  ///////////////////////

  // A failing beat waits until what came before it is written, and until the register of the reports is free.
  tma_load_verdict #(.Short(Short)) u_verdict (
    .clk_i, .rst_ni, .fails_i(beat_valid && fails && !fill_waits && !failed && !told_q), .beat_i, .ctx_i(ctx),
    .first_i(is_first), .index_i(index), .may_i(written && !error_hold_i), .held_i(fault_held_q), .told_i(told_q),
    .fault_valid_o, .fault_ready_i, .fault_o
  );

  assign error_o = '{valid: fault_valid_o && fault_ready_i, qid: fault_o.origin.qid, seq: fault_o.origin.seq};

  // A burst that will signal keeps its slot until its signal was taken.
  assign burst_done_o  = '{valid: now_goes && now.done, qid: now.ctx.signal.origin.qid};
  assign signal_done_o = sig_valid_o && sig_ready_i;

  logic unused_id;
  assign unused_id = ^beat_i.id[IdWidth-1:ChannelWidth];

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(LastBeatIsMarked, pop && !none |-> beat_i.last == ends)
  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_COVER(FaultWaits, fault_valid_o && !fault_ready_i)
  `TMA_COVER(FaultWaitsForFill, beat_valid && fails && fill_pick)
  `TMA_COVER(DeadInABurst, pop && !none && beat_i.dead && !is_first)
  `TMA_COVER(DataWaitsForFill, beat_valid && !fails && fill_pick)
  `TMA_COVER(FillWaitsForData, fill_valid_i && writes)
  `TMA_COVER(NoneBeforeABeat, none && beat_valid && fill_valid_i)
  `TMA_COVER(EndWithABeat, pop && both)

`ifndef SYNTHESIS
  // Cycles that a beat, a line of fill has waited, of those in which shared memory took writes and no
  // fault was to be taken.
  localparam int unsigned BeatTurn = 16;

  logic [31:0] beat_waited_q, fill_waited_q;
  logic        counts;

  assign counts = (Short ? step_ready && (now_valid || written) : written) && !(fault_valid_o && !fault_ready_i);

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
