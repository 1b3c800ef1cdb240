// SPDX-License-Identifier: Apache-2.0
// Types between the two halves of the load path.
package tma_load_pkg;

  import tma_pkg::*;

  localparam int unsigned ChannelWidth = $clog2(NumChannels);
  localparam int unsigned ChannelDepth = NumReads / NumChannels;  // bursts in flight of one channel

  // Payload of AR that is not the same for every burst.
  typedef struct packed {
    logic [IdWidth-1:0]  id;
    logic [63:0]         addr;
    logic [LenWidth-1:0] len;
    logic [3:0]          cache;
    logic [2:0]          prot;
    logic [3:0]          qos;
    logic [15:0]         user;
  } ar_t;

  // What the data of a burst in flight is for.
  typedef struct packed {
    burst_t  burst;
    signal_t signal;
  } ctx_t;

endpackage
