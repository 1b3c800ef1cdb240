// SPDX-License-Identifier: Apache-2.0
// Sends bursts of reductions when they are complete, each to its port, and drops those whose old data has an error.
//
//   bursts that are complete --> head, with its target --+--> AW of its port
//                                                        +--> outcome
//                                                        +--> order FIFO --> W of its port <-- results
//
// AW leaves when the last line of its burst is there, and with or behind the last beat for another port: so a port never
// waits for data that is not there, nor for another port.
//
// Throughput: a burst and a line per cycle. Latency: a cycle to AW; W in the cycle behind its AW at the earliest.
// `aw_valid_o` depends on `outcome_ready_i` and `w_ready_i`. Reset: control only.

`include "tma_assert.svh"

module tma_reduce_send
  import tma_pkg::*;
  import tma_reduce_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  // Targets, in the order of bursts; bursts that are complete, their lines
  input  logic         target_valid_i,
  output logic         target_ready_o,
  input  target_t      target_i,
  input  logic         burst_i,        // pulse
  input  failure_t     failure_i,
  input  logic         line_valid_i,
  output logic         line_ready_o,
  input  result_t      line_i,

  // Ports
  output ports_t       aw_valid_o,
  input  ports_t       aw_ready_i,
  output aw_t          aw_o,
  output ports_t       w_valid_o,
  input  ports_t       w_ready_i,
  output write_beat_t  w_o,

  output logic         outcome_valid_o,
  input  logic         outcome_ready_i,
  output outcome_t     outcome_o,

  output logic         idle_o
);

  // Each has a line and an entry.
  localparam int unsigned Bursts     = ResultLines < NumReductions ? ResultLines : NumReductions;
  localparam int unsigned OrderDepth = 4;
  localparam int unsigned OrderWidth = $clog2(OrderDepth + 1);

  typedef struct packed {
    port_t               port;
    logic                dropped;
    logic [LenWidth-1:0] len;
  } order_t;

  ////////
  // AW //
  ////////

  logic     burst_valid, burst_ready, goes, may, order_valid, order_ready, is_last, moves, unused_room;
  logic     elsewhere;  // data of another port is left
  order_t   order;
  logic [OrderWidth-1:0] order_level;
  failure_t failure;
  logic [$clog2(Bursts+1)-1:0] burst_level;

  tma_fifo #(.Width($bits(failure_t)), .Depth(Bursts)) u_bursts (
    .clk_i, .rst_ni, .in_valid_i(burst_i), .in_ready_o(unused_room), .in_i(failure_i),
    .out_valid_o(burst_valid), .out_ready_i(burst_ready), .out_o(failure), .level_o(burst_level)
  );

  // All that is left is of one port.
  assign elsewhere   = NumPorts > 1 && order_valid && order.port != target_i.port &&
                       !(moves && is_last && order_level == OrderWidth'(1));
  assign may         = burst_valid && target_valid_i && order_ready && outcome_ready_i && !elsewhere;
  assign goes        = may && (failure.failed || aw_ready_i[target_i.port]);
  assign aw_o        = target_i.aw;
  assign burst_ready = goes;

  assign target_ready_o  = goes;
  assign outcome_valid_o = goes;
  assign outcome_o       = '{port: target_i.port, failure: failure};

  ///////
  // W //
  ///////

  logic [LenWidth-1:0] beat_q;

  tma_fifo #(.Width($bits(order_t)), .Depth(OrderDepth)) u_order (
    .clk_i, .rst_ni, .in_valid_i(goes), .in_ready_o(order_ready),
    .in_i({target_i.port, failure.failed, target_i.aw.len}),
    .out_valid_o(order_valid), .out_ready_i(moves && is_last), .out_o(order), .level_o(order_level)
  );

  assign is_last      = beat_q == order.len;
  assign w_o          = '{data: line_i.data, strb: line_i.strb, last: is_last};
  assign moves        = order_valid && line_valid_i && (order.dropped || w_ready_i[order.port]);
  assign line_ready_o = moves;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign aw_valid_o[p] = may && !failure.failed && target_i.port == port_t'(p);
    assign w_valid_o[p]  = order_valid && !order.dropped && line_valid_i && order.port == port_t'(p);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)    beat_q <= '0;
    else if (moves) beat_q <= is_last ? '0 : beat_q + LenWidth'(1);
  end

  assign idle_o = burst_level == '0 && !order_valid;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(BurstHasRoom, burst_i |-> unused_room)
  `TMA_ASSERT(BurstHasATarget, burst_valid |-> target_valid_i)
  `TMA_COVER(Dropped, moves && order.dropped)
  `TMA_COVER(OrderFills, burst_valid && !order_ready)
  `TMA_COVER(AddressWaits, aw_valid_o != '0 && !goes)
  `TMA_COVER(DataWaits, w_valid_o != '0 && !moves)
  if (NumPorts > 1) begin : g_ports
    `TMA_ASSERT(DataIsOfOnePort, goes && order_level > OrderWidth'(moves && is_last) |-> order.port == target_i.port)
    `TMA_COVER(WaitsForAnotherPort, burst_valid && elsewhere)
  end

endmodule
