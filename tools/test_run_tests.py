#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_tests.py on suites that pass, fail, say nothing, lie or never end, and `make -n`, which must not
run it: test_run_tests.py WORK_DIR"""

import os
import shutil
import subprocess
import sys

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
    ([], "0 passed, 0 failed", 1),
)


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
    for target in ("test", "regress"):
        good = dry_run(os.path.dirname(os.path.dirname(tool)), work, target)
        passed += good
        if not good:
            print(f"FAIL  make -n {target} runs suites")
    failed = len(CASES) + 2 - passed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
