// SPDX-License-Identifier: Apache-2.0
// Memory behind a table of set-up registers, and the writes to the flip-flops beside it.
//
// Units see the whole table at once, which takes flip-flops; the registers read a copy in memory,
// which costs less than a selection among all of them. One index serves reads and writes. Whoever
// has the flip-flops changes them as `write_o`, `index_o` and `entry_i` say.
//
// An entry reads as written from the cycle after its write on. After reset the table is cleared,
// one entry per cycle: `busy_o` until then, and `entry_i` has to be what an entry is after reset.

`include "tma_assert.svh"

module tma_table_ram #(
  parameter int unsigned Width = 32,
  parameter int unsigned IndexWidth = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic [IndexWidth-1:0] index_i,
  input  logic                  write_i,
  input  logic [Width-1:0]      entry_i,   // for the entry of `index_o`
  output logic [Width-1:0]      current_o, // of the same cycle

  output logic                  write_o,
  output logic [IndexWidth-1:0] index_o,
  output logic                  busy_o
);

  logic [IndexWidth-1:0] clear_q;
  logic                  busy_q;

  assign index_o = busy_q ? clear_q : index_i;
  assign write_o = busy_q || write_i;
  assign busy_o  = busy_q;

  tma_ram_1r1w #(.Width(Width), .Depth(2**IndexWidth)) u_copy (
    .clk_i, .we_i(write_o), .waddr_i(index_o), .wdata_i(entry_i),
    .raddr_i(index_o), .rdata_o(current_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b1;
      clear_q <= '0;
    end else begin
      busy_q  <= busy_q && clear_q != '1;
      clear_q <= clear_q + IndexWidth'(1);
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(NoWriteWhileCleared, busy_q |-> !write_i)

endmodule
