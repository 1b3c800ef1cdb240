// SPDX-License-Identifier: Apache-2.0
// Properties of tma_skid: what goes in comes out, in order, and waits there unchanged; from `drop_i` on
// what is on offer is kept until it is taken, and nothing follows.
//
// One entry, any one, is followed from its way in to its way out.

module skid_proof #(
  parameter int unsigned Width = 3
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             drop_i,
  input logic             in_valid_i,
  input logic [Width-1:0] in_i,
  input logic             out_ready_i,
  input logic             follow_i      // follow the entry that goes in now
);

  logic             in_ready, out_valid, behind_valid;
  logic [Width-1:0] out, behind;

  tma_skid #(.Width(Width)) dut (
    .clk_i, .rst_ni, .drop_i, .in_valid_i, .in_ready_o(in_ready), .in_i,
    .out_valid_o(out_valid), .out_ready_i, .out_o(out), .behind_valid_o(behind_valid), .behind_o(behind)
  );

  logic             started_q = 1'b0;  // the first cycle is a reset
  logic             push, pop;
  logic [1:0]       count_q;           // entries held
  logic             drop_q, out_waited_q;
  logic             follow_q;          // the followed entry is held
  logic             ahead_q;           // one is in front of it
  logic [Width-1:0] entry_q, out_q;

  assign push = in_valid_i && in_ready;
  assign pop  = out_valid && out_ready_i;

  always_ff @(posedge clk_i) begin
    started_q    <= 1'b1;
    drop_q       <= rst_ni && drop_i;
    out_waited_q <= rst_ni && out_valid && !out_ready_i;
    out_q        <= out;
    if (!rst_ni)     count_q <= '0;
    else if (drop_i) count_q <= {1'b0, out_valid && !out_ready_i};
    else             count_q <= count_q + 2'(push) - 2'(pop);

    if (!rst_ni || drop_i) begin
      follow_q <= 1'b0;
    end else if (!follow_q && follow_i && push) begin
      follow_q <= 1'b1;
      entry_q  <= in_i;
      ahead_q  <= count_q - 2'(pop) != '0;
    end else if (follow_q && pop) begin
      follow_q <= ahead_q;
      ahead_q  <= 1'b0;
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    if (started_q && drop_q) assume (drop_i);

    if (started_q) begin
      CountIsHeld:      assert (count_q == 2'(out_valid) + 2'(behind_valid) && (out_valid || !behind_valid));
      TakesUntilFull:   assert (in_ready == (count_q != 2'd2 || drop_i));
      GivesUntilEmpty:  assert (out_valid == (count_q != '0));
      if (out_waited_q) OutputHolds: assert (out_valid && out == out_q);
      if (follow_q) begin
        LinkFollowed:   assert (count_q > 2'(ahead_q) && (ahead_q ? behind : out) == entry_q);
        if (!ahead_q) EntryComesOut: assert (out == entry_q);
      end
      if (drop_q) begin
        NothingFollows: assert (!behind_valid && (!out_valid || out_waited_q));
      end

      Fills:            cover (count_q == 2'd2);
      EntryWaitsBehind: cover (follow_q && !ahead_q && out_waited_q && pop);
      BehindIsDropped:  cover (drop_q && out_valid);
    end
  end

endmodule
