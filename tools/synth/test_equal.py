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
STEP = """module tma_step #(parameter bit Wide = 1'b1) (input logic clk_i, input logic [3:0] a_i, b_i, output logic [3:0] q_o);
  logic       take;
  logic [3:0] {register};
  {below} u_take (.a_i, .take_o(take));
  always_ff @(posedge clk_i) {register} <= {next};
  assign q_o = (Wide ? {kept} : {kept} & 4'h7) + 4'h1;
endmodule
"""
BELOW = """module {below}(input logic [3:0] a_i, output logic take_o);
  assign take_o = a_i[0];
endmodule
"""
BEFORE = {"register": "held", "kept": "held", "below": "tma_take", "next": "take ? b_i : held"}

# NAME: (what is not as before, top, since, exit status, words of the report)
CASES = {
    "as it was": ({}, "tma_step", "HEAD", 0, ["1 passed, 0 failed"]),
    "other words": ({"next": "({4{take}} & b_i) | ({4{!take}} & held)"}, "tma_step=Wide", "HEAD", 0,
                    ["tma_step Wide=0: ", "tma_step Wide=1: ", "2 passed, 0 failed"]),
    "another name of the module below": ({"below": "tma_choose"}, "tma_step", "HEAD", 0, ["1 passed, 0 failed"]),
    "one bit": ({"next": "take ? b_i : {held[3:1], 1'b0}"}, "tma_step", "HEAD", 1, ["not proven", "0 passed, 1 failed"]),
    "for one parameter": ({"next": "take ? b_i : Wide ? held : 4'h3"}, "tma_step=Wide", "HEAD", 1, ["1 passed, 1 failed"]),
    "another name of the register": ({"register": "state", "kept": "state", "next": "take ? b_i : state"}, "tma_step", "HEAD", 0,
                                     ["1 passed, 0 failed"]),
    "another code of the register": ({"kept": "~held", "next": "take ? ~b_i : held"}, "tma_step", "HEAD", 1,
                                     ["not proven", "0 passed, 1 failed"]),
    "what is no SystemVerilog": ({"next": "take ? b_i :"}, "tma_step", "HEAD", 1, ["error", "0 passed, 1 failed"]),
    "no such module": ({}, "tma_stop", "HEAD", 1, ["tma_stop: then there is no such module"]),
    "no such commit": ({}, "tma_step", "nowhere", 1, ["equal: nowhere: "]),
}


def write(changes):
    """The RTL with these changes; its files, in compile order."""
    words = BEFORE | changes
    shutil.rmtree("rtl", ignore_errors=True)
    os.makedirs("rtl")
    texts = {f"rtl/{words['below']}.sv": BELOW, "rtl/tma_step.sv": STEP}
    for name, text in texts.items():
        for word, value in words.items():
            text = text.replace("{" + word + "}", value)
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)
    return list(texts)


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    os.chdir(OUT)
    write({})
    for command in (["init", "-q"], ["add", "rtl"], ["commit", "-q", "-m", "before"]):
        subprocess.run(GIT + command, check=True)
    failed = 0
    for name, (changes, top, since, status, words) in CASES.items():
        files = write(changes)
        run = subprocess.run([sys.executable, HERE / "equal.py", "--npm", NPM, "--out", "work", "--since", since, "--top", top]
                             + files, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if run.returncode != status or any(w not in run.stdout for w in words):
            failed += 1
            print(f"{name}: status {run.returncode}, want {status} and {words}:\n{run.stdout}")
    print(f"equal: {len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
