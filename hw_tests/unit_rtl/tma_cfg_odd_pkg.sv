// SPDX-License-Identifier: Apache-2.0
// Configuration `odd`, of the unit tests alone: legal numbers that are no powers of two.
package tma_cfg_pkg;

  localparam int unsigned DataWidth   = 256;     // bits of a global port: 128, 256, 512 or 1024
  localparam int unsigned NumCtas     = 3;       // CTAs of the cluster, 1..16
  localparam int unsigned SmemBytes   = 49152;   // shared memory of one CTA, a multiple of 128
  localparam int unsigned NumQueues   = 4;       // power of two, 2..16
  localparam int unsigned NumPorts    = 3;       // global ports, 1..4
  localparam int unsigned NumWindows  = 3;       // windows of global memory per queue, 1..8
  localparam int unsigned NumReads    = 12;      // read bursts in flight per port, a multiple of 4
  localparam int unsigned NumWrites   = 12;      // write bursts in flight per port
  localparam int unsigned NumMultimem = 3;       // multimem windows, 1..8
  localparam int unsigned RingDepth   = 16;      // commands fetched ahead per queue, power of two, 16..128
  localparam int unsigned NumMaps     = 4;       // tensor maps kept decoded, power of two, 2..16
  localparam int unsigned Packed      = 1;       // 1: padded 4- and 6-bit types of tensor loads
  localparam int unsigned NumBarriers = 4;       // mbarriers per CTA that are worked on without memory, power of two, 4..16
  localparam int unsigned ShortPaths  = 0;       // 1: more registers between the units, for slow logic; costs cycles

endpackage
