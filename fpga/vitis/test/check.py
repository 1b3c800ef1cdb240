# SPDX-License-Identifier: Apache-2.0
"""What can be said of fpga/vitis without the tools of AMD. Each check returns lines that say what is wrong.

The facts are taken from elsewhere than the generator of fpga/vitis/gen has them: ports from the text of the RTL, offsets from
the C header of the shell, rules of the files from AMD's public documents, which are named where they are used.
"""

import re
import tomllib
import xml.etree.ElementTree as ET

KERNEL = "tma_kernel"

# UG1393, "RTL Kernel XML File": the attributes of each element, {value} where one is prescribed. Protocol as in UG1393,
# "Kernel Properties" and xclbin.h of XRT.
XML = {
    "root": {"versionMajor": {"1"}, "versionMinor": {"6"}},
    "kernel": {"name": {KERNEL}, "language": {"ip_c"}, "vlnv": None, "attributes": {""},
               "preferredWorkGroupSizeMultiple": {"0"}, "workGroupSize": {"1"}, "interrupt": {"true", "false"},
               "hwControlProtocol": {"ap_ctrl_hs", "ap_ctrl_chain", "ap_ctrl_none", "user_managed"}},
    "ports": {},
    "port": {"name": None, "mode": {"master", "slave"}, "range": None, "dataWidth": None,
             "portType": {"addressable", "stream"}, "base": None},
    "args": {},
    "arg": {"name": None, "addressQualifier": {"0", "1", "2", "3", "4"}, "id": None, "port": None, "size": None,
            "offset": None, "type": None, "hostOffset": None, "hostSize": None},
}
CHILDREN = {"root": ["kernel"], "kernel": ["ports", "args"], "ports": ["port"], "args": ["arg"], "port": [], "arg": []}
NUMBER = re.compile(r"0x[0-9A-F]+")

# Registers of ap_ctrl_hs, UG1393, "Control Requirements for XRT-Managed Kernels": fields with bit, access, what a write and
# a read do besides.
AP_CTRL_HS = {
    "CTRL": (0x0, {"AP_START": (0, "read-write", "modify", None), "AP_DONE": (1, "read-only", None, "clear"),
                   "AP_IDLE": (2, "read-only", None, None), "AP_READY": (3, "read-only", None, "clear")}),
    "GIER": (0x4, {"ENABLE": (0, "read-write", None, None)}),
    "IP_IER": (0x8, {"AP_DONE": (0, "read-write", None, None), "AP_READY": (1, "read-write", None, None)}),
    "IP_ISR": (0xC, {"AP_DONE": (0, "read-write", "oneToClear", None),
                     "AP_READY": (1, "read-write", "oneToClear", None)}),
}


class Rtl:
    """The ports of the kernel: interfaces {name: (mode, bits of data, bits of address)} and the single ones."""

    def __init__(self, text):
        ports = {}
        for way, msb, name in re.findall(r"^\s*(input|output)\s+logic\s+(?:\[(\d+):0\]\s+)?(\w+),?$", text, re.M):
            ports[name] = (way, int(msb) + 1 if msb else 1)
        prefixes = [m[1] for m in (re.fullmatch(r"(\w+)_AWVALID", name) for name in ports) if m]
        self.interfaces = {p: ("slave" if ports[p + "_AWVALID"][0] == "input" else "master",
                               ports[p + "_WDATA"][1], ports[p + "_AWADDR"][1]) for p in prefixes}
        self.single = {name for name in ports if not any(name.startswith(p + "_") for p in prefixes)}
        self.masters = [p for p, (mode, _, _) in self.interfaces.items() if mode == "master"]
        self.slaves = [p for p, (mode, _, _) in self.interfaces.items() if mode == "slave"]


def shell_constants(header):
    """Plain numbers of the header, and where argument 0 is and how far the next."""
    numbers = {name: int(value, 0) for name, value in
               re.findall(r"^#define TMA_SHELL_(\w+) (0x[0-9A-F]+|\d+)u?\b", header, re.M)}
    base, stride = re.search(r"TMA_SHELL_ARGUMENT\(i\) \((0x\w+)u \+ (0x\w+)u", header).groups()
    return numbers, int(base, 16), int(stride, 16)


#
# kernel.xml
#

