# SPDX-License-Identifier: Apache-2.0
"""Writes registers as SystemVerilog package, C header, documentation and, those of the engine, table to look names up."""

from emit_docs import head, table
from spec import block_comment, camel

PACKAGE_HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/spec/tma.rdl by make gen. Do not edit.
//
// Addresses, fields and reset values of the registers. Registers of an array of blocks have an
// Offset from their block instead of an Addr. Writable: bits that a write may change.
package tma_csr_pkg;

  // A package offers all constants, no build uses each of them.
  /* verilator lint_off UNUSEDPARAM */
"""

HEADER_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/tma.rdl by make gen. Do not edit. */
/*
 * tma_regs - byte addresses and fields of the registers. A field's MASK is in place: use
 * (word & MASK) >> SHIFT. Fields that fill their register have neither.
 */
#ifndef TMA_REGS_H
#define TMA_REGS_H

#ifdef __cplusplus
extern "C" {
#endif
"""

SHELL_PACKAGE_HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/spec/shell.rdl by make gen. Do not edit.
//
// Addresses, fields and reset values of the registers of the shell. Writable: bits that a write may change.
package tma_shell_pkg;

  // A package offers all constants, no build uses each of them.
  /* verilator lint_off UNUSEDPARAM */
"""

SHELL_HEADER_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/shell.rdl by make gen. Do not edit. */
/*
 * tma_shell - byte addresses and fields of the registers that a card has in front of those of the engine, which
 * tma_regs.h has. For back ends.
 */
#ifndef TMA_SHELL_H
#define TMA_SHELL_H

#ifdef __cplusplus
extern "C" {
#endif
"""

TABLE_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/tma.rdl by make gen. Do not edit. */
/* Names, addresses and fields of the registers, to be looked up. */
#include <stddef.h>

