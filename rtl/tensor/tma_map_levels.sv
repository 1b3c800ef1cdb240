// SPDX-License-Identifier: Apache-2.0
// The levels of a tensor map's walk: a table that dimensions are put into one after the other, and
// which of them fold into the row.
//
// A dimension that is a level says its size first, then its stride and what it is, and then ends its
// turn; the product that decides whether it folds is there in the next cycle. Reset: none.

module tma_map_levels
  import tma_tensor_pkg::*;
(
  input  logic                clk_i,

  input  logic                start_i,      // of a map
  input  logic                fold_start_i, // before the first level
  input  logic                fold_may_i,   // then: rows lie side by side in shared memory

  // The dimension
  input  logic                is_level_i,
  input  logic                size_i,       // `last`, `lower` and `upper` are there
  input  logic                rest_i,       // all else
  input  logic                end_i,        // of its turn
  input  level_t              level_i,
  input  logic [19:0]         fold_i,       // chunks of the rows so far

  output logic                full_o,
  output level_t [Levels-1:0] level_o,
  output logic [Levels-1:0]   fold_o,
  output logic [Levels-1:0][tma_pkg::RowChunks-1:0] fold_chunks_o
);

  localparam int unsigned RowChunks = tma_pkg::RowChunks;

  logic [2:0] index_q;

  assign full_o = index_q[2];

  always_ff @(posedge clk_i) begin
    if (start_i)                  index_q <= '0;
    else if (end_i && is_level_i) index_q <= index_q + 3'd1;
  end

  //////////
  // Fold //
  //////////

  logic       may_q, fold_now, ended_q;
  logic [1:0] ended_index_q;

  assign fold_now = may_q && fold_i[19:RowChunks] == '0;

  always_ff @(posedge clk_i) begin
    ended_q       <= end_i && is_level_i;
    ended_index_q <= index_q[1:0];
    if (fold_start_i)              may_q <= fold_may_i;
    else if (rest_i && is_level_i) may_q <= may_q && level_i.used && level_i.step == '0 &&
                                            level_i.stride == 36'(fold_i);
    else if (ended_q)              may_q <= fold_now;
  end

  ///////////
  // Table //
  ///////////

  for (genvar l = 0; l < Levels; l++) begin : g_level
    logic   mine;
    level_t level_q;

    assign mine       = is_level_i && index_q[1:0] == 2'(l);
    assign level_o[l] = level_q;

    always_ff @(posedge clk_i) begin
      if (mine && size_i) begin
        level_q.last  <= level_i.last;
        level_q.lower <= level_i.lower;
        level_q.upper <= level_i.upper;
      end
      if (mine && rest_i) begin
        level_q.used    <= level_i.used;
        level_q.fixed   <= level_i.fixed;
        level_q.spatial <= level_i.spatial;
        level_q.dim     <= level_i.dim;
        level_q.stride  <= level_i.stride;
        level_q.step    <= level_i.step;
        level_q.count   <= level_i.count;
      end
      if (ended_q && ended_index_q == 2'(l)) begin
        fold_o[l]        <= fold_now;
        fold_chunks_o[l] <= fold_i[RowChunks-1:0];
      end
    end
  end

endmodule
