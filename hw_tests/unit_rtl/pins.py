#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pins of a unit plain C: from Verilator's own list of its ports, a header and its shim.

usage: pins.py header UNIT MAX.xml... [--bits NAME...]       the header on standard output
       pins.py shim   UNIT THIS.xml   [--bits NAME...] --of MAX.xml...   the C++ behind it
       both with [--top MODULE] [--join NAME=PORT,PORT...] [--poke NAME=INSTANCE.MEMORY...]

UNIT is the top module, if --top does not say so of a wrapper; the .xml files are what `verilator --xml-only` says of it. One header serves
all configurations: its fields are as wide and as many as in the largest, which is given; the shim of a
configuration moves those that it has. In C:

  port `name_i` of a unit `tma_x`   field `name` of `struct x_in`, `name_o` of `struct x_out`
  1 to 64 bits                      the smallest integer that holds them, signed as in the RTL
  more bits                         bytes, lowest first
  `some_t`, a packed struct         `struct x_some`; commands and records are those of tma_abi.h
  mbarrier objects                  a word of 64 bits, as in memory
  an array                          an array, element 0 first
  NAME of --bits                    a vector that is meant as an array of bits: a byte for each
  NAME of --poke                    a function x_poke_NAME() that writes a word of a memory inside
  NAME of --join                    `PORT_some` of each of the ports as element of an array `NAME_some`
