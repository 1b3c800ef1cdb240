// SPDX-License-Identifier: Apache-2.0
// Properties of the addresses of tma_port_writers, for any stores, any reductions whose address stays on offer until it
// is taken, and any port, dead or not: one address is taken at a time, that of its writer; one of reductions waits for
// one of stores at most, and one of stores for one of reductions, which waited before.
//
// Counted is every cycle in which the port could take an address; with `Short` also one in which it took none. The order
// of data is proven apart (axi_order_proof).

module writers_proof
  import tma_pkg::*;
#(
  parameter bit Short = 1'b0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        dead_i,
  input logic        store_aw_valid_i,
  input aw_t         store_aw_i,
  input logic        reduce_aw_valid_i,
  input aw_t         reduce_aw_i,
  input logic        aw_ready_i,
  input logic        store_w_valid_i,
  input stream_t     store_w_stream_i,
  input write_beat_t store_w_i,
  input logic        reduce_w_valid_i,
  input write_beat_t reduce_w_i,
  input logic        w_ready_i
);

  logic store_ready, reduce_ready, valid, free;
  aw_t  aw;

  tma_port_writers #(.Depth(4), .Short(Short)) dut (
    .clk_i, .rst_ni, .dead_i,
    .store_aw_valid_i, .store_aw_ready_o(store_ready), .store_aw_i,
    .reduce_aw_valid_i, .reduce_aw_ready_o(reduce_ready), .reduce_aw_i,
    .aw_valid_o(valid), .aw_ready_i, .aw_o(aw),
    .store_w_valid_i, .store_w_ready_o(), .store_w_stream_i, .store_w_i,
    .reduce_w_valid_i, .reduce_w_ready_o(), .reduce_w_i,
    .w_valid_o(), .w_ready_i, .w_stream_o(), .w_o()
  );

  // Room for an address's turn at its data, or none is needed.
  assign free = aw_ready_i && (dut.room || dead_i);

  logic       started_q = 1'b0;  // the first cycle is a reset
  logic       stores, reduces;   // an address is taken
  logic       waits_q;           // one of reductions did, in the cycle before
  logic       reduced_q;         // one of reductions was taken in the cycle before
  aw_t        own_q;
  logic [7:0] reduce_q, store_q; // cycles that the address on offer has waited for

  assign stores  = store_aw_valid_i && store_ready;
  assign reduces = reduce_aw_valid_i && reduce_ready;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    waits_q   <= rst_ni && reduce_aw_valid_i && !reduce_ready;
    reduced_q <= rst_ni && reduces;
    own_q     <= reduce_aw_i;
    if (!rst_ni || !reduce_aw_valid_i || reduces) reduce_q <= '0;
    else                                          reduce_q <= reduce_q + 8'(free);
    if (!rst_ni || !store_aw_valid_i || stores)   store_q <= '0;
    else                                          store_q <= store_q + 8'(free);
  end

  always_comb begin
    assume (started_q || !rst_ni);
    if (waits_q) assume (reduce_aw_valid_i && reduce_aw_i == own_q);

    if (started_q) begin
      OneIsTaken:    assert (!(stores && reduces) && (stores || reduces) == (valid && aw_ready_i));
      if (stores)    AddressOfStores:     assert (aw == store_aw_i);
      if (reduces)   AddressOfReductions: assert (aw == reduce_aw_i);
      // Nothing is lost: who alone wants goes at once, or behind a cycle.
      if (!Short && free) SomebodyGoes:   assert (stores || reduces || !(store_aw_valid_i || reduce_aw_valid_i));
      if (Short && free)  StoresGo:       assert (stores || reduces || !store_aw_valid_i);

      ReductionsHaveTheirTurn: assert (reduce_q <= 8'd1);
      StoresHaveTheirTurn:     assert (store_q <= 8'd1);
      // A reduction goes before a store only where it has waited.
      if (reduces && store_aw_valid_i) GoesAheadIfItWaited: assert (waits_q && (Short || reduce_q == 8'd1));
      if (Short && reduced_q) EveryOtherCycle: assert (!reduces);

      // Whose turn it is, is in a register.
      FirstHasWaited: assert (!dut.first_q || (reduce_aw_valid_i && waits_q));
      if (reduce_q != '0) ReductionIsNext: assert (dut.first_q);
      if (store_q != '0)  StoreIsNext:     assert (!dut.first_q);
      if (!Short)         LinkWaited:      assert (dut.first_q == (reduce_q != '0));

      ReductionWaits: cover (reduce_q == 8'd1 && reduces && store_aw_valid_i && !dead_i);
      StoreWaits:     cover (store_q == 8'd1 && stores && reduce_aw_valid_i && !dead_i);
      Full:           cover (aw_ready_i && !dut.room && !dead_i && store_q == 8'd1 && reduce_aw_valid_i);
    end
  end

endmodule
