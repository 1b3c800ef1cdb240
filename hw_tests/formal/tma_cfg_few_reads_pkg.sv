// SPDX-License-Identifier: Apache-2.0
// The same with few reads in flight, for proofs in which all of them are.
package tma_cfg_pkg;

  localparam int unsigned DataWidth   = 512;     // bits of a global port: 128, 256, 512 or 1024
  localparam int unsigned NumCtas     = 4;       // CTAs of the cluster, 1..16
  localparam int unsigned SmemBytes   = 65536;   // shared memory of one CTA, a multiple of 128
  localparam int unsigned NumQueues   = 2;       // power of two, 2..16
  localparam int unsigned NumPorts    = 2;       // global ports, 1..4
  localparam int unsigned NumWindows  = 2;       // windows of global memory per queue, 1..8
  localparam int unsigned NumReads    = 4;       // read bursts in flight per port, a multiple of 4
  localparam int unsigned NumWrites   = 128;     // write bursts in flight per port
  localparam int unsigned NumMultimem = 2;       // multimem windows, 1..8
  localparam int unsigned RingDepth   = 16;      // commands fetched ahead per queue, power of two, 16..128
  localparam int unsigned NumMaps     = 4;       // tensor maps kept decoded, power of two, 2..16
  localparam int unsigned Packed      = 1;       // 1: padded 4- and 6-bit types of tensor loads
  localparam int unsigned NumBarriers = 8;       // mbarriers per CTA that are worked on without memory, power of two, 4..16
  localparam int unsigned NumReductions = 16;    // bursts of reductions in flight; 0: none are built
  localparam int unsigned Floats      = 1;       // 0: no reductions of floating point; 2: of f64, too
  localparam int unsigned ShortPaths  = 0;       // 1: more registers between the units, for slow logic; costs cycles
  localparam int unsigned RamCollides = 0;       // 1: a row of block memory that is written cannot be read

endpackage
