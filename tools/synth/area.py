#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes the whole engine for UltraScale+ and says which unit takes how much, and what its longest
paths are. Fails where the contract of docs/performance.md is not met.

Units are synthesized apart, as constants and unused signals reach them; the netlist is whole again when
its paths are looked for. What stands between the units belongs to the unit around it.
"""

import argparse
import csv
import json
import os
import re
import sys

import contract
import flow
import netlist

TOP = "tma_engine"
# Unit -> where it is in the hierarchy. What lies in none of them belongs to the one that holds it, and
# what those hold beside others is a row of its own: "others".
UNITS = {
    "registers": ("u_csr",),
    "front end: command rings": ("u_front.u_ring",),
    "front end: command queue, checks": ("u_front.u_queue", "u_front.u_check"),
    "front end: issue, waits": ("u_front.u_issue",),
    "front end: groups": ("u_front.u_groups",),
    "front end: records, faults": ("u_front.u_records",),
    "front end: lives of queues": ("u_front.u_ctl",),
    "front end: others": ("u_front",),
    "load path: walker": ("u_paths.u_load.u_walk", "u_paths.u_load.u_stage"),
    "load path: sources, rows, slots": ("u_paths.u_load.u_source", "u_paths.u_load.u_join",
                                        "u_paths.u_load.u_issue"),
    "load path: guard": ("u_paths.u_load.u_issue.u_guard",),
    "load path: contexts": ("u_paths.u_load.u_data.u_contexts",),
    "load path: data": ("u_paths.u_load.u_data", "u_paths.u_load.u_beats"),
    "load path: fill": ("u_paths.u_load.u_fill",),
    "load path: cp.async": ("u_paths.u_load.u_cp",),
    "load path: prefetches": ("u_paths.u_load.u_prefetch",),
    "load path: others": ("u_paths.u_load",),
    "store path: walker": ("u_paths.u_store.u_walk", "u_paths.u_store.u_stage"),
    "store path: sources, rows": ("u_paths.u_store.u_source", "u_paths.u_store.u_issue"),
    "store path: guard": ("u_paths.u_store.u_issue.u_guard",),
    "store path: data": ("u_paths.u_store.u_data",),
    "store path: tracks": ("u_paths.u_store.u_tracks",),
    "store path: others": ("u_paths.u_store",),
    "reductions: walker": ("u_paths.g_reduce.u_reduce.u_slot", "u_paths.g_reduce.u_reduce.u_walk",
                           "u_paths.g_reduce.u_reduce.u_stage"),
    "reductions: sources, rows": ("u_paths.g_reduce.u_reduce.u_source", "u_paths.g_reduce.u_reduce.u_join",
                                  "u_paths.g_reduce.u_reduce.u_issue"),
    "reductions: guard": ("u_paths.g_reduce.u_reduce.u_issue.u_guard", "u_paths.g_reduce.u_reduce.u_windows"),
    "reductions: bursts in flight": ("u_paths.g_reduce.u_reduce.u_score",),
    "reductions: new data": ("u_paths.g_reduce.u_reduce.u_data",),
    "reductions: lines": ("u_paths.g_reduce.u_reduce.u_merge",),
    "reductions: arithmetic": ("u_paths.g_reduce.u_reduce.u_merge.u_alu",),
    "reductions: others": ("u_paths.g_reduce.u_reduce",),
    "global ports": ("u_paths.u_ports",),
    "tensor: map cache, decoding": ("u_paths.u_maps.u_tensor.u_cache", "u_paths.u_maps.u_fence"),
    "tensor: set-up": ("u_paths.u_maps.u_tensor.u_setup",),
    "tensor: others": ("u_paths.u_maps",),
    "shared memory to shared memory": ("u_paths.u_copy",),
    "signals": ("u_paths.u_signal",),
    "shared memory: ways to it": ("u_paths.u_cluster",),
    "shared memory: banks of all CTAs": (r"u_paths.u_cluster.g_cta\[\d+\].u_cta",),
    "mbarriers of all CTAs": (r"u_paths.u_cluster.g_cta\[\d+\].u_cta.u_mbarrier",),
    "others": ("",),
}
# In front of the engine of a kernel.
SHELL = {"shell: control registers": ("u_shell.u_ap_ctrl",), "shell: others": ("u_shell",)}
COLUMNS = ("lut", "lutram", "ff", "bram", "dsp")

# ABC9 and no wide LUTs: plain ABC takes a third more LUTs for what data goes through, or twice as many when it
# may take LUTs of up to nine inputs, eight cells each, for what is only meant to be early.
SYNTH = """
read_rtlil {top}.il
hierarchy -check -top {top}
select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$sr
{keep}
flatten -noscopeinfo
opt_expr
opt_clean
opt_hier
opt_expr
opt_clean
opt_hier
read_verilog -lib -specify +/xilinx/cells_sim.v
read_verilog -lib +/xilinx/cells_xtra.v
scratchpad -set abc9.verify false
synth_xilinx -top {top} -family xcup -abc9 -nowidelut -noiopad -noclkbuf -run prepare:check
setattr -mod -unset keep_hierarchy *
flatten -noscopeinfo
opt_clean
blackbox =A:whitebox
select {top}
write_json -selected {config}.json
"""


def patterns(units):
    """[(unit, what an instance path in it begins with)], the deepest first."""
    found = [(unit, path) for unit, paths in units.items() for path in paths]
    found.sort(key=lambda row: -len(row[1].split(".")) if row[1] else 0)
    return [(unit, re.compile(path.replace(".", r"\.") + r"(\.|$)" if path else "")) for unit, path in found]


def instance_path(name):
    """Where a cell is, by its name in the flat netlist, with the cell's own name behind it."""
    return name.replace("$flatten", "").replace("\\", "")


