#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of verilator_lint.py on small engines: what no engine contains is looked at too, and a waiver is needed there."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import verilator_lint  # noqa: E402

LEAF = "module leaf (input logic a, input logic b, output logic y);\n  assign y = a{};\nendmodule\n"
WHOLE, LOOSE = LEAF.format(" & b"), LEAF.format("")
IN = "module {} (input logic a, input logic b, output logic y);\n{}endmodule\n"
WITH_LEAF = "  leaf u_leaf (.a, .b, .y);\n"
ALONE = "  assign y = a & b;\n"
WAIVER = '`verilator_config\n// b is for later. Ends when: it is there.\nlint_off -rule UNUSEDSIGNAL -file "*leaf.sv"\n'


class VerilatorLint(unittest.TestCase):
    def check(self, leaf, other, engine=ALONE, waivers="`verilator_config\n"):
        """Problems and tops of an engine beside another module, and a leaf that either may have."""
        with tempfile.TemporaryDirectory() as root:
            files = {"leaf": leaf, "other": other, "tma_engine": IN.format("tma_engine", engine)}
            paths = [os.path.join(root, f"{name}.sv") for name in files]
            for path, text in zip(paths + [os.path.join(root, "waivers.vlt")], [*files.values(), waivers]):
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            problems, tops, _ = verilator_lint.check(root, os.path.join(root, "waivers.vlt"), {"one": paths})
            return problems, tops

    def test_in_the_engine(self):
        self.assertEqual(self.check(WHOLE, IN.format("other", ALONE), WITH_LEAF), ([], ["other"]))
        problems, _ = self.check(LOOSE, IN.format("other", ALONE), WITH_LEAF)
        self.assertEqual([p.split(":")[0] for p in problems], ["one, tma_engine"])

    def test_beside_it(self):
        self.assertEqual(self.check(WHOLE, IN.format("other", WITH_LEAF)), ([], ["other"]))
        problems, _ = self.check(LOOSE, IN.format("other", WITH_LEAF))
        self.assertEqual([p.split(":")[0] for p in problems], ["one, other"])
        self.assertIn("UNUSEDSIGNAL", problems[0])

    def test_in_nothing(self):
        body = f"  if (0) begin : g_no\n  {WITH_LEAF}  end else begin : g_yes\n  {ALONE}  end\n"
        never = IN.format("other", body)
        self.assertEqual(self.check(WHOLE, never), (["leaf: no top contains it"], ["other"]))

    def test_around(self):
        """What is wrong in a module around the engine alone is found, and what is wrong in the engine in both."""
        with tempfile.TemporaryDirectory() as root:
            texts = {"leaf": LOOSE, "tma_engine": IN.format("tma_engine", WITH_LEAF),
                     "whole": IN.format("whole", WITH_LEAF.replace("leaf", "tma_engine")),
                     "loose": IN.format("loose", "  logic spare;\n" + WITH_LEAF.replace("leaf", "tma_engine"))}
            files = {name: os.path.join(root, f"{name}.sv") for name in texts}
            for name, path in files.items():
                with open(path, "w", encoding="utf-8") as f:
                    f.write(texts[name])
            waivers = os.path.join(root, "waivers.vlt")
            engine = [files["leaf"], files["tma_engine"]]
            around = {("one", name): engine + [files[name]] for name in ("whole", "loose")}
            for text, found in (("`verilator_config\n", ["one, tma_engine:", "one, whole:", "one, loose:"]),
                                (WAIVER, ["one, loose:"])):
                with open(waivers, "w", encoding="utf-8") as f:
                    f.write(text)
                problems, _, _ = verilator_lint.check(root, waivers, {"one": engine}, around)
                self.assertEqual([p.split("\n")[0] for p in problems], found)

    def test_waivers(self):
        self.assertEqual(self.check(LOOSE, IN.format("other", WITH_LEAF), waivers=WAIVER), ([], ["other"]))
        problems, _ = self.check(WHOLE, IN.format("other", WITH_LEAF), waivers=WAIVER)
        self.assertIn("no warning needs this waiver", problems[0])


if __name__ == "__main__":
    unittest.main()
