// SPDX-License-Identifier: Apache-2.0
// Types between the parts of the load path.
package tma_load_pkg;

  import tma_pkg::*;

  localparam int unsigned ChannelWidth = $clog2(NumChannels);
  localparam int unsigned ChannelDepth = NumReads / NumChannels;  // bursts in flight of one channel
  localparam int unsigned CpDepth      = NumReads < 64 ? 16 : 64; // cp.async and their arrivals

  // What belongs to the row in the guard, besides the row.
  typedef struct packed {
    logic [2:0]              client;
    logic [ChannelWidth-1:0] channel;  // of ClientLoad
    hint_t                   hint;
    cp_t                     cp;       // of ClientCp, as the next one
    logic [3:0]              low;      // first byte in the source's chunk
    signal_t                 signal;
  } item_t;

  // What the data of a burst in flight is for.
  typedef struct packed {
    burst_t  burst;
    signal_t signal;
  } ctx_t;

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

endpackage
