// SPDX-License-Identifier: Apache-2.0
// Keeps what a queue has in flight within one lap of the 16 bits by which operations name their command.
//
// A queue that has had something in flight all through half a lap is held back before the next one, until
// nothing is:
//
//   head     0                 32,768              65,536
//            |---------o----------|-------------------|      o  nothing in flight
//                      ^          ^ goes on           ^ held back, if it was never idle since 32,768
//                      |<------- less than a lap ------->|   what is in flight is not older than o
//
// So a low half that is equal names one command, and one above the head's is of the lap before. A queue
// that is idle once in 32,768 commands never notices.
//
// It is held a few commands before the end of a half, since those that are picked already still pass.
// Latency: two cycles from `busy_i`, one from the head. Reset: everything.

`include "tma_assert.svh"

module tma_lap
  import tma_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic [NumQueues-1:0][31:0] head_i,  // sequence number of the next command to leave
  input  logic [NumQueues-1:0]       busy_i,  // something is in flight that may fault

  output logic [NumQueues-1:0]       hold_o   // no command goes
);

  localparam int unsigned HalfWidth   = 15;  // of the 16 bits
  localparam int unsigned MarginWidth = 3;   // 8 commands, more than are between the pick and issue

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    logic half_q, idle_q, same, near_end;  // idle: it was, in this half

    assign same     = head_i[q][HalfWidth] == half_q;
    assign near_end = head_i[q][HalfWidth-1:MarginWidth] == '1;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        half_q    <= 1'b0;
        idle_q    <= 1'b0;
        hold_o[q] <= 1'b0;
      end else begin
        half_q    <= head_i[q][HalfWidth];
        idle_q    <= same && (idle_q || !busy_i[q]);
        hold_o[q] <= near_end && !idle_q;
      end
    end

    ////////////////
    // Assertions //
    ////////////////

`ifndef SYNTHESIS
    logic [31:0] head_q, age_q;  // commands that have left since it was idle
    logic        retires;

    assign retires = head_i[q] == head_q + 32'd1;

    always_ff @(posedge clk_i) begin
      head_q <= head_i[q];
      if (!rst_ni || !busy_i[q]) age_q <= '0;
      else                       age_q <= age_q + 32'(retires);
    end

    `TMA_ASSERT(LessThanALap, age_q < 2**(HalfWidth + 1))
    `TMA_ASSERT(IdleInEachHalf, retires && !same |-> idle_q)
`endif
    `TMA_COVER(HeldBack, hold_o[q])
    `TMA_COVER(GoesOn, !hold_o[q] && $past(hold_o[q]) && near_end)
    `TMA_COVER(IdleIsOfTheOtherHalf, !same && idle_q && busy_i[q])
  end

  // Of a number the lap matters.
  logic unused_head;
  assign unused_head = ^head_i;

endmodule
