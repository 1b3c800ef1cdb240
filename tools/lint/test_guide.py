#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of guide.py on small trees: a function that the guide leaves out is named, and one that there is not."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import guide  # noqa: E402

CALLS = "/* About. */\n\n/** One. */\nint tma_one(void);\n\n/** Two. */\nvoid tma_one_more(int a,\n                 int b);\n"
MODEL = "/* About. */\n\n/** A model. */\nint tma_model_new(void);\n"


class Guide(unittest.TestCase):
    def check(self, text, reference="`tma_model_new()`\n", more=""):
        """What check() says of a guide, a reference and a README with these texts."""
        kept = guide.api.HEADERS
        guide.api.HEADERS = ("host/include/calls.h", *guide.APART)
        files = {"host/include/calls.h": CALLS, guide.APART[0]: MODEL, guide.GUIDE: text, guide.api.OUTPUT: reference,
                 "README.md": more, "CHANGELOG.md": "", "host/examples/README.md": ""}
        try:
            with tempfile.TemporaryDirectory() as folder:
                for name, content in files.items():
                    path = pathlib.Path(folder) / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(content, encoding="utf-8")
                return guide.check(pathlib.Path(folder))
        finally:
            guide.api.HEADERS = kept

    def test_all(self):
        self.assertEqual(self.check("`tma_one()`, tma_one_more(a, b)"), [])

    def test_left_out(self):
        self.assertEqual(self.check("`tma_one_more()`, `tma_one`"),
                         ["docs/programmers-guide.md: does not name tma_one() of host/include/calls.h"])

    def test_model(self):
        self.assertEqual(self.check("`tma_one()`, `tma_one_more()`", reference=""),
                         ["docs/gen/api.md: does not name tma_model_new() of sw_model/include/tma_model.h"])

    def test_unknown(self):
        self.assertEqual(self.check("`tma_one()`, `tma_one_more()`", more="\n`tma_gone()`, `tma_one*()`, x.tma_gone(), libtma_a()\n"),
                         ["README.md:2: no public header has tma_gone()"])


if __name__ == "__main__":
    unittest.main()
