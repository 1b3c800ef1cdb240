// SPDX-License-Identifier: Apache-2.0
// One bank of shared memory: 16 bytes wide, one write with byte enables and two reads per cycle.
//
// Block RAM, one copy per read port. Read data comes in the next cycle: port 0 keeps it until its next read, port 1 for that
// cycle. A read in the cycle of a write to its row sees the row before it. Not reset.
//
// With Collides the RAM is never read where it is written. Its write port reads, too, what it writes over, and that is what
// a reader of the same row gets:
//
//   cycle         0       1            2
//   write port    row A   row B        row C
//   read 0        row A   -            -
//   rdata_o[0]            A, of write  A, kept

module tma_smem_bank #(
  parameter  int unsigned Rows     = 64,
  parameter  bit          Collides = tma_cfg_pkg::RamCollides != 0,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                     clk_i,

  input  logic [15:0]              be_i,
  input  logic [RowWidth-1:0]      waddr_i,
  input  logic [127:0]             wdata_i,

  input  logic [1:0]               re_i,
  input  logic [1:0][RowWidth-1:0] raddr_i,
  output logic [1:0][127:0]        rdata_o
);

`ifndef SYNTHESIS
  function automatic logic [127:0] written(logic [127:0] old, logic [127:0] data, logic [15:0] be);
    logic [127:0] mask;
    for (int unsigned i = 0; i < 16; i++) mask[8*i +: 8] = {8{be[i]}};
    return (old & ~mask) | (data & mask);
  endfunction
`endif

  for (genvar p = 0; p < 2; p++) begin : g_copy
    (* ram_style = "block" *)
    logic [127:0] mem [Rows];
    logic [127:0] rdata_q;

    // RAMs are known by writes of bytes. For a simulator these are 16 writes in every cycle, of every bank: a third of
    // its time where CTAs are many.
    always_ff @(posedge clk_i) begin
`ifdef SYNTHESIS
      for (int unsigned i = 0; i < 16; i++) begin
        if (be_i[i]) mem[waddr_i][8*i +: 8] <= wdata_i[8*i +: 8];
      end
`else
      if (be_i != '0) mem[waddr_i] <= written(mem[waddr_i], wdata_i, be_i);
`endif
    end

    if (Collides) begin : g_old
      logic [127:0] old_q;  // of the row at the write port
      logic         meets, met_q;

      // Whether anything is written does not matter: the write port reads anyway.
      assign meets = waddr_i == raddr_i[p];

      always_ff @(posedge clk_i) old_q <= mem[waddr_i];
      always_ff @(posedge clk_i) met_q <= re_i[p] && meets;
      always_ff @(posedge clk_i) if (re_i[p] && !meets) rdata_q <= mem[raddr_i[p]];

      if (p == 0) begin : g_keep
        logic [127:0] kept_q;
        logic         keeps_q;

        always_ff @(posedge clk_i) if (met_q) kept_q <= old_q;
        always_ff @(posedge clk_i) keeps_q <= !re_i[p] && (met_q || keeps_q);

        assign rdata_o[p] = met_q ? old_q : keeps_q ? kept_q : rdata_q;
      end else begin : g_once
        assign rdata_o[p] = met_q ? old_q : rdata_q;
      end
    end else begin : g_read
      always_ff @(posedge clk_i) if (re_i[p]) rdata_q <= mem[raddr_i[p]];

      assign rdata_o[p] = rdata_q;
    end
  end

endmodule
