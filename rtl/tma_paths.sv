// SPDX-License-Identifier: Apache-2.0
// What moves data, shared memory with its barriers, and the global ports. Structure only.
//
//   loads, fetches --> tma_load <------------> tma_port_bank: port 0, reads
//                       ^    \  tensor commands
//                walks  |     v
//             tma_tensor_path: maps, set-up
//                walks  |     ^
//                       v    /  tensor commands
//   stores, records -> tma_store <-----------> tma_port_bank: all ports, writes
//   reductions ------> tma_reduce <----------> tma_port_bank: all ports, both
//   shared-to-shared -> tma_shared_copy
//                          |   \--> tma_signal: copies that are done
//                     tma_cluster: shared memory, mbarriers

`include "tma_assert.svh"

module tma_paths
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_tensor_pkg::*;
  import tma_front_pkg::*;
  import tma_path_pkg::*;
  import tma_axi_pkg::*;
(
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // Set-up
  input  queue_cfg_t [NumQueues-1:0]   cfg_i,        // enable: active
  input  window_write_t                window_write_i,
  input  multimem_t [NumMultimem-1:0]  multimem_i,
  input  common_cfg_t                  common_i,
  input  logic [NumQueues-1:0]         restart_i,    // pulse: the queue is resumed
  output ports_t                       dead_o,
  output logic [NumQueues-1:0]         hints_o,      // a prefetch of it is on the pins, or right behind

  // Front end: commands, fetches of commands, records of ring queues, what has happened
  input  path_cmd_t                    path_i,
  output path_levels_t                 levels_o,
  input  fetch_req_t                   fetch_i,
  output fetch_rsp_t                   fetch_o,
  input  record_req_t                  rec_i,
  output record_rsp_t                  rec_o,
  output path_events_t                 events_o,

  // Faults, by Fault*
  output logic [NumFaulters-1:0]       fault_valid_o,
  input  logic [NumFaulters-1:0]       fault_ready_i,
  output fault_t [NumFaulters-1:0]     fault_o,

  // Barrier operations of issue
  input  logic [NumCtas-1:0]           bar_valid_i,
  output logic [NumCtas-1:0]           bar_ready_o,
  input  logic                         bar_again_i,
  input  bar_req_t                     bar_req_i,
  input  logic                         bar_commit_i,
  output bar_rsp_t [NumCtas-1:0]       bar_rsp_o,
  output logic [NumCtas-1:0]           bar_update_o,

  // External ports of the shared memories
  input  logic [NumCtas-1:0]           ext_valid_i,
  output logic [NumCtas-1:0]           ext_ready_o,
  input  logic [NumCtas-1:0]           ext_write_i,
  input  logic [NumCtas-1:0][31:0]     ext_addr_i,
  input  logic [NumCtas-1:0][15:0]     ext_strb_i,
  input  logic [NumCtas-1:0][127:0]    ext_wdata_i,
  output logic [NumCtas-1:0]           ext_rvalid_o,
  output logic [NumCtas-1:0][127:0]    ext_rdata_o,

  output axi_req_t [NumPorts-1:0]      axi_o,
  input  axi_rsp_t [NumPorts-1:0]      axi_i,

  output path_counts_t                 counts_o,
  output logic                         idle_o
);

  //////////////////////////////////////
  // Between global and shared memory //
  //////////////////////////////////////

  logic             load_ready, prefetch_ready, store_ready, reduce_ready, shared_ready;
  logic             load_wr_valid, load_wr_ready, cp_wr_valid, cp_wr_ready;
  smem_write_t      load_wr;
  chunk_write_t     cp_wr;
  logic [3:0]       rd_valid, rd_ready;  // of stores, of copies, of destinations of these; of reductions
  cta_t [3:0]       rd_cta;
  bank_rows_t [3:0] rd_rows;
  line_t [2:0]      rd_data;
  logic             load_sig_valid, load_sig_ready, cp_sig_valid, cp_sig_ready;
  signal_t          load_sig, cp_sig;
  logic [2:0]       tensor_valid, tensor_ready, walk_valid, walk_ready;  // load, store, reduction
  load_cmd_t        load_tensor;
  store_cmd_t       store_tensor;
  reduce_cmd_t      reduce_tensor;
  walk_t [1:0]      walk;
  map_req_t         map_req;
  map_rsp_t         map_rsp;
  logic             load_idle, store_idle, reduce_idle;
  load_events_t     load_events;

  read_req_t                  load_port;
  reader_rsp_t                load_port_back;
  writer_req_t [NumPorts-1:0] writer, reduce_writer;
  writer_rsp_t [NumPorts-1:0] writer_back, reduce_writer_back;
  read_req_t [NumPorts-1:0]   reduce_reader;
  reader_rsp_t [NumPorts-1:0] reduce_reader_back;
  ports_t                     leaves;
  write_counts_t              store_counts, reduce_counts;

  tma_load #(.CmdDepth(PathDepth), .CmdFlow(!ShortPaths)) u_load (
    .clk_i, .rst_ni, .window_write_i, .cfg_i, .axcache_i(common_i.axcache), .restart_i,
    .cmd_valid_i(path_i.load_valid), .cmd_ready_o(load_ready), .cmd_i(path_i.load),
    .level_o({levels_o.prefetch, levels_o.tensor, levels_o.load}),
    .prefetch_valid_i(path_i.prefetch_valid), .prefetch_ready_o(prefetch_ready), .prefetch_i(path_i.prefetch),
    .tensor_valid_o(tensor_valid[0]), .tensor_ready_i(tensor_ready[0]), .tensor_o(load_tensor),
    .walk_valid_i(walk_valid[0]), .walk_ready_o(walk_ready[0]), .walk_i(walk[0]),
    .fetch_i, .fetch_o, .map_i(map_req), .map_o(map_rsp),
    .port_o(load_port), .port_i(load_port_back), .dead_i(dead_o[0]),
    .wr_valid_o(load_wr_valid), .wr_ready_i(load_wr_ready), .wr_o(load_wr),
    .cp_wr_valid_o(cp_wr_valid), .cp_wr_ready_i(cp_wr_ready), .cp_wr_o(cp_wr),
    .sig_valid_o({cp_sig_valid, load_sig_valid}), .sig_ready_i({cp_sig_ready, load_sig_ready}),
    .sig_o({cp_sig, load_sig}),
    .fault_valid_o(fault_valid_o[FaultLoad]), .fault_ready_i(fault_ready_i[FaultLoad]), .fault_o(fault_o[FaultLoad]),
    .events_o(load_events), .idle_o(load_idle)
  );

  assign events_o.begun           = '{burst: load_events.burst_add, fill: load_events.fill_add};
  assign events_o.ended.issued    = load_events.issued;
  assign events_o.ended.burst     = load_events.burst_done;
  assign events_o.ended.fill      = load_events.fill_done;
  assign events_o.ended.cp_async  = load_events.cp_done;
  assign events_o.ended.cp_drop   = load_events.cp_drop;
  assign events_o.prefetch        = load_events.prefetch;
  assign events_o.load_read       = load_events.read;
  assign events_o.load_read_queue = load_events.read_queue;
  assign counts_o.prefetch_error  = load_events.prefetch_error;

  tma_store #(.CmdDepth(PathDepth), .CmdFlow(!ShortPaths)) u_store (
    .clk_i, .rst_ni, .window_write_i, .multimem_i, .cfg_i, .axcache_i(common_i.axcache),
    .cmd_valid_i(path_i.store_valid), .cmd_ready_o(store_ready), .cmd_i(path_i.store),
    .cmd_level_o(levels_o.store),
    .tensor_valid_o(tensor_valid[1]), .tensor_ready_i(tensor_ready[1]), .tensor_o(store_tensor),
    .walk_valid_i(walk_valid[1]), .walk_ready_o(walk_ready[1]), .walk_i(walk[1]),
    .rec_valid_i(rec_i.valid), .rec_ready_o(rec_o.ready), .rec_i(rec_i.cmd), .rec_data_i(rec_i.data),
    .rec_data_pop_o(rec_o.data_pop),
    .rd_valid_o(rd_valid[0]), .rd_ready_i(rd_ready[0]), .rd_cta_o(rd_cta[0]),
    .rd_rows_o(rd_rows[0]), .rd_data_i(rd_data[0]),
    .port_o(writer), .port_i(writer_back), .leaves_i(leaves),
    .read_done_o(events_o.read[NumLanes-1:0]), .write_done_o(events_o.ended.store[NumLanes-1:0]),
    .rec_done_o(rec_o.done), .fault_valid_o(fault_valid_o[FaultStore]), .fault_ready_i(fault_ready_i[FaultStore]),
    .fault_o(fault_o[FaultStore]), .counts_o(store_counts), .idle_o(store_idle)
  );

  if (Reduces) begin : g_reduce
    tma_reduce #(.CmdDepth(PathDepth), .CmdFlow(!ShortPaths)) u_reduce (
      .clk_i, .rst_ni, .window_write_i, .multimem_i, .cfg_i, .axcache_i(common_i.axcache),
      .f32_ftz_i(common_i.behaviour.f32_ftz),
      .cmd_valid_i(path_i.reduce_valid), .cmd_ready_o(reduce_ready), .cmd_i(path_i.reduce),
      .cmd_level_o(levels_o.reduce),
      .tensor_valid_o(tensor_valid[2]), .tensor_ready_i(tensor_ready[2]), .tensor_o(reduce_tensor),
      .walk_valid_i(walk_valid[2]), .walk_ready_o(walk_ready[2]), .walk_i(walk[1]),
      .rd_valid_o(rd_valid[3]), .rd_ready_i(rd_ready[3]), .rd_cta_o(rd_cta[3]),
      .rd_rows_o(rd_rows[3]), .rd_data_i(rd_data[0]),
      .reader_o(reduce_reader), .reader_i(reduce_reader_back),
      .writer_o(reduce_writer), .writer_i(reduce_writer_back),
      .read_done_o(events_o.read[StreamReduce]), .write_done_o(events_o.ended.store[StreamReduce]),
      .fault_valid_o(fault_valid_o[FaultReduce]), .fault_ready_i(fault_ready_i[FaultReduce]),
      .fault_o(fault_o[FaultReduce]), .counts_o(reduce_counts), .idle_o(reduce_idle)
    );
  end else begin : g_no_reduce
    logic unused_reduce;

    assign {reduce_ready, levels_o.reduce, tensor_valid[2], reduce_tensor, walk_ready[2], reduce_reader,
            reduce_writer, reduce_counts, rd_valid[3], rd_cta[3], rd_rows[3]} = '0;
    assign reduce_idle   = 1'b1;
    assign unused_reduce = ^{path_i.reduce_valid, path_i.reduce, tensor_ready[2], walk_valid[2], rd_ready[3],
                             reduce_reader_back, reduce_writer_back};
  end

  assign counts_o.write = store_counts | reduce_counts;

  logic tensor_idle;

  tma_tensor_path u_maps (
    .clk_i, .rst_ni, .window_write_i, .cfg_i, .granule16_i(common_i.behaviour.granule16),
    .fence_valid_i(path_i.fence_valid), .fence_queue_i(path_i.fence_queue), .fence_addr_i(path_i.fence_addr),
    .cmd_valid_i(tensor_valid), .cmd_ready_o(tensor_ready),
    .fresh_i({levels_o.reduce == '0, levels_o.store[0] == '0, levels_o.tensor == '0}),
    .load_i(load_tensor), .store_i(store_tensor), .reduce_i(reduce_tensor),
    .walk_valid_o(walk_valid), .walk_ready_i(walk_ready), .walk_o(walk),
    .map_o(map_req), .map_i(map_rsp), .beat_i(fetch_o.r), .idle_o(tensor_idle)
  );

  //////////////////
  // Between CTAs //
  //////////////////

  logic        copy_valid, copy_ready, copy_wr_valid, copy_wr_ready, copy_sig_valid, copy_sig_ready;
  logic        copy_idle;
  shared_cmd_t copy_cmd;
  smem_write_t copy_wr;
  signal_t     copy_sig;

  tma_fifo_block #(.Width($bits(shared_cmd_t)), .Depth(PathDepth), .Block(ShortPaths), .Register(1'b1)) u_copy_cmd (
    .clk_i, .rst_ni,
    .in_valid_i(path_i.shared_valid), .in_ready_o(shared_ready), .in_i(path_i.shared),
    .out_valid_o(copy_valid), .out_ready_i(copy_ready), .out_o(copy_cmd), .level_o(levels_o.shared)
  );

  tma_shared_copy u_copy (
    .clk_i, .rst_ni,
    .cmd_valid_i(copy_valid), .cmd_ready_o(copy_ready), .cmd_i(copy_cmd),
    .rd_valid_o(rd_valid[2:1]), .rd_ready_i(rd_ready[2:1]), .rd_cta_o(rd_cta[2:1]),
    .rd_rows_o(rd_rows[2:1]), .rd_data_i(rd_data[2:1]),
    .wr_valid_o(copy_wr_valid), .wr_ready_i(copy_wr_ready), .wr_o(copy_wr),
    .sig_valid_o(copy_sig_valid), .sig_ready_i(copy_sig_ready), .sig_o(copy_sig),
    .line_event_o(counts_o.line), .idle_o(copy_idle)
  );

  /////////////////////////////
  // Barriers, shared memory //
  /////////////////////////////

  logic [NumCtas-1:0]       bar_b_valid, bar_b_ready;
  bar_addr_t                bar_b_addr;
  logic                     bar_b_arrive, signal_idle;
  logic [SizeWidth-1:0]     bar_b_tx;
  logic [NumCtas-1:0][15:0] bar_b_fault;

  tma_signal u_signal (
    .clk_i, .rst_ni,
    .load_sig_valid_i(load_sig_valid), .load_sig_ready_o(load_sig_ready), .load_sig_i(load_sig),
    .shared_sig_valid_i(copy_sig_valid), .shared_sig_ready_o(copy_sig_ready),
    .shared_sig_i(copy_sig),
    .cp_sig_valid_i(cp_sig_valid), .cp_sig_ready_o(cp_sig_ready), .cp_sig_i(cp_sig),
    .bar_b_valid_o(bar_b_valid), .bar_b_ready_i(bar_b_ready), .bar_b_addr_o(bar_b_addr),
    .bar_b_arrive_o(bar_b_arrive), .bar_b_tx_o(bar_b_tx), .bar_b_fault_i(bar_b_fault),
    .fault_valid_o(fault_valid_o[FaultSignal]), .fault_ready_i(fault_ready_i[FaultSignal]), .fault_o(fault_o[FaultSignal]),
    .done_o(events_o.ended.signal.valid), .done_queue_o(events_o.ended.signal.qid),
    .signal_event_o(counts_o.signal), .idle_o(signal_idle)
  );

  // Sources of stores and of reductions.
  logic       source_valid, source_ready;
  cta_t       source_cta;
  bank_rows_t source_rows;

  tma_smem_turns u_turns (
    .clk_i, .rst_ni, .valid_i({rd_valid[3], rd_valid[0]}), .ready_o({rd_ready[3], rd_ready[0]}),
    .cta_i({rd_cta[3], rd_cta[0]}), .rows_i({rd_rows[3], rd_rows[0]}),
    .rd_valid_o(source_valid), .rd_ready_i(source_ready), .rd_cta_o(source_cta), .rd_rows_o(source_rows)
  );

  tma_cluster u_cluster (
    .clk_i, .rst_ni,
    .load_valid_i(load_wr_valid), .load_ready_o(load_wr_ready), .load_i(load_wr),
    .copy_valid_i(copy_wr_valid), .copy_ready_o(copy_wr_ready), .copy_i(copy_wr),
    .cp_valid_i(cp_wr_valid), .cp_ready_o(cp_wr_ready), .cp_i(cp_wr),
    .rd_valid_i({rd_valid[2:1], source_valid}), .rd_ready_o({rd_ready[2:1], source_ready}),
    .rd_cta_i({rd_cta[2:1], source_cta}), .rd_rows_i({rd_rows[2:1], source_rows}), .rd_data_o(rd_data),
    .ext_valid_i, .ext_ready_o, .ext_write_i, .ext_addr_i, .ext_strb_i, .ext_wdata_i,
    .ext_rvalid_o, .ext_rdata_o,
    .bar_a_valid_i(bar_valid_i), .bar_a_ready_o(bar_ready_o), .bar_a_again_i(bar_again_i),
    .bar_a_req_i(bar_req_i), .bar_a_commit_i(bar_commit_i), .bar_a_rsp_o(bar_rsp_o),
    .bar_b_valid_i(bar_b_valid), .bar_b_ready_o(bar_b_ready), .bar_b_addr_i(bar_b_addr),
    .bar_b_arrive_i(bar_b_arrive), .bar_b_tx_i(bar_b_tx), .bar_b_fault_o(bar_b_fault),
    .bar_update_o
  );

  ///////////
  // Ports //
  ///////////

  tma_port_bank u_ports (
    .clk_i, .rst_ni, .limit_i(common_i.watchdog), .idle_i(idle_o),
    .load_i(load_port), .load_o(load_port_back), .hints_o,
    .store_i(writer), .store_o(writer_back), .leaves_o(leaves),
    .reduce_read_i(reduce_reader), .reduce_read_o(reduce_reader_back),
    .reduce_write_i(reduce_writer), .reduce_write_o(reduce_writer_back),
    .axi_o, .axi_i, .dead_o
  );

  assign idle_o = load_idle && store_idle && reduce_idle && tensor_idle && copy_idle && signal_idle &&
                  levels_o.shared == '0 && !copy_valid;

`ifndef SYNTHESIS
  tma_path_checks u_checks (
    .clk_i, .rst_ni, .cfg_i, .path_i, .load_ready_i(load_ready),
    .prefetch_ready_i(prefetch_ready), .store_ready_i(store_ready), .reduce_ready_i(reduce_ready), .shared_ready_i(shared_ready),
    .idle_i(idle_o), .failed_i(fault_valid_o != '0),
    .load_wr_valid_i(load_wr_valid), .load_wr_ready_i(load_wr_ready), .load_wr_i(load_wr),
    .copy_wr_valid_i(copy_wr_valid), .copy_wr_ready_i(copy_wr_ready), .copy_wr_i(copy_wr),
    .load_sig_valid_i(load_sig_valid), .load_sig_ready_i(load_sig_ready), .load_sig_i(load_sig),
    .copy_sig_valid_i(copy_sig_valid), .copy_sig_ready_i(copy_sig_ready), .copy_sig_i(copy_sig)
  );
`endif

endmodule
