// SPDX-License-Identifier: Apache-2.0
// Turns rows and fetches into read bursts and remembers what each of them is for.
//
//   row, fetch --> rows --> guard --> AR of the read port
//                             |
//                             +-----> burst context (tma_load_data), cp.async context
//
// Prefetches and fetches have ids of their own and no context. Some rows read nothing and pass the
// guard for the sake of their order: a cp.async of zeroes and an arrival; the end of a command without
// bytes, of which a load's has a context like a burst; a fetch that is a probe.
//
// Throughput: one burst per cycle, across commands. Latency: a cycle from the row to AR, and the port's register. With
// ShortPaths, a burst every third cycle and a cycle more. A row enters the guard only when its data can be sunk and its
// signal held: at most NumReads bursts and waiting signals together.
//
// An error of a burst takes effect in the second cycle after it, so that it does not lie before the rows.
//
// A row of a load that the windows deny steps aside until it can be reported, and so does the fault of a tensor copy;
// meanwhile no command goes on, but fetches do. A fetch is denied by a pulse in the cycle after it was taken, with
// ShortPaths the one after that. What the windows deny of a prefetch is left out (`skip_o`), and it goes on.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_load_issue
  import tma_pkg::*;
  import tma_load_pkg::*;
  import tma_path_pkg::event_t;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  output queue_t                     window_queue_o, // whose windows are wanted, in the same cycle
  input  windows_t                   windows_i,
  input  queue_cfg_t [NumQueues-1:0] cfg_i,
  input  logic [3:0]                 axcache_i,

  // Rows in. `rest_i`: there are more of the command whose row was taken last; `drop_o`: drop them.
  input  logic                       src_valid_i,
  output logic                       src_ready_o,
  input  row_t                       src_row_i,
  input  item_t                      src_item_i,
  input  logic                       rest_i,
  output logic                       drop_o,
  output logic                       hold_o,         // no rows for now

  // Fetches in: 0 of the ring, 1 of maps, 2 pages of prefetches
  input  logic [2:0]                 fetch_valid_i,
  output logic [2:0]                 fetch_ready_o,
  input  fetch_t [2:0]               fetch_i,
  input  hint_t                      page_hint_i,
  output logic [1:0]                 fetch_denied_o,
  output logic                       page_left_o,    // a page, read or not
  output logic                       skip_o,         // a part of a prefetch is not read
  output logic                       map_done_o,     // the fetch of a map or probe has left

  // AR
  output logic                       ar_valid_o,
  input  logic                       ar_ready_i,
  output ar_t                        ar_o,

  // Contexts of loads out, one per burst; always taken
  output ctx_put_t                   ctx_o,
  input  ctx_end_t                   ctx_end_i,

  // Contexts of cp.async out; always taken
  output logic                       cp_take_o,      // one will come
  input  logic                       cp_full_i,
  output cp_put_t                    cp_o,

  // Slots given back: by bursts of loads that signal nothing, of others, and by signals
  input  logic                       load_done_i,
  input  logic                       other_done_i,
  input  logic                       signal_done_i,

  // Issue no more of this command
  input  load_error_t                error_i,
  output logic                       error_hold_o,   // no error for now

  // Window violations of loads, faults of tensor copies
  output logic                       fault_valid_o,
  input  logic                       fault_ready_i,
  output fault_t                     fault_o,

  // A load or prefetch has issued all that it will; a load has issued a burst
  output event_t                     issued_o,
  output event_t                     burst_add_o,

  output logic                       idle_o
);

  //////////
  // Rows //
  //////////

  row_t                    row;
  logic                    row_valid, row_ready, row_slot, row_load, row_cp, row_copy, row_taken;
  logic                    row_bare;  // a load of fill alone
  logic [ChannelWidth-1:0] row_channel;
  logic                    slot_free, end_free, hold, rest, begins, held_part, drop_rest, slots_idle;
  logic [NumChannels-1:0]  channel_empty;
  logic                    fetched, page;
  hint_t                   page_hint;
  fetch_t                  fetch;
  item_t                   item;
  queue_t                  row_queue, qid;  // of the row that comes, of the one in the guard

  tma_load_rows u_rows (
    .clk_i, .rst_ni, .src_valid_i, .src_ready_o, .src_row_i, .src_item_i,
    .fetch_valid_i, .fetch_ready_o, .fetch_i, .page_hint_i,
    .slot_free_i(slot_free), .end_free_i(end_free), .cp_full_i, .hold_i(hold),
    .row_valid_o(row_valid), .row_ready_i(row_ready), .row_o(row), .row_queue_o(row_queue),
    .row_slot_o(row_slot), .row_load_o(row_load), .row_channel_o(row_channel), .row_cp_o(row_cp),
    .row_copy_o(row_copy),
    .fetched_o(fetched), .page_o(page), .page_hint_o(page_hint), .fetch_o(fetch), .item_o(item),
    .begins_o(begins), .rest_o(held_part), .drop_i(drop_rest)
  );

  assign row_taken = row_valid && row_ready;
  assign row_bare  = row_load && row.none && row.first;
  assign cp_take_o = row_taken && row_cp;
  assign rest      = held_part || rest_i;
  assign drop_o    = drop_rest;
  assign hold_o    = hold;

  ///////////
  // Guard //
  ///////////

  burst_t                    burst;
  logic                      burst_valid, burst_ready, deny_valid, guard_busy, abort;
  logic [63:0]               guard_addr;  // of the row that it holds
  ports_t                    unused_ports;
  logic [NumPorts-1:0][63:0] unused_addr;
  logic [15:0]               unused_code;

  assign window_queue_o = ShortPaths ? qid : row_queue;
  tma_guard #(.Write(1'b0), .Step(ShortPaths)) u_guard (
    .clk_i, .rst_ni, .multimem_i('0),
    .row_valid_i(row_valid), .row_ready_o(row_ready), .row_i(row), .windows_i,
    .mm_i(1'b0),
    .burst_valid_o(burst_valid), .burst_ready_i(burst_ready), .burst_o(burst),
    .ports_o(unused_ports), .port_addr_o(unused_addr),
    .deny_valid_o(deny_valid), .deny_ready_i(1'b1), .deny_addr_o(guard_addr),
    .deny_code_o(unused_code),
    .busy_o(guard_busy), .abort_i(abort)
  );

  // What the row in the guard is, known since it was taken.
  logic is_load, is_bare, is_cp, is_copy, reads, has_slot, faults;

  always_ff @(posedge clk_i) begin
    if (row_taken) begin
      is_load  <= row_load;
      is_bare  <= row_bare;
      is_cp    <= row_cp;
      is_copy  <= row_copy;
      has_slot <= row_slot;
      reads    <= row_slot && !(row_load && row.none);
      faults   <= row_copy && row.none && src_item_i.fault != tma_isa_pkg::FaultNone;
    end
  end

  // Passes; of these with a slot; is denied; is left out; the row goes.
  logic goes, issues, denies, skips, leaves;

  assign ar_valid_o  = burst_valid && reads && !abort;
  assign burst_ready = ar_ready_i || !reads;
  assign goes        = burst_valid && burst_ready && !abort && !faults;
  assign issues      = goes && has_slot;
  assign denies      = ((deny_valid && reads && !skips) || (burst_valid && faults)) && !abort;
  assign skips       = deny_valid && reads && (fetched ? page : is_copy && !is_load);
  assign leaves      = (burst_valid && burst_ready) || deny_valid || abort;

  ////////////
  // Aborts //
  ////////////

  logic        failed, cut_hold, new_command;
  load_error_t error_q;
  logic        denied, cut_idle;  // denied: a row has stepped aside

  always_ff @(posedge clk_i) begin
    error_q <= error_i;
    if (!rst_ni) error_q.valid <= 1'b0;
  end

  assign new_command = src_valid_i && src_ready_o && src_row_i.first;

  // All that is left of a command is of the newest one: a row in the guard, more rows behind it, or
  // its denied row. Where another one has come meanwhile, nothing is left. Half of the number names it, since
  // both are of one lap (tma_lap).
  always_ff @(posedge clk_i) begin
    if (!rst_ni) failed <= 1'b0;
    else         failed <= error_q.valid && !new_command && item.client == ClientLoad &&
                           error_q.qid == item.signal.origin.qid &&
                           error_q.seq == item.signal.origin.seq;
  end

  assign abort = failed && guard_busy && !fetched;

  //////////////////////
  // Slots and limits //
  //////////////////////

  logic give_back;  // a row goes without its burst

  assign give_back = leaves && has_slot && !issues;

  tma_load_slots u_slots (
    .clk_i, .rst_ni,
    .take_i(row_taken && row_slot), .take_load_i(row_taken && row_load),
    .take_channel_i(row_channel), .take_bare_i(row_taken && row_bare),
    .return_i(give_back), .return_load_i(give_back && is_load), .return_channel_i(item.channel),
    .return_bare_i(give_back && is_bare),
    .load_done_i, .other_done_i, .signal_done_i, .ctx_end_i,
    .free_o(slot_free), .end_free_o(end_free), .empty_o(channel_empty), .idle_o(slots_idle)
  );

  /////////////////
  // What leaves //
  /////////////////

  queue_cfg_t cfg;
  hint_t      hint;

  assign qid  = fetched ? fetch.qid : item.signal.origin.qid;
  assign cfg  = cfg_i[qid];
  assign hint = !fetched ? item.hint : page ? page_hint : '0;

  assign ar_o.qid   = qid;
  assign ar_o.id    = fetched ? {page ? ClientPrefetch : fetch.of_map ? ClientMap : ClientRing,
                                 ChannelWidth'(0)}
                    : is_load ? {ClientLoad, item.channel} : {item.client, ChannelWidth'(0)};
  assign ar_o.addr  = burst.addr;
  assign ar_o.len   = burst.len;
  assign ar_o.cache = axcache_i;
  assign ar_o.prot  = cfg.prot;
  assign ar_o.qos   = hint.qos;
  assign ar_o.user  = {cfg.stream, 1'b0, hint.cg, hint.prefetch, hint.evict};

  assign ctx_o.valid   = issues && is_load;
  assign ctx_o.channel = item.channel;
  assign ctx_o.ctx     = '{burst: burst, dst: item.dst, layout: item.layout,
                          lead: begins ? item.lead : '0, trail: held_part ? '0 : item.trail,
                          pair: item.pair, signal: item.signal, fills: item.fills, number: item.number};

  assign cp_o.valid = leaves && is_cp;
  assign cp_o.ctx   = '{denied: denies, gaddr: guard_addr | 64'(item.low), saddr: burst.saddr,
                        cp: item.cp, signal: item.signal};
  assign cp_o.lane  = burst.head;

  assign fetch_denied_o = {2{deny_valid && fetched && !page}} & {fetch.of_map, !fetch.of_map};
  assign map_done_o     = leaves && fetched && !page && fetch.of_map;
  assign page_left_o    = leaves && fetched && page;
  assign skip_o         = skips;

  ////////////
  // Events //
  ////////////

  // A command is over once, with its last burst or with whatever is left of it.
  tma_load_cut u_cut (
    .clk_i, .rst_ni, .item_i(item), .last_i((goes || skips) && burst.last && is_copy),
    .denied_i(denies && is_copy), .addr_i(guard_addr | 64'(item.low)),
    .failed_i(failed), .left_i(abort || rest), .empty_i(channel_empty[item.channel]),
    .hold_o(hold), .drop_o(drop_rest), .error_hold_o(cut_hold), .denied_o(denied), .fault_valid_o, .fault_ready_i, .fault_o,
    .done_o(issued_o.valid), .done_queue_o(issued_o.qid), .idle_o(cut_idle)
  );

  assign error_hold_o = cut_hold || error_q.valid || failed;
  assign burst_add_o  = '{valid: issues && is_load, qid: item.signal.origin.qid};

  assign idle_o = !guard_busy && slots_idle && !rest && cut_idle && !error_q.valid && !failed;

  // Of a read guard, the ports that its burst goes to say nothing.
  logic unused_cfg;
  assign unused_cfg = ^{cfg, unused_ports, unused_addr, unused_code, fetch.gaddr, fetch.chunks, fetch.probe};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(AddressOfTheRow, burst_valid |->
      guard_addr == (burst.addr | 64'({burst.head, 4'b0})))
  `TMA_ASSERT(NoRowBesideADenial, denied |-> !guard_busy || fetched)
  `TMA_ASSERT(ErrorHasAContext, error_i.valid && item.client == ClientLoad &&
      error_i.qid == item.signal.origin.qid && error_i.seq == item.signal.origin.seq |->
      !channel_empty[item.channel])
  `TMA_COVER(OutOfSlots, src_valid_i && !slot_free)
  `TMA_COVER(ErrorInTheGuard, abort)
  `TMA_COVER(ErrorBehindTheGuard, failed && rest && !abort)
  `TMA_COVER(FaultOfACommand, burst_valid && faults)
  `TMA_COVER(FetchDenied, fetch_denied_o[0])
  `TMA_COVER(MapDenied, fetch_denied_o[1])
  `TMA_COVER(FetchBesideADenial, denied && issues)
  `TMA_COVER(CpDenied, cp_o.valid && cp_o.ctx.denied)
  `TMA_COVER(PageSkipped, skips && fetched)
  `TMA_COVER(LastRowSkipped, skips && !fetched && burst.last)
  `TMA_COVER(PageBesideADenial, denied && issues && page)

endmodule
