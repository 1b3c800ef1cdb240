// SPDX-License-Identifier: Apache-2.0
// Joins rows that lie in one line of global memory, so that they share a burst of one beat.
//
//   row_i --+--> register --+--> row_o
//           +---------------+
//
// A row that can be joined waits in the register until the row behind it is known. When that lies further up
// in the same line of global memory and, in shared memory, begins right behind it, the two become one: a pair.
// Of loads and stores rows that can be joined are of one chunk, so the first chunk of a pair is a row and its
// last one is. So the same number of bursts in flight moves twice as many rows:
//
//   row_i      A    B    C    D    E    F         A and B, C and D lie in one line
//   register   .    A    AB   C    CD   E
//   row_o      .    .    AB   .    CD   .
//
// Rows of prefetches have no place in shared memory (`apart_i`): as many of them as lie in the line are joined,
// of any length.
//
// Which rows are joined is a matter of the walk alone, never of time. The walker has the next row in the next
// cycle, or in the one behind that where paths are short, and a row that can be joined waits for nothing; a row
// that does not come here, or waits for something (`pass_i`), lets the one before it go, and is between that and
// the rows behind. All other rows go through as they are, and wait in the register only behind one that leaves it.
//
// One row per cycle; no latency, of rows that can be joined and are not the last a cycle. `row_ready_o` depends
// on `row_ready_i` and on the row on offer. `drop_i` drops what there is of the command whose row went out last:
// the row that is here too, if it is of that command. With one chunk in a line, all is wires. Reset: control only.

`include "tma_assert.svh"

module tma_row_join
  import tma_pkg::*;
#(
  parameter int unsigned ItemWidth = 1  // of what belongs to a row besides; a pair has that of its second row
) (
  input  logic  clk_i,
  input  logic  rst_ni,

  // Rows in. `rest_i`: of the command whose row came last there is more, of which for now no row comes
  // (`pass_i`); `drop_o`: drop it
  input  logic                 row_valid_i,
  output logic                 row_ready_o,
  input  row_t                 row_i,
  input  logic [ItemWidth-1:0] item_i,
  input  logic                 alone_i,   // it can be joined: it lies in one line, with nothing beside it
  input  logic                 follows_i, // and may be the second one of a pair
  input  logic                 apart_i,   // it has no place in shared memory
  input  logic                 rest_i,
  input  logic                 pass_i,
  output logic                 drop_o,

  // Rows out, with the same of the command whose row went last
  output logic                 row_valid_o,
  input  logic                 row_ready_i,
  output row_t                 row_o,
  output logic [ItemWidth-1:0] item_o,
  output logic                 pair_o,    // it is more than one row
  output logic                 rest_o,
  input  logic                 drop_i,

  output logic                 busy_o     // a row is here
);

  if (Chunks == 1) begin : g_wires
    logic unused;

    assign row_valid_o = row_valid_i;
    assign row_ready_o = row_ready_i;
    assign row_o       = row_i;
    assign item_o      = item_i;
    assign pair_o      = 1'b0;
    assign rest_o      = rest_i;
    assign drop_o      = drop_i;
    assign busy_o      = 1'b0;
    assign unused      = ^{clk_i, rst_ni, alone_i, follows_i, apart_i, pass_i};
  end else begin : g_register
    localparam int unsigned PlaceWidth = ChunkIdx + 1;  // in a line

    logic                 full_q, begun, dropped;  // begun: what is here is of the command whose row went last
    logic                 pair_q;
    row_t                 row_q;
    logic [ItemWidth-1:0] item_q;

    assign begun   = full_q && !row_q.first;
    assign dropped = drop_i && begun;
    assign row_o   = full_q ? row_q : row_i;
    assign item_o  = full_q ? item_q : item_i;
    assign pair_o  = full_q && pair_q;
    assign rest_o  = full_q ? begun : rest_i;
    assign drop_o  = drop_i && (begun || !full_q);
    assign busy_o  = full_q;

    //////////
    // Pair //
    //////////

    // Rows of a walk come one after the other: one that is not the first is of the command of the one before.
    logic                  alone_q;        // it can still be joined
    logic                  joins, stays;   // stays: until the next row is known
    logic [PlaceWidth-1:0] from, to, end_; // places of the two in their lines, and behind the first one

    assign from  = PlaceWidth'(row_q.gaddr[4 +: ChunkIdx]);
    assign to    = PlaceWidth'(row_i.gaddr[4 +: ChunkIdx]);
    assign end_  = from + PlaceWidth'(row_q.chunks);
    assign joins = full_q && alone_q && row_valid_i && follows_i && !row_i.first && to >= end_ &&
                   row_i.gaddr[63:LineShift] == row_q.gaddr[63:LineShift] &&
                   (apart_i || row_i.saddr == row_q.saddr + chunk_addr_t'(1));
    assign stays = alone_q && !row_q.last && rest_i && !row_valid_i && !pass_i;

    //////////////
    // Register //
    //////////////

    logic waits, leaves, comes;

    assign waits       = alone_i && !row_i.last;
    assign row_valid_o = full_q ? !dropped && !joins && !stays : row_valid_i && !waits;
    assign leaves      = full_q && (dropped || (row_ready_i && !joins && !stays));
    assign comes       = row_valid_i && (full_q ? leaves : waits);
    assign row_ready_o = full_q ? leaves || joins : row_ready_i || waits;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) full_q <= 1'b0;
      else         full_q <= comes || (full_q && !leaves);
    end

    always_ff @(posedge clk_i) begin
      if (!full_q || leaves) begin
        row_q   <= row_i;
        item_q  <= item_i;
        pair_q  <= 1'b0;
        alone_q <= alone_i;
      end else if (joins) begin
        row_q.chunks <= RowChunks'(to) - RowChunks'(from) + row_i.chunks;
        row_q.last   <= row_i.last;
        item_q       <= item_i;
        pair_q       <= 1'b1;
        alone_q      <= apart_i;
      end else if (pass_i) begin
        alone_q <= 1'b0;
      end
    end

    ////////////////
    // Assertions //
    ////////////////

    `TMA_ASSERT(AloneIsInALine, row_valid_i && alone_i |-> row_i.odd == '0 || apart_i)
    `TMA_ASSERT(JoinedIsInALine, full_q && (alone_q || pair_q) |-> 32'(from) + 32'(row_q.chunks) <= Chunks)
    `TMA_ASSERT(FollowsAlone, row_valid_i && follows_i |-> alone_i)
    `TMA_ASSERT(RowIsStable, full_q && row_valid_o && !row_ready_i |=>
        $stable({full_q, row_q, item_q, pair_q}) && (row_valid_o || dropped))
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