"""

import argparse
import re
import sys
import xml.etree.ElementTree as ET

# Their layout in bits is that of the C structs: both are generated.
ABI = {"tma_isa_pkg::command_t": ("struct tma_command", 512),
       "tma_isa_pkg::record_t": ("struct tma_record", 256)}
WORDS = ("tma_isa_pkg::barrier_t",)  # objects in memory, whose layout is the architecture's
CLOCKS = ("clk_i", "ap_clk")
RESERVED = ("interrupt",)  # words that Verilator keeps clear of: it puts __SYM__ before them


class Int:
    def __init__(self, width, signed):
        self.width, self.signed = width, signed

    def c_type(self):
        size = next(s for s in (8, 16, 32, 64) if s >= self.width)
        return f"{'' if self.signed else 'u'}int{size}_t"


class Bytes:
    def __init__(self, width):
        self.width = width


class Array:
    def __init__(self, of, count):
        self.of, self.count, self.width = of, count, of.width * count


class Struct:
    """Fields from the lowest bit on."""

    def __init__(self, name, fields):
        self.name, self.fields = name, fields
        self.width = sum(kind.width for _, kind in fields)


class Abi:
    def __init__(self, c_name, width):
        self.c_name, self.width = c_name, width


def bad(message):
    sys.exit(f"pins.py: {message}")


class Unit:
    """The ports of one configuration: name -> (direction, field, type, unpacked elements, element or None)."""

    def __init__(self, name, path, bits, join, module):
        root = ET.parse(path).getroot()
        top = next((m for m in root.iter("module") if m.get("topModule") == "1"), None)
        if top is None or top.get("origName") != module:
            bad(f"{path}: {module} is not its top module")
        self.name, self.prefix, self.bits, self.used = name, name.removeprefix("tma_"), set(bits), set()
        self.dtypes = {t.get("id"): t for t in root.find("netlist/typetable")}
        self.ports, self.clock, self.reset = {}, None, None
        for var in top.findall("var"):
            if var.get("dir") is None:
                continue
            port = var.get("name")
            if port in CLOCKS:
                self.clock = port
                continue
            if var.get("dir") not in ("input", "output"):
                bad(f"{port}: neither input nor output")
            field = re.sub(r"_(i|o|ni|no)$", lambda m: "_n" if "n" in m[1] else "", var.get("origName"))
            self.reset = field if field.endswith("rst_n") else self.reset
            field, element = self.joined(field, join)
            dtype, unpacked = self.dtypes[var.get("dtype_id")], 0
            if dtype.tag == "unpackarraydtype":
                unpacked = self.count(dtype)
                dtype = self.dtypes[dtype.get("sub_dtype_id")]
            port = "__SYM__" + port if port in RESERVED else port
            self.ports[port] = (var.get("dir"), field, self.kind(dtype, field), unpacked, element)
        if self.bits - self.used:
            bad(f"{name}: no vectors {', '.join(sorted(self.bits - self.used))}")

    @staticmethod
    def joined(field, join):
        for name, ports in join.items():
            for i, port in enumerate(ports):
                if field == port or field.startswith(port + "_"):
                    return name + field[len(port):], i
        return field, None

    @staticmethod
    def count(dtype):
        left, right = (int(c.get("name").split("h")[-1], 16) for c in dtype.iter("const"))
        return abs(left - right) + 1

    def kind(self, dtype, field):
        tag, sub = dtype.tag, dtype.get("sub_dtype_id")
        if tag == "basicdtype":
            width = abs(int(dtype.get("left", 0)) - int(dtype.get("right", 0))) + 1
            if field in self.bits:
                self.used.add(field)
                return Array(Int(1, False), width)
            return Int(width, dtype.get("signed") == "true") if width <= 64 else Bytes(width)
        if tag in ("refdtype", "enumdtype"):
            return self.kind(self.dtypes[sub], field)
        if tag == "packarraydtype":
            return Array(self.kind(self.dtypes[sub], field), self.count(dtype))
        if tag == "structdtype":
            if dtype.get("name") in ABI:
                return Abi(*ABI[dtype.get("name")])
            if dtype.get("name") in WORDS:
                return Int(64, False)
            fields = [(m.get("name"), self.kind(self.dtypes[m.get("sub_dtype_id")], m.get("name")))
                      for m in dtype.findall("memberdtype")]
            name = re.sub(r"_t$", "", re.split(r"[.:]", dtype.get("name"))[-1])
            return Struct(f"{self.prefix}_{name}", fields[::-1])
        return bad(f"{field}: {tag} is not known")


def widest(a, b, where):
    """The type that holds the values of both."""
    if type(a) is not type(b):
        both = {type(a), type(b)}
        if both == {Int, Bytes}:
            return a if isinstance(a, Bytes) else b
        bad(f"{where}: the configurations differ in kind")
    if isinstance(a, Array):
        return Array(widest(a.of, b.of, where), max(a.count, b.count))
    if isinstance(a, Struct):
        if [n for n, _ in a.fields] != [n for n, _ in b.fields]:
            bad(f"{where}: the configurations differ in fields")
        return Struct(a.name, [(n, widest(x, y, f"{where}.{n}"))
                               for (n, x), (_, y) in zip(a.fields, b.fields)])
    return a if a.width >= b.width else b


def merged(units):
    """Fields of the header: name -> (direction, type, unpacked elements or 0)."""
    fields = {}
    for unit in units:
        for way, field, kind, unpacked, element in unit.ports.values():
            key, unpacked = (way, field), unpacked if element is None else element + 1
            if key in fields:
                old, count = fields[key]
                kind, unpacked = widest(old, kind, field), max(count, unpacked)
            fields[key] = (kind, unpacked)
    return fields


def as_declared(kind, have):
    """A configuration's type, told as the header does: what is wide in the largest is bytes in all."""
    if isinstance(kind, Array):
        return Array(as_declared(kind.of, have.of), kind.count)
    if isinstance(kind, Struct):
        return Struct(kind.name, [(n, as_declared(x, y)) for (n, x), (_, y) in zip(kind.fields, have.fields)])
    return Bytes(kind.width) if isinstance(have, Bytes) else kind


def declare(kind, name):
    if isinstance(kind, Array):
        return declare(kind.of, f"{name}[{kind.count}]")
    if isinstance(kind, Bytes):
        return f"uint8_t {name}[{(kind.width + 7) // 8}]"
    if isinstance(kind, Struct):
        return f"struct {kind.name} {name}"
    return f"{kind.c_name if isinstance(kind, Abi) else kind.c_type()} {name}"


