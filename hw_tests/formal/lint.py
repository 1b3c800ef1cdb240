#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Elaborates the harness of each proof with Verilator: lint.py --harness FOLDER [--header FILE]... FILE...

Harnesses look into the RTL, so a register that is renamed breaks a proof. That is seen here in a fraction of a second,
by whoever renames it; what the harness says is for the solver."""

import argparse
import concurrent.futures
import os
import subprocess
import sys

import proof_list


def command(proof, harness, headers, files):
    """Verilator's, for the harness of a proof."""
    includes = sorted({f"-I{os.path.dirname(h)}" for h in headers})
    parameters = [f"-G{k}={v}" for k, v in proof.get("parameters", {}).items()]
    return ["verilator", "--lint-only", "-DSYNTHESIS", "-Wno-lint", "-Wno-style", "-Wno-fatal", "--reloop-limit", "256",
            *includes, *parameters, "--top-module", proof["top"], *proof_list.sources(proof, harness, files)]


def judge(job):
    """What Verilator has against a proof, nothing if it elaborates."""
    done = subprocess.run(command(*job), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--harness", required=True, help="directory of the harnesses and the list")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("files", nargs="+", help="the RTL below the configuration package")
    args = parser.parse_args()

    proofs = proof_list.read(args.harness)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        errors = list(pool.map(judge, [(p, args.harness, args.header, args.files) for p in proofs]))
    for proof, error in zip(proofs, errors):
        if error:
            print(f"FAIL  {proof['name']}:\n{error}")
    failed = sum(bool(e) for e in errors)
    print(f"{len(proofs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
