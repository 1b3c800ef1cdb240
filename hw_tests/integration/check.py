#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the engine as other people's designs do: by file list, by FuseSoC, by Bender, each with the real tool.

usage: check.py --out FOLDER --fusesoc PROGRAM [--bender PROGRAM]

Works on a copy of what git tracks, so that nothing that was built or forgotten helps. `Builds` is Verilator's lint with all
warnings, of the engine in every configuration and of what lies beside it; of a design that depends on it, with a
configuration of its own too. Prints `N passed, N failed`, and what a tool has said that failed.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
HERE = "hw_tests/integration"
CONFIGS = ("small", "default", "max")
BESIDE = {"axi64": "tma_axi64", "example": "tma_example_soc"}
LINT = ["verilator", "--lint-only", "-Wall", "--timing", "--assert"]
# The template drives nothing and looks at nothing; packages are of the engine.
QUIET = ["-Wno-UNDRIVEN", "-Wno-UNUSEDSIGNAL", "-Wno-UNUSEDPARAM", "-Wno-DECLFILENAME"]
OWN_QUEUES = 4  # of the configuration that no other one has

SOC_CORE = """\
CAPI=2:
name: user:soc:soc:1.0.0
filesets:
  rtl:
    file_type: systemVerilogSource
    depend: ["tramway:tma:engine"]
    files: [soc.sv, tma_engine_template.svh: {is_include_file: true}]
targets:
  default:
    filesets: [rtl]
    toplevel: soc
  lint:
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [%s]
    filesets: [rtl]
    toplevel: soc
"""
CONFIG_CORE = """\
CAPI=2:
name: tramway:tma:config:1.0.0
filesets:
  rtl:
    file_type: systemVerilogSource
    files: [tma_cfg_pkg.sv]
targets:
  default:
    filesets: [rtl]
"""
MANIFEST = """\
package:
  name: soc
dependencies:
  tramway: { path: "%s" }
sources:
  - include_dirs: [.]
    files: [soc.sv]
"""


