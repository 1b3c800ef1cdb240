#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Documents against the public headers: the programmer's guide names every function that programs call, the
reference has those of the C model too, and no document names a function that there is not."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/gen"))
import api  # noqa: E402

GUIDE = "docs/programmers-guide.md"
# For simulators that have the model by itself: in the reference alone.
APART = ("sw_model/include/tma_model.h",)
DOCUMENTS = ("README.md", "CHANGELOG.md", "docs", "host/examples")


def functions(root):
    """{function: header} of the public headers."""
    found = {}
    for path in api.HEADERS:
        text = (root / path).read_text(encoding="utf-8")
        found.update({name: path for entry in api.parse(path, text) for name in entry.functions()})
    return found


def pages(root):
    """Documents that are written by hand."""
    for name in DOCUMENTS:
        path = root / name
        yield from sorted(path.rglob("*.md")) if path.is_dir() else [path]


def check(root):
    """What is wrong, line by line."""
    known, wrong = functions(root), []
    guide, reference = ((root / p).read_text(encoding="utf-8") for p in (GUIDE, api.OUTPUT))
    for name, header in sorted(known.items()):
        where, text = (api.OUTPUT, reference) if header in APART else (GUIDE, guide)
        if not re.search(rf"\b{name}\(", text):
            wrong.append(f"{where}: does not name {name}() of {header}")
    for path in pages(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            for name in re.findall(r"(?<![\w.\[])(tma_\w+)\(", line):
                if name not in known:
                    wrong.append(f"{path.relative_to(root)}:{number}: no public header has {name}()")
    return wrong


def main():
    wrong = check(ROOT)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
