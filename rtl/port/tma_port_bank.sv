// SPDX-License-Identifier: Apache-2.0
// All global ports, each with those that use it. Structure only.
//
//   loads ------+--> port 0        stores, records --> lane 0 --> port 0
//   reductions -+--> every port    multimem stores --> lane 1 --> every port
//                                  reductions ------> a stream of their own --> every port
//
// Ports 1 and up have no loads and no stores but broadcasts, whose addresses wait there; data of stores waits in
// front of all of them (tma_store_room). Without reductions nobody reads at ports 1 and up.
//
// Throughput and latency: tma_port. Reset: control only.

`include "tma_assert.svh"

module tma_port_bank
  import tma_pkg::*;
  import tma_axi_pkg::*;
  import tma_store_pkg::PortBeats;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic [31:0]                limit_i,          // of tma_port_watch
  input  logic                       idle_i,           // nobody has anything in flight

  input  read_req_t                  load_i,           // port 0 alone
  output reader_rsp_t                load_o,
  output logic [NumQueues-1:0]       hints_o,          // of tma_read_port
  input  writer_req_t [NumPorts-1:0] store_i,
  output writer_rsp_t [NumPorts-1:0] store_o,
  output ports_t                     leaves_o,         // data has made room for another beat
  input  read_req_t [NumPorts-1:0]   reduce_read_i,
  output reader_rsp_t [NumPorts-1:0] reduce_read_o,
  input  writer_req_t [NumPorts-1:0] reduce_write_i,
  output writer_rsp_t [NumPorts-1:0] reduce_write_o,

  output axi_req_t [NumPorts-1:0]    axi_o,
  input  axi_rsp_t [NumPorts-1:0]    axi_i,

  output ports_t                     dead_o
);

  localparam logic [7:0] LoadClients   = 8'b0010_1111;
  localparam logic [7:0] ReduceClients = 8'(1 << ClientReduce);

  // Streams of ports 1 and up.
  localparam logic [NumStreams-1:0] Spread = NumStreams'(2 | (Reduces ? 1 << StreamReduce : 0));

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    localparam int unsigned NumReaders = p == 0 && Reduces ? 2 : 1;

    read_req_t [NumReaders-1:0]   reader;
    reader_rsp_t [NumReaders-1:0] reader_back;
    logic [NumQueues-1:0]         hints;

    // The last reader is the reductions, if there are any.
    if (p == 0) begin : g_load
      assign reader[0] = load_i;
      assign load_o    = reader_back[0];
      assign hints_o   = hints;
    end else begin : g_no_load
      logic unused_hints;

      assign unused_hints = ^hints;
    end

    if (Reduces) begin : g_reduce
      assign reader[NumReaders-1] = reduce_read_i[p];
      assign reduce_read_o[p]     = reader_back[NumReaders-1];
    end else begin : g_no_reduce
      logic unused_reduce;

      assign reduce_read_o[p] = '0;
      assign unused_reduce    = ^{reduce_read_i[p], reader_back};
      if (p > 0) begin : g_unread
        assign reader = '0;
      end
    end

    tma_port #(
      .NumReaders(NumReaders), .Clients((8*NumReaders)'({ReduceClients, LoadClients})), .Loads(p == 0),
      .Used(p > 0 ? Spread : '1), .Addresses(p > 0 ? PortBeats : 0), .Beats(NumPorts > 1 ? PortBeats : 0)
    ) u_port (
      .clk_i, .rst_ni, .limit_i,
      .reader_i(reader), .reader_o(reader_back), .hints_o(hints),
      .writer_i(store_i[p]), .writer_o(store_o[p]), .leaves_o(leaves_o[p]),
      .reduce_i(reduce_write_i[p]), .reduce_o(reduce_write_o[p]),
      .axi_o(axi_o[p]), .axi_i(axi_i[p]), .dead_o(dead_o[p])
    );

    `TMA_ASSERT(IdleIsOwedNothing, idle_i |-> u_port.u_read.owes == '0 && u_port.u_write.owes == '0 &&
        (dead_o[p] || u_port.u_write.sent == '0))
    `TMA_COVER(DeadPortIsUsed, dead_o[p] && store_i[p].aw_valid)
  end

endmodule
