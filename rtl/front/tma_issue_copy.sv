// SPDX-License-Identifier: Apache-2.0
// Hands a copy that is issued to its path and to the groups. Combinational.
//
// Bulk copies of no bytes, and loads to nobody, go nowhere. Bits that a command does not use are zero,
// so modifiers need not ask for its opcode.

module tma_issue_copy
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
  import tma_path_pkg::*;
(
  input  issue_t      issue_i,
  input  logic [15:0] seq_i,           // low half of its sequence number
  input  logic        go_i,            // it is issued

  output path_cmd_t   path_o,
  output logic        copy_o,          // to any path, but for a bulk prefetch

  // Operations of the open groups
  output logic        store_add_o,
  output logic        reduce_add_o,    // to global memory
  output logic        load_add_o,
  output logic        cp_add_o
);

  command_t cmd;
  logic     is_load, is_prefetch, is_cp, is_cp_arrive, is_multimem, is_store, moves;
  logic     is_tload, is_tprefetch, is_map, is_tstore, is_tensor;
  logic     is_reduce, is_treduce, is_sreduce;  // bulk, tensor, to shared memory
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
  assign is_multimem  = cmd.opcode == OpMultimemBulkStore || (Reduces && cmd.opcode == OpMultimemBulkReduce);
  assign is_store     = cmd.opcode == OpBulkStore || cmd.opcode == OpMultimemBulkStore;
  assign is_reduce    = Reduces && (cmd.opcode == OpBulkReduce || cmd.opcode == OpMultimemBulkReduce);
  assign is_treduce   = Reduces && cmd.opcode == OpTensorReduce;
  assign is_sreduce   = Reduces && cmd.opcode == OpBulkReduceShared;
  assign is_tload     = cmd.opcode == OpTensorLoad;
  assign is_tprefetch = cmd.opcode == OpTensorPrefetch;
  assign is_map       = cmd.opcode == OpPrefetchTensormap;
  assign is_tstore    = cmd.opcode == OpTensorStore;
  assign is_tensor    = is_tload || is_tprefetch || is_map || is_tstore || is_treduce;
  assign moves        = go_i && (is_tensor || cmd.size != '0);

  assign dst = cmd.flags[FlagMulticast] ? cmd.cta_mask[NumCtas-1:0]
                                        : cta_mask_t'(1) << cmd.shared_dst[24 +: CtaWidth];

  assign op = '{mode: is_map ? ModeMapOnly : cmd.mode[2:0], dim: cmd.dim[2:0], coord: coords_of(cmd)};

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

  load_cmd_t     load;
  prefetch_cmd_t prefetch;
  logic          load_goes;

  assign load_add_o = moves && (is_load || is_tload) && dst != '0;
  assign load_goes  = load_add_o || (moves && (is_tprefetch || is_map || is_cp)) ||
                      (go_i && is_cp_arrive);

  assign prefetch = '{qid: issue_i.qid, gchunk: cmd.global_address[63:4],
                      chunks: cmd.size[31:4], hint: hint};

  always_comb begin
    load.client = ClientLoad;
    load.tensor = is_tensor;
    load.op     = op;
    load.im2col = cmd.im2col;
    load.dst    = dst;
    load.gaddr  = cmd.global_address;
    load.chunks = cmd.size[SizeWidth-1:4];
    load.saddr  = cmd.shared_dst[4 +: ChunkAddr];
    load.hint   = hint;
    load.cp     = '0;
    load.signal = signal;
    if (is_tensor) load = load_with_operand(load, cmd.shared_dst[31:7]);
    if (is_tprefetch || is_map) load.client = ClientPrefetch;
    if (is_cp || is_cp_arrive) begin
      load.client    = ClientCp;
      load.chunks    = RowChunks'(1);
      load.cp.arrive = is_cp_arrive;
      load.cp.dst    = cmd.shared_dst[3:0];
      load.cp.size   = cmd.size[4:0];
      load.cp.valid  = cmd.flags[FlagSrcSize]   ? cmd.count[4:0]
                     : cmd.flags[FlagIgnoreSrc] ? '0
                                                : cmd.size[4:0];
    end
  end

  //////////////////////////////////
  // Stores, reductions and lines //
  //////////////////////////////////

  logic [31:0] src;
  store_cmd_t  store;   // or what a reduction has of one
  how_t        how;
  shared_cmd_t shared;
  logic        from_tensor, store_goes, reduce_goes, shared_goes;

  assign from_tensor = is_tstore || is_treduce;
  assign src         = from_tensor ? cmd.shared_dst : cmd.shared_src;
  assign store_goes  = moves && (is_store || is_tstore);
  assign reduce_goes = moves && (is_reduce || is_treduce);
  assign shared_goes = moves && (cmd.opcode == OpBulkShared || is_sreduce);

  always_comb begin
    store = '{tensor: from_tensor, op: op, multimem: is_multimem, gaddr: cmd.global_address,
              chunks: cmd.size[SizeWidth-1:4],
              cta: src[24 +: CtaWidth], saddr: src[4 +: ChunkAddr],
              byte_mask: cmd.flags[FlagCpMask] ? cmd.byte_mask : '1,
              hint: hint, origin: origin};
    if (from_tensor) store = store_with_operand(store, cmd.shared_dst[31:7]);
  end

  assign how = Reduces ? how_t'{op: cmd.op[2:0], kind: cmd.element_type[3:0], flush: 1'b0} : '0;

  assign shared = '{reduce: is_sreduce, how: how,
                    chunks: cmd.size[SizeWidth-1:4], src_cta: cmd.shared_src[24 +: CtaWidth],
                    src: cmd.shared_src[4 +: ChunkAddr], dst: cmd.shared_dst[4 +: ChunkAddr],
                    signal: signal};

  assign path_o = '{load_valid: load_goes, load: load,
                    prefetch_valid: moves && is_prefetch, prefetch: prefetch,
                    store_valid: store_goes, store: store,
                    reduce_valid: reduce_goes, reduce: Reduces ? reduce_cmd_t'{copy: store, how: how} : '0,
                    shared_valid: shared_goes, shared: shared,
                    fence_valid: go_i && cmd.opcode == OpMapFence, fence_queue: issue_i.qid,
                    fence_addr: cmd.global_address[63:6]};

  assign copy_o       = load_goes || store_goes || reduce_goes || shared_goes;
  assign store_add_o  = store_goes;
  assign reduce_add_o = reduce_goes;
  assign cp_add_o     = moves && is_cp;

  // What is for the other stages.
  logic unused;
  assign unused = ^{issue_i.fault, issue_i.fault_addr, issue_i.bar_op, cmd, src};

endmodule