def structure(node, wrong):
    """Elements and attributes are those of the document, in its order."""
    if node.tag not in XML:
        wrong.append(f"<{node.tag}>: no such element")
        return
    for name, values in XML[node.tag].items():
        if name not in node.attrib:
            wrong.append(f"<{node.tag}>: no {name}")
        elif values is not None and node.attrib[name] not in values:
            wrong.append(f"<{node.tag}>: {name} is {node.attrib[name]}")
    wrong += [f"<{node.tag}>: {name} is not known" for name in node.attrib if name not in XML[node.tag]]
    for name in ("range", "base", "size", "offset", "hostOffset", "hostSize"):
        if name in XML[node.tag] and not NUMBER.fullmatch(node.get(name, "")):
            wrong.append(f"<{node.tag}>: {name} is no number of the form 0x10")
    tags = [child.tag for child in node]
    if node.tag in ("ports", "args"):
        if not tags or set(tags) != set(CHILDREN[node.tag]):
            wrong.append(f"<{node.tag}> has {tags}")
    elif tags != CHILDREN[node.tag]:
        wrong.append(f"<{node.tag}> has {tags}, not {CHILDREN[node.tag]}")
    for child in node:
        structure(child, wrong)


def check_xml(text, rtl, header):
    """The kernel's description against its document, the RTL and the register source."""
    wrong = []
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        return [f"no XML: {error}"]
    structure(root, wrong)
    if wrong or root.tag != "root":
        return wrong or ["the root is not <root>"]
    _, base, stride = shell_constants(header)
    kernel = root.find("kernel")
    if kernel.get("interrupt") != ("true" if "interrupt" in rtl.single else "false"):
        wrong.append("interrupt: the RTL says otherwise")
    if kernel.get("hwControlProtocol") != "ap_ctrl_hs":
        wrong.append("hwControlProtocol: the C interface of XRT opens ap_ctrl_hs alone")
    if kernel.get("vlnv").split(":")[2:] != [KERNEL, "1.0"] or len(kernel.get("vlnv").split(":")) != 4:
        wrong.append(f"vlnv is {kernel.get('vlnv')}")
    ports = {p.get("name"): p for p in kernel.find("ports")}
    if list(ports) != list(rtl.interfaces) or len(ports) != len(kernel.find("ports")):
        wrong.append(f"ports are {list(ports)}, those of the RTL {list(rtl.interfaces)}")
        return wrong
    for name, (mode, data, address) in rtl.interfaces.items():
        port = ports[name]
        # XRT gives 64 KiB of registers to a kernel and no more.
        span = (1 << address) - (mode == "master")
        if (port.get("mode"), port.get("dataWidth"), port.get("portType")) != (mode, str(data), "addressable"):
            wrong.append(f"{name}: mode, dataWidth or portType is not as in the RTL")
        if int(port.get("range"), 16) != span or int(port.get("base"), 16):
            wrong.append(f"{name}: range or base is not as the address has bits")
    args = list(kernel.find("args"))
    for i, (arg, name) in enumerate(zip(args, rtl.masters)):
        if (arg.get("id"), arg.get("port"), arg.get("addressQualifier")) != (str(i), name, "1"):
            wrong.append(f"argument {i}: id, port or addressQualifier is not that of a pointer of port {i}")
        if int(arg.get("offset"), 16) != base + stride * i or int(arg.get("size"), 16) != 8 or int(arg.get("hostSize"), 16) != 8:
            wrong.append(f"argument {i}: offset or size is not as in the register source")
    if len(args) != len(rtl.masters) or len({a.get("name") for a in args}) != len(args):
        wrong.append("there is not an argument for each master port")
    return wrong


#
# The calls of gen_xo.tcl
#

class Calls:
    """What stubs.tcl has recorded."""

    def __init__(self, text):
        self.rows = [line.split("\x1f") for line in text.splitlines()]

    def of(self, command):
        return [row[1:] for row in self.rows if row[0] == command]

    def properties(self, thing):
        return {row[0]: row[1] for row in self.of("set_property") if row[2] == thing}

    def names(self):
        return [row[0] for row in self.rows]


def check_order(calls):
    """Each of these once, and in this order."""
    order = ["create_project", "add_files", "update_compile_order", "package_project", "add_memory_map", "add_address_block",
             "create_xgui_files", "update_checksums", "check_integrity", "save_core", "close_project", "package_xo"]
    have = [name for name in calls.names() if name in order]
    return [] if have == order else [f"calls in the order {have}"]


