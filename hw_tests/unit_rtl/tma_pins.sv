// SPDX-License-Identifier: Apache-2.0
// What pins.py has to tell apart: every kind of port, taken in a cycle and given back in the next, each
// bit flipped by `flip_i`; two sums besides, so that an error of both ways at once shows.
//
// Reset: control only.

module tma_pins
  import tma_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,

  input  logic                              flip_i,
  input  logic signed [4:0]                 small_i,    // signed, no whole byte
  output logic signed [4:0]                 small_o,
  input  logic [63:0]                       word_i,
  output logic [63:0]                       word_o,
  input  logic [76:0]                       wide_i,     // bytes and a part of one
  output logic [76:0]                       wide_o,
  input  strb_t                             strb_i,     // bytes in the largest alone
  output strb_t                             strb_o,
  input  logic [NumQueues-1:0]              mask_i,
  output logic [NumQueues-1:0]              mask_o,
  input  logic [NumQueues-1:0]              flags_i,    // an array of bits by --bits
  output logic [NumQueues-1:0]              flags_o,
  input  logic [2:0][NumCtas-1:0][10:0]     grid_i,
  output logic [2:0][NumCtas-1:0][10:0]     grid_o,
  input  line_t [1:0]                       line_i,
  output line_t [1:0]                       line_o,
  input  signal_t [NumQueues-1:0]           signal_i,   // structs in structs, in an array
  output signal_t [NumQueues-1:0]           signal_o,
  input  layout_t                           layout_i,   // enums
  output layout_t                           layout_o,
  input  logic signed [34:0]                loose_i [3],  // not packed
  output logic signed [34:0]                loose_o [3],
  input  tma_isa_pkg::record_t              record_i,
  output tma_isa_pkg::record_t              record_o,

  output logic [31:0]                       tags_o,     // sum of the signals' tags
  output logic signed [36:0]                looses_o    // sum of those not packed
);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mask_o  <= '0;
      flags_o <= '0;
    end else begin
      mask_o  <= mask_i ^ {NumQueues{flip_i}};
      flags_o <= flags_i ^ {NumQueues{flip_i}};
    end
  end

  always_ff @(posedge clk_i) begin
    small_o  <= small_i ^ {5{flip_i}};
    word_o   <= word_i ^ {64{flip_i}};
    wide_o   <= wide_i ^ {77{flip_i}};
    strb_o   <= strb_i ^ {DataBytes{flip_i}};
    grid_o   <= grid_i ^ {$bits(grid_i) {flip_i}};
    line_o   <= line_i ^ {$bits(line_i) {flip_i}};
    signal_o <= signal_i ^ {$bits(signal_i) {flip_i}};
    layout_o <= layout_t'(layout_i ^ {$bits(layout_i) {flip_i}});
    for (int unsigned i = 0; i < 3; i++) loose_o[i] <= loose_i[i] ^ {35{flip_i}};
    record_o <= record_i ^ {256{flip_i}};
  end

  always_comb begin
    tags_o   = '0;
    looses_o = '0;
    for (int unsigned i = 0; i < NumQueues; i++) tags_o += signal_i[i].origin.tag;
    for (int unsigned i = 0; i < 3; i++) looses_o += 37'(loose_i[i]);
  end

endmodule
