#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""narrow_alu.v against yosys' own $alu, by SAT for every operand: test_narrow_alu.py NPM_DIR OUT_DIR

All widths of the result up to seven, the last of which it has to leave alone, with operands that are
narrower, as wide and wider, signed and not.
"""

import os
import re
import subprocess
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../tools/synth"))
import flow  # noqa: E402

WIDEST = 6  # that is mapped

MODULE = """module \\{name}
  wire width {a} input 1 \\A
  wire width {b} input 2 \\B
  wire input 3 \\CI
  wire input 4 \\BI
  wire width {y} output 5 \\X
  wire width {y} output 6 \\Y
  wire width {y} output 7 \\CO
  cell $alu \\alu
    parameter \\A_SIGNED {signed}
    parameter \\A_WIDTH {a}
    parameter \\B_SIGNED {signed}
    parameter \\B_WIDTH {b}
    parameter \\Y_WIDTH {y}
    connect \\A \\A
    connect \\B \\B
    connect \\CI \\CI
    connect \\BI \\BI
    connect \\X \\X
    connect \\Y \\Y
    connect \\CO \\CO
  end
end
"""
PROOF = """
copy {name} {name}_gold
techmap -map {alu} {name}
select -assert-{left} {name}/t:$alu
miter -equiv -flatten {name}_gold {name} {name}_miter
sat -verify -prove trigger 0 {name}_miter
"""


def main():
    npm, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    alu = os.path.relpath(os.path.join(SCRIPT_DIR, "narrow_alu.v"))
    source = os.path.join(out, "alus.il")
    modules, script = [], [f"read_rtlil {source}"]
    for y in range(1, WIDEST + 2):
        for a, b in ((y, y), (max(y - 2, 1), y), (y, max(y - 1, 1)), (y + 1, 1)):
            for signed in (0, 1):
                name = f"y{y}_a{a}_b{b}_s{signed}"
                if name not in modules:
                    modules.append(name)
                    script.append(PROOF.format(name=name, alu=alu,
                                               left="none" if y <= WIDEST else "count 1"))
    with open(source, "w", encoding="utf-8") as f:
        for name in modules:
            y, a, b, signed = map(int, re.findall(r"\d+", name))
            f.write(MODULE.format(name=name, y=y, a=a, b=b, signed=signed))
    commands = os.path.join(out, "narrow_alu.ys")
    with open(commands, "w", encoding="utf-8") as f:
        f.write("\n".join(script))
    done = subprocess.run(flow.npm_yosys(npm, out, commands, [source, alu]), check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    proven = done.stdout.count("SAT proof finished - no model found: SUCCESS!")
    if done.returncode != 0 or proven != len(modules):
        print("\n".join(done.stdout.splitlines()[-30:]))
        print(f"{proven} passed, {len(modules) - proven} failed")
        sys.exit(1)
    print(f"{proven} passed, 0 failed")


if __name__ == "__main__":
    main()
