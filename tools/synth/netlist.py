# SPDX-License-Identifier: Apache-2.0
"""Reads a mapped Xilinx netlist (yosys JSON): how many cells of which kind, how long the longest path.

Path lengths are in LUT delays, routing included: they rank paths, and are no time.
"""

import re

LUT_DELAY = 1.0
MUXF_DELAY = 0.3    # sits in the slice of its LUTs
CARRY_IN = 0.5      # from a LUT onto the chain, or from the chain to a sum
CARRY_STEP = 0.1    # four bits along the chain
BLOCK_RAM_READ = 3.0
DSP_DELAY = 4.0

# Logic LUTs that a memory built of LUTs takes.
LUT_RAMS = {
    "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8,
    "RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2, "RAM256X1S": 4, "RAM512X1S": 8,
    "RAM32X16DR8": 8, "RAM64X8SW": 8, "RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8,
    "SRL16": 1, "SRL16E": 1, "SRLC16": 1, "SRLC16E": 1, "SRLC32E": 1,
}
BLOCK_RAMS = {"RAMB18E2": 0.5, "RAMB36E2": 1.0, "URAM288": 8.0}
LATCHES = {"LDCE", "LDPE"}
NO_LOGIC = {"GND", "VCC", "BUFG", "IBUF", "OBUF"}
# The read address of a memory built of LUTs; all its other inputs are clocked.
LUT_RAM_ADDRESS = re.compile(r"^(A\d*|DPRA\d*|ADDR[A-H]\d*|RADR\d*)$")


class NetlistError(Exception):
    """The netlist has something that no engine may have."""


def counts(module):
    """Cells of the kinds that one looks at."""
    total = {"lut": 0, "ff": 0, "bram": 0.0, "lutram": 0, "dsp": 0}
    for cell in module["cells"].values():
        kind = cell["type"]
        if re.fullmatch(r"LUT[1-6]", kind):
            total["lut"] += 1
        elif kind == "LUT6_2":
            total["lut"] += 1
        elif kind.startswith("FD"):
            total["ff"] += 1
        elif kind in LATCHES:
            raise NetlistError(f"a latch drives {_net_names(module).get(cell['connections']['Q'][0])}")
        elif kind in LUT_RAMS:
            total["lutram"] += LUT_RAMS[kind]
        elif kind in BLOCK_RAMS:
            total["bram"] += BLOCK_RAMS[kind]
        elif kind.startswith("DSP"):
            total["dsp"] += 1
    return total


def largest_register(module):
    """(flip-flops, name) of the register or array of registers that has most of them."""
    names = _net_names(module)
    sizes = {}
    for cell in module["cells"].values():
        if cell["type"].startswith("FD"):
            name = re.sub(r"(\[\d+\])+$", "", names.get(cell["connections"]["Q"][0], ""))
            sizes[name] = sizes.get(name, 0) + 1
    return max(((size, name) for name, size in sizes.items()), default=(0, ""))


def _net_names(module):
    """Bit -> the most readable name that it has."""
    names = {}
    for name, net in module["netnames"].items():
        rank = (net.get("hide_name", 0), name.count("."), len(name))
        for i, bit in enumerate(net["bits"]):
            if isinstance(bit, int) and (bit not in names or rank < names[bit][0]):
                names[bit] = (rank, f"{name}[{i}]" if len(net["bits"]) > 1 else name)
    return {bit: name for bit, (_, name) in names.items()}


def _without_wires(module):
    """The cells, with every $buf dissolved: yosys leaves some that stand for plain wires."""
    source = {}
    for cell in module["cells"].values():
        if cell["type"] == "$buf":
            source.update(zip(cell["connections"]["Y"], cell["connections"]["A"]))

    def origin(bit):
        while bit in source:
            bit = source[bit]
        return bit

    for cell in module["cells"].values():
        if cell["type"] != "$buf":
            yield {**cell, "connections": {port: [origin(bit) for bit in bits]
                                           for port, bits in cell["connections"].items()}}


def _ram_address(inputs, output):
    """The ports with the address of what `output` reads. A write port's address changes nothing before the edge."""
    own = (r"DPRA\d*$" if output.startswith("DPO") else
           r"A\d*$" if output.startswith("SPO") else
           rf"ADDR{output[2]}\d*$" if re.match(r"DO[A-H]", output) else LUT_RAM_ADDRESS)
    return [p for p in inputs if re.match(own, p)]


