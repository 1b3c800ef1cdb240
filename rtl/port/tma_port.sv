// SPDX-License-Identifier: Apache-2.0
// All of one global port: its registers, what it owes to whom, and whether it lives. Structure only.
//
//   readers --> tma_port_readers --> tma_read_port ---> AR       tma_port_watch --> dead_o
//           <-----------------------               <--- R          ^        |
//   stores, reductions -------------> tma_write_port --> AW, W     | both   v both
//           <-----------------------                <--- B
//
// Every port can read, and has `NumReaders` read clients (`Clients`: tma_port_readers), of which those that never
// ask cost nothing. Those that write share AW and W; responses come by stream. `Loads`: tma_read_port. `Used`,
// `Addresses`, `Beats`: tma_write_port.
//
// A port that stands still for `limit_i` cycles is dead until reset: see the two ports for what then happens.
//
// Throughput: one AR, R, AW, W and B per cycle. Latency: a cycle for AR, AW and W, none for R and B, with
// ShortPaths a cycle for a B of which there are several streams. No ready of a pin reaches the clients in its cycle; `r_ready` and `b_ready` of the pins depend on those of the
// clients. Reset: control only.

module tma_port
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter int unsigned                NumReaders = 1,
  parameter logic [NumReaders-1:0][7:0] Clients    = '1,
  parameter bit                         Loads      = 1'b1,
  parameter logic [NumStreams-1:0]      Used       = '1,
  parameter int unsigned                Addresses  = 0,
  parameter int unsigned                Beats      = 0,
  parameter bit                         Strays     = 1'b0  // simulation: the bus may send what nobody asked for
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic [31:0]                  limit_i,   // of tma_port_watch

  input  read_req_t [NumReaders-1:0]   reader_i,
  output reader_rsp_t [NumReaders-1:0] reader_o,
  output logic [NumQueues-1:0]         hints_o,   // of tma_read_port
  input  writer_req_t                  writer_i,  // stores, all lanes
  output writer_rsp_t                  writer_o,
  output logic                         leaves_o,  // data has made room for another beat
  input  writer_req_t                  reduce_i,  // reductions, if there are any
  output writer_rsp_t                  reduce_o,

  output axi_req_t                     axi_o,
  input  axi_rsp_t                     axi_i,

  output logic                         dead_o
);

  logic [NumStreams-1:0]        b_valid, b_ready;
  write_resp_t [NumStreams-1:0] b;

  read_req_t   read;
  reader_rsp_t read_back;
  logic        read_pending, read_progress, write_pending, write_progress;

  tma_port_readers #(.NumReaders(NumReaders), .Clients(Clients)) u_readers (
    .clk_i, .rst_ni, .reader_i, .reader_o, .read_o(read), .read_i(read_back)
  );

  tma_read_port #(.Loads(Loads), .Strays(Strays)) u_read (
    .clk_i, .rst_ni, .dead_i(dead_o),
    .ar_valid_i(read.ar_valid), .ar_ready_o(read_back.ar_ready), .ar_i(read.ar),
    .r_valid_o(read_back.r_valid), .r_ready_i(read.r_ready), .r_o(read_back.r), .hints_o,
    .ar_valid_o(axi_o.read.ar_valid), .ar_ready_i(axi_i.read.ar_ready), .ar_o(axi_o.read.ar),
    .r_valid_i(axi_i.read.r_valid), .r_ready_o(axi_o.read.r_ready), .r_id_i(axi_i.read.r_id),
    .r_data_i(axi_i.read.r_data), .r_resp_i(axi_i.read.r_resp), .r_last_i(axi_i.read.r_last),
    .pending_o(read_pending), .progress_o(read_progress)
  );

  tma_write_port #(.Used(Used), .Addresses(Addresses), .Beats(Beats), .Strays(Strays)) u_write (
    .clk_i, .rst_ni, .dead_i(dead_o),
    .aw_valid_i(writer_i.aw_valid), .aw_ready_o(writer_o.aw_ready), .aw_i(writer_i.aw),
    .w_valid_i(writer_i.w_valid), .w_ready_o(writer_o.w_ready), .w_stream_i(writer_i.w_stream), .w_i(writer_i.w),
    .w_leaves_o(leaves_o), .w_stalls_o(writer_o.stalls),
    .reduce_aw_valid_i(reduce_i.aw_valid), .reduce_aw_ready_o(reduce_o.aw_ready), .reduce_aw_i(reduce_i.aw),
    .reduce_w_valid_i(reduce_i.w_valid), .reduce_w_ready_o(reduce_o.w_ready), .reduce_w_i(reduce_i.w),
    .b_valid_o(b_valid), .b_ready_i(b_ready), .b_o(b),
    .axi_o(axi_o.write), .axi_i(axi_i.write),
    .pending_o(write_pending), .progress_o(write_progress)
  );

  for (genvar s = 0; s < NumStreams; s++) begin : g_stream
    assign b_ready[s] = s < NumLanes ? writer_i.b_ready[s] : reduce_i.b_ready[s];
  end

  assign writer_o.b_valid = b_valid;
  assign writer_o.b       = b;
  assign reduce_o.b_valid = b_valid;
  assign reduce_o.b       = b;
  assign reduce_o.stalls  = writer_o.stalls;

  // What either writer has no use for: the other one's stream, the stream of its own data.
  logic unused_streams;
  assign unused_streams = ^{writer_i.b_ready, reduce_i.b_ready, reduce_i.w_stream};

  tma_port_watch u_watch (
    .clk_i, .rst_ni, .limit_i,
    .read_pending_i(read_pending), .read_progress_i(read_progress),
    .write_pending_i(write_pending), .write_progress_i(write_progress), .dead_o
  );

endmodule
