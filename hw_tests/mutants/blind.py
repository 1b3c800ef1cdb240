#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many operator changes that nobody chose the tests notice: blind.py --number N --seed S.

Draws N operators of the RTL, one of an expression at most, changes each, builds all of them into one
engine (switch.py) and runs every one in processes of its own against one suite after the other until
a test fails. Prints the score and those that survive. A mutant is dead, and does not count, when
no built configuration has its code; equivalent.toml lists those that cannot be told from the original.

What was found out is kept in a journal under --scratch and not done again while the sources stay.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import pathlib
import random
import re
import resource
import subprocess
import sys
import threading
import time
import tomllib

import run
from switch import BASE, Switches, sites, join

EQUIVALENT = run.HERE / "equivalent.toml"
KINDS = [[], ["--tensor"], ["--faults"], ["--tensor", "--faults"]]
BINARIES = ["tma_crosscheck", "test_engine", "tma_replay", "test_rig"]


@dataclasses.dataclass
class Mutant:
    """One changed operator."""

    number: int
    file: str
    line: int
    head: str
    old: str
    new: str

    def key(self):
        """The same wherever the line moves."""
        return hashlib.sha256("\0".join((self.file, self.head, self.old, self.new)).encode()).hexdigest()[:16]

    def __str__(self):
        return f"{self.file}:{self.line}: {self.head} {self.old}  =>  {self.new}"


@dataclasses.dataclass
class Suite:
    """Commands of which one has to fail; the configuration in whose code the mutant has to be."""

    name: str
    config: str
    commands: list
    cpu: float = 0


def draw(switches, paths, number, seed):
    """Mutants, in the order in which they were drawn."""
    pool = []
    for path in paths:
        file = switches.file(path)
        for index, slot in enumerate(file.slots):
            if not slot.reset and "rst_ni" not in slot.words():
                pool += [(path, index, new) for new in sites(slot)]
    random.Random(seed).shuffle(pool)
    taken, mutants = set(), []
    for path, index, new in pool:
        if len(mutants) < number and (path, index) not in taken:
            taken.add((path, index))
            file = switches.file(path)
            slot = file.slots[index]
            mutants.append(Mutant(len(mutants) + 1, path, file.line(slot), slot.head, join(slot.words()), new))
            file.add(len(mutants), index, new)
    return mutants