def by_unit(module, units):
    """{unit: counts}, of all units."""
    known = patterns(units)
    cells = {unit: {} for unit in units}
    for name, cell in module["cells"].items():
        path = instance_path(name)
        unit = next(unit for unit, begins in known if begins.match(path))
        cells[unit][name] = cell
    return {unit: netlist.counts({**module, "cells": some}) for unit, some in cells.items()}


def of_kernel(units):
    """The units of a kernel: those of the engine are further down."""
    down = {unit: tuple(f"u_engine.{path}" if path else path for path in paths) for unit, paths in units.items()}
    return {**SHELL, **down}


def keep(rtlil, units, top=TOP):
    """The command that keeps the units apart: their modules are named after their places."""
    known = patterns(units)
    modules = []
    for name in re.findall(r"^module \\(\S+)", rtlil, flags=re.M):
        path = name.partition(f"${top}.")[2]
        if path and any(begins.fullmatch(path) for _, begins in known):
            modules.append(name)
    return "".join(f"setattr -mod -set keep_hierarchy 1 {name}\n" for name in modules)


def judge(config, total):
    """What of the contract is not met."""
    have = {"lut": total["lut"] + total["lutram"], "dsp": total["dsp"]}
    return [f"{have[what]} {what.upper()}, the contract is {limit}"
            for what, limit in contract.AREA.get(config, {}).items() if have[what] > limit]


def report(config, module, out, units):
    """Prints the tables of one configuration and writes them as CSV. Returns what falls short."""
    rows = by_unit(module, units)
    total = {column: sum(row[column] for row in rows.values()) for column in COLUMNS}
    print(f"{config + ', by unit':34} {'LUT':>6} {'LUTRAM':>6} {'FF':>6} {'BRAM':>5} {'DSP':>4}")
    for unit, row in [*rows.items(), ("all", total)]:
        print(f"{unit:34} {row['lut']:6} {row['lutram']:6} {row['ff']:6} {row['bram']:5.1f} {row['dsp']:4}")
    limits = contract.AREA.get(config)
    if limits:
        print(f"contract: LUT and LUTRAM {total['lut'] + total['lutram']} of {limits['lut']}, "
              f"DSP {total['dsp']} of {limits['dsp']}")
    paths = netlist.longest_paths(module, 10)
    print(f"{config}, longest paths: length, LUTs, from -> to")
    for length, levels, first, last in paths:
        print(f"{length:6.1f} {levels:3}  {first} -> {last}")
    with open(os.path.join(out, f"{config}.csv"), "w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(("unit", *COLUMNS))
        writer.writerows((unit, *(row[c] for c in COLUMNS)) for unit, row in [*rows.items(), ("all", total)])
    with open(os.path.join(out, f"{config}_paths.csv"), "w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(("length", "luts", "from", "to"))
        writer.writerows((round(length, 1), *rest) for length, *rest in paths)
    return judge(config, total)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flow.add_arguments(parser)
    parser.add_argument("--config", required=True, help="name of the configuration")
    parser.add_argument("--kernel", action="store_true", help="the engine behind a kernel's ports, with its shell")
    args = parser.parse_args()
    top, units = ("tma_kernel", of_kernel(UNITS)) if args.kernel else (TOP, UNITS)

    seconds = flow.front_end(args, top, "--keep-hierarchy")
    work = os.path.join(args.root, "work")
    with open(os.path.join(work, f"{top}.il"), encoding="utf-8") as f:
        script = SYNTH.format(top=top, config=args.config, keep=keep(f.read(), units, top))
    seconds += flow.synthesis(args, args.config, script)
    print(f"synthesis: {seconds:.0f} s", flush=True)
    with open(os.path.join(work, f"{args.config}.json"), encoding="utf-8") as f:
        module = json.load(f)["modules"][top]
    short = report(args.config, module, args.out, units)
    if short:
        sys.exit("  short: " + "; ".join(short))


if __name__ == "__main__":
    main()
