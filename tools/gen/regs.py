#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes everything that comes from rtl/spec/tma.rdl and rtl/spec/shell.rdl. Needs systemrdl-compiler."""

import argparse
import sys

from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.node import RegfileNode, RegNode

import emit_regs
import spec as specification
from gen import REPOSITORY, write

OUTPUTS = {
    "rtl/gen/tma_csr_pkg.sv": emit_regs.package,
    "host/include/tma_regs.h": emit_regs.header,
    "host/src/register_table.c": emit_regs.lookup,
    "docs/gen/registers.md": emit_regs.document,
}
SHELL = REPOSITORY / "rtl/spec/shell.rdl"
SHELL_OUTPUTS = {
    "rtl/gen/tma_shell_pkg.sv": lambda r: emit_regs.package(r, emit_regs.SHELL_PACKAGE_HEAD, "Shell"),
    "host/include/tma_shell.h": lambda r: emit_regs.header(r, emit_regs.SHELL_HEADER_HEAD, "TMA_SHELL"),
    "docs/gen/shell.md": emit_regs.document_shell,
}


def load(path, printer=None):
    """The register map as plain data, so that the back ends know nothing of the compiler.

    `printer` takes the compiler's messages, otherwise they go to stderr.
    """
    compiler = RDLCompiler(message_printer=printer)
    compiler.compile_file(str(path))
    return [_entry(node, f"registers {path}") for node in
            compiler.elaborate().top.children(unroll=False)]


def _entry(node, label):
    label = f"{label}, {node.inst_name}"
    entry = {"name": node.inst_name, "address": node.raw_address_offset,
             "title": node.get_property("name"), "text": node.get_property("desc") or "",
             "count": node.array_dimensions[0] if node.is_array else 0,
             "stride": node.array_stride if node.is_array else 0, "elements": []}
    if node.is_array and len(node.array_dimensions) != 1:
        raise specification.SpecError(f"{label}: more than one array dimension")
    if isinstance(node, RegfileNode):
        entry["registers"] = [_entry(child, label) for child in node.children(unroll=False)]
        entry["elements"] = [(e.name, e.text) for e in node.get_property("elements", default=[])]
        if entry["elements"] and len(entry["elements"]) != entry["count"]:
            raise specification.SpecError(f"{label}: {len(entry['elements'])} element names for "
                                          f"{entry['count']} elements")
        if not node.is_array:
            raise specification.SpecError(f"{label}: a register file must be an array")
    elif isinstance(node, RegNode):
        if node.size != 4:
            raise specification.SpecError(f"{label}: a register must have 32 bits")
        entry["fields"] = [_field(field, label) for field in node.fields()]
        # A word that the build decides has no reset value here.
        resets = [f["reset"] for f in entry["fields"]]
        entry["reset"] = None if None in resets else sum(
            f["reset"] << f["lsb"] for f in entry["fields"])
        entry["writable"] = sum((1 << f["bits"]) - 1 << f["lsb"] for f in entry["fields"]
                                if f["writable"])
    else:
        raise specification.SpecError(f"{label}: neither a register nor a register file")
    return entry


def _field(field, label):
    if not field.get_property("desc"):
        raise specification.SpecError(f"{label}, {field.inst_name}: `desc` is missing")
    return {"name": field.inst_name, "lsb": field.low, "bits": field.width,
            "reset": field.get_property("reset"), "writable": field.is_sw_writable,
            "clears_on_read": field.get_property("onread") is not None,
            "clears_on_write": field.get_property("onwrite") is not None,
            "pulses": bool(field.get_property("singlepulse")),
            "text": field.get_property("desc")}


def check(registers, spec):
    """What rtl/spec/tma.toml says as well must agree."""
    by_name = {r["name"]: r for r in registers}
    version = {f["name"]: f["reset"] for f in by_name["VERSION"]["fields"]}
    for key in ("major", "minor"):
        if version[key] != spec["abi"][key]:
            raise specification.SpecError(f"register VERSION, {key}: {version[key]} here, "
                                          f"{spec['abi'][key]} in tma.toml")
    if by_name["CAP"]["count"] != specification.CAP_WORDS:
        raise specification.SpecError("register CAP: needs as many words as tma.toml's `cap`")


def words(registers):
    """Every word of a map: (address, name)."""
    for entry in registers:
        for i in range(max(entry["count"], 1)):
            base = entry["address"] + i * entry["stride"]
            for register in entry.get("registers", [{"address": 0}]):
                yield base + register["address"], entry["name"]


def check_shell(shell, engine):
    """The shell's words are where the engine has none."""
    taken = dict(words(engine))
    for address, name in words(shell):
        if address in taken:
            raise specification.SpecError(f"shell.rdl, {name}: the engine has {taken[address]} at "
                                          f"0x{address:03X}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", default=REPOSITORY / "rtl/spec/tma.rdl")
    parser.add_argument("--isa", default=REPOSITORY / "rtl/spec/tma.toml")
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    args = parser.parse_args()
    try:
        registers = load(args.spec)
        check(registers, specification.load(args.isa))
        shell = load(SHELL)
        check_shell(shell, registers)
    except (RDLCompileError, specification.SpecError) as error:
        print(f"regs: {error}", file=sys.stderr)
        return 1
    for path, emit in OUTPUTS.items():
        write(args.out, path, emit(registers))
    for path, emit in SHELL_OUTPUTS.items():
        write(args.out, path, emit(shell))
    return 0


if __name__ == "__main__":
    sys.exit(main())
