// SPDX-License-Identifier: Apache-2.0
// A row between a walker and who takes it, so that nothing of the walker waits for what becomes of a
// row.
//
//   row_i, item_i --> register --> row_o, item_o
//
// `row_ready_o` depends on a register alone. `stop_i` drops the row that is here, and reaches the
// walker a cycle later, unless that is through with the walk.
//
// A row every other cycle, one cycle of latency. With `Short` 0 all of it is wires.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_walk_stage
  import tma_pkg::*;
  import tma_tensor_pkg::*;
#(
  parameter bit Short   = ShortPaths,
  parameter bit NoFills = 1'b0  // with `Short` a row without data has `none`: nothing is filled for it
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Of the walker
  input  logic        row_valid_i,
  output logic        row_ready_o,
  input  tensor_row_t row_i,
  input  walk_item_t  item_i,
  output logic        stop_o,

  output logic        row_valid_o,
  input  logic        row_ready_i,
  output tensor_row_t row_o,
  output walk_item_t  item_o,
  input  logic        stop_i,    // pulse: of the walk of the row taken last, which was not its last one

  output logic        busy_o     // a row is here
);

  if (Short) begin : g_short
    tensor_row_t row_q;
    walk_item_t  item_q;
    logic        full_q, stop_q, taken;

    assign busy_o      = full_q;
    assign row_ready_o = !full_q;
    assign row_valid_o = full_q && !stop_i;
    assign row_o       = row_q;
    assign item_o      = item_q;
    assign stop_o      = stop_q;
    assign taken       = row_valid_i && row_ready_o;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        full_q <= 1'b0;
        stop_q <= 1'b0;
      end else begin
        full_q <= !stop_i && (full_q ? !row_ready_i : taken);
        // The row that the walker has next is of the same walk.
        stop_q <= stop_i && row_valid_i && !row_i.first && !(taken && row_i.last);
      end
    end

    always_ff @(posedge clk_i) begin
      if (!full_q) begin
        row_q      <= row_i;
        row_q.none <= row_i.none || (NoFills && row_i.chunks == '0);
        item_q     <= item_i;
      end
    end

    `TMA_ASSERT(StopIsOfAnOpenWalk, stop_i |-> full_q || (row_valid_i && !row_i.first))
    `TMA_COVER(StoppedBesideTheNextWalk, stop_i && row_valid_i && row_i.first)
    `TMA_COVER(StoppedWithItsLastRow, stop_i && taken && row_i.last)
  end else begin : g_wires
    logic unused;

    assign row_valid_o = row_valid_i;
    assign row_ready_o = row_ready_i;
    assign row_o       = row_i;
    assign item_o      = item_i;
    assign stop_o      = stop_i;
    assign busy_o      = 1'b0;
    assign unused      = ^{clk_i, rst_ni};
  end

endmodule
