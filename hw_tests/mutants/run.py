#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the tests notice broken RTL: run.py [NAME...], all mutants without a name.

A mutant is a patch in this directory whose first line is `# kill: TARGET`. It is applied to a copy
of the tracked files, where `make TARGET` passes without it and has to fail with it: tests have to
fail. A mutant that does not apply or does not build is an error of the mutant. Copies and what is
built in them stay under --scratch for the next run.
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

KILL = re.compile(r"# kill: (\S+)\n")
CHANGED = re.compile(r"^\+\+\+ b/(\S+)$", re.MULTILINE)
BROKEN_TEST = re.compile(r"^\[  FAILED  \] (\w+)$", re.MULTILINE)
COVERS = re.compile(r"^covers: \d+ passed, [1-9]\d* failed$", re.MULTILINE)


class Error(Exception):
    """A mutant, or the tree without one, is not what it should be."""


class Mutant:
    """One patch."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        self.name, self.path = path.stem, path
        if not (m := KILL.match(text)):
            raise Error(f"{path.name}: no `# kill: TARGET` in its first line")
        self.target = m.group(1)
        self.files = CHANGED.findall(text)
        self.modules = sorted({pathlib.Path(f).stem for f in self.files})


class Tree:
    """A copy of the tracked files, with a build directory of its own."""

    def __init__(self, path, args):
        self.path, self.args = path, args
        self.path.mkdir(parents=True, exist_ok=True)
        self.env = {k: v for k, v in os.environ.items()
                    if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BUILD")}
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

    def make(self, target, log):
        """Status of `make target`, None when its time was over, and what it has printed."""
        command = shlex.split(self.args.make) + ["--no-print-directory", "-j1", target]
        with open(log, "wb") as out:
            child = subprocess.Popen(command, cwd=self.path, env=self.env, stdout=out,
                                     stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                                     start_new_session=True)
            try:
                status = child.wait(self.args.limit)
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
        status, text = self.make(target, log)
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
            status, text = self.make(mutant.target, log)
        finally:
            for name in mutant.files:
                self.restore(name)
        if status == 0:
            return None
        if names := BROKEN_TEST.findall(text):
            return names[0]
        if COVERS.search(text):
            return "covers"
        if "[ RUN      ]" in text and status is None:
            return "time limit"
        if count(text)[1]:
            return "yes"
        raise Error(f"no test has failed, but make did, see {log}")


def run_group(tree, target, mutants):
    """Results of the mutants that one target kills: (mutant, verdict, seconds)."""
    results = []
    try:
        tree.baseline(target)
    except Error as e:
        return [(m, f"ERROR: {e}", 0) for m in mutants]
    for mutant in mutants:
        start = time.monotonic()
        try:
            test = tree.judge(mutant)
            verdict = test if test else "SURVIVES"
        except Error as e:
            verdict = f"ERROR: {e}"
        results.append((mutant, verdict, time.monotonic() - start))
    return results


def run_worker(tree, names, groups):
    """Takes groups until there are none left. Prints them as they come."""
    results = []
    tree.update(names)
    while True:
        try:
            target, mutants = groups.pop(0)
        except IndexError:
            return results
        for mutant, verdict, seconds in run_group(tree, target, mutants):
            print(f"{mutant.name:34} {' '.join(mutant.modules):20} {target:28} {verdict}"
                  f"  [{seconds:.0f} s]", flush=True)
            results.append((mutant, verdict))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--make", default="make", help="command that builds a target")
    parser.add_argument("--scratch", type=pathlib.Path, required=True, help="for copies and logs")
    parser.add_argument("--jobs", type=int, default=1, help="copies that work side by side")
    parser.add_argument("--limit", type=float, default=300, help="seconds per mutant")
    parser.add_argument("--modules", type=int, default=0, help="so many must be mutated at least")
    parser.add_argument("mutants", nargs="*", metavar="NAME")
    args = parser.parse_args()

    args.scratch = args.scratch.resolve()
    paths = [HERE / f"{n}.patch" for n in args.mutants] or sorted(HERE.glob("*.patch"))
    mutants = [Mutant(p) for p in paths]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    names = {n for n in listed.stdout.decode().split("\0") if n and (ROOT / n).is_file()}

    groups = {}
    for mutant in mutants:
        groups.setdefault(mutant.target, []).append(mutant)
    # Long ones first, so that the copies end together.
    queue = sorted(groups.items(), key=lambda g: -len(g[1]))
    jobs = max(1, min(args.jobs, len(queue)))
    trees = [Tree(args.scratch / f"tree{i}", args) for i in range(jobs)]
    print(f"{'mutant':34} {'module':20} {'target':28} killed by")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(run_worker, tree, names, queue) for tree in trees]
        results = [r for f in futures for r in f.result()]

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