#include "register_table.h"
"""


def package(registers, begin=PACKAGE_HEAD, prefix="Csr"):
    text = begin
    for entry in registers:
        text += "\n" + block_comment(f"{entry['title']}. {entry['text']}", "  // ")
        name = prefix + camel(entry["name"])
        text += f"  localparam logic [16:0] {name}Addr = 17'h{entry['address']:05X};\n"
        if entry["count"]:
            text += (f"  localparam int unsigned {name}Count = {entry['count']}, "
                     f"{name}Stride = {entry['stride']};\n")
        if "registers" in entry:
            for register in entry["registers"]:
                inner = name + camel(register["name"])
                text += (f"  localparam logic [16:0] {inner}Offset = "
                         f"17'h{register['address']:05X};\n")
                text += _package_register(inner, register)
        else:
            text += _package_register(name, entry)
    text += "  /* verilator lint_on UNUSEDPARAM */\n"
    for entry in registers:
        if entry["elements"]:
            text += _package_enum(entry)
    return text + "\nendpackage\n"


def _package_register(name, register):
    text = ""
    if register["reset"] is not None:
        text += f"  localparam logic [31:0] {name}Reset = 32'h{register['reset']:08X};\n"
    if register["writable"]:
        text += f"  localparam logic [31:0] {name}Writable = 32'h{register['writable']:08X};\n"
    for field in register["fields"]:
        if field["bits"] < 32:
            inner = name + camel(field["name"])
            text += (f"  localparam int unsigned {inner}Lsb = {field['lsb']}, "
                     f"{inner}Width = {field['bits']};\n")
    return text


def _package_enum(entry):
    bits = (entry["count"] - 1).bit_length()
    prefix = camel(entry["name"])
    pad = max(len(n) for n in (prefix + camel(e[0]) for e in entry["elements"]))
    last = entry["count"] - 1
    rows = "".join(f"    {prefix + camel(n):{pad}} = {bits}'d{i}{',' if i < last else ''}  // {t}\n"
                   for i, (n, t) in enumerate(entry["elements"]))
    return (f"\n  // Index of each {entry['name'].lower()}.\n"
            f"  typedef enum logic [{bits - 1}:0] {{\n{rows}  }} {entry['name'].lower()}_e;\n")


def header(registers, begin=HEADER_HEAD, prefix="TMA_REG"):
    text = begin
    for entry in registers:
        text += "\n" + block_comment(f"{entry['title']}. {entry['text']}")
        name = f"{prefix}_{entry['name']}"
        if entry["count"]:
            text += f"#define {name}_COUNT {entry['count']}u\n"
            text += (f"#define {name}(i) "
                     f"(0x{entry['address']:03X}u + 0x{entry['stride']:X}u * (i))\n")
        else:
            text += f"#define {name} 0x{entry['address']:03X}u\n"
        if "registers" in entry:
            for register in entry["registers"]:
                inner = f"{name}_{register['name']}"
                text += f"#define {inner}(i) ({name}(i) + 0x{register['address']:02X}u)\n"
                text += _header_register(inner, register)
        else:
            text += _header_register(name, entry)
        if entry["elements"]:
            text += "\n" + _header_enum(entry)
    return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"


def _header_register(name, register):
    text = f"#define {name}_RESET 0x{register['reset']:08X}u\n" if register["reset"] else ""
    for field in register["fields"]:
        if field["bits"] < 32:
            inner = f"{name}_{field['name'].upper()}"
            mask = (1 << field["bits"]) - 1 << field["lsb"]
            text += f"#define {inner}_SHIFT {field['lsb']} /* {field['text']} */\n"
            text += f"#define {inner}_MASK 0x{mask:08X}u\n"
    return text


def _header_enum(entry):
    rows = "".join(f"\tTMA_{entry['name']}_{n} = {i}, /* {t} */\n"
                   for i, (n, t) in enumerate(entry["elements"]))
    name = entry["name"]
    return (f"/* Index of TMA_REG_{name}(). */\n"
            f"enum tma_{name.lower()} {{\n{rows}}};\n")


def document_shell(registers):
    text = head("Registers of the shell", "rtl/spec/shell.rdl")
    text += ("The words that a card has in front of the [registers of the engine](registers.md), at addresses where those have none. "
             "[Back ends](../back-ends.md#registers-of-the-shell) says what the shell is for. Bits not listed read zero and ignore "
             "writes; what is read-only refuses them.\n\n")
    return text + _document_map(registers)


def lookup(registers):
    """The table that names are looked up in."""
    text, rows = TABLE_HEAD, ""
    for entry in registers:
        elements = "NULL"
        if entry["elements"]:
            elements = f"{entry['name'].lower()}_elements"
            names = "".join(f'\t"{n}",\n' for n, _ in entry["elements"])
            text += f"\nstatic const char *const {elements}[] = {{\n{names}}};\n"
        for register in entry.get("registers", [entry]):
            inner = register is not entry
            fields = "_".join([entry["name"]] + [register["name"]] * inner).lower() + "_fields"
            values = "".join(f'\t{{ "{f["name"]}", {f["lsb"]}, {f["bits"]} }},\n'
                             for f in register["fields"])
            text += f"\nstatic const struct register_field {fields}[] = {{\n{values}}};\n"
            block = f'"{entry["name"]}"' if entry["count"] else "NULL"
            name = "NULL" if entry["count"] and not inner else f'"{register["name"]}"'
            address = entry["address"] + register["address"] * inner
            rows += (f"\t{{ {block}, {name}, 0x{address:05X}, {max(entry['count'], 1)}, "
                     f"0x{entry['stride']:X}, {elements},\n"
                     f"\t  {fields}, {len(register['fields'])} }},\n")
    return (f"{text}\nconst struct register_info register_table[] = {{\n{rows}}};\n\n"
            "const uint32_t register_table_size = "
            "sizeof(register_table) / sizeof(register_table[0]);\n")


def document(registers):
    text = head("Registers", "rtl/spec/tma.rdl")
    text += ("AXI4-Lite, 32-bit words. Page 0 is privileged; page q + 1, 4 KiB at 0x1000 * (q + 1), is for the software that uses queue q. 64 KiB hold the pages of 15 queues. A write to a read-only or unknown address, and a "
             "read of an unknown one, answers SLVERR and changes nothing. Bits not listed read "
             "zero and ignore writes. The words of `CAP` are the [capabilities](cap.md), the codes "
             "in `FAULT` the [faults](faults.md).\n\n")
    return text + _document_map(registers)


def _document_map(registers):
    rows = []
    for entry in registers:
        at = f"`0x{entry['address']:03X}`"
        if entry["count"]:
            at = f"`0x{entry['address']:03X} + 0x{entry['stride']:X} * i`, i < {entry['count']}"
        rows.append([at, f"`{entry['name']}`", entry["text"]])
    text = table(["address", "name", "meaning"], rows)
    for entry in registers:
        text += f"\n## {entry['name']}\n\n{entry['title']}. {entry['text']}".rstrip() + "\n\n"
        text += _document_rows(entry)
        if entry["elements"]:
            text += "\n" + table(["i", "name", "meaning"],
                                 [[i, f"`{n}`", t] for i, (n, t) in enumerate(entry["elements"])])
    return text


def _document_rows(entry):
    block = entry.get("registers")
    rows = []
    for register in block or [entry]:
        for field in register["fields"]:
            top = field["lsb"] + field["bits"] - 1
            span = str(top) if field["bits"] == 1 else f"{top}:{field['lsb']}"
            place = [f"`+0x{register['address']:02X}`", f"`{register['name']}`"] if block else []
            rows.append(place + [span, f"`{field['name']}`", "rw" if field["writable"] else "r",
                                 "-" if field["reset"] is None else f"0x{field['reset']:X}",
                                 field["text"]])
    titles = ["bits", "field", "access", "reset", "meaning"]
    text = table((["offset", "register"] if block else []) + titles, rows)
    for register in block or []:
        text += f"\n`{register['name']}`: {register['text']}\n"
    return text
