#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes fpga/vitis/gen: what Vitis wants to be told of the kernels, from their ports, the register source of the shell and the
table of cards. Needs systemrdl-compiler."""

import argparse
import pathlib
import sys
import tomllib

from systemrdl import RDLCompileError

import kernel
import regs
import spec as specification
from gen import REPOSITORY, write

FOLDER = "fpga/vitis/gen"
CARDS = REPOSITORY / "fpga/vitis/cards.toml"
CARD_KEYS = {"name": str, "platform": str, "memory": str, "banks": int, "first": int}

KERNEL = "tma_kernel"
VENDOR, LIBRARY, VERSION = "tramway", "kernel", "1.0"
CONTROL = "s_axi_control"

# What Vivado calls registers of ap_ctrl_hs. The others of the shell stay out of its map: package_xo takes every register
# behind 0x0F for an argument of the kernel.
NAMES = {"CTRL": "CTRL", "GIE": "GIER", "IER": "IP_IER", "ISR": "IP_ISR"}

TCL_HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# Generated from rtl/spec/shell.rdl and rtl/pkg/tma_cfg_{config}_pkg.sv by make gen. Do not edit.
#
# What package_kernel.tcl tells Vivado of the kernel of configuration `{config}`.
"""
CFG_HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# Generated from fpga/vitis/cards.toml and rtl/pkg/tma_cfg_{config}_pkg.sv by make gen. Do not edit.
"""
XML_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Generated from rtl/spec/shell.rdl and rtl/pkg/tma_cfg_{config}_pkg.sv by make gen. Do not edit. -->
"""


class VitisError(Exception):
    """Something that no kernel or no link can be made of."""


def port_name(index):
    return f"m_axi_gmem{index}"


def argument_name(index):
    return f"memory{index}"


def argument_offsets(shell, ports):
    """Where the pointer argument of each global port is."""
    entry = next(e for e in shell if e["name"] == "ARGUMENT")
    if ports > entry["count"]:
        raise VitisError(f"shell.rdl, ARGUMENT: {entry['count']} for {ports} global ports")
    return [entry["address"] + i * entry["stride"] for i in range(ports)]


def kernel_xml(config, values, shell):
    offsets = argument_offsets(shell, values["NumPorts"])
    lines = [
        '<root versionMajor="1" versionMinor="6">',
        f'  <kernel name="{KERNEL}" language="ip_c" vlnv="{VENDOR}:{LIBRARY}:{KERNEL}:{VERSION}" attributes=""',
        '          preferredWorkGroupSizeMultiple="0" workGroupSize="1" interrupt="true" hwControlProtocol="ap_ctrl_hs">',
        "    <ports>",
        f'      <port name="{CONTROL}" mode="slave" range="0x{1 << kernel.ADDRESS_BITS:X}" dataWidth="32" '
        'portType="addressable" base="0x0"/>']
    lines += [f'      <port name="{port_name(i)}" mode="master" range="0xFFFFFFFFFFFFFFFF" '
              f'dataWidth="{values["DataWidth"]}" portType="addressable" base="0x0"/>' for i in range(len(offsets))]
    lines += ["    </ports>", "    <args>"]
    lines += [f'      <arg name="{argument_name(i)}" addressQualifier="1" id="{i}" port="{port_name(i)}" size="0x8" '
              f'offset="0x{at:X}" type="void*" hostOffset="0x0" hostSize="0x8"/>' for i, at in enumerate(offsets)]
    lines += ["    </args>", "  </kernel>", "</root>"]
    return XML_HEAD.format(config=config) + "\n".join(lines) + "\n"


def tcl_field(field):
    access = "read-write" if field["writable"] else "read-only"
    write_action = "oneToClear" if field["clears_on_write"] else "modify" if field["pulses"] else "none"
    read_action = "clear" if field["clears_on_read"] else "none"
    return (f"    {{{field['name'].upper()} {field['lsb']} {field['bits']} {access} {write_action} {read_action} "
            f"{{{field['text']}}}}}\n")


