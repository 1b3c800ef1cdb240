// SPDX-License-Identifier: Apache-2.0
// What becomes of a step of the load data: its write, then its signal.
//
//   step --> convert, place --+--> write register --> shared memory
//                      fill --+          |
//                                        +---------> signal FIFO
//
// One step per cycle, two of a beat that takes two writes (tma_load_place). Latency: one cycle from the step to the
// write; with Short two, and one more to the signal: the step waits in a register, `now_o`, else it is there at once.
// Reset: control only.

`include "tma_assert.svh"

module tma_load_write
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_load_pkg::*;
  import tma_path_pkg::event_t;
#(
  parameter bit Short = ShortPaths
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Steps in; the write of a line of fill
  input  logic        step_valid_i,
  output logic        step_ready_o,
  input  load_step_t  step_i,
  input  smem_write_t fill_i,

  // The step of now; it goes, its command's context is held (known from `now_o`)
  output logic        now_valid_o,
  output load_step_t  now_o,
  output logic        goes_o,
  input  logic        hold_i,

  output logic        written_o,  // whatever came before has gone, or goes in this cycle
  output logic        halfway_o,  // of a beat that is on offer, the first of two writes is done

  // Shared memory
  output logic        wr_valid_o,
  input  logic        wr_ready_i,
  output smem_write_t wr_o,

  // Signals of finished commands
  output logic        sig_valid_o,
  input  logic        sig_ready_i,
  output signal_t     sig_o,

  // The fill of a row is written
  output event_t      fill_done_o
);

  ////////////////
  // Step of now //
  ////////////////

  smem_write_t now_fill;
  logic        wr_go, wr_q_valid, wr_q_writes, wr_q_signals, wr_q_row, beat_goes;
  logic        two, second_q, writes;  // second: its first write of two is done

  assign writes    = now_valid_o && now_o.writes;
  assign beat_goes = second_q || !two;
  assign goes_o    = now_valid_o && wr_go && (!now_o.writes || beat_goes);

  if (Short) begin : g_step
    logic       valid_q;
    load_step_t step_q;

    assign step_ready_o = !valid_q || goes_o;
    assign now_valid_o  = valid_q;
    assign now_o        = step_q;
    assign written_o    = !valid_q && wr_go;
    assign halfway_o    = 1'b0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)           valid_q <= 1'b0;
      else if (step_ready_o) valid_q <= step_valid_i;
    end

    always_ff @(posedge clk_i) begin
      if (step_ready_o) begin
        step_q   <= step_i;
        now_fill <= fill_i;
      end
    end
  end else begin : g_at_once
    assign step_ready_o = wr_go && (!writes || beat_goes);
    assign now_valid_o  = step_valid_i;
    assign now_o        = step_i;
    assign now_fill     = fill_i;
    assign written_o    = wr_go;
    assign halfway_o    = second_q;
  end

  ///////////
  // Write //
  ///////////

  line_t       line;
  smem_write_t write;
  logic        holds;
  line_t       hold_line, held_line;
  logic        held_valid;  // of the burst's beat before, a part is not written

  tma_load_convert u_convert (
    .layout_i(now_o.ctx.layout), .cut_i(now_o.last && now_o.ctx.burst.odd != '0), .lane_i(now_o.ctx.burst.tail),
    .odd_i(now_o.ctx.burst.odd), .line_i(now_o.data), .line_o(line)
  );

  tma_load_place u_place (
    .burst_i(now_o.ctx.burst), .layout_i(now_o.ctx.layout), .index_i(now_o.index), .first_i(now_o.first),
    .last_i(now_o.last), .second_i(second_q), .lead_i(now_o.ctx.lead), .trail_i(now_o.ctx.trail),
    .pair_i(Chunks > 1 && now_o.ctx.pair), .line_i(line),
    .held_i(held_valid), .held_line_i(held_line), .two_o(two), .holds_o(holds), .hold_o(hold_line),
    .rows_o(write.rows), .be_o(write.be), .data_o(write.data)
  );

  assign write.ctas = now_o.ctx.dst;

  tma_load_rest u_rest (
    .clk_i, .rst_ni, .channel_i(now_o.channel), .go_i(goes_o && !now_o.none && !now_o.fill), .ends_i(now_o.ends),
    .hold_i(writes && holds), .line_i(hold_line), .held_o(held_valid), .line_o(held_line)
  );

  ////////////////////
  // Write register //
  ////////////////////

  signal_t wr_q_signal;
  queue_t  wr_q_fill_queue;

  assign wr_go       = !wr_q_valid || !wr_q_writes || wr_ready_i;
  assign wr_valid_o  = wr_q_valid && wr_q_writes;
  assign fill_done_o = '{valid: wr_q_valid && wr_go && wr_q_row, qid: wr_q_fill_queue};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q_valid <= 1'b0;
      second_q   <= 1'b0;
    end else begin
      if (wr_go)           wr_q_valid <= now_valid_o && (now_o.fill || now_o.none || now_o.writes);
      if (wr_go && writes) second_q   <= two && !second_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (wr_go) begin
      wr_q_row        <= now_o.fill && now_o.row;
      wr_q_writes     <= !now_o.none;
      wr_q_signals    <= now_o.fill ? now_o.brings : now_o.read && !hold_i && (!now_o.writes || beat_goes);
      wr_q_signal     <= now_o.ctx.signal;
      wr_q_fill_queue <= now_o.qid;
      wr_o            <= now_o.fill ? now_fill : write;
    end
  end

  /////////////
  // Signals //
  /////////////

  logic                          sig_in_ready;
  logic [$clog2(NumReads+1)-1:0] unused_level;

  // With Short shared memory has a write a cycle after it took it, and so does the barrier its signal.
  tma_fifo #(.Width($bits(signal_t)), .Depth(NumReads), .FlowThrough(!Short)) u_signals (
    .clk_i, .rst_ni,
    .in_valid_i(wr_q_valid && wr_go && wr_q_signals), .in_ready_o(sig_in_ready), .in_i(wr_q_signal),
    .out_valid_o(sig_valid_o), .out_ready_i(sig_ready_i), .out_o(sig_o), .level_o(unused_level)
  );

  logic unused_fields;
  assign unused_fields = ^{now_o.both, now_o.done, now_o.place, now_o.second, now_o.ctx.fills, now_o.ctx.number};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SignalAlwaysFits, wr_q_valid && wr_go && wr_q_signals |-> sig_in_ready)
  `TMA_ASSERT_STABLE(WriteIsStable, wr_valid_o, wr_ready_i, wr_o)
  `TMA_ASSERT(OneKind, step_valid_i |-> $countones({step_i.fill, step_i.none, step_i.writes}) <= 1)
  `TMA_COVER(HeldBeforeAnError, goes_o && !now_o.none && !now_o.fill && !now_o.writes && held_valid)
  `TMA_COVER(FillBetweenTwo, second_q && goes_o && now_o.fill)
  `TMA_COVER(SignalWithFill, goes_o && now_o.fill && now_o.brings)

endmodule
