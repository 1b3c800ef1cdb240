// SPDX-License-Identifier: Apache-2.0
// Registers of page 0 that belong to no queue: identity, ports, windows, multimem windows.
//
// Read data and errors come in the same cycle; `write_i` writes what `wdata_i` says, unless
// `refused_o`, in the next one. STATUS shows `idle_i` as of the cycle before.
//
// Reset: set-up registers; the tables of windows are cleared, `busy_o` until then.

`include "tma_assert.svh"

module tma_page_regs
  import tma_pkg::*;
  import tma_path_pkg::*;
  import tma_isa_pkg::*;
  import tma_csr_pkg::*;
(
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Access
  input  logic                        write_i,
  input  logic [11:2]                 addr_i,
  input  logic [31:0]                 wdata_i,
  output logic [31:0]                 rdata_o,
  output logic                        unknown_o,  // no such register
  output logic                        refused_o,  // must not be written, or not now, or not so

  // Set-up
  output window_write_t               window_write_o,
  output multimem_t [NumMultimem-1:0] multimem_o,
  output logic [3:0]                  axcache_o,
  output logic [31:0]                 watchdog_o,
  output behaviour_t                  behaviour_o,
  output logic                        busy_o,

  // State
  input  logic                        idle_i,
  input  ports_t                      dead_i,
  input  logic [NumQueues-1:0]        locked_i    // queues that are enabled or closing
);

  localparam int unsigned MultimemWidth = NumMultimem > 1 ? $clog2(NumMultimem) : 1;

  // Capability words of this build.
  function automatic logic [CsrCapCount-1:0][31:0] capabilities();
    logic [CsrCapCount-1:0][31:0] caps;
    caps = '0;
    caps[CapDataBytesWord][CapDataBytesLsb +: CapDataBytesWidth] = CapDataBytesWidth'(DataBytes);
    caps[CapCtasWord][CapCtasLsb +: CapCtasWidth] = CapCtasWidth'(NumCtas);
    caps[CapQueuesWord][CapQueuesLsb +: CapQueuesWidth] = CapQueuesWidth'(NumQueues);
    caps[CapPortsWord][CapPortsLsb +: CapPortsWidth] = CapPortsWidth'(NumPorts);
    caps[CapSmemBytesWord][CapSmemBytesLsb +: CapSmemBytesWidth] = CapSmemBytesWidth'(SmemBytes);
    caps[CapWindowsWord][CapWindowsLsb +: CapWindowsWidth] = CapWindowsWidth'(NumWindows);
    caps[CapReadsWord][CapReadsLsb +: CapReadsWidth] = CapReadsWidth'(NumReads);
    caps[CapMultimemWindowsWord][CapMultimemWindowsLsb +: CapMultimemWindowsWidth] =
        CapMultimemWindowsWidth'(NumMultimem);
    caps[CapRingWord][CapRingLsb]         = 1'b1;
    caps[CapMultimemWord][CapMultimemLsb] = 1'b1;
    caps[CapCpAsyncWord][CapCpAsyncLsb]   = 1'b1;
    caps[CapTensorWord][CapTensorLsb]     = 1'b1;
    caps[CapReduceWord][CapReduceLsb]     = Reduces;
    caps[CapF64Word][CapF64Lsb]           = Reduces && Doubles;
    caps[CapFloatsWord][CapFloatsLsb]     = Reduces && Floating;
    caps[CapPackedWord][CapPackedLsb]     = Packed;
    caps[CapMapsWord][CapMapsLsb +: CapMapsWidth] = CapMapsWidth'(NumMaps);
    return caps;
  endfunction

  localparam logic [CsrCapCount-1:0][31:0] Capabilities = capabilities();

  logic [3:0]               axcache_q;
  logic [31:0]              watchdog_q;
  logic [WindowIdx-1:0]     window_q;        // WINDOW_INDEX
  queue_t                   window_queue_q;
  logic [MultimemWidth-1:0] multimem_q;      // MULTIMEM_INDEX
  logic [1:0]               port_q;
  behaviour_t               behaviour_q;
  logic                     idle_q;

  ////////////
  // Access //
  ////////////

  logic [16:0]          word;
  logic                 write;
  logic                 window_locked;    // its queue is
  logic                 multimem_locked;  // a locked queue may use multimem windows
  logic [NumQueues-1:0] uses_multimem;
  window_t              window;
  logic [31:0]          multimem;
  logic                 in_multimem;      // the word is part of a multimem window

  assign word            = {5'd0, addr_i, 2'b00};
  assign write           = write_i && !refused_o;
  assign window_locked   = locked_i[window_queue_q];
  assign multimem_locked = (uses_multimem & locked_i) != '0;

  always_comb begin
    rdata_o     = '0;
    unknown_o   = 1'b0;
    refused_o   = 1'b1;
    in_multimem = 1'b0;
    case (word)
      CsrMagicAddr:   rdata_o = CsrMagicReset;
      CsrVersionAddr: rdata_o = CsrVersionReset;
      CsrCapAddr, CsrCapAddr + 17'd4, CsrCapAddr + 17'd8, CsrCapAddr + 17'd12:
        rdata_o = Capabilities[word[3:2]];
      CsrStatusAddr:  rdata_o[CsrStatusIdleLsb] = idle_q;
      CsrAxcacheAddr: begin
        rdata_o[CsrAxcacheAxcacheLsb +: CsrAxcacheAxcacheWidth] = axcache_q;
        refused_o = 1'b0;
      end
      CsrWindowIndexAddr: begin
        rdata_o[CsrWindowIndexWindowLsb +: WindowIdx] = window_q;
        rdata_o[CsrWindowIndexQueueLsb +: QueueWidth]   = window_queue_q;
        refused_o =
            32'(wdata_i[CsrWindowIndexWindowLsb +: CsrWindowIndexWindowWidth]) >= NumWindows ||
            32'(wdata_i[CsrWindowIndexQueueLsb +: CsrWindowIndexQueueWidth]) >= NumQueues;
      end
      CsrWindowAttrAddr: begin
        rdata_o[CsrWindowAttrReadLsb]     = window.read;
        rdata_o[CsrWindowAttrWriteLsb]    = window.write;
        rdata_o[CsrWindowAttrMultimemLsb] = window.multimem;
        refused_o = window_locked;
      end
      CsrWindowBaseLoAddr:  {rdata_o, refused_o} = {window.base[19:0], 12'h000, window_locked};
      CsrWindowBaseHiAddr:  {rdata_o, refused_o} = {window.base[51:20], window_locked};
      CsrWindowLimitLoAddr: {rdata_o, refused_o} = {window.limit[19:0], 12'hFFF, window_locked};
      CsrWindowLimitHiAddr: {rdata_o, refused_o} = {window.limit[51:20], window_locked};
      CsrWatchdogAddr:      {rdata_o, refused_o} = {watchdog_q, 1'b0};
      CsrBehaviourAddr: begin
        rdata_o[CsrBehaviourStoreGranule16Lsb] = behaviour_q.granule16;
        rdata_o[CsrBehaviourF32FtzLsb]         = behaviour_q.f32_ftz;
        refused_o = 1'b0;
      end
      CsrPortsAddr:         rdata_o[CsrPortsDeadLsb +: NumPorts] = dead_i;
      CsrMultimemIndexAddr: begin
        rdata_o[CsrMultimemIndexWindowLsb +: MultimemWidth] = multimem_q;
        rdata_o[CsrMultimemIndexPortLsb +: 2]               = port_q;
        refused_o =
            32'(wdata_i[CsrMultimemIndexWindowLsb +: CsrMultimemIndexWindowWidth]) >= NumMultimem ||
            32'(wdata_i[CsrMultimemIndexPortLsb +: CsrMultimemIndexPortWidth]) >= NumPorts;
      end
      CsrMultimemPortsAddr, CsrMultimemBaseLoAddr, CsrMultimemBaseHiAddr, CsrMultimemLimitLoAddr,
      CsrMultimemLimitHiAddr, CsrMultimemPortBaseLoAddr, CsrMultimemPortBaseHiAddr: begin
        in_multimem = 1'b1;
        rdata_o     = multimem;
        refused_o   = multimem_locked;
      end
      default: unknown_o = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      axcache_q      <= CsrAxcacheReset[CsrAxcacheAxcacheLsb +: CsrAxcacheAxcacheWidth];
      watchdog_q     <= CsrWatchdogReset;
      window_q       <= '0;
      window_queue_q <= '0;
      multimem_q     <= '0;
      port_q         <= '0;
      behaviour_q    <= '0;
    end else if (write) begin
      if (word == CsrAxcacheAddr) begin
        axcache_q <= wdata_i[CsrAxcacheAxcacheLsb +: CsrAxcacheAxcacheWidth];
      end
      if (word == CsrWatchdogAddr) watchdog_q <= wdata_i;
      if (word == CsrBehaviourAddr) begin
        behaviour_q <= '{f32_ftz: wdata_i[CsrBehaviourF32FtzLsb], granule16: wdata_i[CsrBehaviourStoreGranule16Lsb]};
      end
      if (word == CsrWindowIndexAddr) begin
        window_q       <= wdata_i[CsrWindowIndexWindowLsb +: WindowIdx];
        window_queue_q <= wdata_i[CsrWindowIndexQueueLsb +: QueueWidth];
      end
      if (word == CsrMultimemIndexAddr) begin
        multimem_q <= wdata_i[CsrMultimemIndexWindowLsb +: MultimemWidth];
        port_q     <= wdata_i[CsrMultimemIndexPortLsb +: 2];
      end
    end
  end

  always_ff @(posedge clk_i) idle_q <= idle_i;

  assign axcache_o   = axcache_q;
  assign watchdog_o  = watchdog_q;
  assign behaviour_o = behaviour_q;

  ////////////
  // Tables //
  ////////////

  // As `write`, without the other registers.
  logic windows_busy, multimem_busy, write_window;
  assign write_window = write_i && !window_locked;

  tma_window_regs u_windows (
    .clk_i, .rst_ni, .queue_i(window_queue_q), .window_i(window_q),
    .write_attr_i(write_window && word == CsrWindowAttrAddr),
    .write_base_i({2{write_window}} & {word == CsrWindowBaseHiAddr, word == CsrWindowBaseLoAddr}),
    .write_limit_i({2{write_window}} & {word == CsrWindowLimitHiAddr, word == CsrWindowLimitLoAddr}),
    .wdata_i, .selected_o(window), .write_o(window_write_o), .multimem_o(uses_multimem),
    .busy_o(windows_busy)
  );

  tma_multimem_regs u_multimem (
    .clk_i, .rst_ni, .window_i(multimem_q), .port_i(port_q), .addr_i(addr_i[4:2]),
    .write_i(write_i && in_multimem && !multimem_locked), .wdata_i, .rdata_o(multimem), .multimem_o,
    .busy_o(multimem_busy)
  );

  assign busy_o = windows_busy || multimem_busy;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_COVER(LockedWindow, write_i && word == CsrWindowAttrAddr && window_locked)
  `TMA_COVER(LockedMultimem, write_i && in_multimem && multimem_locked)
  `TMA_COVER(MultimemWindowOfUnlockedQueue, write_i && in_multimem && !multimem_locked &&
      uses_multimem != '0)

endmodule
