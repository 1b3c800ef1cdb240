#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pins.py on what it has to refuse, and that what it writes is the same each time.

usage: pins_test.py UNIT_DIR      after tma_pins was built there
"""

import subprocess
import sys

PINS = "hw_tests/unit_rtl/pins.py"


def pins(*args):
    run = subprocess.run([sys.executable, PINS, *args], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


def main(unit_dir):
    widest, small, largest = (f"{unit_dir}/{name}" for name in
                              ("tma_pins_pins.xml", "tma_pins.small/pins.xml", "tma_pins.max/pins.xml"))
    good = ("shim", "tma_pins", small, "--of", widest, "--bits", "flags")
    cases = {
        "the same each time": pins(*good)[:2] == (0, pins(*good)[1]) and "put_pins" in pins(*good)[1],
        "another top module": "not its top" in pins("header", "tma_load", small)[2],
        "a name that no vector has": "no vectors nosuch" in pins("header", "tma_pins", small, "--bits", "nosuch")[2],
        "a header of a smaller one": "larger than the header" in pins("shim", "tma_pins", largest, "--of", small)[2],
        "bits are not a mask": pins("header", "tma_pins", widest)[1] != pins("header", "tma_pins", widest, "--bits", "flags")[1],
    }
    for name in (name for name, passed in cases.items() if not passed):
        print(f"FAILED: {name}")
    failed = list(cases.values()).count(False)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
