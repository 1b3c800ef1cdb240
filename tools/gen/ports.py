#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what an integrator needs of the engine's ports: their table, and a template of an instance.

Directions and widths are what Verilator says of the module's head in each configuration; groups and meanings are the
comments of that head, and where a signal has none, what AXI says of it.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from emit_docs import head, table
from gen import REPOSITORY, write
from lists import ListError, parsed

sys.path.append(str(REPOSITORY / "hw_tests/unit_rtl"))
import pins  # noqa: E402 (its folder had to be said first)

ENGINE = "rtl/tma_engine.sv"
TOP = "tma_engine"
PAGE = "docs/gen/ports.md"
TEMPLATE = "rtl/gen/tma_engine_template.svh"

HEAD = re.compile(rf"^module {TOP}\b.*?^\);$", re.MULTILINE | re.DOTALL)
PORT = re.compile(r"^  (input|output)\s+logic\s*((?:\[[^\]]+\])*)\s*(\w+),?\s*(?://\s*(.*))?$")
COMMENT = re.compile(r"^  // (.*)$")

# What AXI says, of the full protocol and the light one.
CHANNELS = {"ar": "a read address is", "aw": "a write address is", "w": "write data is", "r": "read data is", "b": "a write response is"}
SIGNALS = {
    "valid": "{0} offered", "ready": "and taken", "id": "id of the burst", "data": "byte 0 in bits 7:0",
    "strb": "bytes that count", "last": "last beat of the burst", "resp": "OKAY, SLVERR or DECERR",
}


class PortError(Exception):
    """A port that no page can tell of."""


def meaning_of(name, comment):
    if comment:
        return comment
    m = re.fullmatch(r"(?:m_axi|s_axil)_(ar|aw|w|r|b)([a-z]+)_[io]", name)
    if not m or m[2] not in SIGNALS:
        raise PortError(f"{ENGINE}: {name} has no comment")
    return SIGNALS[m[2]].format(CHANNELS[m[1]])


def groups_of(text):
    """[(title, [(direction, dimensions, name, meaning)])] of the module's head."""
    m = HEAD.search(text)
    if not m:
        raise PortError(f"{ENGINE}: no module {TOP} whose ports end with `);`")
    groups = []
    for line in m[0].split("(\n", 1)[1].splitlines()[:-1]:
        if port := PORT.match(line):
            if not groups:
                groups.append(("Clock and reset.", []))
            groups[-1][1].append((port[1], port[2], port[3], meaning_of(port[3], port[4])))
        elif comment := COMMENT.match(line):
            groups.append((comment[1], []))
        elif line.strip():
            raise PortError(f"{ENGINE}: not a port: {line.strip()}")
        elif groups and groups[-1][1]:
            groups.append(("", []))
    # Ports behind an empty line without a comment are a group of what is left.
    return [(title or "The rest.", ports) for title, ports in groups if ports]


def elaborated(text, sources):
    """Port -> (direction, elements, bits of one) as Verilator has it with these packages."""
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "head.sv").write_text(HEAD.search(text)[0] + "\nendmodule\n", encoding="utf-8")
        run = subprocess.run(["verilator", "--xml-only", "--xml-output", work / "head.xml", "--Mdir", work,
                              "--top-module", TOP, "-Wno-lint", "-Wno-style",
                              *(REPOSITORY / s for s in sources if s.endswith("_pkg.sv")), work / "head.sv"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if run.returncode:
            raise PortError(f"{ENGINE}: {run.stderr.strip()}")
        unit = pins.Unit(TOP, work / "head.xml", [], {}, TOP)
    ports = {"clk_i": ("input", 1, 1)}
    for name, (direction, _, kind, _, _) in unit.ports.items():
        if isinstance(kind, pins.Array):
            ports[name] = (direction, kind.count, kind.of.width)
        else:
            ports[name] = (direction, 1, kind.width)
    return ports


def width(port, dimensions):
    """As an integrator writes it: an element per port of the engine or CTA, or one vector."""
    _, elements, bits = port
    return f"{elements} x {bits}" if dimensions.count("[") > 1 else str(elements * bits)


def page(groups, configs):
    text = head("Ports of tma_engine", ENGINE)
    text += ("Widths in bits, of each configuration; `2 x 64`: one element of 64 bits for each global port or CTA, element 0 in the "
             "lowest bits.\n[Integration guide](../integration-guide.md#ports): what the protocols promise.\n")
    for title, ports in groups:
        rows = [[f"`{name}`", "in" if direction == "input" else "out",
                 *(width(ports_of[name], dimensions) for ports_of in configs.values()), meaning]
                for direction, dimensions, name, meaning in ports]
        text += f"\n## {title.rstrip('.')}\n\n" + table(["signal", "", *configs, "meaning"], rows)
    return text


def qualified(dimensions):
    """Constants of tma_pkg by their full names."""
    return re.sub(r"\b([A-Z]\w+)", r"tma_pkg::\1", dimensions)


def template(groups):
    names = [name for _, ports in groups for _, _, name, _ in ports]
    text = ("// SPDX-License-Identifier: Apache-2.0\n"
            f"// Generated from {ENGINE} by make gen. Do not edit.\n"
            "//\n// An instance of the engine, in any configuration, and a signal for each of its pins: paste it into the module that has it,\n"
            "// and drive the inputs.\n\n")
    for title, ports in groups:
        text += f"// {title}\n"
        for direction, dimensions, name, _ in ports:
            text += f"{'logic ' + qualified(dimensions):58} {signal(name)};  // {'to' if direction == 'input' else 'of'} the engine\n"
        text += "\n"
    pins_text = ",\n".join(f"  .{name:20}({signal(name)})" for name in names)
    return text + f"{TOP} u_tma (\n{pins_text}\n);\n"


def signal(name):
    return "tma_" + re.sub(r"_(i|o|ni)$", lambda m: "_n" if m[1] == "ni" else "", name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    parser.add_argument("--config", action="append", default=[], metavar="NAME=FILES", help="in compile order")
    args = parser.parse_args()
    text = (REPOSITORY / ENGINE).read_text(encoding="utf-8")
    try:
        groups = groups_of(text)
        configs = {name: elaborated(text, files) for name, files in parsed(args.config).items()}
        for direction, _, name, _ in (p for _, ports in groups for p in ports):
            if any(direction != ports[name][0] for ports in configs.values()):
                raise PortError(f"{name}: its direction was read wrong")
        write(args.out, PAGE, page(groups, configs))
        write(args.out, TEMPLATE, template(groups))
    except (PortError, ListError) as error:
        print(f"ports: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
