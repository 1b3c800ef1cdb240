// SPDX-License-Identifier: Apache-2.0
// Decides every rule that follows from a command alone, and names the first one that it breaks.
//
// The lowest code wins, behind a failed fetch; one line per fault, in that order. The result is
// registered by issue. Rules: rtl/spec/tma.toml, faults with where = "decode".
//
//   cmd_i --> rules by kind --> tma_check_stage --> tma_check_verdict --> issue_o
//
// Latency: none; Short: a cycle. Reset: control only.

module tma_check
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
#(
  parameter bit Short = ShortPaths  // paths of few gates, for cycles
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Commands that are dropped
  input  logic [NumQueues-1:0] live_i,         // of all other queues
  input  logic                 flush_i,
  input  queue_t               flush_queue_i,

  // Picked command and its queue
  input  logic                 valid_i,
  output logic                 ready_o,
  input  queue_t               qid_i,
  input  fetched_t             cmd_i,
  input  cta_t                 cta_i,          // the queue's executing CTA
  input  cta_mask_t            cta_mask_i,     // CTAs that it may touch
  input  logic [NumQueues-1:0] cancel_mask_i,  // queues that it may cancel

  // To issue
  output logic                 valid_o,
  input  logic                 ready_i,
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
  logic is_tload, is_tstore, map_odd, mode_bad, dim_bad, unused_bad, pair;
  logic is_greduce, is_sreduce, unbuilt, op_bad;
  logic [15:0] signalled, again;   // by a multicast

  assign cmd          = cmd_i.cmd;
  assign opcode       = cmd.opcode;
  assign is_load      = opcode == OpBulkLoad;
  assign is_store     = opcode == OpBulkStore || opcode == OpMultimemBulkStore || is_greduce;
  assign is_shared    = opcode == OpBulkShared || is_sreduce;
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

  tma_check_tensor u_tensor (
    .cmd_i(cmd), .load_o(is_tload), .store_o(is_tstore), .map_odd_o(map_odd), .mode_bad_o(mode_bad),
    .dim_bad_o(dim_bad), .unused_bad_o(unused_bad), .pair_o(pair), .ctas_o(signalled),
    .again_o(again)
  );

  tma_check_reduce u_reduce (
    .cmd_i(cmd), .unbuilt_o(unbuilt), .store_o(is_greduce), .shared_o(is_sreduce), .op_bad_o(op_bad)
  );

  assign multicast     = (is_load || is_tload) && cmd.flags[FlagMulticast];
  assign has_src       = is_store || is_shared || is_tstore;
  assign has_dst       = is_load || is_shared || is_cp || is_tload;
  assign has_global    = is_load || is_store || is_prefetch || is_cp;
  assign copy_barrier  = is_load || is_shared || is_tload;
  assign local_barrier = is_init || is_inval || is_test || is_try || is_cp_arrive;
  assign has_barrier   = copy_barrier || local_barrier || is_expect || is_complete || is_arrive;

  //////////////////////
  // Shared addresses //
  //////////////////////

  logic [7:0]  src_rank, dst_rank, bar_rank, own_rank;
  logic        src_exists, dst_exists, bar_exists;
  logic [31:0] src;
  logic [24:0] src_end, dst_end;
  logic [15:0] touched;   // CTAs that the command reads, writes or signals

  assign own_rank = 8'(cta_i);
  assign src      = is_tstore ? cmd.shared_dst : cmd.shared_src;
  assign src_rank = src[31:24];
  assign dst_rank = cmd.shared_dst[31:24];
  assign bar_rank = cmd.barrier[31:24];

  assign src_exists = src_rank < 8'(NumCtas);
  assign dst_exists = dst_rank < 8'(NumCtas);
  assign bar_exists = bar_rank < 8'(NumCtas);

  // Larger sizes have a lower code. The size of a tensor copy is not known here.
  assign src_end = 25'(cmd.shared_src[23:0]) + 25'(cmd.size[SizeWidth-1:0]);
  assign dst_end = 25'(cmd.shared_dst[23:0]) + 25'(cmd.size[SizeWidth-1:0]);

  function automatic logic [15:0] bit_of(input logic on, input logic [3:0] rank);
    return on ? 16'(32'd1 << rank) : 16'd0;
  endfunction

  // Ranks that do not exist have their own, lower codes. The CTAs of a multicast are its mask's.
  assign touched = bit_of(has_src, src_rank[3:0]) |
                   (multicast ? cmd.cta_mask | signalled
                              : bit_of(has_dst, dst_rank[3:0]) |
                                bit_of(has_barrier, bar_rank[3:0]));

  ///////////
  // Rules //
  ///////////

  logic [511:0] used;
  logic [15:0]  denied;
  logic         opcode_bad, flags_bad, size_odd, size_bad, count_bad, tx_bad, parity_bad;
  logic         cp_size_bad, src_size_bad, prefetch_bad, cancel_bad;
  logic         global_odd, src_odd, dst_odd, bar_odd, src_over, dst_over, bar_over;
  logic         src_foreign, dst_nowhere, dst_not_local, dst_local;
  logic         mask_bad, bar_cta_bad, bar_not_local;
  logic [6:0]   src_grain, dst_grain;   // address bits that must be zero

  assign used   = used_bits(opcode, cmd.flags);
  assign denied = touched & ~16'(cta_mask_i);

  assign opcode_bad   = !known_opcode(opcode) || unbuilt;
  assign flags_bad    = (cmd.flags[FlagMulticast] && cmd.flags[FlagCtaLocal]) ||
                        (cmd.flags[FlagParity] && cmd.flags[FlagLastState]) ||
                        (cmd.flags[FlagExpectTx] && cmd.flags[FlagNoComplete]) ||
                        (cmd.flags[FlagSrcSize] && cmd.flags[FlagIgnoreSrc]);
  assign size_odd     = is_bulk && cmd.size[3:0] != '0;
  assign size_bad     = is_bulk && !is_prefetch && cmd.size[31:SizeWidth] != '0;
  assign count_bad    = (is_init || is_arrive) &&
                        (cmd.count == '0 || cmd.count > 32'(CountMax) ||
                         (is_arrive && cmd.flags[FlagExpectTx] && cmd.count != 32'd1));
  assign tx_bad       = (is_expect || is_complete || (is_arrive && cmd.flags[FlagExpectTx])) &&
                        cmd.tx > 32'(CountMax);
  assign parity_bad   = (is_test || is_try) && cmd.flags[FlagParity] && cmd.count > 32'd1;
  assign cp_size_bad  = is_cp && cmd.size != 32'd16 &&
                        ((cmd.size != 32'd4 && cmd.size != 32'd8) || cmd.flags[FlagCg]);
  assign src_size_bad = is_cp && cmd.flags[FlagSrcSize] && cmd.count > cmd.size;
  assign prefetch_bad = is_cp && cmd.mode[7:2] != '0;
  assign cancel_bad   = is_cancel && (cmd.count >= 32'(NumQueues) ||
                                      !cancel_mask_i[cmd.count[QueueWidth-1:0]]);

  // A cp-size has passed its own rule when this counts.
  assign src_grain = {{3{is_tstore}}, 4'b1111};
  assign dst_grain = {{3{is_tload}}, is_cp ? {cmd.size[4], cmd.size[4] || cmd.size[3], 2'b11}
                                           : 4'b1111};

  assign global_odd = has_global && (cmd.global_address[3:0] & dst_grain[3:0]) != '0;
  assign src_odd    = has_src && (src[6:0] & src_grain) != '0;
  assign dst_odd    = has_dst && (cmd.shared_dst[6:0] & dst_grain) != '0;
  assign bar_odd    = has_barrier && cmd.barrier[2:0] != '0;
  assign src_over   = has_src && !is_tstore && src_end > 25'(SmemBytes);
  assign dst_over   = has_dst && !is_tload && dst_end > 25'(SmemBytes);
  assign bar_over   = has_barrier && cmd.barrier[23:0] > 24'(SmemBytes - 8);

  assign src_foreign   = has_src && (!src_exists || src_rank != own_rank);
  assign dst_nowhere   = has_dst && !dst_exists;
  assign dst_not_local = (((is_load || is_tload) && cmd.flags[FlagCtaLocal]) || is_cp) && dst_rank != own_rank;
  assign dst_local     = is_shared && !is_sreduce && dst_rank == own_rank;
  assign mask_bad      = multicast && (17'(cmd.cta_mask) >> NumCtas) != '0;
  assign bar_cta_bad   = has_barrier &&
                         (!bar_exists ||
                          (multicast ? (17'(signalled) >> NumCtas) != '0
                                     : copy_barrier && (bar_rank[7:1] != dst_rank[7:1] ||
                                                        (bar_rank[0] != dst_rank[0] && !pair))));
  assign bar_not_local = local_barrier && bar_rank != own_rank;

  function automatic fault_e fetch_fault(input fetch_e fetch);
    case (fetch)
      FetchWindow: return FaultCommandWindow;
      FetchSlverr: return FaultCommandSlverr;
      FetchDecerr: return FaultCommandDecerr;
      default:     return FaultPortDead;
    endcase
  endfunction

  // The lowest rule of each kind that is broken, and what the record says of it: which part of the
  // command, so that the chains are narrow. In kinds, so that they are short.
  localparam verdict_t Fine = '{fault: FaultNone, say: SayNothing};

  verdict_t form, sizes, operands, places, limits;

  always_comb begin
    form = Fine;
    if      (cmd_i.fetch != FetchOk)        form = '{fetch_fault(cmd_i.fetch), SayCommand};
    else if (cmd.version != CommandVersion) form = '{FaultUnknownVersion, SayCommand};
    else if (opcode_bad)                    form = '{FaultUnknownOpcode, SayCommand};
  end

  always_comb begin
    sizes = Fine;
    if      (flags_bad)     sizes = '{FaultFlagConflict, SayCommand};
    else if (op_bad)        sizes = '{FaultReduceOp, SayOp};
    else if (size_odd)      sizes = '{FaultSizeGranule, SaySize};
    else if (size_bad)      sizes = '{FaultSizeRange, SaySize};
    else if (count_bad)     sizes = '{FaultCountRange, SayCount};
    else if (tx_bad)        sizes = '{FaultTxRange, SayTx};
    else if (parity_bad)    sizes = '{FaultParityRange, SayCount};
    else if (cp_size_bad)   sizes = '{FaultCpSize, SaySize};
    else if (src_size_bad)  sizes = '{FaultSrcSizeRange, SayCount};
    else if (prefetch_bad)  sizes = '{FaultPrefetchSizeRange, SayMode};
  end

  always_comb begin
    operands = Fine;
    if      (global_odd)    operands = '{FaultGlobalMisaligned, SayGlobal};
    else if (src_odd)       operands = '{FaultSrcMisaligned, SaySrc};
    else if (dst_odd)       operands = '{FaultDstMisaligned, SayDst};
    else if (bar_odd)       operands = '{FaultBarrierMisaligned, SayBarrier};
    else if (map_odd)       operands = '{FaultMapMisaligned, SayGlobal};
    else if (mode_bad)      operands = '{FaultTensorMode, SayMode};
    else if (dim_bad)       operands = '{FaultTensorDim, SayDim};
    else if (unused_bad)    operands = '{FaultTensorUnused, SayCommand};
  end

  always_comb begin
    places = Fine;
    if      (src_foreign)   places = '{FaultSrcCta, SaySrc};
    else if (dst_nowhere)   places = '{FaultDstCta, SayDst};
    else if (dst_not_local) places = '{FaultDstNotLocal, SayDst};
    else if (dst_local)     places = '{FaultDstLocal, SayDst};
    else if (mask_bad)      places = '{FaultMaskCta, SayMask};
    else if (bar_cta_bad)   places = '{FaultBarrierCta, SayBarrier};
    else if (bar_not_local) places = '{FaultBarrierNotLocal, SayBarrier};
  end

  always_comb begin
    limits = Fine;
    if      (src_over)      limits = '{FaultSrcRange, SaySrc};
    else if (dst_over)      limits = '{FaultDstRange, SayDst};
    else if (bar_over)      limits = '{FaultBarrierRange, SayBarrier};
    else if (cancel_bad)    limits = '{FaultCancelDenied, SayCount};
  end

  ///////////////////////////////
  // What it asks of a barrier //
  ///////////////////////////////

  bar_op_e bar_op;

  // A copy signals when it is done, one of no bytes at once; a multicast's barriers are all checked before.
  always_comb begin
    case (opcode)
      OpMbarrierInit:                        bar_op = BarInit;
      OpMbarrierInval:                       bar_op = BarInval;
      OpMbarrierExpectTx:                    bar_op = BarExpect;
      OpMbarrierCompleteTx:                  bar_op = BarComplete;
      OpMbarrierArrive:                      bar_op = BarArrive;
      OpMbarrierTestWait, OpMbarrierTryWait: bar_op = BarTest;
      OpCpAsyncMbarrierArrive: bar_op = cmd.flags[FlagNoinc] ? BarCheck : BarPend;
      OpTensorLoad:            bar_op = BarCheck;
      default:                 bar_op = cmd.size == '0 && !multicast ? BarComplete : BarCheck;
    endcase
  end

  judged_t    judged, behind;
  logic [7:0] reserved;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) reserved[i] = (cmd[64*i +: 64] & ~used[64*i +: 64]) != '0;
    judged = '{qid: qid_i, form: form, reserved: reserved, sizes: sizes, operands: operands, places: places, limits: limits,
               src: src, denied: denied, ctas: '0, again: multicast ? again[NumCtas-1:0] : '0,
               bar_op: bar_op, cmd: cmd};
    if (has_barrier) judged.ctas = multicast ? signalled[NumCtas-1:0] : cta_mask_t'(bit_of(1'b1, bar_rank[3:0]));
  end

  // CTAs that do not exist have faulted.
  logic unused_bits;
  assign unused_bits = ^again;

  tma_check_stage #(.Short(Short)) u_stage (
    .clk_i, .rst_ni, .live_i, .flush_i, .flush_queue_i,
    .valid_i, .ready_o, .judged_i(judged), .valid_o, .ready_i, .judged_o(behind)
  );

  tma_check_verdict u_verdict (.judged_i(behind), .issue_o);

endmodule