def description_tcl(config, values, shell):
    text = TCL_HEAD.format(config=config) + f"""
set tma_kernel {KERNEL}
set tma_vendor {VENDOR}
set tma_library {LIBRARY}
set tma_version {VERSION}
set tma_control {CONTROL}
set tma_control_bytes {1 << kernel.ADDRESS_BITS}

# Of ap_ctrl_hs: name, offset, bits, what it is, fields: name, lsb, bits, access, of a write, of a read, what it is.
set tma_registers {{
"""
    for entry in shell:
        if entry["name"] in NAMES:
            fields = "".join(tcl_field(f) for f in entry["fields"])
            text += (f"  {{{NAMES[entry['name']]} 0x{entry['address']:03X} 32 {{{entry['title']}. {entry['text']}}} {{\n"
                     f"{fields}  }}}}\n")
    text += "}\n\n# Pointers: name, offset, bits, port, bits of the port.\nset tma_arguments {\n"
    for i, at in enumerate(argument_offsets(shell, values["NumPorts"])):
        text += f"  {{{argument_name(i)} 0x{at:03X} 64 {port_name(i)} {values['DataWidth']}}}\n"
    return text + "}\n"


def load_cards(path):
    """The cards, each with what it needs."""
    with open(path, "rb") as file:
        cards = tomllib.load(file)["card"]
    for card in cards:
        label = f"cards.toml, {card.get('name', 'a card without a name')}"
        for key, kind in CARD_KEYS.items():
            if type(card.get(key)) is not kind:
                raise VitisError(f"{label}: `{key}` has to be a {'number' if kind is int else 'text'}")
        if set(card) - set(CARD_KEYS):
            raise VitisError(f"{label}: `{min(set(card) - set(CARD_KEYS))}` is not known")
        if card["memory"] not in ("HBM", "DDR"):
            raise VitisError(f"{label}: `memory` is {card['memory']}, it may be: HBM, DDR")
        if not 0 <= card["first"] < card["banks"]:
            raise VitisError(f"{label}: `first` is {card['first']} of {card['banks']} banks")
    names = [card["name"] for card in cards]
    if len(set(names)) != len(names):
        raise VitisError(f"cards.toml: two cards have the name {max(names, key=names.count)}")
    return cards


def shares(card, ports):
    """First and last bank of each port: of HBM as many as there are, of DDR, each of which is large, one."""
    banks = list(range(card["first"], card["banks"]))
    if ports > len(banks):
        raise VitisError(f"cards.toml, {card['name']}: {len(banks)} banks for {ports} global ports")
    each = len(banks) // ports if card["memory"] == "HBM" else 1
    return [(banks[i * each], banks[i * each + each - 1]) for i in range(ports)]


def connectivity(config, values, card):
    text = CFG_HEAD.format(config=config) + f"\n[connectivity]\nnk={KERNEL}:1:{KERNEL}_1\n"
    for i, (first, last) in enumerate(shares(card, values["NumPorts"])):
        banks = f"{first}:{last}" if last > first else f"{first}"
        text += f"sp={KERNEL}_1.{port_name(i)}:{card['memory']}[{banks}]\n"
    return text


def cards_mk(cards):
    text = ("# SPDX-License-Identifier: Apache-2.0\n# Generated from fpga/vitis/cards.toml by make gen. Do not edit.\n\n"
            f"CARDS := {' '.join(card['name'] for card in cards)}\n")
    return text + "".join(f"XPLATFORM_{card['name']} := {card['platform']}\n" for card in cards)


def files(shell, cards, packages):
    """{path: text}; packages: {configuration: text of its package}."""
    out = {f"{FOLDER}/cards.mk": cards_mk(cards)}
    for config, text in packages.items():
        values = kernel.constants(text, config)
        out[f"{FOLDER}/kernel_{config}.xml"] = kernel_xml(config, values, shell)
        out[f"{FOLDER}/kernel_{config}.tcl"] = description_tcl(config, values, shell)
        for card in cards:
            out[f"{FOLDER}/{card['name']}_{config}.cfg"] = connectivity(config, values, card)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    args = parser.parse_args()
    packages = {c: (pathlib.Path(REPOSITORY) / f"rtl/pkg/tma_cfg_{c}_pkg.sv").read_text(encoding="utf-8")
                for c in kernel.CONFIGS}
    try:
        texts = files(regs.load(regs.SHELL), load_cards(CARDS), packages)
    except (RDLCompileError, specification.SpecError, kernel.KernelError, VitisError) as error:
        print(f"vitis: {error}", file=sys.stderr)
        return 1
    for path, text in texts.items():
        write(args.out, path, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
