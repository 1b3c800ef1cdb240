// SPDX-License-Identifier: Apache-2.0
// Makes an AXI burst of every row and checks it against the windows of the queue it belongs to.
//
// The choke point of an address channel: nothing drives AR or AW but behind one. A row lies in one 4 KiB
// page (tma_page_cut) and so does its burst, although it covers whole beats; windows have 4 KiB
// grain, so one page decides. A burst that no window allows is never offered: the row waits with
// `deny_valid_o` until `deny_ready_i` and is gone then. A row of no bytes passes whatever the windows.
//
// A guard of writes also translates multimem accesses: their page has to lie in a window of the
// queue that allows multimem and in a multimem window, and goes to every port of the latter's mask.
// Everything else goes to port 0 as it is. One of reductions wants a window for reads and one for writes, the former
// first; of a multimem access, one that allows multimem.
//
// One burst per cycle: a row is taken in the cycle in which the one before leaves, so `row_ready_o`
// depends on `burst_ready_i`, `deny_ready_i` and `abort_i`. One cycle of latency.
//
//             +--------------+     +-------+
//   row_i --->| row, windows |---->| check |---> burst_o, ports_o, port_addr_o
//             +--------------+     +-------+---> deny_addr_o, deny_code_o
//
// With `Step` the check has a cycle of its own, and its outcome a register; `row_ready_o` depends on registers alone. Then
// `windows_i` has to be of the row that is held, in the cycle after it was taken:
//
//   row_i         A . . B         B is taken in the cycle after A left
//   row           . A A . B B
//   windows_i     . A . . B .
//   burst_o       . . A . . B     two cycles of latency, a burst every third cycle
//
// Reset: control only.

