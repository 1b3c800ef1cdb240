// SPDX-License-Identifier: Apache-2.0
// Properties of tma_reduce_slice: whatever goes in, and whatever went in before, an add of f16 gives the exact sum
// rounded to the nearest, ties to even, seven cycles later, in the place that is followed. Semantics 3, M12. The slice
// is that of long paths, with f64; the registers that `Short` adds are not in it.
//
// The sum is made as no adder of floating point does: f16 are multiples of 2^-24 below 2^16, so that a sum is an integer
// of 41 bits and a sign. Its highest bit says where it is rounded.

module reduce_add_proof
  import tma_pkg::*;
  import tma_isa_pkg::*;
#(
  parameter int unsigned Place = 0  // the element that is followed
) (
  input logic        clk_i,
  input logic [63:0] dst_i,
  input logic [63:0] src_i
);

  localparam int unsigned Latency = 7;
  localparam int unsigned Bits    = 41;  // of the magnitude of a sum: two of 2047 * 2^29 at most

  typedef logic [15:0]     half_t;
  typedef logic [Bits-1:0] magnitude_t;

  localparam half_t NaN      = 16'h7FFF;
  localparam half_t Infinity = 16'h7C00;

  logic [63:0] result;

  tma_reduce_slice #(.Floats(1'b1), .Float64(1'b1), .Short(1'b0)) dut (
    .clk_i, .how_i('{op: ReduceAdd, kind: TypeF16, flush: 1'b0}), .dst_i, .src_i, .result_o(result)
  );

  // Zeros and subnormals have the exponent of the smallest normal numbers, without their first bit.
  function automatic magnitude_t magnitude_of(half_t x);
    return x[14:10] == '0 ? magnitude_t'(x[9:0]) : magnitude_t'({1'b1, x[9:0]}) << (x[14:10] - 5'd1);
  endfunction

  // A magnitude of up to 11 bits is the number's bits, the first of them the exponent's last one. Of a longer one the
  // lowest bits go, and the exponent counts them.
  function automatic half_t rounded(magnitude_t magnitude);
    magnitude_t kept, rest, middle;
    logic [5:0] places;

    places = '0;
    for (int unsigned p = 11; p < Bits; p++) begin
      if (magnitude[p]) places = 6'(p - 10);
    end
    kept   = magnitude >> places;
    rest   = magnitude - (kept << places);
    middle = places == '0 ? '0 : magnitude_t'(1) << (places - 6'd1);
    if (places != '0 && (rest > middle || (rest == middle && kept[0]))) kept = kept + 1'b1;

    kept = kept + (magnitude_t'(places) << 10);
    return kept < magnitude_t'(Infinity) ? half_t'(kept) : Infinity;
  endfunction

  function automatic half_t sum_of(half_t x, half_t y);
    magnitude_t a, b;
    logic       minus;

    if ((x & 16'h7FFF) > Infinity || (y & 16'h7FFF) > Infinity) return NaN;
    if (x[14:10] == '1) return y[14:10] == '1 && x[15] != y[15] ? NaN : x;
    if (y[14:10] == '1) return y;

    a = magnitude_of(x);
    b = magnitude_of(y);
    if (x[15] == y[15]) return {x[15], 15'(rounded(a + b))};
    minus = a > b ? x[15] : y[15];
    return a == b ? '0 : {minus, 15'(rounded(a > b ? a - b : b - a))};
  endfunction

  half_t [Latency-1:0] x_q, y_q;         // what went in, the newest at 0
  logic  [Latency-1:0] known_q = '0;     // it did
  half_t               x, y, sum;

  always_ff @(posedge clk_i) begin
    x_q     <= {x_q[Latency-2:0], dst_i[16*Place +: 16]};
    y_q     <= {y_q[Latency-2:0], src_i[16*Place +: 16]};
    known_q <= {known_q[Latency-2:0], 1'b1};
  end

  assign x   = x_q[Latency-1];
  assign y   = y_q[Latency-1];
  assign sum = sum_of(x, y);

  always_comb begin
    if (known_q[Latency-1]) begin
      SumIsExact: assert (result[16*Place +: 16] == sum);

      Cancels:    cover (sum == '0 && x != '0 && y[15]);
      Subnormal:  cover (sum[14:10] == '0 && x[14:10] != '0 && sum[9:0] != '0);
      Tie:        cover (x == 16'h3C00 && y == 16'h1000 && sum == 16'h3C00);
      Overflows:  cover (sum == Infinity && x[14:10] != '1 && y[14:10] != '1);
    end
  end

endmodule
