// SPDX-License-Identifier: Apache-2.0
// Arithmetic of a reduction on 64 bits: one element of 64, two of 32 or four of 16 at a time.
//
//   bits 63:48   47:32   31:16   15:0
//          16      32      16     64      tma_reduce_lane of that width
//
// Throughput: 64 bits per cycle. Latency: seven cycles. `size_i` is that of the result. No reset.

module tma_reduce_slice
  import tma_pkg::how_t;
  import tma_reduce_pkg::*;
#(
  parameter bit Floats  = 1'b1,
  parameter bit Float64 = 1'b1
) (
  input  logic        clk_i,
  input  how_t        how_i,
  input  logic [63:0] dst_i,
  input  logic [63:0] src_i,
  input  size_e       size_i,
  output logic [63:0] result_o
);

  logic [63:0] by64;
  logic [31:0] by32;
  logic [15:0] low16, high16;

  tma_reduce_lane #(.Width(64), .Floats(Floats), .Float64(Float64)) u_64 (
    .clk_i, .how_i, .dst_i(dst_i), .src_i(src_i), .result_o(by64)
  );

  tma_reduce_lane #(.Width(32), .Floats(Floats), .Float64(1'b0)) u_32 (
    .clk_i, .how_i, .dst_i(dst_i[63:32]), .src_i(src_i[63:32]), .result_o(by32)
  );

  tma_reduce_lane #(.Width(16), .Floats(Floats), .Float64(1'b0)) u_low (
    .clk_i, .how_i, .dst_i(dst_i[31:16]), .src_i(src_i[31:16]), .result_o(low16)
  );

  tma_reduce_lane #(.Width(16), .Floats(Floats), .Float64(1'b0)) u_high (
    .clk_i, .how_i, .dst_i(dst_i[63:48]), .src_i(src_i[63:48]), .result_o(high16)
  );

  always_comb begin
    unique case (size_i)
      Size16:  result_o = {high16, by32[15:0], low16, by64[15:0]};
      Size32:  result_o = {by32, by64[31:0]};
      default: result_o = by64;
    endcase
  end

endmodule
