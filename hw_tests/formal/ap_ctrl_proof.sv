// SPDX-License-Identifier: Apache-2.0
// Properties of tma_ap_ctrl, between any host and any engine that keep the rules of AXI4-Lite: it keeps them on
// both sides (axil_rules), and every response to the host is the one of the transfer that waits for it: of the
// registers here, or of the engine.

module ap_ctrl_proof
  import tma_axil_pkg::*;
(
  input logic      clk_i,
  input logic      rst_ni,
  input axil_req_t host_i,
  input axil_rsp_t engine_i,
  input logic      idle_i,
  input logic      irq_i
);

  axil_req_t  engine;
  axil_rsp_t  host;
  logic [3:0] reads, writes, datas, engine_reads, engine_writes, engine_datas;

  tma_ap_ctrl dut (
    .clk_i, .rst_ni, .host_i, .host_o(host), .engine_o(engine), .engine_i, .idle_i, .irq_i, .interrupt_o()
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
      LinkBusy:    assert (dut.u_route.read_busy_q == (reads != '0) && dut.u_route.write_busy_q == (writes != '0) &&
                           4'(dut.u_axil.state_q) <= 4'd4);
      LinkHere:    assert ((engine_reads == '0 || !dut.u_route.read_here_q) && (engine_writes == '0 || !dut.u_route.write_here_q) &&
                           (!(here_busy && !here_write) || dut.u_route.read_here_q) && (!here_write || dut.u_route.write_here_q));
      // Who answers the engine's transfer is the engine.
      if (engine_i.rvalid) ReadIsPassedOn:  assert (host.rvalid && host.rdata == engine_i.rdata &&
                                                    host.rresp == engine_i.rresp && engine.rready == host_i.rready);
      if (engine_i.bvalid) WriteIsPassedOn: assert (host.bvalid && host.bresp == engine_i.bresp &&
                                                    engine.bready == host_i.bready);
      if (engine.awvalid)  AddressIsHosts:  assert (host_i.awvalid && engine.awaddr == host_i.awaddr &&
                                                    engine.awaddr >= 17'd16 && engine.wdata == host_i.wdata);
      if (engine.arvalid)  ReadIsHosts:     assert (host_i.arvalid && engine.araddr == host_i.araddr &&
                                                    engine.araddr >= 17'd16);

      BothAtOnce:  cover (here_write && engine_reads != '0 && host.rvalid);
    end
  end

endmodule
