#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a freshly generated tree with the checked-in files, both ways."""

import difflib
import pathlib
import sys

from gen import REPOSITORY

# Folders that hold generated files alone: anything else there is a leftover.
GENERATED_FOLDERS = ("rtl/gen", "docs/gen", "fpga/vitis/gen")


def differences(fresh, checked_in):
    """Lines that name each stale, missing or left-over file; empty when all is well."""
    lines = []
    wanted = {p.relative_to(fresh).as_posix() for p in fresh.rglob("*") if p.is_file()}
    for name in sorted(wanted):
        target = checked_in / name
        if not target.is_file():
            lines.append(f"{name}: missing, run `make gen`")
            continue
        old = target.read_text(encoding="utf-8").splitlines()
        new = (fresh / name).read_text(encoding="utf-8").splitlines()
        if old != new:
            lines.append(f"{name}: stale, run `make gen`")
            lines += list(difflib.unified_diff(old, new, "checked in", "generated", "", "", 1, ""))
    for folder in GENERATED_FOLDERS:
        for path in sorted((checked_in / folder).rglob("*")):
            name = path.relative_to(checked_in).as_posix()
            if path.is_file() and name not in wanted:
                lines.append(f"{name}: left over, nothing generates it")
    return lines


def main():
    lines = differences(pathlib.Path(sys.argv[1]), REPOSITORY)
    for line in lines:
        print(line, file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
