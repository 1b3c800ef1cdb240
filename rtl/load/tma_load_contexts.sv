// SPDX-License-Identifier: Apache-2.0
// What the bursts in flight are for, and how far their beats are: a queue per read channel.
//
//   ctx_i --> a free place of the memory; its number --> queue of the channel --> memory --> ctx_o
//
// All channels share the memory: one of them may hold all contexts, as those of a tensor copy with
// short rows. The context is that of the beat on offer, in the cycle itself. But the end of a command
// without bytes (`none`) that has come to the head of its channel is chosen first, without a beat,
// unless `none_hold_i`. It may also go together with the last beat of the burst right before it, which
// it belongs to. With `Short` such an end is known a cycle later.
//
// A command whose fill is not all written when its last burst is over has its context held, apart from
// its channel, for the last line of its fill to bring it out (tma_load_held):
//
//   write register   A's end   B's beat   A's last line of fill, and with it A's signal
//   held                   A --------> A
//
// There are never more than NumReads contexts, of channels and held. Reset: control only.

`include "tma_assert.svh"

module tma_load_contexts
  import tma_pkg::*;
  import tma_load_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Contexts as their bursts leave
  input  ctx_put_t                ctx_i,

  // The one of now
  input  logic [ChannelWidth-1:0] beat_channel_i,
  input  logic                    none_hold_i,
  output logic                    none_o,
  output logic                    wait_o,    // the beat has to wait for the end before it
  output logic [ChannelWidth-1:0] channel_o,
  output ctx_t                    ctx_o,
  output logic [LenWidth-1:0]     index_o,   // beat of the burst, from 0;
  output logic                    first_o,   // the first one,
  output logic                    last_o,    // the last one
  output logic                    failed_o,  // the command had an error
  output logic                    closes_o,  // it is the last burst of its command
  output logic                    behind_o,  // its end without bytes comes right behind this burst
  output logic [NumChannels-1:0]  some_o,    // channels with a context
  output logic [PlaceWidth-1:0]   place_o,   // of the context,
  output logic [PlaceWidth-1:0]   second_o,  // of the one behind it

  // It is done with its beat, or without one
  input  logic                    pop_i,
  input  logic                    ends_i,    // and with its burst,
  input  logic                    both_i,    // and with the end behind it
  input  logic                    fails_i,   // the beat is an error

  // What was chosen is written, with Short later: its place is free, or its command's context held
  input  logic                    now_valid_i,
  input  logic                    now_goes_i,
  input  load_step_t              now_i,
  output logic                    waits_o,   // fill of its command is not written
  input  logic                    hold_i,

  // The line of fill on offer, the last one of its command; whose context it brings
  input  logic                    fill_valid_i,
  input  fill_number_t            fill_number_i,
  input  logic                    fill_ends_i,
  input  logic                    fill_first_i,  // it goes before a beat: without an end, `ctx_o` is that context
  input  logic                    fill_go_i,     // it goes
  output logic                    fill_brings_o
);

  localparam int unsigned PtrWidth = PlaceWidth;

  typedef logic [PtrWidth-1:0] ptr_t;

  // What of a context decides whether a beat goes; it is known before the context is.
  typedef struct packed {
    logic first, last;  // burst of its command
    logic one;          // it has one beat
  } kind_t;

  logic [NumChannels-1:0][LenWidth-1:0] index_q;
  logic [NumChannels-1:0]               failed_q, none, first_q, last_q;  // last: of several beats
  ptr_t [NumChannels-1:0]               head;        // place of the channel's oldest context,
  ptr_t [NumChannels-1:0]               second;      // of the one behind it
  kind_t [NumChannels-1:0]              kind;        // of the oldest burst
  kind_t                                kind_now;    // of the one of now
  logic [NumChannels-1:0]               behind;      // which is its command's end without bytes
  logic                                 some_none;   // an end without bytes is at the head
  logic [ChannelWidth-1:0]              some_channel, none_channel;  // of this channel
  ptr_t                                 place;
  logic [NumChannels-1:0][PtrWidth:0]   count;       // contexts of the channel

  ////////////
  // Places //
  ////////////

  logic ends, over, frees, late;
  ptr_t held;

  assign ends  = pop_i && ends_i;
  assign over  = now_goes_i && now_i.ends;
  assign frees = (over && !hold_i) || (now_goes_i && now_i.fill && now_i.brings);

  tma_load_places #(.Short(Short)) u_free (
    .clk_i, .rst_ni, .place_o(place), .take_i(ctx_i.valid),
    .give_i(frees), .place_i(now_i.place), .both_i(over && now_i.both), .second_i(now_i.second), .late_o(late)
  );

  ////////////
  // Choice //
  ////////////

  always_comb begin
    some_channel = '0;
    for (int unsigned c = 0; c < NumChannels; c++) if (none[c]) some_channel = ChannelWidth'(c);
    if (wait_o) some_channel = beat_channel_i;
  end

  if (Short) begin : g_short
    always_ff @(posedge clk_i) begin
      if (!rst_ni) some_none <= 1'b0;
      else         some_none <= none != '0 && !(none_o && pop_i);
    end

    always_ff @(posedge clk_i) none_channel <= some_channel;
  end else begin : g_at_once
    assign some_none    = none != '0;
    assign none_channel = some_channel;
  end

  // Whether the end may go is known late: it chooses between two answers that are there.
  assign none_o    = some_none && !none_hold_i;
  assign channel_o = none_o ? none_channel : beat_channel_i;
  assign wait_o    = none[beat_channel_i];

  tma_ram_1r1w #(.Width($bits(ctx_t)), .Depth(NumReads)) u_ctx (
    .clk_i, .we_i(ctx_i.valid), .waddr_i(place), .wdata_i(ctx_i.ctx),
    .raddr_i(none_o ? head[none_channel] : fill_first_i ? held : head[beat_channel_i]), .rdata_o(ctx_o)
  );

  //////////
  // Held //
  //////////

  fill_number_t ahead;  // of the line on offer

  // An end behind a burst is of a load with fill.
  assign ahead   = now_i.ctx.number - fill_number_i;
  assign waits_o = (now_i.ctx.fills || now_i.both) && fill_valid_i && ahead < fill_number_t'(1 << FillIndex);

  tma_load_held u_held (
    .clk_i, .rst_ni, .hold_i(over && hold_i), .number_i(now_i.ctx.number), .place_i(now_i.place),
    .fill_number_i, .fill_ends_i, .fill_go_i, .brings_o(fill_brings_o), .place_o(held)
  );

  // The command's first burst forgets what the channel's last command left.
  assign index_o  = none_o ? '0 : index_q[beat_channel_i];
  assign first_o  = none_o || first_q[beat_channel_i];
  assign last_o   = first_o ? kind_now.one : last_q[beat_channel_i];
  assign failed_o = failed_q[channel_o] && !(kind_now.first && first_o);
  assign closes_o = kind_now.last;
  assign kind_now = none_o ? kind[none_channel] : kind[beat_channel_i];
  assign behind_o = behind[channel_o] && !late && !(Short && now_valid_i && now_i.both);
  assign place_o  = fill_first_i && !none_o ? held : head[channel_o];
  assign second_o = second[channel_o];

  logic unused_now;
  assign unused_now = ^{now_valid_i, now_i};

  //////////////
  // Channels //
  //////////////

  function automatic ptr_t next(input ptr_t ptr);
    return ptr == ptr_t'(NumReads - 1) ? '0 : ptr + ptr_t'(1);
  endfunction

  for (genvar c = 0; c < NumChannels; c++) begin : g_channel
    ptr_t              wr_q, rd_q;
    logic [PtrWidth:0] count_q;
    logic              put, take, takes_both, head_none, second_end;
    logic              some_q, more;  // contexts are here; are left when some are taken

    assign put     = ctx_i.valid && ctx_i.channel == ChannelWidth'(c);
    assign take    = ends && channel_o == ChannelWidth'(c);
    assign none[c] = head_none && some_q;
    assign some_o[c] = some_q;
    assign count[c]  = count_q;
    assign more    = takes_both ? count_q > (PtrWidth+1)'(2) : count_q > (PtrWidth+1)'(1);

    assign takes_both = take && both_i;
    assign behind[c]  = second_end && count_q > (PtrWidth+1)'(1);

    kind_t put_kind;

    assign put_kind = '{first: ctx_i.ctx.burst.first, last: ctx_i.ctx.burst.last,
                        one: ctx_i.ctx.burst.len == '0};

    tma_ram_1r1w #(.Width($bits(kind_t) + PtrWidth + 1), .Depth(NumReads)) u_places (
      .clk_i, .we_i(put), .waddr_i(wr_q), .wdata_i({put_kind, ctx_i.ctx.burst.none, place}),
      .raddr_i(rd_q), .rdata_o({kind[c], head_none, head[c]})
    );

    tma_ram_1r1w #(.Width(PtrWidth + 1), .Depth(NumReads)) u_second (
      .clk_i, .we_i(put), .waddr_i(wr_q),
      .wdata_i({ctx_i.ctx.burst.none && !ctx_i.ctx.burst.first, place}),
      .raddr_i(next(rd_q)), .rdata_o({second_end, second[c]})
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        wr_q       <= '0;
        rd_q       <= '0;
        count_q    <= '0;
        some_q     <= 1'b0;
        index_q[c] <= '0;
        first_q[c] <= 1'b1;
      end else begin
        if (put)  wr_q <= next(wr_q);
        if (take) rd_q <= takes_both ? next(next(rd_q)) : next(rd_q);
        count_q <= count_q + (PtrWidth+1)'(put) - (PtrWidth+1)'(take) - (PtrWidth+1)'(takes_both);
        some_q  <= put || (take ? more : some_q);
        if (pop_i && channel_o == ChannelWidth'(c)) begin
          index_q[c] <= ends_i ? '0 : index_q[c] + LenWidth'(1);
          first_q[c] <= ends_i;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop_i) begin
      failed_q[channel_o] <= failed_o || fails_i;
      last_q[channel_o]   <= index_o + LenWidth'(1) == ctx_o.burst.len;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  int used;  // places of the channels, and of commands that are held

  always_comb begin
    used = $countones(u_held.held_q);
    for (int unsigned c = 0; c < NumChannels; c++) used += int'(count[c]);
  end

  int going;  // places of what is chosen, with Short

  assign going = Short && now_valid_i ? int'(now_i.ends || (now_i.fill && now_i.brings)) + int'(now_i.both) : 0;

  `TMA_ASSERT(PlacesAreAll, used + going + u_free.known == NumReads)
`endif
  `TMA_ASSERT(KindIsOfTheContext,
      pop_i |-> kind_now == {ctx_o.burst.first, ctx_o.burst.last, ctx_o.burst.len == '0})
  `TMA_ASSERT(NoneEndsAtOnce, none_o && pop_i |-> ends_i && ctx_o.burst.none)
  `TMA_ASSERT(HeldIsOver, hold_i && now_valid_i |-> now_i.ends && (now_i.ctx.burst.last || now_i.both))
  `TMA_ASSERT(BothOfOneCommand, pop_i && both_i |-> ends_i && behind_o && !ctx_o.burst.last)
  `TMA_COVER(HeldOfBoth, now_goes_i && hold_i && now_i.both)
  `TMA_COVER(NoneBehindBursts, none_o && failed_o)
  `TMA_COVER(NonesOfSeveral, (none & (none - NumChannels'(1))) != '0)

endmodule
