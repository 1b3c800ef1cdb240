# SPDX-License-Identifier: Apache-2.0
"""The list of proofs, proofs.toml: what may stand in it."""

import functools
import os
import sys
import tomllib

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/synth"))
from check import Design  # noqa: E402

PROOF = {"name": str, "says": str, "top": str, "rules": list, "config": str, "parameters": dict, "depth": int,
         "induction": int, "bound": str, "combinational": bool, "cover_depth": int, "afresh": bool, "mutant": list}
MUTANT = {"name": str, "file": str, "from": str, "to": str, "refuted_by": str, "depth": int}
OPTIONAL = {"rules", "parameters", "induction", "bound", "combinational", "cover_depth", "afresh", "mutant"}
KINDS = ("induction", "bound", "combinational")


def check(entry, fields, optional, what):
    """Raises ValueError, which names the field and the rule, if an entry of the list is not one."""
    for field, value in entry.items():
        if field not in fields:
            raise ValueError(f"{what}: {field}: there is no such field")
        if not isinstance(value, fields[field]):
            raise ValueError(f"{what}: {field}: must be of type {fields[field].__name__}")
    for field in fields.keys() - optional - entry.keys():
        raise ValueError(f"{what}: {field}: must be there")


def check_proof(proof):
    what = f"proof \"{proof.get('name', '?')}\""
    check(proof, PROOF, OPTIONAL, what)
    if sum(field in proof for field in KINDS) != 1:
        raise ValueError(f"{what}: one of {', '.join(KINDS)} must be there")
    if not proof.get("mutant"):
        raise ValueError(f"{what}: mutant: a proof needs one")
    for mutant in proof["mutant"]:
        check(mutant, MUTANT, {"depth"}, f"{what}, mutant \"{mutant.get('name', '?')}\"")


def check_texts(proof, root):
    """Raises ValueError if a mutant changes what is not in its file exactly once."""
    for mutant in proof["mutant"]:
        with open(os.path.join(root, mutant["file"]), encoding="utf-8") as f:
            found = f.read().count(mutant["from"])
        if found != 1:
            raise ValueError(f"proof \"{proof['name']}\", mutant \"{mutant['name']}\": from: stands {found} times in "
                             f"{mutant['file']}, must stand there once")


def read(directory):
    """The proofs, each with its mutants."""
    with open(os.path.join(directory, "proofs.toml"), "rb") as f:
        proofs = tomllib.load(f)["proof"]
    for proof in proofs:
        check_proof(proof)
        check_texts(proof, os.path.join(directory, "../.."))
    return proofs


@functools.lru_cache
def design(*files):
    return Design(list(files), [])


def sources(proof, harness, files):
    """What a proof is read from: its configuration and, of `files`, the RTL below that, and its own, what its harness needs.

    To read all would be most of a short proof's time."""
    own = [os.path.join(harness, f"{name}.sv") for name in proof.get("rules", []) + [proof["top"]]]
    return [proof["config"], *design(*files, *own).sources(proof["top"])]


def kind(proof):
    """For which runs a proof holds."""
    if "combinational" in proof:
        return "every input, no state"
    return "unbounded, by induction" if "induction" in proof else f"up to {proof['bound']}"

