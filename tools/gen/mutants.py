#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/gen/mutants.md, what is wrong in each mutant of `make mutants` and what has to notice it, from the patches."""

import argparse
import sys

from emit_docs import head, table
from gen import REPOSITORY, write

MUTANTS = "hw_tests/mutants"

sys.path.append(str(REPOSITORY / MUTANTS))

from run import Error, Mutant


def page(mutants):
    """docs/gen/mutants.md"""
    return (head("Mutants", f"{MUTANTS}/*.patch") +
            "`make mutants` makes each of these mistakes in the RTL and runs the suite beside it, in which something then has\n"
            "to fail: a test, a cover property that is met no more, its time limit. Suites whose name begins with `unit-` run\n"
            "the module with little around it, all others the whole engine. How it is done:\n"
            f"[{MUTANTS}](../../{MUTANTS}/README.md).\n\n" +
            table(["module", "what is wrong", "who notices"],
                  [[" ".join(f"`{f}`" for f in m.modules), m.what, f"`{m.target}`"]
                   for m in sorted(mutants, key=lambda m: (m.modules, m.name))]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    args = parser.parse_args()
    try:
        mutants = [Mutant(p) for p in (REPOSITORY / MUTANTS).glob("*.patch")]
    except Error as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 1
    write(args.out, "docs/gen/mutants.md", page(mutants))
    return 0


if __name__ == "__main__":
    sys.exit(main())
