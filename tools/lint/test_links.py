#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of links.py on small trees: a file or heading that is not there is named, with its place."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import links  # noqa: E402


class Links(unittest.TestCase):
    def check(self, **files):
        """What check() says of a tree with these documents."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "docs/picture.svg").write_text("", encoding="utf-8")
            for name, text in files.items():
                (root / f"docs/{name}.md").write_text(text, encoding="utf-8")
            return links.check(root)

    def test_there(self):
        self.assertEqual(self.check(a="# A `b_c`, d\n[x](b.md) ![y](picture.svg) [z](#a-b_c-d) [w](https://no.where/)\n",
                                    b="# B\n## [One](a.md)\n## One\n[x](a.md#a-b_c-d) [y](#one-1) [z]\n\n[z]: ../docs/a.md#a-b_c-d\n"), [])

    def test_no_file(self):
        self.assertEqual(self.check(a="# A\n\nsee\n[x](c.md) ![y](picture.png)\n\n[z]: d.md\n"),
                         ["docs/a.md:4: c.md: no such file", "docs/a.md:4: picture.png: no such file",
                          "docs/a.md:6: d.md: no such file"])

    def test_no_heading(self):
        self.assertEqual(self.check(a="# A\n[x](#b)\n```\n# B\n```\n", b="[`x`](a.md#a-1)\n"),
                         ["docs/a.md:2: #b: no such heading", "docs/b.md:1: a.md#a-1: no such heading"])

    def test_code(self):
        self.assertEqual(self.check(a="`a[1](2)`\n```\n[x](y)\n```\n"), [])


if __name__ == "__main__":
    unittest.main()
