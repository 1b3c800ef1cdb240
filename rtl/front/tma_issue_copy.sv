// SPDX-License-Identifier: Apache-2.0
// Hands a copy that is issued to its path and to the groups. Combinational.
//
// Bulk copies of no bytes, and loads to nobody, go nowhere. Bits that a command does not use are zero,
// so modifiers need not ask for its opcode.

module tma_issue_copy
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
(
  input  issue_t      issue_i,
  input  logic [15:0] seq_i,           // low half of its sequence number
  input  logic        go_i,            // it is issued

  output logic        load_valid_o,
  output load_cmd_t   load_o,
  output logic        prefetch_valid_o, // a bulk prefetch
  output prefetch_cmd_t prefetch_o,
  output logic        store_valid_o,
  output store_cmd_t  store_o,
  output logic        shared_valid_o,
  output shared_cmd_t shared_o,
  output logic        copy_o,          // any of them, but for a bulk prefetch

  // A tensor map that is not to be used any more as it was read
  output logic        fence_valid_o,
  output logic [63:6] fence_addr_o,

  // Operations of the open groups
  output logic        group_add_o,     // a store
  output logic        load_add_o,
  output logic        cp_add_o
);

  command_t cmd;
  logic     is_load, is_prefetch, is_cp, is_cp_arrive, is_multimem, is_store, moves;
  logic     is_tload, is_tprefetch, is_map, is_tstore, is_tensor;
  cta_mask_t  dst;
  tensor_op_t op;
  origin_t  origin;
  signal_t  signal;
  hint_t    hint;

  assign cmd          = issue_i.cmd;
  assign is_load      = cmd.opcode == OpBulkLoad;
  assign is_prefetch  = cmd.opcode == OpBulkPrefetch;
  assign is_cp        = cmd.opcode == OpCpAsync;
  assign is_cp_arrive = cmd.opcode == OpCpAsyncMbarrierArrive;
  assign is_multimem  = cmd.opcode == OpMultimemBulkStore;
  assign is_store     = cmd.opcode == OpBulkStore || is_multimem;
  assign is_tload     = cmd.opcode == OpTensorLoad;
  assign is_tprefetch = cmd.opcode == OpTensorPrefetch;
  assign is_map       = cmd.opcode == OpPrefetchTensormap;
  assign is_tstore    = cmd.opcode == OpTensorStore;
  assign is_tensor    = is_tload || is_tprefetch || is_map || is_tstore;
  assign moves        = go_i && (is_tensor || cmd.size != '0);

  assign dst = cmd.flags[FlagMulticast] ? cmd.cta_mask[NumCtas-1:0]
                                        : cta_mask_t'(1) << cmd.shared_dst[24 +: CtaWidth];

  assign op = '{mode: is_map ? ModeMapOnly : cmd.mode[2:0], dim: cmd.dim[2:0],
                coord: {cmd.tx, cmd.count, cmd.reserved26, cmd.byte_mask, cmd.size,
                        cmd.shared_src}};

  assign origin = '{qid: issue_i.qid, seq: seq_i, tag: cmd.tag};
  assign hint   = '{qos: cmd.policy[63:60], cg: cmd.flags[FlagCg],
                    prefetch: is_tensor ? '0 : cmd.mode[1:0], evict: cmd.policy[59:56]};

  always_comb begin
    signal.arrive  = is_cp_arrive;
    signal.ctas    = issue_i.ctas;
    signal.again   = issue_i.again;
    signal.barrier = cmd.barrier[3 +: BarAddr];
    signal.bytes   = cmd.size[SizeWidth-1:0];
    signal.origin  = origin;
    if (is_cp) signal.ctas = dst;
  end

  ///////////
  // Loads //
  ///////////

  assign load_add_o   = moves && (is_load || is_tload) && dst != '0;
  assign load_valid_o = load_add_o || (moves && (is_tprefetch || is_map || is_cp)) ||
                        (go_i && is_cp_arrive);

  assign prefetch_valid_o = moves && is_prefetch;
  assign prefetch_o = '{qid: issue_i.qid, gchunk: cmd.global_address[63:4],
                        chunks: cmd.size[31:4], hint: hint};

  always_comb begin
    load_o.client = ClientLoad;
    load_o.tensor = is_tensor;
    load_o.op     = op;
    load_o.im2col = cmd.im2col;
    load_o.dst    = dst;
    load_o.gaddr  = cmd.global_address;
    load_o.chunks = cmd.size[SizeWidth-1:4];
    load_o.saddr  = cmd.shared_dst[4 +: ChunkAddr];
    load_o.hint   = hint;
    load_o.cp     = '0;
    load_o.signal = signal;
    if (is_tensor) {load_o.signal.bytes[8:0], load_o.chunks} = cmd.shared_dst[31:7];
    if (is_tprefetch || is_map) load_o.client = ClientPrefetch;
    if (is_cp || is_cp_arrive) begin
      load_o.client    = ClientCp;
      load_o.chunks    = RowChunks'(1);
      load_o.cp.arrive = is_cp_arrive;
      load_o.cp.dst    = cmd.shared_dst[3:0];
      load_o.cp.size   = cmd.size[4:0];
      load_o.cp.valid  = cmd.flags[FlagSrcSize]   ? cmd.count[4:0]
                       : cmd.flags[FlagIgnoreSrc] ? '0
                                                  : cmd.size[4:0];
    end
  end

  //////////////////////
  // Stores and lines //
  //////////////////////

  logic [31:0] src;

  assign src           = is_tstore ? cmd.shared_dst : cmd.shared_src;
  assign store_valid_o = moves && (is_store || is_tstore);

  always_comb begin
    store_o = '{tensor: is_tstore, op: op, multimem: is_multimem, gaddr: cmd.global_address,
                chunks: cmd.size[SizeWidth-1:4],
                cta: src[24 +: CtaWidth], saddr: src[4 +: ChunkAddr],
                byte_mask: cmd.flags[FlagCpMask] ? cmd.byte_mask : '1,
                hint: hint, origin: origin};
    if (is_tstore) {store_o.byte_mask[8:0], store_o.chunks} = cmd.shared_dst[31:7];
  end

  assign shared_valid_o = moves && cmd.opcode == OpBulkShared;
  assign shared_o = '{chunks: cmd.size[SizeWidth-1:4], src_cta: cmd.shared_src[24 +: CtaWidth],
                      src: cmd.shared_src[4 +: ChunkAddr], dst: cmd.shared_dst[4 +: ChunkAddr],
                      signal: signal};

  assign copy_o      = load_valid_o || store_valid_o || shared_valid_o;
  assign group_add_o = store_valid_o;
  assign cp_add_o    = moves && is_cp;

  assign fence_valid_o = go_i && cmd.opcode == OpMapFence;
  assign fence_addr_o  = cmd.global_address[63:6];

  // What is for the other stages.
  logic unused;
  assign unused = ^{issue_i.fault, issue_i.fault_addr, issue_i.bar_op, cmd, src};

endmodule