class Bench:
    """The tree in which all mutants are built, and how they are run there."""

    def __init__(self, args, switches, mutants):
        self.args, self.mutants = args, mutants
        self.tree = run.SwitchedTree(args.scratch / "tree", args, switches)
        self.lock, self.results = threading.Lock(), {}

    def build(self, config):
        """All programs of a configuration. Mutants that do not compile are left out."""
        while True:
            log = self.args.scratch / f"build.{config}.log"
            text, status = "", 0
            for target in BINARIES:
                s, t = self.tree.make(f"build/{config}/{target}", log, extra=[
                    f"SIM_CONFIGS={config}", f"BUILD=build/{config}", f"-j{self.args.jobs}"])
                status, text = status or s, text + t
            if not status:
                break
            bad = {n for path, line in run.RTL_ERROR.findall(text)
                   for n in self.tree.places.get((path, int(line)), ())} - self.tree.without
            if not bad:
                sys.exit(f"the mutants do not build, see {log}")
            self.tree.without |= bad
            self.tree.places = self.tree.switches.write(self.tree.path, run.FIRST_SOURCE, self.tree.without)
        found = set()
        for source in (self.tree.path / f"build/{config}/sim/{config}").glob("V*.cpp"):
            if "__Trace__" not in source.name:
                found |= {int(n, 16) - BASE for n in
                          re.findall(r"\b0x(6d75[0-9a-f]{4})U", source.read_text(encoding="utf-8"))}
        return found

    def unit(self, mutant):
        """The unit tests that hold the mutant's file: commands, the small ones first."""
        return [[f"build/unit_rtl/{u}/test"] for u in self.units.get(mutant.file, ())]

    def find_units(self):
        """Which source is in which unit."""
        shown = subprocess.run(
            ["make", "-s", "--eval", r"show-units: ; @:$(foreach p,$(UNIT_PAIRS),$(info $(p) "
             r"$(RTL_$(basename $(p)))))", "show-units"], cwd=self.tree.path, env=self.tree.env,
            capture_output=True, text=True, check=True).stdout
        self.units = {}
        for words in sorted((l.split() for l in shown.splitlines() if l), key=lambda w: ".small" not in w[0]):
            if words[0].endswith((".small", ".default")):
                for path in words[1:]:
                    self.units.setdefault(path, []).append(words[0])

    def run(self, command, number, cpu):
        """Exit status and output of one command under a mutant."""
        def limit():
            if cpu:
                resource.setrlimit(resource.RLIMIT_CPU, (int(cpu), int(cpu) + 5))
        env = self.tree.env | ({"TMA_MUTANT": str(number)} if number else {}) | {"UNIT_COVERS": ""}
        env.pop("UNIT_COVERS")
        try:
            done = subprocess.run(command, cwd=self.tree.path, env=env, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=limit,
                                  timeout=60 + 40 * cpu if cpu else None, check=False)
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stdout

    def measure(self, suite):
        """A suite has to pass without a mutant; how long it takes then limits it with one."""
        for command in suite.commands:
            start = resource.getrusage(resource.RUSAGE_CHILDREN)
            status, text = self.run(command, 0, 0)
            end = resource.getrusage(resource.RUSAGE_CHILDREN)
            if status:
                sys.exit(f"{' '.join(command)} fails without a mutant:\n{text[-2000:]}")
            suite.cpu = max(suite.cpu, 10 + 3 * (end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime))

    def judge(self, suite, mutant):
        """What has noticed the mutant, None if nothing has."""
        for command in suite.commands or self.unit(mutant):
            status, text = self.run(command, mutant.number, suite.cpu or 600)
            if status is None or status == -24 or "CPU time limit" in text:
                return "time limit"
            if status:
                try:
                    return run.verdict_of(status, text, "its output")
                except run.Error:
                    return f"exit status {status}"
        return None


def suites_of(stage):
    """The suites in the order in which they are tried: what is quick and finds much goes first."""
    def cross(config, counts, seed):
        return [[f"build/{config}/tma_crosscheck", "--config", config, "--programs", str(n), "--seed", str(seed)]
                + kind for n, kind in zip(counts, KINDS)]
    engine = "build/{0}/test_engine"
    found = [
        Suite("cross-check, first programs", "small", cross("small", (12, 10, 6, 6), 1)),
        Suite("cross-check quick", "small", cross("small", (70, 50, 30, 35), 1)),
        Suite("unit tests", "unit", []),
        Suite("test-faults", "small", [[engine.format("small"), "faults"]]),
        Suite("test-ports", "small", [[engine.format("small"), "watchdog", "patience", "errors"]]),
        Suite("test-rig", "small", [["build/small/test_rig"]]),
        Suite("cross-check quick, default", "default", cross("default", (50, 30, 25, 18), 1)),
        Suite("test-faults, default", "default", [[engine.format("default"), "faults"]]),
        Suite("test-ports, default", "default", [[engine.format("default"), "watchdog", "patience", "errors"]]),
        Suite("replay-rtl", "small", [["make", "-s", "replay-rtl", "SIM_CONFIGS=small", "BUILD=build/small"]]),
    ]
    if stage == "regress":
        found += [
            Suite("cross-check regress", "small", cross("small", (500, 500, 500, 500), 2)),
            Suite("cross-check regress, default", "default", cross("default", (150, 150, 150, 150), 2)),
            Suite("replay-seeds", "small", [["make", "-s", "replay-rtl", "SIM_CONFIGS=small",
                                             "BUILD=build/small", "REPLAY_SEED=2"]]),
        ]
    return found


