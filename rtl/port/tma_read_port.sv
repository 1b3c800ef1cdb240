// SPDX-License-Identifier: Apache-2.0
// One AXI read port: registers of AR, and an end for every burst when the port dies.
//
//   ar_i --> tma_skid --> pins             counts of owed bursts, per id
//   r_o  <-- pins <-- or, when dead: one beat {dead, last} per burst that is owed
//
// A dead port keeps what it has on AR until it is taken, and nothing follows it, not even what waits behind.
// Inside, addresses are taken as ever; every burst that was owed or comes later ends with one beat that is marked.
// What still comes from the pins is taken and dropped. A beat that waits for its user when the port
// dies is still handed over. A beat of an id that nothing is owed to is dropped in the cycle in which a
// user would have taken it, and changes nothing.
//
// Nobody counts the bursts of prefetches and maps. None stays behind here when its queue has closed, for the windows
// may be others then: `hints_o` names the queues of those that are on AR or behind it. A dead port keeps what it
// has for ever, and names none.
//
// Throughput: one AR and one R per cycle; dead, an R every other cycle. Latency: a cycle for AR,
// none for R. `r_ready_o` depends on `r_ready_i`; `ar_ready_o` on no pin.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_read_port
  import tma_pkg::*;
#(
  parameter bit Loads  = 1'b1, // there are bursts of loads, and all that comes with them
  parameter bit Strays = 1'b0  // simulation: the bus may send what nobody asked for
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               dead_i,     // stays until reset

  // Inside
  input  logic               ar_valid_i,
  output logic               ar_ready_o,
  input  ar_t                ar_i,
  output logic               r_valid_o,
  input  logic               r_ready_i,
  output read_beat_t         r_o,
  output logic [NumQueues-1:0] hints_o,

  // Pins
  output logic               ar_valid_o,
  input  logic               ar_ready_i,
  output ar_t                ar_o,
  input  logic               r_valid_i,
  output logic               r_ready_o,
  input  logic [IdWidth-1:0] r_id_i,
  input  line_t              r_data_i,
  input  logic [1:0]         r_resp_i,
  input  logic               r_last_i,

  // For tma_port_watch, see tma_port_age
  output logic               pending_o,
  output logic               progress_o
);

  // Ids in use: channel 0 of reductions; the channels of ClientLoad and channel 0 of the other clients. On a dead port
  // bursts end in this order: what nobody is told of comes last, for there may be more of it without end.
  localparam int unsigned FirstLoad = Reduces ? 1 : 0;
  localparam int unsigned AllIds    = NumChannels + 4 + FirstLoad;
  localparam int unsigned NumIds    = Loads || !Reduces ? AllIds : FirstLoad;
  localparam int unsigned SlotWidth = NumIds > 1 ? $clog2(NumIds) : 1;
  localparam int unsigned MaxOwed   = NumReads > NumReductions ? NumReads : NumReductions;
  localparam int unsigned OwedWidth = $clog2(MaxOwed + 1);

  localparam logic [NumChannels+4:0][IdWidth-1:0] WithReductions = {
    {ClientPrefetch, 2'd0}, {ClientMap, 2'd0}, {ClientCp, 2'd0}, {ClientRing, 2'd0},
    {ClientLoad, 2'd3}, {ClientLoad, 2'd2}, {ClientLoad, 2'd1}, {ClientLoad, 2'd0}, {ClientReduce, 2'd0}
  };
  localparam logic [NumIds-1:0][IdWidth-1:0] Ids = WithReductions[(Reduces ? 0 : 1) +: NumIds];

  logic dead_q;  // of R: from a cycle on in which no beat waits
  logic ar_taken;

  assign ar_taken = ar_valid_i && ar_ready_o;

  ////////
  // AR //
  ////////

  logic behind_valid;
  ar_t  behind;

  tma_skid #(.Width($bits(ar_t))) u_ar (
    .clk_i, .rst_ni, .drop_i(dead_i),
    .in_valid_i(ar_valid_i), .in_ready_o(ar_ready_o), .in_i(ar_i),
    .out_valid_o(ar_valid_o), .out_ready_i(ar_ready_i), .out_o(ar_o),
    .behind_valid_o(behind_valid), .behind_o(behind)
  );

  // Whether a burst is of a client that nobody counts.
  function automatic logic is_hint(input logic [2:0] client);
    return client == ClientPrefetch || client == ClientMap;
  endfunction

  logic hint, hint_behind, unused_behind;

  assign hint          = ar_valid_o && !dead_i && is_hint(ar_o.id[IdWidth-1 -: 3]);
  assign hint_behind   = behind_valid && !dead_i && is_hint(behind.id[IdWidth-1 -: 3]);
  assign unused_behind = ^behind;

  for (genvar q = 0; q < NumQueues; q++) begin : g_hint
    assign hints_o[q] = (hint && ar_o.qid == queue_t'(q)) || (hint_behind && behind.qid == queue_t'(q));
  end

  //////////
  // Owed //
  //////////

  logic [NumIds-1:0][OwedWidth-1:0] owed_q;  // bursts taken and not ended, inside
  logic [NumIds-1:0]                owes, shown;  // the latter: bursts that were on the pins

  for (genvar i = 0; i < NumIds; i++) begin : g_id
    logic more, less;  // which is known late; so no sum is behind it, and of both none is formed
    logic [OwedWidth-1:0] up, down;

    assign more     = ar_taken && ar_i.id == Ids[i];
    assign less     = r_valid_o && r_o.last && r_o.id == Ids[i] && r_ready_i;
    assign up       = owed_q[i] + OwedWidth'(1);
    assign down     = owed_q[i] - OwedWidth'(1);
    assign owes[i]  = owed_q[i] != '0;
    assign shown[i] = owed_q[i] != OwedWidth'(behind_valid && behind.id == Ids[i]);

    always_ff @(posedge clk_i) begin
      if (!rst_ni)           owed_q[i] <= '0;
      else if (more != less) owed_q[i] <= more ? up : down;
    end

    `TMA_ASSERT(OwedIsInRange, more && !less |-> owed_q[i] != OwedWidth'(MaxOwed))
    `TMA_ASSERT(OnlyOwedBurstsEnd, less |-> owes[i])
  end

  ////////////////
  // R and dead //
  ////////////////

  logic [NumIds-1:0]    comes;        // a beat at the pins is of this id, which is owed one
  logic                 known;
  logic                 end_valid_q;  // a burst's end is on offer
  logic [SlotWidth-1:0] end_q;        // of which id
  logic [SlotWidth-1:0] lowest;

  for (genvar i = 0; i < NumIds; i++) begin : g_comes
    assign comes[i] = r_valid_i && r_id_i == Ids[i] && owes[i];
  end

  assign known = comes != '0;

  always_comb begin
    lowest = '0;
    for (int unsigned i = NumIds; i > 0; i--) if (owes[i-1]) lowest = SlotWidth'(i - 1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dead_q      <= 1'b0;
      end_valid_q <= 1'b0;
    end else begin
      dead_q      <= dead_q || (dead_i && !(known && !r_ready_i));
      end_valid_q <= end_valid_q ? !r_ready_i : dead_q && owes != '0;
    end
  end

  always_ff @(posedge clk_i) if (!end_valid_q) end_q <= lowest;

  assign r_valid_o = dead_q ? end_valid_q : known;
  assign r_ready_o = dead_q || r_ready_i;
  assign r_o.id    = dead_q ? Ids[end_q] : r_id_i;
  assign r_o.data  = r_data_i;
  assign r_o.resp  = r_resp_i;
  assign r_o.last  = dead_q || r_last_i;
  assign r_o.dead  = dead_q;

  /////////
  // Age //
  /////////

  tma_port_age #(.NumIds(NumIds)) u_age (
    .clk_i, .rst_ni, .addr_waits_i(ar_valid_o && !ar_ready_i), .data_waits_i(1'b0),
    .moves_i((ar_valid_o && ar_ready_i) || known), .owes_i(shown), .comes_i(comes), .progress_o
  );

  // While a beat waits for its user, the port is not to blame for the others.
  assign pending_o = !progress_o && (!r_valid_i || r_ready_o);

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(DeadStays, dead_i |=> dead_i)
  if (Strays) begin : g_strays
    `TMA_COVER(StrayBeat, !dead_i && r_valid_i && !known)
  end else begin : g_no_strays
    `TMA_ASSERT(BeatHasABurst, r_valid_i && !dead_i |-> known)
  end
  `TMA_ASSERT(AddressIsOwed, ar_valid_o && !dead_i |-> owes != '0)
  `TMA_ASSERT(MarkedIsOwed, dead_i || (u_age.marks_q & ~owes) == '0)
  `TMA_COVER(DeadWithAddress, dead_q && ar_valid_o)
  `TMA_COVER(DeadWhileABeatWaits, dead_i && !dead_q && known && !r_ready_i)
  `TMA_COVER(LateBeatDropped, dead_q && r_valid_i)
  `TMA_COVER(TakenWhenDead, dead_q && ar_taken)
  `TMA_COVER(HintBehind, hint_behind)
  `TMA_COVER(OnlyBehind, !dead_i && (owes & ~shown) != '0)
  `TMA_COVER(OthersWaitForAUser, !progress_o && !pending_o)

endmodule