def _arcs(cell):
    """(input ports, output port, delay) of the paths through a cell, and the outputs that start one."""
    kind = cell["type"]
    directions = cell["port_directions"]
    inputs = [p for p, d in directions.items() if d == "input"]
    outputs = [p for p, d in directions.items() if d == "output"]
    if kind == "INV":
        # It moves into the LUTs around it.
        return [(inputs, o, 0.0) for o in outputs], {}
    if re.fullmatch(r"LUT[1-6]|LUT6_2", kind):
        return [(inputs, o, LUT_DELAY) for o in outputs], {}
    if re.fullmatch(r"MUXF[789]", kind):
        return [(inputs, o, MUXF_DELAY) for o in outputs], {}
    if kind in ("CARRY4", "CARRY8"):
        chain = [p for p in inputs if p in ("CI", "CI_TOP")]
        other = [p for p in inputs if p not in chain]
        arcs = []
        for o in outputs:
            arcs.append((chain, o, CARRY_STEP if o == "CO" else CARRY_IN))
            arcs.append((other, o, CARRY_IN))
        return arcs, {}
    if kind in LUT_RAMS:
        return [(_ram_address(inputs, o), o, LUT_DELAY) for o in outputs], {o: LUT_DELAY for o in outputs}
    if kind in BLOCK_RAMS:
        return [], {o: BLOCK_RAM_READ for o in outputs}
    if kind.startswith("DSP"):
        # Conservative: none of its registers is taken into account.
        return [(inputs, o, DSP_DELAY) for o in outputs], {}
    if kind.startswith("FD") or kind in NO_LOGIC:
        return [], {o: 0.0 for o in outputs}
    raise NetlistError(f"a cell of type {kind} was left unmapped")


def _arrival(module, cells):
    """{bit: (length, first bit)} of every bit, {bit: the bit before it on its longest path}."""
    arrival = {}
    before = {}
    users = {}       # bit -> arcs that start there
    waiting = []     # per arc: [bits not yet known, input bits, output bits, delay]
    drivers = {}     # bit -> arcs that it still waits for

    for port in module["ports"].values():
        if port["direction"] == "input":
            for bit in port["bits"]:
                arrival[bit] = (0.0, bit)
    for cell in cells:
        arcs, starts = _arcs(cell)
        nets = cell["connections"]
        for port, delay in starts.items():
            for bit in nets.get(port, []):
                arrival[bit] = (delay, bit)
        for inputs, output, delay in arcs:
            ins = {b for p in inputs for b in nets.get(p, []) if isinstance(b, int)}
            outs = [b for b in nets.get(output, []) if isinstance(b, int)]
            for bit in outs:
                drivers[bit] = drivers.get(bit, 0) + 1
            waiting.append([len(ins), ins, outs, delay])
            for bit in ins:
                users.setdefault(bit, []).append(len(waiting) - 1)

    best = {}        # bit -> longest so far, while drivers are still to come
    ready = [b for b in arrival if b not in drivers]
    fired = [i for i, arc in enumerate(waiting) if arc[0] == 0]
    while ready or fired:
        while fired:
            _, ins, outs, delay = waiting[fired.pop()]
            last = max(ins, key=lambda b: arrival[b], default=None)
            length, first = arrival[last] if ins else (0.0, None)
            for bit in outs:
                candidate = (length + delay, first if first is not None else bit)
                so_far = best.get(bit, arrival.get(bit, (0.0, bit)))
                best[bit] = max(so_far, candidate)
                if ins and candidate >= so_far:
                    before[bit] = last
                drivers[bit] -= 1
                if drivers[bit] == 0:
                    arrival[bit] = best[bit]
                    ready.append(bit)
        while ready:
            for arc in users.get(ready.pop(), []):
                waiting[arc][0] -= 1
                if waiting[arc][0] == 0:
                    fired.append(arc)

    stuck = [arc for arc in waiting if arc[0] > 0]
    if stuck:
        _raise_for_stuck(stuck, arrival, drivers, _net_names(module))
    return arrival, before


