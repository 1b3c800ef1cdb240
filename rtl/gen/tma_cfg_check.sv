// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/spec/config.toml by make gen. Do not edit.
//
// Refuses a configuration that is out of range: elaboration fails with the parameter's name, in
// simulation and in synthesis. No logic.

module tma_cfg_check;

  import tma_cfg_pkg::*;

  if (!(DataWidth == 128 || DataWidth == 256 || DataWidth == 512 || DataWidth == 1024)) begin : g_data_width
    $error("DataWidth is %0d, it may be: 128, 256, 512, 1024", DataWidth);
  end

  if (!(NumCtas >= 1 && NumCtas <= 16)) begin : g_num_ctas
    $error("NumCtas is %0d, it may be: 1..16", NumCtas);
  end

  if (!(SmemBytes >= 4096 && SmemBytes <= 1048448 && SmemBytes % 128 == 0)) begin : g_smem_bytes
    $error("SmemBytes is %0d, it may be: multiple of 128, 4096..1048448", SmemBytes);
  end

  if (!(NumQueues == 2 || NumQueues == 4 || NumQueues == 8 || NumQueues == 16)) begin : g_num_queues
    $error("NumQueues is %0d, it may be: 2, 4, 8, 16", NumQueues);
  end

  if (!(NumPorts >= 1 && NumPorts <= 4)) begin : g_num_ports
    $error("NumPorts is %0d, it may be: 1..4", NumPorts);
  end

  if (!(NumWindows >= 1 && NumWindows <= 8)) begin : g_num_windows
    $error("NumWindows is %0d, it may be: 1..8", NumWindows);
  end

  if (!(NumReads >= 8 && NumReads <= 1024 && NumReads % 4 == 0)) begin : g_num_reads
    $error("NumReads is %0d, it may be: multiple of 4, 8..1024", NumReads);
  end

  if (!(NumWrites >= 8 && NumWrites <= 1024 && NumWrites % 4 == 0)) begin : g_num_writes
    $error("NumWrites is %0d, it may be: multiple of 4, 8..1024", NumWrites);
  end

  if (!(NumMultimem >= 1 && NumMultimem <= 8)) begin : g_num_multimem
    $error("NumMultimem is %0d, it may be: 1..8", NumMultimem);
  end

  if (!(RingDepth == 16 || RingDepth == 32 || RingDepth == 64 || RingDepth == 128)) begin : g_ring_depth
    $error("RingDepth is %0d, it may be: 16, 32, 64, 128", RingDepth);
  end

  if (!(NumMaps == 2 || NumMaps == 4 || NumMaps == 8 || NumMaps == 16)) begin : g_num_maps
    $error("NumMaps is %0d, it may be: 2, 4, 8, 16", NumMaps);
  end

  if (!(Packed == 0 || Packed == 1)) begin : g_packed
    $error("Packed is %0d, it may be: 0, 1", Packed);
  end

  if (!(NumBarriers == 4 || NumBarriers == 8 || NumBarriers == 16)) begin : g_num_barriers
    $error("NumBarriers is %0d, it may be: 4, 8, 16", NumBarriers);
  end

  if (!(NumReductions == 0 ||
        NumReductions == 8 ||
        NumReductions == 16 ||
        NumReductions == 32 ||
        NumReductions == 64 ||
        NumReductions == 128)) begin : g_num_reductions
    $error("NumReductions is %0d, it may be: 0, 8, 16, 32, 64, 128", NumReductions);
  end

  if (!(Floats == 0 || Floats == 1 || Floats == 2)) begin : g_floats
    $error("Floats is %0d, it may be: 0, 1, 2", Floats);
  end

  if (!(ShortPaths == 0 || ShortPaths == 1)) begin : g_short_paths
    $error("ShortPaths is %0d, it may be: 0, 1", ShortPaths);
  end

  if (!(RamCollides == 0 || RamCollides == 1)) begin : g_ram_collides
    $error("RamCollides is %0d, it may be: 0, 1", RamCollides);
  end

endmodule