def digest(names):
    """Of all that decides a verdict."""
    total = hashlib.sha256()
    for name in sorted(names):
        if name.startswith(("rtl/", "hw_tests/", "sw_model/", "mk/", "Makefile")):
            total.update(name.encode() + b"\0" + (run.ROOT / name).read_bytes())
    return total.hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--make", default="make", help="command that builds a target")
    parser.add_argument("--scratch", type=pathlib.Path, required=True, help="for the copy and the journals")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--suites", choices=("test", "regress"), default="test")
    parser.add_argument("--only", type=int, default=99, help="no more than so many suites")
    parser.add_argument("--least", type=float, default=0, help="per cent that have to be killed")
    args = parser.parse_args()
    args.limit, args.scratch = None, args.scratch.resolve()

    names = run.tracked()
    switches = Switches(run.ROOT)
    # The wrapper of the registers for kernels is outside of the engine.
    paths = sorted(n for n in names if n.startswith("rtl/") and n.endswith(".sv") and "/gen/" not in n
                   and not n.endswith(("_pkg.sv", "tma_ap_ctrl.sv")))
    mutants = draw(switches, paths, args.number, args.seed)
    bench = Bench(args, switches, mutants)
    bench.tree.update(names)
    bench.find_units()

    journal = args.scratch / f"journal.{digest(names)}.jsonl"
    known = {}
    if journal.is_file():
        for line in journal.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            known[entry["key"], entry["suite"]] = entry["verdict"]
    listed = {(m["file"], m["old"], m["new"]): m["why"] for m in
              tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])}

    built, killed, broken = {}, {}, set()
    equal = [m for m in mutants if (m.file, f"{m.head} {m.old}", m.new) in listed]
    left = [m for m in mutants if m not in equal]
    for suite in suites_of(args.suites)[:args.only]:
        if suite.config == "unit":
            here = [m for m in left if bench.units.get(m.file)]
            wanted = sorted({u for m in here if (m.key(), suite.name) not in known for u in bench.units[m.file]})
            if wanted:
                status, _ = bench.tree.make(" ".join(f"build/unit_rtl/{u}/test" for u in wanted),
                                            args.scratch / "build.units.log", extra=[f"-j{args.jobs}"])
                if status:
                    sys.exit(f"the units do not build, see {args.scratch}/build.units.log")
        else:
            if suite.config not in built:
                built[suite.config] = bench.build(suite.config)
            here = [m for m in left if m.number in built[suite.config]]
            if any((m.key(), suite.name) not in known for m in here):
                bench.measure(suite)
        broken |= {m.number for m in left if m.number in bench.tree.without}
        start = time.monotonic()

        def one(mutant):
            place = mutant.key(), suite.name  # pylint: disable=cell-var-from-loop
            if place not in known:
                known[place] = bench.judge(suite, mutant)  # pylint: disable=cell-var-from-loop
                with bench.lock, open(journal, "a", encoding="utf-8") as out:
                    out.write(json.dumps({"key": place[0], "suite": place[1], "verdict": known[place]}) + "\n")
            return known[place]

        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for mutant, verdict in zip(here, pool.map(one, here)):
                if verdict:
                    killed[mutant.number] = suite.name
        left = [m for m in left if m.number not in killed]
        print(f"{suite.name:32} {len(here):4} tried, {sum(m.number in killed for m in here):4} killed  "
              f"[{time.monotonic() - start:.0f} s]", flush=True)

    alive = set().union(*built.values())
    dead = [m for m in left if m.number not in alive]
    survivors = [m for m in left if m not in dead]
    print(f"\n{len(dead)} are in no built configuration ({len(broken)} do not compile), {len(equal)} are listed "
          f"as equivalent, {len(survivors)} survive:")
    for mutant in survivors:
        print(f"  {mutant}")
    live = len(killed) + len(survivors)
    score = 100 * len(killed) / max(1, live)
    print("killed by: " + ", ".join(f"{n} {c}" for n, c in collections.Counter(killed.values()).most_common()))
    print(f"score: {len(killed)} of {live} live mutants killed, {score:.1f} % (seed {args.seed}, "
          f"{args.number} drawn)")
    print(f"blind: {len(killed)} passed, {0 if score >= args.least else len(survivors)} failed")
    return 0 if live and score >= args.least else 1


if __name__ == "__main__":
    sys.exit(main())
