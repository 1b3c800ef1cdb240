// SPDX-License-Identifier: Apache-2.0
// Two readers of shared memory at one read port, by turns: stores, and the source of reductions.
//
// A read that is on offer stays on offer until it is taken. Data of a read comes in the cycle after its handshake,
// and both readers see it: each takes its own.
//
// One read per cycle; no latency. `rd_valid_o` and `rd_rows_o` depend on the readers' offers. With Short whose turn it is
// is in a register: a cycle passes before a reader whose turn it is not goes alone. Without reductions all is wires.
// Reset: the turn.

`include "tma_assert.svh"

module tma_smem_turns
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic [1:0]       valid_i,
  output logic [1:0]       ready_o,
  input  cta_t [1:0]       cta_i,
  input  bank_rows_t [1:0] rows_i,

  output logic             rd_valid_o,
  input  logic             rd_ready_i,
  output cta_t             rd_cta_o,
  output bank_rows_t       rd_rows_o
);

  logic pick;

  assign rd_valid_o = Short ? valid_i[pick] : valid_i != '0;
  assign rd_cta_o   = cta_i[pick];
  assign rd_rows_o  = rows_i[pick];
  assign ready_o    = {rd_ready_i && pick, rd_ready_i && !pick};

  if (Reduces && Short) begin : g_short
    logic pick_q;

    assign pick = pick_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                                                   pick_q <= 1'b0;
      else if (valid_i[!pick_q] && (!valid_i[pick_q] || rd_ready_i)) pick_q <= !pick_q;
    end

    `TMA_COVER(BothWant, valid_i == '1 && rd_ready_i)
    `TMA_COVER(Waits, rd_valid_o && !rd_ready_i)
  end else if (Reduces) begin : g_turns
    logic pick_q, held_q;  // held: it was not taken

    assign pick = held_q ? pick_q : valid_i[1] && (!valid_i[0] || !pick_q);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        pick_q <= 1'b0;
        held_q <= 1'b0;
      end else if (rd_valid_o) begin
        pick_q <= pick;
        held_q <= !rd_ready_i;
      end
    end

    `TMA_ASSERT(HeldIsThere, held_q |-> valid_i[pick_q])
    `TMA_COVER(BothWant, valid_i == '1 && rd_ready_i)
    `TMA_COVER(Waits, rd_valid_o && !rd_ready_i)
  end else begin : g_stores
    logic unused_clock;

    assign pick         = 1'b0;
    assign unused_clock = clk_i && rst_ni;
  end

endmodule
