// SPDX-License-Identifier: Apache-2.0
// One level of a walk from one level of a map and a coordinate. Two steps: `step_i` takes the
// operands, the results are there from the next cycle until the next step. With few lanes the last position is
// added up in the second step.
//
// A level of a list (gather4, scatter4) is one of its rows: it is stepped into once.

module tma_setup_level
  import tma_pkg::*;
  import tma_tensor_pkg::*;
  import tma_setup_pkg::*;
(
  input  logic               clk_i,

  input  logic               step_i,
  input  logic               list_i,
  input  logic               list_first_i,
  input  logic               endless_i,     // never restarts: the N of an im2col walk
  input  logic               wide_i,        // which goes from image to image in a wide one, whatever the map says
  input  logic               run_i,         // walked as runs: never moves
  input  level_t             level_i,
  input  logic [31:0]        coord_i,
  input  logic [15:0]        offset_i,      // of spatial levels
  output pos_t               start_o,       // in this cycle, like the first and the last one that it comes to
  output pos_t               low_o,
  output pos_t               high_o,

  input  logic               folded_i,      // into the row
  output walk_level_t        level_o,       // without addr
  output logic               fits_o,        // the box lies inside the tensor in this dimension
  output logic               outside_o,     // no position that it comes to is in bounds
  output logic               before_o,      // spatial: the walk starts in front of its window,
  output logic               behind_o       // behind it
);

  ////////////////
  // First step //
  ////////////////

  logic signed [17:0] lower, upper, offset;
  pos_t               start, high, low, most, reach;
  logic [10:0]        extent;  // of a tile, from its first to its last position

  assign offset = level_i.spatial ? $signed({2'b0, offset_i}) : '0;
  assign lower  = 18'(level_i.lower) + offset;
  assign upper  = 18'(level_i.upper) + offset;
  assign extent = 11'(level_i.count) * (11'(level_i.step) + 11'd1);

  assign start   = pos_t'($signed(coord_i)) + pos_t'(offset);
  assign low     = level_i.spatial ? pos_t'(lower) : start;
  assign most    = level_i.spatial ? $signed({3'b0, level_i.last}) : start;
  assign reach   = level_i.spatial ? pos_t'(upper) : $signed({24'b0, extent});
  assign high    = most + reach;
  assign start_o = start;
  assign low_o   = low;
  assign high_o  = high;

  logic        moves_q, run_q, spatial_q, endless_q, fixed_q, list_q, first_q;
  pos_t        start_q, high_q, low_q;
  logic [31:0] last_q;
  logic [3:0]  step_q;
  logic [35:0] stride_q;

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      start_q   <= start;
      low_q     <= low;
      last_q    <= level_i.last;
      step_q    <= endless_i && wide_i ? 4'd1 : 4'(level_i.step) + 4'd1;
      stride_q  <= level_i.stride;
      moves_q   <= level_i.used && !level_i.fixed;
      run_q     <= run_i;
      fixed_q   <= level_i.used && level_i.fixed;
      spatial_q <= level_i.spatial;
      endless_q <= endless_i;
      list_q    <= list_i;
      first_q   <= list_first_i;
    end
  end

  if (Split) begin : g_split
    pos_t most_q, reach_q;

    assign high_q = most_q + reach_q;

    always_ff @(posedge clk_i) begin
      if (step_i) begin
        most_q  <= most;
        reach_q <= reach;
      end
    end
  end else begin : g_joined
    always_ff @(posedge clk_i) if (step_i) high_q <= high;
  end

  /////////////////
  // Second step //
  /////////////////

  function automatic logic in_range(input pos_t position, input logic [31:0] last);
    return position >= 0 && position[PosWidth-2:0] <= (PosWidth-1)'(last);
  endfunction

  logic start_inside;
  pos_t step, limit, next, low_next;

  assign step         = $signed({31'b0, step_q});
  assign limit        = endless_q ? {1'b0, {(PosWidth-1){1'b1}}} : high_q - step;
  assign next         = start_q + step;
  assign low_next     = low_q + step;
  assign start_inside = in_range(start_q, last_q);
  assign before_o     = spatial_q && start_q < low_q;
  assign behind_o     = spatial_q && start_q > high_q;

  // Of a level that moves, if all of it lies on one side: behind the tensor are its first position and
  // the one where it restarts, or in front of it the one that it never passes.
  logic low_inside;

  assign low_inside = in_range(low_q, last_q);
  assign outside_o  = (fixed_q && !start_inside) ||
                      (moves_q && !list_q && start_q >= 0 && !start_inside && low_q >= 0 && !low_inside) ||
                      (moves_q && !list_q && !endless_q && high_q < 0);
  assign fits_o       = start_q >= 0 && high_q <= $signed({3'b0, last_q});

  always_comb begin
    level_o            = '0;
    level_o.over       = 1'b1;
    level_o.is_in     = 1'b1;
    level_o.low_over   = 1'b1;
    level_o.low_in = 1'b1;
    level_o.last       = last_q;
    level_o.limit      = limit;
    if (list_q) begin
      level_o.over   = first_q;
      level_o.is_in = !first_q || start_inside;
      level_o.next   = start_q;
      level_o.limit  = {1'b1, {(PosWidth-1){1'b0}}};
    end else if (moves_q && !folded_i && !run_q) begin
      level_o.step       = step_q;
      level_o.addr_step  = 39'(stride_q) * 39'(step_q);
      level_o.over       = !endless_q && next > high_q;  // start > limit, with the sums beside each other
      level_o.is_in     = start_inside;
      level_o.next       = next;
      level_o.low_over   = !endless_q && low_next > high_q;
      level_o.low_in = low_inside;
      level_o.low_next   = low_next;
    end
  end

  // The coordinate is chosen by the user.
  logic unused;
  assign unused = ^level_i.dim;

endmodule
