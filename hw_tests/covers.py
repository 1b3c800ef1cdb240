#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says which cover properties no test run has met: covers.py [--waivers FILE] [--only FOLDER]... DIRECTORY...

The directories hold Verilator's coverage files. Of a unit, without a list of waivers, a property counts
once, whatever its instances, configurations and runs. Of the engine it counts once per configuration,
which the names of the files begin with, and instance; those of an array are one, `[*]`. A property that
is never met tests nothing, so it fails, unless a waiver says why it is not met. A waiver of nothing that
there is fails too; one of what was met is named, as what random programs meet now they may miss later.

A line of the list: CONFIGURATION INSTANCE.COVER REASON, the first two as shell patterns, an instance as
it is printed here without its configuration.
"""

import argparse
import fnmatch
import pathlib
import re
import sys

POINT = re.compile(r"^C '(.*)' (\d+)$")
KINDS = {"v_line": "line", "v_branch": "branch", "v_user": "cover"}


def points(text):
    """Fields of a point -> how often, of one coverage file."""
    for line in text.splitlines():
        if m := POINT.match(line):
            yield dict(f.split("\x02", 1) for f in m.group(1).split("\x01") if f), int(m.group(2))


def name_of(fields, config, engine):
    """What a property is called, so that all that count as one have one name."""
    if not engine:
        return f"{fields['o']} ({fields['f']})"
    instance = re.sub(r"^(tma_engine\.)+", "", fields["h"]).replace("__BRA__", "[").replace("__KET__", "]")
    instance = instance.replace("[*.", "[*].*.")
    # An instance that is repeated is named with its cover, or not, as Verilator likes.
    instance = instance.removesuffix("." + fields["o"])
    return f"{config} " + re.sub(r"\[\d+\]", "[*]", instance) + f".{fields['o']}"


def read_waivers(path):
    """(patterns of configuration and name, place in the file), in order."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split(None, 2)
        if len(fields) < 3:
            sys.exit(f"{path}:{number}: a waiver needs a reason")
        yield fields[0], fields[1].replace("[", "[[]"), f"{path}:{number}: {' '.join(fields[:2])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--waivers", type=pathlib.Path, help="those of the engine that cannot be met")
    parser.add_argument("--only", action="append", metavar="FOLDER", help="of source files: their properties alone")
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    args = parser.parse_args()

    total, lines = {}, {}
    for name in sorted(f for d in args.directories for f in d.glob("*.dat")):
        for fields, count in points(name.read_text(encoding="utf-8")):
            kind = KINDS[fields["page"].split("/")[0]]
            if kind == "cover" and not fields["f"].startswith(tuple(args.only or [""])):
                continue
            if kind == "cover":
                point = name_of(fields, name.name.split(".")[0], args.waivers)
                total[point] = total.get(point, 0) + count
            else:
                key = kind, fields["f"], fields["l"], fields["n"], fields["o"]
                lines[key] = lines.get(key, 0) + count

    missed = sorted(point for point, count in total.items() if not count)
    waived, bad = set(), []
    for config, pattern, place in read_waivers(args.waivers) if args.waivers else []:
        hit = {p for p in total if fnmatch.fnmatchcase(p.split(" ")[0], config)
               and fnmatch.fnmatchcase(p.split(" ")[1], pattern)}
        if not hit and any(fnmatch.fnmatchcase(p.split(" ")[0], config) for p in total):
            bad.append(f"{place}: there is no such property")
        elif hit and not hit & set(missed):
            print(f"{place}: is met")
        waived |= hit
    missed = [p for p in missed if p not in waived]
    for point in missed:
        print(f"never met: {point}")
    for line in bad:
        print(line)
    for kind in ("line", "branch"):
        if counts := [c for key, c in lines.items() if key[0] == kind]:
            print(f"{kind} coverage: {100 * sum(map(bool, counts)) / len(counts):.1f} % of {len(counts)}")
    for config in sorted({p.split(" ")[0] for p in total}) if args.waivers else []:
        mine = [p for p in total if p.startswith(config + " ")]
        print(f"{config}: {sum(bool(total[p]) for p in mine)} of {len(mine)} covers met, "
              f"{sum(not total[p] and p in waived for p in mine)} waived")
    met = sum(map(bool, total.values()))
    print(f"covers: {met} passed, {len(missed) + len(bad)} failed")
    return 1 if missed or bad or not total else 0


if __name__ == "__main__":
    sys.exit(main())
