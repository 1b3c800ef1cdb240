#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Limits of the sources: lines of files, ports of modules below the top.

What is beyond a limit today is named here with what it has, and may shrink but not grow: the list is
what is left to be done. A name that is no longer beyond its limit has to go from the list.
"""

import os
import re
import sys

RTL_LINES = 300
C_LINES = 500
PORTS = 40

GENERATED = ("rtl/gen", "sw_model/include/tma_abi.h", "sw_model/include/tma_tables.h", "host/include/tma_regs.h", "host/include/tma_shell.h",
             "host/src/register_table.c")
TOPS = ("tma_engine", "tma_kernel", "tma_axi64", "tma_example_soc")

LONG = {
    "rtl/load/tma_load.sv": 345,
    "rtl/load/tma_load_issue.sv": 303,
    "rtl/pkg/tma_pkg.sv": 397,
    "rtl/store/tma_store_data.sv": 373,
}
WIDE = {}


def sources(root, folders, ends):
    """Paths below the root of files that are written by hand."""
    for folder in folders:
        for place, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(place, name), root)
                if name.endswith(ends) and not path.startswith(GENERATED):
                    yield path


def ports(text):
    """Ports of each module of an RTL file: {module: number}."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    found = {}
    for head in re.finditer(r"^\s*module\s+(\w+)\b(.*?)\)\s*;", text, flags=re.S | re.M):
        found[head[1]] = len(re.findall(r"\b(?:input|output|inout)\b", head[2]))
    return found


def judge(name, has, limit, known, what):
    """None, or why this number is not as it should be."""
    allowed = known.get(name, limit)
    if has > allowed:
        return f"{name}: {has} {what}, the limit is {allowed}"
    if name in known and has <= limit:
        return f"{name}: {has} {what} keep the limit of {limit}; take it off the list of tools/lint/sizes.py"
    return None


def check(root):
    """What is wrong, line by line."""
    wrong, seen = [], set()

    def note(*args):
        seen.add(args[0])
        wrong.append(judge(*args))

    for path in sources(root, ("rtl", "fpga"), (".sv",)):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        note(path, text.count("\n"), RTL_LINES, LONG, "lines")
        for module, count in ports(text).items():
            if module not in TOPS:
                note(module, count, PORTS, WIDE, "ports")
    for path in sources(root, ("sw_model", "host", "hw_tests"), (".c", ".h", ".cpp", ".hpp")):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            note(path, f.read().count("\n"), C_LINES, LONG, "lines")
    wrong += [f"{name}: is not there; take it off the list of tools/lint/sizes.py"
              for name in sorted({*LONG, *WIDE} - seen)]
    return [line for line in wrong if line]


def main():
    wrong = check(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    for line in wrong:
        print(line)
    print(f"sizes: {len(LONG)} files and {len(WIDE)} modules are beyond their limits, and known to be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
