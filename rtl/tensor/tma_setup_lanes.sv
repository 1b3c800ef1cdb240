// SPDX-License-Identifier: Apache-2.0
// The lanes of set-up, each with a level and a multiplier: where levels start, and how far that is
// from the map's address, in chunks.
//
//   coordinates, levels --> tma_setup_level ------------------------------> positions
//                    |----> tma_setup_runs ------------------------------> runs along level 0
//                    \----> operand x stride (Split: a register between) -> products
//
// Operands in the operand step; positions in the next cycle, products with them or, with few lanes,
// one cycle later. Reset: none.

module tma_setup_lanes
  import tma_tensor_pkg::*;
  import tma_setup_pkg::*;
(
  input  logic                    clk_i,

  input  round_t                  operand_i,
  input  setup_cmd_t              cmd_i,          // held until it is done, and what belongs to it
  input  map_info_t               info_i,
  input  logic                    list_i,
  input  logic                    wide_i,
  input  logic                    tiled_i,
  input  logic                    runs_i,         // level 0 is walked as runs
  input  logic                    slice_apart_i,

  // Of the lanes' levels, in the position step
  input  logic [Lanes-1:0]        folded_i,       // into the row
  output walk_level_t [Lanes-1:0] level_o,        // without addr
  output logic [Lanes-1:0]        fits_o,         // as in tma_setup_level
  output logic [Lanes-1:0]        outside_o,
  output logic [Lanes-1:0]        ahead_o,        // in front of its window
  output logic [Lanes-1:0]        behind_o,
  output run_t                    run_o,          // as in tma_setup_runs

  output gchunk_t [Lanes-1:0]     product_o       // in the sum step
);

  pos_t run_back;

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    index_t      at, map_level;
    logic [2:0]  dim;
    level_t      level;
    logic [31:0] coord;
    logic [15:0] offset;
    pos_t        start, low, high, operand;
    logic [35:0] stride;
    logic        run;

    assign run = Runs && l == 0 && operand_i.group == '0 && runs_i;

    // The rows of a list are coordinates 1..4, all of them along level 0.
    assign at        = level_of(operand_i.group, index_t'(l));
    assign map_level = list_i ? '0 : at;
    assign level     = info_i.level[map_level];
    assign dim       = list_i ? {1'b0, at} + 3'd1 : level.dim;
    assign coord     = cmd_i.op.coord[dim];
    assign offset    = wide_i ? cmd_i.im2col[1] : at == 2'd3 ? '0 : cmd_i.im2col[at];

    tma_setup_level u_level (
      .clk_i, .step_i(operand_i.valid && operand_i.op == OpStart), .list_i,
      .list_first_i(at == '0), .endless_i(!tiled_i && !level.spatial && !level.fixed), .wide_i,
      .run_i(run), .level_i(level), .coord_i(coord), .offset_i(offset), .start_o(start),
      .low_o(low), .high_o(high),
      .folded_i(folded_i[l]), .level_o(level_o[l]), .fits_o(fits_o[l]), .outside_o(outside_o[l]),
      .before_o(ahead_o[l]), .behind_o(behind_o[l])
    );

    if (Runs && l == 0) begin : g_runs
      tma_setup_runs u_runs (
        .clk_i, .step_i(operand_i.valid && operand_i.op == OpStart && operand_i.group == '0),
        .start_i(start), .low_i(low), .high_i(high), .last_i(level.last), .run_o, .back_o(run_back)
      );
    end else begin : g_no_runs
      logic unused;
      assign unused = ^{low, high};
    end

    // What is multiplied. The data of a run begins in the tensor.
    logic is_slice;

    assign is_slice = operand_i.op == OpSlice ? l == 0
                    : l == 3 && operand_i.op == OpStart && info_i.slice_used && !slice_apart_i;

    always_comb begin
      operand = '0;
      stride  = level.stride;
      if (is_slice) begin
        operand = pos_t'($signed(cmd_i.op.coord[info_i.slice_dim]));
        stride  = info_i.slice_stride;
      end else if (operand_i.op == OpStart && level.used) begin
        operand = run && start < 0 ? '0 : start;
      end else if (operand_i.op == OpRestart && level.spatial) begin
        operand = run ? run_back : pos_t'(level.lower) - pos_t'($signed(coord));
      end
    end

    // Modulo 2^60: the operand's sign is extended.
    if (Split) begin : g_split
      pos_t        operand_q;
      logic [35:0] stride_q;

      always_ff @(posedge clk_i) begin
        operand_q    <= operand;
        stride_q     <= stride;
        product_o[l] <= gchunk_t'(operand_q) * gchunk_t'(stride_q);
      end
    end else begin : g_joined
      always_ff @(posedge clk_i) product_o[l] <= gchunk_t'(operand) * gchunk_t'(stride);
    end
  end

  if (!Runs) begin : g_none
    assign run_o    = '0;
    assign run_back = '0;
  end

  // Much of the command and the map is for others.
  logic unused;
  assign unused = ^{cmd_i, info_i};

endmodule
