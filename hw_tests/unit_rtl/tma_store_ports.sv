// SPDX-License-Identifier: Apache-2.0
// The store path with the write ports that it has in the engine, for the tests of the store path.

`include "tma_assert.svh"

module tma_store_ports
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_tensor_pkg::*;
  import tma_store_pkg::*;
  import tma_axi_pkg::*;
  import tma_path_pkg::*;
#(
  parameter int unsigned CmdDepth = 8
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,

  input  window_write_t                     window_write_i,
  input  multimem_t [NumMultimem-1:0]       multimem_i,
  input  queue_cfg_t [NumQueues-1:0]        cfg_i,
  input  logic [3:0]                        axcache_i,

  // Commands in: `cmd_ready_o` depends on `cmd_i.multimem`. Levels by lane.
  input  logic                              cmd_valid_i,
  output logic                              cmd_ready_o,
  input  store_cmd_t                        cmd_i,
  output logic [NumLanes-1:0][$clog2(CmdDepth+1)-1:0] cmd_level_o,

  // Tensor commands out, to their set-up; as walks they come back, in order
  output logic                              tensor_valid_o,
  input  logic                              tensor_ready_i,
  output store_cmd_t                        tensor_o,
  input  logic                              walk_valid_i,
  output logic                              walk_ready_o,
  input  walk_t                             walk_i,

  // Records in: they go before the commands that wait. The bytes are those of the oldest record
  // whose bytes were not taken; they may be looked at from the cycle after its handshake on.
  input  logic                              rec_valid_i,
  output logic                              rec_ready_o,
  input  record_cmd_t                       rec_i,
  input  logic [255:0]                      rec_data_i,
  output logic                              rec_data_pop_o,

  // Shared memory: data comes in the cycle after the handshake, in bank order
  output logic                              rd_valid_o,
  input  logic                              rd_ready_i,
  output cta_t                              rd_cta_o,
  output bank_rows_t                        rd_rows_o,
  input  line_t                             rd_data_i,

  // AXI write channels
  output write_req_t [NumPorts-1:0]         axi_o,
  input  write_rsp_t [NumPorts-1:0]         axi_i,

  input  logic [NumPorts-1:0]               dead_i,
  output logic [NumPorts-1:0]               write_pending_o,

  // By lane, one pulse each per command, in command order, of faulted commands too; of records, rec_done
  output event_t [NumLanes-1:0]             read_done_o,
  output event_t [NumLanes-1:0]             write_done_o,
  output event_t                            rec_done_o,

  // Faults: at most one per command or record, before its write_done or rec_done
  output logic                              fault_valid_o,
  input  logic                              fault_ready_i,
  output fault_t                            fault_o,

  output write_counts_t                     counts_o,
  output logic                              idle_o
);

  writer_req_t [NumPorts-1:0] port;
  writer_rsp_t [NumPorts-1:0] port_back;
  ports_t                     leaves;

  tma_store #(.CmdDepth(CmdDepth)) u_store (
    .clk_i, .rst_ni, .window_write_i, .multimem_i, .cfg_i, .axcache_i,
    .cmd_valid_i, .cmd_ready_o, .cmd_i, .cmd_level_o,
    .tensor_valid_o, .tensor_ready_i, .tensor_o, .walk_valid_i, .walk_ready_o, .walk_i,
    .rec_valid_i, .rec_ready_o, .rec_i, .rec_data_i, .rec_data_pop_o,
    .rd_valid_o, .rd_ready_i, .rd_cta_o, .rd_rows_o, .rd_data_i,
    .port_o(port), .port_i(port_back), .leaves_i(leaves),
    .read_done_o, .write_done_o, .rec_done_o, .fault_valid_o, .fault_ready_i, .fault_o,
    .counts_o, .idle_o
  );

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    logic       unused_progress;
    logic [1:0] unused_reduce;

    tma_write_port #(
      .Used(NumStreams'(p > 0 ? 2 : (1 << NumLanes) - 1)), .Addresses(p > 0 ? PortBeats : 0), .Beats(NumPorts > 1 ? PortBeats : 0)
    ) u_port (
      .clk_i, .rst_ni, .dead_i(dead_i[p]),
      .aw_valid_i(port[p].aw_valid), .aw_ready_o(port_back[p].aw_ready), .aw_i(port[p].aw),
      .w_valid_i(port[p].w_valid), .w_ready_o(port_back[p].w_ready), .w_stream_i(port[p].w_stream),
      .w_i(port[p].w),
      .reduce_aw_valid_i(1'b0), .reduce_aw_ready_o(unused_reduce[0]), .reduce_aw_i('0),
      .reduce_w_valid_i(1'b0), .reduce_w_ready_o(unused_reduce[1]), .reduce_w_i('0),
      .w_leaves_o(leaves[p]), .w_stalls_o(port_back[p].stalls),
      .b_valid_o(port_back[p].b_valid), .b_ready_i(port[p].b_ready), .b_o(port_back[p].b),
      .axi_o(axi_o[p]), .axi_i(axi_i[p]), .pending_o(write_pending_o[p]), .progress_o(unused_progress)
    );

    // Bursts whose AW was taken and whose last W beat was not.
    int unsigned ahead_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) ahead_q <= 0;
      else         ahead_q <= ahead_q + 32'(axi_o[p].aw_valid && axi_i[p].aw_ready)
                            - 32'(axi_o[p].w_valid && axi_i[p].w_ready && axi_o[p].w.last);
    end

    `TMA_ASSERT(WriteDataFollowsItsAddress, axi_o[p].w_valid |-> axi_o[p].aw_valid || ahead_q != 0)
    `TMA_COVER(AddressRunsAhead, ahead_q > 2)
    `TMA_ASSERT(IdleIsOwedNothing, idle_o |-> u_port.owes == '0 && (dead_i[p] || u_port.sent == '0))
    `TMA_COVER(DeadPortIsUsed, dead_i[p] && port[p].aw_valid)
  end

endmodule
