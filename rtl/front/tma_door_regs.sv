// SPDX-License-Identifier: Apache-2.0
// Pages of the queues: doorbell, progress, interrupt, faults and recovery, for who uses a queue.
//
// Read data and errors come in the same cycle; `write_i` does what `wdata_i` says, unless
// `refused_o`; its address is there in the cycle before already. The doorbell leaves in the cycle of
// the write, RESUME, RESET and CANCEL in the next one. RESUME, RESET, CANCEL and the pending bit act
// on the bytes that are strobed alone.
//
// While a queue is not active its CONSUMER and its pending bit are 0. A record that comes when the
// pending bit is cleared sets it. Reset: control only.

`include "tma_assert.svh"

module tma_door_regs
  import tma_pkg::*;
  import tma_csr_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Access
  input  logic                       write_i,
  input  queue_t                     qid_i,
  input  logic [11:2]                addr_i,      // in the page
  input  logic [31:0]                wdata_i,     // the same in the cycle behind a write
  input  logic [3:0]                 wstrb_i,
  output logic [31:0]                rdata_o,
  output logic                       unknown_o,   // no such register
  output logic                       refused_o,   // must not be written, or not now, or not so

  // State of queue `qid_i`
  input  logic                       enable_i,
  input  logic                       ring_i,
  input  logic                       faulted_i,
  input  logic                       drained_i,
  input  logic [31:0]                head_i,
  input  logic [31:0]                state_i,     // STATUS or a FAULT word, what is at `addr_i`

  // State of all of them
  input  logic [NumQueues-1:0]       active_i,
  input  logic [NumQueues-1:0][31:0] tail_i,
  input  logic [NumQueues-1:0][31:0] producer_i,
  input  held_records_t [NumQueues-1:0] held_records_i,  // places taken, beyond CONSUMER
  input  logic                       rec_done_i,  // a record is in the completion ring
  input  queue_t                     rec_done_queue_i,

  output logic                       door_valid_o,
  output queue_t                     door_queue_o,
  output logic [31:0]                door_tail_o,
  output logic [NumQueues-1:0][31:0] consumer_o,
  output logic [NumQueues-1:0]       resume_o,
  output logic [31:0]                resume_index_o,
  output logic [NumQueues-1:0]       reset_o,
  output logic [NumQueues-1:0]       cancel_o,
  output logic                       irq_o
);

  logic [NumQueues-1:0] pending_q, int_enable_q;
  logic [NumQueues-1:0] resume_q, reset_q, cancel_q;
  logic [NumQueues-1:0] one;               // qid_i
  logic [16:0]          offset;
  logic                 active, resume, take_consumer;
  logic [31:0]          consumer;

  assign offset   = {5'd0, addr_i, 2'b00};
  assign active   = enable_i && active_i[qid_i];
  assign resume   = offset == CsrDoorResumeOffset;

  always_comb begin
    one        = '0;
    one[qid_i] = 1'b1;
  end

  ////////////
  // Access //
  ////////////

  // RESUME may name what lies between HEAD and TAIL, CONSUMER move over the records that have a
  // place in the ring, modulo 2^32. Software sees a record before its response counts it in
  // PRODUCER. HEAD may have passed a TAIL that was taken back: then nothing lies between them.
  // A write is judged by what they were in the cycle before it, in which its register was read.
  logic        completion, between;
  logic [31:0] low, high, span, low_q, span_q;

  assign completion = offset == CsrDoorConsumerOffset || offset == CsrDoorProducerOffset;
  assign low        = completion ? consumer : head_i;
  assign high       = completion ? producer_i[qid_i] : tail_i[qid_i];
  assign span       = high - low;
  assign between    = wdata_i - low_q <= span_q;

  always_ff @(posedge clk_i) begin
    low_q  <= low;
    span_q <= completion ? 32'(held_records_i[qid_i]) : span[31] ? 32'd0 : span;
  end

  always_comb begin
    rdata_o   = '0;
    unknown_o = 1'b0;
    refused_o = 1'b1;
    case (offset)
      CsrDoorTailOffset: begin
        rdata_o   = high;
        refused_o = !active || !ring_i;
      end
      CsrDoorHeadOffset: rdata_o = low;
      CsrDoorConsumerOffset: begin
        rdata_o   = low;
        refused_o = !active || !between;
      end
      CsrDoorProducerOffset: rdata_o = high;
      CsrDoorInterruptPendingOffset: begin
        rdata_o[CsrDoorInterruptPendingPendingLsb] = pending_q[qid_i];
        refused_o = 1'b0;
      end
      CsrDoorInterruptEnableOffset: begin
        rdata_o[CsrDoorInterruptEnableEnableLsb] = int_enable_q[qid_i];
        refused_o = 1'b0;
      end
      CsrDoorStatusOffset, CsrDoorFaultOffset, CsrDoorFaultSequenceOffset,
      CsrDoorFaultAddressLoOffset, CsrDoorFaultAddressHiOffset, CsrDoorFaultTagOffset:
        rdata_o = state_i;
      CsrDoorResumeOffset:                     refused_o = !faulted_i || !drained_i || !between;
      CsrDoorResetOffset, CsrDoorCancelOffset: refused_o = !enable_i;
      default:                                 unknown_o = 1'b1;
    endcase
  end

  //////////////
  // Doorbell //
  //////////////

  // As long as it is not refused, for whatever but the comparison.
  assign door_valid_o = write_i && active && ring_i && offset == CsrDoorTailOffset;
  assign door_queue_o = qid_i;
  assign door_tail_o  = wdata_i;

  //////////////
  // Recovery //
  //////////////

  // Each looks at what refuses it alone. A byte without a strobe has been read as 0, so RESET and CANCEL need no look
  // at the strobes.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      resume_q <= '0;
      reset_q  <= '0;
      cancel_q <= '0;
    end else begin
      resume_q <= write_i && resume && wstrb_i != '0 && faulted_i && drained_i && between ? one : '0;
      reset_q  <= write_i && enable_i && offset == CsrDoorResetOffset && wdata_i[CsrDoorResetResetLsb] ? one : '0;
      cancel_q <= write_i && enable_i && offset == CsrDoorCancelOffset &&
                  wdata_i[CsrDoorCancelCancelLsb] ? one : '0;
    end
  end

  assign resume_o       = resume_q;
  assign resume_index_o = wdata_i;
  assign reset_o        = reset_q;
  assign cancel_o       = cancel_q;

  ///////////////////////////
  // Completion, interrupt //
  ///////////////////////////

  // The completion rings see every CONSUMER; the register is read from a copy in memory, which
  // counts from the first write of the queue's life on.
  logic [NumQueues-1:0] moved_q;
  logic [31:0]          copy;

  assign take_consumer = write_i && active && between && offset == CsrDoorConsumerOffset;
  assign consumer      = moved_q[qid_i] ? copy : '0;

  tma_ram_1r1w #(.Width(32), .Depth(NumQueues)) u_copy (
    .clk_i, .we_i(take_consumer), .waddr_i(qid_i), .wdata_i(wdata_i),
    .raddr_i(qid_i), .rdata_o(copy)
  );

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !active_i[q]) begin
        moved_q[q]    <= 1'b0;
        consumer_o[q] <= '0;
      end else if (take_consumer && one[q]) begin
        moved_q[q]    <= 1'b1;
        consumer_o[q] <= wdata_i;
      end

      if (!rst_ni || !active_i[q]) begin
        pending_q[q] <= 1'b0;
      end else if (rec_done_i && rec_done_queue_i == queue_t'(q)) begin
        pending_q[q] <= 1'b1;
      end else if (write_i && one[q] && offset == CsrDoorInterruptPendingOffset && wstrb_i[0] &&
                   wdata_i[CsrDoorInterruptPendingPendingLsb]) begin
        pending_q[q] <= 1'b0;
      end

      if (!rst_ni) begin
        int_enable_q[q] <= 1'b0;
      end else if (write_i && one[q] && offset == CsrDoorInterruptEnableOffset) begin
        int_enable_q[q] <= wdata_i[CsrDoorInterruptEnableEnableLsb];
      end
    end
  end

  assign irq_o = (pending_q & int_enable_q) != '0;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(QueuesFit, NumQueues <= CsrDoorCount)
  `TMA_ASSERT(PulsesAreShort, (resume_o | reset_o | cancel_o) != '0 |=>
      (resume_o | reset_o | cancel_o) == '0)
  for (genvar q = 0; q < NumQueues; q++) begin : g_assert
    `TMA_ASSERT(CopyIsConsumer, qid_i == queue_t'(q) |-> consumer == consumer_o[q])
    `TMA_ASSERT(NothingPendsOutsideALife, !active_i[q] |=> !pending_q[q] && consumer_o[q] == '0)
  end
  `TMA_COVER(ClearedAsRecordComes, write_i && offset == CsrDoorInterruptPendingOffset && rec_done_i &&
      rec_done_queue_i == qid_i)
  `TMA_COVER(ConsumerWraps, take_consumer && wdata_i < consumer)
  `TMA_COVER(ConsumerRefused, write_i && offset == CsrDoorConsumerOffset && active && !between)
  `TMA_COVER(ResumeWraps, write_i && !refused_o && resume && wdata_i < head_i)
  `TMA_COVER(ResumeRefused, write_i && resume && faulted_i && drained_i && !between)
  `TMA_COVER(ResumeBehindTail, write_i && !refused_o && resume && span[31])
  `TMA_COVER(ResumeInFlight, write_i && resume && faulted_i && !drained_i && between)
  `TMA_COVER(DoorClosing, write_i && offset == CsrDoorTailOffset && enable_i && ring_i && !active)

endmodule
