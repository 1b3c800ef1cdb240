#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the kernel wrappers: the engine with flat ports, as FPGA tools want them.

How many global ports there are, and how wide, is up to the configuration, and the name of a port
cannot depend on a parameter: so each configuration has a file of its own, all with one module name.
"""

import argparse
import pathlib
import re
import sys

from gen import REPOSITORY, write

# Those that fit a card. The pages of the queues have to lie within 16 address bits.
CONFIGS = ("small", "default")
ADDRESS_BITS = 16
ID_BITS = 5

CONSTANT = re.compile(r"^ *localparam int unsigned (\w+) *= *(\d+);", re.MULTILINE)

# Channels of an AXI4 manager: signal, width (a number or a constant), engine's port; no port: tied off.
ADDRESS = (("ID", ID_BITS, "id"), ("ADDR", 64, "addr"), ("LEN", 8, "len"), ("SIZE", 3, "size"),
           ("BURST", 2, "burst"), ("LOCK", 1, None), ("CACHE", 4, "cache"), ("PROT", 3, "prot"),
           ("QOS", 4, "qos"), ("REGION", 4, None), ("USER", 16, "user"))
CHANNELS = (
    ("AW", True, ADDRESS),
    ("W", True, (("DATA", "DataWidth", "data"), ("STRB", "DataBytes", "strb"), ("LAST", 1, "last"))),
    ("B", False, (("ID", ID_BITS, "id"), ("RESP", 2, "resp"))),
    ("AR", True, ADDRESS),
    ("R", False, (("ID", ID_BITS, "id"), ("DATA", "DataWidth", "data"), ("RESP", 2, "resp"),
                  ("LAST", 1, "last"))),
)

# Channels of the AXI4-Lite subordinate: signals that the host drives, without valid and ready.
LITE = (
    ("AW", True, (("ADDR", ADDRESS_BITS),)),
    ("W", True, (("DATA", 32), ("STRB", 4))),
    ("B", False, (("RESP", 2),)),
    ("AR", True, (("ADDR", ADDRESS_BITS),)),
    ("R", False, (("DATA", 32), ("RESP", 2))),
)

HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/pkg/tma_cfg_{config}_pkg.sv by make gen. Do not edit.
//
// The engine of configuration `{config}` as a kernel: flat ports under the names that Vitis expects.
// In front of the registers is the shell, which has shared memory as well: see tma_shell. Commands come
// from rings: the direct port is tied off.
//
// Latency and throughput: the engine's. Reset: synchronous, active low; control state alone.

`include "tma_assert.svh"

// One module name, a file per configuration: a build takes exactly one of them.
/* verilator lint_off DECLFILENAME */
module tma_kernel
  import tma_pkg::*;
  import tma_axil_pkg::*;
(
"""

INTERRUPT = """,

  // The name is Vitis', and GCC's attribute of that name is no trouble here.
  /* verilator lint_off SYMRSVDWORD */
  output logic          interrupt
  /* verilator lint_on SYMRSVDWORD */
);
"""


class KernelError(Exception):
    """A configuration that no kernel can be made of."""


def constants(text, name):
    """The numbers of a configuration's package."""
    values = {key: int(value) for key, value in CONSTANT.findall(text)}
    missing = [key for key in ("DataWidth", "NumCtas", "NumQueues", "NumPorts") if key not in values]
    if missing:
        raise KernelError(f"{name}: no {missing[0]}")
    values["DataBytes"] = values["DataWidth"] // 8
    if 0x1000 * (values["NumQueues"] + 1) > 1 << ADDRESS_BITS:
        raise KernelError(f"{name}: the pages of {values['NumQueues']} queues need more than "
                          f"{ADDRESS_BITS} address bits")
    return values


def port(is_input, width, name):
    shape = f"[{width - 1}:0]" if width > 1 else ""
    return f"  {'input ' if is_input else 'output'} logic {shape:8} {name}"


def lite_ports():
    for channel, to_engine, signals in LITE:
        name = f"s_axi_control_{channel}"
        yield port(to_engine, 1, f"{name}VALID")
        yield port(not to_engine, 1, f"{name}READY")
        for signal, width in signals:
            yield port(to_engine, width, name + signal)


def manager_ports(values, index):
    for channel, from_engine, signals in CHANNELS:
        name = f"m_axi_gmem{index}_{channel}"
        yield port(not from_engine, 1, f"{name}VALID")
        yield port(from_engine, 1, f"{name}READY")
        for signal, width, _ in signals:
            yield port(not from_engine, values.get(width, width), name + signal)


def ports(values):
    groups = [[port(True, 1, "ap_clk"), port(True, 1, "ap_rst_n")], list(lite_ports())]
    groups += [list(manager_ports(values, i)) for i in range(values["NumPorts"])]
    return ",\n\n".join(",\n".join(group) for group in groups) + INTERRUPT


def joined(values, channel, signal):
    """One signal of all global ports, the highest first."""
    names = [f"m_axi_gmem{i}_{channel}{signal}" for i in reversed(range(values["NumPorts"]))]
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"


def engine_pins(values):
    for channel, from_engine, signals in CHANNELS:
        low = channel.lower()
        out, back = ("o", "i") if from_engine else ("i", "o")
        yield f".m_axi_{low}valid_{out}({joined(values, channel, 'VALID')})"
        yield f".m_axi_{low}ready_{back}({joined(values, channel, 'READY')})"
        for signal, _, pin in signals:
            if pin:
                yield f".m_axi_{low}{pin}_{out}({joined(values, channel, signal)})"


