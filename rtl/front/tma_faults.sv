// SPDX-License-Identifier: Apache-2.0
// Collects the faults of the engine: stops queues, keeps the first fault of each for the registers
// and announces it as a record.
//
//   issue, paths, signal, ring --> pick --> first of its queue? --> memory --> registers
//                                      \--> stop                        \--> record
//
// One fault per cycle, taken as it comes, issue first. A queue's first fault stops it and is
// announced, later ones are counted. RESUME and the end of a queue's life clear what was kept;
// faults of a queue that is not active are taken and forgotten, a record on offer is withdrawn.
//
// Records of direct queues and of ring queues have an output each, and queues take turns. That of a
// ring queue is offered when its completion ring has room: the others do not wait for it.
//
// Short: that issue has a fault is known late. The fault stops its queue as ever, but is taken from a
// register in the next cycle, before those of the others; one that was taken meanwhile is the first. What is kept of a
// first fault is written in the cycle after it was taken, and seen from then on.
//
// `fault_ready_o` depends on `fault_valid_i`, `rec_valid_o` on `active_i`. Latency: `stopped_o` after
// a cycle, the record after two; with Short after three, of a fault in the register after four. Reset: control only.

`include "tma_assert.svh"

module tma_faults
  import tma_pkg::*;
  import tma_status_pkg::*;
  import tma_path_pkg::*;
#(
  parameter  bit          Short      = ShortPaths,       // paths of few gates, for cycles
  localparam int unsigned NumSources = NumFaulters + 2,  // issue, those of the paths, ring
  localparam int unsigned NumOutputs = 2                 // 0 direct queues, 1 ring queues
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [NumQueues-1:0]        active_i,
  input  logic [NumQueues-1:0]        ring_i,     // bound to a ring
  input  logic [NumQueues-1:0]        room_i,     // in its completion ring; stays
  input  logic [NumQueues-1:0]        resume_i,   // nothing of the queue is in flight or on offer
  input  logic [NumQueues-1:0][31:0]  head_i,     // sequence number of the next command to leave

  // Faults in; no command is newer than the head of its queue
  input  logic   [NumSources-1:0]     fault_valid_i,
  output logic   [NumSources-1:0]     fault_ready_o,
  input  fault_t [NumSources-1:0]     fault_i,

  output logic [NumQueues-1:0]        stopped_o,  // has faulted
  output logic [NumQueues-1:0]        pending_o,  // its record has not been taken

  // Records of first faults
  output logic [NumOutputs-1:0]                 rec_valid_o,
  input  logic [NumOutputs-1:0]                 rec_ready_i,
  output tma_isa_pkg::record_t [NumOutputs-1:0] rec_o,

  // Registers: status of the queue that is asked for, in the same cycle
  input  queue_t                      status_queue_i,
  output queue_status_t               status_o,

  output logic                        event_o,    // a fault was taken
  output logic                        idle_o      // no record of one is still to be taken
);

  localparam int unsigned TallyWidth = 16;

  // First fault of a queue.
  typedef struct packed {
    logic [15:0] code;
    logic [31:0] seq;
    logic [63:0] address;
    logic [31:0] tag;
  } kept_t;

  logic [NumQueues-1:0] stopped_q;
  logic [NumQueues-1:0] announce_q;   // the record is still to be taken
  logic [NumQueues-1:0] stop_now;     // a fault of the queue is taken in this cycle

  //////////
  // Pick //
  //////////

  logic                    taken, first, late_first;
  fault_t                  fault;
  fault_t [NumSources-1:0] offer;
  queue_t                  qid;
  logic [NumSources-1:0]   valid, picked;
  logic [NumQueues-1:0]    late_stop, late;  // late: has a first fault in a register
  logic [NumQueues-1:0]    keeping;          // of these, in that before the memory

  assign picked = valid & ~(valid - NumSources'(1));

  if (Short) begin : g_late
    logic   valid_q, first_q;
    fault_t fault_q;
    queue_t late_qid;

    assign late_qid = fault_i[0].origin.qid;

    always_ff @(posedge clk_i) begin
      valid_q <= rst_ni && fault_valid_i[0];
      fault_q <= fault_i[0];
      first_q <= active_i[late_qid] && !stopped_q[late_qid] && !(first && qid == late_qid);
    end

    assign valid         = {fault_valid_i[NumSources-1:1], valid_q};
    assign offer         = {fault_i[NumSources-1:1], fault_q};
    assign fault_ready_o = {picked[NumSources-1:1], 1'b1};
    assign late_first    = first_q;
    assign late_stop     = NumQueues'(fault_valid_i[0]) << late_qid;
    assign late          = (NumQueues'(valid_q && first_q) << fault_q.origin.qid) | keeping;
  end else begin : g_same
    assign valid         = fault_valid_i;
    assign offer         = fault_i;
    assign fault_ready_o = picked;
    assign late_first    = 1'b0;
    assign late_stop     = '0;
    assign late          = '0;
  end

  always_comb begin
    fault = '0;
    for (int unsigned i = 0; i < NumSources; i++) if (picked[i]) fault |= offer[i];
  end

  assign taken = valid != '0;
  assign qid   = fault.origin.qid;
  assign first = taken && active_i[qid] && (Short && valid[0] ? late_first : !stopped_q[qid]);

  assign stop_now  = (Short && valid[0] ? '0 : NumQueues'(taken) << qid) | late_stop;
  assign stopped_o = stopped_q;
  assign event_o   = taken;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) stopped_q <= '0;
    else         stopped_q <= ((stopped_q & ~resume_i) | stop_now) & active_i;
  end

  ////////////
  // Memory //
  ////////////

  kept_t                 keep, kept_status;
  logic [31:0]           head;
  logic [TallyWidth-1:0] count, counted, count_status;

  // The command is at most as new as the head and less than a lap older (tma_lap), so a low half above the
  // head's is of the lap before.
  assign head         = head_i[qid];
  assign keep.seq     = {head[31:16] - 16'(fault.origin.seq > head[15:0]), fault.origin.seq};
  assign keep.code    = fault.code;
  assign keep.address = fault.address;
  assign keep.tag     = fault.origin.tag;

  logic   kept;        // `kept_entry` is written
  queue_t kept_queue;
  kept_t  kept_entry;

  if (Short) begin : g_register
    always_ff @(posedge clk_i) begin
      kept       <= rst_ni && first;
      kept_queue <= qid;
      kept_entry <= keep;
    end

    assign keeping = NumQueues'(kept) << kept_queue;
  end else begin : g_at_once
    assign kept       = first;
    assign kept_queue = qid;
    assign kept_entry = keep;
    assign keeping    = '0;
  end

  tma_ram_1r1w #(.Width($bits(kept_t)), .Depth(NumQueues)) u_kept_status (
    .clk_i, .we_i(kept), .waddr_i(kept_queue), .wdata_i(kept_entry),
    .raddr_i(status_queue_i), .rdata_o(kept_status)
  );

  assign count = first            ? TallyWidth'(1)
               : counted == '1    ? counted
               :                    counted + TallyWidth'(1);

  tma_ram_1r1w #(.Width(TallyWidth), .Depth(NumQueues)) u_count (
    .clk_i, .we_i(taken), .waddr_i(qid), .wdata_i(count), .raddr_i(qid), .rdata_o(counted)
  );

  tma_ram_1r1w #(.Width(TallyWidth), .Depth(NumQueues)) u_count_status (
    .clk_i, .we_i(taken), .waddr_i(qid), .wdata_i(count),
    .raddr_i(status_queue_i), .rdata_o(count_status)
  );

  always_comb begin
    status_o = '0;
    if (stopped_q[status_queue_i] && !late[status_queue_i]) begin
      status_o = '{faulted: 1'b1, code: kept_status.code, count: count_status,
                   seq: kept_status.seq, address: kept_status.address, tag: kept_status.tag};
    end
  end

  /////////////
  // Records //
  /////////////

  logic [NumOutputs-1:0][NumQueues-1:0] mine, rec_taken;

  assign mine = {ring_i & room_i, ~ring_i};

  for (genvar i = 0; i < NumOutputs; i++) begin : g_output
    logic                 offered_q, offered;
    logic [NumQueues-1:0] next, grant;
    queue_t               next_queue, queue_q;
    kept_t                entry;

    assign next    = announce_q & active_i & mine[i];
    assign offered = offered_q && active_i[queue_q];

    tma_rr_arb #(.N(NumQueues)) u_arb (
      .clk_i, .rst_ni, .request_i(next), .advance_i(!offered_q), .grant_o(grant),
      .index_o(next_queue)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) offered_q <= 1'b0;
      else         offered_q <= offered_q ? offered && !rec_ready_i[i] : grant != '0;
    end

    always_ff @(posedge clk_i) if (!offered_q) queue_q <= next_queue;

    tma_ram_1r1w_sync #(.Width($bits(kept_t)), .Depth(NumQueues)) u_kept (
      .clk_i, .we_i(kept), .waddr_i(kept_queue), .wdata_i(kept_entry),
      .re_i(!offered_q), .raddr_i(next_queue), .rdata_o(entry)
    );

    always_comb begin
      rec_o[i]                 = '0;
      rec_o[i].sequence_number = entry.seq;
      rec_o[i].queue_number    = 8'(queue_q);
      rec_o[i].kind            = tma_isa_pkg::KindFault;
      rec_o[i].fault           = entry.code;
      rec_o[i].address         = entry.address;
      rec_o[i].tag             = entry.tag;
    end

    assign rec_valid_o[i] = offered;
    assign rec_taken[i]   = NumQueues'(offered && rec_ready_i[i]) << queue_q;

    `TMA_ASSERT(RecordIsStable,
        $past(rec_valid_o[i] && !rec_ready_i[i]) && active_i[queue_q] |->
        rec_valid_o[i] && $stable(rec_o[i]))
    `TMA_ASSERT(RecordIsPending, rec_valid_o[i] |-> pending_o[queue_q] && mine[i][queue_q])
    `TMA_COVER(RecordIsWithdrawn, offered_q && !offered)
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) announce_q <= '0;
    else         announce_q <= (announce_q & active_i & ~(rec_taken[0] | rec_taken[1])) |
                               (Short ? keeping & active_i : NumQueues'(first) << qid);
  end

  assign pending_o = announce_q | late;
  assign idle_o    = pending_o == '0;

  ////////////////
  // Assertions //
  ////////////////

  for (genvar i = 0; i < NumSources; i++) begin : g_source
    `TMA_ASSERT(FaultHasACode, fault_valid_i[i] |-> fault_i[i].code != '0)
  end
  `TMA_ASSERT(FirstFaultHasNoRecord, first |-> !announce_q[qid])
  `TMA_ASSERT(ResumesTheDrained, (resume_i & (pending_o | stop_now)) == '0)
  `TMA_ASSERT(OneFaultPerCycle, (picked & (picked - NumSources'(1))) == '0)
  `TMA_COVER(SeveralSources, (fault_valid_i & (fault_valid_i - NumSources'(1))) != '0)
  `TMA_COVER(SequenceOfTheLapBefore, first && fault.origin.seq > head[15:0])
  `TMA_COVER(CountSaturates, taken && stopped_q[qid] && counted == '1)
  `TMA_COVER(FaultOfAnInactiveQueue, taken && !active_i[qid])
  `TMA_COVER(FaultAfterResume, first && $past(resume_i[qid]))
  `TMA_COVER(WaitsForRoom, (announce_q & active_i & ring_i & ~room_i) != '0)

endmodule
