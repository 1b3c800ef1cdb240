// SPDX-License-Identifier: Apache-2.0
// Shared memory of one CTA: banks of 16 bytes, and who gets them.
//
// Per cycle one write and two reads. A line access starts at any chunk and may be swizzled, so it
// names a row for every bank.
//
//   write:   engine line | external chunk | barrier write-back
//   read 0:  engine line
//   read 1:  engine line | external chunk | barrier fill
//
// The engine goes first; whoever else has waited `MaxWait` cycles takes the next one, in which the
// engine's ready is low. The engine's ready depends on registers and, for reads, on the barrier
// unit's stall; it never depends on a valid. With Short a write of the engine that was taken waits in a
// register and goes in the next cycle, whatever else wants to.
// Read data comes in the next cycle. Port 0 holds it until its next read; port 1, whose memory
// others read as well, only in that cycle. Reset: control only.

`include "tma_assert.svh"

module tma_smem
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Engine write
  input  logic              wr_valid_i,
  output logic              wr_ready_o,
  input  bank_rows_t        wr_rows_i,
  input  strb_t             wr_be_i,
  input  line_t             wr_data_i,
  output logic              wr_go_o,         // this one goes
  output bank_rows_t        wr_rows_o,
  output strb_t             wr_be_o,

  // Engine reads; not served while stalled
  input  logic [1:0]        rd_valid_i,
  output logic [1:0]        rd_ready_o,
  input  bank_rows_t [1:0]  rd_rows_i,
  input  logic [1:0]        rd_stall_i,
  output line_t [1:0]       rd_data_o,

  // External port; a write is not served while stalled
  input  logic              ext_valid_i,
  output logic              ext_ready_o,
  input  logic              ext_write_i,
  input  logic [31:0]       ext_addr_i,
  input  logic [15:0]       ext_strb_i,
  input  logic [127:0]      ext_wdata_i,
  input  logic              ext_stall_i,
  output logic              ext_rvalid_o,
  output logic [127:0]      ext_rdata_o,
  input  logic [15:0]       ext_override_i,  // bytes that the barrier unit knows better
  input  logic [127:0]      ext_data_i,

  // Barrier write-back
  input  logic              wb_valid_i,
  input  logic              wb_demand_i,
  output logic              wb_ready_o,
  input  bar_addr_t         wb_addr_i,
  input  logic [7:0]        wb_be_i,
  input  logic [63:0]       wb_data_i,

  // Barrier fill
  input  logic              fill_valid_i,
  output logic              fill_ready_o,
  input  bar_addr_t         fill_addr_i,
  output logic [63:0]       fill_data_o
);

  localparam int unsigned Rows      = SmemBytes / (16 * Chunks);
  localparam int unsigned WaitWidth = $clog2(MaxWait);

  typedef logic [ChunkIdx-1:0] bank_t;

  ////////////////////
  // Who has waited //
  ////////////////////

  logic ext_inside, ext_read, ext_write;
  logic ext_must_write_q, ext_must_read_q, wb_must_q, fill_must_q;
  logic wr_go, wb_go, ext_write_go, rd1_go, fill_go, ext_read_go;
  logic [WaitWidth-1:0] ext_wait_q, wb_wait_q, fill_wait_q;
  logic                 ext_waits, wb_waits;  // long enough for a write

  assign ext_inside = ext_addr_i < 32'(SmemBytes);
  assign ext_read   = ext_valid_i && !ext_write_i;
  assign ext_write  = ext_valid_i && ext_write_i && !(ext_stall_i && ext_inside);

  // With Short they insist on a write a cycle earlier, since one that was taken goes first.
  assign ext_waits = Short ? &ext_wait_q[WaitWidth-1:1] : &ext_wait_q;
  assign wb_waits  = Short ? &wb_wait_q[WaitWidth-1:1] : &wb_wait_q;

  function automatic logic [WaitWidth-1:0] waited(input logic [WaitWidth-1:0] cycles,
                                                  input logic                 waits);
    if (!waits) return '0;
    return (&cycles) ? cycles : cycles + WaitWidth'(1);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ext_wait_q       <= '0;
      wb_wait_q        <= '0;
      fill_wait_q      <= '0;
      ext_must_write_q <= 1'b0;
      ext_must_read_q  <= 1'b0;
      wb_must_q        <= 1'b0;
      fill_must_q      <= 1'b0;
    end else begin
      ext_wait_q       <= waited(ext_wait_q, ext_valid_i && !ext_ready_o);
      wb_wait_q        <= waited(wb_wait_q, wb_valid_i && wb_demand_i && !wb_go);
      fill_wait_q      <= waited(fill_wait_q, fill_valid_i && !fill_go);
      ext_must_write_q <= ext_waits && ext_write && !ext_write_go;
      ext_must_read_q  <= &ext_wait_q && ext_read && !ext_read_go;
      wb_must_q        <= wb_waits && wb_valid_i && wb_demand_i && !wb_go;
      fill_must_q      <= &fill_wait_q && fill_valid_i && !fill_go;
    end
  end

  ///////////
  // Write //
  ///////////

  chunk_addr_t  one_write_addr;
  bank_t        one_write_bank;
  logic [15:0]  one_write_be;
  logic [127:0] one_write_data;

  assign ext_write_go = ext_write && !wr_go &&
                        (ext_must_write_q || !(wb_valid_i && wb_demand_i));
  assign wb_go        = wb_valid_i && !wr_go && !ext_write_go;
  assign wb_ready_o   = !wr_go && !ext_write_go;

  line_t wr_data;

  assign wr_go_o = wr_go;

  tma_smem_take #(.Short(Short)) u_take (
    .clk_i, .rst_ni, .wr_valid_i, .wr_ready_o, .wr_rows_i, .wr_be_i, .wr_data_i,
    .insists_i({wb_must_q, ext_must_write_q}), .go_o(wr_go), .rows_o(wr_rows_o), .be_o(wr_be_o), .data_o(wr_data)
  );

  assign one_write_addr = ext_write_go ? ext_addr_i[4 +: ChunkAddr] : wb_addr_i[BarAddr-1:1];
  assign one_write_bank = bank_t'(one_write_addr) & bank_t'(Chunks - 1);
  assign one_write_data = ext_write_go ? ext_wdata_i : {2{wb_data_i}};

  always_comb begin
    one_write_be = '0;
    if (ext_write_go)  one_write_be = ext_inside ? ext_strb_i : '0;
    else if (wb_go)    one_write_be = wb_addr_i[0] ? {wb_be_i, 8'b0} : {8'b0, wb_be_i};
  end

  //////////
  // Read //
  //////////

  chunk_addr_t one_read_addr;
  bank_t       one_read_bank_q;
  logic        ext_inside_q, fill_upper_q;

  assign rd_ready_o[0] = !rd_stall_i[0];
  assign rd_ready_o[1] = !rd_stall_i[1] && !ext_must_read_q && !fill_must_q;
  // That a read stalls is known late: with Short port 1 is nobody else's meanwhile, but for who insists.
  assign rd1_go        = rd_valid_i[1] && (Short ? !ext_must_read_q && !fill_must_q : rd_ready_o[1]);
  assign fill_go       = fill_valid_i && fill_ready_o;
  assign fill_ready_o  = !rd1_go && !(ext_must_read_q && ext_read);
  assign ext_read_go   = ext_read && !rd1_go && !fill_go;
  assign ext_ready_o   = ext_write_go || ext_read_go;
  assign one_read_addr = fill_go ? fill_addr_i[BarAddr-1:1] : ext_addr_i[4 +: ChunkAddr];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ext_rvalid_o <= 1'b0;
    else         ext_rvalid_o <= ext_read_go;
  end

  always_ff @(posedge clk_i) begin
    one_read_bank_q <= bank_t'(one_read_addr) & bank_t'(Chunks - 1);
    ext_inside_q    <= ext_inside;
    fill_upper_q    <= fill_addr_i[0];
  end

  ///////////
  // Banks //
  ///////////

  for (genvar b = 0; b < Chunks; b++) begin : g_bank
    logic [15:0]       be;
    bank_row_t         waddr;
    logic [127:0]      wdata;
    logic [1:0]        re;
    bank_row_t [1:0]   raddr;
    logic [1:0][127:0] rdata;

    always_comb begin
      waddr = wr_rows_o[b];
      wdata = wr_data[128*b +: 128];
      be    = wr_go ? wr_be_o[16*b +: 16] : '0;
      if (!wr_go) begin
        waddr = bank_row_t'(one_write_addr >> ChunkShift);
        wdata = one_write_data;
        if (one_write_bank == bank_t'(b)) be = one_write_be;
      end
    end

    assign re[0]    = rd_valid_i[0] && rd_ready_o[0];
    assign re[1]    = Short || rd1_go || fill_go || ext_read_go;
    assign raddr[0] = rd_rows_i[0][b];
    assign raddr[1] = rd1_go ? rd_rows_i[1][b] : bank_row_t'(one_read_addr >> ChunkShift);

    tma_smem_bank #(.Rows(Rows)) u_bank (
      .clk_i, .be_i(be), .waddr_i(waddr), .wdata_i(wdata), .re_i(re), .raddr_i(raddr),
      .rdata_o(rdata)
    );

    assign rd_data_o[0][128*b +: 128] = rdata[0];
    assign rd_data_o[1][128*b +: 128] = rdata[1];

    `TMA_ASSERT(WriteIsInside, be != '0 |-> 32'(waddr) < Rows)
  end

  logic [127:0] one_data;

  assign one_data    = rd_data_o[1][32'(one_read_bank_q) * 128 +: 128];
  assign fill_data_o = fill_upper_q ? one_data[127:64] : one_data[63:0];

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      ext_rdata_o[8*i +: 8] = ext_override_i[i] ? ext_data_i[8*i +: 8] : one_data[8*i +: 8];
    end
    if (!ext_inside_q) ext_rdata_o = '0;
  end

  ////////////////
  // Assertions //
  ////////////////

  logic [1:0][Chunks-1:0] has_row;  // rows of a line that memory has

  for (genvar p = 0; p < 2; p++) begin : g_port
    for (genvar b = 0; b < Chunks; b++) begin : g_has_row
      assign has_row[p][b] = 32'(rd_rows_i[p][b]) < Rows;
    end
  end

`ifndef SYNTHESIS
  // Half a barrier is the least that the barrier unit tells apart. By a register, so that a simulator only looks when
  // somebody writes.
  logic part_q;

  always_ff @(posedge clk_i) begin
    part_q <= 1'b0;
    if (rst_ni && wr_valid_i) begin
      for (int unsigned w = 0; w < 4 * Chunks; w++) begin
        if (wr_be_i[4*w +: 4] != '0 && wr_be_i[4*w +: 4] != '1) part_q <= 1'b1;
      end
    end
  end

  `TMA_ASSERT(WriteHasWholeWords, !part_q)

  // Cycles in a row in which each of these waits: an external access, a barrier written back on demand, a fill.
  logic [2:0]      waits;
  logic [2:0][3:0] waited_q;

  assign waits = {fill_valid_i && !fill_go, wb_valid_i && wb_demand_i && !wb_go,
                  (ext_read || ext_write) && !ext_ready_o};

  for (genvar w = 0; w < 3; w++) begin : g_waits
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !waits[w])   waited_q[w] <= '0;
      else if (waited_q[w] != '1) waited_q[w] <= waited_q[w] + 4'd1;
    end
  end

  // An external access in the last of its cycles goes before the others.
  `TMA_ASSERT(ExternalHasItsTurn, waited_q[0] <= 4'(MaxWait))
  `TMA_ASSERT(BarrierHasItsTurn, waited_q[1] <= 4'(MaxWait) + 4'd1 && waited_q[2] <= 4'(MaxWait) + 4'd1)
`endif
  `TMA_ASSERT_INIT(RowsAreWhole, SmemBytes % (16 * Chunks) == 0)
  `TMA_ASSERT_INIT(BankHasRows, $clog2(Rows) == BankRowWidth)
  `TMA_ASSERT(ReadIsInside0, rd_valid_i[0] |-> has_row[0] != '0)
  `TMA_ASSERT(ReadIsInside1, rd_valid_i[1] |-> has_row[1] != '0)
  `TMA_COVER(ExternalWriteInsists, ext_must_write_q && wr_valid_i)
  `TMA_COVER(ExternalReadInsists, ext_must_read_q && rd_valid_i[1])
  `TMA_COVER(WriteBackInsists, wb_must_q && wr_valid_i)
  `TMA_COVER(FillInsists, fill_must_q && rd_valid_i[1])

endmodule
