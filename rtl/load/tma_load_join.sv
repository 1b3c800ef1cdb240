// SPDX-License-Identifier: Apache-2.0
// Joins rows of one chunk that lie in one line of global memory, two at a time.
//
//   row_i --+--> register --+--> row_o
//           +---------------+
//
// A row of one chunk waits in the register until the row behind it is known. When that begins right behind it
// in shared memory and lies further up in the same line of global memory, the two become one: a pair, whose
// burst is one beat, with a row in its first chunk and a row in its last one. So the same number of bursts in
// flight brings twice as many rows:
//
//   row_i      A    B    C    D    E    F         A and B, C and D lie in one line
//   register   .    A    AB   C    CD   E
//   row_o      .    .    AB   .    CD   .
//
// Which rows are joined is a matter of the walk alone, never of time. The walker has the next row in the next
// cycle, or in the one behind that where paths are short, and a row that can be joined waits for no fill; a row
// that has only fill, or waits for room for it (`pass_i`), lets the one before it go. All other rows go through
// as they are.
//
// One row per cycle; no latency, of rows of one chunk that are not the last a cycle. `row_ready_o` depends on
// `row_ready_i` and on the row on offer. `drop_i` drops what there is of the command whose row went out last:
// the row that is here too, if it is of that command. Reset: control only.

`include "tma_assert.svh"

module tma_load_join
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input  logic  clk_i,
  input  logic  rst_ni,

  // Rows in. `rest_i`: of the command whose row came last there is more, of which for now no row comes
  // (`pass_i`); `drop_o`: drop it
  input  logic  row_valid_i,
  output logic  row_ready_o,
  input  row_t  row_i,
  input  item_t item_i,
  input  logic  rest_i,
  input  logic  pass_i,
  output logic  drop_o,

  // Rows out, with the same of the command whose row went last
  output logic  row_valid_o,
  input  logic  row_ready_i,
  output row_t  row_o,
  output item_t item_o,
  output logic  rest_o,
  input  logic  drop_i,

  output logic  busy_o    // a row is here
);

  if (Chunks == 1) begin : g_wires
    logic unused;

    assign row_valid_o = row_valid_i;
    assign row_ready_o = row_ready_i;
    assign row_o       = row_i;
    assign item_o      = item_i;
    assign rest_o      = rest_i;
    assign drop_o      = drop_i;
    assign busy_o      = 1'b0;
    assign unused      = ^{clk_i, rst_ni, pass_i};
  end else begin : g_register
    logic  full_q, begun, dropped;  // begun: the row that is here is of the command whose row went last
    row_t  row_q;
    item_t item_q;

    assign begun   = full_q && !row_q.first;
    assign dropped = drop_i && begun;
    assign row_o   = full_q ? row_q : row_i;
    assign item_o  = full_q ? item_q : item_i;
    assign rest_o  = full_q ? begun : rest_i;
    assign drop_o  = drop_i && (begun || !full_q);
    assign busy_o  = full_q;

    //////////
    // Pair //
    //////////

    // Rows of a walk come one after the other: one that is not the first is of the command of the one before.
    logic                alone, alone_q;  // a chunk of data and nothing beside it
    logic                joins, stays;    // stays: until the next row is known
    logic [ChunkIdx-1:0] from, to;        // places of the two in their lines

    assign alone = item_i.client == ClientLoad && !row_i.none && row_i.chunks == RowChunks'(1) && row_i.odd == '0 &&
                   item_i.layout.format != FormatPad4 && item_i.layout.format != FormatPad6;
    assign from  = row_q.gaddr[4 +: ChunkIdx];
    assign to    = row_i.gaddr[4 +: ChunkIdx];
    assign joins = full_q && alone_q && row_valid_i && alone && !row_i.first && to > from &&
                   row_i.gaddr[63:LineShift] == row_q.gaddr[63:LineShift] &&
                   row_i.saddr == row_q.saddr + chunk_addr_t'(1);
    assign stays = alone_q && !row_q.last && rest_i && !row_valid_i && !pass_i;

    //////////////
    // Register //
    //////////////

    logic waits, leaves, comes;

    assign waits       = alone && !row_i.last;
    assign row_valid_o = full_q ? !dropped && !joins && !stays : row_valid_i && !waits;
    assign leaves      = full_q && (dropped || (row_ready_i && !joins && !stays));
    assign comes       = row_valid_i && (full_q ? leaves : waits || !row_ready_i);
    assign row_ready_o = !full_q || leaves || joins;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) full_q <= 1'b0;
      else         full_q <= comes || (full_q && !leaves);
    end

    always_ff @(posedge clk_i) begin
      if (!full_q || leaves) begin
        row_q   <= row_i;
        item_q  <= item_i;
        alone_q <= alone;
      end else if (joins) begin
        row_q.chunks <= RowChunks'(to) - RowChunks'(from) + RowChunks'(1);
        row_q.last   <= row_i.last;
        item_q.pair  <= 1'b1;
        item_q.fills <= item_i.fills;
        alone_q      <= 1'b0;
      end
    end

    ////////////////
    // Assertions //
    ////////////////

    `TMA_ASSERT(JoinedHasNoFill, joins |-> {item_q.lead, item_q.trail, item_i.lead, item_i.trail} == '0)
    `TMA_ASSERT(RowIsStable, full_q && row_valid_o && !row_ready_i |=>
        $stable({full_q, row_q, item_q}) && (row_valid_o || dropped))
    `TMA_ASSERT(DroppedRowsDoNotCome, dropped && row_valid_i |-> row_i.first)
    `TMA_COVER(Joined, joins && !row_i.last)
    `TMA_COVER(JoinedLast, joins && row_i.last)
    `TMA_COVER(JoinedFirst, joins && row_q.first)
    `TMA_COVER(Passed, alone_q && leaves && pass_i)
    `TMA_COVER(MovesUp, leaves && comes)
    `TMA_COVER(StoppedWhileItWaits, dropped && !row_q.last)
    `TMA_COVER(StoppedWithItsLastRow, dropped && row_q.last)
    `TMA_COVER(WaitsBehindAStopped, drop_i && full_q && row_q.first)
  end

endmodule
