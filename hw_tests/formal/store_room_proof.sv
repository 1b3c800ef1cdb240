// SPDX-License-Identifier: Apache-2.0
// Properties of tma_store_room: credits for beats are those of the FIFOs. A broadcast that goes finds room for all
// its beats in the FIFO of every port, so that none of its data ever waits for another port; credits are neither
// lost nor given twice, and with all of them back a broadcast of any length may enter and go.
//
// What each FIFO owes room for is counted here from the ports alone.

module store_room_proof
  import tma_pkg::*;
  import tma_store_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic                held_i,
  input logic [LenWidth-1:0] len_i,
  input ports_t              sent_i,
  input ports_t              leaves_i,
  input logic                stop_i,
  input logic                stopped_i
);

  localparam int unsigned MostPlain = 1024;  // beats of others on the way to port 0, a few pages
  localparam int unsigned MostStops = 15;

  typedef logic [15:0] count_t;

  logic enter, go;

  tma_store_room dut (
    .clk_i, .rst_ni, .held_i, .len_i, .sent_i, .leaves_i, .stop_i, .stopped_i, .enter_o(enter), .go_o(go)
  );

  logic                  started_q = 1'b0;  // the first cycle is a reset
  count_t [NumPorts-1:0] beats_q;           // sent to the FIFO of a port, and not out of it
  count_t                own, stops_q;
  logic                  entered_q;         // the broadcast in the guard had leave to come
  logic                  held_q;
  logic [LenWidth-1:0]   len_q;
  logic                  fits, empty;       // the FIFOs' own view

  assign own = count_t'(len_i) + count_t'(1);

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    held_q    <= rst_ni && held_i && sent_i == '0;
    len_q     <= len_i;
    for (int unsigned p = 0; p < NumPorts; p++) begin
      if (!rst_ni) beats_q[p] <= '0;
      else         beats_q[p] <= beats_q[p] + (sent_i[p] ? own : '0) - count_t'(leaves_i[p]);
    end
    if (!rst_ni) stops_q <= '0;
    else         stops_q <= stops_q + count_t'(stop_i) - count_t'(stopped_i);
    // `enter` says that one may come: it is there in the next cycle, or later.
    entered_q <= rst_ni && (enter || (entered_q && held_i && sent_i == '0));
  end

  always_comb begin
    fits  = 1'b1;
    empty = stops_q == '0;
    for (int unsigned p = 0; p < NumPorts; p++) begin
      if (beats_q[p] + own > count_t'(PortBeats)) fits = 1'b0;
      if (beats_q[p] != '0) empty = 1'b0;
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    // Broadcasts are short, come when they may, wait unchanged, and go when they may; others go to port 0 alone.
    if (held_i) begin
      assume (own <= count_t'(SpreadBeats) && entered_q && (sent_i == '0 || go));
    end else begin
      assume (sent_i == '0 || sent_i == ports_t'(1));
    end
    if (held_q) assume (held_i && len_i == len_q);
    // Only what is in a FIFO leaves it; of others not without end.
    for (int unsigned p = 0; p < NumPorts; p++) assume (!leaves_i[p] || beats_q[p] != '0);
    assume (held_i || sent_i == '0 || beats_q[0] <= count_t'(MostPlain));
    assume (stopped_i ? stops_q != '0 : !stop_i || stops_q != count_t'(MostStops));

    if (started_q) begin
      CreditsAreBeats: assert (beats_q[0] == count_t'(dut.beats_q[0]) && stops_q == count_t'(dut.stops_q) &&
                               stops_q <= count_t'(MostStops) && beats_q[0] <= count_t'(MostPlain + 256));
      if (held_i && go) BroadcastFits: assert (fits && stops_q == '0);
      if (held_i && beats_q[0] + own <= count_t'(PortBeats) && stops_q == '0) GoesAtOnce: assert (go);
      if (empty && !held_i) EntersWhenEmpty: assert (enter && (go || own > count_t'(PortBeats)));
    end
  end

  for (genvar p = 1; p < NumPorts; p++) begin : g_port
    always_comb begin
      if (started_q) begin
        SpreadCredits:  assert (beats_q[p] == count_t'(dut.beats_q[p]));
        NoMoreThanFit:  assert (beats_q[p] <= count_t'(PortBeats));
        if (entered_q)  RoomIsKept: assert (beats_q[p] + count_t'(SpreadBeats) <= count_t'(PortBeats));

        Fills:          cover (beats_q[p] == count_t'(PortBeats));
      end
    end
  end

  always_comb begin
    if (started_q) begin
      WaitsForPort0: cover (held_i && !go && stops_q == '0);
      WaitsForAStop: cover (held_i && !go && stops_q == count_t'(2));
    end
  end

endmodule
