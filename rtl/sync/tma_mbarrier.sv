// SPDX-License-Identifier: Apache-2.0
// The mbarriers of one CTA: a few are resident in entries here, the others lie in shared memory.
//
// Throughput: one operation of port A and one signal of port B per cycle. On the same barrier B
// comes first: A works on the result of a complete_tx, and waits a cycle for an arrival. A barrier
// that is not resident costs three cycles. With `Step`, a port finds its entry the cycle before it
// works on it, so another barrier than that of the cycle before costs one cycle, and the answer of A
// takes one more; A waits for B. BarCheck waits for no one: all it asks is kept beside the tags, and its
// answer is the fault alone; with `Step` it takes two cycles.
//
//   A, B ---> match ---> values ---> answer, ALU ---> values ---> write-back ---> shared memory
//               ^                                      |  ^------ fill <---------
//   accesses ---+ snoop                                +--> external reads
//
// Memory and entries stay coherent:
//  * an engine read of a dirty barrier waits until it is written back; meanwhile it is kept still;
//  * an engine write is never held up. It drops an entry that it covers whole; of one that it covers
//    half, the other half is written back first (`lost`: halves that memory knows better);
//  * an external write waits until the entry is filled and written back, and drops it;
//  * an external read takes dirty words from the entry, in the cycle in which memory answers.
// Dirty entries are written back in idle cycles, and demanded only for the above and for evictions.
// Combinational: port A and B requests to their ready and response, snooped addresses to stalls. Reset: control only.

