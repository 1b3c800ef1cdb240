// SPDX-License-Identifier: Apache-2.0
// One AXI write port: registers of AW and W, responses by stream, and an end for every burst when the port dies.
//
//   aw_i --> [FIFO] --> turns --> tma_skid --> pins
//   w_i  --> [FIFO] --> order --> tma_skid --> pins   counts of bursts that are owed a response, per stream
//   b_o  <-- [FIFO] <------------------------- pins  <-- or, when dead: {dead} per burst that is owed one
//
// Each stream is an AXI id. Data of all streams goes in the order of addresses; responses of a stream come in the
// order of its bursts, those of different streams in any order. With several streams, of which one waits for the
// responses of other ports, all of them are taken from the pins and held, so that none keeps another one from
// answering; those of a single stream are passed on. Where there are reductions, these are a writer of their own, whose
// bursts take turns with all others (tma_port_writers).
//
// A dead port keeps what it has on AW and W until it is taken, and nothing follows, not even what waits behind.
// Inside, all is taken as ever; every burst without a response gets one that is marked, after its last beat was
// taken. What still comes from the pins is taken and dropped, and so is a response of a stream without a
// burst whose last beat has left.
//
// With `Beats` the port holds as many beats that the pins have not room for yet, and with `Addresses`
// as many addresses. W never goes to the pins before its AW does: data waits until then.
//
// Throughput: one AW, W and B per cycle. Latency: a cycle for AW and W, none for B, with `Short` one for a B that is
// held. `aw_ready_o` and `w_ready_o` depend on no pin. `b_ready` of the pins depends on `b_ready_i` of a single stream, on no pin.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_write_port
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter int unsigned        Streams   = NumStreams,
  parameter logic [Streams-1:0] Used      = '1,   // streams that have bursts here
  parameter int unsigned        Addresses = 0,    // of stores; not more than Beats
  parameter int unsigned        Beats     = 0,
  parameter bit                 Strays    = 1'b0, // simulation: the bus may answer what nobody sent
  parameter bit                 Short     = ShortPaths
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    dead_i,     // stays until reset

  // Inside
  input  logic                    aw_valid_i,
  output logic                    aw_ready_o,
  input  aw_t                     aw_i,
  input  logic                    w_valid_i,
  output logic                    w_ready_o,
  input  stream_t                 w_stream_i,
  input  write_beat_t             w_i,
  output logic                    w_leaves_o, // a beat makes room for another one
  output logic                    w_stalls_o, // one waits at the pins of a living port
  input  logic                    reduce_aw_valid_i,  // of StreamReduce
  output logic                    reduce_aw_ready_o,
  input  aw_t                     reduce_aw_i,
  input  logic                    reduce_w_valid_i,
  output logic                    reduce_w_ready_o,
  input  write_beat_t             reduce_w_i,
  output logic [Streams-1:0]      b_valid_o,
  input  logic [Streams-1:0]      b_ready_i,
  output write_resp_t [Streams-1:0] b_o,

  // Pins
  output write_req_t              axi_o,
  input  write_rsp_t              axi_i,

  // For tma_port_watch, see tma_port_age
  output logic                    pending_o,
  output logic                    progress_o
);

  localparam int unsigned MaxOwed    = NumWrites > NumReductions ? NumWrites : NumReductions;
  localparam int unsigned OwedWidth  = $clog2(MaxOwed + 1);
  localparam int unsigned AheadWidth = $clog2(Streams * MaxOwed + 1);

  // A beat, and whose it is.
  typedef struct packed {
    stream_t     stream;
    write_beat_t beat;
  } data_t;

  //////////////
  // AW and W //
  //////////////

  logic  aw_free, w_free, aw_valid, w_valid, aw_valid_q, w_valid_q, aw_behind, unused_behind, b_ready;
  logic  follows;  // the address of the next beat is on the pins, or was
  logic  store_valid, store_ready, store_aw_valid, store_aw_ready;  // of stores alone
  aw_t   aw, aw_q, unused_aw, store_aw;
  data_t w, w_q, unused_w, store;

  assign axi_o = '{aw_valid: aw_valid_q, aw: aw_q, w_valid: w_valid_q, w: w_q.beat, b_ready: b_ready};

  assign w_stalls_o = w_valid_q && !axi_i.w_ready && !dead_i;

  if (Beats == 0) begin : g_direct
    assign store_valid = w_valid_i;
    assign store       = '{stream: w_stream_i, beat: w_i};
    assign w_ready_o   = store_ready;
    assign w_leaves_o  = w_valid_i && w_ready_o;

    `TMA_COVER(DataWaitsForItsAddress, w_valid_i && !follows && !dead_i)
  end else begin : g_beats
    logic [$clog2(Beats+1)-1:0] unused_level;

    tma_fifo #(.Width($bits(data_t)), .Depth(Beats), .FlowThrough(1'b1)) u_beats (
      .clk_i, .rst_ni, .in_valid_i(w_valid_i), .in_ready_o(w_ready_o), .in_i({w_stream_i, w_i}),
      .out_valid_o(store_valid), .out_ready_i(store_ready), .out_o(store), .level_o(unused_level)
    );

    assign w_leaves_o = store_valid && store_ready;

    `TMA_COVER(DataWaitsForItsAddress, store_valid && !follows && !dead_i)
    `TMA_COVER(BeatsFill, !w_ready_o)
  end

  if (Addresses == 0) begin : g_address
    assign store_aw_valid = aw_valid_i;
    assign store_aw       = aw_i;
    assign aw_ready_o     = store_aw_ready;
  end else begin : g_addresses
    logic [$clog2(Addresses+1)-1:0] unused_level;

    tma_fifo #(.Width($bits(aw_t)), .Depth(Addresses), .FlowThrough(1'b1)) u_addresses (
      .clk_i, .rst_ni, .in_valid_i(aw_valid_i), .in_ready_o(aw_ready_o), .in_i(aw_i),
      .out_valid_o(store_aw_valid), .out_ready_i(store_aw_ready), .out_o(store_aw),
      .level_o(unused_level)
    );
  end

  if (Streams <= NumLanes) begin : g_stores
    logic unused_reductions;

    assign aw_valid          = store_aw_valid;
    assign aw                = store_aw;
    assign store_aw_ready    = aw_free;
    assign w_valid           = store_valid && follows;
    assign w                 = store;
    assign store_ready       = (w_free && follows) || dead_i;
    assign reduce_aw_ready_o = 1'b0;
    assign reduce_w_ready_o  = 1'b0;
    assign unused_reductions = ^{reduce_aw_valid_i, reduce_aw_i, reduce_w_valid_i, reduce_w_i};
  end else begin : g_writers
    logic merged_valid;

    tma_port_writers u_writers (
      .clk_i, .rst_ni, .dead_i,
      .store_aw_valid_i(store_aw_valid), .store_aw_ready_o(store_aw_ready), .store_aw_i(store_aw),
      .reduce_aw_valid_i, .reduce_aw_ready_o, .reduce_aw_i,
      .aw_valid_o(aw_valid), .aw_ready_i(aw_free), .aw_o(aw),
      .store_w_valid_i(store_valid), .store_w_ready_o(store_ready), .store_w_stream_i(store.stream),
      .store_w_i(store.beat), .reduce_w_valid_i, .reduce_w_ready_o, .reduce_w_i,
      .w_valid_o(merged_valid), .w_ready_i(w_free && follows), .w_stream_o(w.stream), .w_o(w.beat)
    );

    assign w_valid = merged_valid && follows;
  end

  tma_skid #(.Width($bits(aw_t))) u_aw (
    .clk_i, .rst_ni, .drop_i(dead_i), .in_valid_i(aw_valid), .in_ready_o(aw_free), .in_i(aw),
    .out_valid_o(aw_valid_q), .out_ready_i(axi_i.aw_ready), .out_o(aw_q),
    .behind_valid_o(aw_behind), .behind_o(unused_aw)
  );

  tma_skid #(.Width($bits(data_t))) u_w (
    .clk_i, .rst_ni, .drop_i(dead_i), .in_valid_i(w_valid), .in_ready_o(w_free), .in_i(w),
    .out_valid_o(w_valid_q), .out_ready_i(axi_i.w_ready), .out_o(w_q),
    .behind_valid_o(unused_behind), .behind_o(unused_w)
  );

  // Bursts whose address was taken above, and whose last beat was not. The address may still be behind the pins.
  logic [AheadWidth-1:0] ahead_q;
  logic                  aw_goes, w_ends;

  assign follows = ahead_q > AheadWidth'(aw_behind);
  assign aw_goes = aw_valid && aw_free && !dead_i;
  assign w_ends  = w_valid && w_free && w.beat.last && !dead_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                ahead_q <= '0;
    else if (aw_goes != w_ends) ahead_q <= aw_goes ? ahead_q + AheadWidth'(1) : ahead_q - AheadWidth'(1);
  end

  ///////
  // B //
  ///////

  // Bursts without a response whose last beat was taken inside; at the pins.
  logic [Streams-1:0] owes, sent, comes;

  // A single stream's response may wait for its user; not one that is dropped.
  assign b_ready = Streams > 1 || b_ready_i[0] || dead_i || sent == '0;

  for (genvar l = 0; l < Streams; l++) begin : g_stream
    if (Used[l]) begin : g_used
      logic                 whole, sends, answered, real_valid;
      logic [1:0]           real_resp;
      logic [OwedWidth-1:0] owed_q, sent_q;

      if (l == NumLanes) begin : g_whole
        assign whole = reduce_w_valid_i && reduce_w_ready_o && reduce_w_i.last;
      end else begin : g_store
        assign whole = w_valid_i && w_ready_o && w_i.last && w_stream_i == stream_t'(l);
      end
      assign answered = b_valid_o[l] && b_ready_i[l];
      assign sends    = w_valid_q && axi_i.w_ready && w_q.beat.last && w_q.stream == stream_t'(l);
      assign owes[l]  = owed_q != '0;
      assign sent[l]  = sent_q != '0;
      assign comes[l] = axi_i.b_valid && axi_i.b_id == IdWidth'(l) && sent[l];

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          owed_q <= '0;
          sent_q <= '0;
        end else begin
          if (whole != answered)              owed_q <= whole ? owed_q + OwedWidth'(1) : owed_q - OwedWidth'(1);
          if (sends != (comes[l] && b_ready)) sent_q <= sends ? sent_q + OwedWidth'(1) : sent_q - OwedWidth'(1);
        end
      end

      if (Streams > 1) begin : g_hold
        logic                 unused_ready;  // no more responses come than there are bursts in flight
        logic [$clog2((l == NumLanes ? NumReductions : NumWrites)+1)-1:0] unused_level;

        tma_fifo #(.Width(2), .Depth(l == NumLanes ? NumReductions : NumWrites), .FlowThrough(!Short)) u_responses (
          .clk_i, .rst_ni, .in_valid_i(comes[l] && !dead_i), .in_ready_o(unused_ready),
          .in_i(axi_i.b_resp), .out_valid_o(real_valid), .out_ready_i(b_ready_i[l]), .out_o(real_resp),
          .level_o(unused_level)
        );

        `TMA_ASSERT(ResponseHasRoom, comes[l] && !dead_i |-> unused_ready)
        `TMA_COVER(DeadOwesResponses, dead_i && 32'(owed_q) != 32'(unused_level) && unused_level != '0)
      end else begin : g_pass
        assign real_valid = comes[l] && !dead_i;
        assign real_resp  = axi_i.b_resp;
      end

      assign b_valid_o[l] = real_valid || (dead_i && owes[l]);
      assign b_o[l]       = '{resp: real_resp, dead: !real_valid};

      `TMA_ASSERT(OnlyOwedResponsesCome, b_valid_o[l] |-> owes[l])
      `TMA_ASSERT(OwedIsInRange, whole && !answered |-> owed_q != OwedWidth'(MaxOwed))
      `TMA_COVER(TakenWhenDead, dead_i && whole)
    end else begin : g_unused
      logic unused_ready;

      assign {owes[l], sent[l], comes[l], b_valid_o[l], b_o[l]} = '0;
      assign unused_ready = b_ready_i[l];

      `TMA_ASSERT(StreamIsUsed, !(w_valid_i && w_stream_i == stream_t'(l)) && !(aw_valid_i && aw_i.stream == stream_t'(l)))
    end
  end

  /////////
  // Age //
  /////////

  tma_port_age #(.NumIds(Streams)) u_age (
    .clk_i, .rst_ni, .addr_waits_i(aw_valid_q && !axi_i.aw_ready),
    .data_waits_i(w_valid_q && !axi_i.w_ready),
    .moves_i((aw_valid_q && axi_i.aw_ready) || (w_valid_q && axi_i.w_ready) || comes != '0),
    .owes_i(sent), .comes_i(comes), .progress_o
  );

  assign pending_o = !progress_o;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  tma_port_order #(.Bursts(4 * Streams * MaxOwed)) u_order (
    .clk_i, .rst_ni, .aw_go_i(aw_valid && aw_free), .aw_i(aw), .w_valid_i(w_valid && !dead_i),
    .w_go_i(w_valid && w_free), .w_stream_i(w.stream), .w_i(w.beat)
  );
`endif
  `TMA_ASSERT(AheadIsInRange, 32'(ahead_q) <= Streams * MaxOwed && ahead_q >= AheadWidth'(aw_behind))
  `TMA_ASSERT(DeadStays, dead_i |=> dead_i)
  if (Strays) begin : g_strays
    `TMA_COVER(StrayResponse, !dead_i && axi_i.b_valid && comes == '0)
    `TMA_COVER(StrayBesideAnOwedOne, !dead_i && axi_i.b_valid && comes == '0 && sent != '0)
  end else begin : g_no_strays
    `TMA_ASSERT(ResponseHasABurst, axi_i.b_valid && !dead_i |-> comes != '0)
  end
  `TMA_ASSERT(MarkedIsOwed, (u_age.marks_q & ~sent) == '0)
  `TMA_COVER(DeadWithAddress, dead_i && aw_valid_q)
  `TMA_COVER(DeadInTheData, dead_i && w_valid_q)
  `TMA_COVER(LateResponseDropped, dead_i && axi_i.b_valid)

endmodule
