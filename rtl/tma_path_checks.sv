// SPDX-License-Identifier: Apache-2.0
// Simulation only: what the paths promise each other. No byte is signalled before it is written, none is
// written that is not signalled, and commands keep to the CTAs of their queue.

`include "tma_assert.svh"

module tma_path_checks
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_path_pkg::*;
(
  input logic                       clk_i,
  input logic                       rst_ni,
  input queue_cfg_t [NumQueues-1:0] cfg_i,
  input path_cmd_t                  path_i,
  input logic                       load_ready_i,
  input logic                       prefetch_ready_i,
  input logic                       store_ready_i,
  input logic                       reduce_ready_i,
  input logic                       shared_ready_i,
  input logic                       idle_i,
  input logic                       failed_i,          // a fault is on offer

  // Writes and signals of loads, of copies between CTAs
  input logic                       load_wr_valid_i,
  input logic                       load_wr_ready_i,
  input smem_write_t                load_wr_i,
  input logic                       copy_wr_valid_i,
  input logic                       copy_wr_ready_i,
  input smem_write_t                copy_wr_i,
  input logic                       load_sig_valid_i,
  input logic                       load_sig_ready_i,
  input signal_t                    load_sig_i,
  input logic                       copy_sig_valid_i,
  input logic                       copy_sig_ready_i,
  input signal_t                    copy_sig_i
);

  // What was written and is not signalled yet, in bytes. A chunk counts whole, however little of it
  // a write has: padding is signalled and never written. Copies that fail signal nothing; what is
  // left of them is forgotten when nothing is on its way.
  function automatic int members(input cta_mask_t ctas);
    members = 0;
    for (int unsigned c = 0; c < NumCtas; c++) members += ctas[c] ? 1 : 0;
  endfunction

  function automatic int written(input strb_t be, input cta_mask_t ctas);
    written = 0;
    for (int unsigned b = 0; b < Chunks; b++) written += be[16*b +: 16] != '0 ? 16 : 0;
    return written * members(ctas);
  endfunction

  int load_left_q, copy_left_q, load_left, copy_left, load_tx, copy_tx;

  assign load_left = load_left_q +
                     (load_wr_valid_i && load_wr_ready_i ? written(load_wr_i.be, load_wr_i.ctas) : 0);
  assign copy_left = copy_left_q +
                     (copy_wr_valid_i && copy_wr_ready_i ? written(copy_wr_i.be, copy_wr_i.ctas) : 0);
  assign load_tx   = int'(load_sig_i.bytes) * (members(load_sig_i.ctas) + members(load_sig_i.again));
  assign copy_tx   = int'(copy_sig_i.bytes) * (members(copy_sig_i.ctas) + members(copy_sig_i.again));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || idle_i) begin
      load_left_q <= 0;
      copy_left_q <= 0;
    end else begin
      load_left_q <= load_left - (load_sig_valid_i && load_sig_ready_i ? load_tx : 0);
      copy_left_q <= copy_left - (copy_sig_valid_i && copy_sig_ready_i ? copy_tx : 0);
    end
  end

  // A signal is offered with the last write at the earliest, that of a shared copy behind it.
  `TMA_ASSERT(LoadIsWritten, load_sig_valid_i |-> load_left >= load_tx)
  `TMA_ASSERT(CopyIsWritten, copy_sig_valid_i |-> copy_left_q >= copy_tx)

  // Nor is more written than is signalled, where nothing has failed since all was at rest. A chunk of a
  // padded type may be written in two parts, and would count twice.
  logic failed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || idle_i) failed_q <= 1'b0;
    else                   failed_q <= failed_q || failed_i;
  end

  `TMA_ASSERT(NoMoreIsWritten, idle_i && !failed_q |-> (Packed || load_left_q == 0) && copy_left_q == 0)

  // The front end sends no more than there is room for.
  `TMA_ASSERT(LoadHasRoom, path_i.load_valid |-> load_ready_i)
  `TMA_ASSERT(PrefetchHasRoom, path_i.prefetch_valid |-> prefetch_ready_i)
  `TMA_ASSERT(StoreHasRoom, path_i.store_valid |-> store_ready_i)
  `TMA_ASSERT(ReductionHasRoom, path_i.reduce_valid |-> reduce_ready_i)
  `TMA_ASSERT(SharedHasRoom, path_i.shared_valid |-> shared_ready_i)

  `TMA_ASSERT(LoadKeepsToItsCtas, path_i.load_valid && path_i.load.client == ClientLoad |->
      ((path_i.load.dst | path_i.load.signal.ctas | path_i.load.signal.again) &
       ~cfg_i[path_i.load.signal.origin.qid].cta_mask) == '0)
  `TMA_ASSERT(CpKeepsToItsCta, path_i.load_valid && path_i.load.client == ClientCp |->
      path_i.load.signal.ctas == cta_mask_t'(1) << cfg_i[path_i.load.signal.origin.qid].cta)
  `TMA_ASSERT(StoreReadsItsCta, path_i.store_valid |-> path_i.store.cta == cfg_i[path_i.store.origin.qid].cta)
  `TMA_ASSERT(CopyKeepsToItsCtas, path_i.shared_valid |->
      path_i.shared.src_cta == cfg_i[path_i.shared.signal.origin.qid].cta &&
      (path_i.shared.signal.ctas & ~cfg_i[path_i.shared.signal.origin.qid].cta_mask) == '0)

endmodule
