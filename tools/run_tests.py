#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test suites, each a make target, and adds up what they report.

What the suites need is built first, by all jobs together; then as many suites run side by side as
there are jobs. Nothing is left to build by then, so they do not meet.

A suite passes when its command ends with status 0 inside the time limit, reports at least one
test, passed or skipped, and no failure. Two forms of report are understood: cmocka's, and lines that consist of
`N passed, N failed` (with `, N skipped` after it, perhaps). The last line printed is the sum.

With a journal a run that was stopped goes on where it was: suites that have passed are counted, not run again, while
the sources and what was asked for (`--variables`) stay as they are. A run that comes to its end takes its journal with it.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

CMOCKA_PASSED = re.compile(r"^\[  PASSED  \] (\d+) test\(s\)\.")
CMOCKA_FAILED = re.compile(r"^\[  FAILED  \] (\d+) test\(s\), listed below:")
PLAIN = re.compile(r"^(?:\S+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
# A rule in make's own print of its data base; of a pattern or a variable, nothing is wanted.
RULE = re.compile(r"^([^\s#%=:]+):(?!=)(?::)? ?([^=]*)$")
TAIL_LINES = 40


def digest(variables):
    """Of make's variables and all sources here but documents, which no suite's verdict depends on. None where there is no git to
    list them."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if listed.returncode != 0:
        return None
    total = hashlib.sha256(variables.encode())
    for name in sorted(listed.stdout.decode().split("\0")):
        if os.path.isfile(name) and not name.startswith("docs/") and not name.endswith(".md"):
            with open(name, "rb") as f:
                total.update(name.encode() + b"\0" + hashlib.sha256(f.read()).digest())
    return total.hexdigest()


class Journal:
    """The suites that have passed of a run: its first line is the digest of the sources, each other one a suite."""

    def __init__(self, path, variables):
        self.path, self.passed = path, {}
        self.lock = threading.Lock()
        if not path:
            return
        sources = digest(variables)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                lines = f.read().splitlines()
            if sources and lines and lines[0] == sources:
                # The last line may have been cut off.
                self.passed = {e["suite"]: e for e in map(json.loads, filter(lambda line: line.endswith("}"), lines[1:]))}
        with open(path, "w", encoding="utf-8") as f:
            f.write(f"{sources}\n")
            f.writelines(json.dumps(entry) + "\n" for entry in self.passed.values())

    def add(self, entry):
        """A suite has passed."""
        if self.path:
            with self.lock, open(self.path, "a", encoding="utf-8") as f:
                f.write(json.dumps(entry) + "\n")

    def end(self):
        """The run has come to its end."""
        if self.path:
            os.remove(self.path)


def count(text):
    """What a log reports: tests passed, failed and skipped."""
    passed = failed = skipped = 0
    for line in text.splitlines():
        line = line.strip()
        if m := CMOCKA_PASSED.match(line):
            passed += int(m.group(1))
        elif m := CMOCKA_FAILED.match(line):
            failed += int(m.group(1))
        elif m := PLAIN.match(line):
            passed += int(m.group(1))
            failed += int(m.group(2))
            skipped += int(m.group(3) or 0)
    return passed, failed, skipped


def run(command, log, limit):
    """Runs a command into a log file. Returns its status, or None when its time was over, and the
    seconds of processor that it and all its children took."""
    with open(log, "wb") as out:
        out.write(f"SEED={os.environ.get('SEED', '1')}\n".encode())
        out.flush()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        # The suite's own children have to go as well, or they slow down the next suite.
        timer = threading.Timer(limit, os.killpg, (child.pid, signal.SIGKILL))
        timer.start()
        try:
            _, status, used = os.wait4(child.pid, 0)
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise
        finally:
            ended = timer.is_alive()
            timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        return child.returncode if ended else None, used.ru_utime + used.ru_stime


def needs(database, suites):
    """Files that the suites' targets depend on, directly or by way of phony targets, in order."""
    rules, phony = {}, set()
    for line in database.splitlines():
        match = RULE.match(line)
        if not match:
            continue
        names = match.group(2).split("|")[0].split()
        if match.group(1) == ".PHONY":
            phony.update(names)
        else:
            rules.setdefault(match.group(1), []).extend(names)
    files, seen, left = [], set(), list(suites)
    while left:
        target = left.pop(0)
        if target in seen:
            continue
        seen.add(target)
        for name in rules.get(target, []):
            if name in phony:
                left.append(name)
            elif name not in files:
                files.append(name)
    return files


def build(make, jobs, suites, log):
    """Builds what the suites need. What cannot be built fails again, and counts, in its suite."""
    shown = subprocess.run(make + ["--print-data-base", "--question"] + suites, check=False,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, errors="replace")
    files = needs(shown.stdout, suites)
    if not files:
        return
    start = time.monotonic()
    with open(log, "wb") as out:
        status = subprocess.run(make + [f"-j{jobs}", "--keep-going", "--output-sync=line"] + files,
                                check=False, stdin=subprocess.DEVNULL, stdout=out,
                                stderr=subprocess.STDOUT).returncode
    note = "" if status == 0 else f" (not everything: {log})"
    print(f"built what the suites need{note}  [{time.monotonic() - start:.0f} s]", flush=True)


def judge(make, suite, args, journal):
    """Runs a suite, unless it is in the journal, and prints how it went. Returns its entry."""
    if entry := journal.passed.get(suite):
        print(line_of("ok", entry, f" (before, SEED={entry['seed']})"), flush=True)
        return entry
    log = os.path.join(args.logs, f"{suite}.log")
    start = time.monotonic()
    status, processor = run(make + ["-j1", "--output-sync=line", suite], log, args.limit)
    seconds = time.monotonic() - start
    with open(log, encoding="utf-8", errors="replace") as f:
        text = f.read()
    passed, failed, skipped = count(text)

    problem = None
    if status is None:
        problem = f"no end after {args.limit:.0f} s"
    elif status != 0 and failed == 0:
        problem = f"exit status {status}"
    elif passed + failed + skipped == 0:
        problem = "no test was run"
    if problem:
        failed += 1

    entry = {"suite": suite, "passed": passed, "failed": failed, "skipped": skipped, "seconds": seconds,
             "processor": processor, "seed": os.environ.get("SEED", "1")}
    if not failed:
        journal.add(entry)
    lines = [line_of("FAIL" if failed else "ok", entry, f" ({problem})" if problem else "")]
    if failed:
        lines.append(f"      the end of {log}:")
        lines += [f"      | {line}" for line in text.splitlines()[-TAIL_LINES:]]
    print("\n".join(lines), flush=True)
    return entry


def line_of(verdict, entry, note):
    """What is printed of a suite."""
    skipped = f", {entry['skipped']} skipped" if entry["skipped"] else ""
    return (f"{verdict:4}  {entry['suite']:24} {entry['passed']:6} passed, {entry['failed']} failed{skipped}{note}  "
            f"[{entry['seconds']:.0f} s, processor {entry['processor']:.0f} s]")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--make", default="make", help="command that builds a target")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600, help="seconds per suite")
    parser.add_argument("--logs", required=True, help="directory for the suites' output")
    parser.add_argument("--journal", help="file for what has passed, so that a run that was stopped goes on")
    parser.add_argument("--variables", default="", help="make's variables that decide what the suites of the journal do")
    parser.add_argument("--alone", action="append", default=[], metavar="SUITE",
                        help="a suite that measures time: it runs behind all others, nothing beside it")
    parser.add_argument("suites", nargs="*")
    args = parser.parse_args()

    os.makedirs(args.logs, exist_ok=True)
    # The suites' makes get their own job count; the caller's job server is not theirs.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)

    make = shlex.split(args.make) + ["--no-print-directory"]
    if os.environ.get("SEED"):
        print(f"SEED={os.environ['SEED']} repeats what is random", flush=True)
    journal = Journal(args.journal, args.variables)
    build(make, args.jobs, [s for s in args.suites + args.alone if s not in journal.passed], os.path.join(args.logs, "build.log"))

    with concurrent.futures.ThreadPoolExecutor(max(1, args.jobs)) as pool:
        entries = list(pool.map(lambda suite: judge(make, suite, args, journal), args.suites))
    entries += [judge(make, suite, args, journal) for suite in args.alone]
    journal.end()
    total_passed, total_failed = (sum(e[what] for e in entries) for what in ("passed", "failed"))

    # The dearest first, for those who look for minutes.
    entries.sort(key=lambda e: e["processor"], reverse=True)
    with open(os.path.join(args.logs, "costs"), "w", encoding="utf-8") as f:
        f.writelines(f"{e['processor']:8.1f} {e['seconds']:8.1f}  {e['suite']}\n" for e in entries)
    print(f"processor: {sum(e['processor'] for e in entries):.0f} s in all; the dearest: "
          + ", ".join(f"{e['suite']} {e['processor']:.0f} s" for e in entries[:8]))

    # Nothing run is not a success.
    if total_passed + total_failed == 0:
        print("no suite was run")
    summary = f"{total_passed} passed, {total_failed} failed"
    with open(os.path.join(args.logs, "summary"), "w", encoding="utf-8") as f:
        f.write(summary + "\n")
    print(summary, flush=True)
    return 0 if total_failed == 0 and total_passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
