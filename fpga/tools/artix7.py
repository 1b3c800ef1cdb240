#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the bitstream of a module for an Artix-7 with open tools, and reads it back: yosys, nextpnr-himbaechel-xilinx,
fasm_frames.py, xc7frames2bit, bitread. Fails where what is read is not what was written.

nextpnr knows no speed grades of these devices, and its estimates of hold times of block RAM are known to be too
pessimistic: they are reported, and are no failure.
"""

import argparse
import os
import re
import shutil
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../tools/synth"))
import fasm_frames  # noqa: E402
import flow         # noqa: E402

DATABASE = "usr/share/prjxray/database/artix7"
SYNTH = """
read_rtlil {top}.il
delete =A:blackbox
synth_xilinx -family xc7 -abc9 -flatten -top {top}
write_json {top}.json
"""
# The default one finds no place for the last flip-flops of the board's 903 sets of clock, enable and reset.
PLACER = "static"
# Words of a frame that the device checks the others by; xc7frames2bit fills them in.
ECC_WORD, ECC_BITS = 50, 13


def written(frames):
    """{(frame, word, bit)} that is 1."""
    return {(address, word, bit) for address, words in frames.items()
            for word, value in enumerate(words) for bit in range(32) if value >> bit & 1}


def read_back(path):
    """The same of bitread's output."""
    with open(path, encoding="utf-8") as f:
        return {(int(frame, 16), int(word), int(bit))
                for frame, word, bit in re.findall(r"^bit_([0-9a-f]+)_(\d+)_(\d+)$", f.read(), re.MULTILINE)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flow.add_arguments(parser)
    parser.add_argument("--top", required=True)
    parser.add_argument("--part", default="xc7a100tcsg324-1")
    parser.add_argument("--xdc", required=True, help="a pin for each port of the module")
    parser.add_argument("--mhz", type=float, required=True, help="the clock of the design")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    top, device = args.top, re.match(r"xc7[a-z]\d+t", args.part)[0]
    work = os.path.join(args.root, "work")

    seconds = flow.front_end(args, top, shallow=flow.SHALLOW) + flow.synthesis(args, f"synth_{top}", SYNTH.format(top=top))
    print(f"{top}: synthesis {seconds:.0f} s", flush=True)
    shutil.copy(args.xdc, os.path.join(work, f"{top}.xdc"))
    log = os.path.join(args.out, f"{top}.nextpnr.log")
    seconds = flow.run(flow.in_root(
        args, "nextpnr-himbaechel-xilinx", "--device", args.part, "--json", f"{top}.json", "--vopt", f"xdc={top}.xdc",
        "--vopt", f"fasm={top}.fasm", "--freq", str(args.mhz), "--timing-allow-fail", "--placer", PLACER,
        "--seed", str(args.seed)), log)
    with open(log, encoding="utf-8", errors="replace") as f:
        text = f.read()
    # Of each clock the last estimate; the slowest decides, whatever it is of.
    clocks = dict(re.findall(r"Max frequency for clock\s+'?(\S+?)'?: ([\d.]+) MHz", text))
    mhz = min(map(float, clocks.values()), default=0)
    print(f"  place and route {seconds:.0f} s, {mhz:.1f} MHz", flush=True)
    for cell, here, there in dict.fromkeys(re.findall(r"Info:\s+(SLICE_LUTX|SLICE_FFX|RAMB\w+|DSP48E1\w*):\s*(\d+)/\s*(\d+)", text)):
        print(f"  {cell:12} {here:>6} of {there}")

    database = os.path.join(args.root, DATABASE)
    with open(os.path.join(work, f"{top}.fasm"), encoding="utf-8") as f:
        try:
            frames = fasm_frames.frames(fasm_frames.Database(database, device), f)
        except fasm_frames.FasmError as error:
            sys.exit(f"{top}.fasm: {error}")
    fasm_frames.write(frames, os.path.join(work, f"{top}.frm"))
    part = ["--part_file", f"/{DATABASE}/{args.part}/part.yaml"]
    flow.run(flow.in_root(args, "xc7frames2bit", *part, "--part_name", args.part, "--frm_file", f"{top}.frm",
                          "--output_file", f"{top}.bit"), os.path.join(args.out, f"{top}.frames2bit.log"))
    flow.run(flow.in_root(args, "bitread", *part, "-y", "-o", f"{top}.bits", f"{top}.bit"),
             os.path.join(args.out, f"{top}.bitread.log"))
    wrote, read = written(frames), read_back(os.path.join(work, f"{top}.bits"))
    extra = {(a, w, b) for a, w, b in read - wrote if not (w == ECC_WORD and b < ECC_BITS)}
    if wrote - read or extra:
        sys.exit(f"{top}.bit: {len(wrote - read)} bits are missing, {len(extra)} are set that nobody asked for")
    bitstream = os.path.join(args.out, f"{top}.bit")
    shutil.copy(os.path.join(work, f"{top}.bit"), bitstream)
    print(f"{bitstream}: {os.path.getsize(bitstream):,} bytes; read back, all {len(wrote):,} bits of it are as written")
    if mhz < args.mhz:
        sys.exit(f"{top}: {mhz:.1f} MHz, but its clock is {args.mhz} MHz")


if __name__ == "__main__":
    main()
