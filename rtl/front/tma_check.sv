// SPDX-License-Identifier: Apache-2.0
// Decides every rule that follows from a command alone, and names the first one that it breaks.
//
// One line per fault, in code order: the lowest code wins. Combinational; the result is registered
// by issue. Rules: rtl/spec/tma.toml, faults with where = "decode".

`include "tma_assert.svh"

module tma_check
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
(
  input  queue_t    qid_i,
  input  command_t  cmd_i,
  input  cta_t      cta_i,       // the queue's executing CTA
  input  cta_mask_t cta_mask_i,  // CTAs that it may touch
  output issue_t    issue_o
);

  localparam int unsigned CountMax = 2**CountWidth - 1;

  //////////////////////////
  // What the command has //
  //////////////////////////

  logic [7:0] opcode;
  logic is_load, is_store, is_shared, is_prefetch, is_copy;
  logic is_init, is_inval, is_expect, is_complete, is_arrive, is_test, is_try;
  logic multicast, has_src, has_dst, has_barrier, has_global, local_barrier;

  assign opcode      = cmd_i.opcode;
  assign is_load     = opcode == OpBulkLoad;
  assign is_store    = opcode == OpBulkStore;
  assign is_shared   = opcode == OpBulkShared;
  assign is_prefetch = opcode == OpBulkPrefetch;
  assign is_copy     = is_load || is_store || is_shared || is_prefetch;
  assign is_init     = opcode == OpMbarrierInit;
  assign is_inval    = opcode == OpMbarrierInval;
  assign is_expect   = opcode == OpMbarrierExpectTx;
  assign is_complete = opcode == OpMbarrierCompleteTx;
  assign is_arrive   = opcode == OpMbarrierArrive;
  assign is_test     = opcode == OpMbarrierTestWait;
  assign is_try      = opcode == OpMbarrierTryWait;

  assign multicast     = is_load && cmd_i.flags[FlagMulticast];
  assign has_src       = is_store || is_shared;
  assign has_dst       = is_load || is_shared;
  assign has_global    = is_load || is_store || is_prefetch;
  assign local_barrier = is_init || is_inval || is_test || is_try;
  assign has_barrier   = has_dst || local_barrier || is_expect || is_complete || is_arrive;

  //////////////////////
  // Shared addresses //
  //////////////////////

  logic [7:0]  src_rank, dst_rank, bar_rank, own_rank;
  logic        src_exists, dst_exists, bar_exists;
  logic [32:0] src_end, dst_end, bar_end;
  logic [15:0] touched;   // CTAs that the command reads, writes or signals

  assign own_rank = 8'(cta_i);
  assign src_rank = cmd_i.shared_src[31:24];
  assign dst_rank = cmd_i.shared_dst[31:24];
  assign bar_rank = cmd_i.barrier[31:24];

  assign src_exists = src_rank < 8'(NumCtas);
  assign dst_exists = dst_rank < 8'(NumCtas);
  assign bar_exists = bar_rank < 8'(NumCtas);

  assign src_end = 33'(cmd_i.shared_src[23:0]) + 33'(cmd_i.size);
  assign dst_end = 33'(cmd_i.shared_dst[23:0]) + 33'(cmd_i.size);
  assign bar_end = 33'(cmd_i.barrier[23:0]) + 33'd8;

  function automatic logic [15:0] bit_of(input logic on, input logic [3:0] rank);
    return on ? 16'(32'd1 << rank) : 16'd0;
  endfunction

  // Ranks that do not exist have their own, lower codes. The CTAs of a multicast are its mask's.
  assign touched = bit_of(has_src, src_rank[3:0]) |
                   (multicast ? cmd_i.cta_mask
                              : bit_of(has_dst, dst_rank[3:0]) |
                                bit_of(has_barrier, bar_rank[3:0]));

  ///////////
  // Rules //
  ///////////

  logic [511:0] used;
  logic [15:0]  denied;
  logic         count_bad, tx_bad, parity_bad;

  assign used   = used_bits(opcode, cmd_i.flags);
  assign denied = touched & ~16'(cta_mask_i);

  assign count_bad  = (is_init || is_arrive) &&
                      (cmd_i.count == '0 || cmd_i.count > 32'(CountMax) ||
                       (is_arrive && cmd_i.flags[FlagExpectTx] && cmd_i.count != 32'd1));
  assign tx_bad     = (is_expect || is_complete || (is_arrive && cmd_i.flags[FlagExpectTx])) &&
                      cmd_i.tx > 32'(CountMax);
  assign parity_bad = (is_test || is_try) && cmd_i.flags[FlagParity] && cmd_i.count > 32'd1;

  always_comb begin
    issue_o.qid        = qid_i;
    issue_o.cmd        = cmd_i;
    issue_o.fault      = FaultNone;
    issue_o.fault_addr = '0;

    if (cmd_i.version != CommandVersion) begin
      issue_o.fault      = FaultUnknownVersion;
      issue_o.fault_addr = cmd_i[63:0];
    end else if (!known_opcode(opcode)) begin
      issue_o.fault      = FaultUnknownOpcode;
      issue_o.fault_addr = cmd_i[63:0];
    end else if ((cmd_i & ~used) != '0) begin
      issue_o.fault      = FaultReservedBits;
      issue_o.fault_addr = cmd_i[63:0];
    end else if ((cmd_i.flags[FlagMulticast] && cmd_i.flags[FlagCtaLocal]) ||
                 (cmd_i.flags[FlagParity] && cmd_i.flags[FlagLastState]) ||
                 (cmd_i.flags[FlagExpectTx] && cmd_i.flags[FlagNoComplete])) begin
      issue_o.fault      = FaultFlagConflict;
      issue_o.fault_addr = cmd_i[63:0];
    end else if (is_copy && cmd_i.size[3:0] != '0) begin
      issue_o.fault      = FaultSizeGranule;
      issue_o.fault_addr = 64'(cmd_i.size);
    end else if (is_copy && cmd_i.size[31:SizeWidth] != '0) begin
      issue_o.fault      = FaultSizeRange;
      issue_o.fault_addr = 64'(cmd_i.size);
    end else if (count_bad) begin
      issue_o.fault      = FaultCountRange;
      issue_o.fault_addr = 64'(cmd_i.count);
    end else if (tx_bad) begin
      issue_o.fault      = FaultTxRange;
      issue_o.fault_addr = 64'(cmd_i.tx);
    end else if (parity_bad) begin
      issue_o.fault      = FaultParityRange;
      issue_o.fault_addr = 64'(cmd_i.count);
    end else if (has_global && cmd_i.global_address[3:0] != '0) begin
      issue_o.fault      = FaultGlobalMisaligned;
      issue_o.fault_addr = cmd_i.global_address;
    end else if (has_src && cmd_i.shared_src[3:0] != '0) begin
      issue_o.fault      = FaultSrcMisaligned;
      issue_o.fault_addr = 64'(cmd_i.shared_src);
    end else if (has_dst && cmd_i.shared_dst[3:0] != '0) begin
      issue_o.fault      = FaultDstMisaligned;
      issue_o.fault_addr = 64'(cmd_i.shared_dst);
    end else if (has_barrier && cmd_i.barrier[2:0] != '0) begin
      issue_o.fault      = FaultBarrierMisaligned;
      issue_o.fault_addr = 64'(cmd_i.barrier);
    end else if (has_src && (!src_exists || src_rank != own_rank)) begin
      issue_o.fault      = FaultSrcCta;
      issue_o.fault_addr = 64'(cmd_i.shared_src);
    end else if (has_dst && !dst_exists) begin
      issue_o.fault      = FaultDstCta;
      issue_o.fault_addr = 64'(cmd_i.shared_dst);
    end else if (is_load && cmd_i.flags[FlagCtaLocal] && dst_rank != own_rank) begin
      issue_o.fault      = FaultDstNotLocal;
      issue_o.fault_addr = 64'(cmd_i.shared_dst);
    end else if (is_shared && dst_rank == own_rank) begin
      issue_o.fault      = FaultDstLocal;
      issue_o.fault_addr = 64'(cmd_i.shared_dst);
    end else if (multicast && (17'(cmd_i.cta_mask) >> NumCtas) != '0) begin
      issue_o.fault      = FaultMaskCta;
      issue_o.fault_addr = 64'(cmd_i.cta_mask);
    end else if (has_barrier && (!bar_exists || (has_dst && !multicast && bar_rank != dst_rank))) begin
      issue_o.fault      = FaultBarrierCta;
      issue_o.fault_addr = 64'(cmd_i.barrier);
    end else if (local_barrier && bar_rank != own_rank) begin
      issue_o.fault      = FaultBarrierNotLocal;
      issue_o.fault_addr = 64'(cmd_i.barrier);
    end else if (denied != '0) begin
      issue_o.fault      = FaultCtaDenied;
      issue_o.fault_addr = 64'(denied);
    end else if (has_src && src_end > 33'(SmemBytes)) begin
      issue_o.fault      = FaultSrcRange;
      issue_o.fault_addr = 64'(cmd_i.shared_src);
    end else if (has_dst && dst_end > 33'(SmemBytes)) begin
      issue_o.fault      = FaultDstRange;
      issue_o.fault_addr = 64'(cmd_i.shared_dst);
    end else if (has_barrier && bar_end > 33'(SmemBytes)) begin
      issue_o.fault      = FaultBarrierRange;
      issue_o.fault_addr = 64'(cmd_i.barrier);
    end
  end

  assign issue_o.ctas = !has_barrier ? '0
                      : multicast    ? cmd_i.cta_mask[NumCtas-1:0]
                                     : cta_mask_t'(bit_of(1'b1, bar_rank[3:0]));

endmodule