`include "tma_assert.svh"

module tma_guard
  import tma_pkg::*;
#(
  parameter bit Write = 1'b0, // 0: windows must allow reads; 1: writes, or multimem
  parameter bit Both  = 1'b0, // of reductions: they must allow reads as well, be it another one
  parameter bit Step  = 1'b0  // a cycle for the check alone
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  multimem_t [NumMultimem-1:0] multimem_i,  // of writes alone

  // Rows in, each inside a page; the windows of the queue that it belongs to
  input  logic                        row_valid_i,
  output logic                        row_ready_o,
  input  row_t                        row_i,
  input  windows_t                    windows_i,
  input  logic                        mm_i,        // a multimem access (writes alone)

  // Bursts out; `burst_o.addr` is not translated
  output logic                        burst_valid_o,
  input  logic                        burst_ready_i,
  output burst_t                      burst_o,
  output ports_t                      ports_o,
  output logic [NumPorts-1:0][63:0]   port_addr_o,

  // A row outside the windows; address of its first byte, and the rule
  output logic                        deny_valid_o,
  input  logic                        deny_ready_i,
  output logic [63:0]                 deny_addr_o,
  output logic [15:0]                 deny_code_o,

  output logic                        busy_o,   // a row is held
  input  logic                        abort_i   // drop the held row
);

  localparam int unsigned PageChunks = 256;

  logic        busy_q, leaves;
  logic [63:0] gaddr_q;
  chunk_addr_t saddr_q;
  logic [8:0]  chunks_q;
  logic [3:0]  odd_q;
  logic        none_q, first_q, last_q;
  logic        mm_q;

  ///////////
  // Burst //
  ///////////

  logic [ChunkIdx-1:0] head;
  logic [8:0]          end_chunk;  // last chunk, counted from the first beat's start

  assign head      = gaddr_q[4 +: ChunkIdx] & ChunkIdx'(Chunks - 1);
  assign end_chunk = 9'(head) + chunks_q - 9'd1;

  assign burst_o.addr  = {gaddr_q[63:LineShift], LineShift'(0)};
  assign burst_o.len   = LenWidth'(end_chunk >> ChunkShift);
  assign burst_o.head  = head;
  assign burst_o.tail  = end_chunk[ChunkIdx-1:0] & ChunkIdx'(Chunks - 1);
  assign burst_o.saddr = saddr_q;
  assign burst_o.odd   = odd_q;
  assign burst_o.none  = none_q;
  assign burst_o.first = first_q;
  assign burst_o.last  = last_q;

  ///////////
  // Check //
  ///////////

  logic checked;   // the row that is held
  logic allowed;   // by a window of the queue
  logic reads;     // also its reads, if it is a reduction
  logic mapped;    // by a multimem window, or none is needed

  logic [63:12] page;
  windows_t     windows;
  logic         covered;
  logic         readable;  // a window allows the reads of a reduction

  assign page = gaddr_q[63:12];

  always_comb begin
    covered = 1'b0;
    for (int unsigned w = 0; w < NumWindows; w++) begin
      if ((!Write ? windows[w].read : mm_q ? windows[w].multimem : windows[w].write) &&
          page >= windows[w].base && page <= windows[w].limit) begin
        covered = 1'b1;
      end
    end
  end

  always_comb begin
    readable = !Both || mm_q;
    for (int unsigned w = 0; w < NumWindows; w++) begin
      if (Both && windows[w].read && page >= windows[w].base && page <= windows[w].limit) readable = 1'b1;
    end
  end

  if (Step) begin : g_step
    logic checked_q, covered_q, readable_q;

    assign windows = windows_i;
    assign checked = checked_q;
    assign allowed = covered_q;
    assign reads   = readable_q;

    always_ff @(posedge clk_i) begin
      checked_q <= rst_ni && busy_q && !leaves;
      if (!checked_q) covered_q  <= covered;
      if (!checked_q) readable_q <= readable;
    end
  end else begin : g_held
    windows_t windows_q;

    assign windows = windows_q;
    assign checked = busy_q;
    assign allowed = covered;
    assign reads   = readable;

    always_ff @(posedge clk_i) if (row_ready_o) windows_q <= windows_i;
  end

  if (Write) begin : g_multimem
    logic [NumPorts-1:0][51:0] port_page;

    tma_multimem u_multimem (
      .clk_i, .multimem_i,
      .take_i(Step ? !checked : row_ready_o), .mm_i(Step ? mm_q : mm_i),
      .page_i(Step ? page : row_i.gaddr[63:12]),
      .page_q_i(page), .mapped_o(mapped), .ports_o, .page_o(port_page)
    );

    for (genvar p = 0; p < NumPorts; p++) begin : g_port
      assign port_addr_o[p] = {port_page[p], burst_o.addr[11:0]};
    end
    `TMA_ASSERT(MappedHasAPort, checked && mapped |-> ports_o != '0)

    assign deny_code_o = !reads   ? tma_isa_pkg::FaultWindowRead
                       : !mm_q    ? tma_isa_pkg::FaultWindowWrite
                       : !allowed ? tma_isa_pkg::FaultWindowMultimem
                       :            tma_isa_pkg::FaultMultimemUnmapped;
  end else begin : g_plain
    logic unused_multimem;

    assign mapped      = 1'b1;
    assign ports_o     = ports_t'(1);
    assign port_addr_o = {NumPorts{burst_o.addr}};
    assign deny_code_o = tma_isa_pkg::FaultWindowRead;

    assign unused_multimem = ^{multimem_i, mm_q};
  end

  assign burst_valid_o = checked && (none_q || (reads && allowed && mapped));
  assign deny_valid_o  = checked && !none_q && !(reads && allowed && mapped);
  assign deny_addr_o   = gaddr_q;
  assign busy_o        = busy_q;

  ////////////////////
  // Row in process //
  ////////////////////

  assign leaves      = (burst_valid_o && burst_ready_i) || (deny_valid_o && deny_ready_i) || abort_i;
  assign row_ready_o = !busy_q || (leaves && !Step);

  always_ff @(posedge clk_i) begin
    if (!rst_ni)          busy_q <= 1'b0;
    else if (row_ready_o) busy_q <= row_valid_i;
    else if (leaves)      busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (row_ready_o) begin
      gaddr_q   <= row_i.gaddr;
      saddr_q   <= row_i.saddr;
      chunks_q  <= row_i.chunks[8:0];
      odd_q     <= row_i.odd;
      none_q    <= row_i.none;
      first_q   <= row_i.first;
      last_q    <= row_i.last;
      mm_q      <= mm_i;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_INIT(PageHoldsWholeBeats, PageChunks % Chunks == 0)
  `TMA_ASSERT(RowIsNotEmpty, row_valid_i |-> row_i.chunks != '0)
  `TMA_ASSERT(RowIsChunkAligned, row_valid_i && !row_i.none |-> row_i.gaddr[3:0] == '0)
  `TMA_ASSERT(RowStaysInPage, row_valid_i |->
      row_i.chunks <= RowChunks'(chunks_to_page_end(row_i.gaddr[11:4])))
  `TMA_ASSERT(BurstStaysInPage, burst_valid_o |->
      32'(burst_o.addr[11:0]) + (32'(burst_o.len) + 1) * DataBytes <= 4096)
  `TMA_ASSERT(BurstGoesSomewhere, burst_valid_o |-> ports_o != '0)
  `TMA_ASSERT(BurstIsStable, burst_valid_o && !burst_ready_i && !abort_i |=>
      burst_valid_o && $stable({burst_o, ports_o, port_addr_o}))
  `TMA_ASSERT(DenyIsStable, deny_valid_o && !deny_ready_i && !abort_i |=>
      deny_valid_o && $stable({deny_addr_o, deny_code_o}))
  `TMA_COVER(RowAfterRow, leaves && !abort_i && row_valid_i)

endmodule
