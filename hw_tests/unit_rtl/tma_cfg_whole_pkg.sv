// SPDX-License-Identifier: Apache-2.0
// Configuration `whole`, of the unit tests alone: reductions of integers, none of floating point.
package tma_cfg_pkg;

  localparam int unsigned DataWidth   = 128;     // bits of a global port
  localparam int unsigned NumCtas     = 2;       // CTAs of the cluster
  localparam int unsigned SmemBytes   = 16384;   // shared memory of one CTA
  localparam int unsigned NumQueues   = 2;       // queues
  localparam int unsigned NumPorts    = 1;       // global ports
  localparam int unsigned NumWindows  = 4;       // windows of global memory per queue
  localparam int unsigned NumReads    = 16;      // read bursts in flight per port
  localparam int unsigned NumWrites   = 16;      // write bursts in flight per port and id
  localparam int unsigned NumMultimem = 1;       // multimem windows
  localparam int unsigned RingDepth   = 32;      // commands fetched ahead per queue
  localparam int unsigned NumMaps     = 2;       // tensor maps kept decoded
  localparam int unsigned Packed      = 0;       // 1: padded 4- and 6-bit types of tensor loads
  localparam int unsigned NumBarriers = 4;       // mbarriers per CTA that are worked on without memory
  localparam int unsigned NumReductions = 8;     // bursts of reductions in flight; 0: none are built
  localparam int unsigned Floats      = 0;       // 0: no reductions of floating point; 2: of f64, too
  localparam int unsigned ShortPaths  = 1;       // 1: more registers between the units, for slow logic; costs cycles
  localparam int unsigned RamCollides = 1;       // 1: a row of block memory that is written cannot be read

endpackage
