// SPDX-License-Identifier: Apache-2.0
// Registers of the queues on page 0: holds what each queue is set up with.
//
// `addr_i` is the offset in the block of all queues. Read data and errors come in the same cycle;
// `write_i` writes what `wdata_i` says, unless `refused_o`, in the next one.
//
// The set-up is a table of words, 8 for a queue, see tma_table_ram. Reset: all queues disabled, and
// the table is cleared, one word per cycle; `busy_o` until then.

`include "tma_assert.svh"

module tma_queue_regs
  import tma_pkg::*;
  import tma_csr_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Access
  input  logic                       write_i,
  input  queue_t                     qid_i,
  input  logic [6:2]                 addr_i,     // in the block of the queue
  input  logic [31:0]                wdata_i,
  output logic [31:0]                rdata_o,
  output logic                       unknown_o,  // no such register
  output logic                       refused_o,  // must not be written, or not now, or not so

  // Set-up; that of a queue which is locked cannot be changed
  input  logic                       locked_i,   // queue `qid_i` is enabled or closing
  output queue_cfg_t [NumQueues-1:0] cfg_o,
  output ring_cfg_t [NumQueues-1:0]  ring_cfg_o,
  output logic                       busy_o,

  // State of queue `qid_i`
  input  logic [31:0]                head_i,
  input  logic [31:0]                state_i     // STATUS or a FAULT word, whichever is at `addr_i`
);

  localparam int unsigned RingSlotsMin = 4, RingSlotsMax = 16;  // log2

  // Words of the table.
  typedef enum logic [2:0] {
    WordStream         = 3'd0,
    WordCta            = 3'd1,
    WordRingLo         = 3'd2,
    WordRingHi         = 3'd3,
    WordCompletionLo   = 3'd4,
    WordCompletionHi   = 3'd5,
    WordSize           = 3'd6,
    WordCancel         = 3'd7
  } word_e;

  // Bits that they have.
  localparam logic [31:0] CtaBits =
      {16'((1 << NumCtas) - 1), 16'(CsrQueueCtaWritable[15:0])} & CsrQueueCtaWritable;
  localparam logic [31:0] CancelBits = 32'((1 << NumQueues) - 1);
  localparam logic [7:0][31:0] Bits = {
    CancelBits, CsrQueueRingSizeWritable, CsrQueueCompletionBaseHiWritable,
    CsrQueueCompletionBaseLoWritable, CsrQueueRingBaseHiWritable, CsrQueueRingBaseLoWritable,
    CtaBits, CsrQueueStreamWritable
  };

  localparam int unsigned IndexWidth = QueueWidth + 3;

  logic                  enabled, ring;
  logic [16:0]           offset;
  word_e                 word;
  logic                  set_up;   // the register is in the table
  logic                  control;  // CONTROL is written
  logic [IndexWidth-1:0] index;
  logic                  write, busy;
  logic [31:0]           current, entry;

  assign enabled = cfg_o[qid_i].enable;
  assign ring    = cfg_o[qid_i].ring;
  assign offset  = {10'd0, addr_i, 2'b00};

  ////////////
  // Access //
  ////////////

  function automatic logic is_ring_size(input logic [4:0] slots);
    is_ring_size = 32'(slots) >= RingSlotsMin && 32'(slots) <= RingSlotsMax;
  endfunction

  always_comb begin
    rdata_o   = state_i;
    unknown_o = 1'b0;
    refused_o = 1'b1;
    set_up    = 1'b0;
    word      = WordStream;
    case (offset)
      CsrQueueControlOffset: begin
        rdata_o = '0;
        rdata_o[CsrQueueControlEnableLsb] = enabled;
        rdata_o[CsrQueueControlRingLsb]   = ring;
        refused_o = enabled && wdata_i[CsrQueueControlEnableLsb] &&
                    wdata_i[CsrQueueControlRingLsb] != ring;
      end
      CsrQueueCtaOffset: begin
        {set_up, word} = {1'b1, WordCta};
        refused_o = locked_i ||
                    32'(wdata_i[CsrQueueCtaCtaLsb +: CsrQueueCtaCtaWidth]) >= NumCtas;
      end
      CsrQueueStreamOffset:           {set_up, word, refused_o} = {1'b1, WordStream, locked_i};
      CsrQueueRingBaseLoOffset:       {set_up, word, refused_o} = {1'b1, WordRingLo, locked_i};
      CsrQueueRingBaseHiOffset:       {set_up, word, refused_o} = {1'b1, WordRingHi, locked_i};
      CsrQueueCompletionBaseLoOffset: {set_up, word, refused_o} = {1'b1, WordCompletionLo, locked_i};
      CsrQueueCompletionBaseHiOffset: {set_up, word, refused_o} = {1'b1, WordCompletionHi, locked_i};
      CsrQueueRingSizeOffset: begin
        {set_up, word} = {1'b1, WordSize};
        refused_o = locked_i ||
            !is_ring_size(wdata_i[CsrQueueRingSizeRingLsb +: CsrQueueRingSizeRingWidth]) ||
            !is_ring_size(wdata_i[CsrQueueRingSizeCompletionLsb +: CsrQueueRingSizeCompletionWidth]);
      end
      CsrQueueCancelMaskOffset: {set_up, word, refused_o} = {1'b1, WordCancel, locked_i};
      CsrQueueHeadOffset:       rdata_o = head_i;
      CsrQueueStatusOffset, CsrQueueFaultOffset, CsrQueueFaultSequenceOffset,
      CsrQueueFaultAddressLoOffset, CsrQueueFaultAddressHiOffset, CsrQueueFaultTagOffset: ;
      default:                  unknown_o = 1'b1;
    endcase
    if (set_up) rdata_o = current;
  end

  assign control = write_i && !refused_o && !set_up;

  ///////////
  // Table //
  ///////////

  always_comb begin
    entry = wdata_i & Bits[word];
    if (busy) entry = index[2:0] == WordSize ? CsrQueueRingSizeReset : '0;
  end

  tma_table_ram #(.Width(32), .IndexWidth(IndexWidth)) u_table (
    .clk_i, .rst_ni, .index_i({qid_i, word}), .write_i(write_i && set_up && !refused_o),
    .entry_i(entry), .current_o(current), .write_o(write), .index_o(index), .busy_o(busy)
  );

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    logic hit;
    assign hit = write && index[IndexWidth-1:3] == queue_t'(q);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        cfg_o[q].enable <= 1'b0;
        cfg_o[q].ring   <= 1'b0;
      end else if (control && qid_i == queue_t'(q)) begin
        cfg_o[q].enable <= wdata_i[CsrQueueControlEnableLsb];
        cfg_o[q].ring   <= wdata_i[CsrQueueControlRingLsb];
      end
      if (hit && index[2:0] == WordStream) begin
        cfg_o[q].stream <= entry[CsrQueueStreamStreamLsb +: CsrQueueStreamStreamWidth];
        cfg_o[q].prot   <= entry[CsrQueueStreamProtLsb +: CsrQueueStreamProtWidth];
      end
      if (hit && index[2:0] == WordCta) begin
        cfg_o[q].cta      <= entry[CsrQueueCtaCtaLsb +: CtaWidth];
        cfg_o[q].cta_mask <= entry[CsrQueueCtaCtaMaskLsb +: NumCtas];
      end
      if (hit && index[2:0] == WordCancel) begin
        cfg_o[q].cancel_mask <= entry[CsrQueueCancelMaskQueuesLsb +: NumQueues];
      end
      if (hit && index[2:0] == WordRingLo) ring_cfg_o[q].base[19:0]  <= entry[31:12];
      if (hit && index[2:0] == WordRingHi) ring_cfg_o[q].base[51:20] <= entry;
      if (hit && index[2:0] == WordCompletionLo) begin
        ring_cfg_o[q].completion_base[19:0] <= entry[31:12];
      end
      if (hit && index[2:0] == WordCompletionHi) ring_cfg_o[q].completion_base[51:20] <= entry;
      if (hit && index[2:0] == WordSize) begin
        ring_cfg_o[q].slots <= entry[CsrQueueRingSizeRingLsb +: CsrQueueRingSizeRingWidth];
        ring_cfg_o[q].completion_slots <=
            entry[CsrQueueRingSizeCompletionLsb +: CsrQueueRingSizeCompletionWidth];
      end
    end
  end

  assign busy_o = busy;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(QueuesFit, NumQueues <= CsrQueueCount)
  `TMA_ASSERT(SetUpIsStable, write && !busy |-> !locked_i)
  for (genvar q = 0; q < NumQueues; q++) begin : g_assert
    `TMA_ASSERT(ClearedBeforeEnabled, busy |-> !cfg_o[q].enable)
  end
  `TMA_COVER(LockedWrite, write_i && refused_o && locked_i)
  `TMA_COVER(SizeRefused, write_i && refused_o && !locked_i && word == WordSize)
  `TMA_COVER(OtherFrontEndRefused, write_i && refused_o && offset == CsrQueueControlOffset)

endmodule
