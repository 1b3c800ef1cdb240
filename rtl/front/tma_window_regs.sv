// SPDX-License-Identifier: Apache-2.0
// Window table: the selected window for the registers, and every write for the copies of those who check
// against windows (tma_windows).
//
// A write replaces one word of the selected window in the next cycle, without a check. After reset
// the table is cleared, one window per cycle, and the copies with it; `busy_o` until then.

`include "tma_assert.svh"

module tma_window_regs
  import tma_pkg::*;
  import tma_path_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  queue_t               queue_i,        // the selected window
  input  logic [WindowIdx-1:0] window_i,
  input  logic                 write_attr_i,
  input  logic [1:0]           write_base_i,   // low word, high word
  input  logic [1:0]           write_limit_i,
  input  logic [31:0]          wdata_i,
  output window_t              selected_o,

  output window_write_t        write_o,        // of this cycle
  output logic [NumQueues-1:0] multimem_o,     // a window of the queue allows multimem
  output logic                 busy_o
);

  localparam int unsigned IndexWidth = QueueWidth + WindowIdx;

  logic [IndexWidth-1:0] index;
  logic                  write, busy;
  window_t               current, entry;

  always_comb begin
    entry = current;
    if (write_attr_i)     {entry.multimem, entry.write, entry.read} = wdata_i[2:0];
    if (write_base_i[0])  entry.base[19:0]   = wdata_i[31:12];
    if (write_base_i[1])  entry.base[51:20]  = wdata_i;
    if (write_limit_i[0]) entry.limit[19:0]  = wdata_i[31:12];
    if (write_limit_i[1]) entry.limit[51:20] = wdata_i;
    if (busy)             entry = '0;
  end

  tma_table_ram #(.Width($bits(window_t)), .IndexWidth(IndexWidth)) u_table (
    .clk_i, .rst_ni, .index_i({queue_i, window_i}),
    .write_i(write_attr_i || write_base_i != '0 || write_limit_i != '0),
    .entry_i(entry), .current_o(current), .write_o(write), .index_o(index), .busy_o(busy)
  );

  assign write_o.valid                = write;
  assign {write_o.qid, write_o.index} = index;
  assign write_o.window               = entry;

  // All queues are asked for this one at once.
  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    logic [NumWindows-1:0] multimem_q;

    always_ff @(posedge clk_i) begin
      for (int unsigned w = 0; w < NumWindows; w++) begin
        if (write && index == {queue_t'(q), WindowIdx'(w)}) multimem_q[w] <= entry.multimem;
      end
    end

    assign multimem_o[q] = multimem_q != '0;
  end

  assign selected_o = current;
  assign busy_o     = busy;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SelectedWindowExists, !busy && write |-> 32'(window_i) < NumWindows)

endmodule
