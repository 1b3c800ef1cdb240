// SPDX-License-Identifier: Apache-2.0
// Counts what the load path has in flight: read slots, held by bursts up to their last beat or their
// signal, and contexts per channel. A row takes its own when it enters the guard, and gives them back
// when it goes without a burst. That something is given back is known late in its cycle, so it counts
// two cycles later.
//
// Ends of loads of fill alone are few: a beat waits for those before it in its channel. Reset: all.

`include "tma_assert.svh"

module tma_load_slots
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    take_i,          // a slot
  input  logic                    take_load_i,     // a context
  input  logic [ChannelWidth-1:0] take_channel_i,
  input  logic                    take_bare_i,     // it is the end of a load of fill alone
  input  logic                    return_i,
  input  logic                    return_load_i,
  input  logic [ChannelWidth-1:0] return_channel_i,
  input  logic                    return_bare_i,

  input  logic                    load_done_i,     // slots given back by loads that signal nothing,
  input  logic                    other_done_i,    // by bursts of others,
  input  logic                    signal_done_i,   // by signals
  input  ctx_end_t                ctx_end_i,       // a context's burst has ended

  output logic                    free_o,          // there is a slot
  output logic                    end_free_o,      // for the end of a load of fill alone too
  output logic [NumChannels-1:0]  empty_o,         // channels
  output logic                    idle_o
);

  localparam int unsigned SlotWidth = $clog2(NumReads + 1);

  logic [SlotWidth-1:0]    slots_q;
  logic                    return_q, return_load_q, load_done_q, other_done_q, signal_done_q;
  logic                    return_bare_q;
  logic [ChannelWidth-1:0] return_channel_q;
  ctx_end_t                ctx_end_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      return_q      <= 1'b0;
      return_load_q <= 1'b0;
      load_done_q   <= 1'b0;
      other_done_q  <= 1'b0;
      signal_done_q <= 1'b0;
      ctx_end_q     <= '0;
      return_bare_q <= 1'b0;
    end else begin
      return_q      <= return_i;
      return_load_q <= return_load_i;
      load_done_q   <= load_done_i;
      other_done_q  <= other_done_i;
      signal_done_q <= signal_done_i;
      ctx_end_q     <= ctx_end_i;
      return_bare_q <= return_bare_i;
    end
  end

  always_ff @(posedge clk_i) return_channel_q <= return_channel_i;

  assign free_o = slots_q != SlotWidth'(NumReads);
  assign idle_o = slots_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) slots_q <= '0;
    else         slots_q <= slots_q + SlotWidth'(take_i) - SlotWidth'(return_q)
                          - SlotWidth'(load_done_q) - SlotWidth'(other_done_q)
                          - SlotWidth'(signal_done_q);
  end

  localparam int unsigned EndWidth = $clog2(EndDepth + 1);

  logic [EndWidth-1:0] bare_q;

  assign end_free_o = bare_q != EndWidth'(EndDepth);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) bare_q <= '0;
    else         bare_q <= bare_q + EndWidth'(take_bare_i) - EndWidth'(return_bare_q)
                          - EndWidth'(ctx_end_q.bare);
  end

  for (genvar c = 0; c < NumChannels; c++) begin : g_channel
    logic [SlotWidth-1:0] count_q;
    logic                  enters, returns, ends;

    assign enters  = take_load_i && take_channel_i == ChannelWidth'(c);
    assign returns = return_load_q && return_channel_q == ChannelWidth'(c);
    assign ends    = ctx_end_q.valid && ctx_end_q.channel == ChannelWidth'(c);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else         count_q <= count_q + SlotWidth'(enters) - SlotWidth'(returns)
                            - SlotWidth'(ends) - SlotWidth'(ends && ctx_end_q.both);
    end

    assign empty_o[c] = count_q == '0;

    `TMA_ASSERT(OnlyContextsEnd, ends |-> count_q > SlotWidth'(ctx_end_q.both))
  end

  `TMA_ASSERT(IdleHasNoContexts, idle_o |-> empty_o == '1 && bare_q == '0)
  `TMA_ASSERT(SlotsAreCounted, slots_q <= SlotWidth'(NumReads))
  `TMA_ASSERT(EndsAreCounted, bare_q <= EndWidth'(EndDepth))

endmodule
