#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes, places and routes the wrapped engine for an ECP5-85, and reports area and speed.

Fails where the contract of docs/performance.md is not met. Numbers of one seed are good to about ten
per cent.
"""

import argparse
import csv
import os
import re
import subprocess
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../tools/synth"))
import contract   # noqa: E402
import ecp5_flow  # noqa: E402
import flow       # noqa: E402

TOP = "tma_ecp5_top"
DEVICE = "--um5g-85k"
# Clock that placement and routing work towards, MHz. Higher than what is reached: they must not stop early.
TARGET_MHZ = 80
# Of nextpnr's placement: time counts for more than by default, above all on the longest paths, and cells have more room. The same netlist
# and seed: 63.6 MHz instead of 53.3.
PLACEMENT = ["--placer-heap-critexp", "6", "--placer-heap-timingweight", "60", "--placer-heap-beta", "0.75"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flow.add_arguments(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--placed", action="store_true", help="stop before routing: Fmax by nextpnr's estimate of the wires")
    args = parser.parse_args()

    seconds = ecp5_flow.synthesize(args, TOP)
    print(f"synthesis: {seconds:.0f} s", flush=True)
    version = subprocess.run(flow.in_root(args, "nextpnr-ecp5", "--version"), check=True, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    report, seconds = ecp5_flow.place_and_route(
        args, TOP, TOP, [DEVICE, "--lpf-allow-unconstrained", "--freq", str(TARGET_MHZ), "--seed", str(args.seed)] + PLACEMENT +
        (["--no-route"] if args.placed else []))
    if not report:
        sys.exit(f"seed {args.seed}: {seconds}")
    print(f"{'placement' if args.placed else 'place and route'}: {seconds:.0f} s, {re.search(r'Version ([^)]*)', version)[1]}, "
          f"seed {args.seed}")

    cells = ecp5_flow.used(report)
    slowest = ecp5_flow.estimate(args, TOP) if args.placed else ecp5_flow.fmax(report)
    rows = [("Fmax", f"{slowest:.1f}", "MHz, estimated" if args.placed else "MHz")]
    rows += [(name, here, f"of {there}") for name, (here, there) in cells.items()]
    with open(os.path.join(args.out, "report.csv"), "w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(("what", "value", "unit"))
        writer.writerows(rows)
    for name, value, unit in rows:
        print(f"  {name:12} {value:>8} {unit}")
    luts = cells["LUT4"][0]
    short = []
    if slowest < contract.ECP5_MHZ:
        short.append(f"{slowest:.1f} MHz, the contract is {contract.ECP5_MHZ}")
    if luts > contract.ECP5_LUT4:
        short.append(f"{luts} LUT4, the contract is {contract.ECP5_LUT4}")
    if ecp5_flow.longest_path(report):
        print(f"  {ecp5_flow.longest_path(report)}")
    if short:
        sys.exit("  short: " + "; ".join(short))
    print(f"  contract met{' by the estimate, nothing was routed' if args.placed else ''}: at least {contract.ECP5_MHZ} MHz, at most {contract.ECP5_LUT4} LUT4")


if __name__ == "__main__":
    main()
