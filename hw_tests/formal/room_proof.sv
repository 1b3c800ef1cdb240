// SPDX-License-Identifier: Apache-2.0
// Properties of tma_room, for any queue and any entries that come to it cycles after they were sent, no more than three
// on their way: where there is room one more entry fits, with all that are on their way; room that is there stays until
// it is used; and who waits gets it, at once, with `Short` in the cycle behind one with two places free.
//
// Entries are counted here, from when they are sent: nobody sends without room.

module room_proof #(
  parameter  int unsigned Depth = 4,
  parameter  bit          Short = 1'b0,
  localparam int unsigned Width = $clog2(Depth + 1)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic sent_i,
  input logic comes_i,  // the oldest on its way is in the queue from now on
  input logic leaves_i  // the queue
);

  typedef logic [7:0] count_t;

  logic   started_q = 1'b0;  // the first cycle is a reset
  count_t level_q, coming_q;
  logic   room;

  tma_room #(.Depth(Depth), .Short(Short)) dut (
    .clk_i, .rst_ni, .level_i(Width'(level_q)), .coming_i(coming_q[1:0]), .sent_i, .room_o(room)
  );

  logic waits_q;     // there was room, and nothing was sent
  logic two_free_q;  // two places were free
  logic none_q;      // there was no room

  always_ff @(posedge clk_i) begin
    started_q  <= 1'b1;
    waits_q    <= rst_ni && room && !sent_i;
    two_free_q <= rst_ni && level_q + coming_q + count_t'(2) <= count_t'(Depth);
    none_q     <= rst_ni && !room;
    if (!rst_ni) begin
      level_q  <= '0;
      coming_q <= '0;
    end else begin
      level_q  <= level_q + count_t'(comes_i) - count_t'(leaves_i);
      coming_q <= coming_q + count_t'(sent_i) - count_t'(comes_i);
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    assume (!sent_i || (room && (comes_i || coming_q < 8'd3)));
    assume (!comes_i || coming_q != '0);
    assume (!leaves_i || level_q != '0);

    if (started_q) begin
      LinkComing:   assert (coming_q <= 8'd3);
      NeverTooMany: assert (level_q <= count_t'(Depth) && level_q + coming_q <= count_t'(Depth));
      if (room)     OneMoreFits: assert (level_q + coming_q < count_t'(Depth));
      if (waits_q)  RoomStays:   assert (room);
      if (Short ? two_free_q : level_q + coming_q < count_t'(Depth)) RoomIsSeen: assert (room);

      Fills:         cover (level_q == count_t'(Depth));
      AllOnTheirWay: cover (coming_q == 8'd3 && level_q == count_t'(Depth - 3) && !room);
      RoomAgain:     cover (room && none_q && coming_q == '0 && level_q == count_t'(Depth - (Short ? 2 : 1)));
    end
  end

endmodule
