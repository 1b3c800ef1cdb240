// SPDX-License-Identifier: Apache-2.0
// First-in first-out queue in distributed memory, of one entry in flip-flops. An entry can be taken in the
// cycle after it was put; with FlowThrough also in the same cycle when the queue is empty, which makes the
// outputs depend on the inputs.
//
// One entry in and one out per cycle; a full queue takes none, also while one leaves. `in_ready_o`
// depends on registers alone. Reset: pointers only.

`include "tma_assert.svh"

module tma_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4,  // any number, 1 or more
  parameter bit          FlowThrough = 1'b0
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic                       in_valid_i,
  output logic                       in_ready_o,
  input  logic [Width-1:0]           in_i,

  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output logic [Width-1:0]           out_o,

  output logic [$clog2(Depth+1)-1:0] level_o      // entries held
);

  localparam int unsigned PtrWidth   = Depth > 1 ? $clog2(Depth) : 1;
  localparam int unsigned LevelWidth = $clog2(Depth + 1);

  logic [PtrWidth-1:0]   wr_ptr_q, rd_ptr_q;
  logic [LevelWidth-1:0] level_q;
  logic                  empty, passes, push, pop;
  logic [Width-1:0]      stored;

  assign empty       = level_q == '0;
  assign in_ready_o  = level_q != LevelWidth'(Depth);
  assign out_valid_o = !empty || (FlowThrough && in_valid_i);
  assign out_o       = FlowThrough && empty ? in_i : stored;
  assign level_o     = level_q;

  // What passes through an empty queue is written, which is known early, but not kept.
  assign passes = FlowThrough && empty && out_ready_i;
  assign push   = in_valid_i && in_ready_o && !passes;
  assign pop    = !empty && out_ready_i;

  function automatic logic [PtrWidth-1:0] next(input logic [PtrWidth-1:0] ptr);
    return (ptr == PtrWidth'(Depth - 1)) ? '0 : ptr + PtrWidth'(1);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_ptr_q <= '0;
      rd_ptr_q <= '0;
      level_q  <= '0;
    end else begin
      if (push) wr_ptr_q <= next(wr_ptr_q);
      if (pop)  rd_ptr_q <= next(rd_ptr_q);
      if (push != pop) level_q <= push ? level_q + LevelWidth'(1) : level_q - LevelWidth'(1);
    end
  end

  // Of one entry a memory would be LUTs for flip-flops.
  if (Depth == 1) begin : g_register
    logic [Width-1:0] only_q;

    always_ff @(posedge clk_i) if (in_valid_i && in_ready_o) only_q <= in_i;

    assign stored = only_q;
  end else begin : g_memory
    tma_ram_1r1w #(.Width(Width), .Depth(Depth)) u_ram (
      .clk_i, .we_i(in_valid_i && in_ready_o), .waddr_i(wr_ptr_q), .wdata_i(in_i), .raddr_i(rd_ptr_q), .rdata_o(stored)
    );
  end

  `TMA_ASSERT_STABLE(InputIsStable, in_valid_i, in_ready_o, in_i)
  `TMA_ASSERT(LevelIsInRange, level_q <= LevelWidth'(Depth))
  `TMA_COVER(Fills, level_q == LevelWidth'(Depth))

endmodule