def ties(values):
    for index in range(values["NumPorts"]):
        for channel, from_engine, signals in CHANNELS:
            for signal, _, pin in signals:
                if from_engine and not pin:
                    yield f"  assign m_axi_gmem{index}_{channel}{signal} = '0;\n"


def lite_fields(is_request):
    """Fields of the host's request from the kernel's pins, or the kernel's pins from fields of the answer."""
    for channel, to_engine, signals in LITE:
        low, name = channel.lower(), f"s_axi_control_{channel}"
        rows = [("valid", "VALID", None)] if to_engine == is_request else [("ready", "READY", None)]
        if to_engine == is_request:
            rows += [(signal.lower(), signal, width) for signal, width in signals]
        for field, pin, width in rows:
            yield low + field, name + pin, width


def host_request():
    """The address has a bit more inside, for the pages of configurations that are no kernel."""
    pins = [(field, f"{{1'b0, {pin}}}" if width == ADDRESS_BITS else pin)
            for field, pin, width in lite_fields(True)]
    return ",\n".join(f"    {field}: {pin}" for field, pin in pins)


def host_answer():
    return "".join(f"  assign {pin} = host_rsp.{field};\n" for field, pin, _ in lite_fields(False))


def engine_lite_pins():
    for channel, to_engine, signals in LITE:
        low = channel.lower()
        into, back = ("i", "o") if to_engine else ("o", "i")
        out, answer = ("engine_req", "engine_rsp") if to_engine else ("engine_rsp", "engine_req")
        yield f".s_axil_{low}valid_{into}({out}.{low}valid)"
        yield f".s_axil_{low}ready_{back}({answer}.{low}ready)"
        for signal, _ in signals:
            yield f".s_axil_{low}{signal.lower()}_{into}({out}.{low}{signal.lower()})"


def lines_of(pins):
    return "".join(f"    {pin},\n" for pin in pins)


BODY = """
  axil_req_t                 host_req, engine_req;
  axil_rsp_t                 host_rsp, engine_rsp;
  logic                      irq, idle;
  logic [NumCtas-1:0]        ext_valid, ext_ready, ext_write, ext_rvalid;
  logic [NumCtas-1:0][31:0]  ext_addr;
  logic [NumCtas-1:0][15:0]  ext_strb;
  logic [NumCtas-1:0][127:0] ext_wdata, ext_rdata;

  assign host_req = '{{
{request}
  }};
{answer}
  tma_shell u_shell (
    .clk_i(ap_clk), .rst_ni(ap_rst_n),
    .host_i(host_req), .host_o(host_rsp), .engine_o(engine_req), .engine_i(engine_rsp),
    .idle_i(idle), .irq_i(irq), .interrupt_o(interrupt),
    .ext_valid_o(ext_valid), .ext_ready_i(ext_ready), .ext_write_o(ext_write), .ext_addr_o(ext_addr),
    .ext_strb_o(ext_strb), .ext_wdata_o(ext_wdata), .ext_rvalid_i(ext_rvalid), .ext_rdata_i(ext_rdata)
  );

  // What nobody is there to look at.
  logic                 cmd_ready, rsp_valid;
  logic [NumQueues-1:0] queue_ready;
  logic [255:0]         rsp;

  tma_engine u_engine (
    .clk_i(ap_clk), .rst_ni(ap_rst_n),
    .cmd_valid_i(1'b0), .cmd_ready_o(cmd_ready), .cmd_queue_i('0), .cmd_i('0),
    .queue_ready_o(queue_ready),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(1'b1), .rsp_o(rsp),
    .ext_valid_i(ext_valid), .ext_ready_o(ext_ready), .ext_write_i(ext_write), .ext_addr_i(ext_addr),
    .ext_strb_i(ext_strb), .ext_wdata_i(ext_wdata), .ext_rvalid_o(ext_rvalid), .ext_rdata_o(ext_rdata),
{lite}{manager}    .irq_o(irq), .idle_o(idle)
  );

{ties}
  logic unused_bits;
  assign unused_bits = ^{{cmd_ready, queue_ready, rsp_valid, rsp}};

  `TMA_ASSERT_INIT(PortsAreTheConfiguration, DataWidth == {DataWidth} &&
      NumPorts == {NumPorts} && IdWidth == {id_bits})
  `TMA_ASSERT_INIT(PagesAreInReach, 4096 * (NumQueues + 1) <= 2**{address_bits})

endmodule
"""


def emit(config, text):
    values = constants(text, config)
    return HEAD.format(config=config) + ports(values) + BODY.format(
        request=host_request(), answer=host_answer(), lite=lines_of(engine_lite_pins()), manager=lines_of(engine_pins(values)),
        ties="".join(ties(values)), address_bits=ADDRESS_BITS, id_bits=ID_BITS, **values)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    args = parser.parse_args()
    for config in CONFIGS:
        package = pathlib.Path(REPOSITORY) / f"rtl/pkg/tma_cfg_{config}_pkg.sv"
        try:
            text = emit(config, package.read_text(encoding="utf-8"))
        except KernelError as error:
            print(f"kernel: {error}", file=sys.stderr)
            return 1
        write(args.out, f"rtl/gen/tma_kernel_{config}.sv", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
