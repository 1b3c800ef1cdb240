// SPDX-License-Identifier: Apache-2.0
// Properties of tma_page_cut, for any sequence of rows, handshakes and aborts: the parts of a row
// are its chunks, each once and in order, and none leaves its page.
//
// What is left of a row is tracked here from the ports alone; the Link properties tie it to the
// registers, which is what makes the others inductive.

module page_cut_proof
  import tma_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input logic row_valid_i,
  input row_t row_i,
  input logic part_ready_i,
  input logic abort_i
);

  logic row_ready, part_valid, held;
  row_t part;

  tma_page_cut dut (
    .clk_i, .rst_ni, .row_valid_i, .row_ready_o(row_ready), .row_i,
    .row_valid_o(part_valid), .row_ready_i(part_ready_i), .row_o(part), .held_o(held), .abort_i
  );

  logic started_q = 1'b0;  // the first cycle is a reset
  logic left_q;            // a row was taken and is not over
  row_t rest_q, row;       // what no part has covered yet; before this cycle's part
  logic over;              // this part is its last

  assign row  = left_q ? rest_q : row_i;
  assign over = part.chunks == row.chunks;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      left_q <= 1'b0;
    end else if (part_valid && part_ready_i) begin
      left_q        <= !over;
      rest_q.gaddr  <= row.gaddr + {44'd0, part.chunks, 4'd0};
      rest_q.saddr  <= row.saddr + chunk_addr_t'(part.chunks);
      rest_q.chunks <= row.chunks - part.chunks;
      rest_q.first  <= 1'b0;
      rest_q.last   <= row.last;
    end else if (left_q && abort_i) begin
      left_q <= 1'b0;
    end
  end

  logic waited_q;
  row_t part_q;

  always_ff @(posedge clk_i) begin
    waited_q <= rst_ni && left_q && part_valid && !part_ready_i && !abort_i;
    part_q   <= part;
  end

  always_comb begin
    assume (started_q || !rst_ni);
    assume (!row_valid_i || (row_i.chunks != '0 && row_i.gaddr[3:0] == 4'h0));

    if (started_q) begin
      LinkHeld:      assert (left_q == dut.held_q && held == left_q);
      RowsWait:      assert (!(row_ready && left_q));
      TakenWithPart: assert (!(row_valid_i && row_ready) || (part_valid && part_ready_i));
      RestComes:     assert (!left_q || part_valid || abort_i);
      RowComes:      assert (left_q || part_valid == row_valid_i);
    end
    if (started_q && left_q) begin
      LinkRest: assert (rest_q.gaddr == {dut.piece_q, 12'd0} && rest_q.saddr == dut.saddr_q &&
                        rest_q.chunks == dut.chunks_q && rest_q.last == dut.last_q &&
                        !rest_q.first && rest_q.chunks != '0);
    end
    if (started_q && part_valid) begin
      PartStartsAtRest:   assert (part.gaddr == row.gaddr && part.saddr == row.saddr);
      PartIsNoLonger:     assert (part.chunks != '0 && part.chunks <= row.chunks);
      PartStaysInPage:    assert ({1'b0, part.gaddr[11:0]} + 13'({part.chunks[8:0], 4'd0}) <= 13'd4096 &&
                                  part.chunks <= RowChunks'(256));
      CutOnlyAtPages:     assert (over || part.gaddr[11:0] + 12'({part.chunks[7:0], 4'd0}) == '0);
      FirstKeepsItsMark:  assert (part.first == (!left_q && row_i.first));
      LastKeepsItsMark:   assert (part.last == (row.last && over));
    end
    if (started_q && waited_q) PartHolds: assert (abort_i || (part_valid && part == part_q));
  end

  always_comb begin
    if (started_q) begin
      ThreePages:  cover (left_q && !over && part_valid && part_ready_i);
      LastOfRest:  cover (left_q && over && part_valid && part_ready_i && row.last);
      RestDropped: cover (left_q && abort_i);
    end
  end

endmodule
