// SPDX-License-Identifier: Apache-2.0
// Which words of an external read come from a resident mbarrier, and from which entry.
//
// Memory answers a read in the next cycle, so this does too: the entry still has its word then, even
// if it was dropped. A half that memory knows better is memory's. Not reset: what it says of a cycle
// without a read is not used.

module tma_mbarrier_peek #(
  parameter int unsigned N = 8,
  localparam int unsigned IndexWidth = $clog2(N)
) (
  input  logic                       clk_i,

  // Entries
  input  logic [N-1:0]               match_i,    // in the chunk that is read
  input  logic [N-1:0]               dirty_i,
  input  logic [N-1:0]               upper_i,    // the barrier is the chunk's upper word
  input  logic [N-1:0][1:0]          lost_i,

  // The read of the cycle before, one of each per word
  output logic [1:0][IndexWidth-1:0] entry_o,
  output logic [15:0]                override_o  // bytes that are the entries'
);

  logic [1:0][1:0] half_q;

  for (genvar w = 0; w < 2; w++) begin : g_word
    logic [N-1:0]          found;
    logic [IndexWidth-1:0] index;

    assign found = match_i & dirty_i & (w == 1 ? upper_i : ~upper_i);

    always_comb begin
      index = '0;
      for (int unsigned e = 0; e < N; e++) if (found[e]) index |= IndexWidth'(e);
    end

    always_ff @(posedge clk_i) begin
      entry_o[w] <= index;
      half_q[w]  <= found != '0 ? ~lost_i[index] : '0;
    end

    assign override_o[8*w +: 8] = {{4{half_q[w][1]}}, {4{half_q[w][0]}}};
  end

endmodule
