// SPDX-License-Identifier: Apache-2.0
// Old data of reductions at one port: lines in the order of their bursts, for which there is always room.
//
//   R --> FIFO, block memory --> arithmetic
//
// Room is set aside when a burst goes (`ask_i`), and comes back line by line as its lines are worked on
// (`back_i`), also those that a port which died did not send. So R of a reduction never waits.
//
// One line per cycle; two cycles from R to `valid_o`, with `Short`, in which R has a register, three. `room_o` is for the
// longest burst. Reset: control only.

`include "tma_assert.svh"

module tma_reduce_old
  import tma_pkg::*;
  import tma_reduce_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                r_valid_i,
  input  read_beat_t          r_i,

  output logic                room_o,
  input  logic                ask_i,
  input  logic [LenWidth-1:0] len_i,    // beats - 1
  input  logic                back_i,

  output logic                valid_o,
  input  logic                pop_i,
  output old_t                old_o
);

  localparam int unsigned HeldWidth = LenWidth + 2;

  typedef logic [HeldWidth-1:0] held_t;

  logic [$clog2(OldLines+1)-1:0] unused_level;
  held_t                         held_q;   // lines that are asked for, or here
  logic                          ready, in_valid, asked;
  old_t                          old, in;

  assign old = '{resp: r_i.resp, dead: r_i.dead, data: r_i.data};

  if (Short) begin : g_short
    logic valid_q, ask_q;
    old_t old_q;

    assign in_valid = valid_q;
    assign in       = old_q;
    assign asked    = ask_q;

    // That a burst goes is known late; another one looks for room two cycles later at the earliest, and till then it is
    // this one's length.
    always_ff @(posedge clk_i) ask_q <= rst_ni && ask_i;

    `TMA_ASSERT(NextLooksLater, ask_q |-> !ask_i && $stable(len_i))

    always_ff @(posedge clk_i) valid_q <= rst_ni && r_valid_i;

    always_ff @(posedge clk_i) old_q <= old;
  end else begin : g_at_once
    assign in_valid = r_valid_i;
    assign in       = old;
    assign asked    = ask_i;
  end

  tma_fifo_block #(.Width($bits(old_t)), .Depth(OldLines)) u_lines (
    .clk_i, .rst_ni, .in_valid_i(in_valid), .in_ready_o(ready), .in_i(in),
    .out_valid_o(valid_o), .out_ready_i(pop_i), .out_o(old_o), .level_o(unused_level)
  );

  assign room_o = held_q <= held_t'(OldLines - ReduceBeats);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= '0;
    else         held_q <= held_q + (asked ? held_t'(len_i) + held_t'(1) : '0) - held_t'(back_i);
  end

  logic unused_bits;
  assign unused_bits = ^{r_i.id, r_i.last};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(HeldFits, OldLines < 2**HeldWidth)
  `TMA_ASSERT(LineHasRoom, in_valid |-> ready)
  `TMA_ASSERT(HeldIsAsked, back_i |-> held_q != '0)
  `TMA_ASSERT(AskedFits, ask_i |-> room_o)
  `TMA_COVER(NoRoom, !room_o)

endmodule
