// SPDX-License-Identifier: Apache-2.0
// The dimension of a tensor map whose turn it is: its fields, and what becomes of it.
//
//   words of the head --> fields of all dimensions, shifted from turn to turn --> level_o
//
// `size_i` comes with the word of the dimension's size, then `rest_i` with that of its stride and
// the positions, then `end_i`. Of dimension 0 there is no stride, behind the last there is nothing:
// then the word is zero. A dimension beyond the rank is not `used`; its other fields mean nothing.
// Reset: none.

module tma_map_dim
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
(
  input  logic        clk_i,

  // The map
  input  tma_tensor_pkg::kind_e kind_i,
  input  logic [2:0]  rank_i,       // - 1
  input  logic [1:0]  interleave_i,

  // Words of the head
  input  logic        row_i,        // element strides, box of dimension 0
  input  logic        box_i,        // the other boxes, or corners
  input  logic        strides_i,    // upper bits of the strides
  input  logic [31:0] word_i,

  // Turns
  input  logic [2:0]  dim_i,        // 5: none is left
  input  logic        size_i,
  input  logic        rest_i,
  input  logic        end_i,
  input  logic        full_i,       // of levels
  input  logic [7:0]  count_i,      // positions - 1

  output logic        row_used_o,   // as in map_info_t
  output logic [7:0]  side_o,       // box of dimension 0, - 1
  output logic [7:0]  box_o,        // of the dimension, - 1
  output logic        used_o,
  output logic        is_level_o,
  output logic        is_slice_o,
  output level_t      level_o,
  output logic        empty_o,      // rule MAP_CORNERS, a cycle after `size_i`: no position lies in the window
  output logic        inside_o      // the window is a part of the tensor
);

  ////////////
  // Fields //
  ////////////

  // The lowest part is that of the dimension.
  logic [4:0][7:0] box_q;
  logic [4:0][2:0] step_q;
  logic [3:0][3:0] high_q;    // of the strides, from dimension 1 on
  logic [15:0]     lower_q, upper_q;
  logic [7:0]      side_q;
  logic            whole_q;   // element stride of dimension 0 is 1
  logic            spatial;

  always_ff @(posedge clk_i) begin
    if (row_i) begin
      box_q[0] <= word_i[31:24];
      side_q   <= word_i[31:24];
      step_q   <= word_i[14:0];
      whole_q  <= word_i[2:0] == '0;
    end
    if (box_i) begin
      box_q[4:1] <= word_i;
      lower_q    <= word_i[15:0];
      upper_q    <= word_i[31:16];
    end
    if (strides_i) high_q <= word_i[15:0];

    if (rest_i && dim_i != '0) high_q <= high_q >> 4;
    if (end_i) begin
      box_q  <= box_q >> 8;
      step_q <= step_q >> 3;
      if (spatial) begin
        lower_q <= rank_i == 3'd3 ? lower_q >> 8 : lower_q >> 5;
        upper_q <= rank_i == 3'd3 ? upper_q >> 8 : upper_q >> 5;
      end
    end
  end

  //////////
  // Role //
  //////////

  logic tiled, interleaved, wide, is_row;

  assign tiled       = kind_i == KindTiled;
  assign wide        = kind_i == KindW || kind_i == KindW128;
  assign interleaved = interleave_i != InterleaveNone;

  assign side_o     = side_q;
  assign box_o      = box_q[0];
  assign row_used_o = !interleaved || (tiled && whole_q);
  assign used_o     = dim_i <= rank_i;
  assign is_row     = dim_i == '0 && row_used_o;
  assign is_slice_o = interleaved && dim_i + 3'd1 == rank_i;
  assign is_level_o = !is_row && !is_slice_o && !full_i;

  always_comb begin
    case (kind_i)
      KindIm2col: spatial = interleaved ? 4'(dim_i) + 4'd2 <= 4'(rank_i)
                                        : dim_i != '0 && dim_i < rank_i;
      KindTiled:  spatial = 1'b0;
      default:    spatial = dim_i == 3'd1;
    endcase
  end

  /////////////
  // Corners //
  /////////////

  logic [15:0] lower, upper;            // of the dimension
  logic [15:0] this_lower, this_upper;  // if it is spatial
  logic [31:0] limit;                   // the last position that the upper corner allows, then

  always_comb begin
    this_lower = lower_q;
    this_upper = upper_q;
    if (kind_i == KindIm2col && rank_i == 3'd3) begin
      this_lower = 16'(signed'(lower_q[7:0]));
      this_upper = 16'(signed'(upper_q[7:0]));
    end
    if (kind_i == KindIm2col && rank_i == 3'd4) begin
      this_lower = 16'(signed'(lower_q[4:0]));
      this_upper = 16'(signed'(upper_q[4:0]));
    end
  end

  assign lower = spatial ? this_lower : '0;
  assign upper = spatial ? this_upper : '0;

  // The comparison has the cycle behind that of the sum.
  logic        sized_q;
  logic [15:0] lower_limit_q;
  logic [31:0] limit_q;

  always_ff @(posedge clk_i) begin
    sized_q       <= size_i && spatial;
    lower_limit_q <= this_lower;
    limit_q       <= limit;
  end

  assign limit    = word_i + 32'(signed'(this_upper));
  assign empty_o  = sized_q && signed'(32'(signed'(lower_limit_q))) > signed'(limit_q);
  assign inside_o = !lower[15] && (upper[15] || upper == '0);

  ///////////
  // Level //
  ///////////

  // Slices of dimension 0 lie side by side.
  always_comb begin
    level_o.stride = {high_q[0], word_i};
    if (dim_i == '0) level_o.stride = 36'(interleave_i);
  end

  assign level_o.used    = used_o;
  assign level_o.fixed   = wide && dim_i >= 3'd2 && dim_i < rank_i;
  assign level_o.spatial = spatial;
  assign level_o.dim     = used_o ? dim_i : '0;
  assign level_o.last    = word_i;
  assign level_o.step    = step_q[0];
  assign level_o.count   = tiled ? count_i : '0;
  assign level_o.lower   = lower;
  assign level_o.upper   = upper;

endmodule
