#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The synthesis check on designs that it has to refuse, each for its own reason, on a configuration in which
everything is out of range, and on designs that it has to accept: test_check.py NPM_DIR OUT_DIR"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "gen"))
import config  # pylint: disable=wrong-import-position

CASES = {
    "good": ("tma_good ", """
  always_ff @(posedge clk_i) q_o <= a_i + b_i;
"""),
    "latch": ("latch", """
  always_latch if (a_i[0]) q_o = b_i;
"""),
    "loop": ("loop", """
  assign q_o = (q_o & a_i) + b_i;
"""),
    "hidden_loop": ("loop", """
  logic [7:0] up, down;
  assign up = {down[6:0], a_i[0]} ^ a_i;
  assign down = {up[6:0], up[7]} & b_i;
  assign q_o = up;
"""),
    "writes_where_it_reads": ("tma_writes_where_it_reads ", """
  (* ram_style = "distributed" *)
  logic [7:0] mem [32];
  logic [4:0] at_q;
  assign q_o = mem[at_q];
  always_ff @(posedge clk_i) begin
    at_q          <= a_i[4:0];
    mem[q_o[4:0]] <= b_i;
  end
"""),
    "loop_through_a_memory": ("loop", """
  (* ram_style = "distributed" *)
  logic [7:0] mem [32];
  assign q_o = mem[q_o[4:0] ^ a_i[4:0]];
  always_ff @(posedge clk_i) mem[a_i[7:3]] <= b_i;
"""),
    "two_drivers": ("driver", """
  assign q_o = a_i;
  assign q_o = b_i;
"""),
    "division": ("$divfloor", """
  assign q_o = a_i / b_i;
"""),
    "memory_in_flip_flops": ("memory in flip-flops", """
  logic [7:0] mem [1024];
  logic clear_q;
  always_ff @(posedge clk_i) begin
    clear_q <= a_i == b_i;
    if (clear_q) for (int unsigned i = 0; i < 1024; i++) mem[i] <= '0;
    else         mem[{a_i, b_i[1:0]}] <= b_i;
  end
  assign q_o = mem[{a_i, b_i[7:6]}];
"""),
}
MODULE = """// SPDX-License-Identifier: Apache-2.0
module tma_{name} (
  input  logic       clk_i,
  input  logic [7:0] a_i,
  input  logic [7:0] b_i,
  output logic [7:0] q_o
);
{body}
endmodule
"""


def judge(npm, out, name, files, words, accepted):
    """True: the check accepts these sources, or does not, and says all of these words."""
    run = subprocess.run([sys.executable, HERE / "check.py", "--npm", npm, "--out", os.path.join(out, name), *files],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False,
                         stderr=subprocess.STDOUT, text=True)
    missing = [w for w in words if w not in run.stdout]
    good = not missing and (run.returncode == 0) == accepted
    print(f"{'ok' if good else 'FAIL':4}  {name}")
    if not good:
        print(f"wanted {missing}, got status {run.returncode} and:\n{run.stdout}")
    return good


def write(out, name, text):
    path = os.path.join(out, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def bad_configuration(out):
    """A package in which every parameter is out of range, and what is to be said of each."""
    text, words = "", []
    for p in config.load(REPOSITORY / config.SPEC):
        value = (p["values"][-1] if "values" in p else p["max"]) + 1
        text += f"  localparam int unsigned {p['name']} = {value};\n"
        words.append(f"{p['name']} is {value}, it may be: {config.words(p)}")
    return write(out, "tma_cfg_pkg.sv", f"package tma_cfg_pkg;\n{text}endpackage\n"), words


def main():
    npm, out = sys.argv[1:]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    results = []
    for name, (words, body) in CASES.items():
        source = write(out, f"tma_{name}.sv", MODULE.format(name=name, body=body))
        results.append(judge(npm, out, name, [source], [words], words.startswith("tma_")))
    package, words = bad_configuration(out)
    results.append(judge(npm, out, "bad_configuration", [package, "rtl/gen/tma_cfg_check.sv"], words, False))
    passed = sum(results)
    print(f"{passed} passed, {len(results) - passed} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
