#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verilator's lint of every configuration, with the waivers and without them.

The run with the waivers has to be silent. The run without them shows which waivers are of use:
one that no warning of any configuration needs is an error, and so is one without a reason above it.
Verilator looks at what its top module contains. So modules that the engine contains in no configuration
are linted too, in every one: those that no other of them contains as tops of their own.
"""

import argparse
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

WARNING = re.compile(r"^%(?:Warning|Error)-([A-Z0-9_]+): ([^:]+):(\d+):\d+: (.*)$")
TOP = "tma_engine"
MODULE = re.compile(r"^module\s+(\w+)", re.MULTILINE)
INSTANCE = re.compile(r"^\s*(\w+)\s+(?:#\s*\(|\w+\s*\()", re.MULTILINE)
IN_XML = re.compile(r'<module [^>]*origName="(\w+)"')
WAIVER = re.compile(r'^lint_off\s+-rule\s+(\S+)(?:\s+-file\s+"([^"]*)")?(?:\s+-match\s+"([^"]*)")?\s*$')


def verilator(include, sources, top, extra):
    command = ["verilator", "--timing", "--top-module", top, f"-I{include}"] + extra + sources
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=False)
    return run.returncode, run.stdout.decode(errors="replace")


def lint(include, sources, top, extra):
    # Packages are of the engine: another module has no use for most of their parameters.
    beside = [] if top == TOP else ["-Wno-UNUSEDPARAM"]
    return verilator(include, sources, top, ["--lint-only", "-Wall", "--assert"] + beside + extra)


def contained(include, sources, top):
    """Names of the modules that are in `top`, itself too."""
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "top.xml")
        verilator(include, sources, top, ["--xml-only", "--xml-output", out, "--Mdir", work, "-Wno-lint", "-Wno-style"])
        if not os.path.exists(out):
            return {top}
        with open(out, encoding="utf-8") as f:
            return set(IN_XML.findall(f.read()))


def tops_beside(include, configs):
    """The modules to begin with so that all are looked at which the engine does not contain, and what is missed."""
    text = {}
    for sources in configs.values():
        for path in sources:
            with open(path, encoding="utf-8") as f:
                source = f.read()
            text.update((name, source) for name in MODULE.findall(source))
    left = set(text)
    for sources in configs.values():
        left -= contained(include, sources, TOP)
    tops = sorted(left - {used for name in left for used in INSTANCE.findall(text[name])})
    for top in tops:
        for sources in configs.values():
            left -= contained(include, sources, top)
    return tops, [f"{name}: no top contains it" for name in sorted(left)]


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


def check(include, waivers_file, configs, around=None):
    """What is wrong, of configurations by name, each a list of sources; the tops beside the engine; the waivers.
    `around` are modules with the engine in them, {(configuration, module): sources}."""
    waivers, problems = read_waivers(waivers_file)
    tops, missed = tops_beside(include, configs)
    problems += missed
    used = set()
    runs = [(name, sources, top) for name, sources in configs.items() for top in [TOP] + tops]
    runs += [(name, sources, top) for (name, top), sources in (around or {}).items()]
    for name, sources, top in runs:
        status, output = lint(include, sources, top, [waivers_file])
        if status != 0 or output.strip():
            problems.append(f"{name}, {top}:\n{output}")
        if used == set(waivers):
            continue
        _, output = lint(include, sources, top, ["-Wno-fatal"])
        for line in output.splitlines():
            if match := WARNING.match(line):
                rule, path, _, text = match.groups()
                used |= {w for w in waivers if w[1] == rule and fnmatch.fnmatchcase(path, w[2])
                         and fnmatch.fnmatchcase(text, w[3].replace("[", "[[]"))}
    problems += [f"{waivers_file}:{w[0]}: no warning needs this waiver" for w in waivers if w not in used]
    return problems, tops, waivers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--waivers", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--config", action="append", help="NAME=FILE FILE...", required=True)
    parser.add_argument("--around", action="append", default=[],
                        help="CONFIG:MODULE=FILE FILE...: a module around the engine of that configuration")
    args = parser.parse_args()

    configs, around = ({name: files.split() for name, files in (c.split("=", 1) for c in given)}
                       for given in (args.config, args.around))
    around = {tuple(name.split(":")): sources for name, sources in around.items()}
    problems, tops, waivers = check(args.include, args.waivers, configs, around)
    for problem in problems:
        print(problem)
    print(f"verilator: {len(configs)} configurations of {', '.join([TOP] + tops)}, "
          f"{', '.join(f'{top} around {name}' for name, top in around)}, {len(waivers)} waivers, "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
