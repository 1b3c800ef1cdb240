#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes the board around the engine for ECP5 and says what each of its parts takes.

The engine is a black box here: `make bench-fpga` has its numbers.
"""

import argparse
import csv
import json
import os
import re
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../tools/synth"))
import flow  # noqa: E402

TOP = "tma_board"
ENGINE = "tma_engine"
# Part -> the instances that it is made of.
PARTS = {
    "serial line, frames": ("u_sync", "u_uart_rx", "u_uart_tx", "u_frame_rx", "u_frame_tx"),
    "bridge": ("u_bridge", "u_regs", "u_lines", "u_stage"),
    "memory": ("u_ram",),
    "resets, clock, LEDs": ("u_reset", "u_run", "u_gate", "u_leds"),
}
# LUT4, flip-flops and block RAMs of a cell. A sum takes two LUTs per cell, a small RAM four and two for its writes.
CELLS = {"LUT4": (1, 0, 0), "CCU2C": (2, 0, 0), "TRELLIS_DPR16X4": (6, 0, 0), "TRELLIS_FF": (0, 1, 0),
         "DP16KD": (0, 0, 1)}
# The parts are synthesized apart, as constants and unused signals reach them.
SYNTH = """
read_rtlil {top}.il
hierarchy -check -top {top}
{keep}
flatten -noscopeinfo
opt_expr
opt_clean
opt_hier
opt_expr
opt_clean
synth_ecp5 -top {top} -nowidelut -run begin:check
blackbox =A:whitebox
write_json board.json
"""


def without_constants(rtlil):
    """The front end takes constants of the engine for parameters of its instance, which the native yosys refuses."""
    lines, inside = [], False
    for line in rtlil.splitlines(keepends=True):
        words = line.split()
        if words and words[0] in ("cell", "module"):
            inside = words[1] == f"\\{ENGINE}"
        if not (inside and words and words[0] == "parameter"):
            lines.append(line)
    return "".join(lines)


def parts_of(rtlil):
    """{module: part}: the modules of the instances, which are named after their places."""
    known = {instance: part for part, instances in PARTS.items() for instance in instances}
    names = re.findall(r"^module \\(\S+)", rtlil, flags=re.M)
    return {name: known[place] for name in names for place in [name.partition(f"${TOP}.")[2]] if place in known}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flow.add_arguments(parser)
    parser.add_argument("--memory", type=int, help="bytes, if not as many as the board has by itself")
    args = parser.parse_args()

    options = f"--keep-hierarchy --blackboxed-module {ENGINE}"
    options += f" -G MemoryBytes={args.memory}" if args.memory else ""
    seconds = flow.front_end(args, TOP, options)
    design = os.path.join(args.root, "work", f"{TOP}.il")
    with open(design, encoding="utf-8") as f:
        text = without_constants(f.read())
    with open(design, "w", encoding="utf-8") as f:
        f.write(text)
    parts = parts_of(text)
    keep = "".join(f"setattr -mod -set keep_hierarchy 1 {name}\n" for name in parts)
    seconds += flow.synthesis(args, "board", SYNTH.format(top=TOP, keep=keep))
    with open(os.path.join(args.root, "work", "board.json"), encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    rows = {part: [0, 0, 0] for part in (*PARTS, "others")}
    for module, part in [*parts.items(), (TOP, "others")]:
        # One that nobody needs is gone.
        for cell in modules.get(module, {"cells": {}})["cells"].values():
            if cell["type"] in CELLS:
                rows[part] = [have + more for have, more in zip(rows[part], CELLS[cell["type"]])]
            elif cell["type"] != ENGINE and cell["type"] not in parts:
                sys.exit(f"{cell['type']}: a cell that nobody knows")
    rows["all"] = [sum(row[i] for row in rows.values()) for i in range(3)]
    print(f"synthesis: {seconds:.0f} s")
    print(f"{'the board without its engine':30} {'LUT4':>6} {'FF':>6} {'EBR':>5}")
    for part, row in rows.items():
        print(f"{part:30} {row[0]:6} {row[1]:6} {row[2]:5}")
    with open(os.path.join(args.out, "board.csv"), "w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(("part", "lut4", "ff", "ebr"))
        writer.writerows((part, *row) for part, row in rows.items())


if __name__ == "__main__":
    main()
