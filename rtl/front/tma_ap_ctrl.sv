// SPDX-License-Identifier: Apache-2.0
// Control registers of a Vitis kernel in front of the engine's registers: 0x00 to 0x0F are here,
// everything else goes through, in the same cycle.
//
//   0x00 CTRL  0 ap_start (reads 0), 1 ap_done, 2 ap_idle, 3 ap_ready
//   0x04 GIE   0 interrupts on
//   0x08 IER   0 ap_done, 1 ap_ready
//   0x0C ISR   the same; writing 1 clears
//
// The engine takes its work from rings, so a start has nothing to do and is done at once: ap_done
// and ap_ready are 1 from then on, until CTRL is read. ap_idle is the engine's, as of the cycle
// before. All other bits read 0 and are ignored.
//
// One write and one read at a time; a write is taken when its address and its data are there. The
// ready outputs depend on the valid inputs of their own port, and on the engine's. Reset: control
// only.

`include "tma_assert.svh"

module tma_ap_ctrl
  import tma_axil_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // From the host
  input  logic        s_awvalid_i,
  output logic        s_awready_o,
  input  logic [15:0] s_awaddr_i,
  input  logic        s_wvalid_i,
  output logic        s_wready_o,
  input  logic [31:0] s_wdata_i,
  input  logic [3:0]  s_wstrb_i,
  output logic        s_bvalid_o,
  input  logic        s_bready_i,
  output logic [1:0]  s_bresp_o,
  input  logic        s_arvalid_i,
  output logic        s_arready_o,
  input  logic [15:0] s_araddr_i,
  output logic        s_rvalid_o,
  input  logic        s_rready_i,
  output logic [31:0] s_rdata_o,
  output logic [1:0]  s_rresp_o,

  // To the engine, which takes address and data of a write together
  output logic        m_awvalid_o,
  input  logic        m_awready_i,
  output logic [16:0] m_awaddr_o,
  output logic        m_wvalid_o,
  input  logic        m_wready_i,
  output logic [31:0] m_wdata_o,
  output logic [3:0]  m_wstrb_o,
  input  logic        m_bvalid_i,
  output logic        m_bready_o,
  input  logic [1:0]  m_bresp_i,
  output logic        m_arvalid_o,
  input  logic        m_arready_i,
  output logic [16:0] m_araddr_o,
  input  logic        m_rvalid_i,
  output logic        m_rready_o,
  input  logic [31:0] m_rdata_i,
  input  logic [1:0]  m_rresp_i,

  input  logic        idle_i,       // of the engine
  input  logic        irq_i,        // of the engine; it has masks of its own
  output logic        interrupt_o   // level
);

  localparam logic [1:0] WordCtrl = 2'd0, WordGie = 2'd1, WordIer = 2'd2, WordIsr = 2'd3;

  /////////////
  // Routing //
  /////////////

  // A second transfer waits for the response of the first, so that responses keep their order.
  logic        write_busy_q, write_here_q, read_busy_q, read_here_q;
  logic        write_here, read_here, write_go, read_go;
  axil_req_t   req;
  axil_rsp_t   here;

  assign write_here = s_awaddr_i[15:4] == '0;
  assign read_here  = s_araddr_i[15:4] == '0;
  assign write_go   = s_awvalid_i && s_wvalid_i && !write_busy_q;
  assign read_go    = s_arvalid_i && !read_busy_q;

  assign s_awready_o = write_go && (write_here ? here.awready : m_awready_i);
  assign s_wready_o  = s_awready_o;
  assign s_arready_o = read_go && (read_here ? here.arready : m_arready_i);
  assign s_bvalid_o  = write_here_q ? here.bvalid : m_bvalid_i;
  assign s_bresp_o   = write_here_q ? here.bresp : m_bresp_i;
  assign s_rvalid_o  = read_here_q ? here.rvalid : m_rvalid_i;
  assign s_rdata_o   = read_here_q ? here.rdata : m_rdata_i;
  assign s_rresp_o   = read_here_q ? here.rresp : m_rresp_i;

  assign m_awvalid_o = write_go && !write_here;
  assign m_wvalid_o  = m_awvalid_o;
  assign m_awaddr_o  = {1'b0, s_awaddr_i};
  assign m_wdata_o   = s_wdata_i;
  assign m_wstrb_o   = s_wstrb_i;
  assign m_bready_o  = s_bready_i && !write_here_q;
  assign m_arvalid_o = read_go && !read_here;
  assign m_araddr_o  = {1'b0, s_araddr_i};
  assign m_rready_o  = s_rready_i && !read_here_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_busy_q <= 1'b0;
      write_here_q <= 1'b0;
      read_busy_q  <= 1'b0;
      read_here_q  <= 1'b0;
    end else begin
      if (s_awready_o) begin
        write_busy_q <= 1'b1;
        write_here_q <= write_here;
      end else if (s_bvalid_o && s_bready_i) begin
        write_busy_q <= 1'b0;
      end
      if (s_arready_o) begin
        read_busy_q <= 1'b1;
        read_here_q <= read_here;
      end else if (s_rvalid_o && s_rready_i) begin
        read_busy_q <= 1'b0;
      end
    end
  end

  ///////////////
  // Registers //
  ///////////////

  logic        read, write, gie_q, done_q, ready_q, idle_q, start;
  logic [1:0]  ier_q, isr_q, word;
  logic [16:2] addr;
  logic [31:0] wdata, rdata;
  logic [3:0]  wstrb;

  // To the registers that are here.
  assign req = '{awvalid: s_awvalid_i && !write_busy_q && write_here, awaddr: m_awaddr_o,
                 wvalid: write_go && write_here, wdata: s_wdata_i, wstrb: s_wstrb_i,
                 bready: s_bready_i && write_here_q,
                 arvalid: read_go && read_here, araddr: m_araddr_o, rready: s_rready_i && read_here_q};

  tma_axil u_axil (
    .clk_i, .rst_ni, .axil_i(req), .axil_o(here),
    .hold_i(1'b0),
    .acc_read_o(read), .acc_write_o(write), .acc_addr_o(addr),
    .acc_wdata_o(wdata), .acc_wstrb_o(wstrb), .acc_rdata_i(rdata), .acc_error_i(1'b0)
  );

  assign word  = addr[3:2];
  assign start = write && word == WordCtrl && wdata[0];

  always_comb begin
    unique case (word)
      WordGie: rdata = {31'd0, gie_q};
      WordIer: rdata = {30'd0, ier_q};
      WordIsr: rdata = {30'd0, isr_q};
      default: rdata = {28'd0, ready_q, idle_q, done_q, 1'b0};
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gie_q   <= 1'b0;
      ier_q   <= '0;
      isr_q   <= '0;
      done_q  <= 1'b0;
      ready_q <= 1'b0;
    end else begin
      if (write && word == WordGie) gie_q <= wdata[0];
      if (write && word == WordIer) ier_q <= wdata[1:0];
      // A byte without a strobe must not clear what it was read as.
      if (write && word == WordIsr && wstrb[0]) isr_q <= isr_q & ~wdata[1:0];
      if (read && word == WordCtrl) {done_q, ready_q} <= '0;
      if (start) begin
        {done_q, ready_q} <= '1;
        isr_q             <= isr_q | ier_q;
      end
    end
  end

  always_ff @(posedge clk_i) idle_q <= idle_i;

  assign interrupt_o = (gie_q && isr_q != '0) || irq_i;

  logic unused_bits;
  assign unused_bits = ^{here.wready, addr[16:4], wdata[31:2], wstrb[3:1], m_wready_i};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(AddressAndDataTogether, m_awvalid_o |-> m_awready_i == m_wready_i)
  `TMA_ASSERT(OneWriteAtATime, m_bvalid_i |-> !here.bvalid && !write_here_q)
  `TMA_ASSERT(OneReadAtATime, m_rvalid_i |-> !here.rvalid && !read_here_q)
  `TMA_ASSERT_STABLE(WriteIsStable, m_awvalid_o, m_awready_i, {m_awaddr_o, m_wdata_o, m_wstrb_o})
  `TMA_ASSERT_STABLE(ReadIsStable, m_arvalid_o, m_arready_i, m_araddr_o)
  `TMA_COVER(WriteBehindWrite, s_awvalid_i && s_wvalid_i && write_busy_q && write_here != write_here_q)
  `TMA_COVER(ReadHereWriteThere, read_busy_q && read_here_q && write_busy_q && !write_here_q)
  `TMA_COVER(ReadThereWriteHere, read_busy_q && !read_here_q && write_busy_q && write_here_q)
  `TMA_COVER(ClearWithoutStrobe, write && word == WordIsr && !wstrb[0] && isr_q != '0)

endmodule