def longest_path(module):
    """(length, name of its first net, name of its last net)."""
    arrival, _ = _arrival(module, _without_wires(module))
    if not arrival:
        return 0.0, "", ""
    last = max(arrival, key=lambda b: arrival[b][0])
    length, first = arrival[last]
    names, feeds = _net_names(module), _feeds(module)
    return length, _end_name(names, feeds, first), _end_name(names, feeds, last)


def longest_paths(module, count):
    """The longest paths from pins and what is clocked to pins and what is clocked, no two from one
    register or bus of pins to another one twice, nor to one place in the hierarchy: a list of
    (length, LUTs on the way, name of its start, name of its end)."""
    cells = list(_without_wires(module))
    arrival, before = _arrival(module, cells)
    names, feeds = _net_names(module), _feeds(module)
    luts = {}        # bit -> whether a LUT drives it
    ends = {}        # bit -> name of a port or of what a clocked cell there holds
    for name, port in module["ports"].items():
        if port["direction"] == "output":
            ends.update((bit, name) for bit in port["bits"] if isinstance(bit, int))
    for cell in cells:
        arcs, _ = _arcs(cell)
        through = {p for inputs, _, _ in arcs for p in inputs}
        outputs = [b for p, d in cell["port_directions"].items() if d == "output"
                   for b in cell["connections"].get(p, []) if isinstance(b, int)]
        if re.fullmatch(r"LUT[1-6]|LUT6_2", cell["type"]):
            luts.update((bit, True) for bit in outputs)
        elif not cell["type"].startswith(("MUXF", "CARRY", "INV", "DSP")):
            held = [names[b] for b in outputs if b in names and "$" not in names[b]]
            for port, direction in cell["port_directions"].items():
                if direction == "input" and port not in through:
                    for bit in cell["connections"].get(port, []):
                        if isinstance(bit, int):
                            ends.setdefault(bit, held[0] if held else None)

    paths, starts, places = [], set(), set()
    for last in sorted((b for b in ends if b in arrival), key=lambda b: -arrival[b][0]):
        length, first = arrival[last]
        start = _bus(_end_name(names, feeds, first))
        end = _bus(ends[last] or _end_name(names, feeds, last))
        place = end.rpartition(".")[0]
        if (start, end) in starts or (place and place in places):
            continue
        starts.add((start, end))
        places.add(place)
        levels, bit = int(last in luts), last
        while bit in before:
            bit = before[bit]
            levels += bit in luts
        paths.append((length, levels, start, end))
        if len(paths) == count:
            break
    return paths


def _bus(name):
    return re.sub(r"(\[\d+\])+$", "", name)


def _feeds(module):
    """{bit: bits behind the cells that it goes to}, wires included: they have the readable names."""
    users = {}
    for cell in module["cells"].values():
        outputs = [b for p, d in cell["port_directions"].items() if d == "output"
                   for b in cell["connections"].get(p, [])]
        for port, direction in cell["port_directions"].items():
            if direction == "input":
                for b in cell["connections"].get(port, []):
                    users.setdefault(b, []).extend(outputs)
    return users


def _end_name(names, feeds, bit):
    """A path's end as its author knows it: nets that mapping made are named after what they feed."""
    level = [bit]
    for _ in range(4):
        for b in level:
            if b in names and "$" not in names[b]:
                return names[b]
        level = [out for b in level for out in feeds.get(b, [])]
    return names.get(bit, "?")


def _raise_for_stuck(stuck, arrival, drivers, names):
    """What never got an arrival time has no driver, or hangs on a loop: say which."""
    feeds = {}
    for _, ins, outs, _ in stuck:
        for bit in ins:
            if bit not in arrival and bit not in drivers:
                raise NetlistError(f"{names.get(bit, bit)} has no driver")
        for bit in outs:
            feeds.setdefault(bit, set()).update(b for b in ins if b not in arrival or drivers.get(b, 0))
    # Going back from any stuck bit must come round to a bit already seen.
    bit, seen = next(iter(feeds)), []
    while bit not in seen:
        seen.append(bit)
        bit = next(iter(sorted(feeds[bit])))
    loop = [names[b] for b in seen[seen.index(bit):] if b in names]
    raise NetlistError("combinational loop through " + ", ".join(sorted(set(loop))[:8]))
