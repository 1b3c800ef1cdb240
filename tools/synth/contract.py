# SPDX-License-Identifier: Apache-2.0
"""What the engine may cost and how fast it has to be on an FPGA: the contract of docs/performance.md."""

# `small`, with its reductions, on an ECP5-85, placed and routed.
ECP5_MHZ = 70
ECP5_LUT4 = 50_000

# Of a configuration on UltraScale+, synthesized by yosys: LUTs, those used as memory included, and DSP blocks.
AREA = {
    "default": {"lut": 60_000, "dsp": 48},
    "default-plain": {"lut": 28_000, "dsp": 48},  # without reductions
}
