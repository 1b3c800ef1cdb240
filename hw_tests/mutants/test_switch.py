#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""switch.py and blind.py on a module of a few lines: a mutant that matters is killed, one that cannot
matter survives, one that hangs is stopped, patches become alternatives or are refused, the test that kills goes first. And every patch
applies: test_switch.py WORK_DIR"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import blind
import run
from switch import File, Switches, Unswitchable, apply_patch, join, of_patch, sites

SOURCE = """// Adds.
module tiny (
  input  logic clk_i, input logic rst_ni,
  input  logic [3:0] a_i, b_i,
  output logic [4:0] sum_o,
  output logic both_o
);
  assign both_o = a_i != '0 && b_i != '0 && (a_i != '0 || b_i != '0);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sum_o <= '0;
    else sum_o <= 5'(a_i) + 5'(b_i);
  end
endmodule
"""
MAIN = r"""
#include "Vtiny.h"
int main()
{
	Vtiny t;
	t.rst_ni = 1;
	for (int i = 0; i < 256; i++) {
		t.a_i = i & 15, t.b_i = i >> 4, t.clk_i = 0;
		t.eval();
		t.clk_i = 1;
		t.eval();
		if (!t.both_o != !((i & 15) && i >> 4))
			return 1;
		while (i == 77 && t.sum_o == 0x1d)
			;
		if (t.sum_o != (i & 15) + (i >> 4))
			return 1;
	}
	return 0;
}
"""
KINDS = """module kinds;
  localparam int unsigned W = 3 + 4;
  logic [W-1:0] x, y;
  logic unused;
  for (genvar q = 0; q < W - 1; q++) begin : g
    always_comb begin
      y[q] = 1'b0;
      if (x[q+1] && !x[q]) y[q] = x == W'(q + 1);
      case (x)
        W'(3): y[q] = x > y ? 1'b0 : x[q];
        default: ;
      endcase
    end
  end
  pair_t p;
  assign p = '{first: x & y, second: {W{x[0]}}};
  leaf u (.clk_i, .rst_ni, .in_i, .b_i(x != y), .out_o(unused));
  `TMA_ASSERT(Never, x && y)
endmodule
"""


def changes(text):
    """All sites of a text."""
    return [(slot.head, join(slot.words()), new) for slot in File("x.sv", text).slots for new in sites(slot)]


def check_sites():
    """Operators are found where they are logic, and nowhere else."""
    found = changes(KINDS)
    heads = {h for h, _, _ in found}
    yield {"if", "y[q] =", "p = first", ".b_i"} == heads, f"heads {heads}"
    yield ("if", "x[q + 1] && !x[q]", "x[q + 1] || !x[q]") in found, "&& of an if"
    yield ("if", "x[q + 1] && !x[q]", "x[q + 1] && x[q]") in found, "! of an if"
    yield not any("x[q - 1]" in new for _, _, new in found), "an index is not changed"
    yield ("y[q] =", "x == W'(q + 1)", "x != W'(q + 1)") in found, "== behind an if"
    yield any(new.startswith("!(x > y)") for _, _, new in found), "? of a case item"
    yield (".b_i", "x != y", "x == y") in found, "an input of an instance"


def check_patches():
    """A patch of expressions becomes alternatives; others are refused."""
    def patched(new, old="  assign both_o = a_i != '0 && b_i != '0 && (a_i != '0 || b_i != '0);\n"):
        text = apply_patch(lambda _: SOURCE, "--- a/t.sv\n+++ b/t.sv\n@@ -8,1 +8,1 @@\n"
                           + "".join("-" + l + "\n" for l in old.splitlines())
                           + "".join("+" + l + "\n" for l in new.splitlines()))["t.sv"]
        file = File("t.sv", SOURCE)
        of_patch(file, text, 5)
        return file.switched()[0]
    text = patched("  logic x;\n  assign x = a_i[0];\n  assign both_o = x;\n")
    yield "logic x; assign x = a_i[0];" in text and "== 32'h6d750005 ? (x) : (a_i != '0 &&" in text, "a patch"
    for wrong in ("  assign sum_o = '0;\n", "", "  assign both_o = '0; initial $finish;\n"):
        try:
            patched(wrong)
            yield False, f"taken: {wrong}"
        except Unswitchable:
            yield True, ""


