// SPDX-License-Identifier: Apache-2.0
// Bursts of an address channel, cut into rows of the memory.
//
//   AR or AW --> skid --> burst --> row, one per `next_i`
//
// A row per cycle, also from one burst to the next. `ready_o` is a register. A burst that begins outside of memory is
// outside as a whole, because it keeps its page. Reset: control only.

`include "tma_assert.svh"

module tma_axi_ram_burst
  import tma_board_pkg::*;
#(
  parameter int unsigned MemoryBytes = 1 << 18,
  localparam int unsigned RowWidth = $clog2(MemoryBytes / LineBytes)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                valid_i,
  output logic                ready_o,
  input  ram_burst_t          burst_i,

  output logic                row_valid_o,
  output logic [RowWidth-1:0] row_o,
  output logic [IdWidth-1:0]  id_o,
  output logic                outside_o,
  output logic                last_o,
  input  logic                next_i      // this row is done
);

  typedef struct packed {
    logic                outside;
    logic [IdWidth-1:0]  id;
    logic [RowWidth-1:0] row;
    logic [7:0]          left;  // beats behind this one
  } burst_t;

  burst_t burst, first, burst_q, unused_behind;
  logic   first_valid, free, unused_behind_valid;

  assign burst = '{outside: (burst_i.addr - MemoryBase) >= 64'(MemoryBytes), id: burst_i.id,
                   row: burst_i.addr[$clog2(LineBytes) +: RowWidth], left: burst_i.len};

  tma_skid #(.Width($bits(burst_t))) u_skid (
    .clk_i, .rst_ni, .drop_i(1'b0), .in_valid_i(valid_i), .in_ready_o(ready_o), .in_i(burst),
    .out_valid_o(first_valid), .out_ready_i(free), .out_o(first),
    .behind_valid_o(unused_behind_valid), .behind_o(unused_behind)
  );

  assign free      = !row_valid_o || (next_i && last_o);
  assign row_o     = burst_q.row;
  assign id_o      = burst_q.id;
  assign outside_o = burst_q.outside;
  assign last_o    = burst_q.left == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   row_valid_o <= 1'b0;
    else if (free) row_valid_o <= first_valid;
  end

  always_ff @(posedge clk_i) begin
    if (free) begin
      burst_q <= first;
    end else if (next_i) begin
      burst_q.row  <= burst_q.row + RowWidth'(1);
      burst_q.left <= burst_q.left - 8'd1;
    end
  end

  `TMA_ASSERT_INIT(MemoryIsAPowerOfTwo, MemoryBytes >= 4096 && MemoryBytes == LineBytes << RowWidth)
  `TMA_ASSERT_STABLE(AddressIsStable, valid_i, ready_o, burst_i)
  `TMA_ASSERT(BurstKeepsItsPage, valid_i |-> 17'(burst_i.addr[11:4]) + 17'(burst_i.len) < 17'd256)
  `TMA_ASSERT(NextIsOfARow, next_i |-> row_valid_o)
  `TMA_COVER(BurstBehindBurst, next_i && last_o && first_valid)

endmodule
