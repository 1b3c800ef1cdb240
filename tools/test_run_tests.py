#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_tests.py on suites that pass, fail, say nothing, lie or never end, runs that are stopped, and `make -n`, which must not
run it: test_run_tests.py WORK_DIR"""

import os
import shutil
import subprocess
import sys
import time

MAKEFILE = """
plain:; @echo 'suite: 2 passed, 0 failed'; echo '3 passed, 0 failed, 1 skipped'
cmocka:; @echo '[==========] 4 test(s) run.'; echo '[  PASSED  ] 4 test(s).'
failing:; @echo '1 passed, 2 failed'; exit 1
broken:; @echo '[  PASSED  ] 3 test(s).'; echo '[  FAILED  ] 1 test(s), listed below:'; exit 1
crash:; @echo '5 passed, 0 failed'; exit 7
silent:; @echo nothing was run
skipping:; @echo 'a tool is missing'; echo '0 passed, 0 failed, 1 skipped'
quiet_failure:; @echo '1 passed, 1 failed'
endless:; @echo '1 passed, 0 failed'; sleep 60
# Both need the same file, which takes its time: it is made once, before they run.
.PHONY: first second deeper
first: deeper; @test "$$(cat count)" = x && echo '1 passed, 0 failed'
deeper: part; @echo deeper
second: part; @test "$$(cat count)" = x && echo '1 passed, 0 failed'
part:; @sleep 1; printf x >>count; touch part
# A file that cannot be made fails the suite that needs it.
needy: nothing; @echo '1 passed, 0 failed'
nothing:; @exit 3
once:; @printf x >>runs; echo '1 passed, 0 failed'
slow:; @sleep 2; echo '1 passed, 0 failed'
busy:; @touch running; sleep 1; rm running; echo '1 passed, 0 failed'
lonely:; @sleep 0.3; test ! -e running && echo '1 passed, 0 failed'
"""
# suites, last line, exit status
CASES = (
    (["plain"], "5 passed, 0 failed", 0),
    (["plain", "cmocka"], "9 passed, 0 failed", 0),
    (["failing", "plain"], "6 passed, 2 failed", 1),
    (["broken"], "3 passed, 1 failed", 1),
    (["crash"], "5 passed, 1 failed", 1),
    (["skipping", "plain"], "5 passed, 0 failed", 0),
    (["skipping"], "0 passed, 0 failed", 1),
    (["silent", "plain"], "5 passed, 1 failed", 1),
    (["quiet_failure"], "1 passed, 1 failed", 1),
    (["endless"], "1 passed, 1 failed", 1),
    (["no_such_suite"], "0 passed, 1 failed", 1),
    (["first", "second"], "2 passed, 0 failed", 0),
    (["needy", "plain"], "5 passed, 1 failed", 1),
    (["--alone", "lonely", "busy"], "2 passed, 0 failed", 0),
    (["--alone", "failing", "busy"], "2 passed, 2 failed", 1),
    ([], "0 passed, 0 failed", 1),
)


class Sitting:
    """Runs that are stopped, on sources in a git repository of their own."""

    def __init__(self, tool, work):
        self.work = os.path.join(work, "sitting")
        self.journal = os.path.join(self.work, "logs", "journal")
        self.command = [sys.executable, tool, "--make", "make", "--jobs", "2", "--logs", "logs", "--journal", self.journal]
        os.makedirs(self.work)
        self.write("Makefile", MAKEFILE)
        self.write(".gitignore", "logs\nruns\n")
        subprocess.run(["git", "init", "-q", self.work], check=True)

    def write(self, name, text):
        with open(os.path.join(self.work, name), "w", encoding="utf-8") as f:
            f.write(text)

    def stop(self):
        """A run that is killed when `failing` has failed and `once` passed, and `slow` has not ended."""
        run = subprocess.Popen(self.command + ["slow", "failing", "once"], cwd=self.work, stdout=subprocess.DEVNULL)
        for _ in range(100):
            if os.path.exists(self.journal):
                with open(self.journal, encoding="utf-8") as f:
                    if "once" in f.read():
                        break
            time.sleep(0.1)
        run.kill()
        run.wait()

    def go_on(self, *suites, variables=""):
        """The last line of another run, how often `once` was run until then, and whether its journal is gone."""
        run = subprocess.run(self.command + ["--variables", variables] + list(suites), cwd=self.work, stdout=subprocess.PIPE, check=False, text=True)
        with open(os.path.join(self.work, "runs"), encoding="utf-8") as f:
            return run.stdout.splitlines()[-1], len(f.read()), not os.path.exists(self.journal)

    def cases(self):
        """(what, whether it is so)"""
        self.stop()
        yield "a run goes on where it was stopped", self.go_on("once", "plain") == ("6 passed, 0 failed", 1, True)
        yield "a run that has ended is not gone on with", self.go_on("once") == ("1 passed, 0 failed", 2, True)
        self.stop()
        with open(self.journal, "a", encoding="utf-8") as f:
            f.write('{"suite": "pla')
        yield "a line that was cut off counts for nothing", self.go_on("once", "plain") == ("6 passed, 0 failed", 3, True)
        self.stop()
        self.write("notes.md", "a document")
        yield "documents may change", self.go_on("once") == ("1 passed, 0 failed", 4, True)
        self.stop()
        self.write("source", "another one")
        yield "other sources are another run", self.go_on("once") == ("1 passed, 0 failed", 6, True)
        self.stop()
        yield "what has failed is run again", self.go_on("failing", "once") == ("2 passed, 2 failed", 7, True)
        self.stop()
        yield "other variables are another run", self.go_on("once", variables="DEEP=1") == ("1 passed, 0 failed", 9, True)


def dry_run(root, work, target):
    """Does `make -n TARGET` of this project say what it would run, and run nothing?"""
    suites = f"{'TEST' if target == 'test' else 'REGRESS'}_TARGETS=help"
    shown = subprocess.run(["make", "-n", "-C", root, f"BUILD={work}/dry", suites, target],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, text=True).stdout
    return "run_tests.py" in shown and not os.path.exists(os.path.join(work, "dry", target))


def main():
    work = os.path.abspath(sys.argv[1])
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    with open(os.path.join(work, "Makefile"), "w", encoding="utf-8") as f:
        f.write(MAKEFILE)
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_tests.py")
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    passed = 0
    for suites, last, status in CASES:
        run = subprocess.run([sys.executable, tool, "--make", f"make -C {work}", "--limit", "5", "--jobs", "2",
                              "--logs", os.path.join(work, "logs")] + suites,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, text=True)
        good = run.stdout.splitlines()[-1] == last and run.returncode == status
        passed += good
        if not good:
            print(f"FAIL  {suites}: wanted '{last}' and status {status}, got {run.returncode} and:\n{run.stdout}")
    sittings = list(Sitting(tool, work).cases())
    for what, good in sittings:
        passed += good
        if not good:
            print(f"FAIL  {what}")
    for target in ("test", "regress"):
        good = dry_run(os.path.dirname(os.path.dirname(tool)), work, target)
        passed += good
        if not good:
            print(f"FAIL  make -n {target} runs suites")
    failed = len(CASES) + len(sittings) + 2 - passed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
