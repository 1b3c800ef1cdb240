// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite subordinate: turns transfers into register accesses, one at a time.
//
// A write is taken when its address and its data are there. Reads and writes that wait at the same
// time take turns. A write reads its register first, so that bytes without a strobe keep their
// value. A read takes three cycles and a write four, more if the address has some to be decoded in
// (`Decode`; with two of them what is read is there a cycle after it was asked for), and both as many as the access itself and then the response wait. The data of a write stay as they are in the
// cycle behind it.
//
// The ready outputs depend on the valid inputs of their own port alone. Reset: control only.

`include "tma_assert.svh"

module tma_axil
  import tma_axil_pkg::*;
#(
  parameter int unsigned Decode = 0  // cycles between the address and the access, 2 at most
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  axil_req_t   axil_i,
  output axil_rsp_t   axil_o,

  // Register access: a cycle for the read, for a write another one
  input  logic        hold_i,      // take no transfer
  input  logic        acc_wait_i,  // acc_read_o or acc_write_o stays for another cycle
  output logic        acc_read_o,  // of a read transfer; with two cycles to decode in the second one, before the read
  output logic        acc_write_o,
  output logic [16:2] acc_addr_o,  // registers are words
  output logic [31:0] acc_wdata_o, // with acc_write_o; bytes without a strobe: what was read
  output logic [3:0]  acc_wstrb_o,
  input  logic [31:0] acc_rdata_i, // in the first cycle of a write, in the last one of a read
  input  logic        acc_error_i  // with acc_read_o, in its last cycle, or with acc_write_o
);

  localparam logic [1:0] RespOkay   = 2'b00;
  localparam logic [1:0] RespSlverr = 2'b10;

  typedef enum logic [2:0] {
    StIdle,    // waits for a transfer
    StDecode,  // the address is there
    StRead,    // the register is read
    StWrite,   // the register is written
    StRespond, // waits for the response to be taken
    StLook     // the second cycle of the address
  } state_e;

  state_e      state_q;
  logic        write_q;   // direction of the last transfer
  logic        error_q;
  logic [31:0] rdata_q, wdata_q;
  logic [3:0]  wstrb_q;

  logic       take_write, take_read, responded;
  logic [1:0] resp;

  assign take_write = state_q == StIdle && !hold_i && axil_i.awvalid && axil_i.wvalid &&
                      !(axil_i.arvalid && write_q);
  assign take_read  = state_q == StIdle && !hold_i && axil_i.arvalid && !take_write;
  assign responded  = write_q ? axil_i.bready : axil_i.rready;

  assign resp   = error_q ? RespSlverr : RespOkay;
  assign axil_o = '{awready: take_write, wready: take_write,
                    bvalid: state_q == StRespond && write_q, bresp: resp,
                    arready: take_read,
                    rvalid: state_q == StRespond && !write_q, rdata: error_q ? '0 : rdata_q, rresp: resp};

  assign acc_read_o  = state_q == (Decode == 2 ? StLook : StRead) && !write_q;
  assign acc_write_o = state_q == StWrite;
  assign acc_wdata_o = wdata_q;
  assign acc_wstrb_o = wstrb_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      write_q <= 1'b0;
    end else begin
      unique case (state_q)
        StIdle:    if (take_write || take_read) state_q <= Decode != 0 ? StDecode : StRead;
        StDecode:  state_q <= Decode == 2 ? StLook : StRead;
        StLook:    state_q <= StRead;
        StRead:    if (write_q || !acc_wait_i) state_q <= write_q ? StWrite : StRespond;
        StWrite:   if (!acc_wait_i) state_q <= StRespond;
        StRespond: if (responded) state_q <= StIdle;
        default:   state_q <= StIdle;
      endcase
      if (take_write || take_read) write_q <= take_write;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      acc_addr_o  <= take_write ? axil_i.awaddr[16:2] : axil_i.araddr[16:2];
      wdata_q     <= axil_i.wdata;
      wstrb_q     <= axil_i.wstrb;
    end
    if (state_q == StRead) begin
      rdata_q <= acc_rdata_i;
      for (int unsigned i = 0; i < 4; i++) begin
        if (!wstrb_q[i]) wdata_q[8*i +: 8] <= acc_rdata_i[8*i +: 8];
      end
    end
    if (acc_read_o || acc_write_o) error_q <= acc_error_i;
  end

  logic unused_bits;
  assign unused_bits = ^axil_i.awaddr[1:0] ^ ^axil_i.araddr[1:0];

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(ReadResponseIsStable, axil_o.rvalid, axil_i.rready,
      {axil_o.rdata, axil_o.rresp})
  `TMA_ASSERT_STABLE(WriteResponseIsStable, axil_o.bvalid, axil_i.bready, axil_o.bresp)
  `TMA_ASSERT(WriteDataStays, acc_write_o |=> $stable({acc_addr_o, acc_wdata_o, acc_wstrb_o}))
  `TMA_ASSERT(OneTransferAtATime, !(take_write && take_read))
  `TMA_COVER(ReadAndWriteAtOnce, axil_i.awvalid && axil_i.wvalid && axil_i.arvalid &&
      state_q == StIdle)
  `TMA_COVER(PartialWrite, acc_write_o && wstrb_q != '1)
  `TMA_COVER(AddressBeforeData, axil_i.awvalid && !axil_i.wvalid)

endmodule
