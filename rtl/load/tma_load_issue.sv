// SPDX-License-Identifier: Apache-2.0
// Turns commands and fetches into read bursts and remembers what each of them is for.
//
//   command, fetch --> rows --> guard --> AR of the read port
//                                 |
//                                 +-----> burst context (tma_load_data), cp.async context
//
// A prefetch and a fetch have an id of their own and no context; a cp.async that reads nothing and
// an arrival pass the guard for the sake of their order.
//
// Throughput: one burst per cycle, across commands. Latency: a cycle from the command to AR, and the
// port's register. A row enters the guard only when its data can be sunk and its signal held: at
// most NumReads bursts and waiting signals together.
//
// A burst of a load that the windows deny steps aside until it can be reported; meanwhile no command
// goes on, but fetches do. A fetch is denied by a pulse in the cycle after it was taken.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_load_issue
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  windows_t [NumQueues-1:0]   windows_i,
  input  queue_cfg_t [NumQueues-1:0] cfg_i,
  input  logic [3:0]                 axcache_i,

  // Commands and fetches in
  input  logic                       cmd_valid_i,
  output logic                       cmd_ready_o,
  input  load_cmd_t                  cmd_i,
  input  logic                       fetch_valid_i,
  output logic                       fetch_ready_o,
  input  fetch_t                     fetch_i,
  output logic                       fetch_denied_o,

  // AR
  output logic                       ar_valid_o,
  input  logic                       ar_ready_i,
  output ar_t                        ar_o,

  // Contexts of loads out, one per burst; always taken
  output logic                       ctx_valid_o,
  output logic [ChannelWidth-1:0]    ctx_channel_o,
  output ctx_t                       ctx_o,
  input  logic                       ctx_end_i,      // a context's burst has ended
  input  logic [ChannelWidth-1:0]    ctx_end_channel_i,

  // Contexts of cp.async out; always taken
  output logic                       cp_take_o,      // one will come
  input  logic                       cp_full_i,
  output logic                       cp_valid_o,
  output cp_ctx_t                    cp_o,
  output logic [ChunkIdx-1:0]        cp_lane_o,      // chunk of the beat that it reads

  // Slots given back: by bursts that signal nothing, and by signals
  input  logic                       burst_done_i,
  input  logic                       signal_done_i,

  // Failed burst of this command: issue no more of it
  input  logic                       error_i,
  input  queue_t                     error_queue_i,
  input  logic [15:0]                error_seq_i,

  // Window violations of loads and prefetches
  output logic                       fault_valid_o,
  input  logic                       fault_ready_i,
  output fault_t                     fault_o,

  // A load or prefetch has issued all that it will; a load has issued a burst
  output logic                       row_done_o,
  output queue_t                     row_done_queue_o,
  output logic                       burst_add_o,
  output queue_t                     burst_add_queue_o,

  output logic                       idle_o
);

  localparam int unsigned SlotWidth  = $clog2(NumReads + 1);
  localparam int unsigned CountWidthC = $clog2(ChannelDepth + 1);

  //////////
  // Rows //
  //////////

  row_t                    row;
  queue_t                  row_queue;
  logic                    row_valid, row_ready, row_reads, row_load, row_cp, row_taken;
  logic [ChannelWidth-1:0] row_channel;
  logic                    slot_free, hold, rest, drop_rest;
  logic [NumChannels-1:0]  channel_full, channel_empty;
  logic                    fetched;
  queue_t                  fetch_queue;
  item_t                   item;

  tma_load_rows u_rows (
    .clk_i, .rst_ni, .cmd_valid_i, .cmd_ready_o, .cmd_i, .fetch_valid_i, .fetch_ready_o, .fetch_i,
    .slot_free_i(slot_free), .channel_full_i(channel_full), .cp_full_i, .hold_i(hold),
    .row_valid_o(row_valid), .row_ready_i(row_ready), .row_o(row), .row_queue_o(row_queue),
    .row_reads_o(row_reads), .row_load_o(row_load), .row_channel_o(row_channel), .row_cp_o(row_cp),
    .fetched_o(fetched), .fetch_queue_o(fetch_queue), .item_o(item),
    .rest_o(rest), .drop_i(drop_rest)
  );

  assign row_taken = row_valid && row_ready;
  assign cp_take_o = row_taken && row_cp;

  ///////////
  // Guard //
  ///////////

  burst_t                    burst;
  logic                      burst_valid, burst_ready, deny_valid, guard_busy, abort;
  logic [63:0]               guard_addr;  // of the row that it holds
  ports_t                    unused_ports;
  logic [NumPorts-1:0][63:0] unused_addr;
  logic [15:0]               unused_code;

  tma_guard #(.Write(1'b0)) u_guard (
    .clk_i, .rst_ni, .windows_i, .multimem_i('0),
    .row_valid_i(row_valid), .row_ready_o(row_ready), .row_i(row), .queue_i(row_queue),
    .mm_i(1'b0),
    .burst_valid_o(burst_valid), .burst_ready_i(burst_ready), .burst_o(burst),
    .ports_o(unused_ports), .port_addr_o(unused_addr),
    .deny_valid_o(deny_valid), .deny_ready_i(1'b1), .deny_addr_o(guard_addr),
    .deny_code_o(unused_code),
    .busy_o(guard_busy), .abort_i(abort)
  );

  // What the row in the guard is.
  logic is_load, is_prefetch, is_cp, reads;

  assign is_load     = !fetched && item.client == ClientLoad;
  assign is_prefetch = !fetched && item.client == ClientPrefetch;
  assign is_cp       = !fetched && item.client == ClientCp;
  assign reads       = !is_cp || cp_reads(item.cp.arrive, item.cp.valid);

  logic issues, denies, leaves;  // a burst goes out; a read is denied; the row goes

  assign ar_valid_o  = burst_valid && reads && !abort;
  assign burst_ready = ar_ready_i || !reads;
  assign issues      = ar_valid_o && ar_ready_i;
  assign denies      = deny_valid && reads && !abort;
  assign leaves      = (burst_valid && burst_ready) || deny_valid || abort;

  ////////////
  // Aborts //
  ////////////

  logic deny_q, failed;

  // All that is left of a command is of the newest one: a row in the guard, more rows behind it, or
  // its denied row.
  assign failed    = error_i && item.client == ClientLoad &&
                     error_queue_i == item.signal.origin.qid && error_seq_i == item.signal.origin.seq;
  assign abort     = failed && guard_busy && !fetched;
  assign drop_rest = failed || (denies && (is_load || is_prefetch));

  //////////////////////
  // Slots and limits //
  //////////////////////

  logic [SlotWidth-1:0]                    slots_q;    // in use, the row in the guard included
  logic [NumChannels-1:0][CountWidthC-1:0] count_q;    // contexts in use, likewise
  logic                                    give_back;  // a row that goes without its burst

  assign give_back = leaves && reads && !issues;
  assign slot_free = slots_q != SlotWidth'(NumReads);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) slots_q <= '0;
    else         slots_q <= slots_q + SlotWidth'(row_taken && row_reads) - SlotWidth'(give_back)
                          - SlotWidth'(burst_done_i) - SlotWidth'(signal_done_i);
  end

  for (genvar c = 0; c < NumChannels; c++) begin : g_channel
    logic enters, returns, ends;

    assign enters  = row_taken && row_load && row_channel == ChannelWidth'(c);
    assign returns = give_back && is_load && item.channel == ChannelWidth'(c);
    assign ends    = ctx_end_i && ctx_end_channel_i == ChannelWidth'(c);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q[c] <= '0;
      else         count_q[c] <= count_q[c] + CountWidthC'(enters) - CountWidthC'(returns)
                               - CountWidthC'(ends);
    end

    assign channel_full[c]  = count_q[c] == CountWidthC'(ChannelDepth);
    assign channel_empty[c] = count_q[c] == '0;

    `TMA_ASSERT(OnlyContextsEnd, ends |-> !channel_empty[c])
  end

  /////////////////
  // What leaves //
  /////////////////

  queue_t     qid;
  queue_cfg_t cfg;
  hint_t      hint;

  assign qid  = fetched ? fetch_queue : item.signal.origin.qid;
  assign cfg  = cfg_i[qid];
  assign hint = fetched ? '0 : item.hint;

  assign ar_o.id    = fetched ? {ClientRing, ChannelWidth'(0)}
                    : is_load ? {ClientLoad, item.channel} : {item.client, ChannelWidth'(0)};
  assign ar_o.addr  = burst.addr;
  assign ar_o.len   = burst.len;
  assign ar_o.cache = axcache_i;
  assign ar_o.prot  = cfg.prot;
  assign ar_o.qos   = hint.qos;
  assign ar_o.user  = {cfg.stream, 1'b0, hint.cg, hint.prefetch, hint.evict};

  assign ctx_valid_o   = issues && is_load;
  assign ctx_channel_o = item.channel;
  assign ctx_o.burst   = burst;
  assign ctx_o.signal  = item.signal;

  assign cp_valid_o = leaves && is_cp;
  assign cp_o       = '{denied: denies, gaddr: guard_addr | 64'(item.low), saddr: burst.saddr,
                        cp: item.cp, signal: item.signal};
  assign cp_lane_o  = burst.head;

  ///////////////////////
  // Window violations //
  ///////////////////////

  logic [63:0] deny_addr_q;

  assign fetch_denied_o = deny_valid && fetched;
  assign hold           = deny_q || (denies && (is_load || is_prefetch));

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                                     deny_q <= 1'b0;
    else if (denies && (is_load || is_prefetch))     deny_q <= 1'b1;
    else if (failed || (fault_valid_o && fault_ready_i)) deny_q <= 1'b0;
  end

  always_ff @(posedge clk_i) if (!deny_q) deny_addr_q <= guard_addr;

  // An earlier burst of the command may still come back with an error, whose address is lower:
  // the violation is reported once the channel is empty. An error drops it.
  assign fault_valid_o = deny_q &&
                         (item.client == ClientPrefetch || channel_empty[item.channel]);
  assign fault_o       = '{origin: item.signal.origin, code: tma_isa_pkg::FaultWindowRead,
                           address: deny_addr_q};

  ////////////
  // Events //
  ////////////

  // A command is cut short once, with whatever is left of it.
  assign row_done_o = (issues && burst.last && (is_load || is_prefetch)) ||
                      (fault_valid_o && fault_ready_i) || (failed && (abort || rest || deny_q));
  assign row_done_queue_o  = item.signal.origin.qid;
  assign burst_add_o       = issues && is_load;
  assign burst_add_queue_o = item.signal.origin.qid;

  assign idle_o = !guard_busy && slots_q == '0 && !rest && !deny_q;

  // Of a read guard, the ports that its burst goes to say nothing.
  logic unused_cfg;
  assign unused_cfg = ^{cfg, unused_ports, unused_addr, unused_code};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SlotsAreCounted, slots_q <= SlotWidth'(NumReads))
  `TMA_ASSERT(AddressOfTheRow, burst_valid |->
      guard_addr == (burst.addr | 64'({burst.head, 4'b0})))
  `TMA_ASSERT(NoRowBesideADenial, deny_q |-> !guard_busy || fetched)
  `TMA_ASSERT(ErrorHasAContext, failed |-> !channel_empty[item.channel])
  `TMA_ASSERT_INIT(ChannelsSharesReads, NumReads % NumChannels == 0)
  `TMA_COVER(OutOfSlots, cmd_valid_i && !slot_free)
  `TMA_COVER(ErrorInTheGuard, abort)
  `TMA_COVER(ErrorBehindTheGuard, failed && rest && !abort)
  `TMA_COVER(ErrorOfADenied, failed && deny_q)
  `TMA_COVER(FetchDenied, fetch_denied_o)
  `TMA_COVER(FetchBesideADenial, deny_q && issues)
  `TMA_COVER(CpDenied, cp_valid_o && cp_o.denied)

endmodule
