// SPDX-License-Identifier: Apache-2.0
// Broadcasts, the second lane of the store path: on their way to the guard, and one that was stopped.
//
//   cmd_i --> FIFO --> rows, one per command --> row_o, item_o
//   stop_i --> queue --> with its entry in tma_store_track --> read_done_o
//
// What is stopped reads nothing more. It says so when its fault was taken, together with its entry, and
// no other broadcast goes before (`stopped_o`).
//
// Throughput: one command per cycle. Latency: none, or with `Flow` 0 a cycle. Reset: control only.

`include "tma_assert.svh"

module tma_store_spread
  import tma_pkg::*;
  import tma_store_pkg::*;
#(
  parameter int unsigned Depth = 8,
  parameter bit          Flow  = 1'b1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic                       cmd_valid_i,
  output logic                       cmd_ready_o,
  input  store_cmd_t                 cmd_i,
  output logic [$clog2(Depth+1)-1:0] level_o,

  output logic                       row_valid_o,
  input  logic                       row_ready_i,
  output row_t                       row_o,
  output item_t                      item_o,

  // A command is stopped, one at a time; it waits for its entry, and goes with it
  input  logic                       stop_i,
  input  queue_t                     stop_queue_i,
  output logic                       stopped_o,
  input  logic                       drop_ready_i,
  output logic                       read_done_o,
  output queue_t                     read_done_queue_o
);

  // What there is of a bulk copy.
  typedef struct packed {
    logic [63:0]          gaddr;
    logic [RowChunks-1:0] chunks;
    cta_t                 cta;
    chunk_addr_t          saddr;
    logic [15:0]          byte_mask;
    hint_t                hint;
    origin_t              origin;
  } bulk_t;

  bulk_t in, out;

  assign in = '{gaddr: cmd_i.gaddr, chunks: cmd_i.chunks, cta: cmd_i.cta, saddr: cmd_i.saddr,
                byte_mask: cmd_i.byte_mask, hint: cmd_i.hint, origin: cmd_i.origin};

  tma_fifo #(.Width($bits(bulk_t)), .Depth(Depth), .FlowThrough(Flow)) u_cmd (
    .clk_i, .rst_ni, .in_valid_i(cmd_valid_i), .in_ready_o(cmd_ready_o), .in_i(in),
    .out_valid_o(row_valid_o), .out_ready_i(row_ready_i), .out_o(out), .level_o(level_o)
  );

  assign row_o  = '{gaddr: out.gaddr, saddr: out.saddr, chunks: out.chunks, odd: '0, none: 1'b0,
                    first: 1'b1, last: 1'b1};
  assign item_o = '{record: 1'b0, multimem: 1'b1, cta: out.cta, swizzle: SwizzleOff, pack: 1'b0, pair: 1'b0,
                    byte_mask: out.byte_mask, hint: out.hint, origin: out.origin, code: '0, how: '0};

  logic   stopped_q;
  queue_t queue_q;

  assign stopped_o         = stopped_q;
  assign read_done_o       = stopped_q && drop_ready_i;
  assign read_done_queue_o = queue_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) stopped_q <= 1'b0;
    else         stopped_q <= stop_i || (stopped_q && !drop_ready_i);
  end

  always_ff @(posedge clk_i) if (stop_i) queue_q <= stop_queue_i;

  logic unused_bits;
  assign unused_bits = ^cmd_i;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(CommandIsABroadcast, cmd_valid_i |-> cmd_i.multimem && !cmd_i.tensor)
  `TMA_ASSERT(OneIsStopped, stop_i |-> !stopped_q)
  `TMA_COVER(StoppedWaits, stopped_q && !drop_ready_i)

endmodule
