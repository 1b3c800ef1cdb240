// SPDX-License-Identifier: Apache-2.0
// The arithmetic of reductions twice, on the same operands: whole, with lanes for a line, and with lanes for a part of
// one, without f64 or, of the narrowest bus, without floating point.
module tma_reduce_lanes
  import tma_pkg::*;
  import tma_reduce_pkg::*;
(
  input  logic  clk_i,
  input  logic  rst_ni,

  input  logic  valid_i,
  output logic  ready_o,
  input  logic  part_valid_i,
  output logic  part_ready_o,
  input  how_t  how_i,
  input  line_t dst_i,
  input  line_t src_i,

  output logic  valid_o,
  output line_t line_o,
  output logic  part_valid_o,
  output line_t part_line_o
);

  localparam int unsigned PartBytes = DataBytes > 16 ? 16 : 8;

  tma_reduce_alu u_alu (
    .clk_i, .rst_ni, .in_valid_i(valid_i), .in_ready_o(ready_o), .how_i, .dst_i, .src_i,
    .out_valid_o(valid_o), .out_o(line_o)
  );

  tma_reduce_alu #(.LaneBytes(PartBytes), .Floats(DataBytes > 16), .Float64(1'b0)) u_part (
    .clk_i, .rst_ni, .in_valid_i(part_valid_i), .in_ready_o(part_ready_o), .how_i, .dst_i, .src_i,
    .out_valid_o(part_valid_o), .out_o(part_line_o)
  );

endmodule
