// SPDX-License-Identifier: Apache-2.0
// Properties of tma_rr_arb: one request is granted, and a request that stays is passed over by N - 1
// grants at most.
//
// The turn of a request comes nearer with every grant that goes to another, which is what makes the
// bound inductive.

module rr_arb_proof #(
  parameter int unsigned N = 5,
  localparam int unsigned IndexWidth = $clog2(N)
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic [N-1:0] request_i,
  input logic         advance_i
);

  logic [N-1:0]          grant;
  logic [IndexWidth-1:0] index;

  tma_rr_arb #(.N(N)) dut (
    .clk_i, .rst_ni, .request_i, .advance_i, .grant_o(grant), .index_o(index)
  );

  logic started_q = 1'b0;  // the first cycle is a reset

  always_ff @(posedge clk_i) started_q <= 1'b1;

  // Positions behind the last granted: none is as good as all in front of it.
  logic [7:0] behind;

  always_comb begin
    behind = '0;
    for (int unsigned i = 0; i < N; i++) behind += 8'(dut.after_q[i]);
  end

  always_comb begin
    assume (started_q || !rst_ni);

    if (started_q) begin
      GrantIsARequest: assert ((grant & ~request_i) == '0);
      GrantIsOneHot:   assert ((grant & (grant - N'(1))) == '0);
      SomebodyWins:    assert ((request_i != '0) == (grant != '0));
      LinkTurn:        assert ((~dut.after_q & (~dut.after_q + N'(1))) == '0);
    end
  end

  for (genvar i = 0; i < N; i++) begin : g_request
    logic [7:0] passed_q;  // grants of others that were used, since the request stands
    logic [7:0] ahead;     // positions that are looked at before this one

    assign ahead = (8'(i) + behind) % 8'(N);

    always_ff @(posedge clk_i) begin
      if (!rst_ni || !request_i[i] || (advance_i && grant[i])) passed_q <= '0;
      else                                                     passed_q <= passed_q + 8'(advance_i);
    end

    always_comb begin
      if (started_q) begin
        if (grant[i]) IndexIsTheGrant: assert (index == IndexWidth'(i));
        TurnComesNearer:   assert (passed_q + ahead < 8'(N));
        RequestHasItsTurn: assert (passed_q < 8'(N));
      end
    end
  end

  always_comb begin
    if (started_q) WaitsLongest: cover (g_request[0].passed_q == 8'(N - 1) && grant[0]);
  end

endmodule
