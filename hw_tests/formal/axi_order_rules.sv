// SPDX-License-Identifier: Apache-2.0
// The rules of AXI4 for the order of write data, on the pins of one port: data comes in the order of addresses, as
// many beats as they say, the last one marked; and, as this engine has it, never before its address is on the pins.
// `w_id_i`, whose the data is by what travels with it, has to be the id of its address.
//
// For `Bursts` bursts: a longer run has to be cut by who proves.

module axi_order_rules
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter int unsigned Bursts = 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [IdWidth-1:0] w_id_i,
  input  write_req_t         req_i,
  input  write_rsp_t         rsp_i,
  output logic [3:0]         addresses_o,  // taken so far
  output logic [3:0]         bursts_o      // whose last beat was taken
);

  aw_t                 aw_q [Bursts];
  logic [LenWidth-1:0] beat_q;            // of the burst whose data comes
  logic                live_q = 1'b0;     // the cycle before was none of a reset
  aw_t                 aw;                // of that burst
  logic                there;

  always_ff @(posedge clk_i) begin
    live_q <= rst_ni;
    if (!rst_ni) begin
      addresses_o <= '0;
      bursts_o    <= '0;
      beat_q      <= '0;
    end else begin
      if (req_i.aw_valid && rsp_i.aw_ready) begin
        aw_q[addresses_o] <= req_i.aw;
        addresses_o       <= addresses_o + 4'd1;
      end
      if (req_i.w_valid && rsp_i.w_ready) begin
        beat_q <= req_i.w.last ? '0 : beat_q + LenWidth'(1);
        if (req_i.w.last) bursts_o <= bursts_o + 4'd1;
      end
    end
  end

  // Its address was taken, or is on offer beside it.
  assign there = bursts_o < addresses_o || (bursts_o == addresses_o && req_i.aw_valid);
  assign aw    = bursts_o < addresses_o ? aw_q[bursts_o] : req_i.aw;

  always_comb begin
    if (live_q) begin
      assume (32'(addresses_o) < Bursts || !req_i.aw_valid || !rsp_i.aw_ready);
      if (req_i.w_valid) begin
        DataHasItsAddress: assert (there);
        BeatsAreCounted:   assert (req_i.w.last == (beat_q == aw.len));
        DataIsOfItsId:     assert (w_id_i == IdWidth'(aw.stream));
      end
    end
  end

endmodule
