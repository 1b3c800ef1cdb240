#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of sizes.py on small trees: what is beyond a limit is named, and so is a list that has become untrue."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sizes  # noqa: E402


def module(name, ports):
    inputs = ",\n".join(f"  input logic p{i}  // input {i}" if i == ports - 1 else f"  input logic p{i}"
                        for i in range(ports))
    return f"module {name} #(parameter int W = 1) (\n{inputs}\n);\nendmodule\n"


class Sizes(unittest.TestCase):
    def tree(self, files, long=None, wide=None):
        """What check() says of these files, with these lists."""
        kept = sizes.LONG, sizes.WIDE
        sizes.LONG, sizes.WIDE = long or {}, wide or {}
        try:
            with tempfile.TemporaryDirectory() as root:
                for path, text in files.items():
                    os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                    with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                        f.write(text)
                return sizes.check(root)
        finally:
            sizes.LONG, sizes.WIDE = kept

    def test_within(self):
        self.assertEqual(self.tree({"rtl/a/a.sv": "\n" * sizes.RTL_LINES, "host/b.c": "\n" * sizes.C_LINES,
                                    "rtl/a/m.sv": module("m", sizes.PORTS)}), [])

    def test_lines(self):
        wrong = self.tree({"rtl/a/a.sv": "\n" * (sizes.RTL_LINES + 1), "host/b.c": "\n" * (sizes.C_LINES + 1)})
        self.assertEqual([line.split(":")[0] for line in wrong], ["rtl/a/a.sv", "host/b.c"])

    def test_ports(self):
        wide = {"rtl/a/m.sv": module("m", sizes.PORTS + 1), "rtl/a/t.sv": module(sizes.TOPS[0], sizes.PORTS + 1)}
        self.assertEqual(len(self.tree(wide)), 1)
        self.assertIn("m: 41 ports", self.tree(wide)[0])
        self.assertEqual(self.tree(wide, wide={"m": 41}), [])

    def test_list(self):
        self.assertIn("take it off", self.tree({"rtl/a/a.sv": "\n"}, long={"rtl/a/a.sv": 400})[0])
        self.assertIn("is not there", self.tree({"rtl/a/a.sv": "\n"}, long={"rtl/b.sv": 400})[0])

    def test_generated(self):
        self.assertEqual(self.tree({"rtl/gen/a.sv": "\n" * 1000}), [])


if __name__ == "__main__":
    unittest.main()
