// SPDX-License-Identifier: Apache-2.0
// Properties of tma_narrow, for any engine that keeps the rules and any bus: both addresses are those of
// narrow_address_rules; the beats of write data are the engine's lines, cut, in their order, and they are as many as the
// addresses say, in the order of those, the last of each marked, none before its address is at the pins.
//
// Every burst is answered once (narrow_answer_rules), with the worst response of its parts; read data comes in the order
// of the bus, as lines of one id each.
//
// One part, any one, is followed from where it comes to the pins until its data has gone, and one id, any one. That the
// lines of a burst are as many as its address says is the engine's (axi_order_rules).

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
  input logic        follow_i, // follow the part that comes to the pins now
  input id_t         id_i      // whose answers are followed
);

  localparam int unsigned PtrWidth = $clog2(Parts);

  typedef logic [PtrWidth:0] count_t;

  wide_rsp_t   wide;
  narrow_req_t narrow;

  tma_narrow #(.Parts(Parts)) dut (.clk_i, .rst_ni, .wide_i, .wide_o(wide), .narrow_o(narrow), .narrow_i);

  logic ar_left, ar_last, aw_left, aw_last;
  id_t  ar_left_id, aw_left_id;

  narrow_address_rules u_ar (
    .clk_i, .rst_ni, .wide_valid_i(wide_i.ar_valid), .wide_ready_i(wide.ar_ready), .wide_i(wide_i.ar),
    .narrow_valid_i(narrow.ar_valid), .narrow_ready_i(narrow_i.ar_ready), .narrow_i(narrow.ar),
    .held_i(dut.ar_valid), .held_ax_i(dut.ar), .second_i(dut.u_ar.second_q), .part_i(dut.ar_part),
    .left_o(ar_left), .left_id_o(ar_left_id), .last_o(ar_last)
  );

  narrow_address_rules u_aw (
    .clk_i, .rst_ni, .wide_valid_i(wide_i.aw_valid), .wide_ready_i(wide.aw_ready), .wide_i(wide_i.aw),
    .narrow_valid_i(narrow.aw_valid), .narrow_ready_i(narrow_i.aw_ready), .narrow_i(narrow.aw),
    .held_i(dut.aw_valid), .held_ax_i(dut.aw), .second_i(dut.u_aw.second_q), .part_i(dut.aw_part),
    .left_o(aw_left), .left_id_o(aw_left_id), .last_o(aw_last)
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

  /////////////
  // Answers //
  /////////////

  localparam int unsigned AnswerWidth = $clog2(Parts + 1) + 2;

  typedef logic [AnswerWidth-1:0] answers_t;

  id_t                id_q, write_id;            // of writes a stream
  stream_t            stream;
  logic               r, b, r_last, b_last;      // of the followed id, a beat, a response is taken; of the last part
  word_t [Lanes-1:0]  words_q, words;            // of its line
  lane_index_t        r_lane_q;
  logic [1:0]         r_worst_q, b_worst_q;
  logic               r_goes_q, b_goes_q;        // a line, a response has to be there
  line_t              line_q;                    // this one
  logic [1:0]         r_resp_q, b_resp_q;
  logic               r_last_q;
  logic [PtrWidth:0]  ar_level, aw_level, ar_rd, aw_rd;
  logic [Parts-1:0]   ar_lasts, aw_lasts;
  logic               r_offered, b_offered;      // of the followed id, to the engine

  assign stream    = stream_t'(id_q);
  assign write_id  = id_t'(stream);
  assign r         = narrow_i.r_valid && narrow.r_ready && narrow_i.r_id == id_q;
  assign b         = narrow_i.b_valid && narrow.b_ready && narrow_i.b_id == write_id;
  assign r_offered = wide.r_valid && wide.r_id == id_q;
  assign b_offered = wide.b_valid && wide.b_id == write_id;
  assign ar_rd     = dut.u_ar_order.rd_q[id_q];
  assign aw_rd     = dut.u_aw_order.rd_q[stream];
  assign ar_level  = dut.u_ar_order.wr_q[id_q] - ar_rd;
  assign aw_level  = dut.u_aw_order.wr_q[stream] - aw_rd;

  for (genvar i = 0; i < Parts; i++) begin : g_lasts
    assign ar_lasts[i] = dut.u_ar_order.u_ram.mem[{id_q, PtrWidth'(ar_rd + (PtrWidth+1)'(i))}];
    assign aw_lasts[i] = dut.u_aw_order.u_ram.mem[{stream, PtrWidth'(aw_rd + (PtrWidth+1)'(i))}];
  end

  narrow_answer_rules #(.Parts(Parts)) u_reads (
    .clk_i, .rst_ni, .asks_i(wide_i.ar_valid && wide.ar_ready && wide_i.ar.id == id_q), .left_i(ar_left && ar_left_id == id_q),
    .part_i(dut.ar_part && ar_left_id == id_q), .part_last_i(ar_last),
    .part_waits_i(narrow.ar_valid && narrow.ar.id == id_q), .comes_i(narrow_i.r_valid && narrow_i.r_id == id_q),
    .ends_i(r && narrow_i.r_last), .offered_i(r_offered && wide.r_last), .given_i(r_offered && wide.r_last && wide_i.r_ready),
    .level_i(answers_t'(ar_level)), .lasts_i(ar_lasts), .last_o(r_last)
  );

  narrow_answer_rules #(.Parts(Parts)) u_writes (
    .clk_i, .rst_ni, .asks_i(wide_i.aw_valid && wide.aw_ready && wide_i.aw.id == write_id), .left_i(aw_left && aw_left_id == write_id),
    .part_i(dut.aw_part && aw_left_id == write_id), .part_last_i(aw_last),
    .part_waits_i(narrow.aw_valid && narrow.aw.id == write_id), .comes_i(narrow_i.b_valid && narrow_i.b_id == write_id),
    .ends_i(b), .offered_i(b_offered), .given_i(b_offered && wide_i.b_ready),
    .level_i(answers_t'(aw_level)), .lasts_i(aw_lasts), .last_o(b_last)
  );

  always_comb begin
    words           = words_q;
    words[r_lane_q] = narrow_i.r_data;
  end

  always_ff @(posedge clk_i) begin
    if (!started_q) id_q <= id_i;
    r_lane_q  <= rst_ni ? r_lane_q + lane_index_t'(r) : '0;
    r_goes_q  <= rst_ni && r && 32'(r_lane_q) == Lanes - 1;
    b_goes_q  <= rst_ni && b && b_last;
    if (!rst_ni) begin
      r_worst_q <= '0;
      b_worst_q <= '0;
    end else begin
      if (r) r_worst_q <= 32'(r_lane_q) == Lanes - 1 ? '0 : worse(r_worst_q, narrow_i.r_resp);
      if (b) b_worst_q <= b_last ? '0 : worse(b_worst_q, narrow_i.b_resp);
    end
    if (r) begin
      words_q  <= words;
      line_q   <= words;
      r_resp_q <= worse(r_worst_q, narrow_i.r_resp);
      r_last_q <= narrow_i.r_last && r_last;
    end
    if (b) b_resp_q <= worse(b_worst_q, narrow_i.b_resp);
  end

  for (genvar l = 0; l < Lanes - 1; l++) begin : g_word
    always_comb if (started_q && 32'(r_lane_q) > l) begin
      LinkWord: assert (dut.u_read.g_lane[l].u_ram.mem[id_q] == words_q[l]);
    end
  end

  always_comb begin
    // Ids of writes are streams, of the engine and so of the bus. A part of reads is whole lines, as LinesAreWhole says.
    assume (wide_i.aw.id == id_t'(stream_t'(wide_i.aw.id)) && narrow_i.b_id == id_t'(stream_t'(narrow_i.b_id)));
    assume (!(narrow_i.r_valid && narrow_i.r_id == id_q && narrow_i.r_last && 32'(r_lane_q) != Lanes - 1));

    if (started_q) begin
      LinkStream: assert (!aw_left || aw_left_id == id_t'(stream_t'(aw_left_id)));
      LinkLanes: assert (dut.u_read.lane_q[id_q] == r_lane_q && dut.u_read.resp_q[id_q] == r_worst_q);
      LinkWorst: assert (dut.u_resp.worst_q[stream] == b_worst_q);
      if (r_goes_q)  LineComes:     assert (r_offered);
      if (b_goes_q)  ResponseComes: assert (b_offered);
      if (r_offered) LineIsRight:   assert (wide.r_data == line_q && wide.r_resp == r_resp_q && wide.r_last == r_last_q);
      if (b_offered) WorstOfAll:    assert (wide.b_resp == b_resp_q);
    end
  end

endmodule
