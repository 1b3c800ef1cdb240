// SPDX-License-Identifier: Apache-2.0
// Bytes of the oldest record, beat by beat, and when they are over.
//
//   rec_data_i --> half of the beat, or copies --> line_o
//   over_i -----> (register) --> rec_data_pop_o
//
// Who has the bytes is far away: with `Short` it is told a cycle later that they are over, in which no beat goes
// (`hold_o`). No latency else. Reset: that.

module tma_store_record
  import tma_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         last_i,         // the beat is the record's last one
  output line_t        line_o,
  input  logic         over_i,         // pulse: it goes, or the record is dropped
  output logic         hold_o,

  input  logic [255:0] rec_data_i,
  output logic         rec_data_pop_o
);

  if (Chunks == 1) begin : g_halves
    assign line_o = last_i ? rec_data_i[255:128] : rec_data_i[127:0];
  end else begin : g_copies
    logic unused_last;

    assign line_o      = {(Chunks / 2){rec_data_i}};
    assign unused_last = last_i;
  end

  logic pop_q;

  assign hold_o         = pop_q;
  assign rec_data_pop_o = Short ? pop_q : over_i;

  always_ff @(posedge clk_i) pop_q <= rst_ni && Short && over_i;

endmodule
