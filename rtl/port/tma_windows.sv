// SPDX-License-Identifier: Apache-2.0
// A copy of the windows of all queues in LUT memory, which gives those of one queue at a time.
//
// A window that is written is there from the next cycle on; the table's registers write every one after
// reset, and no window of a queue whose commands are on their way. Combinational from queue to windows.
// Not reset.

module tma_windows
  import tma_pkg::*;
  import tma_path_pkg::*;
(
  input  logic          clk_i,

  input  window_write_t write_i,

  input  queue_t        queue_i,
  output windows_t      windows_o
);

  for (genvar w = 0; w < NumWindows; w++) begin : g_window
    tma_ram_1r1w #(.Width($bits(window_t)), .Depth(NumQueues)) u_ram (
      .clk_i, .we_i(write_i.valid && write_i.index == WindowIdx'(w)), .waddr_i(write_i.qid),
      .wdata_i(write_i.window), .raddr_i(queue_i), .rdata_o(windows_o[w])
    );
  end

endmodule
