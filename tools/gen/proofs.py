#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/gen/proofs.md, what `make formal` proves and refutes, from hw_tests/formal/proofs.toml."""

import argparse
import os
import re
import sys
import tomllib

from emit_docs import head, table
from gen import REPOSITORY, write

FORMAL = "hw_tests/formal"

sys.path.append(str(REPOSITORY / FORMAL))

import proof_list

# A parameter of a harness that has a number for its default, as the harnesses write them: a line each.
PARAMETER = re.compile(r"^ *parameter +(?:bit|int unsigned) +(\w+) *= *(?:1'b)?(\d+),?(?: *//.*)?$", re.MULTILINE)


def size(proof, harness):
    """Configuration of a proof and all parameters of its harness, of which that is the text: those that the list does not set
    have the harness' defaults."""
    config = os.path.basename(proof["config"]).removeprefix("tma_cfg_").removesuffix("_pkg.sv")
    parameters = dict(PARAMETER.findall(harness)) | proof.get("parameters", {})
    return ", ".join([f"`{config}`"] + [f"{k} {v}" for k, v in parameters.items()])


def page(proofs):
    """docs/gen/proofs.md"""
    return (head("Proofs", f"{FORMAL}/proofs.toml") +
            "`make formal` runs them all. Each has to hold for the runs that the third column says, to reach all its\n"
            "covers, and to be refuted, from reset, on each mutant, by the property that the list names.\n"
            "Harnesses are in `hw_tests/formal/`, where also the configurations that are none of the engine's are;\n"
            "what each assumes of its surroundings stands in its first lines.\n\n" +
            table(["proof", "what holds", "in which runs", "harness", "of the size", "refuted when"],
                  [[p["name"], p["says"], proof_list.kind(p), f"`{p['top']}`",
                    size(p, (REPOSITORY / FORMAL / f"{p['top']}.sv").read_text(encoding="utf-8")),
                    "; ".join(m["name"] for m in p["mutant"])] for p in proofs]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    args = parser.parse_args()
    try:
        proofs = proof_list.read(REPOSITORY / FORMAL)
    except (ValueError, KeyError, tomllib.TOMLDecodeError) as error:
        print(f"proofs: {error}", file=sys.stderr)
        return 1
    write(args.out, "docs/gen/proofs.md", page(proofs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
