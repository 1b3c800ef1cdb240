// SPDX-License-Identifier: Apache-2.0
// Registers behind the AXI4-Lite port: decodes accesses.
//
//   AXI4-Lite --> tma_axil --> decode --+--> tma_page_regs   page 0
//                                       +--> tma_counters
//                                       +--> tma_queue_regs
//                                       +--> tma_door_regs   a page per queue
//
// An access that is refused changes nothing: an address without a register, a write to a read-only
// one, a write to the set-up or a window of a queue that is enabled or closing, a write that names a
// CTA, queue or window that does not exist, and what the pages of the queues refuse. Byte strobes work;
// bits without a function are ignored. A queue may be disabled at any time; until it has closed, what is
// left of its life goes by the set-up that it began with.
//
// An address is decoded in the cycle before its access. A doorbell leaves in the fourth cycle of its
// write, one before BVALID. Short: what is read stands in a register, and the doorbell leaves in the fifth cycle.
// Reset: set-up registers.

`include "tma_assert.svh"

module tma_csr
  import tma_pkg::*;
  import tma_csr_pkg::*;
  import tma_status_pkg::*;
  import tma_axil_pkg::*;
  import tma_path_pkg::*;
#(
  parameter bit Short = ShortPaths  // paths of few gates, for cycles
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  axil_req_t                   axil_i,
  output axil_rsp_t                   axil_o,

  // Set-up
  output queue_cfg_t [NumQueues-1:0]  cfg_o,
  output ring_cfg_t [NumQueues-1:0]   ring_cfg_o,
  output window_write_t               window_write_o,
  output multimem_t [NumMultimem-1:0] multimem_o,
  output logic [3:0]                  axcache_o,
  output logic [31:0]                 watchdog_o,
  output behaviour_t                  behaviour_o,

  // State
  input  logic                        idle_i,
  input  ports_t                      dead_i,
  input  logic [NumQueues-1:0]        active_i,
  input  logic [NumQueues-1:0]        closing_i,
  input  logic [NumQueues-1:0]        busy_i,
  input  logic [NumQueues-1:0]        waiting_i,
  input  logic [NumQueues-1:0]        full_i,
  input  logic [NumQueues-1:0]        drained_i,
  input  logic [NumQueues-1:0][31:0]  head_i,
  input  logic [NumQueues-1:0][31:0]  tail_i,     // direct port: behind the last command held
  input  logic [NumQueues-1:0][31:0]  producer_i,
  input  held_records_t [NumQueues-1:0] held_records_i,
  output queue_t                      status_queue_o,  // whose faults are wanted, in the same cycle
  input  queue_status_t               status_i,

  // Doorbells and recovery
  output queue_acts_t                 acts_o,

  // Completion rings
  output logic [NumQueues-1:0][31:0]  consumer_o,
  input  logic                        rec_done_i,      // a record is in its ring
  input  queue_t                      rec_done_queue_i,
  output logic                        irq_o,           // level

  // One per counter; CYCLES counts on its own while idle_i is low
  input  logic [CsrCounterCount-1:0]  events_i
);

  localparam int unsigned CounterWidth = $clog2(CsrCounterCount);
  localparam int unsigned QueueLsb     = $clog2(CsrQueueStride);
  localparam int unsigned DoorLsb      = $clog2(CsrDoorStride);

  ////////////
  // Access //
  ////////////

  logic        read, write, error;
  logic [16:2] addr;
  logic [31:0] wdata, rdata;
  logic [3:0]  wstrb;
  logic        page_busy, queues_busy;

  tma_axil #(.Decode(Short ? 2 : 1)) u_axil (
    .clk_i, .rst_ni, .axil_i, .axil_o, .hold_i(page_busy || queues_busy), .acc_wait_i(1'b0),
    .acc_read_o(read), .acc_write_o(write), .acc_addr_o(addr),
    .acc_wdata_o(wdata), .acc_wstrb_o(wstrb), .acc_rdata_i(rdata), .acc_error_i(error)
  );

  ////////////
  // Decode //
  ////////////

  // An address names a register of a queue's page, of the counters' or the queues' block on page 0,
  // or another one of page 0.
  logic [16:0] word, counter_offset, queue_offset, door_offset;
  logic        page_0, in_page_0, in_counters, in_queues, in_doors;
  logic        counters, queues;
  logic        in_low, in_high;  // halves of a counter
  logic        in_rest;          // of page 0
  logic [CounterWidth-1:0] counter;
  queue_t      qid;
  logic [2:0]  state_word;
  logic [31:0] counter_low, counter_high, page_rdata, queue_rdata, door_rdata;
  logic        page_unknown, page_refused, queue_unknown, queue_refused, door_unknown, door_refused;

  assign word           = {addr, 2'b00};
  assign counter_offset = word - CsrCounterAddr;
  assign queue_offset   = word - CsrQueueAddr;
  assign door_offset    = word - CsrDoorAddr;
  assign page_0         = word < CsrDoorAddr;

  assign counters       = page_0 && counter_offset < 17'(CsrCounterCount * CsrCounterStride);
  assign queues         = page_0 && queue_offset < 17'(NumQueues * CsrQueueStride);

  always_ff @(posedge clk_i) begin
    in_page_0   <= page_0;
    in_counters <= counters;
    in_low      <= counters && !counter_offset[2];
    in_high     <= counters && counter_offset[2];
    in_queues   <= queues;
    in_doors    <= !page_0 && door_offset < 17'(NumQueues * CsrDoorStride);
    in_rest     <= page_0 && !counters && !queues;
    counter     <= counter_offset[3 +: CounterWidth];
    qid         <= page_0 ? queue_offset[QueueLsb +: QueueWidth] : door_offset[DoorLsb +: QueueWidth];
    state_word  <= addr[4:2] - (page_0 ? CsrQueueStatusOffset[4:2] : CsrDoorStatusOffset[4:2]);
  end

  always_comb begin
    error = !in_page_0 || page_unknown || (write && page_refused);
    if (in_counters) error = write;
    if (in_queues)   error = queue_unknown || (write && queue_refused);
    if (in_doors)    error = door_unknown || (write && door_refused);
  end

  // Nothing is read of an address without a register.
  logic [31:0] shown;

  assign shown = (page_rdata & {32{in_rest}}) | (counter_low & {32{in_low}}) | (counter_high & {32{in_high}}) |
                 (queue_rdata & {32{in_queues}}) | (door_rdata & {32{in_doors}});

  if (Short) begin : g_before
    always_ff @(posedge clk_i) rdata <= shown;
  end else begin : g_now
    assign rdata = shown;
  end

  // Both blocks show the state of a queue.
  logic [31:0] head, state;

  assign head           = head_i[qid];
  assign status_queue_o = qid;

  ////////////
  // Blocks //
  ////////////

  logic [NumQueues-1:0]       locked, lives_q, closing, busy_q, waiting_q, full_q, drained_q;
  logic                       idle_q;
  logic [CsrCounterCount-1:0] counted;

  // `active_i` follows `enable` a cycle later. That a queue has closed is known late, and looked at in the next
  // cycle.
  always_ff @(posedge clk_i) lives_q <= active_i | closing_i;

  always_comb begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      locked[q] = cfg_o[q].enable || active_i[q] || lives_q[q];
    end
  end

  tma_page_regs u_page (
    .clk_i, .rst_ni,
    .write_i(write && in_page_0 && !in_counters && !in_queues), .addr_i(addr[11:2]),
    .wdata_i(wdata), .rdata_o(page_rdata), .unknown_o(page_unknown), .refused_o(page_refused),
    .window_write_o, .multimem_o, .axcache_o, .watchdog_o, .behaviour_o,
    .busy_o(page_busy),
    .idle_i, .dead_i, .locked_i(locked)
  );

  // With Short it is only known late that it is over.
  assign closing = Short ? lives_q & ~active_i : closing_i;

  logic [NumQueues-1:0][31:0] tail, tail_q;

  always_ff @(posedge clk_i) tail_q <= tail_i;

  assign tail = Short ? tail_q : tail_i;

  // What the engine computes in a cycle is looked at in the next one, to end its paths here.
  always_ff @(posedge clk_i) begin
    busy_q    <= busy_i;
    waiting_q <= waiting_i;
    full_q    <= full_i;
    drained_q <= drained_i;
    idle_q    <= !rst_ni || idle_i;
  end

  tma_state_regs u_state (
    .word_i(state_word), .busy_i(busy_q[qid]), .waiting_i(waiting_q[qid]), .full_i(full_q[qid]),
    .closing_i(closing[qid]), .status_i, .rdata_o(state)
  );

  tma_queue_regs u_queues (
    .clk_i, .rst_ni,
    .write_i(write && in_queues), .qid_i(qid), .addr_i(addr[6:2]), .wdata_i(wdata),
    .rdata_o(queue_rdata), .unknown_o(queue_unknown), .refused_o(queue_refused),
    .locked_i(locked[qid]), .cfg_o, .ring_cfg_o, .busy_o(queues_busy), .head_i(head), .state_i(state)
  );

  tma_door_regs u_doors (
    .clk_i, .rst_ni,
    .write_i(write && in_doors), .qid_i(qid), .addr_i(addr[11:2]), .wdata_i(wdata),
    .wstrb_i(wstrb), .rdata_o(door_rdata), .unknown_o(door_unknown), .refused_o(door_refused),
    .enable_i(cfg_o[qid].enable), .ring_i(cfg_o[qid].ring), .faulted_i(status_i.faulted),
    .drained_i(drained_q[qid]), .head_i(head), .state_i(state),
    .active_i, .tail_i(tail), .producer_i, .held_records_i, .rec_done_i, .rec_done_queue_i,
    .door_valid_o(acts_o.door_valid), .door_queue_o(acts_o.door_queue), .door_tail_o(acts_o.door_tail),
    .consumer_o,
    .resume_o(acts_o.resume), .resume_index_o(acts_o.resume_index), .reset_o(acts_o.reset),
    .cancel_o(acts_o.cancel), .irq_o
  );

  always_comb begin
    counted = events_i;
    counted[CounterCycles] = events_i[CounterCycles] || !(Short ? idle_q : idle_i);
  end

  tma_counters #(.N(CsrCounterCount)) u_counters (
    .clk_i, .rst_ni, .event_i(counted),
    .read_i(read && in_low), .index_i(counter), .low_o(counter_low), .high_o(counter_high)
  );

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(BlocksDoNotOverlap,
      32'(CsrCounterAddr) + CsrCounterCount * CsrCounterStride <= 32'(CsrQueueAddr))
  `TMA_ASSERT_INIT(QueuesFitIntoPage,
      32'(CsrQueueAddr) + CsrQueueCount * CsrQueueStride <= 32'(CsrDoorAddr))
  `TMA_ASSERT_INIT(CountersArePairs, CsrCounterStride == 8)
  `TMA_ASSERT_INIT(BlocksShowTheSameState,
      CsrDoorFaultTagOffset - CsrDoorStatusOffset == CsrQueueFaultTagOffset - CsrQueueStatusOffset)
  for (genvar q = 0; q < NumQueues; q++) begin : g_locked
    `TMA_ASSERT(LifeKeepsItsSetUp, (active_i[q] || closing_i[q]) && !page_busy && !queues_busy |=>
        $stable({ring_cfg_o[q], cfg_o[q].cta, cfg_o[q].cta_mask, cfg_o[q].stream,
                 cfg_o[q].prot, cfg_o[q].cancel_mask}))
  end
  `TMA_ASSERT(LifeKeepsItsWindows, window_write_o.valid && !page_busy |->
      !(active_i[window_write_o.qid] || closing_i[window_write_o.qid]))
  `TMA_ASSERT(RefusedWriteChangesNothing, write && error |=>
      $stable({cfg_o, axcache_o, watchdog_o}))
  `TMA_ASSERT(RefusedWriteDoesNothing, write && error |-> !acts_o.door_valid)
  `TMA_ASSERT(RefusedWriteRecoversNothing, write && error |=>
      (acts_o.resume | acts_o.reset | acts_o.cancel) == '0)

endmodule
