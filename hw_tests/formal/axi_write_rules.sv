// SPDX-License-Identifier: Apache-2.0
// The rules of AXI4 for writes, on the pins of one port. Proven of the manager: addresses and data stay until they
// are taken, a burst lies in one 4 KiB page, at beats of the bus. Assumed of the memory: a response stays until it
// is taken, and none comes of the id that is followed but for a burst whose last beat was taken.
//
// All else is free: when addresses and data are taken, the order of ids, responses of other ids that nobody waits
// for. `w_id_i` says whose the data on the pins is, which AXI4 leaves to the order of addresses (axi_order_rules).

module axi_write_rules
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter int unsigned CountWidth = 8
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [IdWidth-1:0]    id_i,     // the one that is followed, always the same
  input  logic [IdWidth-1:0]    w_id_i,
  input  write_req_t            req_i,
  input  write_rsp_t            rsp_i,
  output logic [CountWidth-1:0] bursts_o  // of that id, whose last beat was taken and which has no response
);

  typedef logic [CountWidth-1:0] count_t;

  logic       live_q = 1'b0;   // the cycle before was none of a reset
  logic       reset_q = 1'b0;  // it was one
  write_req_t req_q;
  write_rsp_t rsp_q;
  logic       whole, b;

  assign whole = req_i.w_valid && rsp_i.w_ready && req_i.w.last && w_id_i == id_i;
  assign b     = rsp_i.b_valid && req_i.b_ready && rsp_i.b_id == id_i;

  always_ff @(posedge clk_i) begin
    live_q  <= rst_ni;
    reset_q <= !rst_ni;
    req_q   <= req_i;
    rsp_q   <= rsp_i;
    if (!rst_ni) bursts_o <= '0;
    else         bursts_o <= bursts_o + count_t'(whole) - count_t'(b);
  end

  always_comb begin
    if (live_q && rsp_q.b_valid && !req_q.b_ready) begin
      assume (rsp_i.b_valid && rsp_i.b_id == rsp_q.b_id && rsp_i.b_resp == rsp_q.b_resp);
    end
    if (live_q || reset_q) assume (!(rsp_i.b_valid && rsp_i.b_id == id_i && bursts_o == '0));
    if (reset_q)           assume (!rsp_i.b_valid);

    if (live_q && req_q.aw_valid && !rsp_q.aw_ready) begin
      AddressHolds:     assert (req_i.aw_valid && req_i.aw == req_q.aw);
    end
    if (live_q && req_q.w_valid && !rsp_q.w_ready) begin
      DataHolds:        assert (req_i.w_valid && req_i.w == req_q.w);
    end
    if ((live_q || reset_q) && req_i.aw_valid) begin
      BurstStaysInPage: assert (32'(req_i.aw.addr[11:0]) + (32'(req_i.aw.len) + 1) * DataBytes <= 4096);
      BeatsAreWhole:    assert (32'(req_i.aw.addr) % DataBytes == 0);
    end
    if (reset_q) QuietAfterReset: assert (!req_i.aw_valid && !req_i.w_valid);

    DataWaits:   cover (live_q && req_q.w_valid && !rsp_q.w_ready && whole);
    WholePage:   cover (live_q && req_i.aw_valid && rsp_i.aw_ready && (32'(req_i.aw.len) + 1) * DataBytes == 4096);
    TwoAnswered: cover (live_q && b && bursts_o == count_t'(2));
  end

endmodule
