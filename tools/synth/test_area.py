#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The report of areas on netlists that are made by hand: which unit a cell belongs to, which paths are
the longest, and what falls short of the contract."""

import sys

import area
import contract
import netlist

UNITS = {"inner": ("u_a.u_b",), "each": (r"u_a.g_x\[\d+\].u_c",), "outer": ("u_a",), "rest": ("",)}


class Netlist:
    """A flat netlist in the making: LUTs and flip-flops by the names of their nets."""

    def __init__(self, inputs, outputs):
        self.bits = {}
        self.module = {"ports": {}, "cells": {}, "netnames": {}}
        for direction, names in (("input", inputs), ("output", outputs)):
            for name in names:
                self.module["ports"][name] = {"direction": direction, "bits": [self.bit(name)]}

    def bit(self, name):
        if name not in self.bits:
            self.bits[name] = len(self.bits) + 2
            net, _, index = name.partition("[")
            if index:
                bits = self.module["netnames"].setdefault(net, {"bits": []})["bits"]
                assert len(bits) == int(index[:-1])
                bits.append(self.bits[name])
            else:
                self.module["netnames"][name] = {"bits": [self.bits[name]]}
        return self.bits[name]

    def add(self, kind, name, **nets):
        directions = {p: "output" if p in ("O", "Q", "P", "DPO") else "input" for p in nets}
        self.module["cells"][name] = {"type": kind, "port_directions": directions,
                                      "connections": {p: [self.bit(n)] for p, n in nets.items()}}

    def chain(self, length, first, last, prefix):
        """LUTs, one behind the other."""
        for i in range(length):
            self.add("LUT1", f"{prefix}{i}", I0=first if i == 0 else f"{prefix}n{i}",
                     O=last if i == length - 1 else f"{prefix}n{i + 1}")


def attribution():
    n = Netlist(["i"], ["o"])
    n.add("LUT2", "$flatten\\u_a.\\u_b.$abc$1", I0="i", O="x")
    n.add("FDRE", "u_a.u_b.q_reg", D="x", Q="y")
    n.add("LUT2", "u_a.u_bb.$1", I0="i", O="z")
    n.add("RAM64M8", "u_a.g_x[12].u_c.mem", O="m")
    n.add("DSP48E2", "u_a.g_x[1].u_c.mul", P="p")
    n.add("RAMB18E2", "$flatten\\u_a.\\g_x[1].u_d.$2", O="r")
    n.add("LUT6", "top", I0="r", O="o")
    want = {"inner": (1, 1, 0, 0, 0), "each": (0, 0, 0, 8, 1), "outer": (1, 0, 0.5, 0, 0),
            "rest": (1, 0, 0, 0, 0)}
    have = {unit: tuple(row[k] for k in ("lut", "ff", "bram", "lutram", "dsp"))
            for unit, row in area.by_unit(n.module, UNITS).items()}
    assert have == want, have


def kept_modules():
    rtlil = "".join(f"module \\{name}\n  wire \\x\nend\n" for name in (
        "tma_engine", "tma_a$tma_engine.u_a", "tma_b$tma_engine.u_a.u_b", "tma_b$tma_engine.u_a.u_bb",
        "tma_c$tma_engine.u_a.g_x[3].u_c", "tma_d$tma_engine.u_a.u_b.u_d"))
    kept = [line.split()[-1] for line in area.keep(rtlil, UNITS).splitlines()]
    assert kept == ["tma_a$tma_engine.u_a", "tma_b$tma_engine.u_a.u_b", "tma_c$tma_engine.u_a.g_x[3].u_c"], kept


def paths():
    n = Netlist(["pin"], ["out"])
    # Two bits of a bus, a longer way to another register of the same place, one elsewhere, and pins.
    for i, length in enumerate((5, 4)):
        n.add("FDRE", f"u_a.s{i}", D="pin", Q=f"u_a.start_q[{i}]")
        n.chain(length, f"u_a.start_q[{i}]", f"d{i}", f"c{i}_")
        n.add("FDRE", f"u_a.e{i}", D=f"d{i}", Q=f"u_a.end_q[{i}]")
    n.chain(6, "u_a.start_q[0]", "f", "f_")
    n.add("FDRE", "u_b.e", D="f", Q="u_b.far_q")
    n.chain(3, "u_b.far_q", "g", "g_")
    n.add("RAM64X1D", "u_c.mem", D="g", DPO="u_c.read")
    n.chain(1, "u_c.read", "out", "h_")
    have = netlist.longest_paths(n.module, 10)
    want = [(6.0, 6, "u_a.start_q", "u_b.far_q"), (5.0, 5, "u_a.start_q", "u_a.end_q"),
            (3.0, 3, "u_b.far_q", "u_c.read"), (2.0, 1, "u_c.read", "out")]
    assert have == want, have
    assert netlist.longest_paths(n.module, 2) == want[:2]
    assert netlist.longest_path(n.module)[0] == 6.0


def judgement():
    limits = contract.AREA["default"]
    total = {"lut": limits["lut"] - 7, "lutram": 7, "ff": 0, "bram": 0, "dsp": limits["dsp"]}
    assert not area.judge("default", total)
    assert len(area.judge("default", {**total, "lutram": 8})) == 1
    assert len(area.judge("default", {**total, "lut": limits["lut"], "dsp": limits["dsp"] + 1})) == 2
    assert not area.judge("other", {**total, "lutram": 8})


def main():
    failed = 0
    tests = (attribution, kept_modules, paths, judgement)
    for test in tests:
        try:
            test()
        except AssertionError as error:
            failed += 1
            print(f"FAIL  {test.__name__}: {error}")
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
