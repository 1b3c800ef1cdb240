// SPDX-License-Identifier: Apache-2.0
// The entry that a port works on: whether its request may use it, and its number for the values.
//
// Without `Step` that is the entry which matches, in the same cycle. With it, the entry that the
// port's address of the cycle before was found in, which keeps match and values out of the way to the
// ALU: a request is served from its second cycle on, or at once where the request before named the
// same barrier. A barrier that is just being filled in counts as found.

`include "tma_assert.svh"

module tma_mbarrier_find #(
  parameter int unsigned N    = 8,
  parameter bit          Step = 1'b0,
  localparam int unsigned IndexWidth = $clog2(N)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  input  logic [N-1:0]          match_i,     // entry of the port's address
  input  logic [N-1:0]          incoming_i,  // will be from the next cycle on,
  input  logic                  spoiled_i,   // but for this (late)

  output logic [N-1:0]          found_o,     // entries that the port could use
  output logic [N-1:0]          entry_o,     // the one it does, if its request may
  output logic [IndexWidth-1:0] index_o,     // its number
  output logic [IndexWidth-1:0] look_o       // number whose value is looked up; `Step`: for the next cycle
);

  function automatic logic [IndexWidth-1:0] index_of(input logic [N-1:0] one_hot);
    index_of = '0;
    for (int unsigned e = 0; e < N; e++) if (one_hot[e]) index_of |= IndexWidth'(e);
  endfunction

  if (Step) begin : g_step
    logic [N-1:0] found;

    assign found = match_i | (incoming_i & {N{!spoiled_i}});

    always_ff @(posedge clk_i) begin
      if (!rst_ni) found_o <= '0;
      else         found_o <= found;
    end

    assign look_o = index_of(match_i | incoming_i);

    always_ff @(posedge clk_i) index_o <= look_o;

    `TMA_COVER(TurnsToAnother, valid_i && match_i != '0 && entry_o == '0)
  end else begin : g_at_once
    logic unused;

    assign unused  = ^{clk_i, rst_ni, valid_i, incoming_i, spoiled_i};
    assign found_o = '1;
    assign index_o = index_of(match_i);
    assign look_o  = index_o;
  end

  assign entry_o = match_i & found_o;

endmodule
