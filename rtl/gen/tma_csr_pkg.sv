// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/spec/tma.rdl by make gen. Do not edit.
//
// Addresses, fields and reset values of the registers. Registers of an array of blocks have an
// Offset from their block instead of an Addr. Writable: bits that a write may change.
package tma_csr_pkg;

  // A package offers all constants, no build uses each of them.
  /* verilator lint_off UNUSEDPARAM */

  // Magic. Tells software that this is the engine.
  localparam logic [15:0] CsrMagicAddr = 16'h0010;
  localparam logic [31:0] CsrMagicReset = 32'h31414D54;

  // Version. Version of the interface. Software refuses another major.
  localparam logic [15:0] CsrVersionAddr = 16'h0014;
  localparam logic [31:0] CsrVersionReset = 32'h00010000;
  localparam int unsigned CsrVersionMinorLsb = 0, CsrVersionMinorWidth = 16;
  localparam int unsigned CsrVersionMajorLsb = 16, CsrVersionMajorWidth = 16;

  // Capabilities. One word of the capabilities, see the capability table.
  localparam logic [15:0] CsrCapAddr = 16'h0020;
  localparam int unsigned CsrCapCount = 4, CsrCapStride = 4;

  // Status. State of the whole engine.
  localparam logic [15:0] CsrStatusAddr = 16'h0030;
  localparam logic [31:0] CsrStatusReset = 32'h00000001;
  localparam int unsigned CsrStatusIdleLsb = 0, CsrStatusIdleWidth = 1;

  // AXI cache attribute. AxCACHE of every burst.
  localparam logic [15:0] CsrAxcacheAddr = 16'h0034;
  localparam logic [31:0] CsrAxcacheReset = 32'h00000002;
  localparam logic [31:0] CsrAxcacheWritable = 32'h0000000F;
  localparam int unsigned CsrAxcacheAxcacheLsb = 0, CsrAxcacheAxcacheWidth = 4;

  // Window index. Selects the window that the WINDOW registers behind it show. A queue or window
  // that does not exist is refused with SLVERR.
  localparam logic [15:0] CsrWindowIndexAddr = 16'h0038;
  localparam logic [31:0] CsrWindowIndexReset = 32'h00000000;
  localparam logic [31:0] CsrWindowIndexWritable = 32'h0000FFFF;
  localparam int unsigned CsrWindowIndexWindowLsb = 0, CsrWindowIndexWindowWidth = 8;
  localparam int unsigned CsrWindowIndexQueueLsb = 8, CsrWindowIndexQueueWidth = 8;

  // Window attributes. What the selected window allows; 0 disables it. A write while its queue is
  // enabled is refused with SLVERR.
  localparam logic [15:0] CsrWindowAttrAddr = 16'h003C;
  localparam logic [31:0] CsrWindowAttrReset = 32'h00000000;
  localparam logic [31:0] CsrWindowAttrWritable = 32'h00000007;
  localparam int unsigned CsrWindowAttrReadLsb = 0, CsrWindowAttrReadWidth = 1;
  localparam int unsigned CsrWindowAttrWriteLsb = 1, CsrWindowAttrWriteWidth = 1;
  localparam int unsigned CsrWindowAttrMultimemLsb = 2, CsrWindowAttrMultimemWidth = 1;

  // Window base, low. First byte of the selected window, a multiple of 4 KiB: bits 11:0 read 0. A
  // write while its queue is enabled is refused with SLVERR.
  localparam logic [15:0] CsrWindowBaseLoAddr = 16'h0040;
  localparam logic [31:0] CsrWindowBaseLoReset = 32'h00000000;
  localparam logic [31:0] CsrWindowBaseLoWritable = 32'hFFFFF000;
  localparam int unsigned CsrWindowBaseLoLowLsb = 12, CsrWindowBaseLoLowWidth = 20;

  // Window base, high. Upper half of the base. A write while its queue is enabled is refused with
  // SLVERR.
  localparam logic [15:0] CsrWindowBaseHiAddr = 16'h0044;
  localparam logic [31:0] CsrWindowBaseHiReset = 32'h00000000;
  localparam logic [31:0] CsrWindowBaseHiWritable = 32'hFFFFFFFF;

  // Window limit, low. Last byte of the selected window. A write while its queue is enabled is
  // refused with SLVERR.
  localparam logic [15:0] CsrWindowLimitLoAddr = 16'h0048;
  localparam logic [31:0] CsrWindowLimitLoReset = 32'h00000FFF;
  localparam logic [31:0] CsrWindowLimitLoWritable = 32'hFFFFF000;
  localparam int unsigned CsrWindowLimitLoOnesLsb = 0, CsrWindowLimitLoOnesWidth = 12;
  localparam int unsigned CsrWindowLimitLoLowLsb = 12, CsrWindowLimitLoLowWidth = 20;

  // Window limit, high. Upper half of the limit. A write while its queue is enabled is refused with
  // SLVERR.
  localparam logic [15:0] CsrWindowLimitHiAddr = 16'h004C;
  localparam logic [31:0] CsrWindowLimitHiReset = 32'h00000000;
  localparam logic [31:0] CsrWindowLimitHiWritable = 32'hFFFFFFFF;

  // Counter. 64-bit event counters.
  localparam logic [15:0] CsrCounterAddr = 16'h0100;
  localparam int unsigned CsrCounterCount = 14, CsrCounterStride = 8;
  localparam logic [15:0] CsrCounterLoOffset = 16'h0000;
  localparam logic [31:0] CsrCounterLoReset = 32'h00000000;
  localparam logic [15:0] CsrCounterHiOffset = 16'h0004;
  localparam logic [31:0] CsrCounterHiReset = 32'h00000000;

  // Queue. Configuration and state of one queue.
  localparam logic [15:0] CsrQueueAddr = 16'h0800;
  localparam int unsigned CsrQueueCount = 16, CsrQueueStride = 128;
  localparam logic [15:0] CsrQueueControlOffset = 16'h0000;
  localparam logic [31:0] CsrQueueControlReset = 32'h00000000;
  localparam logic [31:0] CsrQueueControlWritable = 32'h00000001;
  localparam int unsigned CsrQueueControlEnableLsb = 0, CsrQueueControlEnableWidth = 1;
  localparam logic [15:0] CsrQueueCtaOffset = 16'h0004;
  localparam logic [31:0] CsrQueueCtaReset = 32'h00000000;
  localparam logic [31:0] CsrQueueCtaWritable = 32'hFFFF000F;
  localparam int unsigned CsrQueueCtaCtaLsb = 0, CsrQueueCtaCtaWidth = 4;
  localparam int unsigned CsrQueueCtaCtaMaskLsb = 16, CsrQueueCtaCtaMaskWidth = 16;
  localparam logic [15:0] CsrQueueStreamOffset = 16'h0008;
  localparam logic [31:0] CsrQueueStreamReset = 32'h00000000;
  localparam logic [31:0] CsrQueueStreamWritable = 32'h000007FF;
  localparam int unsigned CsrQueueStreamStreamLsb = 0, CsrQueueStreamStreamWidth = 8;
  localparam int unsigned CsrQueueStreamProtLsb = 8, CsrQueueStreamProtWidth = 3;
  localparam logic [15:0] CsrQueueStatusOffset = 16'h000C;
  localparam logic [31:0] CsrQueueStatusReset = 32'h00000000;
  localparam int unsigned CsrQueueStatusBusyLsb = 0, CsrQueueStatusBusyWidth = 1;
  localparam int unsigned CsrQueueStatusFaultedLsb = 1, CsrQueueStatusFaultedWidth = 1;
  localparam int unsigned CsrQueueStatusWaitingLsb = 2, CsrQueueStatusWaitingWidth = 1;
  localparam logic [15:0] CsrQueueFaultOffset = 16'h0010;
  localparam logic [31:0] CsrQueueFaultReset = 32'h00000000;
  localparam int unsigned CsrQueueFaultCodeLsb = 0, CsrQueueFaultCodeWidth = 16;
  localparam int unsigned CsrQueueFaultCountLsb = 16, CsrQueueFaultCountWidth = 16;
  localparam logic [15:0] CsrQueueFaultSequenceOffset = 16'h0014;
  localparam logic [31:0] CsrQueueFaultSequenceReset = 32'h00000000;
  localparam logic [15:0] CsrQueueFaultAddressLoOffset = 16'h0018;
  localparam logic [31:0] CsrQueueFaultAddressLoReset = 32'h00000000;
  localparam logic [15:0] CsrQueueFaultAddressHiOffset = 16'h001C;
  localparam logic [31:0] CsrQueueFaultAddressHiReset = 32'h00000000;
  localparam logic [15:0] CsrQueueFaultTagOffset = 16'h0020;
  localparam logic [31:0] CsrQueueFaultTagReset = 32'h00000000;
  localparam logic [15:0] CsrQueueHeadOffset = 16'h0024;
  localparam logic [31:0] CsrQueueHeadReset = 32'h00000000;
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
    CounterPrefetchErrors = 4'd12,  // error responses to prefetches
    CounterRecords        = 4'd13  // records written
  } counter_e;

endpackage
