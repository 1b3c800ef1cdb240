#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""netlist_verilog.py: what it says of an ECP5's cells, worked out for every input; what it has no model of is refused."""

import itertools
import re
import sys
import unittest

import netlist_verilog as writer


def value(expression, bits):
    """Of an expression as the writer makes them: names, constants, shifted tables, ^, and ?: in parentheses."""
    text = re.sub(r"n\d+", lambda m: f"1'b{bits[m[0]]}", expression)
    text = re.sub(r"1'\(16'h(\w+) >> \{([^}]*)\}\)",
                  lambda m: str(int(m[1], 16) >> int("".join(re.findall(r"1'b(\d)", m[2])), 2) & 1), text)
    text = re.sub(r"1'b(\d)", r"\1", text)
    while m := re.search(r"\((\d) \? (\d) : (\d)\)", text):
        text = text.replace(m[0], m[2] if m[1] == "1" else m[3])
    return eval(text, {"__builtins__": {}})  # pylint: disable=eval-used


def assigned(line, bits):
    target, expression = re.fullmatch(r"assign (n\d+) = (.*);", line).groups()
    bits[target] = value(expression, bits)


class Cells(unittest.TestCase):
    def test_lut(self):
        """The first input is the lowest bit of the index."""
        for index, bits in enumerate(itertools.product((0, 1), repeat=4)):
            d, c, b, a = bits
            names = {"n2": a, "n3": b, "n4": c, "n5": d}
            for table in (0x8000, 0x0001, 0x6996, 0xCA53):
                self.assertEqual(value(writer.lut(f"{table:016b}", ["n2", "n3", "n4", "n5"]), names), table >> index & 1)

    def test_carry(self):
        """A + B, of two bits: the carry goes on where A ^ B, and is A where not, in bits 3..0 of the table. Elsewhere it is no sum."""
        exact, other = f"{0x666A:016b}", f"{0x6666:016b}"
        pins = {name: f"n{i}" for i, name in enumerate("CIN A0 B0 A1 B1 S0 S1 COUT".split(), 2)}
        pins |= {name: "1'b1" for name in ("C0", "D0", "C1", "D1")}
        for init, right in ((exact, True), (other, False)):
            cell = {"parameters": {"INIT0": init, "INIT1": init, "INJECT1_0": "NO", "INJECT1_1": "NO"}}
            sums = 0
            for cin, a, b in itertools.product((0, 1), range(4), range(4)):
                bits = {"n2": cin, "n3": a & 1, "n4": b & 1, "n5": a >> 1, "n6": b >> 1}
                for line in writer.carry(cell, pins):
                    assigned(line, bits)
                sums += bits["n7"] + 2 * bits["n8"] + 4 * bits["n9"] == cin + a + b
            self.assertEqual(sums == 32, right)

    def test_flip_flop(self):
        parameters = {"CLKMUX": "CLK", "LSRMUX": "LSR", "REGSET": "SET", "CEMUX": "CE"}
        pins = {"CLK": "n2", "LSR": "n3", "CE": "n4", "DI": "n5", "Q": "n6"}
        self.assertEqual(writer.flip_flop({"parameters": parameters}, pins),
                         "if (n3) n6 <= 1'b1; else if (n4) n6 <= n5;")
        pins["LSR"] = "1'b0"
        self.assertEqual(writer.flip_flop({"parameters": parameters | {"CEMUX": "INV"}}, pins), "if (!n4) n6 <= n5;")
        self.assertEqual(writer.flip_flop({"parameters": parameters | {"CEMUX": "1 "}}, pins), "n6 <= n5;")

    def test_refused(self):
        with self.assertRaisesRegex(SystemExit, "this clock or set is not modelled"):
            writer.flip_flop({"parameters": {"CLKMUX": "INV", "LSRMUX": "LSR", "REGSET": "SET", "CEMUX": "1"}}, {})
        cell = {"parameters": {"INIT0": "0", "INIT1": "0", "INJECT1_0": "YES", "INJECT1_1": "NO"}}
        with self.assertRaisesRegex(SystemExit, "INJECT1 is not modelled"):
            writer.carry(cell, {"CIN": "n2"})

    def test_module(self):
        """Ports, the clock, and a cell that stays one, whose outputs that nobody has are left out."""
        cells = {
            "lut": {"type": "LUT4", "parameters": {"INIT": f"{0xAAAA:016b}"}, "port_directions": {},
                    "connections": {"A": [3], "B": ["0"], "C": ["0"], "D": ["x"], "Z": [4]}},
            "memory": {"type": "TRELLIS_DPR16X4", "parameters": {"WCKMUX": "WCK", "INITVAL": "01"},
                       "port_directions": {"DI": "input", "WCK": "input", "DO": "output"},
                       "connections": {"DI": [3, "1"], "WCK": [2], "DO": ["x", "x"]}},
        }
        ports = {"clk_i": {"direction": "input", "bits": [2]}, "in_i": {"direction": "input", "bits": [3]},
                 "out_o": {"direction": "output", "bits": [4, "1"]}}
        self.assertEqual(writer.verilog({"ports": ports, "cells": cells}), [
            "module tma_engine (input [0:0] clk_i, input [0:0] in_i, output [1:0] out_o);",
            "logic n2;", "logic n3;", "logic n4;",
            "assign n4 = 1'(16'haaaa >> {1'b0, 1'b0, 1'b0, n3});",
            'TRELLIS_DPR16X4 #(.WCKMUX("WCK")) c1 (.DI({1\'b1, n3}), .WCK({n2}));',
            "assign {n2} = clk_i;", "assign {n3} = in_i;", "assign out_o = {1'b1, n4};",
            "always_ff @(posedge n2) begin", "end", "endmodule"])


if __name__ == "__main__":
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Cells)
    result = unittest.TextTestRunner(stream=sys.stdout).run(tests)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
