// SPDX-License-Identifier: Apache-2.0
// Properties of tma_load_slots, for any order of rows that take and bursts that give back: there are never
// more slots, contexts of a channel or ends out than there is room for, none is given back twice, and what
// was given back is free again two cycles later.
//
// What is out is counted here from the ports alone. A slot is given back at the end of its context or
// later, so a context is one of the slots.

module slots_proof
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    take_i,
  input logic                    take_load_i,
  input logic [ChannelWidth-1:0] take_channel_i,
  input logic                    take_bare_i,
  input logic                    return_i,
  input logic                    return_load_i,
  input logic [ChannelWidth-1:0] return_channel_i,
  input logic                    return_bare_i,
  input logic                    load_done_i,
  input logic                    other_done_i,
  input logic                    signal_done_i,
  input ctx_end_t                ctx_end_i
);

  typedef logic [$clog2(NumReads + 1)+1:0] count_t;

  logic                   free, end_free, idle;
  logic [NumChannels-1:0] empty;

  tma_load_slots dut (
    .clk_i, .rst_ni, .take_i, .take_load_i, .take_channel_i, .take_bare_i,
    .return_i, .return_load_i, .return_channel_i, .return_bare_i,
    .load_done_i, .other_done_i, .signal_done_i, .ctx_end_i, .free_o(free), .end_free_o(end_free), .empty_o(empty), .idle_o(idle)
  );

  logic                     started_q = 1'b0;  // the first cycle is a reset
  count_t                   slots_q, given, given_q, bare_q, bare_given, bare_given_q;
  count_t [NumChannels-1:0] contexts_q;
  count_t                   all;               // contexts of all channels

  assign given      = count_t'(return_i) + count_t'(load_done_i) + count_t'(other_done_i) +
                      count_t'(signal_done_i);
  assign bare_given = count_t'(return_bare_i) + count_t'(ctx_end_i.bare);

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      slots_q      <= '0;
      given_q      <= '0;
      bare_q       <= '0;
      bare_given_q <= '0;
    end else begin
      slots_q      <= slots_q + count_t'(take_i) - given;
      given_q      <= given;
      bare_q       <= bare_q + count_t'(take_bare_i) - bare_given;
      bare_given_q <= bare_given;
    end
  end

  for (genvar c = 0; c < NumChannels; c++) begin : g_channel
    count_t ended, ended_q;

    assign ended = count_t'(return_load_i && return_channel_i == ChannelWidth'(c)) +
                   (ctx_end_i.valid && ctx_end_i.channel == ChannelWidth'(c)
                    ? count_t'(1) + count_t'(ctx_end_i.both) : '0);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        contexts_q[c] <= '0;
        ended_q       <= '0;
      end else begin
        contexts_q[c] <= contexts_q[c] +
                         count_t'(take_load_i && take_channel_i == ChannelWidth'(c)) - ended;
        ended_q       <= ended;
      end
    end

    always_comb begin
      assume (ended <= contexts_q[c]);
      if (started_q) begin
        ContextsAreEnough: assert (contexts_q[c] <= count_t'(NumReads) && ended_q <= count_t'(3) &&
                                   contexts_q[c] + ended_q <= count_t'(NumReads));
        ChannelIsCounted:  assert (count_t'(dut.g_channel[c].count_q) == contexts_q[c] + ended_q);
        EmptyIsEmpty:      assert (empty[c] == (contexts_q[c] + ended_q == '0));
      end
    end
  end

  always_comb begin
    all = '0;
    for (int unsigned c = 0; c < NumChannels; c++) all += contexts_q[c];
  end

  always_comb begin
    assume (started_q || !rst_ni);
    // A row takes a slot where one is free, and its context and end with it.
    assume (!take_i || free);
    assume (!take_load_i || take_i);
    assume (!take_bare_i || (take_load_i && end_free));
    assume (!return_load_i || return_i);
    assume (!ctx_end_i.both || ctx_end_i.valid);
    // Only what is out comes back.
    assume (given <= slots_q && bare_given <= bare_q);
    if (started_q) assume (all <= slots_q);

    if (started_q) begin
      SlotsAreEnough:  assert (slots_q <= count_t'(NumReads) && given_q <= count_t'(4) &&
                               slots_q + given_q <= count_t'(NumReads));
      SlotsAreKnown:   assert (free == (slots_q + given_q != count_t'(NumReads)));
      EndsAreEnough:   assert (bare_q <= count_t'(EndDepth) && bare_given_q <= count_t'(2) &&
                               bare_q + bare_given_q <= count_t'(EndDepth));
      EndsAreKnown:    assert (end_free == (bare_q + bare_given_q != count_t'(EndDepth)));
      IdleHasNone:     assert (idle == (slots_q + given_q == '0));
      SlotsAreCounted: assert (count_t'(dut.slots_q) == slots_q + given_q &&
                               count_t'(dut.bare_q) == bare_q + bare_given_q);
      LinkGiven:       assert (given_q == count_t'(dut.return_q) + count_t'(dut.load_done_q) +
                                          count_t'(dut.other_done_q) + count_t'(dut.signal_done_q) &&
                               bare_given_q == count_t'(dut.return_bare_q) + count_t'(dut.ctx_end_q.bare));
    end
  end

  for (genvar c = 0; c < NumChannels; c++) begin : g_link
    always_comb begin
      if (started_q)
        LinkEnded: assert (g_channel[c].ended_q ==
                           count_t'(dut.return_load_q && dut.return_channel_q == ChannelWidth'(c)) +
                           (dut.ctx_end_q.valid && dut.ctx_end_q.channel == ChannelWidth'(c)
                            ? count_t'(1) + count_t'(dut.ctx_end_q.both) : '0));
    end
  end

  always_comb begin
    if (started_q) begin
      AllAreOut:   cover (slots_q == count_t'(NumReads) && !free);
      ThreeAtOnce: cover (given == count_t'(3));
      GoesIdle:    cover (idle && given_q == count_t'(0) && dut.load_done_q == 1'b0 && end_free);
    end
  end

endmodule