`include "tma_assert.svh"

module tma_mbarrier
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter int unsigned Entries = NumBarriers,
  parameter bit          Step    = ShortPaths
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Port A: any operation
  input  logic                 bar_a_valid_i,
  output logic                 bar_a_ready_o,
  input  logic                 bar_a_again_i,    // the request is that of the cycle before
  input  bar_req_t             bar_a_req_i,
  input  logic                 bar_a_commit_i,
  output bar_rsp_t             bar_a_rsp_o,

  // Port B: complete_tx of a finished copy, or one arrival
  input  logic                 bar_b_valid_i,
  output logic                 bar_b_ready_o,
  input  bar_addr_t            bar_b_addr_i,
  input  logic                 bar_b_arrive_i,
  input  logic [SizeWidth-1:0] bar_b_tx_i,       // 0 with an arrival
  output logic [15:0]          bar_b_fault_o,

  output logic                 bar_update_o,     // phase changed, initialised or invalidated

  // Engine write of this cycle
  input  logic                 wr_go_i,
  input  bank_rows_t           wr_rows_i,
  input  strb_t                wr_be_i,

  // Engine reads
  input  logic [1:0]           rd_valid_i,
  input  logic [1:0]           rd_ready_i,
  input  bank_rows_t [1:0]     rd_rows_i,
  output logic [1:0]           rd_stall_o,

  // External port
  input  logic                 ext_valid_i,
  input  logic                 ext_ready_i,
  input  logic                 ext_write_i,
  input  chunk_addr_t          ext_addr_i,
  input  logic [15:0]          ext_strb_i,
  output logic                 ext_stall_o,
  output logic [15:0]          ext_override_o,   // bytes of the read before that are ours
  output logic [127:0]         ext_data_o,

  // Write-back
  output logic                 wb_valid_o,
  output logic                 wb_demand_o,
  input  logic                 wb_ready_i,
  output bar_addr_t            wb_addr_o,
  output logic [7:0]           wb_be_o,
  output logic [63:0]          wb_data_o,

  // Fill
  output logic                 fill_valid_o,
  input  logic                 fill_ready_i,
  output bar_addr_t            fill_addr_o,
  input  logic [63:0]          fill_data_i       // next cycle
);

  typedef logic [Entries-1:0]         mask_t;
  typedef logic [$clog2(Entries)-1:0] index_t;

  mask_t                   valid_q, dirty_q, alive_q, still_q;
  logic [Entries-1:0][1:0] lost_q;
  bar_addr_t [Entries-1:0] tag_q;

  function automatic index_t index_of(input mask_t one_hot);
    index_of = '0;
    for (int unsigned e = 0; e < Entries; e++) if (one_hot[e]) index_of |= index_t'(e);
  endfunction

  ///////////
  // Match //
  ///////////

  mask_t victim, evict, drop_victim, fill;
  mask_t held, a_match, b_match, incoming;
  logic  filling, fill_written;

  always_comb begin
    for (int unsigned e = 0; e < Entries; e++) begin
      held[e]    = still_q[e] || lost_q[e] != '0 || evict[e];
      a_match[e] = valid_q[e] && tag_q[e] == bar_a_req_i.addr;
      b_match[e] = valid_q[e] && tag_q[e] == bar_b_addr_i;
    end
  end

  assign incoming = victim & {Entries{filling}};

  mask_t  a_found, b_found, a_entry, b_entry;
  index_t a_index, b_index, a_look, b_look;

  tma_mbarrier_find #(.N(Entries), .Step(Step)) u_find_a (
    .clk_i, .rst_ni, .valid_i(bar_a_valid_i), .match_i(a_match),
    .incoming_i(incoming & {Entries{fill_addr_o == bar_a_req_i.addr}}), .spoiled_i(fill_written),
    .found_o(a_found), .entry_o(a_entry), .index_o(a_index), .look_o(a_look)
  );

  tma_mbarrier_find #(.N(Entries), .Step(Step)) u_find_b (
    .clk_i, .rst_ni, .valid_i(bar_b_valid_i), .match_i(b_match),
    .incoming_i(incoming & {Entries{fill_addr_o == bar_b_addr_i}}), .spoiled_i(fill_written),
    .found_o(b_found), .entry_o(b_entry), .index_o(b_index), .look_o(b_look)
  );

  ////////////////
  // Operations //
  ////////////////

  barrier_t b_old, b_new, a_old, a_new;
  fault_e   b_fault;
  logic     b_ends, a_flip, same, b_write, a_write, unused_phase;
  mask_t    a_entry_now, update;
  logic [CountWidth-1:0] unused_pending;

  // With `Step`, addresses need not be compared again: what was found a cycle ago is still there, or is
  // valid no more.
  assign a_entry_now = Step ? a_found & valid_q : a_match;
  assign same        = bar_b_valid_i && (a_found & b_found) != '0 &&
                       (Step || bar_a_req_i.addr == bar_b_addr_i);

  assign bar_b_ready_o = (b_entry & ~held) != '0;

  tma_mbarrier_alu #(.WithFirst(1'b0)) u_alu_b (
    .bar_i(b_old), .first_i(1'b0), .first_tx_i('0),
    .op_i(bar_b_arrive_i ? BarArrive : BarComplete), .count_i(CountWidth'(1)), .tx_i(bar_b_tx_i),
    .drop_i(1'b0), .no_complete_i(1'b0),
    .pending_o(unused_pending), .phase_o(unused_phase),
    .bar_o(b_new), .ends_o(b_ends), .fault_o(b_fault)
  );

  // The data of a fill takes A's way into the values.
  tma_mbarrier_answer #(.Step(Step)) u_answer_a (
    .clk_i, .rst_ni, .valid_i(bar_a_valid_i), .again_i(bar_a_again_i),
    .req_i(bar_a_req_i), .commit_i(bar_a_commit_i),
    .usable_i((a_entry & ~held) != '0), .old_i(a_old),
    .present_i((a_entry_now & ~held) != '0), .alive_i((a_entry_now & alive_q) != '0),
    .same_i(same), .filling_i(filling), .b_arrive_i(bar_b_arrive_i), .b_tx_i(bar_b_tx_i),
    .ready_o(bar_a_ready_o), .rsp_o(bar_a_rsp_o), .new_o(a_new), .write_o(a_write), .flip_o(a_flip)
  );

  assign b_write = bar_b_valid_i && bar_b_ready_o && b_fault == FaultNone;
  assign update  = ({Entries{b_write}} & b_match) | ({Entries{a_write}} & a_match);

  assign bar_b_fault_o = b_fault == FaultNone             ? FaultNone :
                         b_fault == FaultBarrierDead      ? FaultSignalBarrierDead :
                         b_fault == FaultPendingUnderflow ? FaultSignalPendingUnderflow
                                                          : FaultSignalTxCountRange;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) bar_update_o <= 1'b0;
    else         bar_update_o <= (b_write && b_ends) ||
                                 a_flip || (a_write && (bar_a_req_i.op == BarInit ||
                                                        bar_a_req_i.op == BarInval));
  end

  ////////////
  // Values //
  ////////////

  index_t [1:0] ext_entry;
  index_t       wb_index;
  barrier_t     wb_value;

  tma_mbarrier_values #(.Entries(Entries), .Reads(5), .Late(Step ? 2 : 0)) u_values (
    .clk_i, .rst_ni,
    .we_i({b_write, a_write || filling}),
    .windex_i({b_index, filling ? index_of(victim) : a_index}),
    .wdata_i({b_new, filling ? fill_data_i : a_new}),
    .rindex_i({ext_entry, wb_index, b_look, a_look}),
    .rdata_o({ext_data_o, wb_value, b_old, a_old})
  );

  ///////////
  // Snoop //
  ///////////

  logic [Entries-1:0][1:0] wr_half;
  mask_t                   ext_match, ext_drop, keep_still;

  tma_mbarrier_snoop #(.N(Entries)) u_snoop (
    .valid_i(valid_q), .dirty_i(dirty_q), .still_i(still_q), .bars_i(tag_q),
    .fill_addr_i(fill_addr_o), .fill_busy_i(fill_valid_o || filling),
    .wr_go_i, .wr_rows_i, .wr_be_i, .wr_half_o(wr_half),
    .rd_valid_i, .rd_ready_i, .rd_rows_i, .rd_stall_o,
    .ext_write_i(ext_valid_i && ext_write_i), .ext_ready_i, .ext_addr_i, .ext_strb_i,
    .ext_match_o(ext_match), .ext_stall_o, .ext_drop_o(ext_drop),
    .keep_still_o(keep_still), .fill_written_o(fill_written)
  );

  ////////////////////
  // External reads //
  ////////////////////

  mask_t upper;

  for (genvar e = 0; e < Entries; e++) begin : g_upper
    assign upper[e] = tag_q[e][0];
  end

  tma_mbarrier_peek #(.N(Entries)) u_peek (
    .clk_i, .match_i(ext_match), .dirty_i(dirty_q), .upper_i(upper), .lost_i(lost_q),
    .entry_o(ext_entry), .override_o(ext_override_o)
  );

  ////////////////
  // Write-back //
  ////////////////

  mask_t wb_now;

  tma_mbarrier_clean #(.N(Entries)) u_clean (
    .clk_i, .rst_ni, .dirty_i(valid_q & dirty_q), .held_i(held),
    .valid_o(wb_valid_o), .ready_i(wb_ready_i), .demand_o(wb_demand_o), .index_o(wb_index),
    .written_o(wb_now)
  );

  assign wb_addr_o = tag_q[wb_index];
  assign wb_data_o = wb_value;
  assign wb_be_o   = ~{{4{lost_q[wb_index][1]}}, {4{lost_q[wb_index][0]}}};

  //////////
  // Fill //
  //////////

  mask_t a_hit, b_hit;

  // With `Step`, A's address keeps an entry from becoming a victim without a request, which is known late.
  assign a_hit = {Entries{bar_a_valid_i}} & a_match;
  assign b_hit = {Entries{bar_b_valid_i}} & b_match;

  tma_mbarrier_fill #(.N(Entries), .Step(Step)) u_fill (
    .clk_i, .rst_ni,
    .miss_a_i(bar_a_valid_i && a_match == '0), .addr_a_i(bar_a_req_i.addr),
    .miss_b_i(bar_b_valid_i && b_match == '0), .addr_b_i(bar_b_addr_i),
    .hit_i(a_hit | b_hit), .keep_i(b_hit | (Step ? a_match : a_hit)), .use_i((a_hit | b_hit) & ~held), .valid_i(valid_q), .dirty_i(dirty_q),
    .victim_o(victim), .evict_o(evict), .drop_o(drop_victim), .filling_o(filling), .fill_o(fill),
    .addr_o(fill_addr_o), .written_i(fill_written),
    .read_valid_o(fill_valid_o), .read_ready_i(fill_ready_i)
  );

  /////////////
  // Entries //
  /////////////

  tma_mbarrier_entries #(.N(Entries), .Step(Step)) u_entries (
    .clk_i, .rst_ni,
    .fill_i(fill), .coming_i(incoming), .fill_addr_i(fill_addr_o), .fill_alive_i(fill_data_i[63:62] == BarrierAlive),
    .update_i(update), .update_a_i(a_match & {Entries{a_write}}),
    .update_alive_i(bar_a_req_i.op != BarInval),
    .written_i(wb_now), .written_dead_i(wb_value.live != BarrierAlive),
    .drop_victim_i(drop_victim), .ext_drop_i(ext_drop), .wr_half_i(wr_half),
    .keep_still_i(keep_still), .valid_o(valid_q), .dirty_o(dirty_q), .alive_o(alive_q),
    .still_o(still_q), .lost_o(lost_q), .tag_o(tag_q)
  );

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(MatchAIsOneHot, $onehot0(a_match))
  `TMA_ASSERT(MatchBIsOneHot, $onehot0(b_match))
  `TMA_ASSERT(HeldEntryIsNotUpdated, (update & held) == '0)
  `TMA_ASSERT(ArrivalHasNoBytes, bar_b_valid_i && bar_b_arrive_i |-> bar_b_tx_i == '0)
  `TMA_ASSERT(LostEntryIsWritten, wb_valid_o |-> wb_be_o != '0)
  `TMA_COVER(SameButArrival, bar_a_valid_i && same && bar_b_arrive_i && bar_b_ready_o)
  `TMA_COVER(HalfOverwritten, lost_q != '0)
  `TMA_COVER(UpdatedWhileWritten, (update & wb_now) != '0)

endmodule
