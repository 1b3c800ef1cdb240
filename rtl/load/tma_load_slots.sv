// SPDX-License-Identifier: Apache-2.0
// Counts what the load path has in flight: read slots, held by bursts up to their last beat or their
// signal, and contexts per channel. A row takes its own when it enters the guard, and gives them back
// when it goes without a burst. Reset: all.

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
  input  logic                    return_i,
  input  logic                    return_load_i,
  input  logic [ChannelWidth-1:0] return_channel_i,

  input  logic                    load_done_i,     // slots given back by loads that signal nothing,
  input  logic                    other_done_i,    // by bursts of others,
  input  logic                    signal_done_i,   // by signals
  input  logic                    ctx_end_i,       // a context's burst has ended
  input  logic [ChannelWidth-1:0] ctx_end_channel_i,
  input  logic                    ctx_end_both_i,  // and the one behind it

  output logic                    free_o,          // there is a slot
  output logic [NumChannels-1:0]  empty_o,         // channels
  output logic                    idle_o
);

  localparam int unsigned SlotWidth = $clog2(NumReads + 1);

  logic [SlotWidth-1:0] slots_q;

  assign free_o = slots_q != SlotWidth'(NumReads);
  assign idle_o = slots_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) slots_q <= '0;
    else         slots_q <= slots_q + SlotWidth'(take_i) - SlotWidth'(return_i)
                          - SlotWidth'(load_done_i) - SlotWidth'(other_done_i)
                          - SlotWidth'(signal_done_i);
  end

  for (genvar c = 0; c < NumChannels; c++) begin : g_channel
    logic [SlotWidth-1:0] count_q;
    logic                  enters, returns, ends;

    assign enters  = take_load_i && take_channel_i == ChannelWidth'(c);
    assign returns = return_load_i && return_channel_i == ChannelWidth'(c);
    assign ends    = ctx_end_i && ctx_end_channel_i == ChannelWidth'(c);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else         count_q <= count_q + SlotWidth'(enters) - SlotWidth'(returns)
                            - SlotWidth'(ends) - SlotWidth'(ends && ctx_end_both_i);
    end

    assign empty_o[c] = count_q == '0;

    `TMA_ASSERT(OnlyContextsEnd, ends |-> count_q > SlotWidth'(ctx_end_both_i))
  end

  `TMA_ASSERT(SlotsAreCounted, slots_q <= SlotWidth'(NumReads))

endmodule
