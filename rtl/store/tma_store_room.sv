// SPDX-License-Identifier: Apache-2.0
// Room for broadcasts in front of the ports: says when one may go, so that no port ever owes its memory
// data that waits for another port.
//
// Data of all bursts comes in one order, and a beat goes to all the ports of its burst at once. A
// broadcast leaves when what is on its way to each port, its own beats included, fits in that port's
// FIFO. From then on its data comes, whatever the ports do; the AW of every port may go at once:
//
//   cycle        0        1        2      3 ...                       n
//   guard        burst    next waits until it fits ------------------> goes
//   beats_q[p]   0        16       16     16, 15, 14 as they leave     room for 16
//   AW pins               valid, at each port when it takes it
//   port 1's FIFO                         fills, though port 0 takes nothing, and the other way round
//
// Stores of one port do not wait for room: they go to port 0, and what they wait for there holds up only
// what comes behind them. So what a broadcast finds at port 0 counts too, whether it goes there or not.
// A command that was stopped keeps its place in the order of data until its last response, from port 0:
// no broadcast goes behind it.
//
// Two decisions, so that a broadcast that waits for another port waits before the guard, where all others
// pass it: `enter_o`, a broadcast of any length and to any port may come into the guard; `go_o`, the one
// that is there may leave.
//
// Both depend on `held_i` and `len_i` in the same cycle. Reset: all.

`include "tma_assert.svh"

module tma_store_room
  import tma_pkg::*;
  import tma_store_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  // The burst in the guard
  input  logic                held_i,    // it is a broadcast
  input  logic [LenWidth-1:0] len_i,
  input  ports_t              sent_i,    // its address goes to these ports

  input  ports_t              leaves_i,  // a beat leaves the FIFO of this port

  // Of lane 0, a stopped command gets its place in the order of data, and leaves it
  input  logic                stop_i,
  input  logic                stopped_i,

  output logic                enter_o,
  output logic                go_o
);

  // Of whole pages to port 0 as many may come as there are jobs, and one or two in front of the FIFO.
  localparam int unsigned BeatWidth = LenWidth + 3;
  localparam int unsigned StopWidth = 4;

  typedef logic [BeatWidth-1:0] count_t;

  count_t [NumPorts-1:0] beats_q;  // sent, not out of the FIFO
  logic [StopWidth-1:0]  stops_q;
  count_t                own;      // beats of the burst
  ports_t                fits;

  assign own = count_t'(len_i) + count_t'(1);

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign fits[p] = beats_q[p] + (p == 0 ? own : (held_i ? own : '0) + count_t'(SpreadBeats)) <=
                     count_t'(PortBeats);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) beats_q[p] <= '0;
      else         beats_q[p] <= beats_q[p] + (sent_i[p] ? own : '0) - count_t'(leaves_i[p]);
    end

    `TMA_ASSERT(BeatsAreCounted, leaves_i[p] |-> beats_q[p] != '0)
    `TMA_ASSERT(CountFits, beats_q[p] + own >= own)
    if (p > 0) begin : g_spread
      `TMA_ASSERT(NoMoreThanFit, beats_q[p] <= count_t'(PortBeats))
      `TMA_COVER(PortIsFull, beats_q[p] == count_t'(PortBeats))
    end
  end

  assign enter_o = &(fits | ports_t'(1));
  assign go_o    = fits[0] && stops_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) stops_q <= '0;
    else         stops_q <= stops_q + StopWidth'(stop_i) - StopWidth'(stopped_i);
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(StopsAreCounted, stop_i && !stopped_i |-> stops_q != '1)
  `TMA_ASSERT(StoppedHasAPlace, stopped_i |-> stops_q != '0)
  `TMA_ASSERT(BroadcastIsShort, held_i |-> own <= count_t'(SpreadBeats))
  `TMA_ASSERT(OthersGoToPort0, sent_i != '0 && !held_i |-> sent_i == ports_t'(1))
  `TMA_ASSERT(BroadcastFits, held_i && sent_i != '0 |-> go_o)
  `TMA_COVER(WaitsForPort0, held_i && !fits[0])
  `TMA_COVER(WaitsForAStop, held_i && fits[0] && stops_q != '0)

endmodule
