// SPDX-License-Identifier: Apache-2.0
// Decides every rule that follows from a command alone, and names the first one that it breaks.
//
// One line per fault, in code order: the lowest code wins, behind a failed fetch. Combinational;
// the result is registered by issue. Rules: rtl/spec/tma.toml, faults with where = "decode".

`include "tma_assert.svh"

module tma_check
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
(
  input  queue_t               qid_i,
  input  fetched_t             cmd_i,
  input  cta_t                 cta_i,          // the queue's executing CTA
  input  cta_mask_t            cta_mask_i,     // CTAs that it may touch
  input  logic [NumQueues-1:0] cancel_mask_i,  // queues that it may cancel
  output issue_t               issue_o
);

  localparam int unsigned CountMax = 2**CountWidth - 1;

  //////////////////////////
  // What the command has //
  //////////////////////////

  command_t   cmd;
  logic [7:0] opcode;
  logic is_load, is_store, is_shared, is_prefetch, is_bulk, is_cp, is_cp_arrive, is_cancel;
  logic is_init, is_inval, is_expect, is_complete, is_arrive, is_test, is_try;
  logic multicast, has_src, has_dst, has_barrier, has_global, copy_barrier, local_barrier;

  assign cmd          = cmd_i.cmd;
  assign opcode       = cmd.opcode;
  assign is_load      = opcode == OpBulkLoad;
  assign is_store     = opcode == OpBulkStore || opcode == OpMultimemBulkStore;
  assign is_shared    = opcode == OpBulkShared;
  assign is_prefetch  = opcode == OpBulkPrefetch;
  assign is_bulk      = is_load || is_store || is_shared || is_prefetch;
  assign is_cp        = opcode == OpCpAsync;
  assign is_cp_arrive = opcode == OpCpAsyncMbarrierArrive;
  assign is_cancel    = opcode == OpCancel;
  assign is_init      = opcode == OpMbarrierInit;
  assign is_inval     = opcode == OpMbarrierInval;
  assign is_expect    = opcode == OpMbarrierExpectTx;
  assign is_complete  = opcode == OpMbarrierCompleteTx;
  assign is_arrive    = opcode == OpMbarrierArrive;
  assign is_test      = opcode == OpMbarrierTestWait;
  assign is_try       = opcode == OpMbarrierTryWait;

  assign multicast     = is_load && cmd.flags[FlagMulticast];
  assign has_src       = is_store || is_shared;
  assign has_dst       = is_load || is_shared || is_cp;
  assign has_global    = is_load || is_store || is_prefetch || is_cp;
  assign copy_barrier  = is_load || is_shared;
  assign local_barrier = is_init || is_inval || is_test || is_try || is_cp_arrive;
  assign has_barrier   = copy_barrier || local_barrier || is_expect || is_complete || is_arrive;

  //////////////////////
  // Shared addresses //
  //////////////////////

  logic [7:0]  src_rank, dst_rank, bar_rank, own_rank;
  logic        src_exists, dst_exists, bar_exists;
  logic [32:0] src_end, dst_end, bar_end;
  logic [15:0] touched;   // CTAs that the command reads, writes or signals

  assign own_rank = 8'(cta_i);
  assign src_rank = cmd.shared_src[31:24];
  assign dst_rank = cmd.shared_dst[31:24];
  assign bar_rank = cmd.barrier[31:24];

  assign src_exists = src_rank < 8'(NumCtas);
  assign dst_exists = dst_rank < 8'(NumCtas);
  assign bar_exists = bar_rank < 8'(NumCtas);

  assign src_end = 33'(cmd.shared_src[23:0]) + 33'(cmd.size);
  assign dst_end = 33'(cmd.shared_dst[23:0]) + 33'(cmd.size);
  assign bar_end = 33'(cmd.barrier[23:0]) + 33'd8;

  function automatic logic [15:0] bit_of(input logic on, input logic [3:0] rank);
    return on ? 16'(32'd1 << rank) : 16'd0;
  endfunction

  // Ranks that do not exist have their own, lower codes. The CTAs of a multicast are its mask's.
  assign touched = bit_of(has_src, src_rank[3:0]) |
                   (multicast ? cmd.cta_mask
                              : bit_of(has_dst, dst_rank[3:0]) |
                                bit_of(has_barrier, bar_rank[3:0]));

  ///////////
  // Rules //
  ///////////

  logic [511:0] used;
  logic [15:0]  denied;
  logic         flags_bad, count_bad, tx_bad, parity_bad, cp_size_bad, src_size_bad, cancel_bad;
  logic [3:0]   grain;   // address bits that must be zero

  assign used   = used_bits(opcode, cmd.flags);
  assign denied = touched & ~16'(cta_mask_i);

  assign flags_bad    = (cmd.flags[FlagMulticast] && cmd.flags[FlagCtaLocal]) ||
                        (cmd.flags[FlagParity] && cmd.flags[FlagLastState]) ||
                        (cmd.flags[FlagExpectTx] && cmd.flags[FlagNoComplete]) ||
                        (cmd.flags[FlagSrcSize] && cmd.flags[FlagIgnoreSrc]);
  assign count_bad    = (is_init || is_arrive) &&
                        (cmd.count == '0 || cmd.count > 32'(CountMax) ||
                         (is_arrive && cmd.flags[FlagExpectTx] && cmd.count != 32'd1));
  assign tx_bad       = (is_expect || is_complete || (is_arrive && cmd.flags[FlagExpectTx])) &&
                        cmd.tx > 32'(CountMax);
  assign parity_bad   = (is_test || is_try) && cmd.flags[FlagParity] && cmd.count > 32'd1;
  assign cp_size_bad  = is_cp && cmd.size != 32'd16 &&
                        ((cmd.size != 32'd4 && cmd.size != 32'd8) || cmd.flags[FlagCg]);
  assign src_size_bad = is_cp && cmd.flags[FlagSrcSize] && cmd.count > cmd.size;
  assign cancel_bad   = is_cancel && (cmd.count >= 32'(NumQueues) ||
                                      !cancel_mask_i[cmd.count[QueueWidth-1:0]]);

  // A cp-size has passed its own rule when this counts.
  assign grain = is_cp ? {cmd.size[4], cmd.size[4] || cmd.size[3], 2'b11} : 4'b1111;

  function automatic fault_e fetch_fault(input fetch_e fetch);
    case (fetch)
      FetchWindow: return FaultCommandWindow;
      FetchSlverr: return FaultCommandSlverr;
      FetchDecerr: return FaultCommandDecerr;
      default:     return FaultPortDead;
    endcase
  endfunction

  always_comb begin
    issue_o.qid        = qid_i;
    issue_o.cmd        = cmd;
    issue_o.fault      = FaultNone;
    issue_o.fault_addr = '0;

    if (cmd_i.fetch != FetchOk) begin
      issue_o.fault      = fetch_fault(cmd_i.fetch);
      issue_o.fault_addr = cmd[63:0];
    end else if (cmd.version != CommandVersion) begin
      issue_o.fault      = FaultUnknownVersion;
      issue_o.fault_addr = cmd[63:0];
    end else if (!known_opcode(opcode)) begin
      issue_o.fault      = FaultUnknownOpcode;
      issue_o.fault_addr = cmd[63:0];
    end else if ((cmd & ~used) != '0) begin
      issue_o.fault      = FaultReservedBits;
      issue_o.fault_addr = cmd[63:0];
    end else if (flags_bad) begin
      issue_o.fault      = FaultFlagConflict;
      issue_o.fault_addr = cmd[63:0];
    end else if (is_bulk && cmd.size[3:0] != '0) begin
      issue_o.fault      = FaultSizeGranule;
      issue_o.fault_addr = 64'(cmd.size);
    end else if (is_bulk && cmd.size[31:SizeWidth] != '0) begin
      issue_o.fault      = FaultSizeRange;
      issue_o.fault_addr = 64'(cmd.size);
    end else if (count_bad) begin
      issue_o.fault      = FaultCountRange;
      issue_o.fault_addr = 64'(cmd.count);
    end else if (tx_bad) begin
      issue_o.fault      = FaultTxRange;
      issue_o.fault_addr = 64'(cmd.tx);
    end else if (parity_bad) begin
      issue_o.fault      = FaultParityRange;
      issue_o.fault_addr = 64'(cmd.count);
    end else if (cp_size_bad) begin
      issue_o.fault      = FaultCpSize;
      issue_o.fault_addr = 64'(cmd.size);
    end else if (src_size_bad) begin
      issue_o.fault      = FaultSrcSizeRange;
      issue_o.fault_addr = 64'(cmd.count);
    end else if (is_cp && cmd.mode[7:2] != '0) begin
      issue_o.fault      = FaultPrefetchSizeRange;
      issue_o.fault_addr = 64'(cmd.mode);
    end else if (has_global && (cmd.global_address[3:0] & grain) != '0) begin
      issue_o.fault      = FaultGlobalMisaligned;
      issue_o.fault_addr = cmd.global_address;
    end else if (has_src && cmd.shared_src[3:0] != '0) begin
      issue_o.fault      = FaultSrcMisaligned;
      issue_o.fault_addr = 64'(cmd.shared_src);
    end else if (has_dst && (cmd.shared_dst[3:0] & grain) != '0) begin
      issue_o.fault      = FaultDstMisaligned;
      issue_o.fault_addr = 64'(cmd.shared_dst);
    end else if (has_barrier && cmd.barrier[2:0] != '0) begin
      issue_o.fault      = FaultBarrierMisaligned;
      issue_o.fault_addr = 64'(cmd.barrier);
    end else if (has_src && (!src_exists || src_rank != own_rank)) begin
      issue_o.fault      = FaultSrcCta;
      issue_o.fault_addr = 64'(cmd.shared_src);
    end else if (has_dst && !dst_exists) begin
      issue_o.fault      = FaultDstCta;
      issue_o.fault_addr = 64'(cmd.shared_dst);
    end else if (((is_load && cmd.flags[FlagCtaLocal]) || is_cp) && dst_rank != own_rank) begin
      issue_o.fault      = FaultDstNotLocal;
      issue_o.fault_addr = 64'(cmd.shared_dst);
    end else if (is_shared && dst_rank == own_rank) begin
      issue_o.fault      = FaultDstLocal;
      issue_o.fault_addr = 64'(cmd.shared_dst);
    end else if (multicast && (17'(cmd.cta_mask) >> NumCtas) != '0) begin
      issue_o.fault      = FaultMaskCta;
      issue_o.fault_addr = 64'(cmd.cta_mask);
    end else if (has_barrier && (!bar_exists || (copy_barrier && !multicast && bar_rank != dst_rank))) begin
      issue_o.fault      = FaultBarrierCta;
      issue_o.fault_addr = 64'(cmd.barrier);
    end else if (local_barrier && bar_rank != own_rank) begin
      issue_o.fault      = FaultBarrierNotLocal;
      issue_o.fault_addr = 64'(cmd.barrier);
    end else if (denied != '0) begin
      issue_o.fault      = FaultCtaDenied;
      issue_o.fault_addr = 64'(denied);
    end else if (has_src && src_end > 33'(SmemBytes)) begin
      issue_o.fault      = FaultSrcRange;
      issue_o.fault_addr = 64'(cmd.shared_src);
    end else if (has_dst && dst_end > 33'(SmemBytes)) begin
      issue_o.fault      = FaultDstRange;
      issue_o.fault_addr = 64'(cmd.shared_dst);
    end else if (has_barrier && bar_end > 33'(SmemBytes)) begin
      issue_o.fault      = FaultBarrierRange;
      issue_o.fault_addr = 64'(cmd.barrier);
    end else if (cancel_bad) begin
      issue_o.fault      = FaultCancelDenied;
      issue_o.fault_addr = 64'(cmd.count);
    end
  end

  ///////////////////////////////
  // What it asks of a barrier //
  ///////////////////////////////

  assign issue_o.ctas = !has_barrier ? '0
                      : multicast    ? cmd.cta_mask[NumCtas-1:0]
                                     : cta_mask_t'(bit_of(1'b1, bar_rank[3:0]));

  // A copy signals when it is done, one of no bytes at once.
  always_comb begin
    case (opcode)
      OpMbarrierInit:                        issue_o.bar_op = BarInit;
      OpMbarrierInval:                       issue_o.bar_op = BarInval;
      OpMbarrierExpectTx:                    issue_o.bar_op = BarExpect;
      OpMbarrierCompleteTx:                  issue_o.bar_op = BarComplete;
      OpMbarrierArrive:                      issue_o.bar_op = BarArrive;
      OpMbarrierTestWait, OpMbarrierTryWait: issue_o.bar_op = BarTest;
      OpCpAsyncMbarrierArrive: issue_o.bar_op = cmd.flags[FlagNoinc] ? BarCheck : BarPend;
      default:                 issue_o.bar_op = cmd.size == '0 ? BarComplete : BarCheck;
    endcase
  end

endmodule