def structs(kinds):
    """Each struct once, those inside of others first."""
    found = {}

    def visit(kind):
        if isinstance(kind, Array):
            visit(kind.of)
        if isinstance(kind, Struct):
            for _, inner in kind.fields:
                visit(inner)
            found[kind.name] = widest(found.get(kind.name, kind), kind, kind.name)

    for kind in kinds:
        visit(kind)
    return found


def poke_head(unit, name):
    return f"void {unit.prefix}_poke_{name}(struct {unit.prefix} *u, uint32_t index, uint64_t value)"


def header(units, pokes):
    prefix, fields = units[0].prefix, merged(units)
    guard = f"{units[0].name.upper()}_PINS_H"
    out = ["/* SPDX-License-Identifier: Apache-2.0 */",
           f"/* Generated by pins.py: the pins of {units[0].name} as plain C. */",
           f"#ifndef {guard}", f"#define {guard}", "", '#include "tma_abi.h"', '#include "unit_rtl/unit.h"', "",
           "#ifdef __cplusplus", 'extern "C" {', "#endif", "", f"struct {prefix};", ""]
    for name, kind in structs(k for k, _ in fields.values()).items():
        out += [f"struct {name} {{"] + [f"\t{declare(k, n)};" for n, k in kind.fields[::-1]] + ["};", ""]
    for way, suffix in (("input", "in"), ("output", "out")):
        out.append(f"struct {prefix}_{suffix} {{")
        for (direction, field), (kind, unpacked) in fields.items():
            if direction == way:
                out.append(f"\t{declare(Array(kind, unpacked) if unpacked else kind, field)};")
        out += ["};", ""]
    p = f"struct {prefix}"
    out += [f"{p} *{prefix}_open(void);", f"void {prefix}_close({p} *u);",
            f"{p}_in *{prefix}_in({p} *u);", f"const {p}_out *{prefix}_out(const {p} *u);",
            f"void {prefix}_eval({p} *u);"]
    if units[0].clock:
        out += [f"void {prefix}_tick({p} *u);", f"void {prefix}_edge({p} *u);", f"void {prefix}_start({p} *u);"]
    out += [f"{poke_head(units[0], name)};" for name in pokes]
    return out + ["", "#ifdef __cplusplus", "}", "#endif", "#endif"]


def move(put, kind, base, at, value, indent, loops=""):
    """Lines that move one value; it starts at bit `at` of the port, and further by `loops`."""
    tab, verb = "\t" * indent, "put" if put else "get"
    if isinstance(kind, Array):
        i = "ijkl"[loops.count("*")]
        return [f"{tab}for (unsigned {i} = 0; {i} < {kind.count}; {i}++) {{",
                *move(put, kind.of, base, at, f"{value}[{i}]", indent + 1, f"{loops} + {kind.of.width} * {i}"),
                f"{tab}}}"]
    if isinstance(kind, Struct):
        lines = []
        for name, inner in kind.fields:
            lines += move(put, inner, base, at, f"{value}.{name}", indent, loops)
            at += inner.width
        return lines
    if not isinstance(kind, Int):
        return [f"{tab}{verb}_bytes({base}, {at}{loops}, {kind.width}, &{value});"]
    if put:
        return [f"{tab}put_bits({base}, {at}{loops}, {kind.width}, {value});"]
    return [f"{tab}{value} = get_{'signed' if kind.signed else 'bits'}({base}, {at}{loops}, {kind.width});"]


