# SPDX-License-Identifier: Apache-2.0
"""Reads and validates rtl/spec/tma.toml."""

import re
import textwrap
import tomllib

PATHS = ("load", "store", "shared", "sync", "prefetch", "tensor", "multimem", "reduce")
WHERES = ("ring", "decode", "sync", "map", "guard", "bus", "completion", "signal")
FLAG_BITS = 16
MAP_BITS = 1024
CAP_WORDS = 4

# Fault "field" entries that name no single field of the command.
FAULT_PSEUDO_FIELDS = ("ring", "command", "shared address", "tensor map")

# Only those IEEE 1800-2017 keywords that could pass for the name of a field, and the names of
# C++ that simulators refuse.
SV_KEYWORDS = frozenset(
    "alias and begin bind bit buf byte case cell checker class clocking config const context "
    "cover cross default design disable do edge else end enum event expect export extern final "
    "first_match for force forever fork function generate global if iff import include initial "
    "inout input inside instance int integer interface join let library local logic longint "
    "macromodule matches module nand new nor not null or output package packed parameter "
    "primitive priority program property protected pull0 pull1 pure queue rand real ref reg "
    "release repeat restrict return scalared sequence shortint shortreal signed small solve specify "
    "static string strong struct super supply0 supply1 table tagged task this time tran tri type "
    "typedef union unique unsigned use uwire var vectored virtual void wait wand weak while wire "
    "with within wor xnor xor".split()
)

# Keys of each table: required, optional with its default.
SCHEMA = {
    "field": (("name", "byte", "bits", "text"), {"always": False, "elements": 1, "sv": None}),
    "overlay": (("name", "byte", "bits", "elements", "text"), {"signed": False}),
    "flag": (("name", "bit", "text"), {"uses": [], "frees": [], "always": False}),
    "command": (("name", "opcode", "path", "ptx", "uses", "flags", "reference"),
                {"answers": False, "needs": None}),
    "record": (("name", "byte", "bits", "text"), {"sv": None}),
    "kind": (("name", "value", "text"), {}),
    "fault": (("code", "name", "field", "where", "rule", "reference"), {"needs": None}),
    "barrier": (("name", "lsb", "bits", "text"), {"alive": None}),
    "state": (("name", "lsb", "bits", "text"), {}),
    "map": (("name", "lsb", "bits", "text"), {"elements": 1}),
    "value": (("set", "name", "value", "text"), {"needs": None}),
    "cap": (("name", "word", "lsb", "bits", "text"), {}),
}
ABI_KEYS = ("major", "minor", "command_version", "command_bytes", "record_bytes")


class SpecError(Exception):
    """The specification contradicts itself; the text names the entry."""


def load(path):
    """The specification in `path` as a dict of lists, with defaults filled in."""
    with open(path, "rb") as file:
        try:
            return check(tomllib.load(file))
        except tomllib.TOMLDecodeError as error:
            raise SpecError(f"{path}: {error}") from error


def check(spec):
    """Fill in defaults and return `spec`; SpecError at the first contradiction."""
    _check_keys(spec)
    _check_fields(spec, "field", spec["abi"]["command_bytes"])
    _check_fields(spec, "record", spec["abi"]["record_bytes"])
    _check_overlays(spec)
    _check_flags(spec)
    _check_commands(spec)
    _check_faults(spec)
    _unique(spec, "kind", "value")
    for kind in spec["kind"]:
        _range(f"kind {kind['name']}", "value", kind["value"], 1, 255)
    _check_bits(spec["barrier"], "barrier", 64)
    _check_bits(spec["state"], "state", 64)
    _check_bits(spec["map"], "map", MAP_BITS)
    _check_values(spec)
    for word in range(CAP_WORDS):
        _check_bits([c for c in spec["cap"] if c["word"] == word], f"cap word {word}", 32)
    _unique(spec, "cap", "name")
    if sum(b["alive"] is not None for b in spec["barrier"]) != 1:
        raise SpecError("barrier: exactly one field needs `alive`")
    return spec


def _check_keys(spec):
    for key in ABI_KEYS:
        if key not in spec.get("abi", {}):
            raise SpecError(f"abi: `{key}` is missing")
    for table in spec:
        if table != "abi" and table not in SCHEMA:
            raise SpecError(f"unknown table `{table}`")
    for table, (required, optional) in SCHEMA.items():
        for index, entry in enumerate(spec.get(table, [])):
            label = f"{table} {entry.get('name', index)}"
            for key in required:
                if key not in entry:
                    raise SpecError(f"{label}: `{key}` is missing")
            for key in entry:
                if key not in required and key not in optional:
                    raise SpecError(f"{label}: unknown key `{key}`")
            # The name of a value stands behind that of its set.
            first = "[A-Za-z0-9]" if table == "value" else "[A-Za-z]"
            if not re.fullmatch(first + "[A-Za-z0-9_]*", entry["name"]):
                raise SpecError(f"{label}: not an identifier")
            for key, default in optional.items():
                entry.setdefault(key, default)
        if not spec.get(table):
            raise SpecError(f"table `{table}` is missing")
        if table not in ("cap", "value"):
            _unique(spec, table, "name")
    for word in spec["cap"]:
        _range(f"cap {word['name']}", "word", word["word"], 0, CAP_WORDS - 1)


