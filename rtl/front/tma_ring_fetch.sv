// SPDX-License-Identifier: Apache-2.0
// Fetches of the rings: queues take turns, and the data finds back to its queue.
//
//   requests --> turn --> slot's address --> fetch register --> fetch_o
//                                                  |
//                   beats' queue, end <-- fetches taken, oldest first
//
// One fetch per cycle, one cycle from request to `fetch_valid_o`. Short: that a fetch is taken is known
// late, and the next one is picked in the cycle behind it: one every other cycle; and whose turn it is is found
// in the cycle before, so it is two cycles from a request. A fetch that was
// offered stays on offer whatever becomes of its queue. A refusal takes back the newest of the fetches
// that were taken in cycles before it; those in front of it are not concerned.
//
// The unit that makes addresses is lent to commands that failed, which carry the address of their
// slot: `slot_addr_o` is there in the cycle of `slot_valid_i`, in which no fetch is picked.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_ring_fetch
  import tma_pkg::*;
  import tma_ring_pkg::*;
#(
  parameter bit Short = ShortPaths  // paths of few gates, for cycles
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Rings: pages of the first slots, log2 of the slots
  input  logic [NumQueues-1:0][51:0]  base_i,
  input  logic [NumQueues-1:0][4:0]   slots_i,

  // Queues that want to fetch
  input  logic [NumQueues-1:0]        request_i,
  input  seq_t [NumQueues-1:0]        seq_i,          // from this command on
  input  seq_t [NumQueues-1:0]        tail_i,         // at most up to here
  output logic [NumQueues-1:0]        pick_o,
  output seq_t                        next_o,         // the command behind the fetch

  // Fetches
  output logic                        fetch_valid_o,
  input  logic                        fetch_ready_i,
  output fetch_t                      fetch_o,
  input  logic                        denied_i,       // the fetch taken last
  output logic [NumQueues-1:0]        denied_o,       // its queue ..
  output seq_t                        denied_seq_o,   // .. and first command

  // Beats of the oldest fetch
  input  logic                        beat_end_i,     // its last
  output queue_t                      beat_queue_o,
  output logic                        beat_odd_o,     // it ends before a command with an odd number
  output logic [NumQueues-1:0]        ended_o,

  // A failed command's slot
  input  logic                        slot_valid_i,
  input  queue_t                      slot_queue_i,
  input  logic [MaxSlots-1:0]         slot_seq_i,
  output logic [63:0]                 slot_addr_o,

  output logic                        idle_o
);

  localparam int unsigned PtrWidth = $clog2(MaxFetches);
  typedef logic [PtrWidth:0] ptr_t;

  ptr_t wr_q, rd_q, taken;

  //////////
  // Pick //
  //////////

  logic                 slot_free, pick, some;
  logic [NumQueues-1:0] grant;
  queue_t               turn, index_now;

  // The fetch on offer will need a place among those taken, too.
  assign taken     = wr_q - rd_q;
  assign slot_free = (!fetch_valid_o || (!Short && fetch_ready_i)) && !slot_valid_i &&
                     32'(taken) + 32'(fetch_valid_o) < MaxFetches;
  assign pick      = slot_free && some;

  if (Short) begin : g_chosen
    logic   chosen_q;
    queue_t turn_q;

    // The queue that has the turn keeps it until it has its fetch, or wants none any more.
    tma_rr_arb #(.N(NumQueues)) u_arb (
      .clk_i, .rst_ni, .request_i, .advance_i(!chosen_q), .grant_o(grant), .index_o(index_now)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni)       chosen_q <= 1'b0;
      else if (chosen_q) chosen_q <= some && !pick;
      else               chosen_q <= request_i != '0;
      if (!chosen_q) turn_q <= index_now;
    end

    assign some   = chosen_q && request_i[turn_q];
    assign turn   = turn_q;
    assign pick_o = NumQueues'(pick) << turn_q;

    logic unused_grant;
    assign unused_grant = ^grant;

    `TMA_COVER(ChosenWantsNoMore, chosen_q && !some)
  end else begin : g_at_once
    tma_rr_arb #(.N(NumQueues)) u_arb (
      .clk_i, .rst_ni, .request_i, .advance_i(slot_free), .grant_o(grant), .index_o(index_now)
    );

    assign some   = request_i != '0;
    assign turn   = index_now;
    assign pick_o = slot_free ? grant : '0;
  end

  ////////////
  // Length //
  ////////////

  localparam int unsigned ShortWidth = $clog2(FetchCmds);

  seq_t seq, ahead;
  num_t left, num;
  logic to_tail;

  assign seq     = seq_i[turn];
  assign ahead   = tail_i[turn] - seq;
  assign left    = num_t'(FetchCmds) - num_t'(seq[ShortWidth-1:0]);
  assign to_tail = ahead < seq_t'(left);
  assign num     = to_tail ? ahead[NumWidth-1:0] : left;
  assign next_o  = to_tail ? tail_i[turn] :
                   {seq[SeqWidth-1:ShortWidth] + (SeqWidth-ShortWidth)'(1), ShortWidth'(0)};

  ///////////////////////
  // Address of a slot //
  ///////////////////////

  queue_t              addr_queue;
  logic [MaxSlots-1:0] addr_seq, index;

  assign addr_queue = slot_valid_i ? slot_queue_i : turn;
  assign addr_seq   = slot_valid_i ? slot_seq_i : seq[MaxSlots-1:0];
  assign index      = addr_seq & ~({MaxSlots{1'b1}} << slots_i[addr_queue]);

  assign slot_addr_o[11:0]  = {index[5:0], SlotShift'(0)};
  assign slot_addr_o[63:12] = base_i[addr_queue] + 52'(index[15:6]);

  ////////////////////
  // Fetch register //
  ////////////////////

  seq_t fetch_seq_q;
  logic odd_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                               fetch_valid_o <= 1'b0;
    else if (!fetch_valid_o || fetch_ready_i)  fetch_valid_o <= pick;
  end

  always_ff @(posedge clk_i) begin
    if (pick) begin
      fetch_o     <= '{qid: turn, of_map: 1'b0, probe: 1'b0, gaddr: slot_addr_o,
                       chunks: 9'({num, 2'b00})};
      fetch_seq_q <= seq;
      odd_q       <= next_o[0];
    end
  end

  ///////////////////
  // Fetches taken //
  ///////////////////

  logic                take;
  logic [PtrWidth-1:0] newest;
  queue_t              taken_queue_q;

  assign take   = fetch_valid_o && fetch_ready_i;
  assign newest = wr_q[PtrWidth-1:0] - PtrWidth'(denied_i);

  tma_ram_1r1w #(.Width($bits(queue_t) + 1), .Depth(MaxFetches)) u_taken (
    .clk_i, .we_i(take), .waddr_i(newest), .wdata_i({fetch_o.qid, odd_q}),
    .raddr_i(rd_q[PtrWidth-1:0]), .rdata_o({beat_queue_o, beat_odd_o})
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q <= '0;
      rd_q <= '0;
    end else begin
      wr_q <= wr_q + ptr_t'(take) - ptr_t'(denied_i);
      rd_q <= rd_q + ptr_t'(beat_end_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      taken_queue_q <= fetch_o.qid;
      denied_seq_o  <= fetch_seq_q;
    end
  end

  assign denied_o = denied_i   ? NumQueues'(1) << taken_queue_q : '0;
  assign ended_o  = beat_end_i ? NumQueues'(1) << beat_queue_o  : '0;
  assign idle_o   = !fetch_valid_o && taken == '0;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(FetchIsStable, fetch_valid_o, fetch_ready_i, fetch_o)
  `TMA_ASSERT(FetchStaysInPage, fetch_valid_o |->
      13'(fetch_o.gaddr[11:0]) + 13'({fetch_o.chunks, 4'b0}) <= 13'd4096)
  `TMA_ASSERT(DeniedWasTaken, denied_i |-> taken != '0)
  `TMA_ASSERT(BeatsWereFetched, beat_end_i |-> taken != '0)
  `TMA_COVER(AllTaken, taken == ptr_t'(MaxFetches))
  `TMA_COVER(TakenInDenial, take && denied_i)
  `TMA_COVER(PickWaitsForSlot, slot_valid_i && request_i != '0 && !fetch_valid_o)

endmodule
