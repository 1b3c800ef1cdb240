// SPDX-License-Identifier: Apache-2.0
// Properties of the read half of tma_port, for any readers whose bursts lie in pages and any memory that keeps the
// rules: it keeps the rules of a manager (axi_read_rules); every beat goes to the reader of its burst, who
// asked for it, in the same cycle; and every burst that was asked for ends, once: with its last beat, or with one
// that is marked when the port has died.
//
// One id, any of them, is followed. What its reader asked for and has not had the end of is counted here from
// the ports alone.

module axi_read_proof
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter  bit          Loads      = 1'b1,  // port 0; the others have reductions alone
  localparam int unsigned NumReaders = Loads ? 2 : 1
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic [31:0]        limit_i,
  input read_req_t [NumReaders-1:0] reader_i,
  input writer_req_t        writer_i,
  input writer_req_t        reduce_i,
  input axi_rsp_t           axi_i,
  input logic [IdWidth-1:0] id_i
);

  localparam logic [7:0]      Reduce  = 8'(1 << ClientReduce);
  localparam logic [1:0][7:0] Clients = {Reduce, Loads ? 8'b0010_1111 : Reduce};
  localparam int unsigned     MaxOwed = NumReads > NumReductions ? NumReads : NumReductions;

  typedef logic [7:0] count_t;

  reader_rsp_t [NumReaders-1:0] reader;
  axi_req_t           axi;
  logic               dead;
  count_t             on_pins;
  logic [IdWidth-1:0] id_q;  // the one that is followed

  tma_port #(
    .NumReaders(NumReaders), .Clients((8*NumReaders)'(Clients)), .Loads(Loads), .Strays(1'b1)
  ) dut (
    .clk_i, .rst_ni, .limit_i, .reader_i, .reader_o(reader), .hints_o(), .writer_i, .writer_o(), .leaves_o(),
    .reduce_i, .reduce_o(), .axi_o(axi), .axi_i, .dead_o(dead)
  );

  axi_read_rules u_rules (
    .clk_i, .rst_ni, .id_i(id_q), .req_i(axi.read), .rsp_i(axi_i.read), .bursts_o(on_pins)
  );

  logic               started_q = 1'b0;  // the first cycle is a reset
  logic               who;               // the reader that is followed
  count_t             owed_q;            // its bursts of that id
  logic               asks, ends, any, other, dead_q, at_rest_q;
  logic               asked_q;           // in the cycle before
  logic               waited_q;          // a beat of it was not taken by its reader, this one
  read_beat_t         beat_q;
  count_t             waiting, waits_out;

  assign who  = Loads && Clients[1][id_q[IdWidth-1 -: 3]];
  assign asks = reader_i[who].ar_valid && reader[who].ar_ready && reader_i[who].ar.id == id_q;
  assign ends = reader[who].r_valid && reader_i[who].r_ready && reader[who].r.id == id_q && reader[who].r.last;

  // On the pins, or behind them.
  assign waits_out = count_t'(axi.read.ar_valid && axi.read.ar.id == id_q);
  assign waiting   = waits_out + count_t'(dut.u_read.behind_valid && dut.u_read.behind.id == id_q);

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) id_q <= id_i;
    dead_q   <= rst_ni && dead;
    asked_q  <= asks;
    waited_q <= rst_ni && reader[who].r_valid && reader[who].r.id == id_q && !reader_i[who].r_ready;
    beat_q   <= reader[who].r;
    if (!rst_ni) owed_q <= '0;
    else         owed_q <= owed_q + count_t'(asks) - count_t'(ends);
    at_rest_q <= rst_ni && dut.u_read.dead_q && !any;
  end

  // Of the id that is followed; the port counts by a place in its list.
  count_t owed_inside;
  logic   all_fit;

  always_comb begin
    owed_inside = '0;
    all_fit     = 1'b1;
    for (int unsigned i = 0; i < dut.u_read.NumIds; i++) begin
      if (dut.u_read.Ids[i] == id_q) owed_inside = count_t'(dut.u_read.owed_q[i]);
      if (32'(dut.u_read.owed_q[i]) > MaxOwed) all_fit = 1'b0;
    end
  end

  logic [NumReaders-1:0] strange;  // a beat is on offer to this reader of an id that it never has

  for (genvar i = 0; i < NumReaders; i++) begin : g_reader
    assign strange[i] = reader[i].r_valid && !(in_use(reader[i].r.id) && Clients[i][reader[i].r.id[IdWidth-1 -: 3]]);
  end

  // Whether a beat is on offer to anybody, to the other reader.
  if (Loads) begin : g_two
    assign any   = reader[0].r_valid || reader[NumReaders-1].r_valid;
    assign other = who ? reader[0].r_valid : reader[NumReaders-1].r_valid;
  end else begin : g_one
    assign any   = reader[0].r_valid;
    assign other = 1'b0;
  end

  function automatic logic in_use(input logic [IdWidth-1:0] id);
    return !Loads ? id == {ClientReduce, 2'd0} : id[IdWidth-1:2] == ClientLoad || (id[IdWidth-1:2] <= ClientCp && id[1:0] == '0);
  endfunction

  function automatic logic legal(input ar_t ar);
    return 32'(ar.addr) % DataBytes == 0 && 32'(ar.addr[11:0]) + (32'(ar.len) + 1) * DataBytes <= 4096;
  endfunction

  logic taken;  // at the pins, a beat of the id that is followed

  assign taken = axi_i.read.r_valid && axi.read.r_ready && axi_i.read.r_id == id_q;

  always_comb begin
    assume (started_q || !rst_ni);
    assume (in_use(started_q ? id_q : id_i));
    for (int unsigned i = 0; i < NumReaders; i++) begin
      if (reader_i[i].ar_valid) begin
        assume (Clients[i][reader_i[i].ar.id[IdWidth-1 -: 3]] && in_use(reader_i[i].ar.id));
        assume (legal(reader_i[i].ar));
      end
    end
    // Readers have places for what they ask for, and no more of them. What is counted inside is what is owed, of
    // any id, as OwedIsCounted says.
    for (int unsigned i = 0; i < dut.u_read.NumIds; i++) begin
      if (32'(dut.u_read.owed_q[i]) == MaxOwed) begin
        assume (!(dut.u_read.ar_taken && dut.u_read.ar_i.id == dut.u_read.Ids[i]));
      end
    end

    if (started_q) begin
      OwedIsCounted:   assert (owed_q <= count_t'(MaxOwed) && owed_q == owed_inside);
      if (!dead) begin
        AllIsAskedFor: assert (on_pins <= owed_q && owed_q == on_pins + waiting);
      end else if (!dut.u_read.dead_q) begin
        LinkDying:     assert (on_pins <= owed_q && owed_q >= on_pins + waits_out);
      end
      if (ends)        OnlyOwedBurstsEnd: assert (owed_q != '0);

      // No beat without a sink.
      if (taken && !dut.u_read.dead_q) begin
        BeatHasASink:  assert (reader[who].r_valid && reader_i[who].r_ready && reader[who].r.id == id_q &&
                               reader[who].r.data == axi_i.read.r_data && reader[who].r.resp == axi_i.read.r_resp &&
                               reader[who].r.last == axi_i.read.r_last && !reader[who].r.dead);
        OfNobodyElse:  assert (!other);
      end
      if (reader[who].r_valid && reader[who].r.id == id_q) begin
        BeatIsOwed:    assert (owed_q != '0);
        BeatIsOfPins:  assert (reader[who].r.dead || taken || !reader_i[who].r_ready);
      end

      if (waited_q) begin
        BeatWaits:     assert (reader[who].r_valid && reader[who].r.id == id_q && reader[who].r.last == beat_q.last &&
                               reader[who].r.dead == beat_q.dead);
        if (!beat_q.dead) DataWaits: assert (reader[who].r.data == beat_q.data && reader[who].r.resp == beat_q.resp);
      end

      LinkRange:       assert (all_fit);
      LinkBehind:      assert (!dut.u_read.behind_valid || legal(dut.u_read.behind));

      HasAClient:      assert (strange == '0);

      // Of a dead port.
      LinkDead:        assert (!dut.u_read.dead_q || dead);
      LinkMarked:      assert (!dut.u_read.dead_q || !dut.u_read.end_valid_q || dut.u_read.owes[dut.u_read.end_q]);
      LinkNoEnd:       assert (dut.u_read.dead_q || !dut.u_read.end_valid_q);
      // Of two cycles, the second has an end on offer if any is owed.
      if (at_rest_q && owed_q != '0 && !asks) EndsKeepComing: assert (any || asked_q);
      LinkRest:        assert (!at_rest_q || dut.u_read.dead_q);

      TwoOnTheirWay:   cover (on_pins == 8'd2 && waiting == 8'd2 && ends);
      EndsMarked:      cover (dead_q && ends && reader[who].r.dead && owed_q == 8'd2);
      DiesWithABeat:   cover (dead && taken && ends && !dut.u_read.dead_q);
    end
  end

endmodule
