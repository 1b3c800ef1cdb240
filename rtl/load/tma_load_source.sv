// SPDX-License-Identifier: Apache-2.0
// Makes rows of the commands: one of a bulk copy or cp.async, those of its walk of a tensor copy.
//
//   bulk, cp.async: the row --+--> row_o, item_o
//                            /
//   rows of the walker -----+----> fill_o
//
// The two kinds have no order: whatever tensor copies wait for in front of the walker, the others go on.
// Where both have a row they take turns, a walk for a row; of a walk that has begun to read, no row is
// held up. With Short whose turn it is is in a register: a cycle passes before a walk has its turn. Of a row of a load,
// what is out of bounds goes with its data (tma_load_beside), or else to the fills in the cycle in which the row is taken.
// A row without data goes no further, but the last one does, without bytes: the end of its command. `first` is that of the
// rows that go on. Loads with fill are numbered in their order: by its number the end of a load knows whether its fill is
// written.
//
// One row per cycle, no latency. Loads of either kind are spread over its read channels in turn, as
// tma_groups counts them. Reset: control only.

`include "tma_assert.svh"

module tma_load_source
  import tma_pkg::*;
  import tma_tensor_pkg::*;
  import tma_load_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  // The next command that is no tensor copy
  input  logic         cmd_valid_i,
  output logic         cmd_ready_o,
  input  plain_cmd_t   cmd_i,

  // Rows of the walker; `walk_stop_o` drops the rest of the walk, and the row on offer
  input  logic         walk_valid_i,
  output logic         walk_ready_o,
  input  tensor_row_t  walk_i,
  input  walk_item_t   walk_item_i,
  output logic         walk_stop_o,

  // Rows with data or at the end of their command out
  output logic         row_valid_o,
  input  logic         row_ready_i,
  output row_t         row_o,
  output item_t        item_o,
  output logic         alone_o,  // it can share a burst: tma_row_join
  output logic         apart_o,  // and has no place in shared memory

  // What of rows is out of bounds; `fill_ready_i` depends on registers alone
  output logic         fill_valid_o,
  input  logic         fill_ready_i,
  output fill_t        fill_o,

  input  logic         hold_i,  // no rows for now
  output logic         rest_o,  // of the command whose row was taken last there is more,
  output logic         pass_o,  // and for now no row of that, but fill
  input  logic         drop_i   // and it is to be dropped
);

  ///////////
  // Turns //
  ///////////

  logic walking;   // it is the walk's turn
  logic walk_may;  // if so, its row goes on
  logic sent_q;    // a row of this walk went on, its last one did not
  logic turn_q;    // of both it is the walk's
  logic pick;      // so its row is chosen
  logic plain_taken, taken;

  assign walking     = sent_q || pick;
  assign cmd_ready_o = !walking && row_ready_i;
  assign plain_taken = cmd_valid_i && cmd_ready_o;

  // A turn in which no row can go on is over at once.
  logic turn;  // in the next cycle

  always_comb begin
    turn = turn_q;
    if (plain_taken)                               turn = 1'b1;
    else if (walk_valid_i && (taken || !walk_may)) turn = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= 1'b0;
    else         turn_q <= turn;
  end

  if (Short) begin : g_pick
    always_ff @(posedge clk_i) pick <= rst_ni && walk_valid_i && (turn || !cmd_valid_i);
  end else begin : g_picks
    assign pick = walk_valid_i && (turn_q || !cmd_valid_i);
  end

  /////////////////////////
  // Row of the walker   //
  /////////////////////////

  logic         is_load, has_data, has_fill, goes_on, room, walk_ends;
  chunk_addr_t  data_at;   // where the data begins
  logic [RowChunks-1:0] head, tail;  // chunks of fill that do not go with the data
  logic [ChunkIdx-1:0]  lead, trail; // and that do
  logic [ChunkIdx-1:0]  lane;         // of the first chunk of data
  logic         filled_q;  // a row of this walk had fill, the last one is not taken
  fill_number_t number_q;  // of this walk, if it has fill

  assign lane = walk_i.gaddr[4 +: ChunkIdx] & ChunkIdx'(Chunks - 1);

  tma_load_beside u_beside (
    .lane_i(lane), .saddr_i(walk_i.saddr),
    .head_i(walk_i.head), .chunks_i(walk_i.chunks), .tail_i(walk_i.tail),
    .lead_o(lead), .trail_o(trail)
  );

  assign is_load  = walk_item_i.client == ClientLoad;
  assign has_data = walk_i.chunks != '0;
  assign data_at  = walk_i.saddr + chunk_addr_t'(walk_i.head);
  assign head     = walk_i.head - RowChunks'(lead);
  assign tail     = walk_i.tail - RowChunks'(trail);
  assign has_fill = is_load && (head != '0 || tail != '0);
  assign goes_on  = has_data || walk_i.last;
  assign room     = !has_fill || fill_ready_i;

  assign walk_may     = goes_on && room;
  assign walk_ready_o = room && (goes_on ? walking && row_ready_i : !hold_i);
  assign taken        = walk_valid_i && walk_ready_o;
  assign walk_stop_o  = drop_i && sent_q;
  assign walk_ends    = (taken && walk_i.last) || walk_stop_o;
  assign rest_o       = sent_q;
  assign pass_o       = sent_q && walk_valid_i && !walk_may;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)               sent_q <= 1'b0;
    else if (walk_ends)        sent_q <= 1'b0;
    else if (taken && goes_on) sent_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      filled_q <= 1'b0;
      number_q <= '0;
    end else begin
      if (walk_ends)         filled_q <= 1'b0;
      else if (fill_valid_o) filled_q <= 1'b1;
      if (walk_ends && (filled_q || fill_valid_o)) number_q <= number_q + fill_number_t'(1);
    end
  end

  /////////
  // Out //
  /////////

  logic [1:0][TurnWidth-1:0] channel_q;  // of the load whose rows come next, tensor copies: 1
  logic [1:0]                load_ends;

  assign row_valid_o = walking ? walk_valid_i && walk_may : cmd_valid_i;

  always_comb begin
    row_o        = '0;
    row_o.gaddr  = {cmd_i.gaddr[63:4], 4'b0};
    row_o.saddr  = cmd_i.saddr;
    row_o.chunks = cmd_i.chunks;
    row_o.first  = 1'b1;
    row_o.last   = 1'b1;
    if (walking) begin
      row_o.gaddr  = {walk_i.gaddr[63:4], 4'b0};
      row_o.saddr  = data_at;
      row_o.chunks = has_data ? walk_i.chunks : RowChunks'(1);
      row_o.odd    = walk_i.odd;
      row_o.none   = !has_data;
      row_o.first  = !sent_q;
      row_o.last   = walk_i.last;
    end
  end

  always_comb begin
    item_o = '{client: cmd_i.client, channel: {1'b0, channel_q[0]}, hint: cmd_i.hint, cp: cmd_i.cp,
               low: cmd_i.gaddr[3:0], fault: tma_isa_pkg::FaultNone, dst: cmd_i.dst,
               layout: '{swizzle: SwizzleOff, format: FormatPlain, nan: 1'b0},
               lead: '0, trail: '0, pair: 1'b0, signal: cmd_i.signal, fills: 1'b0, number: number_q};
    if (walking) begin
      item_o = '{client: walk_item_i.client, channel: {1'b1, channel_q[1]},
                 hint: walk_item_i.hint, cp: '0, low: walk_i.gaddr[3:0], fault: walk_item_i.fault, dst: walk_item_i.dst,
                 layout: walk_item_i.layout, lead: lead, trail: trail, pair: 1'b0, signal: walk_item_i.signal,
                 fills: filled_q || has_fill, number: number_q};
    end
  end

  // Of a load a chunk of data, whose bytes are all written; of a prefetch what lies in one line.
  logic one_line, padded;

  assign one_line = RowChunks'(lane) + walk_i.chunks <= RowChunks'(Chunks);
  assign padded   = walk_item_i.layout.format == FormatPad4 || walk_item_i.layout.format == FormatPad6;
  assign apart_o  = walk_item_i.client == ClientPrefetch;
  assign alone_o  = walking && has_data &&
                    (apart_o ? one_line : walk_i.chunks == RowChunks'(1) && walk_i.odd == '0 && !padded);

  assign load_ends = {walk_ends && is_load, plain_taken && cmd_i.client == ClientLoad};

  for (genvar k = 0; k < 2; k++) begin : g_channel
    always_ff @(posedge clk_i) begin
      if (!rst_ni)           channel_q[k] <= '0;
      else if (load_ends[k]) channel_q[k] <= channel_q[k] + TurnWidth'(1);
    end
  end

  //////////
  // Fill //
  //////////

  chunk_addr_t behind;  // the data and what goes with it

  assign behind       = data_at + chunk_addr_t'(walk_i.chunks) + chunk_addr_t'(trail);
  assign fill_valid_o = taken && has_fill;

  always_comb begin
    fill_o.first      = !filled_q;
    fill_o.qid        = walk_item_i.signal.origin.qid;
    fill_o.ctas       = walk_item_i.dst;
    fill_o.layout     = walk_item_i.layout;
    fill_o.addr       = walk_i.saddr;
    fill_o.count      = FillWidth'(head);
    fill_o.next_addr  = behind;
    fill_o.next_count = FillWidth'(tail);
    if (head == '0) begin
      fill_o.addr       = behind;
      fill_o.count      = FillWidth'(tail);
      fill_o.next_count = '0;
    end
  end

  // What a walk says for stores.
  logic unused_fields;
  assign unused_fields = ^{walk_item_i.cta, walk_item_i.reduce, walk_item_i.how, walk_i.none, walk_i.first};

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // Walks of which rows went on since a command waits.
  logic [1:0] passed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !cmd_valid_i || plain_taken) passed_q <= '0;
    else passed_q <= passed_q + 2'(walk_ends && walking && passed_q != '1);
  end

  `TMA_ASSERT(PassedByOneWalk, passed_q <= 2'd1)
`endif
  `TMA_ASSERT(WaitsForNoSetUp, cmd_valid_i && !sent_q && !walk_valid_i && !(Short && pick) |-> row_valid_o && !walking)
  `TMA_ASSERT(PickIsOver, Short && cmd_valid_i && !walk_valid_i |=> !pick)
  `TMA_ASSERT(FirstRowAfterTheLast, walk_valid_i && walk_i.first |-> !sent_q)
  `TMA_ASSERT(FaultHasNoBytes, walk_valid_i && walk_item_i.fault != tma_isa_pkg::FaultNone |->
      walk_i.none && walk_i.last)
  `TMA_ASSERT(NoneHasNoBytes, walk_valid_i && walk_i.none |-> !has_data && !has_fill)
  `TMA_ASSERT(PaddedRowIsWhole, walk_valid_i && has_data &&
      (walk_item_i.layout.format == FormatPad4 || walk_item_i.layout.format == FormatPad6) |->
      walk_i.head == '0 && walk_i.tail == '0 && walk_i.odd == '0 && walk_i.saddr[2:0] == '0 && walk_i.chunks <= 6)
  `TMA_ASSERT_STABLE(FillIsTaken, fill_valid_o, fill_ready_i, fill_o)
  `TMA_COVER(PlainWaitsForWalk, cmd_valid_i && walking)
  `TMA_COVER(WalkWaitsForPlain, walk_valid_i && walk_may && !walking)
  `TMA_COVER(PlainInAWalk, plain_taken && walk_valid_i && !walk_i.first)
  `TMA_COVER(TurnIsOfNoUse, cmd_valid_i && turn_q && walk_valid_i && !sent_q && !walk_may)
  `TMA_COVER(FillIsFull, walk_valid_i && !room)
  `TMA_COVER(OnlyFill, taken && !goes_on && has_fill)
  `TMA_COVER(FillOnBothSides, taken && lead != '0 && trail != '0)
  `TMA_COVER(SkippedPrefetch, taken && !goes_on && !is_load)
  `TMA_COVER(FirstRowIsFill, taken && walk_i.first && !goes_on && is_load)
  `TMA_COVER(Stopped, walk_stop_o)

endmodule
