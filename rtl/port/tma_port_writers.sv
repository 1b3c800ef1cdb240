// SPDX-License-Identifier: Apache-2.0
// Two that write in front of one port: stores, and reductions. Addresses by turns, data in their order.
//
//   AW of stores ------+--> aw_o
//   AW of reductions --+     |
//                            v
//                     order FIFO: whose data comes next
//                            v
//   W of stores -------+--> w_o
//   W of reductions ---+
//
// Stores go first, but for one that finds a reduction which has waited behind another one. So nobody's `ready` for
// stores depends on what they offer:
//
//   cycle           0   1   2   3
//   stores          A   B   B   C
//   reductions      x   x   -   y
//   aw_o            A   x   B   C
//
// A port that is dead takes everything (`dead_i`), in no order.
//
// Throughput: one AW and W per cycle. Latency: none; a beat goes in the cycle behind its address at the earliest.
// `reduce_aw_ready_o` depends on `store_aw_valid_i`. With `Short` it does not: whose turn it is is in a register, an
// address of reductions waits for a cycle at least, and they send one every other cycle at most. Reset: control only.

`include "tma_assert.svh"

module tma_port_writers
  import tma_pkg::*;
#(
  parameter int unsigned Depth = 16, // addresses that may be ahead of their data
  parameter bit          Short = ShortPaths
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        dead_i,

  input  logic        store_aw_valid_i,
  output logic        store_aw_ready_o,
  input  aw_t         store_aw_i,
  input  logic        reduce_aw_valid_i,
  output logic        reduce_aw_ready_o,
  input  aw_t         reduce_aw_i,
  output logic        aw_valid_o,
  input  logic        aw_ready_i,
  output aw_t         aw_o,

  input  logic        store_w_valid_i,
  output logic        store_w_ready_o,
  input  stream_t     store_w_stream_i,
  input  write_beat_t store_w_i,
  input  logic        reduce_w_valid_i,
  output logic        reduce_w_ready_o,
  input  write_beat_t reduce_w_i,
  output logic        w_valid_o,
  input  logic        w_ready_i,
  output stream_t     w_stream_o,
  output write_beat_t w_o
);

  logic [$clog2(Depth+1)-1:0] unused_level;
  logic                       first_q, picked, free, room, taken;   // picked: a reduction
  logic                       next_valid, next, over;               // whose data comes

  assign picked            = first_q || (!Short && !store_aw_valid_i);
  assign free              = aw_ready_i && (room || dead_i);
  assign aw_valid_o        = (picked ? reduce_aw_valid_i : store_aw_valid_i) && (room || dead_i);
  assign aw_o              = picked ? reduce_aw_i : store_aw_i;
  assign store_aw_ready_o  = free && !first_q;
  assign reduce_aw_ready_o = free && picked;
  assign taken             = aw_valid_o && aw_ready_i && !dead_i;

  // With `Short` also where no store is there.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) first_q <= 1'b0;
    else         first_q <= reduce_aw_valid_i && !reduce_aw_ready_o &&
                            (first_q || (store_aw_valid_i ? free : Short));
  end

  tma_fifo #(.Width(1), .Depth(Depth)) u_order (
    .clk_i, .rst_ni, .in_valid_i(taken), .in_ready_o(room), .in_i(picked),
    .out_valid_o(next_valid), .out_ready_i(over), .out_o(next), .level_o(unused_level)
  );

  assign w_valid_o        = next_valid && (next ? reduce_w_valid_i : store_w_valid_i);
  assign w_stream_o       = next ? stream_t'(StreamReduce) : store_w_stream_i;
  assign w_o              = next ? reduce_w_i : store_w_i;
  assign store_w_ready_o  = dead_i || (w_ready_i && next_valid && !next);
  assign reduce_w_ready_o = dead_i || (w_ready_i && next_valid && next);
  assign over             = w_valid_o && w_ready_i && w_o.last && !dead_i;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(ReductionIsStable, reduce_aw_valid_i, reduce_aw_ready_o, reduce_aw_i)
  `TMA_ASSERT(FirstIsThere, first_q |-> reduce_aw_valid_i)
  `TMA_COVER(StoreWaitsForItsTurn, first_q && store_aw_valid_i && free)
  `TMA_COVER(OrderFills, !room && !dead_i)
  `TMA_COVER(DataWaitsForItsTurn, store_w_valid_i && reduce_w_valid_i && next_valid)

endmodule
