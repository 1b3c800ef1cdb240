// SPDX-License-Identifier: Apache-2.0
// What the compute unit of the example is told, and how it reaches its tile.
package tma_example_pkg;

  localparam logic [31:0] Barrier  = 32'h0000;  // in shared memory
  localparam logic [31:0] Tile     = 32'h0100;
  localparam int unsigned TileBits = 12;        // of a tile's size in bytes

  // target[i] = source[i] + addend, of 32-bit elements.
  typedef struct packed {
    logic [63:0]         source;   // in global memory, multiples of 16
    logic [63:0]         target;
    logic [TileBits-1:0] bytes;    // a multiple of 16, not zero
    logic [31:0]         addend;
  } job_t;

  // External port of a CTA's shared memory.
  typedef struct packed {
    logic         valid;
    logic         write;
    logic [31:0]  addr;
    logic [127:0] wdata;
  } tile_req_t;

  typedef struct packed {
    logic         ready;
    logic         rvalid;
    logic [127:0] rdata;
  } tile_rsp_t;

endpackage
