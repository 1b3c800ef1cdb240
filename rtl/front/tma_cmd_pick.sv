// SPDX-License-Identifier: Apache-2.0
// Picks the queue whose command goes to decode next: paths take turns, and on each path its queues.
//
//   wants_i, path_i --> requests of each path --> a queue of each path --> one of them
//
// A path that opens for a few commands at a time gives each of its queues a turn before any of them
// has a second one, whatever the others do meanwhile: the turn of a path moves with its own picks
// alone. So of N queues that wait for one path each waits for N - 1 picks of it at most, and a path
// that is open for NumPaths - 1 picks of others.
//
// Combinational from the requests; the turns move on when a pick is used (`take_i`). Reset: the turns.

`include "tma_assert.svh"

module tma_cmd_pick
  import tma_pkg::*;
  import tma_isa_pkg::path_e;
  import tma_front_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic [NumQueues-1:0]  wants_i,       // the queue has a command that only its path may hold back
  input  path_e [NumQueues-1:0] path_i,        // that executes it
  input  logic [NumPaths-1:0]   path_ready_i,  // by path_e
  input  logic                  take_i,

  output logic                  valid_o,
  output queue_t                queue_o
);

  logic [NumPaths-1:0][NumQueues-1:0] request, grant;
  queue_t [NumPaths-1:0]              candidate;
  logic [NumPaths-1:0]                open, turn;   // paths with a request; the one whose turn it is

  for (genvar p = 0; p < NumPaths; p++) begin : g_path
    for (genvar q = 0; q < NumQueues; q++) begin : g_queue
      assign request[p][q] = wants_i[q] && path_i[q] == path_e'(p) && path_ready_i[p];
    end

    assign open[p] = request[p] != '0;

    tma_rr_arb #(.N(NumQueues)) u_arb (
      .clk_i, .rst_ni, .request_i(request[p]), .advance_i(take_i && turn[p]),
      .grant_o(grant[p]), .index_o(candidate[p])
    );
  end

  // As tma_rr_arb, but each path looks at all of those before it at once: fewer levels of gates.
  logic [NumPaths-1:0] after_q, behind;  // after_q: ones at the paths behind the last one that had its turn

  assign behind = open & after_q;

  for (genvar p = 0; p < NumPaths; p++) begin : g_turn
    localparam logic [NumPaths-1:0] Before = NumPaths'((1 << p) - 1);

    assign turn[p] = behind != '0 ? behind[p] && (behind & Before) == '0 : open[p] && (open & Before) == '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                after_q[p] <= 1'b0;
      else if (take_i && valid_o) after_q[p] <= (turn & Before) != '0;
    end
  end

  assign valid_o = open != '0;

  always_comb begin
    queue_o = '0;
    for (int unsigned p = 0; p < NumPaths; p++) if (turn[p]) queue_o |= candidate[p];
  end

  logic unused;
  assign unused = ^grant;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // Picks that others had, of its path, since a queue waits; that other paths had, since one is open.
  logic [NumQueues-1:0]       waits_q;
  path_e [NumQueues-1:0]      path_q;
  logic [NumQueues-1:0][31:0] passed_q;
  logic [NumPaths-1:0][31:0]  waited_q;

  always_ff @(posedge clk_i) begin
    waits_q <= wants_i;
    path_q  <= path_i;
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (!rst_ni || !wants_i[q] || (take_i && valid_o && queue_o == queue_t'(q))) begin
        passed_q[q] <= '0;
      end else begin
        passed_q[q] <= (waits_q[q] && path_q[q] == path_i[q] ? passed_q[q] : '0) +
                       32'(take_i && turn[path_i[q]]);
      end
    end
    for (int unsigned p = 0; p < NumPaths; p++) begin
      if (!rst_ni || !open[p] || (take_i && turn[p])) waited_q[p] <= '0;
      else if (take_i)                                waited_q[p] <= waited_q[p] + 32'd1;
    end
  end

  for (genvar q = 0; q < NumQueues; q++) begin : g_turn
    `TMA_ASSERT(QueueHasItsTurn, passed_q[q] < NumQueues)
  end
  for (genvar p = 0; p < NumPaths; p++) begin : g_path_turn
    `TMA_ASSERT(PathHasItsTurn, waited_q[p] < NumPaths)
  end
`endif
  for (genvar p = 0; p < NumPaths; p++) begin : g_cover
    `TMA_COVER(TurnWaitsForItsPath, turn[p] && (wants_i & ~request[p]) != '0)
  end

endmodule
