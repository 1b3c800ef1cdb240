// SPDX-License-Identifier: Apache-2.0
// Where one queue stands in its ring.
//
//   slots:   | sent | received | under way | to be fetched |
//                   ^ send_q   ^ recv_q    ^ fetch_q        ^ tail_i
//
// A fetch is asked for when the buffer has room for the longest one from there. Behind the first
// command that failed nothing is fetched, received or sent any more: the queue faults at it, and only
// a fresh start gets it going. A fresh start (disabled, resumed, or TAIL went back behind what was
// fetched) drops what was fetched; the data of fetches still under way is dropped as it comes, and no
// fetch is asked for before the last of it is back.
//
// `request_o` depends on registers and on `enable_i`, `stopped_i` and `restart_i`, `ready_o` on
// registers alone. Reset: all state.

`include "tma_assert.svh"

module tma_ring_queue
  import tma_pkg::*;
  import tma_front_pkg::*;
  import tma_ring_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       enable_i,
  input  logic       stopped_i,      // no new fetches
  input  logic       restart_i,      // go on with the command of this sequence number
  input  seq_t       restart_seq_i,
  input  seq_t       tail_i,

  // Fetches
  output logic       request_o,
  output seq_t       fetch_seq_o,    // first command
  input  logic       pick_i,         // this fetch will be offered ..
  input  seq_t       fetch_next_i,   // .. which ends before this command
  input  logic       denied_i,       // a fetch that was taken has no data ..
  input  seq_t       denied_seq_i,   // .. from this command on
  input  logic       ended_i,        // last beat of a fetch

  // Commands that came
  output logic       closed_o,       // what comes is dropped
  output place_t     place_o,        // of the next command to come
  input  logic [1:0] received_i,
  input  fetch_e     failed_i,       // FetchOk, or why the last of those received failed

  // Commands that go
  output logic       ready_o,
  output seq_t       send_seq_o,
  output fetch_e     send_fetch_o,
  input  logic       sent_i,
  input  seq_t       send_next_i,    // the one behind what is sent
  output logic       restarts_o,     // a command on offer is void

  output logic       held_o,         // commands between what was sent and TAIL
  output logic       flight_o        // a fetch is under way
);

  localparam int unsigned FlightWidth = $clog2(MaxFetches + 1);
  localparam int unsigned ShortWidth  = $clog2(FetchCmds);

  typedef logic [PlaceWidth:0] count_t;  // 0..RingDepth

  seq_t                   fetch_q, send_q, send_next;
  count_t                 recv_q;
  logic [FlightWidth-1:0] flight_q, flight_left;
  logic                   dropping_q, denied_q;
  fetch_e                 failed_q;

  /////////////
  // Fetches //
  /////////////

  seq_t ahead;  // commands to be fetched
  logic behind, went_back, start, room;

  assign ahead       = tail_i - fetch_q;
  assign behind      = ahead[SeqWidth-1];
  assign fetch_seq_o = fetch_q;

  // Counted in longest fetches: the next one has no room when it is a whole buffer ahead.
  assign room = fetch_q[PlaceWidth-1:ShortWidth] != send_q[PlaceWidth-1:ShortWidth] ||
                fetch_q[PlaceWidth] == send_q[PlaceWidth];

  assign request_o = !start && !stopped_i && !dropping_q && !denied_q && failed_q == FetchOk &&
                     fetch_q != tail_i && !behind && room;

  // Slots at and past TAIL are the software's: what was fetched of them is not what will be there.
  assign went_back = behind && fetch_q != send_q;

  /////////////////
  // Fresh start //
  /////////////////

  seq_t start_seq;

  assign start = !enable_i || restart_i || went_back;

  always_comb begin
    start_seq = send_next;
    if (restart_i) start_seq = restart_seq_i;
    if (!enable_i) start_seq = '0;
  end

  assign flight_left = flight_q - FlightWidth'(ended_i) - FlightWidth'(denied_i);
  assign flight_o    = flight_q != '0;
  assign restarts_o  = start;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flight_q   <= '0;
      dropping_q <= 1'b0;
    end else begin
      flight_q   <= flight_left + FlightWidth'(pick_i);
      dropping_q <= (start || dropping_q) && flight_left != '0;
    end
  end

  ////////////////////////////////
  // Fetched, received and sent //
  ////////////////////////////////

  logic   reached;  // the refused fetch is the next to come
  count_t unsent;
  seq_t   to_tail;  // commands that were not sent; negative: TAIL went back behind those that were

  assign reached  = denied_q && recv_q == fetch_q[PlaceWidth:0];
  assign closed_o = dropping_q || failed_q != FetchOk || reached;
  assign place_o  = recv_q[PlaceWidth-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start) begin
      fetch_q  <= rst_ni ? start_seq : '0;
      send_q   <= rst_ni ? start_seq : '0;
      recv_q   <= rst_ni ? start_seq[PlaceWidth:0] : '0;
      denied_q <= 1'b0;
      failed_q <= FetchOk;
    end else begin
      send_q <= send_next;
      // The pointer stays at the refused fetch, whatever was picked meanwhile.
      if (denied_i && !dropping_q && !denied_q) begin
        fetch_q  <= denied_seq_i;
        denied_q <= 1'b1;
      end else if (pick_i && !denied_q) begin
        fetch_q <= fetch_next_i;
      end
      if (reached && failed_q == FetchOk) begin
        recv_q   <= recv_q + count_t'(1);
        failed_q <= FetchWindow;
      end else begin
        recv_q <= recv_q + count_t'(received_i);
        if (failed_i != FetchOk) failed_q <= failed_i;
      end
    end
  end

  // The last command that was received is the one that failed.
  assign unsent       = recv_q - send_q[PlaceWidth:0];
  assign send_next    = sent_i ? send_next_i : send_q;
  assign send_seq_o   = send_q;
  assign ready_o      = recv_q != send_q[PlaceWidth:0];
  assign send_fetch_o = unsent == count_t'(1) ? failed_q : FetchOk;
  assign to_tail      = tail_i - send_q;
  assign held_o       = enable_i && to_tail != '0 && !to_tail[SeqWidth-1];

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(PicksWhatIsAsked, pick_i |-> request_o)
  `TMA_ASSERT(PicksNothingToDrop, pick_i |-> !start && !dropping_q)
  `TMA_ASSERT(SendsWhatIsReady, sent_i |-> ready_o)
  `TMA_ASSERT(ReceivesWhatIsOpen, received_i != '0 |-> !closed_o)
  `TMA_ASSERT(EndsWhatIsUnderWay, ended_i || denied_i |-> flight_o)
  `TMA_ASSERT(BufferHoldsIt, enable_i |-> 32'(unsent) <= RingDepth)
  `TMA_ASSERT(FetchHasRoom, pick_i |-> seq_t'(fetch_next_i - send_q) <= seq_t'(RingDepth))
  `TMA_COVER(BufferFull, unsent == count_t'(RingDepth))
  `TMA_COVER(WentBackBehindSent, enable_i && to_tail[SeqWidth-1])
  `TMA_COVER(WentBack, enable_i && went_back)
  `TMA_COVER(DropsData, dropping_q && ended_i)
  `TMA_COVER(DeniedBehindData, denied_q && !reached)
  `TMA_COVER(PickedBehindDenied, denied_q && flight_o && failed_q != FetchOk)

endmodule
