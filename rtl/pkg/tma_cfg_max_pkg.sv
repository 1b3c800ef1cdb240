// SPDX-License-Identifier: Apache-2.0
// Configuration `max`: the largest shape; linted and simulated, not synthesized.
// What each number may be: docs/gen/configuration.md.
package tma_cfg_pkg;

  localparam int unsigned DataWidth   = 1024;    // bits of a global port
  localparam int unsigned NumCtas     = 16;      // CTAs of the cluster
  localparam int unsigned SmemBytes   = 232448;  // shared memory of one CTA
  localparam int unsigned NumQueues   = 16;      // queues
  localparam int unsigned NumPorts    = 4;       // global ports
  localparam int unsigned NumWindows  = 8;       // windows of global memory per queue
  localparam int unsigned NumReads    = 128;     // read bursts in flight per port
  localparam int unsigned NumWrites   = 128;     // write bursts in flight per port and id
  localparam int unsigned NumMultimem = 4;       // multimem windows
  localparam int unsigned RingDepth   = 32;      // commands fetched ahead per queue
  localparam int unsigned NumMaps     = 8;       // tensor maps kept decoded
  localparam int unsigned Packed      = 1;       // 1: padded 4- and 6-bit types of tensor loads
  localparam int unsigned NumBarriers = 8;       // mbarriers per CTA that are worked on without memory
  localparam int unsigned NumReductions = 32;    // bursts of reductions in flight; 0: none are built
  localparam int unsigned Floats      = 2;       // 0: no reductions of floating point; 2: of f64, too
  localparam int unsigned ShortPaths  = 0;       // 1: more registers between the units, for slow logic; costs cycles
  localparam int unsigned RamCollides = 0;       // 1: a row of block memory that is written cannot be read

endpackage
