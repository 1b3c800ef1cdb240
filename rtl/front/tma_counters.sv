// SPDX-License-Identifier: Apache-2.0
// 64-bit event counters.
//
// Each counter is a few bits of flip-flops, which count every cycle, and a word of memory, to which
// they are added in turn, one counter per cycle. A read takes the turn of its counter, so it is
// exact: all events up to the cycle before. It also latches the high half.
//
//   events --> Small bits each --turn--> + --> memory --> value
//
// Reset: the small counts, and which words have been written since.

`include "tma_assert.svh"

module tma_counters #(
  parameter int unsigned N = 14,  // 2 or more
  localparam int unsigned IndexWidth = $clog2(N)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic [N-1:0]          event_i,  // bit i counts counter i by one

  input  logic                  read_i,   // of the low half; not in two cycles in a row
  input  logic [IndexWidth-1:0] index_i,
  output logic [31:0]           low_o,    // in the cycle of the read
  output logic [31:0]           high_o    // as of the last read of this counter's low half
);

  // A turn comes every N cycles, every 2 N when each other cycle is a read.
  localparam int unsigned Small = $clog2(2 * N + 1);

  logic [N-1:0][Small-1:0] small_q;
  logic [N-1:0]            written_q;   // the memory's word counts
  logic [N-1:0]            latched_q;   // the latch's word counts
  logic [IndexWidth-1:0]   turn_q, index;
  logic [63:0]             stored, sum;
  logic [31:0]             latched;

  assign index = read_i ? index_i : turn_q;
  assign sum   = (written_q[index] ? stored : '0) + 64'(small_q[index]);

  tma_ram_1r1w #(.Width(64), .Depth(N)) u_counts (
    .clk_i, .we_i(1'b1), .waddr_i(index), .wdata_i(sum), .raddr_i(index), .rdata_o(stored)
  );

  tma_ram_1r1w #(.Width(32), .Depth(N)) u_latches (
    .clk_i, .we_i(read_i), .waddr_i(index_i), .wdata_i(sum[63:32]),
    .raddr_i(index_i), .rdata_o(latched)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q    <= '0;
      written_q <= '0;
      latched_q <= '0;
      small_q   <= '0;
    end else begin
      if (!read_i) turn_q <= turn_q == IndexWidth'(N - 1) ? '0 : turn_q + IndexWidth'(1);
      written_q[index] <= 1'b1;
      if (read_i) latched_q[index_i] <= 1'b1;
      for (int unsigned i = 0; i < N; i++) begin
        small_q[i] <= (index == IndexWidth'(i) ? '0 : small_q[i]) + Small'(event_i[i]);
      end
    end
  end

  assign low_o  = sum[31:0];
  assign high_o = latched_q[index_i] ? latched : '0;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(IndexIsInRange, read_i |-> 32'(index_i) < N)
  `TMA_ASSERT(TurnsAreKept, read_i |=> !read_i)
  for (genvar i = 0; i < N; i++) begin : g_counter
    `TMA_ASSERT(SmallCountHoldsATurn, small_q[i] == '1 |-> !event_i[i] || index == IndexWidth'(i))
  end

endmodule
