// SPDX-License-Identifier: Apache-2.0
// Properties of tma_ap_ctrl, between any host and any engine that keep the rules of AXI4-Lite: it keeps them on
// both sides (axil_rules), and every response to the host is the one of the transfer that waits for it: of the
// registers here, or of the engine.

module ap_ctrl_proof
  import tma_axil_pkg::*;
(
  input logic      clk_i,
  input logic      rst_ni,
  input axil_req_t host_i,      // its addresses have 16 bits
  input axil_rsp_t engine_i,
  input logic      idle_i,
  input logic      irq_i
);

  axil_req_t  engine;
  axil_rsp_t  host;
  logic [3:0] reads, writes, datas, engine_reads, engine_writes, engine_datas;

  tma_ap_ctrl dut (
    .clk_i, .rst_ni,
    .s_awvalid_i(host_i.awvalid), .s_awready_o(host.awready), .s_awaddr_i(host_i.awaddr[15:0]),
    .s_wvalid_i(host_i.wvalid), .s_wready_o(host.wready), .s_wdata_i(host_i.wdata), .s_wstrb_i(host_i.wstrb),
    .s_bvalid_o(host.bvalid), .s_bready_i(host_i.bready), .s_bresp_o(host.bresp),
    .s_arvalid_i(host_i.arvalid), .s_arready_o(host.arready), .s_araddr_i(host_i.araddr[15:0]),
    .s_rvalid_o(host.rvalid), .s_rready_i(host_i.rready), .s_rdata_o(host.rdata), .s_rresp_o(host.rresp),
    .m_awvalid_o(engine.awvalid), .m_awready_i(engine_i.awready), .m_awaddr_o(engine.awaddr),
    .m_wvalid_o(engine.wvalid), .m_wready_i(engine_i.wready), .m_wdata_o(engine.wdata), .m_wstrb_o(engine.wstrb),
    .m_bvalid_i(engine_i.bvalid), .m_bready_o(engine.bready), .m_bresp_i(engine_i.bresp),
    .m_arvalid_o(engine.arvalid), .m_arready_i(engine_i.arready), .m_araddr_o(engine.araddr),
    .m_rvalid_i(engine_i.rvalid), .m_rready_o(engine.rready), .m_rdata_i(engine_i.rdata), .m_rresp_i(engine_i.rresp),
    .idle_i, .irq_i, .interrupt_o()
  );

  axil_rules u_host (
    .clk_i, .rst_ni, .req_i(host_i), .rsp_i(host), .reads_o(reads), .writes_o(writes), .datas_o(datas)
  );

  axil_rules #(.Manager(1'b1)) u_engine (
    .clk_i, .rst_ni, .req_i(engine), .rsp_i(engine_i),
    .reads_o(engine_reads), .writes_o(engine_writes), .datas_o(engine_datas)
  );

  logic started_q = 1'b0;  // the first cycle is a reset
  logic here_busy, here_write;  // in the registers here

  assign here_busy  = 4'(dut.u_axil.state_q) != 4'd0;
  assign here_write = here_busy && dut.u_axil.write_q;

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    assume (started_q || !rst_ni);
    // The engine takes address and data of a write together.
    assume (engine_i.awready == engine_i.wready);

    if (started_q) begin
      OneOfAKind:  assert (reads <= 4'd1 && writes <= 4'd1 && datas == writes);
      ReadHasOne:  assert (reads == engine_reads + 4'(here_busy && !here_write));
      WriteHasOne: assert (writes == engine_writes + 4'(here_write) && engine_datas == engine_writes);
      LinkBusy:    assert (dut.read_busy_q == (reads != '0) && dut.write_busy_q == (writes != '0) &&
                           4'(dut.u_axil.state_q) <= 4'd4);
      LinkHere:    assert ((engine_reads == '0 || !dut.read_here_q) && (engine_writes == '0 || !dut.write_here_q) &&
                           (!(here_busy && !here_write) || dut.read_here_q) && (!here_write || dut.write_here_q));
      // Who answers the engine's transfer is the engine.
      if (engine_i.rvalid) ReadIsPassedOn:  assert (host.rvalid && host.rdata == engine_i.rdata &&
                                                    host.rresp == engine_i.rresp && engine.rready == host_i.rready);
      if (engine_i.bvalid) WriteIsPassedOn: assert (host.bvalid && host.bresp == engine_i.bresp &&
                                                    engine.bready == host_i.bready);
      if (engine.awvalid)  AddressIsHosts:  assert (host_i.awvalid && engine.awaddr == {1'b0, host_i.awaddr[15:0]} &&
                                                    engine.awaddr >= 17'd16 && engine.wdata == host_i.wdata);
      if (engine.arvalid)  ReadIsHosts:     assert (host_i.arvalid && engine.araddr == {1'b0, host_i.araddr[15:0]} &&
                                                    engine.araddr >= 17'd16);

      BothAtOnce:  cover (here_write && engine_reads != '0 && host.rvalid);
    end
  end

endmodule
