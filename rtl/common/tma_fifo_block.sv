// SPDX-License-Identifier: Apache-2.0
// First-in first-out queue of wide entries. With `Block` it is in block memory, behind whose output the
// oldest entry waits: an entry can be taken two cycles after it was put. With `Register` it waits behind one
// more register, three cycles after, and the outputs are early. Without `Block` it is a tma_fifo.
//
// One entry in and one out per cycle; a full queue takes none, also while one leaves. `in_ready_o`
// depends on registers alone. Reset: pointers only.

`include "tma_assert.svh"

module tma_fifo_block #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4,  // a power of two, 2 or more
  parameter bit          Block = 1'b1,
  parameter bit          Register = 1'b0,    // of the block memory
  parameter bit          FlowThrough = 1'b1  // of the tma_fifo
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

  if (Block) begin : g_block
    localparam int unsigned PtrWidth = $clog2(Depth);

    // Written up to, read up to; one bit more than an index: full differs from empty.
    logic [PtrWidth:0] wr_q, rd_q, level_q;
    logic              push, read, pop;
    logic              read_valid, read_ready;  // an entry behind the memory
    logic [Width-1:0]  read_data;

    assign level_o    = level_q;
    assign in_ready_o = level_q != (PtrWidth+1)'(Depth);
    assign push       = in_valid_i && in_ready_o;
    assign read       = (!read_valid || read_ready) && wr_q != rd_q;
    assign pop        = out_valid_o && out_ready_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        wr_q       <= '0;
        rd_q       <= '0;
        level_q    <= '0;
        read_valid <= 1'b0;
      end else begin
        wr_q       <= wr_q + (PtrWidth+1)'(push);
        rd_q       <= rd_q + (PtrWidth+1)'(read);
        if (push != pop) level_q <= push ? level_q + (PtrWidth+1)'(1) : level_q - (PtrWidth+1)'(1);
        read_valid <= read || (read_valid && !read_ready);
      end
    end

    tma_ram_1r1w_sync #(.Width(Width), .Depth(Depth)) u_ram (
      .clk_i, .we_i(push), .waddr_i(wr_q[PtrWidth-1:0]), .wdata_i(in_i),
      .re_i(read), .raddr_i(rd_q[PtrWidth-1:0]), .rdata_o(read_data)
    );

    if (Register) begin : g_register
      logic             valid_q;
      logic [Width-1:0] out_q;

      assign read_ready  = !valid_q || out_ready_i;
      assign out_valid_o = valid_q;
      assign out_o       = out_q;

      always_ff @(posedge clk_i) begin
        if (!rst_ni)         valid_q <= 1'b0;
        else if (read_ready) valid_q <= read_valid;
      end

      always_ff @(posedge clk_i) if (read_ready) out_q <= read_data;
    end else begin : g_memory
      assign read_ready  = out_ready_i;
      assign out_valid_o = read_valid;
      assign out_o       = read_data;
    end

    `TMA_ASSERT(LevelIsInRange, level_o <= (PtrWidth+1)'(Depth))
    `TMA_ASSERT(LevelIsWhatIsHeld,
        level_o == wr_q - rd_q + (PtrWidth+1)'(read_valid) + (PtrWidth+1)'(Register && out_valid_o))
    `TMA_ASSERT_STABLE(OutputIsStable, out_valid_o, out_ready_i, out_o)
    `TMA_COVER(Fills, level_o == (PtrWidth+1)'(Depth))
  end else begin : g_flow
    tma_fifo #(.Width(Width), .Depth(Depth), .FlowThrough(FlowThrough)) u_fifo (
      .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_i, .out_valid_o, .out_ready_i, .out_o, .level_o
    );
  end

endmodule
