// SPDX-License-Identifier: Apache-2.0
// Types between the two halves of the load path.
package tma_load_pkg;

  import tma_pkg::*;

  localparam int unsigned ChannelWidth = $clog2(NumChannels);
  localparam int unsigned ChannelDepth = NumReads / NumChannels;  // bursts in flight of one channel

  // What the data of a burst in flight is for.
  typedef struct packed {
    burst_t  burst;
    signal_t signal;
  } ctx_t;

endpackage
