// SPDX-License-Identifier: Apache-2.0
// The rules of AXI4-Lite on both sides of a tma_axil_route with a tma_axil for what is here: of the side of the host as
// a subordinate, of the side of the engine as a manager. Every transfer that the host waits for is in one of
// the two, and a response of the engine and a request to it are passed on.

module axil_route_rules
  import tma_axil_pkg::*;
(
  input  logic      clk_i,
  input  logic      rst_ni,

  input  axil_req_t host_i,
  input  axil_rsp_t host_o,
  input  axil_req_t engine_o,
  input  axil_rsp_t engine_i,

  // State of the tma_axil and the tma_axil_route
  input  logic [3:0] here_state_i,   // 0: no transfer
  input  logic       here_write_i,   // the transfer is a write
  input  logic       read_busy_i,
  input  logic       read_here_i,
  input  logic       write_busy_i,
  input  logic       write_here_i,

  output logic       started_o,      // the first cycle is a reset, and over
  output logic       here_read_o,    // a transfer is here
  output logic       here_write_o,
  output logic       engine_reads_o  // some are in the engine
);

  logic [3:0] reads, writes, datas, engine_reads, engine_writes, engine_datas;
  logic       started_q = 1'b0;

  axil_rules u_host (
    .clk_i, .rst_ni, .req_i(host_i), .rsp_i(host_o), .reads_o(reads), .writes_o(writes), .datas_o(datas)
  );

  axil_rules #(.Manager(1'b1)) u_engine (
    .clk_i, .rst_ni, .req_i(engine_o), .rsp_i(engine_i),
    .reads_o(engine_reads), .writes_o(engine_writes), .datas_o(engine_datas)
  );

  assign started_o      = started_q;
  assign here_read_o    = here_state_i != 4'd0 && !here_write_i;
  assign here_write_o   = here_state_i != 4'd0 && here_write_i;
  assign engine_reads_o = engine_reads != '0;

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    assume (started_q || !rst_ni);
    // The engine takes address and data of a write together.
    assume (engine_i.awready == engine_i.wready);

    if (started_q) begin
      OneOfAKind:  assert (reads <= 4'd1 && writes <= 4'd1 && datas == writes);
      ReadHasOne:  assert (reads == engine_reads + 4'(here_read_o));
      WriteHasOne: assert (writes == engine_writes + 4'(here_write_o) && engine_datas == engine_writes);
      LinkBusy:    assert (read_busy_i == (reads != '0) && write_busy_i == (writes != '0) && here_state_i <= 4'd4);
      LinkHere:    assert ((engine_reads == '0 || !read_here_i) && (engine_writes == '0 || !write_here_i) &&
                           (!here_read_o || read_here_i) && (!here_write_o || write_here_i));
      // Who answers the engine's transfer is the engine.
      if (engine_i.rvalid) ReadIsPassedOn:  assert (host_o.rvalid && engine_o.rready == host_i.rready);
      if (engine_i.bvalid) WriteIsPassedOn: assert (host_o.bvalid && engine_o.bready == host_i.bready);
      if (engine_o.awvalid) AddressIsHosts: assert (host_i.awvalid && engine_o.awaddr == host_i.awaddr &&
                                                    engine_o.wdata == host_i.wdata && engine_o.wstrb == host_i.wstrb);
      if (engine_o.arvalid) ReadIsHosts:    assert (host_i.arvalid && engine_o.araddr == host_i.araddr);
    end
  end

endmodule
