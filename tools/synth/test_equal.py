#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The proof that modules are equal, on some that are and some that are not: test_equal.py NPM_DIR OUT_DIR"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NPM, OUT = (os.path.abspath(path) for path in sys.argv[1:])
GIT = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
MODULE = """module tma_step #(parameter bit Wide = 1'b1) (input logic clk_i, input logic [3:0] a_i, b_i, output logic [3:0] q_o);
  logic [3:0] held;
  always_ff @(posedge clk_i) held <= {held};
  assign q_o = Wide ? held : held & 4'h7;
endmodule
"""
BEFORE = "a_i[0] ? b_i : held"

# NAME: (what is held, top, since, exit status, words of the report)
CASES = {
    "as it was": (BEFORE, "tma_step", "HEAD", 0, ["1 passed, 0 failed"]),
    "other words": ("({4{a_i[0]}} & b_i) | ({4{!a_i[0]}} & held)", "tma_step=Wide", "HEAD", 0,
                    ["tma_step Wide=0: ", "tma_step Wide=1: ", "2 passed, 0 failed"]),
    "one bit": ("a_i[0] ? b_i : {held[3:1], 1'b0}", "tma_step", "HEAD", 1, ["not proven", "0 passed, 1 failed"]),
    "for one parameter": ("a_i[0] ? b_i : Wide ? held : 4'h3", "tma_step=Wide", "HEAD", 1, ["1 passed, 1 failed"]),
    "what is no SystemVerilog": ("a_i[0] ? b_i :", "tma_step", "HEAD", 1, ["error", "0 passed, 1 failed"]),
    "no such module": (BEFORE, "tma_stop", "HEAD", 1, ["tma_stop: then there is no such module"]),
    "no such commit": (BEFORE, "tma_step", "nowhere", 1, ["equal: nowhere: "]),
}


def write(held):
    with open("rtl/tma_step.sv", "w", encoding="utf-8") as f:
        f.write(MODULE.replace("{held}", held))


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(os.path.join(OUT, "rtl"))
    os.chdir(OUT)
    write(BEFORE)
    for command in (["init", "-q"], ["add", "rtl"], ["commit", "-q", "-m", "before"]):
        subprocess.run(GIT + command, check=True)
    failed = 0
    for name, (held, top, since, status, words) in CASES.items():
        write(held)
        run = subprocess.run([sys.executable, HERE / "equal.py", "--npm", NPM, "--out", "work", "--since", since, "--top", top,
                              "rtl/tma_step.sv"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if run.returncode != status or any(w not in run.stdout for w in words):
            failed += 1
            print(f"{name}: status {run.returncode}, want {status} and {words}:\n{run.stdout}")
    print(f"equal: {len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
