// SPDX-License-Identifier: Apache-2.0
// Types between the parts of the load path.
package tma_load_pkg;

  import tma_pkg::*;

  localparam int unsigned ChannelWidth = $clog2(NumChannels);
  localparam int unsigned CpDepth      = NumReads < 64 ? 16 : 64; // cp.async and their arrivals
  localparam int unsigned PrefetchBeats = 512;                    // in flight, before a page more
  localparam int unsigned FillDepth    = 4;                       // rows whose fill waits
  localparam int unsigned FillWidth    = ChunkAddr + 1;           // chunks of fill of a row

  // What belongs to the row in the guard, besides the row.
  typedef struct packed {
    logic [2:0]              client;
    logic [ChannelWidth-1:0] channel;  // of ClientLoad
    hint_t                   hint;
    cp_t                     cp;       // of ClientCp, as the next one
    logic [3:0]              low;      // first byte in the source's chunk, of `fault`'s address
    logic [15:0]             fault;    // of a tensor copy that only faults, else FaultNone
    cta_mask_t               dst;
    layout_t                 layout;
    signal_t                 signal;
  } item_t;

  // What the data of a burst in flight is for.
  typedef struct packed {
    burst_t    burst;
    cta_mask_t dst;
    layout_t   layout;
    signal_t   signal;
  } ctx_t;

  // What of a row lies out of bounds: `count` chunks from `addr` on, then `next_count` chunks from
  // `next_addr` on (none: 0).
  typedef struct packed {
    cta_mask_t            ctas;
    layout_t              layout;
    chunk_addr_t          addr;
    logic [FillWidth-1:0] count;
    chunk_addr_t          next_addr;
    logic [FillWidth-1:0] next_count;
  } fill_t;

  // A cp.async or its arrival, from its turn in the guard on.
  typedef struct packed {
    logic        denied;  // no window allows its read
    logic [63:0] gaddr;   // first byte
    chunk_addr_t saddr;
    cp_t         cp;
    signal_t     signal;
  } cp_ctx_t;

  // Whether a cp.async or arrival has data to read.
  function automatic logic cp_reads(input logic arrive, input logic [4:0] valid);
    return !arrive && valid != '0;
  endfunction

  // What elements out of bounds read as.
  function automatic logic [15:0] fill_half(input logic nan);
    return nan ? 16'h7FF7 : '0;
  endfunction

endpackage
