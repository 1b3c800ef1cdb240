// SPDX-License-Identifier: Apache-2.0
// Transmitter of a serial line: 8 data bits, low bit first, no parity, one stop bit.
//
// Bytes follow one another without a gap. `line_o` is a register. Reset: the line is at rest.

`include "tma_assert.svh"

module tma_uart_tx #(
  parameter int unsigned ClocksPerBit = 4  // 4 or more
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] byte_i,

  output logic       line_o
);

  localparam int unsigned CountWidth = $clog2(ClocksPerBit);
  localparam logic [3:0]  StopBit    = 4'd9;

  logic                  busy_q;
  logic [CountWidth-1:0] count_q;
  logic [3:0]            bit_q;   // on the line; 0: start bit
  logic [8:0]            rest_q;  // bits behind it, the stop bit at last
  logic                  bit_ends, byte_ends;

  assign bit_ends  = count_q == CountWidth'(ClocksPerBit - 1);
  assign byte_ends = bit_ends && bit_q == StopBit;
  assign ready_o   = !busy_q || byte_ends;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      line_o <= 1'b1;
    end else if (ready_o) begin
      busy_q <= valid_i;
      line_o <= !valid_i;
    end else if (bit_ends) begin
      line_o <= rest_q[0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      count_q <= '0;
      bit_q   <= '0;
      rest_q  <= {1'b1, byte_i};
    end else if (bit_ends) begin
      count_q <= '0;
      bit_q   <= bit_q + 4'd1;
      rest_q  <= {1'b1, rest_q[8:1]};
    end else begin
      count_q <= count_q + CountWidth'(1);
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(ClocksPerBitInRange, ClocksPerBit >= 4)
  `TMA_ASSERT_STABLE(ByteIsStable, valid_i, ready_o, byte_i)
  `TMA_ASSERT(RestIsHigh, !busy_q |-> line_o)
  `TMA_COVER(BackToBack, busy_q && byte_ends && valid_i)

endmodule
