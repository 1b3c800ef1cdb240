#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what comes from rtl/spec/config.toml: the check of a configuration, and its table."""

import argparse
import re
import sys
import tomllib

from emit_docs import head, table
from gen import REPOSITORY, write

SPEC = "rtl/spec/config.toml"
KEYS = {"name", "meaning", "values", "min", "max", "multiple"}
LINE = 110

HEAD = f"""\
// SPDX-License-Identifier: Apache-2.0
// Generated from {SPEC} by make gen. Do not edit.
//
// Refuses a configuration that is out of range: elaboration fails with the parameter's name, in
// simulation and in synthesis. No logic.

module tma_cfg_check;

  import tma_cfg_pkg::*;
"""


class ConfigError(Exception):
    """A parameter that cannot be checked."""


def load(path):
    """The parameters, in the order of the file."""
    with open(path, "rb") as file:
        parameters = tomllib.load(file)["parameter"]
    names = set()
    for p in parameters:
        name = p.get("name", "?")
        if not re.fullmatch(r"[A-Z][A-Za-z]*", name) or name in names:
            raise ConfigError(f"parameter {name}: not a name of its own")
        names.add(name)
        if "meaning" not in p or set(p) - KEYS:
            raise ConfigError(f"parameter {name}: no meaning, or an unknown key")
        if ("values" in p) == ("min" in p) or ("min" in p) != ("max" in p):
            raise ConfigError(f"parameter {name}: either values, or min and max")
        if not is_legal(p, (p["values"] if "values" in p else (p["min"], p["max"]))[-1]):
            raise ConfigError(f"parameter {name}: the greatest value is out of range")
    return parameters


def is_legal(p, value):
    """Whether a parameter may have this value."""
    if "values" in p:
        return value in p["values"]
    return p["min"] <= value <= p["max"] and value % p.get("multiple", 1) == 0


def _size(value):
    return f"{value // 2**20} MiB" if value >= 2**20 else str(value)


def words(p):
    """What it may be."""
    if "values" in p:
        return ", ".join(str(v) for v in p["values"])
    text = f"{_size(p['min'])}..{_size(p['max'])}"
    if "multiple" in p:
        text = f"multiple of {p['multiple']}, {text}"
    return text


def condition(p):
    """The same in SystemVerilog."""
    name = p["name"]
    if "values" in p:
        return " || ".join(f"{name} == {v}" for v in p["values"])
    terms = [f"{name} >= {p['min']}", f"{name} <= {p['max']}"]
    if "multiple" in p:
        terms.append(f"{name} % {p['multiple']} == 0")
    return " && ".join(terms)


def check(parameters):
    """rtl/gen/tma_cfg_check.sv"""
    parts = [HEAD]
    for p in parameters:
        label = re.sub(r"(?<!^)([A-Z])", r"_\1", p["name"]).lower()
        line = f"  if (!({condition(p)})) begin : g_{label}\n"
        if len(line) > LINE:
            line = re.sub(r" (&&|\|\|) ", r" \1\n        ", line)
        parts.append(line +
                     f"    $error(\"{p['name']} is %0d, it may be: {words(p)}\", {p['name']});\n"
                     "  end\n")
    return "\n".join(parts) + "\nendmodule\n"


def page(parameters):
    """docs/gen/configuration.md"""
    return (head("Configuration", SPEC) +
            "Parameters of the package `tma_cfg_pkg`. Whatever is out of range fails at elaboration.\n\n" +
            table(["parameter", "meaning", "range"],
                  [[f"`{p['name']}`", p["meaning"], words(p)] for p in parameters]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    args = parser.parse_args()
    try:
        parameters = load(REPOSITORY / SPEC)
    except (ConfigError, KeyError, tomllib.TOMLDecodeError) as error:
        print(f"config: {error}", file=sys.stderr)
        return 1
    write(args.out, "rtl/gen/tma_cfg_check.sv", check(parameters))
    write(args.out, "docs/gen/configuration.md", page(parameters))
    return 0


if __name__ == "__main__":
    sys.exit(main())
