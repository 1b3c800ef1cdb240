// SPDX-License-Identifier: Apache-2.0
// Properties of tma_axil, for any manager that keeps the rules and any registers that answer at once: it keeps the rules of a
// subordinate (axil_rules); a transfer makes the accesses that it says, once, and its response is theirs,
// within four cycles and as many as Decode says; of reads and writes that wait, none is passed over twice.

module axil_proof
  import tma_axil_pkg::*;
#(
  parameter int unsigned Decode = 0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input axil_req_t   req_i,
  input logic        hold_i,
  input logic [31:0] rdata_i,   // of the registers
  input logic        error_i
);

  axil_rsp_t   rsp;
  logic        read, write;
  logic [16:2] addr;
  logic [31:0] wdata;
  logic [3:0]  wstrb;
  logic [3:0]  reads, writes, datas;

  tma_axil #(.Decode(Decode)) dut (
    .clk_i, .rst_ni, .axil_i(req_i), .axil_o(rsp), .hold_i, .acc_wait_i(1'b0), .acc_read_o(read), .acc_write_o(write),
    .acc_addr_o(addr), .acc_wdata_o(wdata), .acc_wstrb_o(wstrb), .acc_rdata_i(rdata_i), .acc_error_i(error_i)
  );

  axil_rules u_rules (
    .clk_i, .rst_ni, .req_i, .rsp_i(rsp), .reads_o(reads), .writes_o(writes), .datas_o(datas)
  );

  logic started_q = 1'b0;  // the first cycle is a reset

  // The transfer on its way, and what its registers said.
  logic        busy, of_write_q, reads_done_q, writes_done_q, error_q;
  logic [2:0]  age_q;       // cycles since it was taken
  logic [16:2] addr_q;
  logic [31:0] wdata_q, rdata_q, merged;
  logic [3:0]  wstrb_q;
  logic        takes_read, takes_write, responds, reads_it;
  logic [1:0]  read_passed_q, write_passed_q;

  assign takes_read  = req_i.arvalid && rsp.arready;
  assign takes_write = req_i.awvalid && rsp.awready;
  assign responds    = rsp.bvalid || rsp.rvalid;
  assign busy        = reads != '0 || writes != '0;
  assign reads_it    = 4'(dut.state_q) == 4'd2;  // StRead, also of a write

  logic       has_read;  // StWrite, StRespond
  logic [2:0] age;       // that the state says: StDecode is 1, StLook comes behind it as 5

  assign has_read = 4'(dut.state_q) == 4'd3 || 4'(dut.state_q) == 4'd4;

  assign age = 3'(dut.state_q) == 3'd1 ? 3'd1 : 3'(dut.state_q) == 3'd5 ? 3'd2 : 3'(dut.state_q) - 3'd1 + 3'(Decode);

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      merged[8*i +: 8] = wstrb_q[i] ? wdata_q[8*i +: 8] : rdata_q[8*i +: 8];
    end
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (takes_read || takes_write) begin
      of_write_q    <= takes_write;
      addr_q        <= takes_write ? req_i.awaddr[16:2] : req_i.araddr[16:2];
      wdata_q       <= req_i.wdata;
      wstrb_q       <= req_i.wstrb;
      age_q         <= 3'd1;
      reads_done_q  <= 1'b0;
      writes_done_q <= 1'b0;
    end else begin
      if (age_q != '1) age_q <= age_q + 3'd1;
      if (read)        reads_done_q  <= 1'b1;
      if (write)       writes_done_q <= 1'b1;
    end
    if (reads_it)      rdata_q <= rdata_i;
    if (read || write) error_q <= error_i;

    // Transfers that others had, of the other kind, since this one is there.
    if (!rst_ni || !req_i.arvalid || takes_read) read_passed_q <= '0;
    else                                         read_passed_q <= read_passed_q + 2'(takes_write);
    if (!rst_ni || !(req_i.awvalid && req_i.wvalid) || takes_write) write_passed_q <= '0;
    else                                                            write_passed_q <= write_passed_q + 2'(takes_read);
  end

  always_comb begin
    assume (started_q || !rst_ni);

    if (started_q) begin
      OneAtATime:     assert (reads <= 4'd1 && writes <= 4'd1 && !(reads != '0 && writes != '0) && writes == datas);
      AddressHasData: assert (takes_write == (req_i.wvalid && rsp.wready));
      TakesWhenFree:  assert (!(takes_read || takes_write) || (!busy && !hold_i));
      StartsAtOnce:   assert (busy || hold_i || !(req_i.arvalid || (req_i.awvalid && req_i.wvalid)) ||
                              takes_read || takes_write);
      NoneIsPassedTwice: assert (read_passed_q <= 2'd1 && write_passed_q <= 2'd1);
      LinkTurns:      assert ((read_passed_q == '0 || dut.write_q) && (write_passed_q == '0 || !dut.write_q));
      LinkBusy:       assert (busy == (4'(dut.state_q) != 4'd0) && 4'(dut.state_q) <= (Decode == 2 ? 4'd5 : 4'd4) && reads <= 4'd1);
      if (busy) begin
        LinkTransfer: assert (of_write_q == (writes != '0) && dut.write_q == of_write_q && addr == addr_q);
        LinkAge:      assert (4'(dut.state_q) == 4'd4 || age_q == age);
        ComesInTime:  assert (responds || age_q < (of_write_q ? 3'd3 : 3'd2) + 3'(Decode));
        LinkDone:     assert (reads_done_q == (!of_write_q && (responds || (Decode == 2 && reads_it))) && writes_done_q == (responds && of_write_q));
        LinkBytes:    assert (dut.wstrb_q == wstrb_q && (has_read || dut.wdata_q == wdata_q));
        LinkMerged:   assert (!has_read || !of_write_q || dut.wdata_q == merged);
      end
      if (write) WriteIsTheTransfer: assert (busy && of_write_q && addr == addr_q && wdata == merged &&
                                             wstrb == wstrb_q && !writes_done_q);
      if (read)  ReadIsTheTransfer:  assert (busy && !of_write_q && addr == addr_q && !reads_done_q);
      if (rsp.bvalid) WriteIsAnswered: assert (writes_done_q && rsp.bresp == {error_q, 1'b0});
      if (rsp.rvalid) ReadIsAnswered:  assert (reads_done_q && rsp.rresp == {error_q, 1'b0} &&
                                               rsp.rdata == (error_q ? '0 : rdata_q));

      ReadIsPassed:  cover (read_passed_q == 2'd1 && takes_read);
      WriteIsPassed: cover (write_passed_q == 2'd1 && takes_write);
      ErrorIsSaid:   cover (rsp.bvalid && rsp.bresp != '0 && wstrb_q == 4'b0101);
    end
  end

endmodule
