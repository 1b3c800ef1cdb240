// SPDX-License-Identifier: Apache-2.0
// Holds a tensor copy and its decoded map, and says what is worked on in each cycle.
//
//   accept --> operand_o: rounds, one per cycle --> position_o --> sum_o --> finish_o
//
// Rounds are: the C dimension of interleaved maps, if no lane has time for it otherwise; starts, group
// by group; of im2col walks the restarts, group by group. The first operand step is in the cycle
// behind the command; the position step follows in the next cycle, the sum step with it or, where
// products are apart, one cycle later. `finish_o` is the last sum step, in which the next command
// may come.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_setup_steps
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
  import tma_setup_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       granule16_i,

  input  logic       cmd_valid_i,
  output logic       cmd_ready_o,
  input  setup_cmd_t cmd_i,
  input  map_info_t  info_i,
  output logic [1:0] busy_o,         // with a load, a store

  // Held, and what kind of copy it is
  output setup_cmd_t cmd_o,
  output map_info_t  info_o,
  output logic       granule16_o,
  output logic       none_o,         // has a fault, or asks for the map alone
  output logic       load_o,         // writes shared memory
  output logic       list_o,         // gather4, scatter4
  output logic       wide_o,         // im2col_w, im2col_w_128
  output logic       tiled_o,
  output logic       runs_o,         // pixels side by side, of all channels
  output logic       slice_apart_o,  // the C dimension has a round of its own

  output round_t     operand_o,
  output logic       first_o,        // operand step of the first round
  output round_t     position_o,
  output logic       position_first_o,
  output round_t     sum_o,
  output logic       finish_o
);

  //////////
  // Held //
  //////////

  logic       busy_q, accept, store;
  setup_cmd_t cmd_q;
  logic       none_in, none_q;
  map_info_t  info_q;
  logic       granule_q, runs_q;

  assign cmd_ready_o = !busy_q || finish_o;
  assign accept      = cmd_valid_i && cmd_ready_o;
  assign store       = cmd_q.store;
  assign busy_o      = {busy_q && store, busy_q && !store};

  always_ff @(posedge clk_i) begin
    if (!rst_ni)       busy_q <= 1'b0;
    else if (accept)   busy_q <= 1'b1;
    else if (finish_o) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      cmd_q     <= cmd_i;
      none_q    <= none_in;
      info_q    <= info_i;
      granule_q <= granule16_i;
      runs_q    <= Runs && info_i.runs && cmd_i.op.coord[0] == '0;
    end
  end

  assign cmd_o       = cmd_q;
  assign info_o      = info_q;
  assign granule16_o = granule_q;

  assign none_o  = none_q;
  assign load_o  = !store && cmd_q.client == ClientLoad;
  assign list_o  = cmd_q.op.mode == ModeGather4 || cmd_q.op.mode == ModeScatter4;
  assign wide_o  = info_q.kind == KindW || info_q.kind == KindW128;
  assign tiled_o = info_q.kind == KindTiled;
  assign runs_o  = runs_q;

  // The last lane has time for the C dimension when there is no level for it.
  assign slice_apart_o = info_q.slice_used && (Lanes < 4 || info_q.level[Levels-1].used);

  //////////////////
  // Operand step //
  //////////////////

  op_e    op_q;
  index_t group_q;
  logic   a_q, first_q, last, more_starts, more_restarts;

  // Levels in use are contiguous, and so are the spatial ones.
  always_comb begin
    more_starts   = 1'b0;
    more_restarts = 1'b0;
    for (int unsigned i = 0; i < Levels; i++) begin
      if (i >= 32'(group_q) + Lanes) begin
        if (info_q.level[i].used || list_o) more_starts   = 1'b1;
        if (info_q.level[i].spatial)        more_restarts = 1'b1;
      end
    end
  end

  assign last = none_o || (op_q == OpStart ? !more_starts && tiled_o
                                           : op_q == OpRestart && !more_restarts);

  // Of the command that comes in: what it starts with.
  logic apart_in;
  assign none_in  = cmd_i.fault != FaultNone || cmd_i.op.mode == ModeMapOnly;
  assign apart_in = !none_in && info_i.slice_used && (Lanes < 4 || info_i.level[Levels-1].used);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) a_q <= 1'b0;
    else         a_q <= accept || (a_q && !last);
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
      group_q <= group_q + index_t'(Lanes % 4);
    end
  end

  assign operand_o = '{valid: a_q, op: op_q, group: group_q};
  assign first_o   = first_q;

  /////////////////////////
  // Position, sum steps //
  /////////////////////////

  op_e    op_b_q;
  index_t group_b_q;
  logic   b_q, first_b_q, last_b_q, last_c;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) b_q <= 1'b0;
    else         b_q <= a_q;
  end

  always_ff @(posedge clk_i) begin
    op_b_q    <= op_q;
    group_b_q <= group_q;
    last_b_q  <= last;
    first_b_q <= first_q;
  end

  assign position_o       = '{valid: b_q, op: op_b_q, group: group_b_q};
  assign position_first_o = first_b_q;

  if (Split) begin : g_sum_apart
    logic   c_q, last_q;
    op_e    op_c_q;
    index_t group_c_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) c_q <= 1'b0;
      else         c_q <= b_q;
    end

    always_ff @(posedge clk_i) begin
      op_c_q    <= op_b_q;
      group_c_q <= group_b_q;
      last_q    <= last_b_q;
    end

    assign sum_o  = '{valid: c_q, op: op_c_q, group: group_c_q};
    assign last_c = last_q;
  end else begin : g_sum_at_once
    assign sum_o  = position_o;
    assign last_c = last_b_q;
  end

  assign finish_o = sum_o.valid && last_c;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(BeginsWithTheLowest, a_q && first_q |-> group_q == '0 && op_q != OpRestart)
  `TMA_ASSERT(RoundsInOrder, a_q && !first_q |->
      op_q == $past(op_q) ? 32'(group_q) == 32'($past(group_q)) + Lanes
                          : op_q > $past(op_q) && group_q == '0)
  `TMA_ASSERT(NothingIsBehindTheLast, finish_o |-> busy_q && !a_q)
  `TMA_COVER(BackToBack, accept && finish_o)
  `TMA_COVER(SliceApart, a_q && op_q == OpSlice)

endmodule
