// SPDX-License-Identifier: Apache-2.0
// Configuration `default`: the size of the performance contract.
// What each number may be: docs/gen/configuration.md.
package tma_cfg_pkg;

  localparam int unsigned DataWidth   = 512;     // bits of a global port
  localparam int unsigned NumCtas     = 4;       // CTAs of the cluster
  localparam int unsigned SmemBytes   = 65536;   // shared memory of one CTA
  localparam int unsigned NumQueues   = 8;       // queues
  localparam int unsigned NumPorts    = 2;       // global ports
  localparam int unsigned NumWindows  = 4;       // windows of global memory per queue
  localparam int unsigned NumReads    = 256;     // read bursts in flight per port
  localparam int unsigned NumWrites   = 256;     // write bursts in flight per port and id
  localparam int unsigned NumMultimem = 2;       // multimem windows
  localparam int unsigned RingDepth   = 128;     // commands fetched ahead per queue
  localparam int unsigned NumMaps     = 4;       // tensor maps kept decoded
  localparam int unsigned Packed      = 1;       // 1: padded 4- and 6-bit types of tensor loads
  localparam int unsigned NumBarriers = 8;       // mbarriers per CTA that are worked on without memory
  localparam int unsigned NumReductions = 128;   // bursts of reductions in flight; 0: none are built
  localparam int unsigned Floats      = 2;       // 0: no reductions of floating point; 2: of f64, too
  localparam int unsigned ShortPaths  = 0;       // 1: more registers between the units, for slow logic; costs cycles
  localparam int unsigned RamCollides = 0;       // 1: a row of block memory that is written cannot be read

endpackage