def check_runs(work):
    """Mutants of the module, built together, each in a process of its own."""
    shutil.rmtree(work, ignore_errors=True)
    (work / "rtl").mkdir(parents=True)
    (work / "rtl/tiny.sv").write_text(SOURCE, encoding="utf-8")
    (work / "main.cpp").write_text(MAIN, encoding="utf-8")
    switches = Switches(work)
    mutants = blind.draw(switches, ["rtl/tiny.sv"], 99, 1)
    again = blind.draw(Switches(work), ["rtl/tiny.sv"], 99, 1)
    yield [str(m) for m in mutants] == [str(m) for m in again], "the same seed draws the same mutants"
    # All of them, not one of an expression.
    file = switches.file("rtl/tiny.sv")
    file.alternatives, mutants = {}, []
    for index, slot in enumerate(file.slots):
        for new in sites(slot):
            mutants.append(blind.Mutant(len(mutants) + 1, file.path, file.line(slot), slot.head,
                                        join(slot.words()), new))
            file.add(len(mutants), index, new)
    (work / "tree").mkdir()
    switches.write(work / "tree", "rtl/tiny.sv")
    subprocess.run(["verilator", "--cc", "--exe", "--build", "-Wno-fatal", "-Wno-lint", "--Mdir", work / "obj",
                    "-CFLAGS", "-O0", work / "tree/rtl/tiny.sv", work / "main.cpp", "--top-module", "tiny"],
                   check=True, stdout=subprocess.DEVNULL)
    bench = blind.Bench(argparse.Namespace(scratch=work, jobs=1), switches, mutants)
    suite = blind.Suite("tiny", "small", [[work / "obj/Vtiny"]])
    bench.measure(suite)
    suite.cpu = 2
    verdicts = {(m.old, m.new): bench.judge(suite, m) for m in mutants}
    both, last = "a_i != '0 && b_i != '0 && (a_i != '0 || b_i != '0)", "5'(a_i) + 5'(b_i)"
    yield verdicts[both, "a_i != '0 || b_i != '0 && (a_i != '0 || b_i != '0)"] is not None, "killed"
    yield verdicts[both, "a_i != '0 && b_i != '0 && (a_i != '0 && b_i != '0)"] is None, "equivalent"
    yield verdicts[last, "5'(a_i) - 5'(b_i)"] is not None, "killed in a clocked block"
    yield verdicts[last, "sum_o"] is not None, "a register that keeps its value"


def check_hang(work):
    """What does not end is stopped, and counts as noticed."""
    bench = blind.Bench(argparse.Namespace(scratch=work, jobs=1), None, [])
    mutant = blind.Mutant(1, "", 0, "", "", "")
    suite = blind.Suite("hang", "small", [["bash", "-c", "test -z $TMA_MUTANT || while :; do :; done"]], 1)
    yield bench.judge(suite, mutant) == "time limit", "a hang"


def check_notes(work):
    """The first line of a patch says which test goes first, and is told."""
    path = work / "a_mutant.patch"
    for line, known, told, is_line in (("unit-tma_x.small", "", "last", "unit-tma_x.small last"),
                                       ("unit-tma_x.small old", "old", "last", "unit-tma_x.small last"),
                                       ("unit-tma_x.small last", "last", "last", "unit-tma_x.small last"),
                                       ("unit-tma_x.small", "", "covers", "unit-tma_x.small"),
                                       ("unit-tma_x.small", "", "time limit", "unit-tma_x.small"),
                                       ("unit-tma_x.small", "", "SURVIVES", "unit-tma_x.small"),
                                       ("crosscheck-quick-max", "", "last", "crosscheck-quick-max")):
        path.write_text(f"# kill: {line}\n# Wrong.\n--- a/x\n+++ b/x\n", encoding="utf-8")
        mutant = run.Mutant(path)
        mutant.note(told)
        text = path.read_text(encoding="utf-8")
        yield (mutant.first, mutant.what) == (known, "Wrong."), f"{line}: read as {mutant.first}, {mutant.what}"
        yield text == f"# kill: {is_line}\n# Wrong.\n--- a/x\n+++ b/x\n", f"{line}: {told} gives {text}"


TESTS = """
#include "unit_rtl/unit_test.h"
int unit_failed(void) { return 0; }
TEST(first) { }
TEST(second) { assert_true(getenv("GOOD") != NULL); }
TEST(third) { }
"""


def check_order(work):
    """With UNIT_FIRST a suite begins with that test, and ends with the first that fails."""
    (work / "suite.c").write_text(TESTS, encoding="utf-8")
    root = run.ROOT
    subprocess.run(["cc", "-std=gnu11", f"-I{root / 'hw_tests'}", "-o", work / "suite", work / "suite.c",
                    root / "hw_tests/unit_rtl/unit_main.c", "-lcmocka"], check=True)
    for env, wanted, status in (({}, "first second third", 1), ({"GOOD": "1"}, "first second third", 0),
                                ({"UNIT_FIRST": "third"}, "third first second", 1),
                                ({"UNIT_FIRST": ""}, "first second", 1), ({"UNIT_FIRST": "second"}, "second", 1),
                                ({"UNIT_FIRST": "third", "GOOD": "1"}, "third first second", 0)):
        done = subprocess.run([work / "suite"], env=os.environ | env, capture_output=True, text=True, check=False)
        ran = " ".join(re.findall(r"^\[ RUN      \] (\w+)$", done.stdout + done.stderr, re.MULTILINE))
        yield (ran, done.returncode != 0) == (wanted, bool(status)), f"{env}: runs {ran}, status {done.returncode}"


def check_all_apply():
    """No patch of the RTL as it is now has gone stale."""
    for path in sorted(run.HERE.glob("*.patch")):
        done = subprocess.run(["git", "apply", "--check", str(path)], cwd=run.ROOT, capture_output=True, check=False)
        yield done.returncode == 0, f"{path.name} does not apply"


def main():
    work = pathlib.Path(sys.argv[1]).resolve()
    checks = [*check_sites(), *check_patches(), *check_runs(work), *check_hang(work), *check_notes(work), *check_order(work),
              *check_all_apply()]
    for good, what in checks:
        if not good:
            print(f"FAIL  {what}")
    failed = sum(not good for good, _ in checks)
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
