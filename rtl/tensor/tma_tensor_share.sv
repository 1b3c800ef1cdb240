// SPDX-License-Identifier: Apache-2.0
// Gives tensor stores and tensor reductions their turns in one direction of tma_tensor, and each walk to its
// walker.
//
//   store_i  --+--> cmd_o --> tma_map_fence, tma_tensor --+--> store_walk
//   reduce_i --+                 room for one walk        +--> reduce_walk
//
// Who waits for whose walker: a walk that is not taken keeps everybody out of the direction. So a reduction is let in
// only when its walker is free and no other reduction is on the way to it: its walk is taken at once, and a store waits
// for the set-up of one reduction and for no walker but its own. A store is let in under the same condition while a
// reduction waits, and always when none does, so that its set-up lies beside the walk before it. A reduction that finds
// a store's walk waiting waits for that one, and for the store that was on offer behind it: the rest of one walk and one
// more, whatever comes later. Who may go and waits is let in second at the latest.
//
// The walker of the reductions is free when the register in front of it is (tma_reduce), so that set-up of the next one
// lies beside the rows of the one before. That of a store does so only when no reduction waits; when both are there, the
// walk of one lies beside the set-up of the other.
//
// What is on offer stays until it is taken. Throughput: as tma_tensor. No latency: `cmd_o` depends on the inputs, and
// of reductions, or when both are there, on the readies of the walkers. With `Short` who is on offer is in a register, and
// a command on offer a cycle later. Without reductions all of it is wires.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_tensor_share
  import tma_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Tensor commands in. Fresh: it was sent in this cycle, for tma_map_fence
  input  logic        store_valid_i,
  output logic        store_ready_o,
  input  store_cmd_t  store_i,
  input  logic        store_fresh_i,
  input  logic        reduce_valid_i,
  output logic        reduce_ready_o,
  input  reduce_cmd_t reduce_i,
  input  logic        reduce_fresh_i,

  // One of them out: command 1 of tma_tensor
  output logic        cmd_valid_o,
  input  logic        cmd_ready_i,
  output store_cmd_t  cmd_o,
  output logic        cmd_reduce_o,
  output logic [2:0]  cmd_op_o,
  output logic        cmd_fresh_o,

  // Walk 1 of tma_tensor, which goes to both walkers
  input  logic        walk_valid_i,
  output logic        walk_ready_o,
  input  logic        walk_reduce_i,         // its item says that it is of a reduction
  output logic        store_walk_valid_o,
  input  logic        store_walk_ready_i,
  output logic        reduce_walk_valid_o,
  input  logic        reduce_walk_ready_i
);

  if (Reduces) begin : g_share
    // 0: stores, 1: reductions
    logic [1:0] valid, ready, walk_valid, walk_ready, lets, leaves;
    logic [1:0] inside_q;    // in set-up, or its walk waits
    logic [1:0] free;        // a walk would be taken at once, and will be until one is
    logic [1:0] clear, may;
    logic       choose, choice, choice_q, last_q;
    logic       held_q;      // it was on offer, and was not taken; with `Short` it is on offer

    assign valid      = {reduce_valid_i, store_valid_i};
    assign walk_ready = {reduce_walk_ready_i, store_walk_ready_i};
    assign walk_valid = {walk_valid_i && walk_reduce_i, walk_valid_i && !walk_reduce_i};
    assign leaves     = walk_valid & walk_ready;

    ////////////
    // Choice //
    ////////////

    assign clear  = free & ~inside_q;
    assign may[0] = valid[0] && (clear[0] || !valid[1]);
    assign may[1] = valid[1] && clear[1];
    assign choose = may[1] && (!may[0] || !last_q);
    assign choice = Short || held_q ? choice_q : choose;

    assign cmd_valid_o  = held_q || (!Short && may != '0);
    assign cmd_o        = choice ? reduce_i.copy : store_i;
    assign cmd_reduce_o = choice;
    assign cmd_op_o     = choice ? reduce_i.how.op : '0;
    assign cmd_fresh_o  = choice ? reduce_fresh_i : store_fresh_i;

    assign ready = 2'(cmd_ready_i && cmd_valid_o) << choice;
    assign lets  = valid & ready;

    assign store_ready_o  = ready[0];
    assign reduce_ready_o = ready[1];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        held_q   <= 1'b0;
        last_q   <= 1'b0;
        inside_q <= '0;
      end else begin
        held_q   <= held_q ? !cmd_ready_i : may != '0 && (Short || !cmd_ready_i);
        inside_q <= lets | (inside_q & ~leaves);
        if (lets != '0) last_q <= choice;
      end
    end

    always_ff @(posedge clk_i) if (!held_q) choice_q <= choose;

    ///////////
    // Walks //
    ///////////

    assign walk_ready_o        = walk_reduce_i ? reduce_walk_ready_i : store_walk_ready_i;
    assign store_walk_valid_o  = walk_valid[0];
    assign reduce_walk_valid_o = walk_valid[1];

    if (Short) begin : g_short
      logic [1:0] free_q;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) free_q <= '0;
        else         free_q <= walk_ready & ~walk_valid;
      end

      assign free = free_q;
    end else begin : g_at_once
      assign free = walk_ready;
    end

    // Of the type the map decides.
    logic unused;
    assign unused = ^reduce_i.how;

    ////////////////
    // Assertions //
    ////////////////

    `TMA_ASSERT(TheirsStays, held_q |-> valid[choice_q])
    `TMA_ASSERT(WhoIsInsideHasAWalk, walk_valid_i |-> inside_q[walk_reduce_i])
    `TMA_ASSERT(OneOfEachInside, (lets & inside_q & ~leaves) == '0)
    `TMA_ASSERT(ReductionIsTakenAtOnce, walk_valid[1] |-> reduce_walk_ready_i)
    `TMA_ASSERT(StoreWalkerStaysFree, walk_ready[0] && !walk_valid[0] |=> walk_ready[0])
    `TMA_ASSERT(ReduceWalkerStaysFree, walk_ready[1] && !walk_valid[1] |=> walk_ready[1])
    `TMA_COVER(StoreWaitsForItsWalker, valid == 2'b11 && !held_q && may == 2'b00 && !clear[0])
    `TMA_COVER(ReductionWaitsForTheOther, valid == 2'b11 && !held_q && may == 2'b01)
    `TMA_COVER(ReductionOvertakes, valid == 2'b11 && !held_q && may == 2'b10)
    `TMA_COVER(InTurn, !held_q && may == 2'b11)
    `TMA_COVER(ReductionFindsAWalk, reduce_valid_i && walk_valid[0] && !store_walk_ready_i)
    `TMA_COVER(ReductionBehindAnOffer, reduce_valid_i && held_q && !choice_q)
  end else begin : g_wires
    assign cmd_valid_o         = store_valid_i;
    assign cmd_o               = store_i;
    assign cmd_reduce_o        = 1'b0;
    assign cmd_op_o            = '0;
    assign cmd_fresh_o         = store_fresh_i;
    assign store_ready_o       = cmd_ready_i;
    assign reduce_ready_o      = 1'b0;
    assign walk_ready_o        = store_walk_ready_i;
    assign store_walk_valid_o  = walk_valid_i;
    assign reduce_walk_valid_o = 1'b0;

    logic unused;
    assign unused = ^{clk_i, rst_ni, reduce_valid_i, reduce_i, reduce_fresh_i, walk_reduce_i, reduce_walk_ready_i};

    `TMA_ASSERT(NoReductions, !reduce_valid_i && !(walk_valid_i && walk_reduce_i))
  end

endmodule