class Check:
    def __init__(self, out):
        self.out, self.passed, self.failed = out, 0, 0

    def note(self, name, problem):
        self.passed, self.failed = self.passed + (not problem), self.failed + bool(problem)
        if problem:
            print(f"{name}: {problem}")

    def run(self, name, command, folder):
        """Whether a program succeeds; counts it."""
        done = subprocess.run([str(c) for c in command], cwd=folder, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.note(name, done.returncode and "\n".join(done.stdout.splitlines()[-20:]))
        return done.stdout if done.returncode == 0 else None


def files_of(text, folder):
    """The source files of a list, without its options."""
    return [(folder / line).resolve() for line in text.splitlines() if re.fullmatch(r"\S+\.sv", line)]


def listed(tree, *names):
    """What the file lists of these names have."""
    folder = tree / "rtl/gen"
    return sum((files_of((folder / f"tma_{n}.f").read_text(encoding="utf-8"), folder) for n in names), [])


def own_configuration(tree):
    """The package of `small`, with another number of queues: (text, what a tool has to see)."""
    text = (tree / "rtl/pkg/tma_cfg_small_pkg.sv").read_text(encoding="utf-8")
    return re.sub(r"(NumQueues +=) \d+;", rf"\g<1> {OWN_QUEUES};", text)


def file_lists(check, tree):
    waivers = tree / "rtl/waivers.vlt"
    for config in CONFIGS:
        check.run(f"file list {config}", [*LINT, "--top-module", "tma_engine", waivers,
                                          "-F", tree / f"rtl/gen/tma_{config}.f"], check.out)
    for name, top in BESIDE.items():
        check.run(f"file list {name}", [*LINT, "--top-module", top, waivers, "-F", tree / "rtl/gen/tma_small.f",
                                        "-F", tree / f"rtl/gen/tma_{name}.f"], check.out)


def fusesoc(check, tree, soc, program):
    def lint(name, core, target, flags=(), queues=None):
        work = check.out / "fusesoc" / re.sub(r"\W", "_", name)
        roots = [f"--cores-root={r}" for r in (tree, soc, check.out / "config")]
        if check.run(name, [program, *roots, "run", f"--work-root={work}", f"--target={target}",
                            *(f"--flag={f}" for f in flags), core], check.out) is None or queues is None:
            return
        # Which configuration it was: the file that came first of its kind.
        lists = next(work.glob("*.vc")).read_text(encoding="utf-8")
        package = re.search(r"\S*tma_cfg_\w*pkg\.sv", lists)
        text = (work / package[0]).read_text(encoding="utf-8")
        found = re.search(r"NumQueues +=\s*(\d+)", text)[1]
        check.note(f"{name}, its configuration", found != str(queues) and f"{found} queues, not {queues}")

    for name in (*CONFIGS, *BESIDE):
        lint(f"fusesoc {name}", "tramway:tma:engine", f"lint_{name}")
    for flags, queues in ([], 8), (["tma_small"], 2), (["tma_custom"], OWN_QUEUES):
        lint(f"fusesoc soc {' '.join(flags)}".strip(), "user:soc:soc", "lint", flags, queues)


def bender(check, tree, soc, program):
    if check.run("bender update", [program, "update"], soc) is None:
        return
    cases = [([], "default", []), *(([f"tma_{c}"], c, []) for c in CONFIGS if c != "default"),
             *((["tma_small", f"tma_{b}"], "small", [b]) for b in BESIDE)]
    for targets, config, beside in cases:
        name = " ".join(["bender", *targets])
        text = check.run(f"{name}, its list", [program, "--suppress", "all", "script", "flist-plus",
                                               *(f"--target={t}" for t in targets)], soc)
        if text is None:
            continue
        files = [f for f in files_of(text, soc) if f.name != "soc.sv"]
        check.note(f"{name}, its order", files != listed(tree, config, *beside) and "is not that of the file list")
        path = check.out / "bender.f"
        path.write_text(text, encoding="utf-8")
        check.run(name, [*LINT, *QUIET, "--top-module", BESIDE[beside[0]] if beside else "soc", tree / "rtl/waivers.vlt",
                         "-f", path], check.out)


def copied(out):
    """What git tracks, as it is in the working tree."""
    tree = out / "tramway"
    names = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, stdout=subprocess.PIPE, check=True).stdout
    for name in names.decode().split("\0"):
        if name and (REPOSITORY / name).exists():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, tree / name)
    return tree


def design(out, tree):
    """A design that depends on the engine, and a configuration beside it."""
    soc, config = out / "soc", out / "config"
    soc.mkdir()
    config.mkdir()
    shutil.copy(tree / HERE / "soc.sv", soc)
    shutil.copy(tree / "rtl/gen/tma_engine_template.svh", soc)
    (soc / "soc.core").write_text(SOC_CORE % ", ".join(["--timing", "-Wall", *QUIET, "-Wno-BLKSEQ"]), encoding="utf-8")
    (soc / "Bender.yml").write_text(MANIFEST % tree, encoding="utf-8")
    (config / "config.core").write_text(CONFIG_CORE, encoding="utf-8")
    (config / "tma_cfg_pkg.sv").write_text(own_configuration(tree), encoding="utf-8")
    return soc


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--fusesoc", required=True, type=pathlib.Path)
    parser.add_argument("--bender", type=pathlib.Path, help="without it the manifest is not tried")
    args = parser.parse_args()
    out = args.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    check = Check(out)
    tree = copied(out)
    soc = design(out, tree)
    file_lists(check, tree)
    fusesoc(check, tree, soc, args.fusesoc.absolute())
    if args.bender:
        bender(check, tree, soc, args.bender.absolute())
    else:
        print("bender is not there: `make bender` builds it; its manifest was not tried")
    print(f"{check.passed} passed, {check.failed} failed" + ("" if args.bender else ", 1 skipped"))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
