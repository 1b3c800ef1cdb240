#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the engine as Verilog after synthesis: `word`, as it is before anything is mapped, memories and sums as such; `ecp5`, its
LUTs, carries, flip-flops and memories, with models of what cannot be said in a line (fpga/ecp5/cells)."""

import argparse
import glob
import json
import os
import shutil
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../fpga/tools"))
import ecp5_flow  # noqa: E402
import flow       # noqa: E402

TOP = "tma_engine"
WORD = """
read_rtlil {top}.il
synth -top {top} -flatten -noalumacc -noshare -run begin:fine
simplemap t:$bwmux
check -noinit
select {top}
write_verilog -noattr -selected {top}.v
"""
CELLS = os.path.join(SCRIPT_DIR, "../../fpga/ecp5/cells")


def net(bit):
    """A bit of a netlist in JSON: a number, or "0", "1", "x"."""
    return f"n{bit}" if isinstance(bit, int) else f"1'b{bit if bit in '01' else '0'}"


def lut(table, inputs):
    """What a LUT of these inputs gives, the first one the lowest bit of the index."""
    return f"1'(16'h{int(table, 2):04x} >> {{{', '.join(reversed(inputs))}}})"


def carry(cell, pins):
    """Two bits of a sum. A LUT says if the carry goes on, its half of two inputs what it is if not."""
    going, lines = pins["CIN"], []
    for i in "01":
        if cell["parameters"][f"INJECT1_{i}"] != "NO":
            sys.exit("CCU2C: INJECT1 is not modelled")
        table = cell["parameters"][f"INIT{i}"]
        goes = lut(table, [pins[p + i] for p in "ABCD"])
        made = lut(table, [pins["A" + i], pins["B" + i], "1'b0", "1'b0"])
        if f"S{i}" in pins:
            lines.append(f"assign {pins['S' + i]} = {goes} ^ {going};")
        going = f"({goes} ? {going} : {made})"
    if "COUT" in pins:
        lines.append(f"assign {pins['COUT']} = {going};")
    return lines


def flip_flop(cell, pins):
    """A statement for each rising edge of the one clock."""
    parameters = {name: value.strip() for name, value in cell["parameters"].items()}
    if parameters["CLKMUX"] != "CLK" or parameters["LSRMUX"] != "LSR":
        sys.exit("TRELLIS_FF: this clock or set is not modelled")
    enable = {"1": "", "CE": f"if ({pins.get('CE')}) ", "INV": f"if (!{pins.get('CE')}) "}[parameters["CEMUX"]]
    line = f"{enable}{pins['Q']} <= {pins['DI']};"
    if pins.get("LSR", "1'b0") != "1'b0":
        line = f"if ({pins['LSR']}) {pins['Q']} <= 1'b{int(parameters['REGSET'] == 'SET')}; else {line}"
    return line


def instance(number, cell):
    """A cell that is a module. What a memory begins with is left out: the engine does not count on it."""
    names = ", ".join(f'.{n}("{v.strip()}")' if set(v) - set("01") else f".{n}({len(v)}'b{v})"
                      for n, v in cell["parameters"].items() if not n.startswith("INIT"))
    pins = ", ".join(f".{pin}({{{', '.join(net(b) for b in reversed(bits))}}})"
                     for pin, bits in cell["connections"].items()
                     if cell["port_directions"][pin] == "input" or all(isinstance(b, int) for b in bits))
    return f"{cell['type']} #({names}) c{number} ({pins});"


def verilog(module):
    """The lines of a module of a netlist in JSON."""
    ports, lines, edges, bits = module["ports"], [], [], set()
    clock = net(ports["clk_i"]["bits"][0])
    for number, cell in enumerate(module["cells"].values()):
        for pin in cell["connections"].values():
            bits.update(b for b in pin if isinstance(b, int))
        pins = {name: net(pin[0]) for name, pin in cell["connections"].items() if len(pin) == 1}
        if cell["type"] == "LUT4":
            lines.append(f"assign {pins['Z']} = {lut(cell['parameters']['INIT'], [pins[p] for p in 'ABCD'])};")
        elif cell["type"] == "CCU2C":
            lines += carry(cell, pins)
        elif cell["type"] == "TRELLIS_FF":
            if pins["CLK"] != clock:
                sys.exit("TRELLIS_FF: there is one clock")
            edges.append(flip_flop(cell, pins))
        else:
            lines.append(instance(number, cell))
    for name, port in ports.items():
        bits.update(b for b in port["bits"] if isinstance(b, int))
        joined = f"{{{', '.join(net(b) for b in reversed(port['bits']))}}}"
        lines.append(f"assign {joined} = {name};" if port["direction"] == "input" else f"assign {name} = {joined};")
    head = ", ".join(f"{port['direction']} [{len(port['bits']) - 1}:0] {name}" for name, port in ports.items())
    declared = [f"logic {net(b)};" for b in sorted(bits)]
    return [f"module {TOP} ({head});"] + declared + lines + [f"always_ff @(posedge {clock}) begin"] + edges + ["end", "endmodule"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    flow.add_arguments(parser)
    parser.add_argument("--level", required=True, choices=("word", "ecp5"))
    parser.add_argument("--verilog", required=True, help="file to write")
    args = parser.parse_args()
    work = os.path.join(args.root, "work")
    if args.level == "word":
        seconds = flow.front_end(args, TOP) + flow.synthesis(args, "word", WORD.format(top=TOP))
        shutil.copy(os.path.join(work, f"{TOP}.v"), args.verilog)
    else:
        seconds = ecp5_flow.synthesize(args, TOP)
        with open(os.path.join(work, f"{TOP}.json"), encoding="utf-8") as f:
            lines = verilog(json.load(f)["modules"][TOP])
        with open(args.verilog, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")
            for path in sorted(glob.glob(f"{CELLS}/*.sv")):
                with open(path, encoding="utf-8") as f:
                    shutil.copyfileobj(f, out)
    print(f"{args.verilog}: {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
