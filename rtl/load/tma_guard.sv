// SPDX-License-Identifier: Apache-2.0
// Cuts rows into AXI bursts and checks every burst against the windows of the queue it belongs to.
//
// The one choke point of an address channel: nothing else drives AR or AW. A burst ends at the end
// of the row or at a 4 KiB boundary, whichever is first; windows have 4 KiB grain, so one page
// decides. A burst that no window allows is never offered: the row waits with `deny_valid_o` until
// `deny_ready_i`, and what is left of it is dropped.
//
// One burst per cycle, also across rows: the next row is taken in the cycle in which the last burst
// of the one before leaves, so `row_ready_o` depends on `burst_ready_i` and `deny_ready_i`.
// One cycle of latency.
//
//             +--------------+     +-----+
//   row_i --->| row, windows |---->| cut |---> burst_o
//             +--------------+     +-----+---> deny_addr_o
//                    ^                |
//                    +--- remainder --+
//
// Reset: control only.

`include "tma_assert.svh"

module tma_guard
  import tma_pkg::*;
#(
  parameter bit Write = 1'b0  // 0: windows must allow reads, 1: writes
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  windows_t [NumQueues-1:0]   windows_i,

  // Rows in, with the queue that they belong to
  input  logic                       row_valid_i,
  output logic                       row_ready_o,
  input  row_t                       row_i,
  input  queue_t                     queue_i,

  // Bursts out
  output logic                       burst_valid_o,
  input  logic                       burst_ready_i,
  output burst_t                     burst_o,

  // A burst outside the windows; address of its first operand byte
  output logic                       deny_valid_o,
  input  logic                       deny_ready_i,
  output logic [63:0]                deny_addr_o,

  output logic                       busy_o,   // a row is held
  input  logic                       abort_i   // drop what is left of the held row
);

  localparam int unsigned PageChunks = 256;

  logic     busy_q;
  row_t     row_q;
  windows_t windows_q;

  /////////////////
  // Cut a burst //
  /////////////////

  logic [8:0]          to_page;
  logic [8:0]          cut;       // chunks of this burst
  logic                is_tail;
  logic [ChunkIdx-1:0] head;
  logic [8:0]          end_chunk; // last chunk, counted from the first beat's start

  assign to_page = chunks_to_page_end(row_q.gaddr[11:4]);
  assign is_tail = row_q.chunks <= RowChunks'(to_page);
  assign cut     = is_tail ? row_q.chunks[8:0] : to_page;
  assign head    = row_q.gaddr[4 +: ChunkIdx] & ChunkIdx'(Chunks - 1);

  assign end_chunk = 9'(head) + cut - 9'd1;

  assign burst_o.addr  = {row_q.gaddr[63:LineShift], LineShift'(0)};
  assign burst_o.len   = LenWidth'(end_chunk >> ChunkShift);
  assign burst_o.head  = head;
  assign burst_o.tail  = end_chunk[ChunkIdx-1:0] & ChunkIdx'(Chunks - 1);
  assign burst_o.saddr = row_q.saddr;
  assign burst_o.first = row_q.first;
  assign burst_o.last  = row_q.last && is_tail;

  ///////////
  // Check //
  ///////////

  logic allowed;

  always_comb begin
    allowed = 1'b0;
    for (int unsigned w = 0; w < NumWindows; w++) begin
      if ((Write ? windows_q[w].write : windows_q[w].read) &&
          row_q.gaddr[63:12] >= windows_q[w].base && row_q.gaddr[63:12] <= windows_q[w].limit) begin
        allowed = 1'b1;
      end
    end
  end

  assign burst_valid_o = busy_q && allowed;
  assign deny_valid_o  = busy_q && !allowed;
  assign deny_addr_o   = row_q.gaddr;
  assign busy_o        = busy_q;

  ////////////////////
  // Row in process //
  ////////////////////

  logic done;

  assign done = busy_q && ((burst_valid_o && burst_ready_i && is_tail) ||
                           (deny_valid_o && deny_ready_i) || abort_i);
  assign row_ready_o = !busy_q || done;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)          busy_q <= 1'b0;
    else if (row_ready_o) busy_q <= row_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (row_ready_o) begin
      row_q     <= row_i;
      windows_q <= windows_i[queue_i];
    end else if (burst_valid_o && burst_ready_i) begin
      row_q.gaddr  <= row_q.gaddr + 64'({cut, 4'b0});
      row_q.saddr  <= row_q.saddr + chunk_addr_t'(cut);
      row_q.chunks <= row_q.chunks - RowChunks'(cut);
      row_q.first  <= 1'b0;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(PageHoldsWholeBeats, PageChunks % Chunks == 0)
  `TMA_ASSERT(RowIsNotEmpty, row_valid_i |-> row_i.chunks != '0)
  `TMA_ASSERT(RowIsChunkAligned, row_valid_i |-> row_i.gaddr[3:0] == '0)
  `TMA_ASSERT(BurstStaysInPage, burst_valid_o |->
      32'(burst_o.addr[11:0]) + (32'(burst_o.len) + 1) * DataBytes <= 4096)
  `TMA_ASSERT(BurstIsStable, burst_valid_o && !burst_ready_i && !abort_i |=>
      burst_valid_o && $stable(burst_o))
  `TMA_ASSERT(DenyIsStable, deny_valid_o && !deny_ready_i && !abort_i |=>
      deny_valid_o && $stable(deny_addr_o))
  `TMA_COVER(RowCutAtPage, burst_valid_o && burst_ready_i && !is_tail)

endmodule
