// SPDX-License-Identifier: Apache-2.0
// Configuration `odd`, of the unit tests alone: legal numbers that are no powers of two.
package tma_cfg_pkg;

  localparam int unsigned DataWidth   = 256;     // bits of a global port
  localparam int unsigned NumCtas     = 3;       // CTAs of the cluster
  localparam int unsigned SmemBytes   = 49152;   // shared memory of one CTA
  localparam int unsigned NumQueues   = 4;       // queues
  localparam int unsigned NumPorts    = 3;       // global ports
  localparam int unsigned NumWindows  = 3;       // windows of global memory per queue
  localparam int unsigned NumReads    = 12;      // read bursts in flight per port
  localparam int unsigned NumWrites   = 12;      // write bursts in flight per port and id
  localparam int unsigned NumMultimem = 3;       // multimem windows
  localparam int unsigned RingDepth   = 16;      // commands fetched ahead per queue
  localparam int unsigned NumMaps     = 4;       // tensor maps kept decoded
  localparam int unsigned Packed      = 1;       // 1: padded 4- and 6-bit types of tensor loads
  localparam int unsigned NumBarriers = 4;       // mbarriers per CTA that are worked on without memory
  localparam int unsigned NumReductions = 0;     // bursts of reductions in flight; 0: none are built
  localparam int unsigned Floats      = 0;       // 0: no reductions of floating point; 2: of f64, too
  localparam int unsigned ShortPaths  = 0;       // 1: more registers between the units, for slow logic; costs cycles
  localparam int unsigned RamCollides = 0;       // 1: a row of block memory that is written cannot be read

endpackage
