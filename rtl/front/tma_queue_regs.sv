// SPDX-License-Identifier: Apache-2.0
// Registers of the queues: holds what each queue is set up with, shows its state and faults.
//
// `addr_i` is the offset in the block of all queues. Read data and errors come in the same cycle;
// `write_i` writes what `wdata_i` says, unless `refused_o`. Reset: all queues disabled.

`include "tma_assert.svh"

module tma_queue_regs
  import tma_pkg::*;
  import tma_csr_pkg::*;
  import tma_status_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Access
  input  logic                       write_i,
  input  logic [15:0]                addr_i,
  input  logic [31:0]                wdata_i,
  output logic [31:0]                rdata_o,
  output logic                       unknown_o,  // no such register
  output logic                       refused_o,  // must not be written, or not now, or not so

  // Set-up
  output queue_cfg_t [NumQueues-1:0] cfg_o,

  // State
  input  logic [NumQueues-1:0]       queue_busy_i,
  input  logic [NumQueues-1:0]       queue_waiting_i,
  input  logic [NumQueues-1:0][31:0] head_i,
  output queue_t                     status_queue_o,
  input  queue_status_t              status_i
);

  localparam int unsigned StrideWidth = $clog2(CsrQueueStride);

  queue_cfg_t [NumQueues-1:0] cfg_q;
  queue_cfg_t                 cfg;
  queue_t                     qid;
  logic [15:0]                offset;

  assign qid    = addr_i[StrideWidth +: QueueWidth];
  assign offset = 16'(addr_i[StrideWidth-1:0]);
  assign cfg    = cfg_q[qid];

  ////////////
  // Access //
  ////////////

  always_comb begin
    rdata_o   = '0;
    unknown_o = 1'b0;
    refused_o = 1'b1;
    case (offset)
      CsrQueueControlOffset: begin
        rdata_o[CsrQueueControlEnableLsb] = cfg.enable;
        refused_o = 1'b0;
      end
      CsrQueueCtaOffset: begin
        rdata_o[CsrQueueCtaCtaLsb +: CsrQueueCtaCtaWidth] = CsrQueueCtaCtaWidth'(cfg.cta);
        rdata_o[CsrQueueCtaCtaMaskLsb +: CsrQueueCtaCtaMaskWidth] =
            CsrQueueCtaCtaMaskWidth'(cfg.cta_mask);
        refused_o = cfg.enable ||
                    32'(wdata_i[CsrQueueCtaCtaLsb +: CsrQueueCtaCtaWidth]) >= NumCtas;
      end
      CsrQueueStreamOffset: begin
        rdata_o[CsrQueueStreamStreamLsb +: CsrQueueStreamStreamWidth] = cfg.stream;
        rdata_o[CsrQueueStreamProtLsb +: CsrQueueStreamProtWidth]     = cfg.prot;
        refused_o = cfg.enable;
      end
      CsrQueueStatusOffset: begin
        rdata_o[CsrQueueStatusBusyLsb]    = queue_busy_i[qid];
        rdata_o[CsrQueueStatusFaultedLsb] = status_i.faulted;
        rdata_o[CsrQueueStatusWaitingLsb] = queue_waiting_i[qid];
      end
      CsrQueueFaultOffset: begin
        rdata_o[CsrQueueFaultCodeLsb +: CsrQueueFaultCodeWidth]   = status_i.code;
        rdata_o[CsrQueueFaultCountLsb +: CsrQueueFaultCountWidth] = status_i.count;
      end
      CsrQueueFaultSequenceOffset:  rdata_o = status_i.seq;
      CsrQueueFaultAddressLoOffset: rdata_o = status_i.address[31:0];
      CsrQueueFaultAddressHiOffset: rdata_o = status_i.address[63:32];
      CsrQueueFaultTagOffset:       rdata_o = status_i.tag;
      CsrQueueHeadOffset:           rdata_o = head_i[qid];
      default:                      unknown_o = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cfg_q <= '0;
    end else if (write_i && !refused_o) begin
      case (offset)
        CsrQueueControlOffset: cfg_q[qid].enable <= wdata_i[CsrQueueControlEnableLsb];
        CsrQueueCtaOffset: begin
          cfg_q[qid].cta      <= wdata_i[CsrQueueCtaCtaLsb +: CtaWidth];
          cfg_q[qid].cta_mask <= wdata_i[CsrQueueCtaCtaMaskLsb +: NumCtas];
        end
        default: begin
          cfg_q[qid].stream <= wdata_i[CsrQueueStreamStreamLsb +: CsrQueueStreamStreamWidth];
          cfg_q[qid].prot   <= wdata_i[CsrQueueStreamProtLsb +: CsrQueueStreamProtWidth];
        end
      endcase
    end
  end

  assign cfg_o          = cfg_q;
  assign status_queue_o = qid;

  logic unused_bits;
  assign unused_bits = ^addr_i[15:StrideWidth];

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(QueuesFit, NumQueues <= CsrQueueCount)
  `TMA_ASSERT(QueueExists, write_i |-> 32'(addr_i) < NumQueues * CsrQueueStride)
  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    `TMA_ASSERT(SetUpIsStable, $past(cfg_q[q].enable) && cfg_q[q].enable |-> $stable(cfg_q[q]))
  end
  `TMA_COVER(LockedWrite, write_i && refused_o && cfg.enable)

endmodule
