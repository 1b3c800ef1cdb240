// SPDX-License-Identifier: Apache-2.0
// The reductions with the ports that they have in the engine, where nobody else uses these; for their test.

`include "tma_assert.svh"

module tma_reduce_ports
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_tensor_pkg::*;
  import tma_axi_pkg::*;
  import tma_path_pkg::*;
  import tma_store_pkg::PortBeats;
  import tma_reduce_pkg::*;
#(
  parameter int unsigned CmdDepth = 8
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,

  input  window_write_t                       window_write_i,
  input  multimem_t [NumMultimem-1:0]         multimem_i,
  input  queue_cfg_t [NumQueues-1:0]          cfg_i,
  input  logic [3:0]                          axcache_i,
  input  logic                                f32_ftz_i,

  // Commands in
  input  logic                                cmd_valid_i,
  output logic                                cmd_ready_o,
  input  reduce_cmd_t                         cmd_i,
  output logic [$clog2(CmdDepth+1)-1:0]       cmd_level_o,

  // Tensor commands out, to their set-up; as walks they come back, in order
  output logic                                tensor_valid_o,
  input  logic                                tensor_ready_i,
  output reduce_cmd_t                         tensor_o,
  input  logic                                walk_valid_i,
  output logic                                walk_ready_o,
  input  walk_t                               walk_i,

  // Shared memory: data comes in the cycle after the handshake, in bank order
  output logic                                rd_valid_o,
  input  logic                                rd_ready_i,
  output cta_t                                rd_cta_o,
  output bank_rows_t                          rd_rows_o,
  input  line_t                               rd_data_i,

  output axi_req_t [NumPorts-1:0]             axi_o,
  input  axi_rsp_t [NumPorts-1:0]             axi_i,
  input  logic [NumPorts-1:0]                 dead_i,

  // One pulse each per command, in command order
  output event_t                              read_done_o,
  output event_t                              write_done_o,

  output logic                                fault_valid_o,
  input  logic                                fault_ready_i,
  output fault_t                              fault_o,

  // A burst goes, and where; it follows another one
  output logic                                go_o,
  output target_t                             target_o,
  output logic                                follows_o,

  output write_counts_t                       counts_o,
  output logic                                idle_o
);

  // Streams of ports 1 and up, as in tma_port_bank.
  localparam logic [NumStreams-1:0] Spread = NumStreams'(2 | 1 << StreamReduce);

  read_req_t   [NumPorts-1:0] reader;
  reader_rsp_t [NumPorts-1:0] reader_back;
  writer_req_t [NumPorts-1:0] writer;
  writer_rsp_t [NumPorts-1:0] writer_back;

  tma_reduce #(.CmdDepth(CmdDepth), .CmdFlow(!ShortPaths)) u_reduce (
    .clk_i, .rst_ni, .window_write_i, .multimem_i, .cfg_i, .axcache_i, .f32_ftz_i,
    .cmd_valid_i, .cmd_ready_o, .cmd_i, .cmd_level_o,
    .tensor_valid_o, .tensor_ready_i, .tensor_o, .walk_valid_i, .walk_ready_o, .walk_i,
    .rd_valid_o, .rd_ready_i, .rd_cta_o, .rd_rows_o, .rd_data_i,
    .reader_o(reader), .reader_i(reader_back), .writer_o(writer), .writer_i(writer_back),
    .read_done_o, .write_done_o, .fault_valid_o, .fault_ready_i, .fault_o, .counts_o, .idle_o
  );

  assign go_o      = u_reduce.go;
  assign target_o  = u_reduce.target_in;
  assign follows_o = u_reduce.plan_in.follows;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    logic                         unused_read, unused_write, unused_leaves;
    logic [1:0]                   unused_store, unused_progress;
    logic [NumQueues-1:0]         unused_hints;
    logic [NumStreams-1:0]        b_valid;
    write_resp_t [NumStreams-1:0] b;

    tma_read_port #(.Loads(p == 0)) u_read (
      .clk_i, .rst_ni, .dead_i(dead_i[p]),
      .ar_valid_i(reader[p].ar_valid), .ar_ready_o(reader_back[p].ar_ready), .ar_i(reader[p].ar),
      .r_valid_o(reader_back[p].r_valid), .r_ready_i(reader[p].r_ready), .r_o(reader_back[p].r),
      .hints_o(unused_hints),
      .ar_valid_o(axi_o[p].read.ar_valid), .ar_ready_i(axi_i[p].read.ar_ready), .ar_o(axi_o[p].read.ar),
      .r_valid_i(axi_i[p].read.r_valid), .r_ready_o(axi_o[p].read.r_ready), .r_id_i(axi_i[p].read.r_id),
      .r_data_i(axi_i[p].read.r_data), .r_resp_i(axi_i[p].read.r_resp), .r_last_i(axi_i[p].read.r_last),
      .pending_o(unused_read), .progress_o(unused_progress[0])
    );

    tma_write_port #(
      .Used(p > 0 ? Spread : '1), .Addresses(p > 0 ? PortBeats : 0), .Beats(NumPorts > 1 ? PortBeats : 0)
    ) u_write (
      .clk_i, .rst_ni, .dead_i(dead_i[p]),
      .aw_valid_i(1'b0), .aw_ready_o(unused_store[0]), .aw_i('0),
      .w_valid_i(1'b0), .w_ready_o(unused_store[1]), .w_stream_i('0), .w_i('0),
      .w_leaves_o(unused_leaves), .w_stalls_o(writer_back[p].stalls),
      .reduce_aw_valid_i(writer[p].aw_valid), .reduce_aw_ready_o(writer_back[p].aw_ready),
      .reduce_aw_i(writer[p].aw),
      .reduce_w_valid_i(writer[p].w_valid), .reduce_w_ready_o(writer_back[p].w_ready), .reduce_w_i(writer[p].w),
      .b_valid_o(b_valid), .b_ready_i(writer[p].b_ready), .b_o(b),
      .axi_o(axi_o[p].write), .axi_i(axi_i[p].write),
      .pending_o(unused_write), .progress_o(unused_progress[1])
    );

    assign writer_back[p].b_valid = b_valid;
    assign writer_back[p].b       = b;

    `TMA_ASSERT(IdleIsOwedNothing, idle_o |-> u_read.owes == '0 && u_write.owes == '0 &&
        (dead_i[p] || u_write.sent == '0))
    `TMA_ASSERT(DataIsOfReductions, writer[p].w_valid |-> writer[p].w_stream == stream_t'(StreamReduce))
  end

endmodule
