// SPDX-License-Identifier: Apache-2.0
// Collects the faults of the engine: stops queues, keeps the first fault of each for the registers
// and announces it as a record.
//
//   issue, load, store, signal --> pick --> first fault of its queue? --> memory --> registers
//                                      \--> stop                           \--> record
//
// One fault per cycle, issue first. A queue's first fault stops it and is announced, later ones are
// counted. While a queue is disabled its faults are taken and forgotten, and what was kept of
// them is cleared.
//
// `fault_ready_o` depends on `fault_valid_i` and `fault_i`: a first fault waits while the record of
// an earlier life of its queue is still on offer. Latency: `stopped_o` after a cycle, the record
// after two. Reset: control only.

`include "tma_assert.svh"

module tma_faults
  import tma_pkg::*;
  import tma_status_pkg::*;
#(
  localparam int unsigned NumSources = 4  // 0 issue, 1 load, 2 store, 3 signal
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [NumQueues-1:0]        enable_i,
  input  logic [NumQueues-1:0][31:0]  head_i,     // sequence number of the next command to leave

  // Faults in; no command is newer than the head of its queue
  input  logic   [NumSources-1:0]     fault_valid_i,
  output logic   [NumSources-1:0]     fault_ready_o,
  input  fault_t [NumSources-1:0]     fault_i,

  output logic [NumQueues-1:0]        stopped_o,  // has faulted

  // Records of first faults
  output logic                        rec_valid_o,
  input  logic                        rec_ready_i,
  output tma_isa_pkg::record_t        rec_o,

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
  logic                 rec_valid_q;
  queue_t               rec_queue_q;

  //////////
  // Pick //
  //////////

  logic   valid, taken, first;
  fault_t fault;
  queue_t qid;

  always_comb begin
    fault_ready_o = '0;
    fault         = fault_i[NumSources-1];
    for (int i = NumSources - 1; i >= 0; i--) begin
      if (fault_valid_i[i]) begin
        fault         = fault_i[i];
        fault_ready_o = NumSources'(taken) << i;
      end
    end
  end

  assign valid = fault_valid_i != '0;
  assign qid   = fault.origin.qid;
  assign taken = valid && (!announce_q[qid] || stopped_q[qid] || !enable_i[qid]);
  assign first = taken && enable_i[qid] && !stopped_q[qid];

  assign stop_now  = NumQueues'(taken && enable_i[qid]) << qid;
  assign stopped_o = stopped_q;
  assign event_o   = taken;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) stopped_q <= '0;
    else         stopped_q <= (stopped_q | stop_now) & enable_i;
  end

  ////////////
  // Memory //
  ////////////

  kept_t                 keep, kept_status, kept_record;
  logic [31:0]           head;
  logic [TallyWidth-1:0] count, counted, count_status;

  // The command is at most as new as the head, so a low half above the head's is of the lap before.
  assign head         = head_i[qid];
  assign keep.seq     = {head[31:16] - 16'(fault.origin.seq > head[15:0]), fault.origin.seq};
  assign keep.code    = fault.code;
  assign keep.address = fault.address;
  assign keep.tag     = fault.origin.tag;

  tma_ram_1r1w #(.Width($bits(kept_t)), .Depth(NumQueues)) u_kept_status (
    .clk_i, .we_i(first), .waddr_i(qid), .wdata_i(keep),
    .raddr_i(status_queue_i), .rdata_o(kept_status)
  );

  tma_ram_1r1w #(.Width($bits(kept_t)), .Depth(NumQueues)) u_kept_record (
    .clk_i, .we_i(first), .waddr_i(qid), .wdata_i(keep),
    .raddr_i(rec_queue_q), .rdata_o(kept_record)
  );

  assign count = !stopped_q[qid]  ? TallyWidth'(1)
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
    if (stopped_q[status_queue_i]) begin
      status_o = '{faulted: 1'b1, code: kept_status.code, count: count_status,
                   seq: kept_status.seq, address: kept_status.address, tag: kept_status.tag};
    end
  end

  /////////////
  // Records //
  /////////////

  logic [NumQueues-1:0] next, offered, rec_taken;
  queue_t               next_queue;

  assign next      = announce_q & enable_i;
  assign offered   = NumQueues'(rec_valid_q) << rec_queue_q;
  assign rec_taken = offered & {NumQueues{rec_ready_i}};

  always_comb begin
    next_queue = '0;
    for (int unsigned q = 0; q < NumQueues; q++) if (next[q]) next_queue = queue_t'(q);
  end

  // A record on offer stays, whatever becomes of its queue.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      announce_q  <= '0;
      rec_valid_q <= 1'b0;
    end else begin
      announce_q  <= ((next | (announce_q & offered)) & ~rec_taken) |
                     (NumQueues'(first) << qid);
      rec_valid_q <= rec_valid_q ? !rec_ready_i : next != '0;
    end
  end

  always_ff @(posedge clk_i) if (!rec_valid_q) rec_queue_q <= next_queue;

  always_comb begin
    rec_o                 = '0;
    rec_o.sequence_number = kept_record.seq;
    rec_o.queue_number    = 8'(rec_queue_q);
    rec_o.kind            = tma_isa_pkg::KindFault;
    rec_o.fault           = kept_record.code;
    rec_o.address         = kept_record.address;
    rec_o.tag             = kept_record.tag;
  end

  assign rec_valid_o = rec_valid_q;
  assign idle_o      = announce_q == '0;

  ////////////////
  // Assertions //
  ////////////////

  for (genvar i = 0; i < NumSources; i++) begin : g_source
    `TMA_ASSERT(FaultHasACode, fault_valid_i[i] |-> fault_i[i].code != '0)
  end
  `TMA_ASSERT(NotIdleWithARecord, rec_valid_o |-> !idle_o)
  `TMA_ASSERT_STABLE(RecordIsStable, rec_valid_o, rec_ready_i, rec_o)
  `TMA_ASSERT(OneFaultPerCycle, (fault_ready_o & (fault_ready_o - NumSources'(1))) == '0)
  `TMA_COVER(SeveralSources, (fault_valid_i & (fault_valid_i - NumSources'(1))) != '0)
  `TMA_COVER(SequenceOfTheLapBefore, first && fault.origin.seq > head[15:0])
  `TMA_COVER(CountSaturates, taken && stopped_q[qid] && counted == '1)
  `TMA_COVER(FaultOfADisabledQueue, taken && !enable_i[qid])
  `TMA_COVER(WaitsForARecord, valid && !taken)

endmodule
