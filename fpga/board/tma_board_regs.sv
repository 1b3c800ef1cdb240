// SPDX-License-Identifier: Apache-2.0
// Register accesses of the bridge: an AXI4-Lite manager, one access at a time.
//
// An access is offered until `done_o`, which comes with its result, or given up: then this has to be reset, with
// what it talks to, before the next one. Address and data of a write are offered together and taken in any
// order. Reset: control only.

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

  output logic        busy_o,   // an access is offered or its answer owed
  output axil_req_t   axil_o,
  input  axil_rsp_t   axil_i
);

  logic addr_taken_q, data_taken_q;
  logic addr_takes, data_takes;

  assign axil_o = '{awvalid: valid_i && req_i.write && !addr_taken_q, awaddr: req_i.addr,
                    wvalid: valid_i && req_i.write && !data_taken_q, wdata: req_i.wdata, wstrb: '1,
                    bready: req_i.write,
                    arvalid: valid_i && !req_i.write && !addr_taken_q, araddr: req_i.addr,
                    rready: !req_i.write};

  assign addr_takes = (axil_o.awvalid && axil_i.awready) || (axil_o.arvalid && axil_i.arready);
  assign data_takes = axil_o.wvalid && axil_i.wready;

  assign done_o  = valid_i && (req_i.write ? axil_i.bvalid : axil_i.rvalid);
  assign error_o = req_i.write ? axil_i.bresp[1] : axil_i.rresp[1];
  assign rdata_o = axil_i.rdata;
  assign busy_o  = valid_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || done_o) begin
      addr_taken_q <= 1'b0;
      data_taken_q <= 1'b0;
    end else begin
      if (addr_takes) addr_taken_q <= 1'b1;
      if (data_takes) data_taken_q <= 1'b1;
    end
  end

  logic unused_bits;
  assign unused_bits = axil_i.bresp[0] ^ axil_i.rresp[0];

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(AccessIsStable, valid_i && !done_o |=> !valid_i || $stable(req_i))
  `TMA_ASSERT(AnswerIsOfTheAccess, done_o |-> addr_taken_q && (data_taken_q || !req_i.write))
  `TMA_COVER(DataFirst, valid_i && req_i.write && data_taken_q && !addr_taken_q)
  `TMA_COVER(AddressFirst, valid_i && req_i.write && addr_taken_q && !data_taken_q)
  `TMA_COVER(Refused, done_o && error_o)

endmodule
