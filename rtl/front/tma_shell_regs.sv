// SPDX-License-Identifier: Apache-2.0
// The shell's own registers, in front of the engine's: rtl/spec/shell.rdl lists them. The host gets OKAY for everything; what
// was refused reads 0 and is counted.
//
// One write and one read at a time: see tma_axil_route. An access of SMEM_DATA takes as long as shared memory does, and is
// answered when it has happened: so a doorbell behind it cannot overtake it. Reset: all registers.

`include "tma_assert.svh"

module tma_shell_regs
  import tma_pkg::*;
  import tma_axil_pkg::*;
  import tma_shell_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  axil_req_t                 host_i,
  output axil_rsp_t                 host_o,
  output axil_req_t                 engine_o,
  input  axil_rsp_t                 engine_i,

  // Shared memory of all CTAs, see tma_engine
  output logic [NumCtas-1:0]        ext_valid_o,
  input  logic [NumCtas-1:0]        ext_ready_i,
  output logic [NumCtas-1:0]        ext_write_o,
  output logic [NumCtas-1:0][31:0]  ext_addr_o,
  output logic [NumCtas-1:0][15:0]  ext_strb_o,
  output logic [NumCtas-1:0][127:0] ext_wdata_o,
  input  logic [NumCtas-1:0]        ext_rvalid_i,
  input  logic [NumCtas-1:0][127:0] ext_rdata_i
);

  // The arguments and what is behind them are 64 bytes.
  localparam int unsigned Lsb = 6;

  /////////////
  // Routing //
  /////////////

  axil_req_t here_req;
  axil_rsp_t here_rsp, rsp;
  logic      write_refused, read_refused;

  tma_axil_route u_route (
    .clk_i, .rst_ni, .host_i, .host_o(rsp),
    .write_here_i(host_i.awaddr[16:Lsb] == ShellShellAddr[16:Lsb]),
    .read_here_i(host_i.araddr[16:Lsb] == ShellShellAddr[16:Lsb]),
    .here_o(here_req), .here_i(here_rsp), .away_o(engine_o), .away_i(engine_i)
  );

  assign host_o = '{awready: rsp.awready, wready: rsp.wready, bvalid: rsp.bvalid, bresp: '0, arready: rsp.arready,
                    rvalid: rsp.rvalid, rdata: rsp.rresp[1] ? '0 : rsp.rdata, rresp: '0};

  assign write_refused = rsp.bvalid && host_i.bready && rsp.bresp[1];
  assign read_refused  = rsp.rvalid && host_i.rready && rsp.rresp[1];

  ///////////////
  // Registers //
  ///////////////

  logic           read, write, smem, outside, done, readable, writable;
  logic [16:2]    addr;
  logic [31:0]    rdata, wdata, smem_rdata, refusals_q;
  logic [3:0]     wstrb, strobe_q;
  logic [31:2]    address_q;
  logic [Lsb-1:2] word;

  tma_axil u_axil (
    .clk_i, .rst_ni, .axil_i(here_req), .axil_o(here_rsp),
    .hold_i(1'b0), .acc_wait_i(smem && !done),
    .acc_read_o(read), .acc_write_o(write), .acc_addr_o(addr), .acc_wdata_o(wdata), .acc_wstrb_o(wstrb),
    .acc_rdata_i(rdata), .acc_error_i(read ? !readable : !writable)
  );

  assign word = addr[Lsb-1:2];
  assign smem = word == ShellSmemDataAddr[Lsb-1:2];

  always_comb begin
    rdata    = '0;
    readable = 1'b1;
    writable = 1'b0;
    unique case (word)
      ShellShellAddr[Lsb-1:2]:       rdata = ShellShellReset;
      ShellRefusalsAddr[Lsb-1:2]:    rdata = refusals_q;
      ShellSmemAddressAddr[Lsb-1:2]: {writable, rdata} = {1'b1, address_q, 2'b00};
      ShellSmemStrobeAddr[Lsb-1:2]:  {writable, rdata} = {1'b1, 28'd0, strobe_q};
      ShellSmemDataAddr[Lsb-1:2]: begin
        rdata    = smem_rdata;
        readable = !outside;
        writable = !outside;
      end
      default: readable = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      address_q  <= ShellSmemAddressReset[31:2];
      strobe_q   <= ShellSmemStrobeReset[3:0];
      refusals_q <= ShellRefusalsReset;
    end else begin
      if (write && word == ShellSmemAddressAddr[Lsb-1:2]) address_q <= wdata[31:2];
      if (write && word == ShellSmemStrobeAddr[Lsb-1:2])  strobe_q <= wdata[3:0];
      if (smem && (read || write) && done)                address_q <= address_q + 30'd1;
      refusals_q <= refusals_q + 32'(write_refused) + 32'(read_refused);
    end
  end

  tma_shell_smem u_smem (
    .clk_i, .rst_ni,
    .read_i(read && smem), .write_i(write && smem), .addr_i(address_q), .wdata_i(wdata), .strb_i(strobe_q & wstrb),
    .outside_o(outside), .done_o(done), .rdata_o(smem_rdata),
    .ext_valid_o, .ext_ready_i, .ext_write_o, .ext_addr_o, .ext_strb_o, .ext_wdata_o, .ext_rvalid_i, .ext_rdata_i
  );

  logic unused_bits;
  assign unused_bits = ^{addr[16:Lsb], rsp.bresp[0], rsp.rresp[0]};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(OneBlock, ShellArgumentAddr[16:Lsb] == ShellShellAddr[16:Lsb] &&
      ShellSmemStrobeAddr[16:Lsb] == ShellShellAddr[16:Lsb])
  `TMA_COVER(BothRefused, write_refused && read_refused)
  `TMA_COVER(SharedMemoryRefused, smem && (read || write) && outside)
  `TMA_COVER(NextCta, smem && (read || write) && address_q[23:2] == '1)

endmodule
