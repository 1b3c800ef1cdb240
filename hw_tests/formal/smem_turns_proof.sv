// SPDX-License-Identifier: Apache-2.0
// Properties of tma_smem_turns, for two readers whose reads stay on offer until they are taken, and any shared memory:
// one read is taken at a time, that of its reader; what is on offer to shared memory stays until it is taken; and a
// reader waits for one cycle at most in which a read of the other one was taken or, with `Short`, nothing was on offer.
//
// How long a read on offer waits for its bank is not asked here.

module smem_turns_proof
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter bit Short = 1'b0
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [1:0]       valid_i,
  input cta_t [1:0]       cta_i,
  input bank_rows_t [1:0] rows_i,
  input logic             rd_ready_i
);

  logic [1:0] ready;
  logic       valid;
  cta_t       cta;
  bank_rows_t rows;

  tma_smem_turns #(.Short(Short)) dut (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .cta_i, .rows_i,
    .rd_valid_o(valid), .rd_ready_i, .rd_cta_o(cta), .rd_rows_o(rows)
  );

  logic       started_q = 1'b0;  // the first cycle is a reset
  logic [1:0] takes, waits_q;
  logic       stays_q, idle_q, passes;
  cta_t       cta_q;
  bank_rows_t rows_q;

  assign takes  = valid_i & ready;
  assign passes = valid_i != '0 && (!valid || rd_ready_i);

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    waits_q   <= rst_ni ? valid_i & ~takes : '0;
    stays_q   <= rst_ni && valid && !rd_ready_i;
    idle_q    <= rst_ni && valid_i != '0 && !valid;
    cta_q     <= cta;
    rows_q    <= rows;
  end

  // Of a read that waits, what it is does not change.
  cta_t [1:0]       own_cta_q;
  bank_rows_t [1:0] own_rows_q;

  always_ff @(posedge clk_i) begin
    own_cta_q  <= cta_i;
    own_rows_q <= rows_i;
  end

  always_comb begin
    assume (started_q || !rst_ni);
    assume ((waits_q & ~valid_i) == '0);

    if (started_q) begin
      OneIsTaken:   assert (takes != '1);
      TakenIsTaken: assert ((takes != '0) == (valid && rd_ready_i));
      OfSomebody:   assert (!valid || valid_i != '0);
      if (!Short)   GoesAtOnce:    assert (valid == (valid_i != '0));
      if (idle_q)   IdleForACycle: assert (valid);
      if (stays_q)  ReadIsStable:  assert (valid && cta == cta_q && rows == rows_q);
    end
  end

  for (genvar i = 0; i < 2; i++) begin : g_reader
    logic [7:0] passed_q;  // cycles that it has waited for

    always_ff @(posedge clk_i) begin
      if (!rst_ni || !valid_i[i] || takes[i]) passed_q <= '0;
      else                                    passed_q <= passed_q + 8'(passes);
    end

    always_comb begin
      if (waits_q[i]) assume (cta_i[i] == own_cta_q[i] && rows_i[i] == own_rows_q[i]);

      if (started_q) begin
        if (takes[i])       ReadIsOfReader:   assert (cta == cta_i[i] && rows == rows_i[i]);
        ReaderHasItsTurn:   assert (passed_q <= 8'd1);
        if (passed_q != '0) ItIsNext:         assert (32'(dut.pick) == i);

        WaitsLongest:       cover (passed_q == 8'd1 && takes[i] && valid_i == '1);
      end
    end
  end

  if (Short) begin : g_short
    always_comb begin
      if (started_q) Idle: cover (idle_q && valid_i == '1);
    end
  end else begin : g_at_once
    always_comb begin
      if (started_q && dut.g_turns.held_q) LinkHeld: assert (stays_q && valid_i[dut.g_turns.pick_q]);
    end
  end

endmodule
