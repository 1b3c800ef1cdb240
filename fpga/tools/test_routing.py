#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""When a router is given up, and that the command then ends: test_routing.py OUT_DIR"""

import os
import sys
import time

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../tools/synth"))
import ecp5_flow  # noqa: E402
import flow       # noqa: E402

LINE = "Info:     iter={} wires=1200000 overused={} overuse={} archfail=NA\n"


def given_up(rounds):
    """In which round, counted from 1, patience ends; None if it does not."""
    patience = ecp5_flow.Patience()
    for i, wires in enumerate(rounds):
        if patience(LINE.format(i + 1, wires, wires)):
            return i + 1
    return None


def program(out, name, script, *hopeless):
    """Seconds, or None where it was stopped, or "fails"; and its log."""
    log = os.path.join(out, name)
    try:
        seconds = flow.run(["/bin/sh", "-c", script], log, *hopeless)
    except SystemExit:
        seconds = "fails"
    with open(log, encoding="utf-8") as f:
        return seconds, f.read()


def cases(out):
    """(what, whether it is so)"""
    stale = ecp5_flow.Patience.ROUNDS
    yield "a router that gets better is never given up", given_up(range(10 * stale, 0, -1)) is None
    yield "one that waits a round less than patience lasts goes on", given_up([9] + [9] * (stale - 1) + [8] * stale) is None
    yield "one that waits as long as that is given up", given_up([9] * (stale + 1)) == stale + 1
    yield "better than the round before is not better than ever", given_up([9] + [12, 11] * stale) == stale + 1
    yield "other lines are no rounds", not any(map(ecp5_flow.Patience(), ["Info: iter=3 steplen=2.0\n"] * 2 * stale))

    start = time.monotonic()
    yield "a command is stopped in the line that says so", program(
        out, "stopped", "echo one; echo two; exec sleep 60", lambda line: line == "two\n") == (None, "one\ntwo\n")
    yield "it does not go on", time.monotonic() - start < 30
    seconds, log = program(out, "ends", "echo one; echo two >&2")
    yield "a command that ends says its seconds", isinstance(seconds, float) and log == "one\ntwo\n"
    yield "a command that fails fails", program(out, "fails", "exit 3") == ("fails", "")


def main():
    out, = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    results = list(cases(out))
    for what, good in results:
        if not good:
            print(f"FAIL  {what}")
    failed = sum(not good for _, good in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
