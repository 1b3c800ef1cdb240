#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test suites, each a make target, and adds up what they report.

A suite passes when its command ends with status 0 inside the time limit, reports at least one
test and no failure. Two forms of report are understood: cmocka's, and lines that consist of
`N passed, N failed` (with `, N skipped` after it, perhaps). The last line printed is the sum.
"""

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import time

CMOCKA_PASSED = re.compile(r"^\[  PASSED  \] (\d+) test\(s\)\.")
CMOCKA_FAILED = re.compile(r"^\[  FAILED  \] (\d+) test\(s\), listed below:")
PLAIN = re.compile(r"^(?:\S+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
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
    """Runs a command into a log file. Returns its status, or None when its time was over."""
    with open(log, "wb") as out:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        try:
            return child.wait(limit)
        except subprocess.TimeoutExpired:
            # The suite's own children have to go as well, or they slow down the next suite.
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return None
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise


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

    total_passed = total_failed = 0
    for suite in args.suites:
        log = os.path.join(args.logs, f"{suite}.log")
        command = shlex.split(args.make) + ["--no-print-directory", f"-j{args.jobs}",
                                            "--output-sync=line", suite]
        start = time.monotonic()
        status = run(command, log, args.limit)
        seconds = time.monotonic() - start
        with open(log, encoding="utf-8", errors="replace") as f:
            text = f.read()
        passed, failed, skipped = count(text)

        problem = None
        if status is None:
            problem = f"no end after {args.limit:.0f} s"
        elif status != 0 and failed == 0:
            problem = f"exit status {status}"
        elif passed + failed == 0:
            problem = "no test was run"
        if problem:
            failed += 1

        total_passed += passed
        total_failed += failed
        note = f", {skipped} skipped" if skipped else ""
        note += f" ({problem})" if problem else ""
        verdict = "FAIL" if failed else "ok"
        print(f"{verdict:4}  {suite:24} {passed:6} passed, {failed} failed{note}  "
              f"[{seconds:.0f} s]", flush=True)
        if failed:
            print(f"      the end of {log}:")
            for line in text.splitlines()[-TAIL_LINES:]:
                print(f"      | {line}")

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
