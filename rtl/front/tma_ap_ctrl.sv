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
// One write and one read at a time: see tma_axil_route. Reset: control only.

`include "tma_assert.svh"

module tma_ap_ctrl
  import tma_axil_pkg::*;
  import tma_shell_pkg::*;
(
  input  logic      clk_i,
  input  logic      rst_ni,

  input  axil_req_t host_i,
  output axil_rsp_t host_o,
  output axil_req_t engine_o,
  input  axil_rsp_t engine_i,

  input  logic      idle_i,       // of the engine
  input  logic      irq_i,        // of the engine; it has masks of its own
  output logic      interrupt_o   // level
);

  localparam logic [1:0] WordCtrl = ShellCtrlAddr[3:2], WordGie = ShellGieAddr[3:2], WordIer = ShellIerAddr[3:2],
                         WordIsr = ShellIsrAddr[3:2];

  axil_req_t here_req;
  axil_rsp_t here_rsp;

  tma_axil_route u_route (
    .clk_i, .rst_ni, .host_i, .host_o,
    .write_here_i(host_i.awaddr[16:4] == ShellCtrlAddr[16:4]),
    .read_here_i(host_i.araddr[16:4] == ShellCtrlAddr[16:4]),
    .here_o(here_req), .here_i(here_rsp), .away_o(engine_o), .away_i(engine_i)
  );

  ///////////////
  // Registers //
  ///////////////

  logic        read, write, gie_q, done_q, ready_q, idle_q, start;
  logic [1:0]  ier_q, isr_q, word;
  logic [16:2] addr;
  logic [31:0] wdata, rdata;
  logic [3:0]  wstrb;

  tma_axil u_axil (
    .clk_i, .rst_ni, .axil_i(here_req), .axil_o(here_rsp),
    .hold_i(1'b0), .acc_wait_i(1'b0),
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
  assign unused_bits = ^{addr[16:4], wdata[31:2], wstrb[3:1]};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_COVER(ClearWithoutStrobe, write && word == WordIsr && !wstrb[0] && isr_q != '0)

endmodule
