// SPDX-License-Identifier: Apache-2.0
// Properties of the write half of tma_port, for any writers whose bursts lie in pages and any memory that keeps the
// rules: it keeps the rules of a manager (axi_write_rules); every response of the memory is taken, and is one of
// the stream that waits for it; and every burst whose last beat was taken from its writer has one response, that of
// the memory, or one that is marked when the port has died.
//
// One stream, any of them, is followed. What its writer is owed is counted here from the ports alone. The streams of
// data on the pins are those that travel with it; that they are those of the addresses is proven apart.

module axi_write_proof
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter bit          Spread    = 1'b0,  // a port of broadcasts and reductions alone
  parameter int unsigned Addresses = 0,
  parameter int unsigned Beats     = 0
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [31:0]      limit_i,
  input read_req_t        reader_i,
  input writer_req_t      writer_i,
  input writer_req_t      reduce_i,
  input axi_rsp_t         axi_i,
  input stream_t          stream_i
);

  localparam logic [NumStreams-1:0] Used = Spread ? NumStreams'(2 | 1 << StreamReduce) : '1;

  typedef logic [7:0] count_t;

  writer_rsp_t        writer, reduce;
  axi_req_t           axi;
  logic               dead, leaves;
  count_t             on_pins;
  stream_t            stream_q;  // the one that is followed
  logic [IdWidth-1:0] id;

  tma_port #(
    .NumReaders(1), .Used(Used), .Addresses(Addresses), .Beats(Beats), .Strays(1'b1)
  ) dut (
    .clk_i, .rst_ni, .limit_i, .reader_i, .reader_o(), .hints_o(), .writer_i, .writer_o(writer), .leaves_o(leaves),
    .reduce_i, .reduce_o(reduce), .axi_o(axi), .axi_i, .dead_o(dead)
  );

  assign id = IdWidth'(stream_q);

  axi_write_rules u_rules (
    .clk_i, .rst_ni, .id_i(id), .w_id_i(IdWidth'(dut.u_write.w_q.stream)), .req_i(axi.write), .rsp_i(axi_i.write),
    .bursts_o(on_pins)
  );

  logic        started_q = 1'b0;  // the first cycle is a reset
  logic        of_reduce;
  logic        whole, answered;   // of the stream: a last beat is taken from its writer; its writer takes a response
  logic        valid, ready, waited_q;
  write_resp_t resp, resp_q;
  count_t      owed_q, most;      // bursts that its writer waits for

  assign of_reduce = stream_q == stream_t'(StreamReduce);
  assign most      = of_reduce ? count_t'(NumReductions) : count_t'(NumWrites);
  assign whole     = of_reduce ? reduce_i.w_valid && reduce.w_ready && reduce_i.w.last
                               : writer_i.w_valid && writer.w_ready && writer_i.w.last && writer_i.w_stream == stream_q;
  assign valid     = of_reduce ? reduce.b_valid[stream_q] : writer.b_valid[stream_q];
  assign ready     = of_reduce ? reduce_i.b_ready[stream_q] : writer_i.b_ready[stream_q];
  assign resp      = of_reduce ? reduce.b[stream_q] : writer.b[stream_q];
  assign answered  = valid && ready;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) stream_q <= stream_i;
    waited_q <= rst_ni && valid && !ready;
    resp_q   <= resp;
    if (!rst_ni) owed_q <= '0;
    else         owed_q <= owed_q + count_t'(whole) - count_t'(answered);
  end

  //////////////////
  // On their way //
  //////////////////

  // Of the stream: last beats in the skid of W and in the FIFO of beats; responses that wait; what is counted inside.
  count_t held, stored, sent, waiting, owed_inside;

  assign held = count_t'(dut.u_write.w_valid_q && dut.u_write.w_q.beat.last && dut.u_write.w_q.stream == stream_q) +
                count_t'(dut.u_write.unused_behind && dut.u_write.unused_w.beat.last &&
                         dut.u_write.unused_w.stream == stream_q);

  if (Beats == 0) begin : g_direct
    assign stored = '0;
  end else begin : g_beats
    typedef struct packed {
      stream_t     stream;
      write_beat_t beat;
    } data_t;

    localparam int unsigned PtrWidth = $clog2(Beats);

    logic [Beats-1:0] lasts;

    for (genvar i = 0; i < Beats; i++) begin : g_beat
      data_t               data;
      logic [PtrWidth-1:0] place;

      assign data     = dut.u_write.g_beats.u_beats.g_memory.u_ram.mem[i];
      assign place    = PtrWidth'(i) - dut.u_write.g_beats.u_beats.rd_ptr_q;
      assign lasts[i] = count_t'(place) < count_t'(dut.u_write.g_beats.u_beats.level_q) && data.beat.last &&
                        data.stream == stream_q;
    end

    always_comb begin
      stored = '0;
      for (int unsigned i = 0; i < Beats; i++) stored += count_t'(lasts[i]);
    end

    always_comb begin
      if (started_q) LinkBeats: assert (32'(dut.u_write.g_beats.u_beats.level_q) <= Beats &&
                                        PtrWidth'(dut.u_write.g_beats.u_beats.level_q) ==
                                        dut.u_write.g_beats.u_beats.wr_ptr_q - dut.u_write.g_beats.u_beats.rd_ptr_q);
    end
  end

  count_t [NumStreams-1:0] all_waiting, all_owed, all_sent;
  logic [NumStreams-1:0]   linked;       // pointers of the FIFO of responses are as far apart as there are
  logic                    responses_link;

  for (genvar s = 0; s < NumStreams; s++) begin : g_stream
    if (Used[s]) begin : g_used
      assign all_waiting[s] = count_t'(dut.u_write.g_stream[s].g_used.g_hold.u_responses.level_q);
      assign all_owed[s]    = count_t'(dut.u_write.g_stream[s].g_used.owed_q);
      assign all_sent[s]    = count_t'(dut.u_write.g_stream[s].g_used.sent_q);

      localparam int unsigned Depth = s == NumLanes ? NumReductions : NumWrites;

      // Depths are powers of two here.
      assign linked[s] = 32'(all_waiting[s]) <= Depth &&
                         (32'(dut.u_write.g_stream[s].g_used.g_hold.u_responses.wr_ptr_q) -
                          32'(dut.u_write.g_stream[s].g_used.g_hold.u_responses.rd_ptr_q) - 32'(all_waiting[s])) %
                         Depth == 0;
    end else begin : g_unused
      assign {all_waiting[s], all_owed[s], all_sent[s], linked[s]} = '0;
    end
  end

  assign waiting        = all_waiting[stream_q];
  assign owed_inside    = all_owed[stream_q];
  assign sent           = all_sent[stream_q];
  assign responses_link = linked[stream_q];

  ////////////////
  // Properties //
  ////////////////

  function automatic logic legal(input aw_t aw);
    return 32'(aw.addr) % DataBytes == 0 && 32'(aw.addr[11:0]) + (32'(aw.len) + 1) * DataBytes <= 4096;
  endfunction

  logic       taken;   // at the pins, a response of the stream
  logic       came_q;  // one was, and none waited; with short paths it is on offer now
  logic [1:0] came_resp_q;

  assign taken = axi_i.write.b_valid && axi.write.b_ready && axi_i.write.b_id == id;

  always_ff @(posedge clk_i) begin
    came_q      <= rst_ni && ShortPaths && started_q && taken && !dead && waiting == '0;
    came_resp_q <= axi_i.write.b_resp;
  end

  always_comb begin
    assume (started_q || !rst_ni);
    assume (32'(started_q ? stream_q : stream_i) < NumStreams && Used[started_q ? stream_q : stream_i]);
    if (writer_i.aw_valid) assume (legal(writer_i.aw) && 32'(writer_i.aw.stream) < NumLanes && Used[writer_i.aw.stream]);
    if (reduce_i.aw_valid) assume (legal(reduce_i.aw) && reduce_i.aw.stream == stream_t'(StreamReduce));
    if (writer_i.w_valid)  assume (32'(writer_i.w_stream) < NumLanes && Used[writer_i.w_stream]);
    // Writers have places for the responses that they wait for, and no more of them.
    if (owed_q == most) assume (!whole);

    if (started_q) begin
      OwedIsCounted:   assert (owed_q <= most && owed_q == owed_inside && waiting <= most);
      LinkSent:        assert (sent <= most && held <= 8'd2 && sent + held <= most);
      SentIsCounted:   assert (sent == on_pins);
      // Nothing is lost, and nothing is answered twice.
      AllIsAnswered:   assert (dead ? waiting <= owed_q
                                    : owed_q == stored + held + on_pins + waiting);
      LinkSkid:        assert (!dut.u_write.unused_behind || dut.u_write.w_valid_q);
      LinkBehind:      assert (!dut.u_write.aw_behind || legal(dut.u_write.unused_aw));
      if (valid)       OnlyOwedResponsesCome: assert (owed_q != '0);
      if (dead)        DeadAnswersAll:        assert (valid == (owed_q != '0));

      // Every response of the memory, to a writer that waits for it.
      ResponsesAreTaken: assert (axi.write.b_ready);
      if (taken && !dead) begin
        ResponseIsOwed: assert (owed_q != '0 && waiting < most);
        if (waiting == '0 && !ShortPaths) begin
          ResponseIsPassedOn: assert (valid && resp.resp == axi_i.write.b_resp && !resp.dead);
        end
      end
      if (came_q) ResponseIsPassedOnLater: assert (valid && resp.resp == came_resp_q && !resp.dead);
      if (valid && !dead) ResponseIsMemorys: assert (!resp.dead && (waiting != '0 || taken));
      if (waited_q)       ResponseWaits:     assert (valid && resp.dead == resp_q.dead &&
                                                     (resp.dead || resp.resp == resp_q.resp));
      LinkResponses:   assert (responses_link);

      ManyOnTheirWay:  cover (held != '0 && on_pins != '0 && waiting != '0 && !dead);
      DeadAnswers:     cover (dead && answered && resp.dead && owed_q == 8'd2);
      LateBeat:        cover (dead && whole);
    end
  end

  if (Addresses > 0) begin : g_addresses
    localparam int unsigned PtrWidth = $clog2(Addresses);

    logic [Addresses-1:0] wrong;

    for (genvar i = 0; i < Addresses; i++) begin : g_address
      logic [PtrWidth-1:0] place;

      assign place    = PtrWidth'(i) - dut.u_write.g_addresses.u_addresses.rd_ptr_q;
      assign wrong[i] = count_t'(place) < count_t'(dut.u_write.g_addresses.u_addresses.level_q) &&
                        !legal(dut.u_write.g_addresses.u_addresses.g_memory.u_ram.mem[i]);
    end

    always_comb begin
      if (started_q) LinkAddresses: assert (wrong == '0 &&
                                            32'(dut.u_write.g_addresses.u_addresses.level_q) <= Addresses &&
                                            PtrWidth'(dut.u_write.g_addresses.u_addresses.level_q) ==
                                            dut.u_write.g_addresses.u_addresses.wr_ptr_q -
                                            dut.u_write.g_addresses.u_addresses.rd_ptr_q);
    end
  end

endmodule
