# SPDX-License-Identifier: Apache-2.0
"""Synthesis, place and route for an ECP5-85, and what nextpnr reports."""

import json
import os
import re
import shutil
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../tools/synth"))
import flow  # noqa: E402

# Wide LUTs of several cells and muxes cost more cells than they save, and are slower. Short sums are
# cheaper in LUTs. ABC's third script has these steps, but goes back to the middle where that has fewer LUTs:
# of the same netlist 28 of them in a row where this had 17, and after &mfs no fewer in all.
# All of synth_ecp5 but for giving every cell a name, which takes as long as everything before it.
RULES = ("narrow_alu.v", "ram_address.v")
SYNTH = """
read_rtlil {top}.il
synth_ecp5 -top {top} -nowidelut -run begin:map_gates
techmap -map narrow_alu.v
opt_clean
scratchpad -set abc9.script +&scorr;&sweep;&if,{{W}};&st;&syn2;&if,{{W}};&st;&if,-g,-K,6;&synch2;&if,{{W}},{{D}};&mfs
synth_ecp5 -top {top} -nowidelut -run map_gates:check
techmap -map ram_address.v
opt_clean
check -noinit
blackbox =A:whitebox
select {top}
write_json -selected {top}.json
"""
CELLS = {"LUT4": "TRELLIS_COMB", "FF": "TRELLIS_FF", "block RAM": "DP16KD", "multipliers": "MULT18X18D"}


def synthesize(args, top, shallow=0):
    """The netlist TOP.json in the root's directory; block memories of up to `shallow` rows go into LUTs. Returns seconds."""
    seconds = flow.front_end(args, top, shallow=shallow)
    for name in RULES:
        shutil.copy(os.path.join(SCRIPT_DIR, name), os.path.join(args.root, "work"))
    return seconds + flow.synthesis(args, f"synth_{top}", SYNTH.format(top=top))


class Patience:
    """Says of a line of nextpnr's log that router2 will come to no end: for so many rounds there were no fewer wires used twice
    than ever. Of netlists that were routed one waited 47 rounds for its last wire."""
    ROUNDS = 100
    ROUND = re.compile(r"iter=\d+ wires=\d+ overused=(\d+)")

    def __init__(self):
        self.fewest, self.waited = None, 0

    def __call__(self, line):
        if match := self.ROUND.search(line):
            wires = int(match[1])
            if self.fewest is None or wires < self.fewest:
                self.fewest, self.waited = wires, 0
            else:
                self.waited += 1
        return self.waited >= self.ROUNDS


def place_and_route(args, top, name, options):
    """One run on the netlist of `top`, with nextpnr's options. Returns its report and seconds, or None and words why it was not
    routed; the log and the report lie in args.out under `name`."""
    patience = Patience()
    command = flow.in_root(args, "nextpnr-ecp5", "--json", f"{top}.json", "--timing-allow-fail",
                           "--router", "router2", "--report", f"{name}.report.json", *options)
    seconds = flow.run(command, os.path.join(args.out, f"{name}.log"), patience)
    if seconds is None:
        return None, f"not routed, {patience.fewest} wires used twice at best and none fewer for {patience.ROUNDS} rounds"
    path = os.path.join(args.out, f"{name}.report.json")
    shutil.copy(os.path.join(args.root, "work", f"{name}.report.json"), path)
    with open(path, encoding="utf-8") as f:
        return json.load(f), seconds


def fmax(report):
    """MHz of the slowest clock."""
    return min(clock["achieved"] for clock in report["fmax"].values())


def estimate(args, name):
    """MHz of the slowest clock by nextpnr's estimate after placement: of a run without routing, its report has none."""
    with open(os.path.join(args.out, f"{name}.log"), encoding="utf-8") as f:
        return min(float(mhz) for mhz in re.findall(r"Max frequency for clock .*: ([0-9.]+) MHz", f.read()))


def used(report):
    """{name: (cells used, cells there)}"""
    return {name: (report["utilization"][cell]["used"], report["utilization"][cell]["available"])
            for name, cell in CELLS.items()}


def longest_path(report):
    """The longest path in words, or None."""
    for path in report.get("critical_paths", [])[:1]:
        delay = sum(step["delay"] for step in path["path"])
        logic = [step for step in path["path"] if step["type"] == "logic"]
        return (f"longest path {delay:.1f} ns, {len(logic)} cells, "
                f"{path['path'][0]['from']['cell']} -> {path['path'][-1]['to']['cell']}")
    return None
