// SPDX-License-Identifier: Apache-2.0
// The lives of the queues: a queue that is disabled or reset closes until nothing of it is in
// flight, and lives again when it is enabled. So nothing of one life is seen in the next.
//
//   enable, reset --> active --> closing --> (drained) --> active
//   events -----> copies in flight, per queue --^
//
// What is in flight is counted by events: +1 when a copy leaves issue, a load's burst leaves or a row
// of it has fill, -1 when that is done. A load's own count ends when its last burst has left, a burst's
// when it ended or when the signal behind it did. Events may come in any number per cycle. Bulk
// prefetches, which may take long and never fault, are counted apart: nothing but the end of a life
// waits for them.
//
// Events are kept for a cycle, one bit each, and counted in the next one together with what was
// counted before. Short: what has begun is in flight at once, what has ended is not a cycle later.
// Latency: a cycle from set-up or event to the outputs, Short: two from the last end; a life is over for a
// cycle at least. Reset: everything; no queue is active.

`include "tma_assert.svh"

module tma_queue_ctl
  import tma_pkg::*;
  import tma_path_pkg::*;
#(
  parameter  bit          Short     = ShortPaths,      // paths of few gates, for cycles
  localparam int unsigned NumOffers = NumFaulters + 1  // of faults: those of the paths, ring
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Registers
  input  logic [NumQueues-1:0]       enable_i,
  input  logic [NumQueues-1:0]       reset_i,         // pulses

  // Copies
  input  event_t                     copy_i,          // left issue
  input  begun_t                     begun_i,
  input  ended_t                     ended_i,
  input  event_t                     hint_i,          // bulk prefetch: left issue
  input  event_t                     hint_done_i,

  // What others have in flight
  input  logic [NumQueues-1:0]       flight_i,        // commands at issue, fetches
  input  logic [NumQueues-1:0]       record_i,        // records
  input  logic [NumQueues-1:0]       pending_fault_i, // a fault record that is not handed over
  input  logic [NumOffers-1:0]       fault_offer_i,   // a fault that is not taken
  input  queue_t [NumOffers-1:0]     fault_queue_i,

  input  logic [NumQueues-1:0][31:0] head_i,          // sequence number of the next command to leave
  output logic [NumQueues-1:0]       hold_o,          // it waits for those before it, see tma_lap

  output logic [NumQueues-1:0]       active_o,
  output logic [NumQueues-1:0]       closing_o,       // neither active nor drained
  output logic [NumQueues-1:0]       drained_o,
  output logic [NumQueues-1:0]       flight_o         // copies, fetches, records
);

  localparam int unsigned MaxFlight   = NumReads + NumLanes * NumWrites + NumReductions + 256;
  localparam int unsigned FlightWidth = $clog2(MaxFlight + 1);
  localparam int unsigned HintWidth   = 5;
  localparam int unsigned NumAdds     = 1 + $bits(begun_t) / $bits(event_t);
  localparam int unsigned NumDones    = $bits(ended_t) / $bits(event_t);

  event_t [NumAdds-1:0]  added;
  event_t [NumDones-1:0] ended;

  assign added = {copy_i, begun_i};
  assign ended = ended_i;

  logic [NumQueues-1:0]                  active_q, busy;
  logic [NumQueues-1:0][FlightWidth-1:0] count_q;
  logic [NumQueues-1:0][HintWidth-1:0]   hints_q;

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    logic [NumAdds-1:0]     add_q;
    logic [NumDones-1:0]    done_q;
    logic                   hint_q, hint_done_q;
    logic [FlightWidth-1:0] adds, dones, count;
    logic [HintWidth-1:0]   hints;
    logic [NumOffers-1:0]   offered;
    logic                   some, some_hints;  // in flight

    for (genvar i = 0; i < NumOffers; i++) begin : g_offer
      assign offered[i] = fault_offer_i[i] && fault_queue_i[i] == queue_t'(q);
    end

    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < NumAdds; i++) begin
        add_q[i] <= rst_ni && added[i].valid && added[i].qid == queue_t'(q);
      end
      for (int unsigned i = 0; i < NumDones; i++) begin
        done_q[i] <= rst_ni && ended[i].valid && ended[i].qid == queue_t'(q);
      end
      hint_q      <= rst_ni && hint_i.valid && hint_i.qid == queue_t'(q);
      hint_done_q <= rst_ni && hint_done_i.valid && hint_done_i.qid == queue_t'(q);
    end

    always_comb begin
      adds  = '0;
      dones = '0;
      for (int unsigned i = 0; i < NumAdds; i++)  adds  += FlightWidth'(add_q[i]);
      for (int unsigned i = 0; i < NumDones; i++) dones += FlightWidth'(done_q[i]);
    end

    assign count = count_q[q] + adds - dones;
    assign hints = hints_q[q] + HintWidth'(hint_q) - HintWidth'(hint_done_q);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        count_q[q] <= '0;
        hints_q[q] <= '0;
      end else begin
        count_q[q] <= count;
        hints_q[q] <= hints;
      end
    end

    // Nothing ends in the cycle in which it has begun, so what was counted and what has begun say all.
    assign some         = Short ? count_q[q] != '0 || add_q != '0 : count != '0;
    assign some_hints   = Short ? hints_q[q] != '0 || hint_q      : hints != '0;
    assign busy[q]      = some || record_i[q] || offered != '0;
    assign flight_o[q]  = some || some_hints || flight_i[q] || record_i[q];
    assign drained_o[q] = !flight_o[q] && !pending_fault_i[q] && offered == '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) active_q[q] <= 1'b0;
      else         active_q[q] <= enable_i[q] && (active_q[q] ? !reset_i[q] : drained_o[q]);
    end

    `TMA_ASSERT(NothingIsDoneTwice, 32'(count_q[q]) + 32'(adds) >= 32'(dones))
    `TMA_ASSERT(CountFits, 32'(count) <= MaxFlight)
    `TMA_ASSERT(NoHintIsDoneTwice, hints_q[q] != '0 || hint_q || !hint_done_q)
    `TMA_ASSERT(HintsFit, hints_q[q] != '1 || !hint_q)
    `TMA_ASSERT(CopiesOfActiveQueues, copy_i.valid && copy_i.qid == queue_t'(q) |-> active_q[q])
    `TMA_COVER(EnabledWhileItCloses, enable_i[q] && closing_o[q])
    `TMA_COVER(ResetInFlight, active_q[q] && reset_i[q] && flight_o[q])
    `TMA_COVER(ResetWhileItCloses, closing_o[q] && reset_i[q])
    `TMA_COVER(FaultOfAnother, drained_o[q] && fault_offer_i != '0)
    `TMA_COVER(AddedAsAnotherIsDone, adds != '0 && dones != '0)
  end

  tma_lap u_lap (.clk_i, .rst_ni, .head_i, .busy_i(busy), .hold_o);

  assign active_o  = active_q;
  assign closing_o = ~active_q & ~drained_o;

endmodule
