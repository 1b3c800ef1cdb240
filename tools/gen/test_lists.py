#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what other build systems and integrators are given: lists, core, manifest, ports.

Checks: the order of the lists is kept in all of them; configurations that differ in more than their package, an
unknown list and a list without files are refused; every port of the engine is on the page and in the template; one
without a comment that AXI says nothing of is refused; the template elaborates with each configuration.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

import lists
import ports
from gen import REPOSITORY

CONFIGS = {
    "small": ["rtl/pkg/tma_cfg_small_pkg.sv", "rtl/b/b_pkg.sv", "rtl/a/a.sv"],
    "default": ["rtl/pkg/tma_cfg_default_pkg.sv", "rtl/b/b_pkg.sv", "rtl/a/a.sv"],
}
EXTRAS = {"axi64": ["rtl/wrap/w_pkg.sv", "rtl/wrap/w.sv"]}
HEADERS = ["rtl/common/h.svh"]


def in_order(test, text, *parts):
    at = [text.index(p) for p in parts]
    test.assertEqual(at, sorted(at), parts)


class ListsTest(unittest.TestCase):
    def test_order(self):
        texts = lists.outputs(CONFIGS, EXTRAS, HEADERS, REPOSITORY)
        in_order(self, texts["rtl/gen/tma_small.f"], "+incdir+../common\n", "../pkg/tma_cfg_small_pkg.sv\n",
                 "../b/b_pkg.sv\n", "../a/a.sv\n")
        self.assertNotIn("wrap", texts["rtl/gen/tma_small.f"])
        in_order(self, texts["rtl/gen/tma_axi64.f"], "../wrap/w_pkg.sv\n", "../wrap/w.sv\n")
        for name in ("tramway.core", "Bender.yml"):
            in_order(self, texts[name], "rtl/pkg/tma_cfg_small_pkg.sv\n", "- rtl/b/b_pkg.sv\n", "- rtl/a/a.sv\n",
                     "- rtl/wrap/w_pkg.sv\n", "- rtl/wrap/w.sv\n")
        self.assertIn("is_include_file: true, include_path: rtl/common", texts["tramway.core"])
        self.assertIn("target: not(any(tma_small, tma_custom))", texts["Bender.yml"])

    def test_refused(self):
        for arguments, error in (
                (["small"], "small: want NAME=FILE..."), (["small= "], "small=: want NAME=FILE..."),
                (["a=b", "a=c"], "a: named twice")):
            with self.assertRaisesRegex(lists.ListError, error):
                lists.parsed(arguments)
        for change, error in (
                ({"small": CONFIGS["small"][:2]}, "small: not the files of default"),
                ({"small": CONFIGS["small"][1:]}, "small: its package is not the first file, rtl/b/b_pkg.sv is")):
            with self.assertRaisesRegex(lists.ListError, error):
                lists.split({**CONFIGS, **change})
        with self.assertRaisesRegex(lists.ListError, "there is no configuration default"):
            lists.split({"small": CONFIGS["small"]})

    def test_unknown_list(self):
        run = subprocess.run(["python3", "-B", pathlib.Path(__file__).with_name("lists.py"), "--extra", "other=a.sv"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (1, "lists: other: nothing is known of this list\n"))


class PortsTest(unittest.TestCase):
    TEXT = (REPOSITORY / ports.ENGINE).read_text(encoding="utf-8")

    def test_all_ports(self):
        groups = ports.groups_of(self.TEXT)
        names = [name for _, of_group in groups for _, _, name, _ in of_group]
        page = (REPOSITORY / ports.PAGE).read_text(encoding="utf-8")
        template = (REPOSITORY / ports.TEMPLATE).read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as work:
            out = pathlib.Path(work) / "engine.xml"
            top = pathlib.Path(work) / "top.sv"
            top.write_text(f'module top;\n`include "{REPOSITORY / ports.TEMPLATE}"\nendmodule\n', encoding="utf-8")
            subprocess.run(["verilator", "--xml-only", "--xml-output", out, "--Mdir", work, "--top-module", "top",
                            "-Wno-lint", "-Wno-style", "-F", REPOSITORY / "rtl/gen/tma_small.f", top],
                           stdin=subprocess.DEVNULL, check=True)
            # Verilator's own list of what the instance connects.
            instance = ET.parse(out).find("netlist/module[@topModule='1']/instance")
        connected = [port.get("name") for port in instance.findall("port")]
        self.assertEqual(sorted(connected), sorted(names))
        for name in names:
            self.assertIn(f"| `{name}` |", page)
            self.assertIn(f".{name}", template)

    def test_refused(self):
        without = self.TEXT.replace("  // a command is offered", "")
        with self.assertRaisesRegex(ports.PortError, "cmd_valid_i has no comment"):
            ports.groups_of(without)
        with self.assertRaisesRegex(ports.PortError, "not a port: inout wire x,"):
            ports.groups_of(self.TEXT.replace("(\n", "(\n  inout wire x,\n", 1))
        with self.assertRaisesRegex(ports.PortError, "no module tma_engine"):
            ports.groups_of("module other ();")


def main():
    result = unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
