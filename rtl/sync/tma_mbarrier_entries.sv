// SPDX-License-Identifier: Apache-2.0
// What is known of the entries of a barrier unit beside their values.
//
// An entry is filled, is updated (dirty) and written back (clean), and goes: as a victim, when an
// external write takes its place, when engine writes cover it whole, or, half covered, when its other
// half is written back; also when what was written back is no mbarrier any more.
// All outputs are registers. Reset: all but `tag_o` and `alive_o`.

`include "tma_assert.svh"

module tma_mbarrier_entries
  import tma_pkg::*;
#(
  parameter int unsigned N    = 8,
  parameter bit          Step = 1'b0
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Filled, with the object of this address; or would be, but for what is known late
  input  logic [N-1:0]      fill_i,
  input  logic [N-1:0]      coming_i,
  input  bar_addr_t         fill_addr_i,
  input  logic              fill_alive_i,

  // Updated; by an operation that makes it an mbarrier, or ends it
  input  logic [N-1:0]      update_i,
  input  logic [N-1:0]      update_a_i,
  input  logic              update_alive_i,

  // Written back; it is no mbarrier
  input  logic [N-1:0]      written_i,
  input  logic              written_dead_i,

  // Taken away
  input  logic [N-1:0]      drop_victim_i,
  input  logic [N-1:0]      ext_drop_i,
  input  logic [N-1:0][1:0] wr_half_i,     // halves that an engine write covers
  input  logic [N-1:0]      keep_still_i,  // somebody waits for the write-back

  output logic [N-1:0]      valid_o,
  output logic [N-1:0]      dirty_o,
  output logic [N-1:0]      alive_o,       // the object is an mbarrier
  output logic [N-1:0]      still_o,       // no updates
  output logic [N-1:0][1:0] lost_o,        // halves that memory knows better; no updates either
  output bar_addr_t [N-1:0] tag_o
);

  // With `Step`, whoever waited for a fill has the time to use it.
  logic [N-1:0] filled_q;

  always_ff @(posedge clk_i) filled_q <= fill_i & {N{Step}};

  for (genvar e = 0; e < N; e++) begin : g_entry
    logic       dirty_now, gone;
    logic [1:0] lost;

    // A half overwritten after the other one was leaves nothing of the entry.
    assign lost      = lost_o[e] | wr_half_i[e];
    assign dirty_now = (dirty_o[e] && !written_i[e]) || update_i[e];
    assign gone      = drop_victim_i[e] || ext_drop_i[e] || lost == 2'b11 ||
                       (!dirty_now && (lost != '0 || (written_i[e] && written_dead_i)));

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_o[e] <= 1'b0;
        dirty_o[e] <= 1'b0;
        still_o[e] <= 1'b0;
        lost_o[e]  <= '0;
      end else begin
        valid_o[e] <= fill_i[e] || (valid_o[e] && !gone);
        dirty_o[e] <= dirty_now && !fill_i[e];
        still_o[e] <= keep_still_i[e] && valid_o[e] && !filled_q[e];
        lost_o[e]  <= valid_o[e] && !gone ? lost : '0;
      end
    end

    always_ff @(posedge clk_i) if (coming_i[e]) tag_o[e] <= fill_addr_i;

    always_ff @(posedge clk_i) begin
      if (coming_i[e])        alive_o[e] <= fill_alive_i;
      else if (update_a_i[e]) alive_o[e] <= update_alive_i;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  logic         fill_q;  // tags change when an entry is filled
  bar_addr_t    addr_q;
  logic [N-1:0] same;

  always_ff @(posedge clk_i) begin
    fill_q <= rst_ni && fill_i != '0;
    addr_q <= fill_addr_i;
  end

  for (genvar e = 0; e < N; e++) begin : g_same
    assign same[e] = valid_o[e] && tag_o[e] == addr_q;
  end

  `TMA_ASSERT(TagsAreDistinct, fill_q |-> $onehot0(same))
`endif

  `TMA_ASSERT(ComesIntoAnEmptyEntry, (coming_i & valid_o) == '0 && (fill_i & ~coming_i) == '0)
  `TMA_ASSERT(OverwrittenIsClean, (ext_drop_i & dirty_o) == '0)
  `TMA_ASSERT(OverwrittenIsStill, (ext_drop_i & ~still_o) == '0 && (ext_drop_i & update_i) == '0)

endmodule
