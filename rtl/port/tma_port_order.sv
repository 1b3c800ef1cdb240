// SPDX-License-Identifier: Apache-2.0
// Simulation only: data of a write port comes in the order of its addresses, as many beats as they say, of the same
// stream.

`include "tma_assert.svh"

module tma_port_order
  import tma_pkg::*;
#(
  parameter int unsigned Bursts = 16  // whose address may be ahead of their data
) (
  input logic        clk_i,
  input logic        rst_ni,

  input logic        aw_go_i,
  input aw_t         aw_i,
  input logic        w_valid_i,
  input logic        w_go_i,
  input stream_t     w_stream_i,
  input write_beat_t w_i
);

  // Of the bursts whose address came and whose data has not come in full; beats of the oldest.
  logic [LenWidth-1:0] len_q [Bursts];
  stream_t             stream_q [Bursts];
  int unsigned         put_q, got_q, beat_q;
  logic                wrong_q;

  always_ff @(posedge clk_i) begin
    if (aw_go_i) begin
      len_q[put_q % Bursts]    <= aw_i.len;
      stream_q[put_q % Bursts] <= aw_i.stream;
    end
    if (!rst_ni) begin
      put_q   <= 0;
      got_q   <= 0;
      beat_q  <= 0;
      wrong_q <= 1'b0;
    end else begin
      wrong_q <= w_valid_i && (put_q == got_q || w_i.last != (beat_q == 32'(len_q[got_q % Bursts])) ||
                               w_stream_i != stream_q[got_q % Bursts]);
      if (aw_go_i) put_q <= put_q + 1;
      if (w_go_i) begin
        beat_q <= w_i.last ? 0 : beat_q + 1;
        if (w_i.last) got_q <= got_q + 1;
      end
    end
  end

  logic unused;
  assign unused = ^{aw_i, w_i};

  // By a register: a simulator would copy the arrays for an assertion that looks into them, every cycle.
  `TMA_ASSERT(DataHasTheOrderOfAddresses, !wrong_q)

endmodule
