// SPDX-License-Identifier: Apache-2.0
// Properties of the turns of tma_load_rows, for any rows of commands, fetches and pages, any limits and any guard: one of
// them goes at a time; a row of a command that may go is passed by one fetch and one page at most; a fetch of the ring,
// or of maps, by one of the other kind, one page, and a row of a command more often than those two; a page by 63 others.
//
// So a fetch of which there is no other waits for a row of a command, and where a page comes between for a second one.
//
// Counted is while it stays: of a row of a command also while no hold and no limit is in its way. A slot is in everybody's.
// What goes is proven apart (issue_proof). Assumed of the guard, with `Short`: it takes no row in two cycles in a row.

module load_rows_proof
  import tma_pkg::*;
  import tma_load_pkg::*;
#(
  parameter bit Short = 1'b0
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         src_valid_i,
  input row_t         src_row_i,
  input item_t        src_item_i,
  input logic [2:0]   fetch_valid_i,
  input fetch_t [2:0] fetch_i,
  input hint_t        page_hint_i,
  input logic         slot_free_i,
  input logic         end_free_i,
  input logic         cp_full_i,
  input logic         hold_i,
  input logic         row_ready_i,
  input logic         drop_i
);

  logic       src_ready, valid, rest;
  logic [2:0] ready;

  tma_load_rows #(.Short(Short)) dut (
    .clk_i, .rst_ni, .src_valid_i, .src_ready_o(src_ready), .src_row_i, .src_item_i,
    .fetch_valid_i, .fetch_ready_o(ready), .fetch_i, .page_hint_i,
    .slot_free_i, .end_free_i, .cp_full_i, .hold_i,
    .row_valid_o(valid), .row_ready_i, .row_o(), .row_queue_o(), .row_slot_o(), .row_load_o(), .row_channel_o(),
    .row_cp_o(), .row_copy_o(), .fetched_o(), .page_o(), .page_hint_o(), .fetch_o(), .item_o(),
    .begins_o(), .rest_o(rest), .drop_i
  );

  logic       started_q = 1'b0;  // the first cycle is a reset
  logic [2:0] goes;              // of fetches
  logic       part_goes, part_wants, took_q, slot_q, limits_q, limits, slot;

  assign goes      = fetch_valid_i & ready;
  assign part_goes = valid && row_ready_i && goes == '0;
  assign limits    = Short ? limits_q
                           : (end_free_i || !(dut.part.none && dut.part.first)) && (!cp_full_i || dut.client != ClientCp);
  assign slot      = Short ? slot_q : slot_free_i;

  assign part_wants = dut.part_valid && !hold_i && limits;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    took_q    <= rst_ni && valid && row_ready_i;
    slot_q    <= rst_ni && slot_free_i;
    limits_q  <= rst_ni && end_free_i && !cp_full_i;
  end

  always_comb begin
    assume (started_q || (!rst_ni && !fetch_valid_i[2]));
    if (Short && took_q) assume (!row_ready_i);

    if (started_q) begin
      OneGoes:        assert ((goes & (goes - 3'd1)) == '0 && (goes == '0 || (valid && row_ready_i)));
      if (part_goes)  PartGoes:   assert (part_wants && slot && (rest || (src_valid_i && src_ready)));
      if (!part_goes) PartStays:  assert (!(src_valid_i && src_ready));
      if (!slot)      NobodyGoes: assert (!valid && goes == '0);
      if (!Short && slot && (part_wants || fetch_valid_i != '0)) SomebodyIsOn: assert (valid);
    end
  end

  /////////////
  // Fetches //
  /////////////

  for (genvar i = 0; i < 2; i++) begin : g_fetch
    logic [7:0] rows_q, pages_q, others_q;  // that went since it is there

    always_ff @(posedge clk_i) begin
      if (!rst_ni || !fetch_valid_i[i] || goes[i]) begin
        rows_q   <= '0;
        pages_q  <= '0;
        others_q <= '0;
      end else begin
        rows_q   <= rows_q + 8'(part_goes);
        pages_q  <= pages_q + 8'(goes[2]);
        others_q <= others_q + 8'(goes[1-i]);
      end
    end

    always_comb begin
      if (started_q) begin
        BehindOneOther: assert (others_q <= 8'd1);
        BehindOnePage:  assert (pages_q <= 8'd1);
        BehindRows:     assert (rows_q <= 8'd1 + others_q + pages_q);

        if (dut.fetch_last_q)  RowsAreNext:    assert (rows_q <= others_q + pages_q);
        if (others_q != '0)    OtherWasLast:   assert (32'(dut.map_last_q) != i);
        if (pages_q != '0)     PageIsFarOff:   assert (8'(dut.passed_q) <= rows_q + others_q);

        BehindARow:     cover (rows_q == 8'd1 && others_q == '0 && goes[i]);
        BehindAnOther:  cover (rows_q == 8'd2 && others_q == 8'd1 && goes[i]);
      end
    end
  end

  /////////////////////////////
  // Rows of commands, pages //
  /////////////////////////////

  logic [7:0] fetches_q, pages_q;  // that went since a row of a command wants to
  logic [7:0] before_q;            // others that went since a page is there

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !part_wants || part_goes) begin
      fetches_q <= '0;
      pages_q   <= '0;
    end else begin
      fetches_q <= fetches_q + 8'(goes[1:0] != '0);
      pages_q   <= pages_q + 8'(goes[2]);
    end
    // As where it is counted, a reset changes nothing.
    if (!fetch_valid_i[2] || goes[2]) before_q <= '0;
    else                              before_q <= before_q + 8'(part_goes || goes != '0);
  end

  always_comb begin
    if (started_q) begin
      RowBehindOneFetch: assert (fetches_q <= 8'd1);
      RowBehindOnePage:  assert (pages_q <= 8'd1);
      PageBehind63:      assert (before_q <= 8'd63);

      if (fetches_q != '0 || pages_q != '0) RowIsNext:   assert (dut.fetch_last_q);
      if (pages_q != '0)                    PageHasGone: assert (dut.passed_q == '0);
      LinkPassed:        assert (8'(dut.passed_q) == before_q);

      RowBehindAFetch:   cover (fetches_q == 8'd1 && part_goes);
    end
  end

  // A page passes a row of a command that was there before it 64 turns after a reset at the earliest, or with Short.
  if (Short) begin : g_short
    always_comb begin
      if (started_q) RowBehindAPage: cover (pages_q == 8'd1 && part_goes);
    end
  end

endmodule
