// SPDX-License-Identifier: Apache-2.0
// Receiver of a serial line: 8 data bits, low bit first, no parity, one stop bit.
//
// A bit is what most of three samples around its middle say. A start bit that its middle does not confirm was
// none. A byte without a stop bit comes with `error_o`, and the receiver waits until the line is at rest.
//
//   line   ---\____/ d0 / d1 /  ...  / d7 /----
//   index     0 1 2 3 0 1 2 3              0 1 2 3       ClocksPerBit = 4
//   samples     ^ ^ ^   ^ ^ ^              ^ ^ ^
//                                               `valid_o`
//
// The byte comes in the cycle of the last sample of the stop bit. That is looked at a clock earlier than the others, so
// that the next start bit of a fast sender is seen in time. Reset: control only.

`include "tma_assert.svh"

module tma_uart_rx #(
  parameter int unsigned ClocksPerBit = 4  // 4 or more
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       line_i,   // in the clock's time

  output logic       valid_o,  // for one cycle
  output logic       error_o,  // with it: there was no stop bit
  output logic [7:0] byte_o
);

  localparam int unsigned Last       = ClocksPerBit / 2 + 1;  // sample of a bit that is looked at
  localparam int unsigned CountWidth = $clog2(ClocksPerBit);
  localparam logic [3:0]  StopBit    = 4'd9;

  typedef enum logic [1:0] {
    StRest,  // the line is at rest
    StBits,  // start bit to stop bit
    StBreak  // there was no stop bit: wait for rest
  } state_e;

  state_e                state_q;
  logic [CountWidth-1:0] count_q;  // index of this cycle's sample in its bit
  logic [3:0]            bit_q;    // 0: start bit
  logic [1:0]            past_q;   // the samples before this one
  logic [7:0]            byte_q;
  logic                  vote, look;

  assign vote    = (line_i && past_q[0]) || (line_i && past_q[1]) || (past_q[0] && past_q[1]);
  assign look    = state_q == StBits && count_q == CountWidth'(bit_q == StopBit ? Last - 1 : Last);
  assign valid_o = look && bit_q == StopBit;
  assign error_o = !vote;
  assign byte_o  = byte_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StBreak;
    end else begin
      unique case (state_q)
        StRest: if (!line_i) state_q <= StBits;
        StBits: begin
          if (look && bit_q == 4'd0 && vote) state_q <= StRest;
          if (valid_o) state_q <= vote ? StRest : StBreak;
        end
        StBreak: if (line_i) state_q <= StRest;
        default: state_q <= StRest;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    past_q <= {past_q[0], line_i};
    if (state_q != StBits) begin
      count_q <= CountWidth'(1);
      bit_q   <= '0;
    end else if (count_q == CountWidth'(ClocksPerBit - 1)) begin
      count_q <= '0;
      bit_q   <= bit_q + 4'd1;
    end else begin
      count_q <= count_q + CountWidth'(1);
    end
    if (look && bit_q != StopBit) byte_q <= {vote, byte_q[7:1]};
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(ClocksPerBitInRange, ClocksPerBit >= 4)
  `TMA_ASSERT(BitsEnd, state_q == StBits |-> bit_q <= StopBit)
  `TMA_COVER(Glitch, look && bit_q == 4'd0 && vote)
  `TMA_COVER(NoStopBit, valid_o && error_o)
  `TMA_COVER(VoteOfTwo, look && bit_q != 4'd0 && (vote != line_i || vote != past_q[0] || vote != past_q[1]))
  `TMA_COVER(BackToBack, state_q == StRest && !line_i && past_q == '1 && $past(valid_o))

endmodule
