// SPDX-License-Identifier: Apache-2.0
// Properties of the write half of tma_port: data leaves in the order of addresses (axi_order_rules), whatever two
// writers offer when, and whatever the memory takes when.
//
// Each writer has `Each` bursts; lengths and streams are any. Its data comes in the order of its own addresses, and
// may come before or behind them.

module axi_order_proof
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter bit          Spread    = 1'b0,  // a port of broadcasts and reductions alone
  parameter int unsigned Addresses = 0,
  parameter int unsigned Beats     = 0,
  parameter int unsigned Each      = 1,
  parameter int unsigned MostLen   = 1      // beats of a burst at most, less one
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input writer_req_t          writer_i,
  input writer_req_t          reduce_i,
  input axi_rsp_t             axi_i,
  input logic [1:0][Each-1:0][LenWidth-1:0] len_i,     // of the first cycle: what the bursts will be
  input logic [Each-1:0]      lane_i
);

  localparam logic [NumStreams-1:0] Used = Spread ? NumStreams'(2 | 1 << StreamReduce) : '1;

  writer_rsp_t writer, reduce;
  axi_req_t    axi;
  logic        dead;
  logic [3:0]  addresses, bursts;

  tma_port #(
    .NumReaders(1), .Used(Used), .Addresses(Addresses), .Beats(Beats), .Strays(1'b1)
  ) dut (
    .clk_i, .rst_ni, .limit_i('0), .reader_i('0), .reader_o(), .hints_o(), .writer_i, .writer_o(writer), .leaves_o(),
    .reduce_i, .reduce_o(reduce), .axi_o(axi), .axi_i, .dead_o(dead)
  );

  axi_order_rules #(.Bursts(2 * Each)) u_rules (
    .clk_i, .rst_ni, .w_id_i(IdWidth'(dut.u_write.w_q.stream)), .req_i(axi.write), .rsp_i(axi_i.write),
    .addresses_o(addresses), .bursts_o(bursts)
  );

  logic started_q = 1'b0;  // the first cycle is a reset

  // The bursts of both writers, and how far each is: addresses, whole bursts of data, beats of the next.
  logic [1:0][Each-1:0][LenWidth-1:0] len_q;
  logic [Each-1:0]                    lane_q;
  logic [1:0][3:0]                    aw_q, w_q;
  logic [1:0][LenWidth-1:0]           beat_q;
  writer_req_t [1:0]                  offers;
  logic [1:0]                         aw_ready, w_ready;

  assign offers   = {reduce_i, writer_i};
  assign aw_ready = {reduce.aw_ready, writer.aw_ready};
  assign w_ready  = {reduce.w_ready, writer.w_ready};

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) begin
      len_q  <= len_i;
      lane_q <= lane_i;
    end
    for (int unsigned i = 0; i < 2; i++) begin
      if (!rst_ni) begin
        aw_q[i]   <= '0;
        w_q[i]    <= '0;
        beat_q[i] <= '0;
      end else begin
        if (offers[i].aw_valid && aw_ready[i]) aw_q[i] <= aw_q[i] + 4'd1;
        if (offers[i].w_valid && w_ready[i]) begin
          beat_q[i] <= offers[i].w.last ? '0 : beat_q[i] + LenWidth'(1);
          if (offers[i].w.last) w_q[i] <= w_q[i] + 4'd1;
        end
      end
    end
  end

  function automatic stream_t stream_of(input logic lane);
    return stream_t'(Spread ? 1 : NumLanes > 1 && lane ? 1 : 0);
  endfunction

  always_comb begin
    assume (rst_ni == started_q);
    for (int unsigned i = 0; i < 2; i++) begin
      for (int unsigned k = 0; k < Each; k++) assume (32'(len_i[i][k]) <= MostLen);
      if (offers[i].aw_valid) begin
        assume (32'(aw_q[i]) < Each && offers[i].aw.len == len_q[i][aw_q[i]]);
        assume (offers[i].aw.stream == (i == 1 ? stream_t'(StreamReduce) : stream_of(lane_q[aw_q[i]])));
      end
      if (offers[i].w_valid) begin
        assume (32'(w_q[i]) < Each && offers[i].w.last == (beat_q[i] == len_q[i][w_q[i]]));
        if (i == 0) assume (offers[i].w_stream == stream_of(lane_q[w_q[i]]));
      end
    end

    if (started_q) begin
      LivesOn:        assert (!dead);
      BoundIsReached: cover (32'(bursts) == 2 * Each && addresses == bursts && len_q[0] != '0 && len_q[1] != '0);
      DataIsAhead:    cover (offers[0].w_valid && aw_q[0] == '0 && addresses != '0);
      AddressIsAhead: cover (32'(addresses) == 2 * Each && bursts == '0);
    end
  end

endmodule
