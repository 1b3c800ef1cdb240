// SPDX-License-Identifier: Apache-2.0
// Writes what of the rows lies out of bounds.
//
//   fill_i --> FIFO --> runs --> line --> wr_o
//
// A line is as many chunks as a beat has; where chunks are swizzled it ends with a multiple of that
// size, so that no two of its chunks meet in a bank. Of a padded format the padding is left alone. One
// line per cycle, also across rows, and no cycle without a line from the one on after the fill was taken
// up to its last line. So a command's fill that was taken is all written, up to the line on offer, when
// no line is on offer, or one of a command behind it.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_load_fill
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_load_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         fill_valid_i,
  output logic         fill_ready_o,
  input  fill_t        fill_i,

  output logic         wr_valid_o,
  input  logic         wr_ready_i,
  output smem_write_t  wr_o,

  output fill_number_t number_o,  // of the line's command
  output queue_t       queue_o,
  output logic         row_o,     // the last line of a row;
  output logic         ends_o     // of a command, as far as its rows have been taken
);

  ////////////////
  // Run of now //
  ////////////////

  logic                           head_valid, head_taken, valid_q, ends;
  fill_t                          head, run_q;  // `addr` and `count`: what is left of the run
  logic [ChunkShift:0]            room, take;   // chunks of this line
  logic                           swizzled, last_line;
  logic [$clog2(FillDepth+1)-1:0] level;

  tma_fifo #(.Width($bits(fill_t)), .Depth(FillDepth), .FlowThrough(1'b1)) u_fills (
    .clk_i, .rst_ni, .in_valid_i(fill_valid_i), .in_ready_o(fill_ready_o), .in_i(fill_i),
    .out_valid_o(head_valid), .out_ready_i(head_taken), .out_o(head), .level_o(level)
  );

  assign swizzled  = run_q.layout.swizzle != SwizzleOff;
  assign room      = (ChunkShift+1)'(Chunks) -
                     (swizzled ? (ChunkShift+1)'(32'(run_q.addr) & (Chunks - 1)) : '0);
  assign last_line = run_q.count <= FillWidth'(room);
  assign take      = last_line ? (ChunkShift+1)'(run_q.count) : room;

  assign wr_valid_o = valid_q;
  assign row_o      = last_line && run_q.next_count == '0;
  assign ends       = valid_q && wr_ready_i && row_o;
  assign head_taken = !valid_q || ends;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)         valid_q <= 1'b0;
    else if (head_taken) valid_q <= head_valid;
  end

  // Fill that comes in this very cycle says nothing yet: its command is not over.
  fill_number_t number_q;

  assign number_o = number_q;
  assign queue_o  = run_q.qid;
  assign ends_o   = row_o && (level == '0 || head.first);

  logic unused_first;
  assign unused_first = run_q.first;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                                     number_q <= '1;
    else if (head_taken && head_valid && head.first) number_q <= number_q + fill_number_t'(1);
  end

  always_ff @(posedge clk_i) begin
    if (head_taken) begin
      run_q <= head;
    end else if (wr_ready_i && last_line) begin
      run_q.addr       <= run_q.next_addr;
      run_q.count      <= run_q.next_count;
      run_q.next_count <= '0;
    end else if (wr_ready_i) begin
      run_q.addr  <= run_q.addr + chunk_addr_t'(room);
      run_q.count <= run_q.count - FillWidth'(room);
    end
  end

  //////////
  // Line //
  //////////

  logic [Chunks-1:0] lanes, lanes_out;  // bank order, before and after the swizzle
  logic [2:0]        mask;
  bank_rows_t        rows;
  logic [3:0]        words;             // of each chunk

  // A chunk whose place behind the first, modulo the line, is one of the line's.
  always_comb begin
    for (int unsigned b = 0; b < Chunks; b++) begin
      lanes[b] = ((b - 32'(run_q.addr)) & (Chunks - 1)) < 32'(take);
    end
  end

  assign mask = swizzle_chunks(run_q.layout.swizzle, run_q.addr[5:3]);

  tma_load_swizzle #(.LaneWidth(1)) u_lanes (.line_i(lanes), .mask_i(mask), .line_o(lanes_out));
  tma_load_swizzle #(.LaneWidth(BankRowWidth)) u_rows (
    .line_i(line_rows(run_q.addr)), .mask_i(mask), .line_o(rows)
  );

  always_comb begin
    words = '1;
    if (Packed && run_q.layout.format == FormatPad4) words = 4'b0011;
    if (Packed && run_q.layout.format == FormatPad6) words = 4'b0111;
  end

  always_comb begin
    wr_o.ctas = run_q.ctas;
    wr_o.data = {8 * Chunks{fill_half(run_q.layout.nan)}};
    for (int unsigned b = 0; b < Chunks; b++) begin
      wr_o.rows[b] = rows[b] ^ (BankRowWidth'(mask) >> ChunkShift);
      for (int unsigned w = 0; w < 4; w++) wr_o.be[b*16 + w*4 +: 4] = {4{lanes_out[b] && words[w]}};
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(NoBubble, level != '0 |-> wr_valid_o)
  `TMA_ASSERT(FillIsNotEmpty, fill_valid_i |-> fill_i.count != '0)
  `TMA_ASSERT_STABLE(WriteIsStable, wr_valid_o, wr_ready_i, wr_o)
  `TMA_COVER(TwoRuns, valid_q && run_q.next_count != '0)
  `TMA_COVER(RowAfterRow, ends && head_valid)
  `TMA_COVER(LongRun, valid_q && !last_line)

endmodule
