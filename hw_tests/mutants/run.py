#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the tests notice broken RTL: run.py [NAME...], all mutants without a name.

A mutant is a patch in this directory whose first line is `# kill: TARGET` or `# kill: TARGET TEST`, whose
next ones say what is wrong; of the tests of a unit TEST goes first. In a copy of the tracked
files `make TARGET` passes without it and has to fail with it: tests have to fail. Patches of
expressions are all built into one copy, where the environment chooses one (switch.py); any other one
is applied to a copy of its own and built there. A mutant that does not apply or does not build is an
error of the mutant. Copies and what is built in them stay under --scratch for the next run.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from run_tests import count  # pylint: disable=wrong-import-position
from switch import Switches, Unswitchable

KILL = re.compile(r"# kill: (\S+)(?: (\w+))?\n((?:# .+\n)+)")
CHANGED = re.compile(r"^\+\+\+ b/(\S+)$", re.MULTILINE)
# Of a test that fails in its teardown cmocka says that it could not be run.
BROKEN_TEST = re.compile(r"^\[  (?:FAILED |ERROR  ) \] (\w+)$", re.MULTILINE)
PROGRAM = re.compile(r"^\S+: (program \d+ of seed \d+.*?) fails: ", re.MULTILINE)
DIED = re.compile(r"(Segmentation fault|Aborted|double free|stack smashing)")
RTL_ERROR = re.compile(r"^%Error(?:-\w+)?: (?:Internal Error: )?(\S+?\.sv):(\d+):", re.MULTILINE)
# The first source of every build.
FIRST_SOURCE = "rtl/gen/tma_isa_pkg.sv"
COVERS = re.compile(r"^covers: \d+ passed, [1-9]\d* failed$", re.MULTILINE)


class Error(Exception):
    """A mutant, or the tree without one, is not what it should be."""


