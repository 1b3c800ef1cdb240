// SPDX-License-Identifier: Apache-2.0
// Registers behind the AXI4-Lite port: decodes accesses and holds the registers of page 0.
//
//   AXI4-Lite --> tma_axil --> decode --+--> tma_queue_regs
//                                       +--> tma_window_regs
//                                       +--> tma_counters
//
// An access that is refused changes nothing: an address without a register, a write to a read-only
// one, a write to the set-up or a window of an enabled queue, a write that names a CTA, queue or
// window that does not exist. Byte strobes work; bits without a function are ignored. A queue may
// be disabled at any time; its set-up should change only when it is not busy any more.
//
// Reset: set-up registers.

`include "tma_assert.svh"

module tma_csr
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_csr_pkg::*;
  import tma_status_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // AXI4-Lite
  input  logic                       axil_awvalid_i,
  output logic                       axil_awready_o,
  input  logic [15:0]                axil_awaddr_i,
  input  logic                       axil_wvalid_i,
  output logic                       axil_wready_o,
  input  logic [31:0]                axil_wdata_i,
  input  logic [3:0]                 axil_wstrb_i,
  output logic                       axil_bvalid_o,
  input  logic                       axil_bready_i,
  output logic [1:0]                 axil_bresp_o,
  input  logic                       axil_arvalid_i,
  output logic                       axil_arready_o,
  input  logic [15:0]                axil_araddr_i,
  output logic                       axil_rvalid_o,
  input  logic                       axil_rready_i,
  output logic [31:0]                axil_rdata_o,
  output logic [1:0]                 axil_rresp_o,

  // Set-up
  output queue_cfg_t [NumQueues-1:0] cfg_o,
  output windows_t [NumQueues-1:0]   windows_o,
  output logic [3:0]                 axcache_o,

  // State
  input  logic                       idle_i,
  input  logic [NumQueues-1:0]       queue_busy_i,
  input  logic [NumQueues-1:0]       queue_waiting_i,
  input  logic [NumQueues-1:0][31:0] head_i,
  output queue_t                     status_queue_o,  // whose faults are wanted, in the same cycle
  input  queue_status_t              status_i,

  // One per counter; CYCLES counts on its own while idle_i is low
  input  logic [CsrCounterCount-1:0] events_i
);

  localparam int unsigned WindowWidth  = NumWindows > 1 ? $clog2(NumWindows) : 1;
  localparam int unsigned CounterWidth = $clog2(CsrCounterCount);

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
    return caps;
  endfunction

  localparam logic [CsrCapCount-1:0][31:0] Capabilities = capabilities();

  logic [3:0]             axcache_q;
  logic [WindowWidth-1:0] window_q;        // WINDOW_INDEX
  queue_t                 window_queue_q;

  ////////////
  // Access //
  ////////////

  logic        read, write, error, hold;
  logic [15:2] addr;
  logic [31:0] wdata, rdata;

  tma_axil u_axil (
    .clk_i, .rst_ni,
    .axil_awvalid_i, .axil_awready_o, .axil_awaddr_i,
    .axil_wvalid_i, .axil_wready_o, .axil_wdata_i, .axil_wstrb_i,
    .axil_bvalid_o, .axil_bready_i, .axil_bresp_o,
    .axil_arvalid_i, .axil_arready_o, .axil_araddr_i,
    .axil_rvalid_o, .axil_rready_i, .axil_rdata_o, .axil_rresp_o,
    .hold_i(hold),
    .acc_read_o(read), .acc_write_o(write), .acc_addr_o(addr),
    .acc_wdata_o(wdata), .acc_rdata_i(rdata), .acc_error_i(error)
  );

  ////////////
  // Blocks //
  ////////////

  // An address names a register of page 0, or one of the counters' or the queues' block.
  logic [15:0]                 word, counter_offset, queue_offset;
  logic                        in_counters, in_queues, in_page;
  logic [31:0]                 counter_low, counter_high, queue_rdata, page_rdata;
  logic                        queue_unknown, queue_refused, page_unknown, page_refused;
  window_t                     window;
  logic [CsrCounterCount-1:0]  counted;

  assign word           = {addr, 2'b00};
  assign counter_offset = word - CsrCounterAddr;
  assign queue_offset   = word - CsrQueueAddr;
  assign in_counters    = counter_offset < 16'(CsrCounterCount * CsrCounterStride);
  assign in_queues      = queue_offset < 16'(NumQueues * CsrQueueStride);
  assign in_page        = !in_counters && !in_queues;

  always_comb begin
    if (in_counters) begin
      rdata = counter_offset[2] ? counter_high : counter_low;
      error = write;
    end else if (in_queues) begin
      rdata = queue_rdata;
      error = queue_unknown || (write && queue_refused);
    end else begin
      rdata = page_rdata;
      error = page_unknown || (write && page_refused);
    end
  end

  tma_queue_regs u_queues (
    .clk_i, .rst_ni,
    .write_i(write && in_queues), .addr_i(queue_offset), .wdata_i(wdata), .rdata_o(queue_rdata),
    .unknown_o(queue_unknown), .refused_o(queue_refused),
    .cfg_o, .queue_busy_i, .queue_waiting_i, .head_i, .status_queue_o, .status_i
  );

  always_comb begin
    counted = events_i;
    counted[CounterCycles] = events_i[CounterCycles] || !idle_i;
  end

  tma_counters #(.N(CsrCounterCount)) u_counters (
    .clk_i, .rst_ni, .event_i(counted),
    .read_i(read && in_counters && !counter_offset[2]),
    .index_i(counter_offset[3 +: CounterWidth]), .low_o(counter_low), .high_o(counter_high)
  );

  ////////////
  // Page 0 //
  ////////////

  logic window_locked;  // its queue is enabled
  logic write_page;

  assign window_locked = cfg_o[window_queue_q].enable;
  assign write_page    = write && in_page && !page_refused;

  always_comb begin
    page_rdata   = '0;
    page_unknown = 1'b0;
    page_refused = 1'b1;
    case (word)
      CsrMagicAddr:   page_rdata = CsrMagicReset;
      CsrVersionAddr: page_rdata = CsrVersionReset;
      CsrCapAddr, CsrCapAddr + 16'd4, CsrCapAddr + 16'd8, CsrCapAddr + 16'd12:
        page_rdata = Capabilities[word[3:2]];
      CsrStatusAddr:  page_rdata[CsrStatusIdleLsb] = idle_i;
      CsrAxcacheAddr: begin
        page_rdata[CsrAxcacheAxcacheLsb +: CsrAxcacheAxcacheWidth] = axcache_q;
        page_refused = 1'b0;
      end
      CsrWindowIndexAddr: begin
        page_rdata[CsrWindowIndexWindowLsb +: CsrWindowIndexWindowWidth] =
            CsrWindowIndexWindowWidth'(window_q);
        page_rdata[CsrWindowIndexQueueLsb +: CsrWindowIndexQueueWidth] =
            CsrWindowIndexQueueWidth'(window_queue_q);
        page_refused =
            32'(wdata[CsrWindowIndexWindowLsb +: CsrWindowIndexWindowWidth]) >= NumWindows ||
            32'(wdata[CsrWindowIndexQueueLsb +: CsrWindowIndexQueueWidth]) >= NumQueues;
      end
      CsrWindowAttrAddr: begin
        page_rdata[CsrWindowAttrReadLsb]     = window.read;
        page_rdata[CsrWindowAttrWriteLsb]    = window.write;
        page_rdata[CsrWindowAttrMultimemLsb] = window.multimem;
        page_refused = window_locked;
      end
      CsrWindowBaseLoAddr: begin
        page_rdata   = {window.base[19:0], 12'h000};
        page_refused = window_locked;
      end
      CsrWindowBaseHiAddr: begin
        page_rdata   = window.base[51:20];
        page_refused = window_locked;
      end
      CsrWindowLimitLoAddr: begin
        page_rdata   = {window.limit[19:0], 12'hFFF};
        page_refused = window_locked;
      end
      CsrWindowLimitHiAddr: begin
        page_rdata   = window.limit[51:20];
        page_refused = window_locked;
      end
      default: page_unknown = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      axcache_q      <= CsrAxcacheReset[CsrAxcacheAxcacheLsb +: CsrAxcacheAxcacheWidth];
      window_q       <= '0;
      window_queue_q <= '0;
    end else begin
      if (write_page && word == CsrAxcacheAddr) begin
        axcache_q <= wdata[CsrAxcacheAxcacheLsb +: CsrAxcacheAxcacheWidth];
      end
      if (write_page && word == CsrWindowIndexAddr) begin
        window_q       <= wdata[CsrWindowIndexWindowLsb +: WindowWidth];
        window_queue_q <= wdata[CsrWindowIndexQueueLsb +: QueueWidth];
      end
    end
  end

  assign axcache_o = axcache_q;

  tma_window_regs u_windows (
    .clk_i, .rst_ni, .queue_i(window_queue_q), .window_i(window_q),
    .write_attr_i(write_page && word == CsrWindowAttrAddr),
    .write_base_i({write_page && word == CsrWindowBaseHiAddr,
                   write_page && word == CsrWindowBaseLoAddr}),
    .write_limit_i({write_page && word == CsrWindowLimitHiAddr,
                    write_page && word == CsrWindowLimitLoAddr}),
    .wdata_i(wdata), .selected_o(window), .windows_o, .busy_o(hold)
  );

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(BlocksDoNotOverlap,
      32'(CsrCounterAddr) + CsrCounterCount * CsrCounterStride <= 32'(CsrQueueAddr))
  `TMA_ASSERT_INIT(CountersArePairs, CsrCounterStride == 8)
  `TMA_ASSERT(RefusedWriteChangesNothing, write && error |=>
      $stable({cfg_o, axcache_o, window_q, window_queue_q, windows_o}))
  `TMA_COVER(LockedWrite, write && in_page && window_locked)

endmodule
