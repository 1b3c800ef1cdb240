#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says which cover properties of a unit none of its test runs has met: covers.py DIRECTORY...

The directories hold Verilator's coverage files. A property counts once, whatever its instances,
configurations and runs. One that is never met tests nothing, so it fails.
"""

import pathlib
import re
import sys

POINT = re.compile(r"^C '(.*)' (\d+)$")


def points(text):
    """(source file, property) -> how often, of one coverage file."""
    for line in text.splitlines():
        if m := POINT.match(line):
            fields = dict(f.split("\x02", 1) for f in m.group(1).split("\x01") if f)
            yield (fields["f"], fields["o"]), int(m.group(2))


def main():
    total = {}
    for directory in sys.argv[1:]:
        for name in sorted(pathlib.Path(directory).glob("*.dat")):
            for point, count in points(name.read_text(encoding="utf-8")):
                total[point] = total.get(point, 0) + count
    missed = sorted(point for point, count in total.items() if not count)
    for source, name in missed:
        print(f"never met: {name} ({source})")
    print(f"covers: {len(total) - len(missed)} passed, {len(missed)} failed")
    return 1 if missed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
