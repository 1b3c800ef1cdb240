// SPDX-License-Identifier: Apache-2.0
// What the registers show of the queues' progress, and what RESUME means to a direct queue.
// Combinational.
//
// A direct queue has no TAIL of its own: it is the sequence number behind the commands it holds.

module tma_queue_tail
  import tma_pkg::*;
  import tma_front_pkg::*;
#(
  localparam int unsigned HeldWidth = $clog2(CmdDepth) + 1
) (
  input  logic [NumQueues-1:0]                ring_i,       // bound to a ring
  input  logic [NumQueues-1:0][31:0]          head_i,
  input  logic [NumQueues-1:0][31:0]          ring_tail_i,
  input  logic [NumQueues-1:0][HeldWidth-1:0] held_count_i, // commands behind the head
  output logic [NumQueues-1:0][31:0]          tail_o,

  // RESUME: one queue at a time
  input  logic [NumQueues-1:0]                resume_i,
  input  logic [HeldWidth-1:0]                index_i,      // low bits
  output logic [HeldWidth-1:0]                skip_o        // its commands before that
);

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    assign tail_o[q] = ring_i[q] ? ring_tail_i[q] : head_i[q] + 32'(held_count_i[q]);
  end

  always_comb begin
    skip_o = '0;
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (resume_i[q]) skip_o = index_i - head_i[q][HeldWidth-1:0];
    end
  end

endmodule
