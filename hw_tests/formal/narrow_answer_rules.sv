// SPDX-License-Identifier: Apache-2.0
// Answers of one direction of tma_narrow, of one id: every burst of the engine is answered once, behind its
// last part.
//
// What the engine is owed is counted here from its own ports, and so is which of the parts on their way is the last of
// its burst. Assumed of the bus: nothing comes of that id but for a part whose address was taken.

module narrow_answer_rules
  import tma_narrow_pkg::*;
#(
  parameter  int unsigned Parts      = 2,
  localparam int unsigned CountWidth = $clog2(Parts + 1) + 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // All of the id that is followed: a burst of the engine is taken, or has parts to come
  input  logic                  asks_i,
  input  logic                  left_i,

  // A part comes to the pins, the last of its burst; one waits there
  input  logic                  part_i,
  input  logic                  part_last_i,
  input  logic                  part_waits_i,

  // The bus has something; that ends a part, and is taken
  input  logic                  comes_i,
  input  logic                  ends_i,

  // The end of a burst is on offer to the engine; and is taken
  input  logic                  offered_i,
  input  logic                  given_i,

  // Inside: parts on their way, and which of them are the last, the oldest first
  input  logic [CountWidth-1:0] level_i,
  input  logic [Parts-1:0]      lasts_i,

  output logic                  last_o   // the oldest is the last of its burst
);

  typedef logic [CountWidth-1:0] count_t;

  count_t           level_q, owed_q, ends;
  logic [Parts-1:0] lasts_q, lasts, there;

  assign last_o = lasts_q[0];

  always_comb begin
    lasts = ends_i ? lasts_q >> 1 : lasts_q;
    ends  = '0;
    for (int unsigned i = 0; i < Parts; i++) begin
      there[i] = count_t'(i) < level_q;
      if (part_i && count_t'(i) == level_q - count_t'(ends_i)) lasts[i] = part_last_i;
      if (there[i] && lasts_q[i]) ends = ends + count_t'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    lasts_q <= lasts;
    level_q <= rst_ni ? level_q + count_t'(part_i) - count_t'(ends_i) : '0;
    owed_q  <= rst_ni ? owed_q + count_t'(asks_i) - count_t'(given_i) : '0;
  end

  always_comb if (rst_ni) begin
    assume (!comes_i || level_q > count_t'(part_waits_i));

    PartsAreCounted: assert (level_i == level_q && level_q <= count_t'(Parts) && level_q >= count_t'(part_waits_i));
    LinkLasts:       assert (((lasts_i ^ lasts_q) & there) == '0);
    AllIsOwed:       assert (owed_q == ends + count_t'(left_i) + count_t'(offered_i));

    TwoPartsOfOne: cover (ends_i && !last_o);
    TwoOwed:       cover (given_i && owed_q == count_t'(2));
  end

endmodule