def _unique(spec, table, key):
    seen = {}
    for entry in spec[table]:
        if entry[key] in seen:
            shown = f"{entry[key]:#x}" if isinstance(entry[key], int) else entry[key]
            raise SpecError(f"{table} {entry['name']}: duplicate {key} {shown}, "
                            f"also of {seen[entry[key]]}")
        seen[entry[key]] = entry["name"]


def _range(label, key, value, low, high):
    if not low <= value <= high:
        raise SpecError(f"{label}: {key} {value} is not in {low}..{high}")


def _check_fields(spec, table, total):
    """Byte-aligned power-of-two fields, in order, disjoint, inside `total` bytes."""
    end, before = 0, None
    for field in spec[table]:
        label = f"{table} {field['name']}"
        if field["bits"] not in (8, 16, 32, 64):
            raise SpecError(f"{label}: {field['bits']} bits is not 8, 16, 32 or 64")
        if field["byte"] % (field["bits"] // 8):
            raise SpecError(f"{label}: byte {field['byte']} is not naturally aligned")
        if field["byte"] < end:
            raise SpecError(f"{label}: overlaps {before}")
        end = field["byte"] + field_bytes(field)
        before = field["name"]
        if end > total:
            raise SpecError(f"{label}: ends after byte {total - 1}")
        if sv_name(field) in SV_KEYWORDS:
            raise SpecError(f"{label}: `{sv_name(field)}` is a SystemVerilog keyword, add `sv`")
    if table == "field":
        flags = [f for f in spec["field"] if f["name"] == "flags"]
        if len(flags) != 1 or flags[0]["bits"] != FLAG_BITS or flags[0]["always"]:
            raise SpecError(f"field flags: must exist, with {FLAG_BITS} bits and without `always`")


def _check_overlays(spec):
    """An overlay must cover whole fields, so that C can place both in one union."""
    edges = {0}
    for field in spec["field"]:
        edges |= {field["byte"], field["byte"] + field_bytes(field)}
    for overlay in spec["overlay"]:
        label = f"overlay {overlay['name']}"
        if overlay["byte"] not in edges or overlay["byte"] + field_bytes(overlay) not in edges:
            raise SpecError(f"{label}: cuts a field")
        if overlay["name"] in (f["name"] for f in spec["field"]):
            raise SpecError(f"{label}: has the name of a field")


def _check_values(spec):
    for value in spec["value"]:
        _check_needs(spec, f"value {value['set']} {value['name']}", value)
    for name in value_sets(spec):
        entries = {"value": [v for v in spec["value"] if v["set"] == name]}
        _unique(entries, "value", "name")
        _unique(entries, "value", "value")


def _names(label, key, names, known):
    for name in names:
        if name not in known:
            raise SpecError(f"{label}: `{key}` names the unknown {name}")
    if len(set(names)) != len(names):
        raise SpecError(f"{label}: `{key}` names something twice")


def _check_flags(spec):
    operands = {f["name"] for f in spec["field"] if not f["always"]} - {"flags"}
    _unique(spec, "flag", "bit")
    for flag in spec["flag"]:
        label = f"flag {flag['name']}"
        _range(label, "bit", flag["bit"], 0, FLAG_BITS - 1)
        _names(label, "uses", flag["uses"], operands)
        _names(label, "frees", flag["frees"], operands)
        if flag["always"] and (flag["uses"] or flag["frees"]):
            raise SpecError(f"{label}: an `always` flag must not change the used fields")
    # `frees` wins over everything, so a field that one flag uses and another frees is unclear.
    used = {name for flag in spec["flag"] for name in flag["uses"]}
    for flag in spec["flag"]:
        for name in flag["frees"]:
            if name in used:
                raise SpecError(f"flag {flag['name']}: frees {name}, which a flag uses")


def _check_commands(spec):
    operands = {f["name"] for f in spec["field"] if not f["always"]} - {"flags"}
    operands |= {o["name"] for o in spec["overlay"]}
    flags = {f["name"]: f for f in spec["flag"]}
    _unique(spec, "command", "opcode")
    for command in spec["command"]:
        label = f"command {command['name']}"
        _range(label, "opcode", command["opcode"], 1, 255)
        _names(label, "path", [command["path"]], PATHS)
        _check_needs(spec, label, command)
        _names(label, "uses", command["uses"], operands)
        _names(label, "flags", command["flags"], flags)
        for name in command["flags"]:
            if flags[name]["always"]:
                raise SpecError(f"{label}: flag {name} is allowed anyway")
            for field in flags[name]["frees"]:
                if field not in command["uses"]:
                    raise SpecError(f"{label}: flag {name} frees {field}, which is not used")


def _check_needs(spec, label, entry):
    if entry["needs"]:
        _names(label, "needs", [entry["needs"]], [c["name"] for c in spec["cap"]])


def _check_faults(spec):
    fields = {f["name"] for f in spec["field"] + spec["overlay"]} | set(FAULT_PSEUDO_FIELDS)
    before = None
    for fault in spec["fault"]:
        label = f"fault {fault['name']}"
        _range(label, "code", fault["code"], 1, 0xFFFF)
        if before and fault["code"] <= before["code"]:
            raise SpecError(f"{label}: code {fault['code']:#06x} does not ascend after "
                            f"{before['name']} {before['code']:#06x}")
        _names(label, "field", [fault["field"]], fields)
        _names(label, "where", [fault["where"]], WHERES)
        _check_needs(spec, label, fault)
        before = fault


def _check_bits(fields, what, total):
    end, before = 0, None
    for field in fields:
        label = f"{what} {field['name']}"
        if field["bits"] < 1:
            raise SpecError(f"{label}: {field['bits']} bits")
        if field["lsb"] < end:
            raise SpecError(f"{label}: overlaps {before}")
        end = field["lsb"] + field["bits"] * field.get("elements", 1)
        before = field["name"]
        if end > total:
            raise SpecError(f"{label}: ends after bit {total - 1}")


# ---- views that several back ends share ----------------------------------------------------

def field_bytes(field):
    return field["bits"] // 8 * field.get("elements", 1)


def sv_name(field):
    return field.get("sv") or field["name"]


def camel(name):
    """BULK_LOAD -> BulkLoad."""
    return "".join(word.capitalize() for word in name.split("_"))


def block_comment(text, line=None):
    """`text` as C comment lines, or with `line` ("// ") as line comments, 100 columns wide."""
    if line:
        return "".join(f"{line}{row}\n" for row in textwrap.wrap(text, 100 - len(line)))
    rows = textwrap.wrap(text, 100 - len("/*  */"))
    return "/* " + "\n * ".join(rows) + " */\n"


def with_reserved(fields, total_bytes):
    """`fields` with every gap filled: reserved<byte offset>, 8 to 64 bits, naturally aligned."""
    filled, at = [], 0

    def fill(end):
        nonlocal at
        while at < end:
            size = next(s for s in (8, 4, 2, 1) if at % s == 0 and at + s <= end)
            filled.append({"name": f"reserved{at}", "byte": at, "bits": 8 * size, "elements": 1,
                           "text": "reserved, must be zero"})
            at += size

    for field in fields:
        fill(field["byte"])
        filled.append(field)
        at = field["byte"] + field_bytes(field)
    fill(total_bytes)
    return filled


def packed_bits(fields, total_bits):
    """Bit fields (lsb, bits) with gaps filled, for a packed struct."""
    filled, at = [], 0
    for field in fields:
        if field["lsb"] > at:
            filled.append({"name": f"reserved{at}", "lsb": at, "bits": field["lsb"] - at})
        filled.append(field)
        at = field["lsb"] + field["bits"] * field.get("elements", 1)
    if at < total_bits:
        filled.append({"name": f"reserved{at}", "lsb": at, "bits": total_bits - at})
    return filled


def value_sets(spec):
    """Names of the sets of values, in order."""
    return list(dict.fromkeys(v["set"] for v in spec["value"]))


def covered(spec, name):
    """The field `name`, or the fields that the overlay of that name covers, reserved ones too."""
    for overlay in spec["overlay"]:
        if overlay["name"] == name:
            last = overlay["byte"] + field_bytes(overlay)
            return [f for f in with_reserved(spec["field"], spec["abi"]["command_bytes"])
                    if overlay["byte"] <= f["byte"] < last]
    return [f for f in spec["field"] if f["name"] == name]


def byte_mask(spec, names):
    """64-bit mask of the command bytes that the named fields and overlays take."""
    mask = 0
    for field in spec["field"] + spec["overlay"]:
        if field["name"] in names:
            mask |= (1 << field_bytes(field)) - 1 << field["byte"]
    return mask


def flag_mask(spec, command):
    """Flags that `command` may set, those allowed everywhere included."""
    return sum(1 << f["bit"] for f in spec["flag"] if f["always"] or f["name"] in command["flags"])


def always_names(spec):
    return [f["name"] for f in spec["field"] if f["always"]]
