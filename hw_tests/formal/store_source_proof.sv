// SPDX-License-Identifier: Apache-2.0
// Properties of tma_store_source, for any commands, records and rows of walks that stay until they are taken, any end of
// a walk and any user of the rows: a row that goes is that of a record, a bulk command or a walk, as it is; a record goes
// before stores, but not between the rows of one; a store whose row is there is passed by one record at most, and a
// record is passed by one store at most, or waits for the end of the one that has begun.
//
// A store waits when a row of its walk is valid, or when it is a bulk command and no walk before it is to come. With
// `Short` a record waits from the register on.
//
// Assumed of set-up and walker: rows are of walks of the commands given out, the first of each says so, and with
// `Short` one without data says `none`. A row stays until it is taken or its walk is stopped.

module store_source_proof
  import tma_pkg::*;
  import tma_tensor_pkg::*;
  import tma_store_pkg::*;
#(
  parameter bit Short = 1'b0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        cmd_valid_i,
  input store_cmd_t  cmd_i,
  input how_t        how_i,
  input logic        rec_valid_i,
  input record_cmd_t rec_i,
  input logic        tensor_ready_i,
  input logic        walk_row_valid_i,
  input tensor_row_t walk_row_i,
  input walk_item_t  walk_item_i,
  input logic        row_ready_i,
  input logic        stop_i
);

  logic       cmd_ready, rec_ready, tensor_valid, walk_row_ready, walk_stop, row_valid;
  store_cmd_t tensor;
  row_t       row;
  item_t      item;

  tma_store_source #(.Short(Short)) dut (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o(cmd_ready), .cmd_i, .how_i,
    .rec_valid_i, .rec_ready_o(rec_ready), .rec_i,
    .tensor_valid_o(tensor_valid), .tensor_ready_i, .tensor_o(tensor),
    .walk_row_valid_i, .walk_row_ready_o(walk_row_ready), .walk_row_i, .walk_item_i, .walk_stop_o(walk_stop),
    .row_valid_o(row_valid), .row_ready_i, .row_o(row), .item_o(item),
    .alone_o(), .follows_o(), .rest_o(), .pass_o(), .stop_i, .idle_o()
  );

  logic        started_q = 1'b0;  // the first cycle is a reset
  logic        given, taken, over, bulk, bulk_goes, row_goes, record_goes;
  logic [7:0]  away_q;            // tensor commands given out whose walk is not over
  logic        open_q;            // of one of them a row was taken
  logic        empty;             // the walk's row has no data
  logic        record;            // one is here, this one
  record_cmd_t its;

  assign given       = tensor_valid && tensor_ready_i;
  assign taken       = walk_row_valid_i && walk_row_ready;
  assign over        = walk_stop || (taken && walk_row_i.last);
  assign bulk        = cmd_valid_i && !cmd_i.tensor;
  assign bulk_goes   = bulk && cmd_ready;
  assign row_goes    = row_valid && row_ready_i;
  assign record_goes = row_goes && item.record;
  assign empty       = walk_row_i.none || walk_row_i.chunks == '0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      away_q <= '0;
      open_q <= 1'b0;
    end else begin
      away_q <= away_q + 8'(given) - 8'(over);
      open_q <= !over && (open_q || taken);
    end
  end

  if (Short) begin : g_record
    logic        full_q;
    record_cmd_t its_q;

    always_ff @(posedge clk_i) begin
      full_q <= rst_ni && (full_q ? !record_goes : rec_valid_i);
      if (rec_valid_i && rec_ready) its_q <= rec_i;
    end

    assign record = full_q;
    assign its    = its_q;

    always_comb begin
      if (started_q) begin
        RegisterTakes: assert (rec_ready == !full_q);
        LinkRegister:  assert (dut.g_record.u_record.level_q == full_q && (!full_q || dut.rec == its_q));
      end
    end
  end else begin : g_record_at_once
    assign record = rec_valid_i;
    assign its    = rec_i;

    always_comb begin
      if (started_q) RecordIsTaken: assert (record_goes == (rec_valid_i && rec_ready));
    end
  end

  ///////////////////
  // What is given //
  ///////////////////

  logic        cmd_waits_q, record_waits_q, row_waits_q;
  store_cmd_t  own_cmd_q;
  record_cmd_t own_record_q;
  tensor_row_t own_row_q;
  walk_item_t  own_item_q;

  always_ff @(posedge clk_i) begin
    cmd_waits_q    <= rst_ni && cmd_valid_i && !cmd_ready;
    record_waits_q <= rst_ni && rec_valid_i && !rec_ready;
    row_waits_q    <= rst_ni && walk_row_valid_i && !walk_row_ready && !walk_stop;
    own_cmd_q      <= cmd_i;
    own_record_q   <= rec_i;
    own_row_q      <= walk_row_i;
    own_item_q     <= walk_item_i;
  end

  always_comb begin
    assume (started_q || !rst_ni);
    if (cmd_waits_q)    assume (cmd_valid_i && cmd_i == own_cmd_q);
    if (record_waits_q) assume (rec_valid_i && rec_i == own_record_q);
    if (row_waits_q)    assume (walk_stop || (walk_row_valid_i && walk_row_i == own_row_q && walk_item_i == own_item_q));
    if (walk_row_valid_i) begin
      assume (away_q != '0);
      assume (walk_row_i.first == !open_q);
      assume (!Short || walk_row_i.none || walk_row_i.chunks != '0);
    end
  end

  ////////////////
  // Properties //
  ////////////////

  logic       store_waits;
  logic [7:0] records_q;  // records that went since it does
  logic [7:0] stores_q;   // stores that went since a record waits

  assign store_waits = open_q || walk_row_valid_i || (bulk && away_q == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !store_waits || taken || walk_stop || bulk_goes) records_q <= '0;
    else                                                            records_q <= records_q + 8'(record_goes);
    if (!rst_ni || !record || record_goes) stores_q <= '0;
    else                                   stores_q <= stores_q + 8'(over || bulk_goes);
  end

  always_comb begin
    if (started_q) begin
      StoreHasItsTurn:  assert (records_q <= 8'd1);
      RecordHasItsTurn: assert (stores_q <= 8'd1);
      if (open_q)       NotBetweenTheRows: assert (!record_goes && !bulk_goes);
      if (bulk_goes)    BulkKeepsItsPlace: assert (away_q == '0);
      // Who is there goes, unless it is a record and the rest of a walk is not here yet.
      if (row_ready_i && !walk_stop && (open_q ? walk_row_valid_i : record || store_waits))
                        SomebodyGoes:      assert (row_goes || taken);

      OneGoes:          assert (!(record_goes && bulk_goes) && !(record_goes && taken) && !(bulk_goes && taken) &&
                                (!row_goes || record_goes || bulk_goes || taken) && (!bulk_goes || row_goes));
      if (taken)        OnlyEmptyRowsAreDropped: assert (row_goes == (!empty || walk_row_i.last));
      if (record_goes)  RecordIsItsOwn: assert (record && row.gaddr == its.gaddr && row.chunks == RowChunks'(2) &&
                                                row.odd == '0 && !row.none && row.first && row.last &&
                                                item.origin == its.origin && item.byte_mask == '1 && !item.multimem);
      if (bulk_goes)    BulkIsItsOwn:   assert (!item.record && row.gaddr == cmd_i.gaddr && row.saddr == cmd_i.saddr &&
                                                row.chunks == cmd_i.chunks && row.odd == '0 && !row.none &&
                                                row.first && row.last && item.origin == cmd_i.origin &&
                                                item.cta == cmd_i.cta && item.byte_mask == cmd_i.byte_mask);
      if (taken && row_goes) RowIsItsOwn: assert (!item.record && row.gaddr == walk_row_i.gaddr &&
                                                  row.saddr == walk_row_i.saddr && row.none == empty &&
                                                  row.last == walk_row_i.last && item.cta == walk_item_i.cta &&
                                                  item.origin == walk_item_i.signal.origin &&
                                                  (empty || (row.chunks == walk_row_i.chunks &&
                                                             row.odd == walk_row_i.odd)));
      if (given)        CommandIsGivenOut: assert (cmd_ready && cmd_i.tensor && tensor == cmd_i);

      // Whose turn it is, is in a register.
      if (records_q != '0) StoreIsNext:  assert (dut.yield_q && !open_q);
      if (stores_q != '0)  RecordIsNext: assert (!dut.yield_q && !open_q && record);
      LinkAway:            assert (8'(dut.away_q) == away_q && dut.some_q == (away_q != '0));
      LinkOpen:            assert (dut.open_q == open_q && (!dut.given_q || open_q) && (!open_q || away_q != '0));

      BulkBehindARecord:   cover (records_q == 8'd1 && bulk_goes && record);
      WalkBehindARecord:   cover (records_q == 8'd1 && taken && record && !walk_row_i.last);
      RecordBehindAStore:  cover (stores_q == 8'd1 && record_goes && store_waits);
      RecordBehindAStop:   cover (walk_stop && record && walk_row_valid_i && away_q == 8'd2);
    end
  end

endmodule
