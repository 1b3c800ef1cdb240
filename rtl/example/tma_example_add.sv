// SPDX-License-Identifier: Apache-2.0
// Adds a number to every 32-bit element of the tile: reads 16 bytes, writes them back, three cycles each while the port
// takes what it is offered.
//
//   cycle         0      1      2      3
//   tile_o        read          write  read
//   tile_i               data
//
// `tile_o` is from registers. `done_o` is high in the cycle in which the last write is taken. Reset: control only.

`include "tma_assert.svh"

module tma_example_add
  import tma_example_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                start_i,   // while it does nothing
  input  logic [TileBits-1:0] bytes_i,   // stable until done
  input  logic [31:0]         addend_i,  // stable until done
  output logic                done_o,

  output tile_req_t           tile_o,
  input  tile_rsp_t           tile_i
);

  typedef enum logic [1:0] {
    StIdle,
    StRead,   // asks for 16 bytes
    StData,   // they come in the cycle after they were asked for
    StWrite   // the sums
  } state_e;

  state_e              state_d, state_q;
  logic [TileBits-1:0] offset_d, offset_q;
  logic [3:0][31:0]    sum_q;

  assign tile_o.valid = state_q == StRead || state_q == StWrite;
  assign tile_o.write = state_q == StWrite;
  assign tile_o.addr  = Tile + 32'(offset_q);
  assign tile_o.wdata = sum_q;

  always_comb begin
    state_d  = state_q;
    offset_d = offset_q;
    done_o   = 1'b0;

    unique case (state_q)
      StIdle: begin
        offset_d = '0;
        if (start_i) state_d = StRead;
      end

      StRead: if (tile_i.ready) state_d = StData;

      StData: state_d = StWrite;

      StWrite: begin
        if (tile_i.ready) begin
          offset_d = offset_q + TileBits'(16);
          done_o   = offset_d == bytes_i;
          state_d  = done_o ? StIdle : StRead;
        end
      end

      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else         state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    offset_q <= offset_d;
    if (tile_i.rvalid) for (int unsigned i = 0; i < 4; i++) sum_q[i] <= tile_i.rdata[32*i +: 32] + addend_i;
  end

  `TMA_ASSERT(DataComesAtOnce, state_q == StData |-> tile_i.rvalid)
  `TMA_ASSERT_STABLE(RequestIsStable, tile_o.valid, tile_i.ready, tile_o)
  `TMA_COVER(PortLetsWait, tile_o.valid && !tile_i.ready)

endmodule
