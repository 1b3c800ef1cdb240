#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test suites, each a make target, and adds up what they report.

What the suites need is built first, by all jobs together; then as many suites run side by side as
there are jobs. Nothing is left to build by then, so they do not meet.

A suite passes when its command ends with status 0 inside the time limit, reports at least one
test, passed or skipped, and no failure. Two forms of report are understood: cmocka's, and lines that consist of
`N passed, N failed` (with `, N skipped` after it, perhaps). The last line printed is the sum.
"""

import argparse
import concurrent.futures
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


def judge(make, suite, args):
    """Runs a suite and prints how it went. Returns how many tests passed and failed, and its cost."""
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

    note = f", {skipped} skipped" if skipped else ""
    note += f" ({problem})" if problem else ""
    lines = [f"{'FAIL' if failed else 'ok':4}  {suite:24} {passed:6} passed, {failed} failed{note}  "
             f"[{seconds:.0f} s, processor {processor:.0f} s]"]
    if failed:
        lines.append(f"      the end of {log}:")
        lines += [f"      | {line}" for line in text.splitlines()[-TAIL_LINES:]]
    print("\n".join(lines), flush=True)
    return passed, failed, (processor, seconds, suite)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--make", default="make", help="command that builds a target")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600, help="seconds per suite")
    parser.add_argument("--logs", required=True, help="directory for the suites' output")
    parser.add_argument("suites", nargs="*")
    args = parser.parse_args()

    os.makedirs(args.logs, exist_ok=True)
    # The suites' makes get their own job count; the caller's job server is not theirs.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)

    make = shlex.split(args.make) + ["--no-print-directory"]
    if os.environ.get("SEED"):
        print(f"SEED={os.environ['SEED']} repeats what is random", flush=True)
    build(make, args.jobs, args.suites, os.path.join(args.logs, "build.log"))

    total_passed = total_failed = 0
    costs = []
    with concurrent.futures.ThreadPoolExecutor(max(1, args.jobs)) as pool:
        for passed, failed, cost in pool.map(lambda suite: judge(make, suite, args), args.suites):
            total_passed += passed
            total_failed += failed
            costs.append(cost)

    # The dearest first, for those who look for minutes.
    with open(os.path.join(args.logs, "costs"), "w", encoding="utf-8") as f:
        f.writelines(f"{processor:8.1f} {seconds:8.1f}  {suite}\n" for processor, seconds, suite
                     in sorted(costs, reverse=True))
    print(f"processor: {sum(c[0] for c in costs):.0f} s in all; the dearest: "
          + ", ".join(f"{c[2]} {c[0]:.0f} s" for c in sorted(costs, reverse=True)[:8]))

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
