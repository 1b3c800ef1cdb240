// SPDX-License-Identifier: Apache-2.0
// Window table: every window of every queue for the guards, the selected one for the registers.
//
// A write replaces one word of the selected window in the next cycle, without a check. After reset
// the table is cleared, one window per cycle; `busy_o` until then.

`include "tma_assert.svh"

module tma_window_regs
  import tma_pkg::*;
#(
  localparam int unsigned WindowWidth = NumWindows > 1 ? $clog2(NumWindows) : 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  queue_t                   queue_i,   // the selected window
  input  logic [WindowWidth-1:0]   window_i,
  input  logic                     write_attr_i,
  input  logic [1:0]               write_base_i,   // low word, high word
  input  logic [1:0]               write_limit_i,
  input  logic [31:0]              wdata_i,
  output window_t                  selected_o,

  output windows_t [NumQueues-1:0] windows_o,
  output logic                     busy_o
);

  localparam int unsigned IndexWidth = QueueWidth + WindowWidth;

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

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    for (genvar w = 0; w < NumWindows; w++) begin : g_window
      window_t window_q;

      always_ff @(posedge clk_i) begin
        if (write && index == {queue_t'(q), WindowWidth'(w)}) window_q <= entry;
      end

      assign windows_o[q][w] = window_q;

      `TMA_ASSERT(CopyIsTheTable, !busy && queue_i == queue_t'(q) && window_i == WindowWidth'(w) |->
          selected_o == window_q)
    end
  end

  assign selected_o = current;
  assign busy_o     = busy;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SelectedWindowExists, !busy && write |-> 32'(window_i) < NumWindows)

endmodule
