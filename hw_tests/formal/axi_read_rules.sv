// SPDX-License-Identifier: Apache-2.0
// The rules of AXI4 for reads, on the pins of one port. Proven of the manager: an address stays until it is taken,
// its burst lies in one 4 KiB page, at beats of the bus. Assumed of the memory: a beat stays until it is taken,
// and none comes of the id that is followed but for a burst of it.
//
// All else is free: order and interleaving of ids, beats of other ids that nobody asked for, when a burst ends.

module axi_read_rules
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter int unsigned CountWidth = 8
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [IdWidth-1:0]    id_i,     // the one that is followed, always the same
  input  read_req_t             req_i,
  input  read_rsp_t             rsp_i,
  output logic [CountWidth-1:0] bursts_o  // of that id, whose address was taken and whose last beat was not
);

  typedef logic [CountWidth-1:0] count_t;

  logic      live_q = 1'b0;   // the cycle before was none of a reset
  logic      reset_q = 1'b0;  // it was one
  read_req_t req_q;
  read_rsp_t rsp_q;
  logic      ar, r, first;

  assign ar    = req_i.ar_valid && rsp_i.ar_ready && req_i.ar.id == id_i;
  assign r     = rsp_i.r_valid && req_i.r_ready && rsp_i.r_id == id_i;
  assign first = bursts_o == '0;

  always_ff @(posedge clk_i) begin
    live_q  <= rst_ni;
    reset_q <= !rst_ni;
    req_q   <= req_i;
    rsp_q   <= rsp_i;
    if (!rst_ni) bursts_o <= '0;
    else         bursts_o <= bursts_o + count_t'(ar) - count_t'(r && rsp_i.r_last);
  end

  always_comb begin
    if (live_q && rsp_q.r_valid && !req_q.r_ready) begin
      assume (rsp_i.r_valid && rsp_i.r_id == rsp_q.r_id && rsp_i.r_data == rsp_q.r_data &&
              rsp_i.r_resp == rsp_q.r_resp && rsp_i.r_last == rsp_q.r_last);
    end
    if (live_q || reset_q) assume (!(rsp_i.r_valid && rsp_i.r_id == id_i && first));
    if (reset_q)           assume (!rsp_i.r_valid);

    if (live_q && req_q.ar_valid && !rsp_q.ar_ready) begin
      AddressHolds:     assert (req_i.ar_valid && req_i.ar == req_q.ar);
    end
    if ((live_q || reset_q) && req_i.ar_valid) begin
      BurstStaysInPage: assert (32'(req_i.ar.addr[11:0]) + (32'(req_i.ar.len) + 1) * DataBytes <= 4096);
      BeatsAreWhole:    assert (32'(req_i.ar.addr) % DataBytes == 0);
    end
    if (reset_q) QuietAfterReset: assert (!req_i.ar_valid);

    BurstOfTwo:  cover (live_q && r && rsp_i.r_last && !first && rsp_q.r_valid && req_q.r_ready && !rsp_q.r_last);
    WholePage:   cover (live_q && ar && (32'(req_i.ar.len) + 1) * DataBytes == 4096);
    AddressWaits: cover (live_q && req_q.ar_valid && !rsp_q.ar_ready && ar);
  end

endmodule