def check_registers(calls, rtl, header):
    """The register map that Vivado is given."""
    numbers, base, stride = shell_constants(header)
    wrong, place = [], "core/s_axi_control/reg0"
    want = {name: (at, 32) for name, (at, _) in AP_CTRL_HS.items()}
    want.update({f"memory{i}": (base + stride * i, 64) for i in range(len(rtl.masters))})
    have = {}
    for name, block in calls.of("add_register"):
        p = calls.properties(f"register:{place}/{name}")
        have[name] = (int(p.get("address_offset", "-1"), 0), int(p.get("size", "0")))
        if block != f"block:{place}" or not p.get("description"):
            wrong.append(f"register {name}: in another block, or nothing is said of it")
    if have != want:
        wrong.append(f"registers are {have}, not {want}")
    for name, key in (("CTRL", "CTRL"), ("GIE", "GIER"), ("IER", "IP_IER"), ("ISR", "IP_ISR")):
        if numbers[name] != AP_CTRL_HS[key][0]:
            wrong.append(f"register source: {name} is not where ap_ctrl_hs has it")
    fields = {}
    for name, parent in calls.of("add_field"):
        p = calls.properties(f"field:{parent.split(':')[1]}/{name}")
        fields.setdefault(parent.split("/")[-1], {})[name] = (
            int(p.get("bit_offset", "-1")), p.get("access"), p.get("modified_write_value"), p.get("read_action"))
        if p.get("bit_width") != "1":
            wrong.append(f"field {name}: not one bit")
    if fields != {name: row for name, (_, row) in AP_CTRL_HS.items()}:
        wrong.append(f"fields are {fields}")
    for i, master in enumerate(rtl.masters):
        if calls.properties(f"regparam:{place}/memory{i}/ASSOCIATED_BUSIF").get("value") != master:
            wrong.append(f"memory{i} does not belong to {master}")
    return wrong


def check_calls(text, rtl, header, sources):
    """All calls; sources: names of the files of one configuration."""
    calls = Calls(text)
    wrong = check_order(calls)
    if not calls.of("add_files") or sorted(calls.of("add_files")[0]) != sorted(sources):
        wrong.append("add_files: not the files of the configuration")
    options = calls.of("package_project")
    if not options or dict(zip(options[0][::2], options[0][1::2])) != {
            "-vendor": "tramway", "-library": "kernel", "-taxonomy": "/KernelIP", "-import_files": "1"}:
        wrong.append("package_project: other options")
    clocks = [tuple(row) for row in calls.of("associate_bus_interfaces")]
    if sorted(clocks) != sorted(("-busif", name, "-clock", "ap_clk") for name in rtl.interfaces):
        wrong.append(f"clocks of interfaces: {clocks}")
    core = calls.properties("core:core")
    want = {"name": KERNEL, "version": "1.0", "sdx_kernel": "true", "sdx_kernel_type": "rtl", "supported_families": "",
            "auto_family_support_level": "level_2"}
    if {key: core.get(key) for key in want} != want:
        wrong.append(f"properties of the core: {core}")
    if calls.properties("fileset:sources_1").get("top") != KERNEL or \
            calls.properties("files:*.svh").get("file_type") != "Verilog Header":
        wrong.append("top or the type of the headers is not set")
    if calls.properties("block:core/s_axi_control/reg0") != {"range": str(1 << rtl.interfaces["s_axi_control"][2]), "width": "32"}:
        wrong.append("range of the address block")
    if calls.properties("busif:core/s_axi_control").get("slave_memory_map_ref") != "s_axi_control":
        wrong.append("s_axi_control has no memory map")
    if calls.of("check_integrity") != [["-kernel"]]:
        wrong.append("the kernel's integrity is not checked")
    wrong += check_registers(calls, rtl, header)
    xo = dict(zip(calls.of("package_xo")[0][::2], calls.of("package_xo")[0][1::2])) if calls.of("package_xo") else {}
    if xo.get("-kernel_name") != KERNEL or xo.get("-ctrl_protocol") != "ap_ctrl_hs" or \
            not xo.get("-ip_directory", "").endswith("/ip") or not re.search(r"/gen/kernel_\w+\.xml$", xo.get("-kernel_xml", "")):
        wrong.append(f"package_xo: {xo}")
    return wrong


#
# Connectivity
#

def check_cfg(text, card, rtl):
    """UG1702, "--connectivity Options": nk=KERNEL:COUNT:NAME, sp=NAME.PORT:TAG[FIRST:LAST]; every port its own banks."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    if lines[:2] != ["[connectivity]", f"nk={KERNEL}:1:{KERNEL}_1"]:
        return [f"begins with {lines[:2]}"]
    wrong, seen, taken = [], [], set()
    for line in lines[2:]:
        m = re.fullmatch(r"sp=(\w+)\.(\w+):(HBM|DDR)\[(\d+)(?::(\d+))?\]", line)
        if not m:
            wrong.append(f"cannot be read: {line}")
            continue
        banks = set(range(int(m[4]), int(m[5] or m[4]) + 1))
        seen.append(m[2])
        if m[1] != f"{KERNEL}_1" or m[3] != card["memory"]:
            wrong.append(f"another kernel or memory than the card's: {line}")
        if not banks or min(banks) < card["first"] or max(banks) >= card["banks"]:
            wrong.append(f"banks that the card does not have, or is not to use: {line}")
        if banks & taken:
            wrong.append(f"banks of another port: {line}")
        taken |= banks
    if seen != rtl.masters:
        wrong.append(f"ports are {seen}, those of the RTL {rtl.masters}")
    return wrong


def cards(path):
    with open(path, "rb") as file:
        return tomllib.load(file)["card"]
