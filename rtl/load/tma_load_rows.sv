// SPDX-License-Identifier: Apache-2.0
// Whose row enters the guard next: one of the commands, page by page, a fetch, or a page of a bulk
// prefetch.
//
//   row, item --> page cut ---+
//   ring, maps ---------------+--> row_o, and one cycle later item_o or fetch_o
//   prefetches ---------------+
//
// Rows and fetches take turns, and so do the fetches of both. A page of a prefetch goes when nobody
// else can, or after 63 others. A row enters only when all that its burst needs is there, so no row
// waits in the guard for anything but AR: a row of a command waits for one fetch and one page at most, a
// fetch for one of the other kind, one page, and one row of a command more than for these. With Short
// what a row needs is not known yet when it is chosen: it enters when there is room for any row of a
// command. Then room and whose turn it is are known from the cycle before, which
// the guard is busy in if it took a row: it has to take none in two cycles in a row.
//
// No latency, with Short a cycle of those whose turn it was not; the readys depend on `row_ready_i`, the valids and the limits. Reset: control only.

`include "tma_assert.svh"

module tma_load_rows
  import tma_pkg::*;
  import tma_load_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Rows of commands in
  input  logic                    src_valid_i,
  output logic                    src_ready_o,
  input  row_t                    src_row_i,
  input  item_t                   src_item_i,

  // Fetches in: 0 of the ring, 1 of maps, 2 pages of prefetches
  input  logic [2:0]              fetch_valid_i,
  output logic [2:0]              fetch_ready_o,
  input  fetch_t [2:0]            fetch_i,
  input  hint_t                   page_hint_i,

  // Limits
  input  logic                    slot_free_i,    // a read may be issued
  input  logic                    end_free_i,     // so may the end of a load of fill alone
  input  logic                    cp_full_i,
  input  logic                    hold_i,         // no rows of commands for now

  // Rows out
  output logic                    row_valid_o,
  input  logic                    row_ready_i,
  output row_t                    row_o,
  output queue_t                  row_queue_o,
  output logic                    row_slot_o,     // it needs a read slot
  output logic                    row_load_o,     // it needs a context in its channel,
  output logic [ChannelWidth-1:0] row_channel_o,  // this one
  output logic                    row_cp_o,       // it needs a context of cp.async
  output logic                    row_copy_o,     // it is one of a load or prefetch

  // The row that was taken last
  output logic                    fetched_o,      // it is a fetch, else of the command of item_o
  output logic                    page_o,         // this fetch is a page,
  output hint_t                   page_hint_o,    // this one's
  output fetch_t                  fetch_o,        // newest fetch
  output item_t                   item_o,         // newest command that had a row taken

  output logic                    begins_o,       // of that command's row it is the beginning
  output logic                    rest_o,         // there is more of that command's row
  input  logic                    drop_i          // and it is to be dropped
);

  //////////////
  // Commands //
  //////////////

  row_t       part;
  logic       part_valid, part_ready, part_may;
  item_t      item_q;
  logic [2:0] client;
  logic       part_slot;

  tma_page_cut u_cut (
    .clk_i, .rst_ni, .row_valid_i(src_valid_i), .row_ready_o(src_ready_o), .row_i(src_row_i),
    .row_valid_o(part_valid), .row_ready_i(part_ready), .row_o(part),
    .held_o(rest_o), .abort_i(drop_i)
  );

  assign client        = rest_o ? item_q.client : src_item_i.client;
  assign row_channel_o = rest_o ? item_q.channel : src_item_i.channel;

  always_comb begin
    part_slot = 1'b1;
    if (client == ClientPrefetch) part_slot = !part.none;
    if (client == ClientCp) part_slot = cp_reads(src_item_i.cp.arrive, src_item_i.cp.valid);
  end

  // For any row; for one of a command. With Short whose turn it is does not wait for a slot: who waits has it when it comes.
  logic slot_free, slot_turn, room;

  if (Short) begin : g_room
    always_ff @(posedge clk_i) begin
      slot_free <= rst_ni && slot_free_i;
      room      <= rst_ni && end_free_i && !cp_full_i;
    end
  end else begin : g_rooms
    assign slot_free = slot_free_i;
    assign room      = slot_free_i && (end_free_i || !(part.none && part.first)) && (!cp_full_i || client != ClientCp);
  end

  assign slot_turn = Short || slot_free;
  assign part_may  = !hold_i && room;

  //////////
  // Turn //
  //////////

  logic       fetch_last_q, map_last_q, pick_fetch, pick_map, pick_page, fetch_turn, page_turn, may_part, may_fetch, may_page;
  logic       taken;
  logic [5:0] passed_q;  // rows that a page has let pass
  fetch_t     fetch;

  assign pick_map = fetch_valid_i[1] && (!fetch_valid_i[0] || !map_last_q);
  assign fetch    = pick_page ? fetch_i[2] : fetch_i[pick_map];

  assign may_part   = part_valid && part_may;
  assign may_fetch  = fetch_valid_i[1:0] != '0 && slot_turn;
  assign may_page   = fetch_valid_i[2] && slot_turn;
  assign page_turn  = may_page && ((!may_part && !may_fetch) || passed_q == '1);
  assign fetch_turn = page_turn || (may_fetch && (!may_part || !fetch_last_q));

  if (Short) begin : g_turn
    logic page_turn_q, fetch_turn_q;

    always_ff @(posedge clk_i) begin
      page_turn_q  <= rst_ni && page_turn;
      fetch_turn_q <= rst_ni && fetch_turn;
    end

    assign pick_page   = page_turn_q;
    assign pick_fetch  = fetch_turn_q;
    assign row_valid_o = slot_free && (pick_page ? may_page : pick_fetch ? may_fetch : may_part);
    assign part_ready  = row_ready_i && slot_free && part_may && !pick_fetch;
  end else begin : g_turns
    assign pick_page   = page_turn;
    assign pick_fetch  = fetch_turn;
    assign row_valid_o = may_part || may_fetch || may_page;
    // Whether there is a part is known late, and does not matter to it.
    assign part_ready  = row_ready_i && part_may && !(may_page && passed_q == '1) && !(may_fetch && !fetch_last_q);
  end

  assign row_queue_o   = pick_fetch ? fetch.qid
                       : rest_o     ? item_q.signal.origin.qid : src_item_i.signal.origin.qid;
  assign fetch_ready_o = {3{row_ready_i && pick_fetch && slot_free}} &
                         (pick_page ? 3'b100 : {1'b0, pick_map, !pick_map});
  assign taken         = row_valid_o && row_ready_i;

  always_comb begin
    row_o = part;
    if (pick_fetch) begin
      row_o.gaddr  = fetch.gaddr;
      row_o.chunks = RowChunks'(fetch.chunks);
      row_o.odd    = '0;
      row_o.none   = 1'b0;
      row_o.first  = 1'b1;
      row_o.last   = 1'b1;
    end
  end

  assign row_slot_o = pick_fetch ? !fetch.probe : part_slot;
  assign row_load_o = !pick_fetch && client == ClientLoad;
  assign row_cp_o   = !pick_fetch && client == ClientCp;
  assign row_copy_o = !pick_fetch && client != ClientCp;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fetch_last_q <= 1'b0;
      map_last_q   <= 1'b0;
    end else if (taken) begin
      fetch_last_q <= pick_fetch;
      if (pick_fetch && !pick_page) map_last_q <= pick_map;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!fetch_valid_i[2])                   passed_q <= '0;
    else if (taken && pick_page)             passed_q <= '0;
    else if (taken && passed_q != '1)        passed_q <= passed_q + 6'd1;
  end

  //////////
  // Kept //
  //////////

  fetch_t fetch_q;
  logic   page_q, begins_q;
  hint_t  page_hint_q;

  always_ff @(posedge clk_i) begin
    if (part_valid && part_ready)   begins_q <= !rest_o;
    if (src_valid_i && src_ready_o) item_q <= src_item_i;
    if (pick_fetch && row_ready_i && row_valid_o) begin
      fetch_q <= fetch;
      page_q  <= pick_page;
    end
    if (pick_page && row_ready_i && row_valid_o) page_hint_q <= page_hint_i;
  end

  assign begins_o    = begins_q;
  assign page_o      = page_q;
  assign page_hint_o = page_hint_q;

  assign fetched_o = fetch_last_q;
  assign fetch_o   = fetch_q;
  assign item_o    = item_q;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(CpIsOneChunk, src_valid_i && src_item_i.client == ClientCp |-> src_row_i.chunks == 1)
  `TMA_ASSERT(NoRowBehindARow, Short && taken |=> !row_ready_i)
  `TMA_ASSERT(FetchOfItsOwn, !(fetch_valid_i[0] && fetch_i[0].of_map) &&
      !(fetch_valid_i[1] && !fetch_i[1].of_map))
  `TMA_ASSERT_STABLE(FetchIsStable, fetch_valid_i[0], fetch_ready_o[0], fetch_i[0])
  `TMA_ASSERT_STABLE(MapFetchIsStable, fetch_valid_i[1], fetch_ready_o[1], fetch_i[1])
  `TMA_ASSERT(PartGoesInItsTurn, part_valid |-> part_ready == (row_ready_i && slot_free && may_part && !pick_fetch))
  `TMA_COVER(FetchInACommand, fetch_ready_o != '0 && rest_o)
  `TMA_COVER(CommandWaitsForFetch, may_part && pick_fetch)
  `TMA_COVER(FetchWaitsForCommand, may_part && may_fetch && !pick_fetch)
  `TMA_COVER(BothFetch, fetch_valid_i[1:0] == '1)
  `TMA_COVER(PageHasWaited, pick_page && (may_part || may_fetch))
  `TMA_COVER(Probe, pick_fetch && fetch.probe)
  `TMA_COVER(EndWaits, part_valid && !hold_i && slot_free_i && !part_may && part.none)
  `TMA_COVER(CpIsFull, part_valid && client == ClientCp && cp_full_i)

endmodule
