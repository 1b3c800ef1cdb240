// SPDX-License-Identifier: Apache-2.0
// Waits until the interrupt is there or some microseconds are over.
//
// `done_o` comes in the cycle in which it is so, at once for 0; waits are offered until then. Never shorter than
// asked: a microsecond has so many whole cycles. Reset: by `valid_i` low.

`include "tma_assert.svh"

module tma_bridge_wait #(
  parameter int unsigned ClockHz = 50_000_000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [31:0] us_i,
  input  logic        irq_i,
  output logic        done_o
);

  localparam int unsigned Cycles     = (ClockHz + 999_999) / 1_000_000;  // of a microsecond
  localparam int unsigned CountWidth = $clog2(Cycles + 1);

  logic [CountWidth-1:0] cycle_q;
  logic [20:0]           us_q;

  assign done_o = valid_i && (irq_i || 32'(us_q) == us_i);

  always_ff @(posedge clk_i) begin
    if (!valid_i) begin
      cycle_q <= '0;
      us_q    <= '0;
    end else if (cycle_q == CountWidth'(Cycles - 1)) begin
      cycle_q <= '0;
      us_q    <= us_q + 21'd1;
    end else begin
      cycle_q <= cycle_q + CountWidth'(1);
    end
  end

  `TMA_ASSERT_INIT(ClockInRange, ClockHz >= 1)
  `TMA_ASSERT(TimeInRange, valid_i |-> us_i <= 32'(tma_board_pkg::MaxWait))
  `TMA_COVER(TimeIsOver, done_o && !irq_i && us_i != '0)
  `TMA_COVER(InterruptComes, done_o && irq_i && us_q != '0)

endmodule
