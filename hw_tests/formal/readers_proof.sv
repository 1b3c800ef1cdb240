// SPDX-License-Identifier: Apache-2.0
// Properties of tma_port_readers, for any readers whose addresses stay on offer until they are taken, and any port: one
// address is taken at a time, that of its reader; and a reader that wants goes after NumReaders - 1 cycles at most in
// which another one's address was taken or, with `Short`, nobody's.
//
// With `Short` the turn is reader 0's behind a reset, though nobody had it before: so who waits since the cycle of the
// first address may find that reader 0 goes twice, and waits for one more.
//
// The turn comes nearer with each such cycle, which is what makes the bound inductive. Addresses alone: where beats go is
// proven with the port (axi_read_proof).

module readers_proof
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter int unsigned NumReaders = 2,
  parameter bit          Short      = 1'b0
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input read_req_t [NumReaders-1:0] reader_i,
  input reader_rsp_t                read_i
);

  reader_rsp_t [NumReaders-1:0] reader;
  read_req_t                    read;

  tma_port_readers #(.NumReaders(NumReaders), .Short(Short)) dut (
    .clk_i, .rst_ni, .reader_i, .reader_o(reader), .read_o(read), .read_i
  );

  logic                  started_q = 1'b0;  // the first cycle is a reset
  logic                  fresh_q;           // no turn has passed since a reset
  logic                  idle_q;            // somebody wanted, nobody had the turn
  logic [NumReaders-1:0] wants, takes, waits_q;
  logic                  passes;            // who waits, waits for this cycle

  assign passes = wants != '0 && (!read.ar_valid || read_i.ar_ready);

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    fresh_q   <= !rst_ni || (fresh_q && !passes);
    idle_q    <= rst_ni && wants != '0 && !read.ar_valid;
    waits_q   <= rst_ni ? wants & ~takes : '0;
  end

  always_comb begin
    assume (started_q || !rst_ni);
    assume ((waits_q & ~wants) == '0);

    if (started_q) begin
      OneIsTaken:    assert ((takes & (takes - NumReaders'(1))) == '0);
      TakenIsTaken:  assert ((takes != '0) == (read.ar_valid && read_i.ar_ready));
      OfSomebody:    assert (!read.ar_valid || wants != '0);
      if (!Short)    GoesAtOnce:    assert (read.ar_valid || wants == '0);
      if (idle_q)    IdleForACycle: assert (read.ar_valid);
    end
  end

  logic [7:0] turn;  // with Short, the reader whose turn it is; else the first that is looked at

  if (Short) begin : g_short
    logic [NumReaders-1:0] own, after;
    logic                  nobodys;  // it has not gone on since a reset

    assign after   = dut.g_readers.u_turn.after_q;
    assign nobodys = turn == '0 && after == '0;
    assign turn    = 8'(dut.g_readers.g_short.turn_q);
    assign own     = NumReaders'(1) << turn;

    always_comb begin
      if (started_q) begin
        LinkTurn:  assert (32'(turn) < NumReaders);
        FreshOnce: assert (fresh_q || !nobodys);
        LinkAfter: assert (nobodys || after == ~(own | (own - NumReaders'(1))));
        if (fresh_q) LinkFresh: assert (nobodys);

        Idle:      cover (idle_q && wants == '1);
      end
    end
  end else begin : g_at_once
    logic [7:0] behind;  // positions behind the last that went: none is as good as all in front of it

    always_comb begin
      behind = '0;
      for (int unsigned i = 0; i < NumReaders; i++) behind += 8'(dut.g_readers.u_turn.after_q[i]);
    end

    assign turn = 8'((NumReaders - 32'(behind)) % NumReaders);

    always_comb begin
      if (started_q) LinkAfter: assert ((~dut.g_readers.u_turn.after_q &
                                         (~dut.g_readers.u_turn.after_q + NumReaders'(1))) == '0);
    end
  end

  for (genvar i = 0; i < NumReaders; i++) begin : g_reader
    logic [7:0] passed_q;  // cycles that it has waited for
    logic       first_q;   // since the first address
    logic [7:0] ahead;     // readers that are looked at before it

    assign wants[i] = reader_i[i].ar_valid;
    assign takes[i] = wants[i] && reader[i].ar_ready;
    assign ahead    = 8'((i + NumReaders - 32'(turn)) % NumReaders);

    always_ff @(posedge clk_i) begin
      if (!rst_ni || !wants[i] || takes[i]) begin
        passed_q <= '0;
        first_q  <= 1'b0;
      end else begin
        passed_q <= passed_q + 8'(passes);
        first_q  <= first_q || (Short && fresh_q);
      end
    end

    always_comb begin
      if (started_q) begin
        if (fresh_q)      LinkPassed:        assert (passed_q == '0);
        if (takes[i])     AddressIsOfReader: assert (read.ar == reader_i[i].ar);
        TurnComesNearer:  assert (passed_q + ahead < 8'(NumReaders) + 8'(first_q));
        ReaderHasItsTurn: assert (passed_q < 8'(NumReaders) + 8'(first_q));

        WaitsLongest:     cover (!first_q && passed_q == 8'(NumReaders - 1) && takes[i] && waits_q[i]);
      end
    end

    if (Short && i == NumReaders - 1) begin : g_last
      always_comb begin
        if (started_q) FirstGoesTwice: cover (first_q && passed_q == 8'(NumReaders) && takes[i]);
      end
    end
  end

endmodule
