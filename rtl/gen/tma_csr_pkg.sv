// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/spec/tma.rdl by make gen. Do not edit.
//
// Addresses, fields and reset values of the registers. Registers of an array of blocks have an
// Offset from their block instead of an Addr. Writable: bits that a write may change.
package tma_csr_pkg;

  // A package offers all constants, no build uses each of them.
  /* verilator lint_off UNUSEDPARAM */

  // Magic. Tells software that this is the engine.
  localparam logic [16:0] CsrMagicAddr = 17'h00010;
  localparam logic [31:0] CsrMagicReset = 32'h31414D54;

  // Version. Version of the interface. Software refuses another major.
  localparam logic [16:0] CsrVersionAddr = 17'h00014;
  localparam logic [31:0] CsrVersionReset = 32'h00010003;
  localparam int unsigned CsrVersionMinorLsb = 0, CsrVersionMinorWidth = 16;
  localparam int unsigned CsrVersionMajorLsb = 16, CsrVersionMajorWidth = 16;

  // Capabilities. One word of the capabilities, see the capability table.
  localparam logic [16:0] CsrCapAddr = 17'h00020;
  localparam int unsigned CsrCapCount = 4, CsrCapStride = 4;

  // Status. State of the whole engine.
  localparam logic [16:0] CsrStatusAddr = 17'h00030;
  localparam logic [31:0] CsrStatusReset = 32'h00000001;
  localparam int unsigned CsrStatusIdleLsb = 0, CsrStatusIdleWidth = 1;

  // AXI cache attribute. AxCACHE of every burst.
  localparam logic [16:0] CsrAxcacheAddr = 17'h00034;
  localparam logic [31:0] CsrAxcacheReset = 32'h00000002;
  localparam logic [31:0] CsrAxcacheWritable = 32'h0000000F;
  localparam int unsigned CsrAxcacheAxcacheLsb = 0, CsrAxcacheAxcacheWidth = 4;

  // Window index. Selects the window that the WINDOW registers behind it show. A queue or window
  // that does not exist is refused with SLVERR.
  localparam logic [16:0] CsrWindowIndexAddr = 17'h00038;
  localparam logic [31:0] CsrWindowIndexReset = 32'h00000000;
  localparam logic [31:0] CsrWindowIndexWritable = 32'h0000FFFF;
  localparam int unsigned CsrWindowIndexWindowLsb = 0, CsrWindowIndexWindowWidth = 8;
  localparam int unsigned CsrWindowIndexQueueLsb = 8, CsrWindowIndexQueueWidth = 8;

  // Window attributes. What the selected window allows; 0 disables it. A write while its queue is
  // enabled or closing is refused with SLVERR.
  localparam logic [16:0] CsrWindowAttrAddr = 17'h0003C;
  localparam logic [31:0] CsrWindowAttrReset = 32'h00000000;
  localparam logic [31:0] CsrWindowAttrWritable = 32'h00000007;
  localparam int unsigned CsrWindowAttrReadLsb = 0, CsrWindowAttrReadWidth = 1;
  localparam int unsigned CsrWindowAttrWriteLsb = 1, CsrWindowAttrWriteWidth = 1;
  localparam int unsigned CsrWindowAttrMultimemLsb = 2, CsrWindowAttrMultimemWidth = 1;

  // Window base, low. First byte of the selected window, a multiple of 4 KiB: bits 11:0 read 0. A
  // write while its queue is enabled or closing is refused with SLVERR.
  localparam logic [16:0] CsrWindowBaseLoAddr = 17'h00040;
  localparam logic [31:0] CsrWindowBaseLoReset = 32'h00000000;
  localparam logic [31:0] CsrWindowBaseLoWritable = 32'hFFFFF000;
  localparam int unsigned CsrWindowBaseLoLowLsb = 12, CsrWindowBaseLoLowWidth = 20;

  // Window base, high. Upper half of the base. A write while its queue is enabled or closing is
  // refused with SLVERR.
  localparam logic [16:0] CsrWindowBaseHiAddr = 17'h00044;
  localparam logic [31:0] CsrWindowBaseHiReset = 32'h00000000;
  localparam logic [31:0] CsrWindowBaseHiWritable = 32'hFFFFFFFF;

  // Window limit, low. Last byte of the selected window. A write while its queue is enabled or
  // closing is refused with SLVERR.
  localparam logic [16:0] CsrWindowLimitLoAddr = 17'h00048;
  localparam logic [31:0] CsrWindowLimitLoReset = 32'h00000FFF;
  localparam logic [31:0] CsrWindowLimitLoWritable = 32'hFFFFF000;
  localparam int unsigned CsrWindowLimitLoOnesLsb = 0, CsrWindowLimitLoOnesWidth = 12;
  localparam int unsigned CsrWindowLimitLoLowLsb = 12, CsrWindowLimitLoLowWidth = 20;

  // Window limit, high. Upper half of the limit. A write while its queue is enabled or closing is
  // refused with SLVERR.
  localparam logic [16:0] CsrWindowLimitHiAddr = 17'h0004C;
  localparam logic [31:0] CsrWindowLimitHiReset = 32'h00000000;
  localparam logic [31:0] CsrWindowLimitHiWritable = 32'hFFFFFFFF;

  // Watchdog. Cycles after which a port is dead on which something is awaited and nothing moves;
  // within twice as many, one on which nothing comes for a read id, or no response, that is
  // awaited, whatever moves besides. 0: never.
  localparam logic [16:0] CsrWatchdogAddr = 17'h00050;
  localparam logic [31:0] CsrWatchdogReset = 32'h00010000;
  localparam logic [31:0] CsrWatchdogWritable = 32'hFFFFFFFF;

  // Ports. State of the global ports.
  localparam logic [16:0] CsrPortsAddr = 17'h00054;
  localparam logic [31:0] CsrPortsReset = 32'h00000000;
  localparam int unsigned CsrPortsDeadLsb = 0, CsrPortsDeadWidth = 4;

  // Behaviour. Choices between what the documentation says and what an H200 does. Takes effect on
  // commands that start to move afterwards.
  localparam logic [16:0] CsrBehaviourAddr = 17'h00058;
  localparam logic [31:0] CsrBehaviourReset = 32'h00000000;
  localparam logic [31:0] CsrBehaviourWritable = 32'h00000003;
  localparam int unsigned CsrBehaviourStoreGranule16Lsb = 0, CsrBehaviourStoreGranule16Width = 1;
  localparam int unsigned CsrBehaviourF32FtzLsb = 1, CsrBehaviourF32FtzWidth = 1;

  // Multimem index. Selects the multimem window, and the port of its port base, that the MULTIMEM
  // registers behind it show. A window or port that does not exist is refused with SLVERR.
  localparam logic [16:0] CsrMultimemIndexAddr = 17'h00060;
  localparam logic [31:0] CsrMultimemIndexReset = 32'h00000000;
  localparam logic [31:0] CsrMultimemIndexWritable = 32'h0000FFFF;
  localparam int unsigned CsrMultimemIndexWindowLsb = 0, CsrMultimemIndexWindowWidth = 8;
  localparam int unsigned CsrMultimemIndexPortLsb = 8, CsrMultimemIndexPortWidth = 8;

  // Multimem ports. Ports on which the selected window has a backing location; none closes it. A
  // write while a queue that is enabled or closing has a window that allows multimem copies is
  // refused with SLVERR.
  localparam logic [16:0] CsrMultimemPortsAddr = 17'h00064;
  localparam logic [31:0] CsrMultimemPortsReset = 32'h00000000;
  localparam logic [31:0] CsrMultimemPortsWritable = 32'h0000000F;
  localparam int unsigned CsrMultimemPortsPortsLsb = 0, CsrMultimemPortsPortsWidth = 4;

  // Multimem base, low. First byte of the selected window. A write while a queue that is enabled or
  // closing has a window that allows multimem copies is refused with SLVERR.
  localparam logic [16:0] CsrMultimemBaseLoAddr = 17'h00068;
  localparam logic [31:0] CsrMultimemBaseLoReset = 32'h00000000;
  localparam logic [31:0] CsrMultimemBaseLoWritable = 32'hFFFFF000;
  localparam int unsigned CsrMultimemBaseLoLowLsb = 12, CsrMultimemBaseLoLowWidth = 20;

  // Multimem base, high. Upper half of the base. A write while a queue that is enabled or closing
  // has a window that allows multimem copies is refused with SLVERR.
  localparam logic [16:0] CsrMultimemBaseHiAddr = 17'h0006C;
  localparam logic [31:0] CsrMultimemBaseHiReset = 32'h00000000;
  localparam logic [31:0] CsrMultimemBaseHiWritable = 32'hFFFFFFFF;

  // Multimem limit, low. Last byte of the selected window. A write while a queue that is enabled or
  // closing has a window that allows multimem copies is refused with SLVERR.
  localparam logic [16:0] CsrMultimemLimitLoAddr = 17'h00070;
  localparam logic [31:0] CsrMultimemLimitLoReset = 32'h00000FFF;
  localparam logic [31:0] CsrMultimemLimitLoWritable = 32'hFFFFF000;
  localparam int unsigned CsrMultimemLimitLoOnesLsb = 0, CsrMultimemLimitLoOnesWidth = 12;
  localparam int unsigned CsrMultimemLimitLoLowLsb = 12, CsrMultimemLimitLoLowWidth = 20;

  // Multimem limit, high. Upper half of the limit. A write while a queue that is enabled or closing
  // has a window that allows multimem copies is refused with SLVERR.
  localparam logic [16:0] CsrMultimemLimitHiAddr = 17'h00074;
  localparam logic [31:0] CsrMultimemLimitHiReset = 32'h00000000;
  localparam logic [31:0] CsrMultimemLimitHiWritable = 32'hFFFFFFFF;

  // Multimem port base, low. Where the window begins on the selected port. A write while a queue
  // that is enabled or closing has a window that allows multimem copies is refused with SLVERR.
  localparam logic [16:0] CsrMultimemPortBaseLoAddr = 17'h00078;
  localparam logic [31:0] CsrMultimemPortBaseLoReset = 32'h00000000;
  localparam logic [31:0] CsrMultimemPortBaseLoWritable = 32'hFFFFF000;
  localparam int unsigned CsrMultimemPortBaseLoLowLsb = 12, CsrMultimemPortBaseLoLowWidth = 20;

  // Multimem port base, high. Upper half of the port base. A write while a queue that is enabled or
  // closing has a window that allows multimem copies is refused with SLVERR.
  localparam logic [16:0] CsrMultimemPortBaseHiAddr = 17'h0007C;
  localparam logic [31:0] CsrMultimemPortBaseHiReset = 32'h00000000;
  localparam logic [31:0] CsrMultimemPortBaseHiWritable = 32'hFFFFFFFF;

  // Counter. 64-bit event counters.
  localparam logic [16:0] CsrCounterAddr = 17'h00100;
  localparam int unsigned CsrCounterCount = 14, CsrCounterStride = 8;
  localparam logic [16:0] CsrCounterLoOffset = 17'h00000;
  localparam logic [31:0] CsrCounterLoReset = 32'h00000000;
  localparam logic [16:0] CsrCounterHiOffset = 17'h00004;
  localparam logic [31:0] CsrCounterHiReset = 32'h00000000;

  // Queue. Configuration and state of one queue.
  localparam logic [16:0] CsrQueueAddr = 17'h00800;
  localparam int unsigned CsrQueueCount = 16, CsrQueueStride = 128;
  localparam logic [16:0] CsrQueueControlOffset = 17'h00000;
  localparam logic [31:0] CsrQueueControlReset = 32'h00000000;
  localparam logic [31:0] CsrQueueControlWritable = 32'h00000003;
  localparam int unsigned CsrQueueControlEnableLsb = 0, CsrQueueControlEnableWidth = 1;
  localparam int unsigned CsrQueueControlRingLsb = 1, CsrQueueControlRingWidth = 1;
  localparam logic [16:0] CsrQueueCtaOffset = 17'h00004;
  localparam logic [31:0] CsrQueueCtaReset = 32'h00000000;
  localparam logic [31:0] CsrQueueCtaWritable = 32'hFFFF000F;
  localparam int unsigned CsrQueueCtaCtaLsb = 0, CsrQueueCtaCtaWidth = 4;
  localparam int unsigned CsrQueueCtaCtaMaskLsb = 16, CsrQueueCtaCtaMaskWidth = 16;
  localparam logic [16:0] CsrQueueStreamOffset = 17'h00008;
  localparam logic [31:0] CsrQueueStreamReset = 32'h00000000;
  localparam logic [31:0] CsrQueueStreamWritable = 32'h000007FF;
  localparam int unsigned CsrQueueStreamStreamLsb = 0, CsrQueueStreamStreamWidth = 8;
  localparam int unsigned CsrQueueStreamProtLsb = 8, CsrQueueStreamProtWidth = 3;
  localparam logic [16:0] CsrQueueStatusOffset = 17'h0000C;
  localparam logic [31:0] CsrQueueStatusReset = 32'h00000000;
  localparam int unsigned CsrQueueStatusBusyLsb = 0, CsrQueueStatusBusyWidth = 1;
  localparam int unsigned CsrQueueStatusFaultedLsb = 1, CsrQueueStatusFaultedWidth = 1;
  localparam int unsigned CsrQueueStatusWaitingLsb = 2, CsrQueueStatusWaitingWidth = 1;
  localparam int unsigned CsrQueueStatusFullLsb = 3, CsrQueueStatusFullWidth = 1;
  localparam int unsigned CsrQueueStatusClosingLsb = 4, CsrQueueStatusClosingWidth = 1;
  localparam logic [16:0] CsrQueueFaultOffset = 17'h00010;
  localparam logic [31:0] CsrQueueFaultReset = 32'h00000000;
  localparam int unsigned CsrQueueFaultCodeLsb = 0, CsrQueueFaultCodeWidth = 16;
  localparam int unsigned CsrQueueFaultCountLsb = 16, CsrQueueFaultCountWidth = 16;
  localparam logic [16:0] CsrQueueFaultSequenceOffset = 17'h00014;
  localparam logic [31:0] CsrQueueFaultSequenceReset = 32'h00000000;
  localparam logic [16:0] CsrQueueFaultAddressLoOffset = 17'h00018;
  localparam logic [31:0] CsrQueueFaultAddressLoReset = 32'h00000000;
  localparam logic [16:0] CsrQueueFaultAddressHiOffset = 17'h0001C;
  localparam logic [31:0] CsrQueueFaultAddressHiReset = 32'h00000000;
  localparam logic [16:0] CsrQueueFaultTagOffset = 17'h00020;
  localparam logic [31:0] CsrQueueFaultTagReset = 32'h00000000;
  localparam logic [16:0] CsrQueueHeadOffset = 17'h00024;
  localparam logic [31:0] CsrQueueHeadReset = 32'h00000000;
  localparam logic [16:0] CsrQueueRingBaseLoOffset = 17'h00028;
  localparam logic [31:0] CsrQueueRingBaseLoReset = 32'h00000000;
  localparam logic [31:0] CsrQueueRingBaseLoWritable = 32'hFFFFF000;
  localparam int unsigned CsrQueueRingBaseLoLowLsb = 12, CsrQueueRingBaseLoLowWidth = 20;
  localparam logic [16:0] CsrQueueRingBaseHiOffset = 17'h0002C;
  localparam logic [31:0] CsrQueueRingBaseHiReset = 32'h00000000;
  localparam logic [31:0] CsrQueueRingBaseHiWritable = 32'hFFFFFFFF;
  localparam logic [16:0] CsrQueueCompletionBaseLoOffset = 17'h00030;
  localparam logic [31:0] CsrQueueCompletionBaseLoReset = 32'h00000000;
  localparam logic [31:0] CsrQueueCompletionBaseLoWritable = 32'hFFFFF000;
  localparam int unsigned CsrQueueCompletionBaseLoLowLsb = 12, CsrQueueCompletionBaseLoLowWidth = 20;
  localparam logic [16:0] CsrQueueCompletionBaseHiOffset = 17'h00034;
  localparam logic [31:0] CsrQueueCompletionBaseHiReset = 32'h00000000;
  localparam logic [31:0] CsrQueueCompletionBaseHiWritable = 32'hFFFFFFFF;
  localparam logic [16:0] CsrQueueRingSizeOffset = 17'h00038;
  localparam logic [31:0] CsrQueueRingSizeReset = 32'h00000404;
  localparam logic [31:0] CsrQueueRingSizeWritable = 32'h00001F1F;
  localparam int unsigned CsrQueueRingSizeRingLsb = 0, CsrQueueRingSizeRingWidth = 5;
  localparam int unsigned CsrQueueRingSizeCompletionLsb = 8, CsrQueueRingSizeCompletionWidth = 5;
  localparam logic [16:0] CsrQueueCancelMaskOffset = 17'h0003C;
  localparam logic [31:0] CsrQueueCancelMaskReset = 32'h00000000;
  localparam logic [31:0] CsrQueueCancelMaskWritable = 32'h0000FFFF;
  localparam int unsigned CsrQueueCancelMaskQueuesLsb = 0, CsrQueueCancelMaskQueuesWidth = 16;

  // Door. The page of one queue, for the software that uses it.
  localparam logic [16:0] CsrDoorAddr = 17'h01000;
  localparam int unsigned CsrDoorCount = 16, CsrDoorStride = 4096;
  localparam logic [16:0] CsrDoorTailOffset = 17'h00000;
  localparam logic [31:0] CsrDoorTailReset = 32'h00000000;
  localparam logic [31:0] CsrDoorTailWritable = 32'hFFFFFFFF;
  localparam logic [16:0] CsrDoorHeadOffset = 17'h00004;
  localparam logic [31:0] CsrDoorHeadReset = 32'h00000000;
  localparam logic [16:0] CsrDoorConsumerOffset = 17'h00008;
  localparam logic [31:0] CsrDoorConsumerReset = 32'h00000000;
  localparam logic [31:0] CsrDoorConsumerWritable = 32'hFFFFFFFF;
  localparam logic [16:0] CsrDoorProducerOffset = 17'h0000C;
  localparam logic [31:0] CsrDoorProducerReset = 32'h00000000;
  localparam logic [16:0] CsrDoorInterruptPendingOffset = 17'h00010;
  localparam logic [31:0] CsrDoorInterruptPendingReset = 32'h00000000;
  localparam logic [31:0] CsrDoorInterruptPendingWritable = 32'h00000001;
  localparam int unsigned CsrDoorInterruptPendingPendingLsb = 0, CsrDoorInterruptPendingPendingWidth = 1;
  localparam logic [16:0] CsrDoorInterruptEnableOffset = 17'h00014;
  localparam logic [31:0] CsrDoorInterruptEnableReset = 32'h00000000;
  localparam logic [31:0] CsrDoorInterruptEnableWritable = 32'h00000001;
  localparam int unsigned CsrDoorInterruptEnableEnableLsb = 0, CsrDoorInterruptEnableEnableWidth = 1;
  localparam logic [16:0] CsrDoorStatusOffset = 17'h00018;
  localparam logic [31:0] CsrDoorStatusReset = 32'h00000000;
  localparam int unsigned CsrDoorStatusBusyLsb = 0, CsrDoorStatusBusyWidth = 1;
  localparam int unsigned CsrDoorStatusFaultedLsb = 1, CsrDoorStatusFaultedWidth = 1;
  localparam int unsigned CsrDoorStatusWaitingLsb = 2, CsrDoorStatusWaitingWidth = 1;
  localparam int unsigned CsrDoorStatusFullLsb = 3, CsrDoorStatusFullWidth = 1;
  localparam int unsigned CsrDoorStatusClosingLsb = 4, CsrDoorStatusClosingWidth = 1;
  localparam logic [16:0] CsrDoorFaultOffset = 17'h0001C;
  localparam logic [31:0] CsrDoorFaultReset = 32'h00000000;
  localparam int unsigned CsrDoorFaultCodeLsb = 0, CsrDoorFaultCodeWidth = 16;
  localparam int unsigned CsrDoorFaultCountLsb = 16, CsrDoorFaultCountWidth = 16;
  localparam logic [16:0] CsrDoorFaultSequenceOffset = 17'h00020;
  localparam logic [31:0] CsrDoorFaultSequenceReset = 32'h00000000;
  localparam logic [16:0] CsrDoorFaultAddressLoOffset = 17'h00024;
  localparam logic [31:0] CsrDoorFaultAddressLoReset = 32'h00000000;
  localparam logic [16:0] CsrDoorFaultAddressHiOffset = 17'h00028;
  localparam logic [31:0] CsrDoorFaultAddressHiReset = 32'h00000000;
  localparam logic [16:0] CsrDoorFaultTagOffset = 17'h0002C;
  localparam logic [31:0] CsrDoorFaultTagReset = 32'h00000000;
  localparam logic [16:0] CsrDoorResumeOffset = 17'h00030;
  localparam logic [31:0] CsrDoorResumeReset = 32'h00000000;
  localparam logic [31:0] CsrDoorResumeWritable = 32'hFFFFFFFF;
  localparam logic [16:0] CsrDoorResetOffset = 17'h00034;
  localparam logic [31:0] CsrDoorResetReset = 32'h00000000;
  localparam logic [31:0] CsrDoorResetWritable = 32'h00000001;
  localparam int unsigned CsrDoorResetResetLsb = 0, CsrDoorResetResetWidth = 1;
  localparam logic [16:0] CsrDoorCancelOffset = 17'h00038;
  localparam logic [31:0] CsrDoorCancelReset = 32'h00000000;
  localparam logic [31:0] CsrDoorCancelWritable = 32'h00000001;
  localparam int unsigned CsrDoorCancelCancelLsb = 0, CsrDoorCancelCancelWidth = 1;
  /* verilator lint_on UNUSEDPARAM */

  // Index of each counter.
  typedef enum logic [3:0] {
    CounterCycles         = 4'd0,  // clock cycles in which the engine was not idle
    CounterCommands       = 4'd1,  // commands retired
    CounterReadBursts     = 4'd2,  // read bursts
    CounterReadBeats      = 4'd3,  // read beats
    CounterWriteBursts    = 4'd4,  // write bursts
    CounterWriteBeats     = 4'd5,  // write beats
    CounterSharedLines    = 4'd6,  // lines copied from CTA to CTA
    CounterSignals        = 4'd7,  // copies of a byte at least that signalled their barriers
    CounterFaults         = 4'd8,  // faults
    CounterIssueStalls    = 4'd9,  // cycles in which a queue had a command and none issued
    CounterReadStalls     = 4'd10,  // cycles with ARVALID and without ARREADY
    CounterWriteStalls    = 4'd11,  // cycles with WVALID and without WREADY
    CounterPrefetchErrors = 4'd12,  // parts of prefetches that no window allowed, and beats of them that answered an error
    CounterRecords        = 4'd13  // records written
  } counter_e;

endpackage
