// SPDX-License-Identifier: Apache-2.0
// Turns load commands into AXI read bursts and remembers what each of them is for.
//
//   command --> row --> guard --> AR register
//                         |
//                         +-----> burst context (to tma_load_data)
//
// Commands are spread over the read channels in turn; the bursts of one command stay on one
// channel, whose data comes in order, so the last beat of a command is its last in time too.
// A prefetch has an id of its own and no context: its data is dropped.
//
// Throughput: one burst per cycle, across commands. Latency: two cycles from the command to AR.
// A burst is offered on AR only when its data can be sunk and its signal can be held: at most
// NumReads bursts and waiting signals together, prefetches included.

`include "tma_assert.svh"

module tma_load_issue
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  windows_t [NumQueues-1:0]   windows_i,
  input  queue_cfg_t [NumQueues-1:0] cfg_i,
  input  logic [3:0]                axcache_i,

  // Commands in
  input  logic                      cmd_valid_i,
  output logic                      cmd_ready_o,
  input  load_cmd_t                 cmd_i,

  // AR
  output logic                      ar_valid_o,
  input  logic                      ar_ready_i,
  output ar_t                       ar_o,

  // Contexts out, one per burst that is no prefetch; always taken
  output logic                      ctx_valid_o,
  output logic [ChannelWidth-1:0]   ctx_channel_o,
  output ctx_t                      ctx_o,
  input  logic [NumChannels-1:0]    ctx_full_i,
  input  logic [NumChannels-1:0]    ctx_empty_i,

  // Slots given back by bursts that signal nothing, by signals, and by prefetches
  input  logic                      burst_done_i,
  input  logic                      signal_done_i,
  input  logic                      prefetch_done_i,

  // Error response to a burst of this command: issue no more of it
  input  logic                      error_i,
  input  queue_t                    error_queue_i,
  input  logic [15:0]               error_seq_i,

  // Window violations
  output logic                      fault_valid_o,
  input  logic                      fault_ready_i,
  output fault_t                    fault_o,

  output logic                      idle_o
);

  localparam int unsigned SlotWidth = $clog2(NumReads + 1);

  ///////////////////////
  // Command and guard //
  ///////////////////////

  // The command whose row the guard holds.
  struct packed {
    logic    prefetch;
    hint_t   hint;
    signal_t signal;
  } cmd_q;
  logic [ChannelWidth-1:0] channel_q;

  row_t                    row;
  logic                    row_valid, row_ready;
  burst_t                  burst;
  logic                    burst_valid, burst_ready;
  logic                    deny_valid, deny_ready;
  logic [63:0]             deny_addr;
  logic                    guard_busy, abort;

  assign row.gaddr  = cmd_i.gaddr;
  assign row.saddr  = cmd_i.saddr;
  assign row.chunks = cmd_i.chunks;
  assign row.first  = 1'b1;
  assign row.last   = 1'b1;

  assign row_valid   = cmd_valid_i;
  assign cmd_ready_o = row_ready;

  tma_guard #(.Write(1'b0)) u_guard (
    .clk_i, .rst_ni, .windows_i,
    .row_valid_i(row_valid), .row_ready_o(row_ready), .row_i(row),
    .queue_i(cmd_i.signal.origin.qid),
    .burst_valid_o(burst_valid), .burst_ready_i(burst_ready), .burst_o(burst),
    .deny_valid_o(deny_valid), .deny_ready_i(deny_ready), .deny_addr_o(deny_addr),
    .busy_o(guard_busy), .abort_i(abort)
  );

  always_ff @(posedge clk_i) begin
    if (row_valid && row_ready) cmd_q <= {cmd_i.prefetch, cmd_i.hint, cmd_i.signal};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                     channel_q <= '0;
    else if (row_valid && row_ready) channel_q <= channel_q + ChannelWidth'(1);
  end

  assign abort = error_i && guard_busy && !cmd_q.prefetch &&
                 error_queue_i == cmd_q.signal.origin.qid && error_seq_i == cmd_q.signal.origin.seq;

  //////////////////////
  // Slots and limits //
  //////////////////////

  logic [SlotWidth-1:0] slots_q;  // in use
  logic                 may_read;

  assign may_read = slots_q != SlotWidth'(NumReads) && (cmd_q.prefetch || !ctx_full_i[channel_q]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) slots_q <= '0;
    else         slots_q <= slots_q + SlotWidth'(burst_valid && burst_ready)
                          - SlotWidth'(burst_done_i) - SlotWidth'(signal_done_i)
                          - SlotWidth'(prefetch_done_i);
  end

  /////////////////
  // AR register //
  /////////////////

  assign burst_ready = (!ar_valid_o || ar_ready_i) && may_read && !abort;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                         ar_valid_o <= 1'b0;
    else if (!ar_valid_o || ar_ready_i)  ar_valid_o <= burst_valid && burst_ready;
  end

  always_ff @(posedge clk_i) begin
    if (burst_valid && burst_ready) begin
      ar_o.id    <= cmd_q.prefetch ? {ClientPrefetch, ChannelWidth'(0)} : {ClientLoad, channel_q};
      ar_o.addr  <= burst.addr;
      ar_o.len   <= burst.len;
      ar_o.cache <= axcache_i;
      ar_o.prot  <= cfg_i[cmd_q.signal.origin.qid].prot;
      ar_o.qos   <= cmd_q.hint.qos;
      ar_o.user  <= {cfg_i[cmd_q.signal.origin.qid].stream, 4'b0, cmd_q.hint.evict};
    end
  end

  assign ctx_valid_o   = burst_valid && burst_ready && !cmd_q.prefetch;
  assign ctx_channel_o = channel_q;
  assign ctx_o.burst   = burst;
  assign ctx_o.signal  = cmd_q.signal;

  ///////////////////////
  // Window violations //
  ///////////////////////

  // An earlier burst of the command may still come back with an error, whose address is lower:
  // the violation is reported once the channel is empty. An error drops the row, and this with it.
  assign fault_valid_o        = deny_valid && !abort && (cmd_q.prefetch || ctx_empty_i[channel_q]);
  assign deny_ready           = fault_valid_o && fault_ready_i;
  assign fault_o.origin       = cmd_q.signal.origin;
  assign fault_o.code         = tma_isa_pkg::FaultWindowRead;
  assign fault_o.address      = deny_addr;

  assign idle_o = !guard_busy && !ar_valid_o && slots_q == '0;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(ArIsStable, ar_valid_o, ar_ready_i, ar_o)
  `TMA_ASSERT(SlotsAreCounted, slots_q <= SlotWidth'(NumReads))
  `TMA_ASSERT_INIT(ChannelsSharesReads, NumReads % NumChannels == 0)
  `TMA_COVER(OutOfSlots, burst_valid && slots_q == SlotWidth'(NumReads))

endmodule
