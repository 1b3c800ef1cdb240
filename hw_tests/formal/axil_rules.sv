// SPDX-License-Identifier: Apache-2.0
// The rules of AXI4-Lite on one interface: what is offered stays until it is taken, every response is of a
// transfer that was taken, and none is exclusive. One side is proven, the other one assumed.
//
// `reads_o`, `writes_o` and `datas_o` count what was taken and not answered: addresses of either kind, data.

module axil_rules
  import tma_axil_pkg::*;
#(
  parameter bit          Manager = 1'b0,  // it is the side that is proven
  parameter int unsigned Most    = 3      // transfers of a kind that a manager has on their way
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  axil_req_t  req_i,
  input  axil_rsp_t  rsp_i,
  output logic [3:0] reads_o,
  output logic [3:0] writes_o,
  output logic [3:0] datas_o
);

  typedef logic [3:0] count_t;

  localparam logic [1:0] RespExokay = 2'b01;

  logic      live_q = 1'b0;  // the cycle before was none of a reset
  logic      reset_q = 1'b0; // it was one
  axil_req_t req_q;
  axil_rsp_t rsp_q;
  logic      aw, w, b, ar, r;

  assign aw = req_i.awvalid && rsp_i.awready;
  assign w  = req_i.wvalid && rsp_i.wready;
  assign b  = rsp_i.bvalid && req_i.bready;
  assign ar = req_i.arvalid && rsp_i.arready;
  assign r  = rsp_i.rvalid && req_i.rready;

  always_ff @(posedge clk_i) begin
    live_q  <= rst_ni;
    reset_q <= !rst_ni;
    req_q   <= req_i;
    rsp_q   <= rsp_i;
    if (!rst_ni) begin
      {reads_o, writes_o, datas_o} <= '0;
    end else begin
      reads_o  <= reads_o + count_t'(ar) - count_t'(r);
      writes_o <= writes_o + count_t'(aw) - count_t'(b);
      datas_o  <= datas_o + count_t'(w) - count_t'(b);
    end
  end

  logic address_holds, data_holds, read_holds, quiet, few;
  logic write_response_holds, read_response_holds, write_is_owed, read_is_owed, kinds, still;

  // Of the manager. An address, then what it says.
  assign address_holds = !(live_q && req_q.awvalid && !rsp_q.awready) ||
                         (req_i.awvalid && req_i.awaddr == req_q.awaddr);
  assign data_holds    = !(live_q && req_q.wvalid && !rsp_q.wready) ||
                         (req_i.wvalid && req_i.wdata == req_q.wdata && req_i.wstrb == req_q.wstrb);
  assign read_holds    = !(live_q && req_q.arvalid && !rsp_q.arready) ||
                         (req_i.arvalid && req_i.araddr == req_q.araddr);
  assign quiet         = !reset_q || !(req_i.awvalid || req_i.wvalid || req_i.arvalid);
  assign few           = (reads_o < count_t'(Most) || !req_i.arvalid) &&
                         (writes_o < count_t'(Most) || !req_i.awvalid) &&
                         (datas_o < count_t'(Most) || !req_i.wvalid);

  // Of the subordinate.
  assign write_response_holds = !(live_q && rsp_q.bvalid && !req_q.bready) ||
                                (rsp_i.bvalid && rsp_i.bresp == rsp_q.bresp);
  assign read_response_holds  = !(live_q && rsp_q.rvalid && !req_q.rready) ||
                                (rsp_i.rvalid && rsp_i.rdata == rsp_q.rdata && rsp_i.rresp == rsp_q.rresp);
  assign write_is_owed        = !rsp_i.bvalid || (writes_o != '0 && datas_o != '0);
  assign read_is_owed         = !rsp_i.rvalid || reads_o != '0;
  assign kinds                = !(rsp_i.bvalid && rsp_i.bresp == RespExokay) &&
                                !(rsp_i.rvalid && rsp_i.rresp == RespExokay);
  assign still                = !reset_q || !(rsp_i.bvalid || rsp_i.rvalid);

  if (Manager) begin : g_manager
    always_comb begin
      if (live_q || reset_q) begin
        assume (write_response_holds && read_response_holds && write_is_owed && read_is_owed && kinds && still);
        AddressHolds:     assert (address_holds);
        DataHolds:        assert (data_holds);
        ReadAddressHolds: assert (read_holds);
        QuietAfterReset:  assert (quiet);
        FewOnTheirWay:    assert (few);
      end
    end
  end else begin : g_subordinate
    always_comb begin
      if (live_q || reset_q) begin
        assume (address_holds && data_holds && read_holds && quiet && few);
        WriteResponseHolds: assert (write_response_holds);
        ReadResponseHolds:  assert (read_response_holds);
        WriteIsOwed:        assert (write_is_owed);
        ReadIsOwed:         assert (read_is_owed);
        ResponseIsAKind:    assert (kinds);
        StillAfterReset:    assert (still);
      end
    end
  end

  always_comb begin
    Reads:     cover (live_q && r);
    Writes:    cover (live_q && b);
    ReadWaits: cover (live_q && rsp_q.rvalid && !req_q.rready && r);
  end

endmodule
