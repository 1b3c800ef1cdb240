// SPDX-License-Identifier: Apache-2.0
// Properties of tma_narrow, for any engine that keeps the rules and any bus: both addresses are those of
// narrow_address_rules; the beats of write data are the engine's lines, cut, in their order, and they are as many as the
// addresses say, in the order of those, the last of each marked, none before its address is at the pins.
//
// One part, any one, is followed from where it comes to the pins until its data has gone. That the lines of a burst
// are as many as its address says is the engine's (axi_order_rules). Of responses and read data nothing is said.

module narrow_proof
  import tma_pkg::*;
  import tma_narrow_pkg::*;
#(
  parameter int unsigned Parts = 2
) (
  input logic        clk_i,
  input logic        rst_ni,
  input wide_req_t   wide_i,
  input narrow_rsp_t narrow_i,
  input logic        follow_i  // follow the part that comes to the pins now
);

  localparam int unsigned PtrWidth = $clog2(Parts);

  typedef logic [PtrWidth:0] count_t;

  wide_rsp_t   wide;
  narrow_req_t narrow;

  tma_narrow #(.Parts(Parts)) dut (.clk_i, .rst_ni, .wide_i, .wide_o(wide), .narrow_o(narrow), .narrow_i);

  narrow_address_rules u_ar (
    .clk_i, .rst_ni, .wide_valid_i(wide_i.ar_valid), .wide_ready_i(wide.ar_ready), .wide_i(wide_i.ar),
    .narrow_valid_i(narrow.ar_valid), .narrow_ready_i(narrow_i.ar_ready), .narrow_i(narrow.ar),
    .held_i(dut.ar_valid), .held_ax_i(dut.ar), .second_i(dut.u_ar.second_q), .part_i(dut.ar_part)
  );

  narrow_address_rules u_aw (
    .clk_i, .rst_ni, .wide_valid_i(wide_i.aw_valid), .wide_ready_i(wide.aw_ready), .wide_i(wide_i.aw),
    .narrow_valid_i(narrow.aw_valid), .narrow_ready_i(narrow_i.aw_ready), .narrow_i(narrow.aw),
    .held_i(dut.aw_valid), .held_ax_i(dut.aw), .second_i(dut.u_aw.second_q), .part_i(dut.aw_part)
  );

  ////////////////
  // Write data //
  ////////////////

  logic        started_q = 1'b0;  // the first cycle is a reset
  logic        send, ends;        // a beat goes to the pins; it is the last of its part
  count_t      parts_q;           // that have data to come
  lane_index_t lane_q;            // of the line, that comes next
  word_t       word_q;            // what has to be at the pins
  word_strb_t  strb_q;
  logic        waits_q;           // a beat at the pins was not taken, this one
  narrow_req_t narrow_q;
  logic        line_waits_q;      // of the engine, likewise
  wide_req_t   wide_q;

  logic        follow_q;          // a part is followed,
  logic        enters_q;          // has come to the pins in the cycle before,
  count_t      ahead_q;           // so many are in front of it,
  logic [7:0]  len_q, beat_q;     // its length, and how many of its beats have gone to the pins
  logic        ours_q, last_q;    // one of them is at the pins; it has to be the last

  assign send = dut.u_write.send;
  assign ends = dut.u_write.part_done;

  always_ff @(posedge clk_i) begin
    started_q    <= 1'b1;
    narrow_q     <= narrow;
    wide_q       <= wide_i;
    waits_q      <= rst_ni && narrow.w_valid && !narrow_i.w_ready;
    line_waits_q <= rst_ni && wide_i.w_valid && !wide.w_ready;
    parts_q      <= rst_ni ? parts_q + count_t'(dut.aw_part) - count_t'(ends) : '0;
    lane_q       <= rst_ni ? lane_q + lane_index_t'(send) : '0;
    if (send) begin
      word_q <= wide_i.w_data[lane_q*NarrowBits +: NarrowBits];
      strb_q <= wide_i.w_strb[lane_q*NarrowBytes +: NarrowBytes];
    end

    enters_q <= rst_ni && dut.aw_part && follow_i && !follow_q;
    if (send) begin
      ours_q <= follow_q && ahead_q == '0;
      last_q <= beat_q == len_q;
    end
    if (!rst_ni) begin
      follow_q <= 1'b0;
      ours_q   <= 1'b0;
    end else if (!follow_q) begin
      follow_q <= dut.aw_part && follow_i;
      ahead_q  <= parts_q - count_t'(ends);
      len_q    <= dut.aw_len;
      beat_q   <= '0;
    end else if (ahead_q != '0) begin
      ahead_q  <= ahead_q - count_t'(ends);
    end else if (send) begin
      beat_q   <= beat_q + 8'd1;
      follow_q <= beat_q != len_q;
    end
  end

  logic [PtrWidth-1:0] place;  // of the followed part, in the list of parts

  assign place = dut.u_write.u_parts.rd_ptr_q + PtrWidth'(ahead_q);

  for (genvar i = 0; i < Parts; i++) begin : g_part
    logic [PtrWidth-1:0] behind;  // the oldest

    assign behind = PtrWidth'(i) - dut.u_write.u_parts.rd_ptr_q;

    always_comb if (started_q && count_t'(behind) < parts_q) begin
      LinkWhole: assert ((32'(dut.u_write.u_parts.g_memory.u_ram.mem[i]) + 1) % Lanes == 0);
    end
  end

  always_comb begin
    assume (rst_ni == started_q);
    if (line_waits_q) assume (wide_i.w_valid && wide_i.w_data == wide_q.w_data && wide_i.w_strb == wide_q.w_strb);

    if (started_q) begin
      PartsAreCounted: assert (dut.u_write.u_parts.level_q == parts_q && parts_q <= count_t'(Parts));
      LinkOrder:       assert (dut.u_write.u_parts.wr_ptr_q == dut.u_write.u_parts.rd_ptr_q + PtrWidth'(parts_q));
      LinkLane:        assert (dut.u_write.lane_q == lane_q && lane_index_t'(dut.u_write.beat_q) == lane_q);
      LinkIdle:        assert (parts_q != '0 || dut.u_write.beat_q == '0);
      if (send)        BeatHasItsAddress: assert (parts_q != '0);
      LineGoesWhole:   assert ((wide_i.w_valid && wide.w_ready) == (send && 32'(lane_q) == Lanes - 1));
      if (ends)        PartEndsWithALine: assert (32'(lane_q) == Lanes - 1);
      if (narrow.w_valid) BeatIsOfTheLine: assert (narrow.w_data == word_q && narrow.w_strb == strb_q);
      if (waits_q)     BeatWaits: assert (narrow.w_valid && narrow.w_data == narrow_q.w_data &&
                                          narrow.w_strb == narrow_q.w_strb && narrow.w_last == narrow_q.w_last);

      if (enters_q)    LengthIsAtThePins: assert (narrow.aw_valid && narrow.aw.len == len_q);
      if (follow_q) begin
        LinkAhead:     assert (ahead_q < parts_q && dut.u_write.u_parts.g_memory.u_ram.mem[place] == len_q);
        LinkBeat:      assert (beat_q <= len_q && (ahead_q == '0 ? dut.u_write.beat_q == beat_q : beat_q == '0));
      end
      if (narrow.w_valid && ours_q) LastIsMarked: assert (narrow.w_last == last_q);

      EndsAsTheLast:   cover (narrow.w_valid && ours_q && last_q && len_q == 8'd3);
      OneAhead:        cover (follow_q && ahead_q == count_t'(1) && ends);
    end
  end

endmodule