def shim(unit, units, pokes):
    prefix, fields = unit.prefix, merged(units)
    for way, field, kind, unpacked, _ in unit.ports.values():
        have, count = fields.get((way, field), (None, 0))
        if have is None or widest(have, kind, field).width > have.width or unpacked > count:
            bad(f"{field}: larger than the header has it")
    p = f"struct {prefix}"
    out = ["/* SPDX-License-Identifier: Apache-2.0 */",
           f"/* Generated by pins.py: pins of the Verilated {unit.name} <-> the C structs of its header. */",
           '#include "shape.h"', '#include "unit_rtl/unit.hpp"', "", f'#include "V{unit.name}.h"',
           *([f'#include "V{unit.name}___024root.h"'] if pokes else []),
           f'#include "{unit.name}_pins.h"', "",
           f"{p} {{", f'\tverilated_unit<V{unit.name}> rtl{{ "{unit.name}" }};', f"\t{p}_in in = {{}};",
           f"\t{p}_out out = {{}};", ""]
    for put in (True, False):
        out += [f"\tvoid {'put' if put else 'get'}_pins()", "\t{"]
        for port, (way, field, kind, unpacked, element) in unit.ports.items():
            if (way == "input") != put:
                continue
            value = f"{'in' if put else 'out'}.{field}{'' if element is None else f'[{element}]'}"
            kind = as_declared(kind, fields[way, field][0])
            for n in [f"[{i}]" for i in range(unpacked)] or [""]:
                base = f"bits(rtl.top->{port}{n})"
                out += move(put, kind, base, 0, value + n, 2)
        out += ["\t}", ""]
    clock = [f"\tu->rtl.top->{unit.clock} = 0;"] if unit.clock else []
    out[-1:] = ["};", "", f"{p} *{prefix}_open(void)", "{", f"\tauto *u = new struct {prefix};", "", *clock,
                "\treturn u;", "}", "",
                f"void {prefix}_close({p} *u)", "{", "\tdelete u;", "}", "",
                f"{p}_in *{prefix}_in({p} *u)", "{", "\treturn &u->in;", "}", "",
                f"const {p}_out *{prefix}_out(const {p} *u)", "{", "\treturn &u->out;", "}", "",
                f"void {prefix}_eval({p} *u)", "{", "\tu->put_pins();", "\tu->rtl.eval();", "\tu->get_pins();", "}"]
    if unit.clock:
        out += ["", f"void {prefix}_tick({p} *u)", "{", f"\tu->rtl.tick(u->rtl.top->{unit.clock});",
                "\tu->get_pins();", "}", "",
                f"void {prefix}_edge({p} *u)", "{", f"\tu->rtl.edge(u->rtl.top->{unit.clock});", "}", "",
                f"void {prefix}_start({p} *u)", "{", f"\tu->in.{unit.reset} = 0;",
                "\tfor (unsigned i = 0; i < 2; i++) {", f"\t\t{prefix}_eval(u);", f"\t\t{prefix}_tick(u);", "\t}",
                f"\tu->in.{unit.reset} = 1;", "}"]
    for name, path in pokes.items():
        inside = "__DOT__".join([unit.name, *path.split(".")])
        out += ["", poke_head(unit, name), "{", f"\tu->rtl.top->rootp->{inside}[index] = value;", "}"]
    return out


def main():
    parser = argparse.ArgumentParser(description="a C header and a C++ shim for the pins of a unit")
    parser.add_argument("what", choices=("header", "shim"))
    parser.add_argument("unit")
    parser.add_argument("xml", nargs="+")
    parser.add_argument("--top", help="the module, if it is a wrapper of the unit and has a name of its own")
    parser.add_argument("--of", nargs="+", default=[], metavar="XML", help="shim: those that the header was made of")
    parser.add_argument("--bits", nargs="*", default=[], metavar="NAME", help="vectors that become arrays of bits")
    parser.add_argument("--join", nargs="*", default=[], metavar="NAME=PORT,...", help="ports that become an array")
    parser.add_argument("--poke", nargs="*", default=[], metavar="NAME=PATH", help="memories inside that can be written")
    args = parser.parse_args()
    pokes = dict(poke.split("=") for poke in args.poke)
    join = {name: ports.split(",") for name, ports in (j.split("=") for j in args.join)}

    def units(paths):
        return [Unit(args.unit, path, args.bits, join, args.top or args.unit) for path in paths]

    if args.what == "header":
        lines = header(units(args.xml), pokes)
    else:
        lines = shim(units(args.xml)[0], units(args.of), pokes)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
