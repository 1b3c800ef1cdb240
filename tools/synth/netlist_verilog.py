#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the engine as Verilog after synthesis: `word`, as it is before anything is mapped, memories and sums as such; `ecp5`, its
LUTs, flip-flops and block RAMs, with models of these cells behind it."""

import argparse
import glob
import os
import shutil
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../fpga/tools"))
import ecp5_flow  # noqa: E402
import flow       # noqa: E402

TOP = "tma_engine"
WORD = """
read_rtlil {top}.il
synth -top {top} -flatten -noalumacc -noshare -run begin:fine
simplemap t:$bwmux
check -noinit
"""
WRITE = """
select {top}
write_verilog -noattr -selected {top}.v
"""
CELLS = os.path.join(SCRIPT_DIR, "../../fpga/ecp5/cells")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    flow.add_arguments(parser)
    parser.add_argument("--level", required=True, choices=("word", "ecp5"))
    parser.add_argument("--verilog", required=True, help="file to write")
    args = parser.parse_args()
    # Each level in a directory of its own: several may run at the same time.
    if args.level == "word":
        seconds = flow.front_end(args, TOP) + flow.synthesis(args, "word", (WORD + WRITE).format(top=TOP))
    else:
        seconds = ecp5_flow.synthesize(args, TOP, write=WRITE.format(top=TOP))
    work = os.path.join(args.root, "work")
    with open(args.verilog, "w", encoding="utf-8") as out:
        for path in [os.path.join(work, f"{TOP}.v")] + (sorted(glob.glob(f"{CELLS}/*.sv")) if args.level == "ecp5" else []):
            with open(path, encoding="utf-8") as f:
                shutil.copyfileobj(f, out)
    print(f"{args.verilog}: {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
