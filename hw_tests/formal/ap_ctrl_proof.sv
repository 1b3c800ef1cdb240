// SPDX-License-Identifier: Apache-2.0
// Properties of tma_ap_ctrl, between any host and any engine that keep the rules of AXI4-Lite: it keeps them on
// both sides (axil_route_rules), and every response to the host is the one of the transfer that waits for it: of the
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

  axil_req_t engine;
  axil_rsp_t host;
  logic      started, here_write, engine_reads;

  tma_ap_ctrl dut (
    .clk_i, .rst_ni, .host_i, .host_o(host), .engine_o(engine), .engine_i, .idle_i, .irq_i, .interrupt_o()
  );

  axil_route_rules u_rules (
    .clk_i, .rst_ni, .host_i, .host_o(host), .engine_o(engine), .engine_i,
    .here_state_i(4'(dut.u_axil.state_q)), .here_write_i(dut.u_axil.write_q),
    .read_busy_i(dut.u_route.read_busy_q), .read_here_i(dut.u_route.read_here_q),
    .write_busy_i(dut.u_route.write_busy_q), .write_here_i(dut.u_route.write_here_q),
    .started_o(started), .here_read_o(), .here_write_o(here_write), .engine_reads_o(engine_reads)
  );

  always_comb begin
    if (started) begin
      if (engine_i.rvalid) ReadIsAsTheEngines:  assert (host.rdata == engine_i.rdata && host.rresp == engine_i.rresp);
      if (engine_i.bvalid) WriteIsAsTheEngines: assert (host.bresp == engine_i.bresp);
      NotTheEngines: assert (!(engine.awvalid && engine.awaddr < 17'd16) && !(engine.arvalid && engine.araddr < 17'd16));

      BothAtOnce:  cover (here_write && engine_reads && host.rvalid);
    end
  end

endmodule
