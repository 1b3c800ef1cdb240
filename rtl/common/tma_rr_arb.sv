// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiter: grants one of N requests, the one after the last granted first.
//
// Combinational from request to grant. The turn moves on when a grant is used (`advance_i`).

`include "tma_assert.svh"

module tma_rr_arb #(
  parameter int unsigned N = 4,  // 2 or more
  localparam int unsigned IndexWidth = $clog2(N)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [N-1:0]          request_i,
  input  logic                  advance_i,
  output logic [N-1:0]          grant_o,  // one hot, or zero without a request
  output logic [IndexWidth-1:0] index_o
);

  logic [N-1:0] after_q;  // ones at the positions behind the last granted
  logic [N-1:0] behind, pool;

  assign behind  = request_i & after_q;
  assign pool    = behind != '0 ? behind : request_i;
  assign grant_o = pool & ~(pool - N'(1));

  always_comb begin
    index_o = '0;
    for (int unsigned i = 0; i < N; i++) if (grant_o[i]) index_o = IndexWidth'(i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                          after_q <= '0;
    else if (advance_i && grant_o != '0)  after_q <= ~(grant_o | (grant_o - N'(1)));
  end

  `TMA_ASSERT(GrantIsARequest, (grant_o & ~request_i) == '0)
  `TMA_ASSERT(GrantIsOneHot, (grant_o & (grant_o - N'(1))) == '0)
  `TMA_ASSERT(SomebodyWins, request_i != '0 |-> grant_o != '0)

endmodule
