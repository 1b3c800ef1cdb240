#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verilator's lint of every configuration, with the waivers and without them.

The run with the waivers has to be silent. The run without them shows which waivers are of use:
one that no warning of any configuration needs is an error, and so is one without a reason above it.
"""

import argparse
import fnmatch
import re
import subprocess
import sys

WARNING = re.compile(r"^%(?:Warning|Error)-([A-Z0-9_]+): ([^:]+):(\d+):\d+: (.*)$")
WAIVER = re.compile(r'^lint_off\s+-rule\s+(\S+)(?:\s+-file\s+"([^"]*)")?(?:\s+-match\s+"([^"]*)")?\s*$')


def verilator(include, sources, extra):
    command = ["verilator", "--lint-only", "-Wall", "--timing", "--assert", "--top-module", "tma_engine",
               f"-I{include}"] + extra + sources
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=False)
    return run.returncode, run.stdout.decode(errors="replace")


def read_waivers(name):
    """[(line number, rule, file pattern, message pattern)], and what is wrong with the file."""
    waivers, problems = [], []
    reason = ""
    with open(name, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.strip()
            if line.startswith("//"):
                reason += line + "\n"
                continue
            if line.startswith("lint_off"):
                match = WAIVER.match(line)
                if not match:
                    problems.append(f"{name}:{number}: want lint_off -rule R -file F [-match M]")
                else:
                    waivers.append((number, match[1], match[2] or "*", match[3] or "*"))
                if "Ends when:" not in reason:
                    problems.append(f"{name}:{number}: no reason with an `Ends when:` above it")
            elif not line:
                reason = ""
    return waivers, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--waivers", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--config", action="append", help="NAME=FILE FILE...", required=True)
    args = parser.parse_args()

    waivers, problems = read_waivers(args.waivers)
    used = set()
    for config in args.config:
        name, files = config.split("=", 1)
        sources = files.split()
        status, output = verilator(args.include, sources, [args.waivers])
        if status != 0 or output.strip():
            problems.append(f"{name}:\n{output}")
        _, output = verilator(args.include, sources, ["-Wno-fatal"])
        for line in output.splitlines():
            if match := WARNING.match(line):
                rule, path, _, text = match.groups()
                used |= {w for w in waivers if w[1] == rule and fnmatch.fnmatchcase(path, w[2])
                         and fnmatch.fnmatchcase(text, w[3].replace("[", "[[]"))}
    problems += [f"{args.waivers}:{w[0]}: no warning needs this waiver" for w in waivers if w not in used]

    for problem in problems:
        print(problem)
    print(f"verilator: {len(args.config)} configurations, {len(waivers)} waivers, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
