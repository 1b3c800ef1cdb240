// SPDX-License-Identifier: Apache-2.0
// Bulk prefetches: page by page, beside the commands of the load path.
//
//   commands --> FIFO --> the one of now --> page_o, to the guard
//                 ^--------- rest --/
//
// A prefetch is a hint of up to 4 GiB. So that nobody waits for all of it, those that are here take
// turns, a page each, and the pages go when the guard has a row to spare (tma_load_rows). What is left
// of a prefetch whose queue is not active any more is dropped when its turn comes.
//
// A page per cycle when there is one prefetch, else one every other cycle. A command has its first page
// on offer in the second cycle after it. A prefetch is done when its last page has left the guard. Short: commands wait in
// block memory, and are there two cycles later.
// `page_o` is withdrawn when its queue closes. Reset: control only.

`include "tma_assert.svh"

module tma_load_prefetch
  import tma_pkg::*;
#(
  parameter int unsigned Depth = 8,
  parameter bit          Short = ShortPaths
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic [NumQueues-1:0]       active_i,

  // Commands in
  input  logic                       cmd_valid_i,
  output logic                       cmd_ready_o,
  input  prefetch_cmd_t              cmd_i,
  output logic [$clog2(Depth+1)-1:0] level_o,

  // Pages out; pulse: the page that was taken has left the guard
  output logic                       page_valid_o,
  input  logic                       page_ready_i,
  output fetch_t                     page_o,
  output hint_t                      hint_o,
  input  logic                       left_i,

  output logic                       done_o,
  output queue_t                     done_queue_o,
  output logic                       idle_o
);

  logic          valid_q;             // of the one of now
  prefetch_cmd_t now_q, next, rest;
  logic          next_valid, room;
  logic          turn_q;              // of another one
  logic          active, is_tail, taken, ends, drop, swap;
  logic          guarded_q, last_q;   // a page is in the guard, the last one of its command
  queue_t        guarded_queue_q;
  logic [8:0]    to_page;

  tma_fifo_block #(.Width($bits(prefetch_cmd_t)), .Depth(Depth), .Block(Short)) u_cmd (
    .clk_i, .rst_ni,
    .in_valid_i(cmd_valid_i || swap), .in_ready_o(room), .in_i(cmd_valid_i ? cmd_i : now_q),
    .out_valid_o(next_valid), .out_ready_i(!valid_q || ends || swap), .out_o(next), .level_o
  );

  assign cmd_ready_o = room;

  //////////
  // Page //
  //////////

  assign active       = active_i[now_q.qid];
  assign to_page      = chunks_to_page_end(now_q.gchunk[7:0]);
  assign is_tail      = now_q.chunks <= PrefetchChunks'(to_page);
  assign page_valid_o = valid_q && active && !turn_q;
  assign taken        = page_valid_o && page_ready_i;
  assign hint_o       = now_q.hint;

  always_comb begin
    page_o        = '0;
    page_o.qid    = now_q.qid;
    page_o.gaddr  = {now_q.gchunk, 4'b0};
    page_o.chunks = is_tail ? now_q.chunks[8:0] : to_page;

    rest        = now_q;
    rest.gchunk = {now_q.gchunk[59:8] + 52'd1, 8'b0};
    rest.chunks = now_q.chunks - PrefetchChunks'(to_page);
  end

  //////////
  // Turn //
  //////////

  // A command that comes in this cycle goes first; when the FIFO is full nobody gives way.
  assign drop = valid_q && !active && !guarded_q;
  assign swap = valid_q && active && turn_q && !cmd_valid_i && room;
  assign ends = (taken && is_tail) || drop;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q   <= 1'b0;
      turn_q    <= 1'b0;
      guarded_q <= 1'b0;
    end else begin
      if (!valid_q || ends || swap) valid_q <= next_valid;
      turn_q <= taken ? !is_tail && next_valid : turn_q && room && !swap && !ends;
      if (taken)       guarded_q <= 1'b1;
      else if (left_i) guarded_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!valid_q || ends || swap) now_q <= next;
    else if (taken)               now_q <= rest;
    if (taken) begin
      last_q          <= is_tail;
      guarded_queue_q <= now_q.qid;
    end
  end

  //////////
  // Done //
  //////////

  assign done_o       = drop || (left_i && last_q);
  assign done_queue_o = drop ? now_q.qid : guarded_queue_q;
  assign idle_o       = !valid_q && !cmd_valid_i && !next_valid && level_o == '0 && !guarded_q;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(CommandHasRoom, cmd_valid_i |-> room)
  `TMA_ASSERT(CommandHasBytes, cmd_valid_i |-> cmd_i.chunks != '0)
  `TMA_ASSERT(AnotherHasItsTurn, turn_q |-> valid_q && next_valid)
  `TMA_ASSERT(OnlyTakenLeave, left_i |-> guarded_q)
  `TMA_ASSERT(PageStaysInPage, page_valid_o |-> page_o.chunks != '0 && page_o.chunks <= to_page)
  `TMA_COVER(GivesWay, swap)
  `TMA_COVER(GivesNoWayWhenFull, turn_q && !room)
  `TMA_COVER(CommandBeforeRest, turn_q && cmd_valid_i)
  `TMA_COVER(DroppedInTheMiddle, drop && last_q == 1'b0)
  `TMA_COVER(WaitsForItsPage, valid_q && !active && guarded_q)

endmodule
