#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FASM, what nextpnr writes for Xilinx 7 series, into frames, what xc7frames2bit reads.

    fasm_frames.py DATABASE DEVICE IN.fasm OUT.frm

DATABASE is that of Project X-Ray for a family, DEVICE one of its devices, for example xc7a100t. A feature is a tile and a
name; the tile's type says which bits of the tile the name sets or clears, the tile grid where they lie among the
frames. A feature that the database has not is an error, and so are two features that want a bit differently.
"""

import argparse
import json
import os
import re
import sys

WORDS = 101  # of 32 bits, of a frame
LINE = re.compile(r"(?P<tile>[^.\s]+)\.(?P<name>[^\s\[=]+(?:\[\d+\](?=\.)[^\s\[=]+)?)"
                  r"(?:\[(?P<high>\d+)(?::(?P<low>\d+))?\])?"
                  r"(?:\s*=\s*(?:\d+'(?P<base>[bhd]))?(?P<value>[0-9a-fA-F_]+))?$")
BASES = {"b": 2, "h": 16, "d": 10, None: 10}
BLOCKS = (("segbits_{}.db", "CLB_IO_CLK"), ("segbits_{}.block_ram.db", "BLOCK_RAM"))


class FasmError(Exception):
    """What is wrong with a line, in words."""


class Database:
    """The bits of the tiles of one device."""

    def __init__(self, family, device):
        self.family = family
        with open(os.path.join(family, device, "tilegrid.json"), encoding="utf-8") as f:
            self.grid = json.load(f)
        self.types = {}

    def _lines(self, name):
        path = os.path.join(self.family, name)
        if not os.path.exists(path):
            return
        with open(path, encoding="utf-8") as f:
            for line in f:
                if line.strip():
                    yield line.split()

    def features(self, tile_type):
        """{feature: (block, [(frame, bit, value)])} of a type; feature: None for wires that are always connected."""
        tile_type = tile_type.lower()
        if tile_type not in self.types:
            found = {}
            for name, *_ in self._lines(f"ppips_{tile_type}.db"):
                found[name.split(".", 1)[1]] = None
            for pattern, block in BLOCKS:
                for name, *bits in self._lines(pattern.format(tile_type)):
                    places = [(*map(int, bit.lstrip("!").split("_")), not bit.startswith("!")) for bit in bits]
                    found[name.split(".", 1)[1]] = (block, places)
            self.types[tile_type] = found
        return self.types[tile_type]

    def place(self, tile, feature):
        """[(frame address, word, bit, value)] of a feature of a tile."""
        if tile not in self.grid:
            raise FasmError(f"no tile {tile}")
        known = self.features(self.grid[tile]["type"])
        blocks, start = self.grid[tile]["bits"], 0
        asked = feature
        if feature not in known:
            for block in blocks.values():
                if "alias" not in block:
                    continue
                # A tile at the edge that has a part of the bits of another type, under other names.
                alias = block["alias"]
                known, start = self.features(alias["type"]), alias["start_offset"]
                for site, other in alias["sites"].items():
                    if feature.startswith(site):
                        feature = other + feature[len(site):]
                        break
        if feature not in known:
            raise FasmError(f"tiles of type {self.grid[tile]['type']} have no feature {asked}")
        if known[feature] is None:
            return []
        block, places = known[feature]
        if block not in blocks:
            raise FasmError(f"tile {tile} has no bits of {block}")
        base, offset = int(blocks[block]["baseaddr"], 16), blocks[block]["offset"]
        return [(base + frame, offset - start + bit // 32, bit % 32, value) for frame, bit, value in places]


def parse(line):
    """[(tile, feature)] that a line of FASM asks for."""
    line = line.split("#", 1)[0].split("{", 1)[0].strip()
    if not line:
        return []
    match = LINE.match(line)
    if not match:
        raise FasmError("neither a feature nor an assignment")
    tile, name, high, low = match["tile"], match["name"], match["high"], match["low"]
    if match["value"] is None:
        return [(tile, name if high is None else f"{name}[{high}]")]
    base, digits = BASES[match["base"]], match["value"].replace("_", "")
    try:
        value = int(digits, base)
    except ValueError:
        raise FasmError(f"'{digits}' is no number of base {base}") from None
    if high is None:
        return [(tile, name)] if value else []
    low = int(high if low is None else low)
    if value >> (int(high) - low + 1):
        raise FasmError(f"the value does not fit into bits {high} to {low}")
    return [(tile, f"{name}[{low + i}]") for i in range(int(high) - low + 1) if value >> i & 1]


def indexed(database, tile, feature):
    """The feature as the database writes its index: with as many digits as it likes."""
    if not feature.endswith("]") or tile not in database.grid:
        return feature
    name, index = feature[:-1].rsplit("[", 1)
    known = database.features(database.grid[tile]["type"])
    for digits in (1, 2, 3):
        if f"{name}[{int(index):0{digits}d}]" in known:
            return f"{name}[{int(index):0{digits}d}]"
    return feature


def frames(database, lines):
    """{frame address: [words]} of the lines of a file."""
    wanted = {}
    for number, line in enumerate(lines, 1):
        try:
            for tile, feature in parse(line):
                for address, word, bit, value in database.place(tile, indexed(database, tile, feature)):
                    if wanted.setdefault((address, word, bit), value) != value:
                        raise FasmError(f"{tile}.{feature}: frame 0x{address:08X}, word {word}, bit {bit} "
                                        "is wanted otherwise by a line above")
        except FasmError as error:
            raise FasmError(f"line {number}: {error}") from error
    result = {}
    for (address, word, bit), value in wanted.items():
        words = result.setdefault(address, [0] * WORDS)
        words[word] |= value << bit
    return result


def write(result, path):
    """The file that xc7frames2bit reads."""
    with open(path, "w", encoding="utf-8") as f:
        for address in sorted(result):
            f.write(f"0x{address:08X} " + ",".join(f"0x{word:08X}" for word in result[address]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("database", "device", "fasm", "frm"):
        parser.add_argument(name)
    args = parser.parse_args()
    database = Database(args.database, args.device)
    with open(args.fasm, encoding="utf-8") as f:
        try:
            result = frames(database, f)
        except FasmError as error:
            sys.exit(f"{args.fasm}: {error}")
    write(result, args.frm)
    bits = sum(bin(word).count("1") for words in result.values() for word in words)
    print(f"{len(result)} frames, {bits} bits")


if __name__ == "__main__":
    main()
