// SPDX-License-Identifier: Apache-2.0
// Register accesses of the bridge: an AXI4-Lite manager, one access at a time.
//
// An access is offered until `done_o`, which comes with its result, or given up: then this has to be reset, with
// what it talks to, before the next one. All that the registers see comes from registers of this clock, which may stop
// while no access is offered. Address and data of a write are offered together and taken in any order.
// Reset: control only.

`include "tma_assert.svh"

module tma_board_regs
  import tma_board_pkg::*;
  import tma_axil_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        valid_i,
  input  reg_req_t    req_i,
  output logic        done_o,
  output logic        error_o,  // SLVERR or DECERR
  output logic [31:0] rdata_o,

  output axil_req_t   axil_o,
  input  axil_rsp_t   axil_i
);

  typedef enum logic [1:0] {
    StIdle,
    StOffer,  // address and data until they are taken, then the answer
    StDone
  } state_e;

  state_e   state_q;
  reg_req_t req_q;
  logic     addr_q, data_q;   // still offered
  logic     answered;

  assign axil_o = '{awvalid: addr_q && req_q.write, awaddr: req_q.addr,
                    wvalid: data_q, wdata: req_q.wdata, wstrb: '1,
                    bready: state_q == StOffer && req_q.write,
                    arvalid: addr_q && !req_q.write, araddr: req_q.addr,
                    rready: state_q == StOffer && !req_q.write};

  assign answered = state_q == StOffer && (req_q.write ? axil_i.bvalid : axil_i.rvalid);
  assign done_o   = state_q == StDone;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      addr_q  <= 1'b0;
      data_q  <= 1'b0;
    end else begin
      unique case (state_q)
        StIdle:  if (valid_i) state_q <= StOffer;
        StOffer: if (answered) state_q <= StDone;
        StDone:  state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
      if (state_q == StIdle) begin
        addr_q <= valid_i;
        data_q <= valid_i && req_i.write;
      end else begin
        if (req_q.write ? axil_i.awready : axil_i.arready) addr_q <= 1'b0;
        if (axil_i.wready) data_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) req_q <= req_i;
    if (answered) begin
      error_o <= req_q.write ? axil_i.bresp[1] : axil_i.rresp[1];
      rdata_o <= axil_i.rdata;
    end
  end

  logic unused_bits;
  assign unused_bits = axil_i.bresp[0] ^ axil_i.rresp[0];

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(AccessIsStable, valid_i && !done_o |=> !valid_i || $stable(req_i))
  `TMA_ASSERT(AnswerIsOfTheAccess, answered |-> !addr_q && !data_q)
  `TMA_ASSERT_STABLE(ReadAddressIsStable, axil_o.arvalid, axil_i.arready, axil_o.araddr)
  `TMA_ASSERT_STABLE(WriteAddressIsStable, axil_o.awvalid, axil_i.awready, axil_o.awaddr)
  `TMA_ASSERT_STABLE(WriteDataIsStable, axil_o.wvalid, axil_i.wready, axil_o.wdata)
  `TMA_COVER(DataFirst, addr_q && req_q.write && !data_q)
  `TMA_COVER(AddressFirst, data_q && !addr_q)
  `TMA_COVER(Refused, done_o && error_o)

endmodule
