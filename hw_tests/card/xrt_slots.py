#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""xrt_slots.py DRIVER LIST: the virtual functions of XRT's classes are in the order that xrt_abi.hpp has.

Reads the tables of a driver library of the installed XRT, libxrt_noop, from its relocations. LIST has a line for each
slot: CLASS NUMBER NAME. With --print it prints the list.
"""

import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def tables(driver):
    """Names of the functions in each table, by class."""
    symbols, places = {}, {}
    for line in output("nm", "-DS", "--defined-only", driver).splitlines():
        fields = line.split()
        if len(fields) == 4:
            symbols[int(fields[0], 16)] = fields[3]
            found = re.fullmatch(r"_ZTVN8xrt_core4noop6(device|system)E", fields[3])
            if found:
                places[found[1]] = (int(fields[0], 16), int(fields[1], 16))
    relocations = {}
    for line in output("readelf", "-rW", driver).splitlines():
        fields = line.split()
        if len(fields) >= 4 and fields[2] == "R_X86_64_RELATIVE":
            relocations[int(fields[0], 16)] = symbols.get(int(fields[3], 16), "?")
        elif len(fields) >= 5 and fields[2] == "R_X86_64_64":
            relocations[int(fields[0], 16)] = fields[4]
    for name, (start, size) in places.items():
        # In front of the functions are the offset to the top and the type.
        yield name, [relocations.get(start + at, "?") for at in range(16, size, 8)]


def plain(symbol):
    """Name of a function without its classes and parameters."""
    text = output("c++filt", symbol.split("@")[0]).strip()
    return re.sub(r"\(.*", "", text).split("::")[-1]


def main():
    show = "--print" in sys.argv
    arguments = [a for a in sys.argv[1:] if a != "--print"]
    is_there = [f"{name} {slot} {plain(symbol)}"
                for name, symbols in sorted(tables(arguments[0])) for slot, symbol in enumerate(symbols)]
    if show:
        print("\n".join(is_there))
        return 0
    with open(arguments[1], encoding="utf-8") as file:
        expected = [line.rstrip("\n") for line in file if not line.startswith("#")]
    wrong = [f"{a} instead of {b}" for a, b in zip(is_there, expected) if a != b]
    if len(is_there) != len(expected):
        wrong.append(f"{len(is_there)} functions instead of {len(expected)}")
    for line in wrong[:5]:
        print(f"{arguments[0]}: {line}")
    print(f"{len(expected) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
