// SPDX-License-Identifier: Apache-2.0
// Rows of everything that is stored: bulk commands and records, one row each, and the rows of the
// tensor copies' walks. Those of reductions come from a source of their own, which has no records.
//
//   records ------------+
//   bulk commands ------+--> row_o, item_o
//   walk --> skip empty-+
//
// Tensor commands leave for their set-up at the head of the command FIFO; a bulk command waits there
// until the walks of all before it are over. Records go before commands, but not into the middle of
// one, and not for ever: behind a record for which somebody waited comes one walk or bulk command, if it
// has a row by then.
//
// A row of a walk without data is dropped, one per cycle. When it is the last one, or the only one, a
// `none` row takes its place, so that every command has an end. `stop_i` drops the rest of the walk
// that the row taken last belongs to; where it was the last row, nothing is dropped.
//
// Throughput: a row per cycle, across commands. No latency: `row_valid_o` and `row_o` depend on the
// inputs, the readies on `row_ready_i`, `stop_i` and the valids. With `Short` records have a register: they come a
// cycle later, every other cycle, and their ready depends on nothing else.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_store_source
  import tma_pkg::*;
  import tma_tensor_pkg::*;
  import tma_store_pkg::*;
#(
  parameter bit Short = ShortPaths  // rows of walks without data say so, besides (tma_walk_stage)
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Commands and records in
  input  logic        cmd_valid_i,
  output logic        cmd_ready_o,
  input  store_cmd_t  cmd_i,
  input  how_t        how_i,           // of a bulk reduction
  input  logic        rec_valid_i,
  output logic        rec_ready_o,
  input  record_cmd_t rec_i,

  // Tensor commands out; each comes back as a walk
  output logic        tensor_valid_o,
  input  logic        tensor_ready_i,
  output store_cmd_t  tensor_o,
  input  logic        walk_row_valid_i,
  output logic        walk_row_ready_o,
  input  tensor_row_t walk_row_i,
  input  walk_item_t  walk_item_i,
  output logic        walk_stop_o,

  // Rows out, each with what it belongs to
  output logic        row_valid_o,
  input  logic        row_ready_i,
  output row_t        row_o,
  output item_t       item_o,
  output logic        alone_o,    // it can share a burst: tma_row_join,
  output logic        follows_o,  // also as the second row of it

  output logic        rest_o,     // of the walk whose row was taken last there is more,
  output logic        pass_o,     // and for now no row of that, but one without data
  input  logic        stop_i,
  output logic        idle_o
);

  localparam int unsigned RecordChunks = 2;
  localparam int unsigned AwayWidth    = 3;  // more than set-up and walker hold

  logic [AwayWidth-1:0] away_q;   // tensor commands whose walk is not over
  logic                 some_q;   // there are some
  logic                 open_q;   // a row of the walk was taken, and its last was not
  logic                 given_q;  // one of them was given out
  logic                 yield_q;  // behind a record for which somebody waited
  logic                 is_empty, is_walk, is_bulk;
  logic                 leaves, returns, taken, bulk_goes;

  /////////////
  // Records //
  /////////////

  logic        rec_valid, rec_ready;
  record_cmd_t rec;

  if (Short) begin : g_record
    logic unused_held;

    tma_fifo #(.Width($bits(record_cmd_t)), .Depth(1)) u_record (
      .clk_i, .rst_ni, .in_valid_i(rec_valid_i), .in_ready_o(rec_ready_o), .in_i(rec_i),
      .out_valid_o(rec_valid), .out_ready_i(rec_ready), .out_o(rec), .level_o(unused_held)
    );
  end else begin : g_record_at_once
    assign rec_valid   = rec_valid_i;
    assign rec_ready_o = rec_ready;
    assign rec         = rec_i;
  end

  /////////////////////
  // Tensor commands //
  /////////////////////

  assign tensor_valid_o = cmd_valid_i && cmd_i.tensor && away_q != '1;
  assign tensor_o       = cmd_i;
  assign leaves         = tensor_valid_o && tensor_ready_i;
  assign returns        = walk_stop_o || (taken && walk_row_i.last);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      away_q  <= '0;
      some_q  <= 1'b0;
      open_q  <= 1'b0;
      given_q <= 1'b0;
    end else begin
      some_q <= leaves || (some_q && !(returns && away_q == AwayWidth'(1)));
      if (leaves != returns) away_q <= leaves ? away_q + AwayWidth'(1) : away_q - AwayWidth'(1);
      if (returns) begin
        open_q  <= 1'b0;
        given_q <= 1'b0;
      end else if (taken) begin
        open_q  <= 1'b1;
        given_q <= given_q || !is_empty;
      end
    end
  end

  //////////
  // Rows //
  //////////

  assign is_empty = walk_row_i.none || (!Short && walk_row_i.chunks == '0);
  assign is_walk  = open_q || (some_q && (!rec_valid || (yield_q && walk_row_valid_i)));
  assign is_bulk  = cmd_valid_i && !cmd_i.tensor && !some_q && (!rec_valid || yield_q);

  // What is taken of a stopped walk in this cycle would be of no command.
  assign walk_stop_o      = stop_i && given_q;
  assign walk_row_ready_o = is_walk && !walk_stop_o && (row_ready_i || (is_empty && !walk_row_i.last));
  assign taken            = walk_row_valid_i && walk_row_ready_o;

  assign rec_ready   = row_ready_i && !is_walk && !is_bulk;
  assign bulk_goes   = row_ready_i && !is_walk && is_bulk;
  assign cmd_ready_o = leaves || bulk_goes;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                     yield_q <= 1'b0;
    else if (rec_valid && rec_ready) yield_q <= some_q || (cmd_valid_i && !cmd_i.tensor);
    else if (returns || bulk_goes)   yield_q <= 1'b0;
  end

  assign row_valid_o = is_walk ? walk_row_valid_i && !walk_stop_o && (!is_empty || walk_row_i.last)
                               : rec_valid || is_bulk;

  always_comb begin
    row_o        = '0;
    row_o.first  = 1'b1;
    row_o.last   = 1'b1;
    row_o.gaddr  = is_bulk ? cmd_i.gaddr : rec.gaddr;
    row_o.saddr  = cmd_i.saddr;
    row_o.chunks = is_bulk ? cmd_i.chunks : RowChunks'(RecordChunks);
    if (is_walk) begin
      row_o.gaddr  = walk_row_i.gaddr;
      row_o.saddr  = walk_row_i.saddr;
      row_o.chunks = is_empty ? RowChunks'(1) : walk_row_i.chunks;
      row_o.odd    = is_empty ? '0 : walk_row_i.odd;
      row_o.none   = is_empty;
      row_o.first  = !given_q;
      row_o.last   = walk_row_i.last;
    end
  end

  always_comb begin
    item_o           = '0;
    item_o.swizzle   = SwizzleOff;
    item_o.byte_mask = '1;
    item_o.cta       = cmd_i.cta;
    if (is_walk) begin
      item_o.cta     = walk_item_i.cta;
      item_o.swizzle = walk_item_i.layout.swizzle;
      item_o.pack    = Packed && walk_item_i.layout.format == FormatPad6;
      item_o.hint    = walk_item_i.hint;
      item_o.origin  = walk_item_i.signal.origin;
      item_o.code    = walk_item_i.fault[7:0];
      item_o.how     = walk_item_i.how;
    end else if (!is_bulk) begin
      item_o.record = 1'b1;
      item_o.origin = rec.origin;
    end else begin
      item_o.multimem  = cmd_i.multimem;
      item_o.byte_mask = cmd_i.byte_mask;
      item_o.hint      = cmd_i.hint;
      item_o.origin    = cmd_i.origin;
      item_o.how       = how_i;
    end
  end

  // Both chunks of a pair are read at once: behind a swizzle they lie in one 128-byte line.
  assign alone_o   = is_walk && !is_empty && walk_row_i.chunks == RowChunks'(1) && walk_row_i.odd == '0;
  assign follows_o = alone_o && (walk_item_i.layout.swizzle == SwizzleOff || walk_row_i.saddr[2:0] != '0);
  assign rest_o    = given_q;
  assign pass_o    = given_q && walk_row_valid_i && is_empty && !walk_row_i.last;

  assign idle_o = !some_q && !(Short && rec_valid);

  logic unused_bits;
  assign unused_bits = ^{walk_item_i, walk_row_i.head, walk_row_i.tail, walk_row_i.first};

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // Walks and bulk commands that went since a record waits, and records that went since a row of them waits.
  logic [1:0] passed_q, records_q;
  logic       row_waits;

  assign row_waits = open_q || (some_q ? walk_row_valid_i : cmd_valid_i && !cmd_i.tensor);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !rec_valid || rec_ready) passed_q <= '0;
    else passed_q <= passed_q + 2'((returns || bulk_goes) && passed_q != '1);
    if (!rst_ni || !row_waits || taken || walk_stop_o || bulk_goes) records_q <= '0;
    else records_q <= records_q + 2'(rec_valid && rec_ready && records_q != '1);
  end

  `TMA_ASSERT(RecordBehindOneCommand, passed_q <= 2'd1)
  `TMA_ASSERT(CommandBehindOneRecord, records_q <= 2'd1)
`endif
  `TMA_ASSERT(SomeAreAway, some_q == (away_q != '0))
  `TMA_ASSERT(RecordIsAligned, rec_valid |-> rec.gaddr[4:0] == '0)
  `TMA_ASSERT(WalkHasACommand, walk_row_valid_i |-> away_q != '0)
  `TMA_ASSERT(FirstRowBegins, walk_row_valid_i |-> walk_row_i.first == !open_q)
  `TMA_ASSERT(NothingStaysOpenAlone, open_q |-> away_q != '0)
  `TMA_ASSERT(GivenIsOpen, given_q |-> open_q)
  `TMA_ASSERT(EmptySaysSo, Short && walk_row_valid_i && walk_row_i.chunks == '0 |-> walk_row_i.none)
  `TMA_ASSERT(CodeFits, walk_row_valid_i |-> walk_item_i.fault[15:8] == '0)
  `TMA_ASSERT(FaultIsAlone, walk_row_valid_i && walk_item_i.fault != tma_isa_pkg::FaultNone |->
      walk_row_i.none && walk_row_i.first && walk_row_i.last)
  `TMA_ASSERT(PackedRowIsWhole, walk_row_valid_i && !is_empty &&
      walk_item_i.layout.format == FormatPad6 |->
      walk_row_i.chunks == 6 && walk_row_i.odd == '0 && walk_row_i.saddr[2:0] == '0 &&
      !walk_row_i.gaddr[4])
  `TMA_ASSERT(StoresDoNotPad, walk_row_valid_i && !is_empty |->
      walk_item_i.layout.format != FormatPad4)
  `TMA_ASSERT(StoresDoNotFlip, walk_row_valid_i && !is_empty |->
      walk_item_i.layout.swizzle != SwizzleFlip)
  `TMA_COVER(RecordOvertakes, rec_valid && rec_ready && cmd_valid_i)
  `TMA_COVER(RecordBeforeAWalk, rec_valid && rec_ready && walk_row_valid_i)
  `TMA_COVER(RecordWaitsForAWalk, rec_valid && open_q)
  `TMA_COVER(BulkBeforeARecord, rec_valid && bulk_goes)
  `TMA_COVER(WalkBeforeARecord, rec_valid && yield_q && taken && !open_q)
  `TMA_COVER(BulkWaitsForAWalk, cmd_valid_i && !cmd_i.tensor && some_q)
  `TMA_COVER(RowDropped, taken && is_empty && !walk_row_i.last)
  `TMA_COVER(EmptyEnd, taken && is_empty && walk_row_i.last && given_q)
  `TMA_COVER(WalkStopped, walk_stop_o)
  `TMA_COVER(StopIsNotOfTheNextWalk, stop_i && open_q && !given_q)

endmodule
