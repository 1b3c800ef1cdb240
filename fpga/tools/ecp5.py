#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes, places and routes the wrapped engine for an ECP5-85, and reports area and speed.

Fails where the contract of docs/performance.md is not met. Numbers of one seed are good to about ten
per cent.
"""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../tools/synth"))
import contract  # noqa: E402
import flow      # noqa: E402

TOP = "tma_ecp5_top"
DEVICE = "--um5g-85k"
# Clock that the router works towards, MHz. Higher than what is reached: it must not stop early.
TARGET_MHZ = 80
# Wide LUTs of several cells and muxes cost more cells than they save, and are slower. Short sums are
# cheaper in LUTs. ABC's third script has these steps, but goes back to the middle where that has fewer LUTs:
# 28 of them in a row where this has 17, and after &mfs no fewer in all.
# All of synth_ecp5 but for giving every cell a name, which takes as long as everything before it.
NARROW_ALU = "narrow_alu.v"
SYNTH = """
read_rtlil {top}.il
synth_ecp5 -top {top} -nowidelut -run begin:map_gates
techmap -map {narrow_alu}
opt_clean
scratchpad -set abc9.script +&scorr;&sweep;&if,{{W}};&st;&syn2;&if,{{W}};&st;&if,-g,-K,6;&synch2;&if,{{W}},{{D}};&mfs
synth_ecp5 -top {top} -nowidelut -run map_gates:check
check -noinit
blackbox =A:whitebox
select {top}
write_json -selected netlist.json
"""
CELLS = {"LUT4": "TRELLIS_COMB", "FF": "TRELLIS_FF", "block RAM": "DP16KD", "multipliers": "MULT18X18D"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flow.add_arguments(parser)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    work = os.path.join(args.root, "work")
    seconds = flow.front_end(args, TOP)
    shutil.copy(os.path.join(SCRIPT_DIR, NARROW_ALU), work)
    seconds += flow.synthesis(args, "synth", SYNTH.format(top=TOP, narrow_alu=NARROW_ALU))
    print(f"synthesis: {seconds:.0f} s", flush=True)
    version = subprocess.run(flow.in_root(args, "nextpnr-ecp5", "--version"), check=True, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    route = flow.in_root(args, "nextpnr-ecp5", DEVICE, "--json", "netlist.json", "--lpf-allow-unconstrained",
                         "--freq", str(TARGET_MHZ), "--timing-allow-fail", "--seed", str(args.seed),
                         "--router", "router2", "--report", "report.json")
    seconds = flow.run(route, os.path.join(args.out, "nextpnr.log"))
    print(f"place and route: {seconds:.0f} s, {re.search(r'Version ([^)]*)', version)[1]}, seed {args.seed}")
    shutil.copy(os.path.join(work, "report.json"), args.out)

    with open(os.path.join(args.out, "report.json"), encoding="utf-8") as f:
        report = json.load(f)
    rows = [("Fmax", f"{clock['achieved']:.1f}", "MHz") for clock in report["fmax"].values()]
    luts = report["utilization"][CELLS["LUT4"]]["used"]
    rows += [(name, report["utilization"][cell]["used"], f"of {report['utilization'][cell]['available']}")
             for name, cell in CELLS.items()]
    with open(os.path.join(args.out, "report.csv"), "w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(("what", "value", "unit"))
        writer.writerows(rows)
    for name, value, unit in rows:
        print(f"  {name:12} {value:>8} {unit}")
    slowest = min(clock["achieved"] for clock in report["fmax"].values())
    short = []
    if slowest < contract.ECP5_MHZ:
        short.append(f"{slowest:.1f} MHz, the contract is {contract.ECP5_MHZ}")
    if luts > contract.ECP5_LUT4:
        short.append(f"{luts} LUT4, the contract is {contract.ECP5_LUT4}")
    for path in report.get("critical_paths", [])[:1]:
        delay = sum(step["delay"] for step in path["path"])
        logic = [step for step in path["path"] if step["type"] == "logic"]
        print(f"  longest path {delay:.1f} ns, {len(logic)} cells, "
              f"{path['path'][0]['from']['cell']} -> {path['path'][-1]['to']['cell']}")
    if short:
        sys.exit("  short: " + "; ".join(short))
    print(f"  contract met: at least {contract.ECP5_MHZ} MHz, at most {contract.ECP5_LUT4} LUT4")


if __name__ == "__main__":
    main()
