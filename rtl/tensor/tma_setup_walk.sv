// SPDX-License-Identifier: Apache-2.0
// Puts the walk of a tensor copy together, step by step, and keeps it, apart for each direction, until
// it is taken.
//
// The walk of the command's direction is written where it is offered: positions in the position step of
// their group, addresses in the sum step, everything else in the last one, in the next cycle of which
// the walk is on offer. So the user starts nothing for a direction whose walk is not taken yet, but
// may do so in the cycle in which it is taken.
//
// A copy with a fault is an empty walk: its item has the fault, the address of its first row is the
// fault's. So is a store or prefetch that lies outside of the tensor: nobody goes through its rows.
// Reset: nothing is on offer.

`include "tma_assert.svh"

module tma_setup_walk
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
  import tma_setup_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // The command, steady until it is finished
  input  setup_cmd_t              cmd_i,
  input  map_info_t               info_i,
  input  logic                    none_i,
  input  logic                    load_i,
  input  logic                    wide_i,
  input  logic                    tiled_i,
  input  logic                    runs_i,

  // Position step
  input  round_t                  position_i,
  input  logic                    position_first_i,
  input  logic                    positions_i,       // those of the group are there
  input  walk_level_t [Lanes-1:0] level_i,
  input  logic [RowChunks-1:0]    fill_i,            // this one and the next four: as in walk_t
  input  logic [RowChunks-1:0]    head_i,
  input  logic [RowChunks-1:0]    chunks_i,
  input  logic [3:0]              odd_i,
  input  logic [RowChunks-1:0]    tail_i,
  input  logic                    any_folded_i,      // the row is longer
  input  logic [RowChunks-1:0]    fold_chunks_i,
  input  run_t                    run_i,             // of the start; that of the restart in the last step

  // Sum step
  input  logic                    sum_valid_i,
  input  gchunk_t [Levels-1:0]    addr_i,
  input  logic [Levels-1:0]       addr_we_i,

  // Last step
  input  logic                    finish_i,
  input  logic                    outside_i,
  input  logic [15:0]             rule_i,            // the rule that it breaks, and the fault's address
  input  logic [63:0]             rule_addr_i,
  input  logic [SizeWidth-1:0]    bytes_i,

  output logic [1:0]              walk_valid_o,      // 0: loads, 1: stores and reductions
  input  logic [1:0]              walk_ready_i,
  output walk_t [1:0]             walk_o
);

  //////////
  // Item //
  //////////

  walk_item_t  item;
  logic [15:0] fault;
  logic [63:0] fault_addr;

  // A command that asks for the map alone breaks no rules.
  assign fault      = none_i ? cmd_i.fault : rule_i;
  assign fault_addr = none_i ? cmd_i.fault_addr : rule_addr_i;

  always_comb begin
    item              = '0;
    item.client       = cmd_i.client;
    item.hint         = cmd_i.hint;
    item.dst          = cmd_i.dst;
    item.cta          = cmd_i.cta;
    item.layout       = info_i.layout;
    item.signal       = cmd_i.signal;
    item.signal.bytes = bytes_i;
    item.fault        = fault;
    if (!cmd_i.store) item.hint.prefetch = info_i.promotion;

    // Operators on bits know words of bits alone, and the map says integers.
    item.reduce    = cmd_i.reduce;
    item.how.op    = cmd_i.reduce_op;
    item.how.kind  = info_i.arith;
    item.how.flush = info_i.flush;
    case (cmd_i.reduce_op)
      ReduceAnd, ReduceOr, ReduceXor: item.how.kind = info_i.arith == TypeU64 ? TypeB64 : TypeB32;
      default: ;
    endcase
    if (!cmd_i.reduce) item.how = '0;
  end

  ///////////////////
  // Position step //
  ///////////////////

  // Where sums come a cycle after positions, what these write waits for them: levels go to many registers.
  typedef struct packed {
    round_t                  position;
    logic                    first, there;
    walk_level_t [Lanes-1:0] level;
    logic [RowChunks-1:0]    fill, head, chunks, tail;
    logic [3:0]              odd;
    logic                    any_folded;
    logic [RowChunks-1:0]    fold_chunks;
    run_t                    run;
  } step_t;

  step_t step_now, step;

  assign step_now = '{position: position_i, first: position_first_i, there: positions_i, level: level_i, fill: fill_i,
                      head: head_i, chunks: chunks_i, tail: tail_i, odd: odd_i, any_folded: any_folded_i,
                      fold_chunks: fold_chunks_i, run: run_i};

  if (Split) begin : g_step
    step_t step_q;

    assign step = step_q;

    always_ff @(posedge clk_i) begin
      step_q <= step_now;
      if (!rst_ni) begin
        step_q.position.valid <= 1'b0;
        step_q.there          <= 1'b0;
      end
    end
  end else begin : g_step_now
    assign step = step_now;
  end

  //////////
  // Walk //
  //////////

  logic [1:0]  valid_q;
  walk_t [1:0] walk_q;
  logic        w128;

  assign w128 = info_i.kind == KindW128;

  assign walk_valid_o = valid_q;
  assign walk_o       = walk_q;

  for (genvar d = 0; d < 2; d++) begin : g_direction
    logic mine;

    assign mine = cmd_i.store == (d == 1);

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                            valid_q[d] <= 1'b0;
      else if (finish_i && mine)              valid_q[d] <= 1'b1;
      else if (valid_q[d] && walk_ready_i[d]) valid_q[d] <= 1'b0;
    end

    // Positions: a lane writes the levels of its group; at first all levels stand still.
    for (genvar i = 0; i < Levels; i++) begin : g_level
      logic ours;

      assign ours = step.there && step.position.group == index_t'(i / Lanes * Lanes);

      always_ff @(posedge clk_i) begin
        if (mine) begin
          if (step.position.valid && step.first) begin
            walk_q[d].level[i].over     <= 1'b1;
            walk_q[d].level[i].is_in    <= 1'b1;
            walk_q[d].level[i].low_over <= 1'b1;
            walk_q[d].level[i].low_in   <= 1'b1;
          end
          if (ours) begin
            walk_q[d].level[i].over      <= step.level[i % Lanes].over;
            walk_q[d].level[i].is_in     <= step.level[i % Lanes].is_in;
            walk_q[d].level[i].next      <= step.level[i % Lanes].next;
            walk_q[d].level[i].low_over  <= step.level[i % Lanes].low_over;
            walk_q[d].level[i].low_in    <= step.level[i % Lanes].low_in;
            walk_q[d].level[i].low_next  <= step.level[i % Lanes].low_next;
            walk_q[d].level[i].limit     <= step.level[i % Lanes].limit;
            walk_q[d].level[i].last      <= step.level[i % Lanes].last;
            walk_q[d].level[i].step      <= step.level[i % Lanes].step;
            walk_q[d].level[i].addr_step <= step.level[i % Lanes].addr_step;
          end
          if (sum_valid_i && i == 0 && finish_i && fault != FaultNone)
            walk_q[d].level[i].addr <= fault_addr[63:4];
          else if (sum_valid_i && addr_we_i[i])
            walk_q[d].level[i].addr <= addr_i[i];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (step.there && mine) begin
        if (step.position.group == '0) begin
          walk_q[d].fill   <= step.fill;
          walk_q[d].head   <= step.head;
          walk_q[d].chunks <= step.chunks;
          walk_q[d].odd    <= step.odd;
          walk_q[d].tail   <= step.tail;
          walk_q[d].pitch  <= chunk_addr_t'(info_i.pitch);

          walk_q[d].run_first <= step.run;
        end
        if (step.any_folded) begin
          walk_q[d].chunks <= step.fold_chunks;
          walk_q[d].fill   <= load_i ? step.fold_chunks : '0;
          walk_q[d].pitch  <= chunk_addr_t'(step.fold_chunks);
        end
      end
      if (finish_i && mine) begin
        walk_q[d].item     <= item;
        walk_q[d].empty    <= none_i || fault != FaultNone || (outside_i && !load_i);
        walk_q[d].low      <= fault != FaultNone ? fault_addr[3:0] : '0;
        walk_q[d].outside  <= outside_i;
        walk_q[d].saddr    <= cmd_i.operand[4 +: ChunkAddr];
        walk_q[d].counted  <= !tiled_i;
        walk_q[d].pixels   <= (w128 ? 11'd127 : 11'(info_i.pixels)) +
                              (wide_i ? 11'(cmd_i.im2col[0][8:0]) : 11'd0);
        walk_q[d].halo     <= w128 ? cmd_i.im2col[0][4:0] : '0;

        walk_q[d].runs      <= runs_i;
        walk_q[d].run_shift <= {info_i.row_chunks[3] || info_i.row_chunks[2],
                                info_i.row_chunks[3] || info_i.row_chunks[1]};
        walk_q[d].run_next  <= run_i;

        // No registers for what loads do not have.
        if (d == 0) begin
          walk_q[d].item.reduce <= 1'b0;
          walk_q[d].item.how    <= '0;
        end
      end
    end
  end

  // Coordinates and levels are for others.
  logic unused;
  assign unused = ^{cmd_i, info_i, position_i, level_i};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(NoWalkOverwritten, finish_i |-> !walk_valid_o[cmd_i.store])
  if (Runs) begin : g_runs
    logic run_made;

    assign run_made = finish_i && runs_i && !none_i && fault == FaultNone;

    `TMA_COVER(RunBetweenFill, run_made && load_i && run_i.head != '0 && run_i.head < run_i.data &&
                               run_i.data < run_i.pixels)
    `TMA_COVER(RunOutside, run_made && load_i && run_i.head == run_i.pixels)
    `TMA_COVER(RunOfAStore, run_made && cmd_i.store)
  end
  `TMA_COVER(EndsAtOnce, finish_i && fault == FaultNone && outside_i && !load_i)
  `TMA_COVER(FaultAndWalks, finish_i && fault != FaultNone && walk_valid_o[!cmd_i.store])

endmodule
