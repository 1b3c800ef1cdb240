#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the bitstream of tma_board for a board with an ECP5: synthesis, place and route, ecppack. Without --seeds it tries
one seed after the other until one is routed and fast enough; with them it runs all and keeps the fastest. Fails if no
seed reaches the clock of the board."""

import argparse
import os
import shutil
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../tools/synth"))
import ecp5_flow  # noqa: E402
import flow       # noqa: E402

# The module that is the board, what nextpnr calls its FPGA, its clock in MHz, seeds in the order in which they are tried: not all
# are routed, and which ones changes with the RTL. Pins are in fpga/ecp5/BOARD.lpf.
BOARDS = {
    "ulx3s": ("tma_ulx3s", ["--85k", "--package", "CABGA381", "--speed", "6"], 25, (3, 4, 5, 6, 7, 8)),
    "ecp5-evn": ("tma_ecp5_evn", ["--um5g-85k", "--package", "CABGA381", "--speed", "8"], 12, (2, 3, 4, 5, 6, 7)),
}

# The board fills two thirds of its FPGA, and wires are what it is short of, not time. By electrostatics the wires are a fifth shorter
# than by nextpnr's default placer, whose placement no router found a way through.
PLACEMENT = ["--placer", "static", "--no-tmdriv"]


def main():
    parser = argparse.ArgumentParser(description="Builds the bitstream of tma_board for a board with an ECP5.")
    flow.add_arguments(parser)
    parser.add_argument("--board", required=True, choices=BOARDS)
    parser.add_argument("--seeds", help="comma-separated seeds of place and route: all are run, the fastest is kept; by default some are tried until one is routed and fast enough")
    args = parser.parse_args()
    top, device, clock, seeds = BOARDS[args.board]
    work = os.path.join(args.root, "work")

    seconds = ecp5_flow.synthesize(args, top, flow.SHALLOW)
    print(f"{args.board}: synthesis {seconds:.0f} s", flush=True)
    shutil.copy(os.path.join(SCRIPT_DIR, f"../ecp5/{args.board}.lpf"), work)

    runs = []
    for seed in args.seeds.split(",") if args.seeds else map(str, seeds):
        name = f"{args.board}.seed{seed}"
        report, seconds = ecp5_flow.place_and_route(
            args, top, name,
            device + PLACEMENT + ["--lpf", f"{args.board}.lpf", "--seed", seed, "--textcfg", f"{name}.config"])
        if not report:
            print(f"  seed {seed}: {seconds}", flush=True)
            continue
        runs.append((ecp5_flow.fmax(report), name, report))
        print(f"  seed {seed}: {runs[-1][0]:.1f} MHz, {seconds:.0f} s", flush=True)
        if not args.seeds and runs[-1][0] >= clock:
            break
    if not runs:
        sys.exit(f"{args.board}: no seed was routed; no bitstream")
    for name, (here, there) in ecp5_flow.used(runs[-1][2]).items():
        print(f"  {name:12} {here:>6} of {there}")
    runs.sort(key=lambda run: run[:2])
    if len(runs) > 1:
        print(f"  worst {runs[0][0]:.1f}, best {runs[-1][0]:.1f} MHz")
    mhz, name, report = runs[-1]
    print(f"  {ecp5_flow.longest_path(report)}")
    if mhz < clock:
        sys.exit(f"{args.board}: {mhz:.1f} MHz, but its clock is {clock} MHz; no bitstream")
    flow.run(flow.in_root(args, "ecppack", "--compress", f"{name}.config", f"{args.board}.bit"),
             os.path.join(args.out, f"{args.board}.ecppack.log"))
    bitstream = os.path.join(args.out, f"{args.board}.bit")
    shutil.copy(os.path.join(work, f"{args.board}.bit"), bitstream)
    print(f"{bitstream}: {os.path.getsize(bitstream):,} bytes, {mhz:.1f} MHz, the board has {clock} MHz")


if __name__ == "__main__":
    main()