class Mutant:
    """One patch."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        self.name, self.path = path.stem, path
        if not (m := KILL.match(text)):
            raise Error(f"{path.name}: no `# kill: TARGET` in its first line, or no comment behind it")
        self.target, self.first = m.group(1), m.group(2) or ""
        self.what = " ".join(line[2:] for line in m.group(3).splitlines())
        self.text, self.number = text, 0
        self.files = CHANGED.findall(text)
        self.modules = sorted({pathlib.Path(f).stem for f in self.files})

    def note(self, test):
        """Writes into the patch which test of its unit has killed it, where it was a test."""
        if self.target.startswith(("unit-", "test-tma_")) and re.fullmatch(r"\w+", test) and \
                test not in (self.first, "SURVIVES", "covers", "yes", "Aborted"):
            line, rest = self.text.split("\n", 1)
            self.path.write_text(f"{' '.join(line.split()[:3])} {test}\n{rest}", encoding="utf-8")


class Tree:
    """A copy of the tracked files, with a build directory of its own."""

    def __init__(self, path, args):
        self.path, self.args = path, args
        self.path.mkdir(parents=True, exist_ok=True)
        self.env = {k: v for k, v in os.environ.items()
                    if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BUILD")}
        self.env["SEED"] = "1"
        # So that git takes the copy for what it is: no part of a repository.
        self.env["GIT_CEILING_DIRECTORIES"] = str(self.path.parent)

    def update(self, names):
        """Make the copy equal; what is equal already keeps its time, and what was built of it."""
        for old in self.path.rglob("*"):
            inner = old.relative_to(self.path)
            if old.is_file() and inner.parts[0] != "build" and str(inner) not in names:
                old.unlink()
        for name in names:
            self.restore(name)

    def restore(self, name):
        """Take one file from the original."""
        wanted, copy = (ROOT / name).read_bytes(), self.path / name
        if copy.is_file() and copy.read_bytes() == wanted:
            return
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(wanted)
        copy.chmod((ROOT / name).stat().st_mode & 0o777)

    def make(self, target, log, mutant=None, extra=(), patience=1):
        """Status of `make target`, None when its time was over, and what it has printed. A target of the
        whole engine gets the configuration that it ends with, or `small`; one of a unit has each test by itself and
        ends with the first failure, without a mutant as well."""
        config = ""
        if not target.startswith(("unit-", "test-tma_", "build/")):
            config = (re.findall("-(default|max)$", target) + ["small"])[0]
        # A suite that runs on all configurations that are built has none of them in its name.
        if target.startswith("test-"):
            target = target.removesuffix(f"-{config}")
        command = shlex.split(self.args.make) + ["--no-print-directory", "-j1", *target.split(), *extra]
        if config:
            command += [f"SIM_CONFIGS={config}", f"BUILD=build/{config}"]
        env = self.env | {"UNIT_FIRST": mutant.first if mutant else ""}
        if mutant:
            env["TMA_MUTANT"] = str(mutant.number)
        with open(log, "wb") as out:
            child = subprocess.Popen(command, cwd=self.path, env=env, stdout=out,
                                     stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                                     start_new_session=True)
            try:
                status = child.wait(self.args.limit * patience)
            except BaseException as e:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                if not isinstance(e, subprocess.TimeoutExpired):
                    raise
                status = None
        return status, pathlib.Path(log).read_text(encoding="utf-8", errors="replace")

    def baseline(self, target):
        """The target has to pass without any mutant."""
        log = self.args.scratch / f"{target}.log"
        # It builds as well, perhaps beside others, and must not fail for want of time.
        status, text = self.make(target, log, patience=4)
        passed, failed, _ = count(text)
        if status != 0 or failed or not passed:
            raise Error(f"{target} fails without a mutant, see {log}")

    def judge(self, mutant):
        """Who notices the mutant; raises Error if nobody can, returns None if nobody does."""
        log = self.args.scratch / f"{mutant.name}.log"
        applied = subprocess.run(["git", "apply", str(mutant.path)], cwd=self.path, env=self.env,
                                 capture_output=True, text=True, check=False)
        try:
            if applied.returncode:
                raise Error(f"does not apply: {applied.stderr.strip().splitlines()[0]}")
            status, text = self.make(mutant.target, log, mutant)
        finally:
            for name in mutant.files:
                self.restore(name)
        return verdict_of(status, text, log)


def verdict_of(status, text, log):
    """Which test has failed, None if none has; raises Error when it was no test that failed."""
    if status == 0:
        return None
    if names := BROKEN_TEST.findall(text):
        return names[0]
    if m := PROGRAM.search(text):
        return m.group(1)
    if COVERS.search(text):
        return "covers"
    if status is None and ("[ RUN      ]" in text or "programs 0.." in text):
        return "time limit"
    if count(text)[1]:
        return "yes"
    if m := DIED.search(text):
        return m.group(1)
    raise Error(f"no test has failed, but make did, see {log}")


class SwitchedTree(Tree):
    """A copy that holds all mutants that can be chosen at run time."""

    def __init__(self, path, args, switches):
        super().__init__(path, args)
        self.switches, self.without = switches, set()

    def restore(self, name):
        if name not in self.switches.files and name != FIRST_SOURCE:
            super().restore(name)

    def update(self, names):
        super().update(names)
        self.places = self.switches.write(self.path, FIRST_SOURCE, self.without)

    def baseline(self, target):
        """As without mutants. Those that do not build as alternatives are left out, and returned."""
        log = self.args.scratch / f"{target}.log"
        while True:
            try:
                super().baseline(target)
                return self.without
            except Error:
                text = log.read_text(encoding="utf-8", errors="replace")
                bad = {n for path, line in RTL_ERROR.findall(text)
                       for n in self.places.get((path, int(line)), ())} - self.without
                if not bad:
                    raise
                self.without |= bad
                self.places = self.switches.write(self.path, FIRST_SOURCE, self.without)

    def judge(self, mutant):
        log = self.args.scratch / f"{mutant.name}.log"
        return verdict_of(*self.make(mutant.target, log, mutant), log)


def run_group(trees, target, mutants):
    """Results of the mutants that one target kills: (mutant, verdict, seconds)."""
    results = []
    plain, switched = trees
    try:
        left_out = switched.baseline(target) if any(m.number for m in mutants) else set()
        own = [m for m in mutants if not m.number or m.number in left_out]
        if own:
            plain.baseline(target)
    except Error as e:
        return [(m, f"ERROR: {e}", 0) for m in mutants]
    for mutant in mutants:
        start = time.monotonic()
        try:
            test = (plain if mutant in own else switched).judge(mutant)
            verdict = test if test else "SURVIVES"
        except Error as e:
            verdict = f"ERROR: {e}"
        results.append((mutant, verdict, time.monotonic() - start))
    return results


def run_worker(trees, names, groups):
    """Takes groups until there are none left. Prints them as they come."""
    results = []
    for tree in trees:
        tree.update(names)
    while True:
        try:
            target, mutants = groups.pop(0)
        except IndexError:
            return results
        for mutant, verdict, seconds in run_group(trees, target, mutants):
            print(f"{mutant.name:34} {' '.join(mutant.modules):20} {target:28} {verdict}"
                  f"  [{seconds:.0f} s]", flush=True)
            results.append((mutant, verdict))


def tracked():
    """Names of the files that git has."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return {n for n in listed.stdout.decode().split("\0") if n and (ROOT / n).is_file()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--make", default="make", help="command that builds a target")
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / "build/mutants",
                        help="for copies and logs")
    parser.add_argument("--jobs", type=int, default=1, help="copies that work side by side")
    parser.add_argument("--limit", type=float, default=300, help="seconds per mutant")
    parser.add_argument("--modules", type=int, default=0, help="so many must be mutated at least")
    parser.add_argument("--system", action="store_true", help="those alone that a test of the engine kills")
    parser.add_argument("--note", action="store_true", help="write into the patches of units which test has killed them")
    parser.add_argument("--list", action="store_true", help="what is wrong in each, instead of trying them")
    parser.add_argument("mutants", nargs="*", metavar="NAME")
    args = parser.parse_args()

    args.scratch = args.scratch.resolve()
    paths = [HERE / f"{n}.patch" for n in args.mutants] or sorted(HERE.glob("*.patch"))
    mutants = [Mutant(p) for p in paths]
    if args.system:
        mutants = [m for m in mutants if not m.target.startswith(("unit-", "test-tma_"))]
    if args.list:
        for m in sorted(mutants, key=lambda m: (m.modules, m.name)):
            print(f"{' '.join(m.modules):20} {m.name:34} {m.target:28} {m.what}")
        return 0
    names = tracked()
    switches = Switches(ROOT)
    for number, mutant in enumerate(mutants, 1):
        try:
            switches.add_patch(number, mutant.text)
            mutant.number = number
        except Unswitchable:
            pass  # it is applied and built by itself

    groups = {}
    for mutant in mutants:
        groups.setdefault(mutant.target, []).append(mutant)
    # Long ones first, so that the copies end together.
    queue = sorted(groups.items(), key=lambda g: -len(g[1]))
    jobs = max(1, min(args.jobs, len(queue)))
    trees = [(Tree(args.scratch / f"tree{i}", args), SwitchedTree(args.scratch / f"switched{i}", args, switches))
             for i in range(jobs)]
    print(f"{'mutant':34} {'module':20} {'target':28} killed by")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(run_worker, t, names, queue) for t in trees]
        results = [r for f in futures for r in f.result()]

    for mutant, verdict in results if args.note else ():
        mutant.note(verdict)
    failed = sum(v == "SURVIVES" or v.startswith("ERROR") for _, v in results)
    modules = {name for m, _ in results for name in m.modules}
    print(f"{len(modules)} modules")
    if len(modules) < args.modules:
        print(f"at least {args.modules} modules should be mutated")
        failed += 1
    print(f"mutants: {len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Error as e:
        sys.exit(str(e))
