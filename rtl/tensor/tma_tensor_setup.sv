// SPDX-License-Identifier: Apache-2.0
// Makes a walk of a tensor copy and its decoded map: rules, positions, addresses, totals.
//
//   cmd_i, info_i --> held --> operands --> positions, rules --------> walk of its direction
//                                   \-----> multipliers --> sums ----/
//
// `Lanes` levels are worked on at once, each with a multiplier of its own: starts first, then what
// lies between the start and the restart of the levels that have both (im2col), and the C dimension
// of interleaved maps by itself. With 4 lanes a tile takes 2 cycles, and is on offer in the third;
// with fewer the product is a step of its own.
//
// A walk is kept, apart for each direction, until it is taken. The user starts nothing for a direction
// whose walk is not taken yet or taken in this cycle: set-up never waits for a walker.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_tensor_setup
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              granule16_i,

  input  logic              cmd_valid_i,
  output logic              cmd_ready_o,
  input  setup_cmd_t        cmd_i,
  input  map_info_t         info_i,       // of its map, unless it has a fault or asks for the map alone

  output logic [1:0]        busy_o,       // set-up of a command of this direction
  output logic [1:0]        walk_valid_o, // 0: loads, 1: stores
  input  logic [1:0]        walk_ready_i,
  output walk_t [1:0]       walk_o
);

  localparam int unsigned Lanes  = DataWidth >= 512 ? 4 : DataWidth == 256 ? 2 : 1;
  localparam bit          Split  = Lanes < 4;  // product apart from its operands

  typedef enum logic [1:0] {OpSlice, OpStart, OpRestart} op_e;
  typedef logic [1:0]           group_t;  // of levels: its first one
  typedef logic [1:0]           index_t;

  //////////////
  // Held     //
  //////////////

  logic       busy_q, accept, finish, store;
  setup_cmd_t cmd_q;
  map_info_t  info_q;
  logic       granule_q;

  assign cmd_ready_o = !busy_q || finish;
  assign accept      = cmd_valid_i && cmd_ready_o;
  assign store       = cmd_q.store;
  assign busy_o      = {busy_q && store, busy_q && !store};

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     busy_q <= 1'b0;
    else if (accept) busy_q <= 1'b1;
    else if (finish) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      cmd_q     <= cmd_i;
      info_q    <= info_i;
      granule_q <= granule16_i;
    end
  end

  logic list, wide, tiled, slice_apart, none;

  assign list  = cmd_q.op.mode == ModeGather4 || cmd_q.op.mode == ModeScatter4;
  assign wide  = info_q.kind == KindW || info_q.kind == KindW128;
  assign tiled = info_q.kind == KindTiled;
  assign none  = cmd_q.fault != FaultNone || cmd_q.op.mode == ModeMapOnly;

  // The last lane has time for the C dimension when there is no level for it.
  assign slice_apart = info_q.slice_used && (Lanes < 4 || info_q.level[Levels-1].used);

  ///////////////
  // Sequencer //
  ///////////////

  op_e    op_q, op_b_q, op_c;
  group_t group_q, group_b_q, group_c;
  logic   a_q, b_q, c;            // there is an operand step, position step, sum step
  logic   first_q, last, last_b_q, last_c, first_b_q;
  logic   more_starts, more_restarts;

  // Levels in use are contiguous, and so are the spatial ones.
  always_comb begin
    more_starts   = 1'b0;
    more_restarts = 1'b0;
    for (int unsigned i = 0; i < Levels; i++) begin
      if (i >= 32'(group_q) + Lanes) begin
        if (info_q.level[i].used || list)  more_starts   = 1'b1;
        if (info_q.level[i].spatial)       more_restarts = 1'b1;
      end
    end
  end

  assign last = none || (op_q == OpStart ? !more_starts && tiled
                                         : op_q == OpRestart && !more_restarts);

  // Of the command that comes in: what it starts with.
  logic apart_in, none_in;
  assign none_in  = cmd_i.fault != FaultNone || cmd_i.op.mode == ModeMapOnly;
  assign apart_in = !none_in && info_i.slice_used && (Lanes < 4 || info_i.level[Levels-1].used);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_q <= 1'b0;
      b_q <= 1'b0;
    end else begin
      a_q <= accept || (a_q && !last);
      b_q <= a_q;
    end
  end

  always_ff @(posedge clk_i) begin
    first_q <= accept;
    if (accept) begin
      op_q    <= apart_in ? OpSlice : OpStart;
      group_q <= '0;
    end else if (op_q == OpSlice) begin
      op_q    <= OpStart;
    end else if (op_q == OpStart && !more_starts) begin
      op_q    <= OpRestart;
      group_q <= '0;
    end else begin
      group_q <= group_q + group_t'(Lanes % 4);
    end
    op_b_q    <= op_q;
    group_b_q <= group_q;
    last_b_q  <= last;
    first_b_q <= first_q;
  end

  ///////////
  // Lanes //
  ///////////

  level_t      [Lanes-1:0] level;
  logic [31:0] coord  [Lanes];
  logic [15:0] offset [Lanes];
  pos_t        [Lanes-1:0] start, operand;
  logic [35:0] stride [Lanes];
  walk_level_t [Lanes-1:0] result;
  logic [Lanes-1:0]        folded, fits, outside, ahead, behind;
  gchunk_t     [Lanes-1:0] product;
  index_t      [Lanes-1:0] lane_b;

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    index_t     at, map_level;
    logic [2:0] dim;

    // The rows of a list are coordinates 1..4, all of them along level 0.
    assign at        = Lanes == 4 ? index_t'(l) : group_q + index_t'(l);
    assign map_level = list ? '0 : at;
    assign level[l]  = info_q.level[map_level];
    assign dim       = list ? {1'b0, at} + 3'd1 : level[l].dim;
    assign coord[l]  = cmd_q.op.coord[dim];
    assign offset[l] = wide ? cmd_q.im2col[1] : at == 2'd3 ? '0 : cmd_q.im2col[at];

    tma_setup_level u_level (
      .clk_i, .step_i(a_q && op_q == OpStart), .list_i(list), .list_first_i(at == '0),
      .endless_i(!tiled && !level[l].spatial && !level[l].fixed), .wide_i(wide),
      .level_i(level[l]), .coord_i(coord[l]), .offset_i(offset[l]), .start_o(start[l]),
      .folded_i(folded[l]), .level_o(result[l]), .fits_o(fits[l]), .outside_o(outside[l]),
      .before_o(ahead[l]), .behind_o(behind[l])
    );

    assign lane_b[l] = Lanes == 4 ? index_t'(l) : group_b_q + index_t'(l);

    // What is multiplied.
    logic is_slice;

    assign is_slice = op_q == OpSlice ? l == 0
                                      : l == 3 && op_q == OpStart && info_q.slice_used && !slice_apart;

    always_comb begin
      operand[l] = '0;
      stride[l]  = level[l].stride;
      if (is_slice) begin
        operand[l] = pos_t'($signed(cmd_q.op.coord[info_q.slice_dim]));
        stride[l]  = info_q.slice_stride;
      end else if (op_q == OpStart && level[l].used) begin
        operand[l] = start[l];
      end else if (op_q == OpRestart && level[l].spatial) begin
        operand[l] = pos_t'(level[l].lower) - pos_t'($signed(coord[l]));
      end
    end

    // Modulo 2^60: the operand's sign is extended.
    if (Split) begin : g_split
      pos_t        operand_q;
      logic [35:0] stride_q;

      always_ff @(posedge clk_i) begin
        operand_q  <= operand[l];
        stride_q   <= stride[l];
        product[l] <= gchunk_t'(operand_q) * gchunk_t'(stride_q);
      end
    end else begin : g_joined
      always_ff @(posedge clk_i) product[l] <= gchunk_t'(operand[l]) * gchunk_t'(stride[l]);
    end
  end

  if (Split) begin : g_sum_apart
    logic   c_q, last_q;
    op_e    op_c_q;
    group_t group_c_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) c_q <= 1'b0;
      else         c_q <= b_q;
    end

    always_ff @(posedge clk_i) begin
      op_c_q    <= op_b_q;
      group_c_q <= group_b_q;
      last_q    <= last_b_q;
    end

    assign c       = c_q;
    assign last_c  = last_q;
    assign op_c    = op_c_q;
    assign group_c = group_c_q;
  end else begin : g_sum_at_once
    assign c       = b_q;
    assign last_c  = last_b_q;
    assign op_c    = op_b_q;
    assign group_c = group_b_q;
  end

  assign finish = c && last_c;

  /////////////////
  // Row, slices //
  /////////////////

  gchunk_t              row_start;
  logic                 row_outside, row_whole, is_load, slice_outside_q;
  logic [RowChunks-1:0] fill, head, chunks, tail;
  logic [3:0]           odd;
  logic [31:0]          slice;

  assign is_load = !store && cmd_q.client == ClientLoad;
  assign slice   = cmd_q.op.coord[info_q.slice_dim];

  tma_setup_row u_row (
    .clk_i, .step_i(first_q), .info_i(info_q), .coord_i(cmd_q.op.coord[0]),
    .store_i(store), .load_i(is_load), .granule16_i(granule_q),
    .start_o(row_start), .outside_o(row_outside), .whole_o(row_whole), .fill_o(fill),
    .head_o(head), .chunks_o(chunks), .odd_o(odd), .tail_o(tail)
  );

  always_ff @(posedge clk_i) begin
    if (first_q) slice_outside_q <= info_q.slice_used && (slice[31] || slice > info_q.slice_last);
  end

  ///////////
  // Rules //
  ///////////

  logic [15:0]          fault, rule;
  logic [63:0]          fault_addr, rule_addr;
  logic [SizeWidth-1:0] bytes;
  logic [Levels-1:0]    bad, bad_q;
  logic                 positions, out, out_q;

  assign positions = b_q && op_b_q == OpStart && !none;

  always_comb begin
    bad = first_b_q ? '0 : bad_q;
    out = (!first_b_q && out_q) || row_outside || slice_outside_q;
    if (positions) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (!(cmd_q.op.mode == ModeMapOnly)) begin
          bad[lane_b[l]] = behind[l] || (ahead[l] && !wide);
          if (outside[l]) out = 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (b_q) bad_q <= bad;
    if (b_q) out_q <= out;
  end

  tma_setup_rules u_rules (
    .clk_i, .step_i(first_q), .cmd_i(cmd_q), .info_i(info_q),
    .start_bad_i(b_q ? bad : bad_q), .fault_o(rule), .addr_o(rule_addr), .bytes_o(bytes)
  );

  assign fault      = cmd_q.fault != FaultNone        ? cmd_q.fault
                    : cmd_q.op.mode == ModeMapOnly ? FaultNone : rule;
  assign fault_addr = cmd_q.fault != FaultNone ? cmd_q.fault_addr : rule_addr;

  //////////
  // Fold //
  //////////

  logic                 folding, folding_q, any_folded, any_folded_q;
  logic [RowChunks-1:0] fold_chunks;

  always_comb begin
    folding     = first_b_q || op_b_q != OpStart || group_b_q == '0
                ? tiled && !list && row_whole && !row_outside && !slice_outside_q : folding_q;
    any_folded  = 1'b0;
    fold_chunks = '0;
    folded      = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (!info_q.fold[lane_b[l]] || !fits[l]) folding = 1'b0;
      if (folding) begin
        folded[l]   = 1'b1;
        any_folded  = 1'b1;
        fold_chunks = info_q.fold_chunks[lane_b[l]];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (positions) begin
      folding_q    <= folding;
      any_folded_q <= any_folded || (group_b_q != '0 && any_folded_q);
    end
  end

  //////////
  // Sums //
  //////////

  gchunk_t                        acc_q, acc;
  gchunk_t [Levels-1:0]           addr;
  logic [Levels-1:0]              addr_we;

  always_comb begin
    acc     = acc_q;
    addr    = '0;
    addr_we = '0;
    unique case (op_c)
      OpStart: begin
        if (list) begin
          for (int unsigned i = 0; i < Levels; i++) addr[i] = acc_q + product[i % Lanes];
          for (int unsigned l = 0; l < Lanes; l++)  addr_we[group_c + index_t'(l)] = 1'b1;
        end else begin
          for (int unsigned l = 0; l < Lanes; l++)  acc = acc + product[l];
          for (int unsigned i = 0; i < Levels; i++) addr[i] = acc;
          addr_we = '1;
        end
      end
      OpRestart: begin
        // What a level leaves behind when it restarts counts for all levels above it.
        for (int unsigned l = 0; l < Lanes; l++) begin
          acc = acc + product[l];
          for (int unsigned i = l + 1; i < Levels; i++) begin
            if (i > 32'(group_c) + l) begin
              addr[i]    = acc;
              addr_we[i] = 1'b1;
            end
          end
        end
      end
      default: acc = acc + product[0];
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (first_q) acc_q <= info_q.base + row_start;
    else if (c)  acc_q <= acc;
  end

  //////////
  // Walk //
  //////////

  logic [1:0]  valid_q;
  walk_t [1:0] walk_q;
  walk_item_t  item;

  assign walk_valid_o = valid_q;
  assign walk_o       = walk_q;

  always_comb begin
    item              = '0;
    item.client       = cmd_q.client;
    item.hint         = cmd_q.hint;
    item.dst          = cmd_q.dst;
    item.cta          = cmd_q.cta;
    item.layout       = info_q.layout;
    item.signal       = cmd_q.signal;
    item.signal.bytes = bytes;
    item.fault        = fault;
    if (!store) item.hint.prefetch = info_q.promotion;
  end

  for (genvar d = 0; d < 2; d++) begin : g_direction
    logic mine;

    assign mine = store == (d == 1);

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                               valid_q[d] <= 1'b0;
      else if (finish && mine)                   valid_q[d] <= 1'b1;
      else if (valid_q[d] && walk_ready_i[d])    valid_q[d] <= 1'b0;
    end

    // Positions: a lane writes the levels of its group; at first all levels stand still.
    for (genvar i = 0; i < Levels; i++) begin : g_level
      logic ours;

      assign ours = positions && group_b_q == index_t'(i / Lanes * Lanes);

      always_ff @(posedge clk_i) begin
        if (mine) begin
          if (b_q && first_b_q) begin
            walk_q[d].level[i].over       <= 1'b1;
            walk_q[d].level[i].is_in     <= 1'b1;
            walk_q[d].level[i].low_over   <= 1'b1;
            walk_q[d].level[i].low_in <= 1'b1;
          end
          if (ours) begin
            walk_q[d].level[i].over       <= result[i % Lanes].over;
            walk_q[d].level[i].is_in     <= result[i % Lanes].is_in;
            walk_q[d].level[i].next       <= result[i % Lanes].next;
            walk_q[d].level[i].low_over   <= result[i % Lanes].low_over;
            walk_q[d].level[i].low_in <= result[i % Lanes].low_in;
            walk_q[d].level[i].low_next   <= result[i % Lanes].low_next;
            walk_q[d].level[i].limit      <= result[i % Lanes].limit;
            walk_q[d].level[i].last       <= result[i % Lanes].last;
            walk_q[d].level[i].step       <= result[i % Lanes].step;
            walk_q[d].level[i].addr_step  <= result[i % Lanes].addr_step;
          end
          if (c && i == 0 && finish && fault != FaultNone) walk_q[d].level[i].addr <= fault_addr[63:4];
          else if (c && addr_we[i])                        walk_q[d].level[i].addr <= addr[i];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (positions && mine) begin
        if (group_b_q == '0) begin
          walk_q[d].fill   <= fill;
          walk_q[d].head   <= head;
          walk_q[d].chunks <= chunks;
          walk_q[d].odd    <= odd;
          walk_q[d].tail   <= tail;
          walk_q[d].pitch  <= chunk_addr_t'(info_q.pitch);
        end
        if (any_folded) begin
          walk_q[d].chunks <= fold_chunks;
          walk_q[d].fill   <= is_load ? fold_chunks : '0;
          walk_q[d].pitch  <= chunk_addr_t'(fold_chunks);
        end
      end
      if (finish && mine) begin
        walk_q[d].item     <= item;
        walk_q[d].empty    <= none || fault != FaultNone;
        walk_q[d].low      <= fault != FaultNone ? fault_addr[3:0] : '0;
        walk_q[d].outside  <= b_q ? out : out_q;
        walk_q[d].saddr    <= cmd_q.operand[4 +: ChunkAddr];
        walk_q[d].counted  <= !tiled;
        walk_q[d].segments <= info_q.kind == KindW128 ? 2'd3 : 2'd0;
        walk_q[d].pixels   <= info_q.kind == KindW128 ? 10'd31 : info_q.pixels;
        walk_q[d].halo     <= !wide ? '0 : cmd_q.im2col[0][8:0];
      end
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(RoomForTheWalk, accept |-> !walk_valid_o[cmd_i.store] || walk_ready_i[cmd_i.store])
  `TMA_ASSERT(NoWalkOverwritten, finish |-> !walk_valid_o[store])
  `TMA_COVER(Folded, finish && any_folded_q)
  `TMA_COVER(BackToBack, accept && finish)
  `TMA_COVER(SliceApart, a_q && op_q == OpSlice)
  `TMA_COVER(FaultAndWalks, finish && fault != FaultNone && walk_valid_o[!store])

endmodule
