// SPDX-License-Identifier: Apache-2.0
// Whose row enters the guard next: one of the commands, page by page, or a fetch of the rings.
//
//   command --> page cut ---+
//                           +--> row_o, and one cycle later item_o
//   fetch ------------------+
//
// Both take turns. A row enters only when all that its burst needs is there, so no row waits in the
// guard for anything but AR: a fetch waits for a row of a command at most, and the other way round.
// Commands are spread over the read channels in turn; the rows of one stay on one channel.
//
// No latency; `cmd_ready_o` and `fetch_ready_o` depend on `row_ready_i`, the valids and the limits.
// Reset: control only.

`include "tma_assert.svh"

module tma_load_rows
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Commands and fetches in
  input  logic                   cmd_valid_i,
  output logic                   cmd_ready_o,
  input  load_cmd_t              cmd_i,
  input  logic                   fetch_valid_i,
  output logic                   fetch_ready_o,
  input  fetch_t                 fetch_i,

  // Limits
  input  logic                   slot_free_i,     // a read may be issued
  input  logic [NumChannels-1:0] channel_full_i,
  input  logic                   cp_full_i,
  input  logic                   hold_i,          // no rows of commands for now

  // Rows out
  output logic                   row_valid_o,
  input  logic                   row_ready_i,
  output row_t                   row_o,
  output queue_t                 row_queue_o,
  output logic                   row_reads_o,     // it needs a read slot
  output logic                   row_load_o,      // it needs room in its channel,
  output logic [ChannelWidth-1:0] row_channel_o,  // this one
  output logic                   row_cp_o,        // it needs a context of cp.async

  // The row that was taken last
  output logic                   fetched_o,       // it is a fetch, else of the command of item_o
  output queue_t                 fetch_queue_o,
  output item_t                  item_o,          // newest command that had a row taken

  output logic                   rest_o,          // there is more of that command
  input  logic                   drop_i           // and it is to be dropped
);

  //////////////
  // Commands //
  //////////////

  row_t                    whole, part;
  logic                    part_valid, part_ready, part_may;
  item_t                   item_q, item;
  logic [ChannelWidth-1:0] channel_q;  // of the next command

  assign whole.gaddr  = {cmd_i.gaddr[63:4], 4'b0};
  assign whole.saddr  = cmd_i.saddr;
  assign whole.chunks = cmd_i.chunks;
  assign whole.first  = 1'b1;
  assign whole.last   = 1'b1;

  tma_page_cut u_cut (
    .clk_i, .rst_ni, .row_valid_i(cmd_valid_i), .row_ready_o(cmd_ready_o), .row_i(whole),
    .row_valid_o(part_valid), .row_ready_i(part_ready), .row_o(part),
    .held_o(rest_o), .abort_i(drop_i)
  );

  assign item = '{client: cmd_i.client, channel: channel_q, hint: cmd_i.hint, cp: cmd_i.cp,
                  low: cmd_i.gaddr[3:0], signal: cmd_i.signal};

  logic [2:0]              client;
  logic                    reads;

  assign client        = rest_o ? item_q.client : cmd_i.client;
  assign reads         = client != ClientCp || cp_reads(cmd_i.cp.arrive, cmd_i.cp.valid);
  assign row_channel_o = rest_o ? item_q.channel : channel_q;

  always_comb begin
    part_may = !hold_i && slot_free_i;
    if (client == ClientLoad && channel_full_i[row_channel_o]) part_may = 1'b0;
    if (client == ClientCp && cp_full_i)                       part_may = 1'b0;
  end

  //////////
  // Turn //
  //////////

  logic fetch_last_q, pick_fetch, may_part, may_fetch, taken;

  assign may_part   = part_valid && part_may;
  assign may_fetch  = fetch_valid_i && slot_free_i;
  assign pick_fetch = may_fetch && (!may_part || !fetch_last_q);

  assign row_valid_o   = may_part || may_fetch;
  assign row_queue_o   = pick_fetch ? fetch_i.qid
                       : rest_o     ? item_q.signal.origin.qid : cmd_i.signal.origin.qid;
  assign part_ready    = row_ready_i && may_part && !pick_fetch;
  assign fetch_ready_o = row_ready_i && pick_fetch;
  assign taken         = row_valid_o && row_ready_i;

  always_comb begin
    row_o = part;
    if (pick_fetch) begin
      row_o.gaddr  = fetch_i.gaddr;
      row_o.chunks = RowChunks'(fetch_i.chunks);
      row_o.first  = 1'b1;
      row_o.last   = 1'b1;
    end
  end

  assign row_reads_o = pick_fetch || reads;
  assign row_load_o  = !pick_fetch && client == ClientLoad;
  assign row_cp_o    = !pick_fetch && client == ClientCp;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      channel_q    <= '0;
      fetch_last_q <= 1'b0;
    end else begin
      if (cmd_valid_i && cmd_ready_o) channel_q <= channel_q + ChannelWidth'(1);
      if (taken) fetch_last_q <= pick_fetch;
    end
  end

  //////////
  // Kept //
  //////////

  queue_t fetch_queue_q;

  always_ff @(posedge clk_i) begin
    if (cmd_valid_i && cmd_ready_o)   item_q        <= item;
    if (fetch_valid_i && fetch_ready_o) fetch_queue_q <= fetch_i.qid;
  end

  assign fetched_o     = fetch_last_q;
  assign fetch_queue_o = fetch_queue_q;
  assign item_o        = item_q;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(CpIsOneChunk, cmd_valid_i && cmd_i.client == ClientCp |-> cmd_i.chunks == 1)
  `TMA_ASSERT_STABLE(FetchIsStable, fetch_valid_i, fetch_ready_o, fetch_i)
  `TMA_COVER(FetchInACommand, fetch_ready_o && rest_o)
  `TMA_COVER(CommandWaitsForFetch, may_part && pick_fetch)
  `TMA_COVER(FetchWaitsForCommand, may_part && may_fetch && !pick_fetch)
  `TMA_COVER(ChannelIsFull, part_valid && client == ClientLoad && channel_full_i[row_channel_o])
  `TMA_COVER(CpIsFull, part_valid && client == ClientCp && cp_full_i)

endmodule
