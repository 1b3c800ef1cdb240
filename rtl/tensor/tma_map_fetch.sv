// SPDX-License-Identifier: Apache-2.0
// Brings one tensor map: asks for it page by page, takes its beats, has it decoded.
//
//   start --> look up --+--> fetch of each page --> beats --> decode --+--> done, fault
//                       +--> probe of each page ----------------------+
//
// A map that is cached is only probed: the windows of the queue decide, nothing is read. A page is
// asked for when the one before has passed the guard. A denied page ends the request, once the beats
// of the page before it are there. The first beat that fails, or with which the port dies, is the
// one that is reported.
//
// Latency without those that wait: 2 cycles to the first fetch, 32 from the last beat to `done_o`. With
// ShortPaths the fault of the decoded map has a register, and comes a cycle later.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_map_fetch
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  // Requests: taken when not busy
  input  logic         start_i,
  input  logic [63:6]  addr_i,
  input  queue_t       queue_i,
  output logic         busy_o,
  output logic         look_o,       // pulse, with the address below: is it cached?
  input  logic         cached_i,
  output logic [63:6]  addr_o,       // of the request
  output queue_t       queue_o,

  // Answer
  output logic         done_o,       // pulse
  output logic         probed_o,     // it was cached
  output logic         good_o,       // pulse, with it: no fault
  output logic [15:0]  fault_o,
  output logic [63:0]  fault_addr_o,
  output map_info_t    info_o,       // without a fault, unless it was cached

  // Fetches and probes. Denied: the newest one that was taken. Left: it has passed the guard.
  output logic         fetch_valid_o,
  input  logic         fetch_ready_i,
  output fetch_t       fetch_o,
  input  logic         fetch_denied_i,
  input  logic         fetch_done_i,
  input  logic         beat_valid_i,
  input  read_beat_t   beat_i
);

  typedef enum logic [2:0] {
    StIdle,
    StLook,    // is it cached?
    StAsk,     // a page on offer
    StLeave,   // on its way through the guard
    StBeats,   // beats are owed
    StDecode,
    StFault,   // of the map, with ShortPaths
    StDone
  } state_e;

  state_e state_q, state_d;

  /////////////
  // Request //
  /////////////

  logic [63:6] addr_q;
  queue_t      queue_q;
  logic        probe_q, second_q;
  logic [63:6] half;       // the second half of the map
  logic        crosses, whole;

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      addr_q  <= addr_i;
      queue_q <= queue_i;
    end
    if (state_q == StLook) probe_q <= cached_i;
  end

  assign half    = addr_q + 58'd1;
  assign crosses = addr_q[11:6] == '1;
  assign whole   = !crosses || second_q;  // nothing is left to ask for

  assign busy_o  = state_q != StIdle;
  assign look_o  = state_q == StLook;
  assign addr_o  = addr_q;
  assign queue_o = queue_q;

  assign fetch_valid_o  = state_q == StAsk;
  assign fetch_o.qid    = queue_q;
  assign fetch_o.of_map = 1'b1;
  assign fetch_o.probe  = probe_q;
  assign fetch_o.gaddr  = {second_q ? half : addr_q, 6'b0};
  assign fetch_o.chunks = crosses ? 9'd4 : 9'd8;

  ///////////
  // Beats //
  ///////////

  // Chunks of the map that come with one beat: the upper half of a wide one at first.
  localparam logic [3:0] BeatChunks = 4'(Chunks);

  logic        odd, fails, failed_q, dead_q, decerr_q, take, none_owed;
  logic [3:0]  chunk_q, fail_chunk_q;
  logic [1:0]  owed_q, owed;   // fetches whose beats are to come

  assign odd   = Chunks == 8 && addr_q[6];
  assign fails = beat_i.dead || beat_i.resp[1];
  assign take  = fetch_valid_o && fetch_ready_i && !probe_q;
  assign owed  = owed_q - 2'(fetch_denied_i && !probe_q) - 2'(beat_valid_i && beat_i.last);

  assign none_owed = owed == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) owed_q <= '0;
    else         owed_q <= owed + 2'(take);
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StLook) begin
      chunk_q  <= '0;
      failed_q <= 1'b0;
    end else if (beat_valid_i) begin
      chunk_q  <= chunk_q + (odd ? 4'd4 : BeatChunks);
      failed_q <= failed_q || fails;
      if (!failed_q) begin
        fail_chunk_q <= chunk_q;
        dead_q       <= beat_i.dead;
        decerr_q     <= beat_i.resp[0];
      end
    end
  end

  ////////////
  // Denial //
  ////////////

  logic denied_q, denied;

  assign denied = denied_q || fetch_denied_i;

  always_ff @(posedge clk_i) begin
    if (state_q == StLook)   denied_q <= 1'b0;
    else if (fetch_denied_i) denied_q <= 1'b1;
  end

  ////////////
  // Decode //
  ////////////

  logic [3:0]  word_addr;
  logic [31:0] word;
  logic        reserved, decode_start, decode_done;
  logic [15:0] decode_fault, map_fault;

  tma_map_words u_words (
    .clk_i, .rst_ni, .start_i(state_q == StLook), .beat_valid_i, .beat_i(beat_i.data),
    .chunk_i(chunk_q[2:0]), .odd_i(odd), .word_addr_i(word_addr), .word_o(word), .reserved_o(reserved)
  );

  tma_map_decode u_decode (
    .clk_i, .rst_ni, .start_i(decode_start), .reserved_i(reserved),
    .word_addr_o(word_addr), .word_i(word),
    .done_o(decode_done), .fault_o(decode_fault), .info_o
  );

  ////////////
  // States //
  ////////////

  // Each by itself: what starts a request has to do with neither.
  logic failed_now, asks_again;

  assign failed_now   = failed_q || (beat_valid_i && fails);
  assign decode_start = state_q == StBeats && none_owed && !(denied_q || failed_now || probe_q);
  assign asks_again   = state_q == StLeave && fetch_done_i && !denied && !whole;

  always_comb begin
    state_d = state_q;
    case (state_q)
      StIdle:  if (start_i) state_d = StLook;
      StLook:  state_d = StAsk;
      StAsk:   if (fetch_ready_i) state_d = StLeave;
      StLeave: if (fetch_done_i)  state_d = asks_again ? StAsk : StBeats;
      StBeats: if (none_owed)     state_d = decode_start ? StDecode : StDone;
      StDecode: if (decode_done)  state_d = ShortPaths ? StFault : StDone;
      StFault:  state_d = StDone;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else         state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StLook) second_q <= 1'b0;
    else if (asks_again)   second_q <= 1'b1;
  end

  ////////////
  // Answer //
  ////////////

  if (ShortPaths) begin : g_fault
    logic good_q;

    assign good_o = good_q;

    // What has no fault is written, to an entry that is chosen by then.
    always_ff @(posedge clk_i) begin
      map_fault <= decode_fault;
      good_q    <= rst_ni && state_d == StDone &&
                   (state_q == StFault ? map_fault == FaultNone : probe_q && !denied_q && !failed_now);
    end
  end else begin : g_at_once
    assign map_fault = decode_fault;
    assign good_o    = done_o && fault_o == FaultNone;
  end

  assign done_o   = state_q == StDone;
  assign probed_o = probe_q;

  always_comb begin
    fault_o      = probe_q ? FaultNone : map_fault;
    fault_addr_o = {addr_q, 6'b0};
    if (denied_q) begin
      fault_o      = FaultMapWindow;
      fault_addr_o = fetch_o.gaddr;
    end else if (failed_q) begin
      fault_o      = dead_q ? FaultPortDead : decerr_q ? FaultMapDecerr : FaultMapSlverr;
      fault_addr_o = {fail_chunk_q[2] ? half : addr_q, fail_chunk_q[1:0], 4'b0};
    end
  end

  // A map that was fetched is told apart by its place, not by its id; 8 chunks are all of them.
  logic unused_beat;
  assign unused_beat = ^{beat_i.id, fail_chunk_q[3]};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(FetchIsStable, fetch_valid_o, fetch_ready_i, fetch_o)
  `TMA_ASSERT(GoodHasNoFault, good_o == (done_o && fault_o == FaultNone))
  `TMA_ASSERT(StartWhenIdle, start_i |-> !busy_o)
  `TMA_ASSERT(BeatsWereFetched, beat_valid_i |-> owed_q != '0)
  `TMA_ASSERT(OnlyTakenAreDenied, fetch_denied_i |-> state_q == StLeave && !denied_q)
  `TMA_ASSERT(OnlyTakenLeave, fetch_done_i |-> state_q == StLeave)
  `TMA_ASSERT(AllBeatsCame, decode_start |-> chunk_q + (beat_valid_i ? (odd ? 4'd4 : BeatChunks) : 4'd0) == 4'd8)
  `TMA_COVER(ProbeIsDenied, fetch_denied_i && probe_q)
  `TMA_COVER(SecondIsDenied, fetch_denied_i && second_q)
  `TMA_COVER(SecondIsDeniedWithBeatsOwed, done_o && denied_q && second_q && failed_q)
  `TMA_COVER(CrossesAPage, decode_start && crosses)

endmodule
