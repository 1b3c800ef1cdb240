// SPDX-License-Identifier: Apache-2.0
// Addresses of one direction of tma_narrow, from the engine to the pins: they keep the rules of AXI4 there (one stays until
// it is taken, its burst lies in one page of 4 KiB, at beats of the bus), and the parts of a burst are the burst: 256 beats
// at most, the second one behind the first, all else as the engine gave it.
//
// Assumed of the engine: an address stays until it is taken, and its burst lies in one page, at its own beats.

module narrow_address_rules
  import tma_pkg::*;
  import tma_narrow_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic wide_valid_i,
  input  logic wide_ready_i,
  input  ax_t  wide_i,

  input  logic narrow_valid_i,
  input  logic narrow_ready_i,
  input  ax_t  narrow_i,

  // Inside: what is held, of which the first part may have gone, and a part that enters the register at the pins.
  input  logic held_i,
  input  ax_t  held_ax_i,
  input  logic second_i,
  input  logic part_i,

  // The burst of the engine that has parts to come, and whether the next one is its last.
  output logic left_o,
  output id_t  left_id_o,
  output logic last_o
);

  localparam int unsigned Longest = 256;  // beats

  typedef logic [15:0] beats_t;

  logic   reset_q = 1'b0;  // the cycle before was one of a reset
  logic   wide_waits_q, narrow_waits_q;
  ax_t    wide_q, narrow_q;
  ax_t    burst_q;         // the last one of the engine,
  logic   left_q;          // that has parts to come,
  logic   begun_q;         // and one that has gone
  ax_t    part, part_q;    // the next one; the one at the pins
  beats_t beats;           // of the burst, on the bus
  logic   ends;

  assign beats = (beats_t'(burst_q.len) + 16'd1) * beats_t'(Lanes);
  assign ends  = begun_q || 32'(beats) <= Longest;

  assign left_o    = left_q;
  assign left_id_o = burst_q.id;
  assign last_o    = ends;

  always_comb begin
    part      = burst_q;
    part.len  = begun_q ? 8'(beats - beats_t'(Longest) - 16'd1) : ends ? 8'(beats - 16'd1) : 8'(Longest - 1);
    part.addr = begun_q ? burst_q.addr + 64'(Longest * NarrowBytes) : burst_q.addr;
  end

  always_ff @(posedge clk_i) begin
    reset_q        <= !rst_ni;
    wide_waits_q   <= rst_ni && wide_valid_i && !wide_ready_i;
    narrow_waits_q <= rst_ni && narrow_valid_i && !narrow_ready_i;
    wide_q         <= wide_i;
    narrow_q       <= narrow_i;
    if (part_i) part_q <= part;
    if (wide_valid_i && wide_ready_i) burst_q <= wide_i;
    left_q  <= rst_ni && ((wide_valid_i && wide_ready_i) || (left_q && !(part_i && ends)));
    begun_q <= rst_ni && (part_i ? !ends : begun_q);
  end

  always_comb begin
    if (wide_waits_q) assume (wide_valid_i && wide_i == wide_q);
    if (wide_valid_i) begin
      assume (32'(wide_i.addr) % DataBytes == 0);
      assume (32'(wide_i.addr[11:0]) + (32'(wide_i.len) + 1) * DataBytes <= 4096);
    end

    if (rst_ni) begin
      LinkHeld:  assert (held_i == left_q && (!left_q || held_ax_i == burst_q));
      LinkBegun: assert (second_i == begun_q && (!begun_q || (left_q && 32'(beats) > Longest)));
      LinkBurst: assert (!left_q || (32'(burst_q.addr) % DataBytes == 0 &&
                                     32'(burst_q.addr[11:0]) + (32'(burst_q.len) + 1) * DataBytes <= 4096));
      if (part_i) PartIsOfABurst: assert (left_q);
      if (wide_valid_i && wide_ready_i) NoneIsLost: assert (!left_q);
      if (narrow_valid_i) begin
        PartIsOfTheBurst: assert (narrow_i == part_q);
        BurstStaysInPage: assert (32'(narrow_i.addr[11:0]) + (32'(narrow_i.len) + 1) * NarrowBytes <= 4096);
        BeatsAreWhole:    assert (32'(narrow_i.addr) % NarrowBytes == 0);
        LinesAreWhole:    assert ((32'(narrow_i.len) + 1) % Lanes == 0);
      end
      if (narrow_waits_q) AddressHolds: assert (narrow_valid_i && narrow_i == narrow_q);
    end
    if (reset_q) QuietAfterReset: assert (!narrow_valid_i);

    SecondWaits: cover (rst_ni && narrow_waits_q && narrow_valid_i && narrow_ready_i && narrow_i.addr[11] && !begun_q && narrow_i.len == 8'd255);
    PartBehind:  cover (rst_ni && narrow_valid_i && narrow_ready_i && part_i && begun_q);
  end

endmodule
