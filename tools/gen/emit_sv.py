# SPDX-License-Identifier: Apache-2.0
"""Writes rtl/gen/tma_isa_pkg.sv."""

from spec import (MAP_BITS, PATHS, always_names, camel, covered, field_bytes, packed_bits, sv_name,
                  value_sets, with_reserved)

HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/spec/tma.toml by make gen. Do not edit.
//
// The command, the completion record, faults and capability words as types and constants, and
// which bits of a command its opcode and flags bring into use.
package tma_isa_pkg;

  // A package offers all constants, no build uses each of them.
  /* verilator lint_off UNUSEDPARAM */
"""


def emit(spec):
    """The package has all that a build can have, and says of a command which capability it needs."""
    parts = [HEAD, _constants(spec)]
    parts.append(_enum("opcode_e", 8, "Instructions.", "Op",
                       [(c["name"], c["opcode"]) for c in spec["command"]]))
    parts.append(_enum("path_e", _width(len(PATHS)),
                       "Part of the engine that executes a command.", "Path",
                       [(p.upper(), i) for i, p in enumerate(PATHS)]))
    parts.append(_enum("kind_e", 8, "Kinds of record.", "Kind",
                       [(k["name"], k["value"]) for k in spec["kind"]]))
    parts.append(_enum("fault_e", 16, "Faults in check order: the lowest code wins.", "Fault",
                       [("NONE", 0)] + [(f["name"], f["code"]) for f in spec["fault"]]))
    parts.append(_struct("command_t", "One command as it lies in memory: bit 0 is bit 0 of byte 0.",
                         _byte_members(spec["field"], spec["abi"]["command_bytes"])))
    parts.append(_struct("record_t", "One completion record, bit 0 is bit 0 of byte 0.",
                         _byte_members(spec["record"], spec["abi"]["record_bytes"])))
    parts.append(_struct("barrier_t", "An mbarrier object in shared memory.",
                         _bit_members(spec["barrier"], 64)))
    parts.append(_struct("state_t", "The state token that an arrive answers.",
                         _bit_members(spec["state"], 64)))
    parts.append(_struct("map_t", "A tensor map as it lies in memory: bit 0 is bit 0 of byte 0.",
                         _bit_members(spec["map"], MAP_BITS)))
    parts.append(_values(spec))
    parts.append(_known(spec))
    for need in sorted({c["needs"] for c in spec["command"] if c["needs"]}):
        parts.append(_set_of(f"needs_{need.lower()}",
                             f"Whether only builds with the capability {need} know the command.",
                             [c for c in spec["command"] if c["needs"] == need]))
    parts.append(_set_of("answers", "Whether the command writes a record without being asked to.",
                         [c for c in spec["command"] if c["answers"]]))
    parts.append(_path_of(spec))
    parts.append(_allowed_flags(spec))
    parts.append(_used_bits(spec))
    parts.append("endpackage\n")
    return "\n".join(parts)


def _width(count):
    return max(1, (count - 1).bit_length())


def _constants(spec):
    abi = spec["abi"]
    rows = [("AbiMajor", abi["major"]), ("AbiMinor", abi["minor"]),
            ("CommandBytes", abi["command_bytes"]), ("RecordBytes", abi["record_bytes"])]
    text = "\n".join(f"  localparam int unsigned {n} = {v};" for n, v in rows)
    text += f"\n  localparam logic [7:0] CommandVersion = 8'd{abi['command_version']};\n"
    text += "\n  // Bits of command_t.flags.\n"
    text += "".join(f"  localparam int unsigned Flag{camel(f['name'])} = {f['bit']};\n"
                    for f in spec["flag"])
    live = next(b for b in spec["barrier"] if b["alive"] is not None)
    text += f"\n  // barrier_t.{live['name']} of an initialised mbarrier.\n"
    text += (f"  localparam logic [{live['bits'] - 1}:0] BarrierAlive = "
             f"{live['bits']}'d{live['alive']};\n")
    text += "\n  // Capabilities: word of CAP, lowest bit, width.\n"
    for cap in spec["cap"]:
        name = camel(cap["name"])
        text += (f"  localparam int unsigned Cap{name}Word = {cap['word']}, Cap{name}Lsb = "
                 f"{cap['lsb']}, Cap{name}Width = {cap['bits']};\n")
    return text + "  /* verilator lint_on UNUSEDPARAM */\n"


def _enum(name, bits, comment, prefix, items):
    digits = (bits + 3) // 4
    pad = max(len(n) for n in (prefix + camel(i[0]) for i in items))
    rows = [f"    {prefix + camel(n):{pad}} = {bits}'h{v:0{digits}X}" for n, v in items]
    return (f"  // {comment}\n  typedef enum logic [{bits - 1}:0] {{\n" + ",\n".join(rows) +
            f"\n  }} {name};\n")


def _struct(name, comment, members):
    """`members`: (range, name, comment), lowest bit first. SystemVerilog declares them last."""
    pad = max(len(m[0]) for m in members)
    wide = max(len(m[1]) for m in members) + 1
    rows = [f"    logic {r:{pad}} {n + ';':{wide}}  // {c}" for r, n, c in reversed(members)]
    return f"  // {comment}\n  typedef struct packed {{\n" + "\n".join(rows) + f"\n  }} {name};\n"


def _range(bits):
    return f"[{bits - 1}:0]" if bits > 1 else ""


def _byte_members(fields, total):
    members = []
    for field in with_reserved(fields, total):
        array = f"[{field['elements'] - 1}:0]" if field.get("elements", 1) > 1 else ""
        last = field["byte"] + field_bytes(field) - 1
        place = f"bytes {field['byte']}-{last}" if last > field["byte"] else f"byte {last}"
        members.append((array + _range(field["bits"]), sv_name(field), place))
    return members


def _bit_members(fields, total):
    def span(field):
        array = f"[{field['elements'] - 1}:0]" if field.get("elements", 1) > 1 else ""
        return array + _range(field["bits"])

    names = {"type": "element_type"}
    return [(span(f), names.get(f["name"], f["name"]), f.get("text", "reserved"))
            for f in packed_bits(fields, total)]


def _values(spec):
    text = "  // Values of a command's mode and of fields of a tensor map.\n"
    text += "  /* verilator lint_off UNUSEDPARAM */\n"
    for name in value_sets(spec):
        values = [v for v in spec["value"] if v["set"] == name]
        bits = max(2, _width(max(v["value"] for v in values) + 1))
        for value in values:
            text += (f"  localparam logic [{bits - 1}:0] {camel(name)}{camel(value['name'])} = "
                     f"{bits}'d{value['value']};\n")
    return text + "  /* verilator lint_on UNUSEDPARAM */\n"


def _list(commands):
    return ",\n      ".join(
        ", ".join(f"Op{camel(c['name'])}" for c in commands[i:i + 4])
        for i in range(0, len(commands), 4))


def _set_of(name, comment, commands):
    return f"""\
  // {comment}
  function automatic logic {name}(input logic [7:0] opcode);
    case (opcode)
      {_list(commands)}: {name} = 1'b1;
      default: {name} = 1'b0;
    endcase
  endfunction
"""


def _case(commands, key, statements):
    """Case items: commands with the same names under `key` share one."""
    groups = {}
    for command in commands:
        groups.setdefault(tuple(sorted(command[key])), []).append(command)
    text = ""
    for group in groups.values():
        rows = [row for name in group[0][key] for row in statements(name)]
        if len(rows) == 1:
            text += f"      {_list(group)}: {rows[0]}\n"
        elif rows:
            text += f"      {_list(group)}: begin\n"
            text += "".join(f"        {row}\n" for row in rows) + "      end\n"
    return text + "      default: ;\n"


def _known(spec):
    return _set_of("known_opcode", "Whether the opcode names a command.", spec["command"])


def _path_of(spec):
    text = """\
  // Path that executes the command. Unknown opcodes fault before they reach one.
  function automatic path_e path_of(input logic [7:0] opcode);
    case (opcode)
"""
    default = "sync"
    for path in PATHS:
        commands = [c for c in spec["command"] if c["path"] == path]
        if commands and path != default:
            text += f"      {_list(commands)}: path_of = Path{camel(path)};\n"
    return text + f"""\
      default: path_of = Path{camel(default)};
    endcase
  endfunction
"""


def _allowed_flags(spec):
    always = sum(1 << f["bit"] for f in spec["flag"] if f["always"])
    text = f"""\
  // Flags that the command may set.
  function automatic logic [15:0] allowed_flags(input logic [7:0] opcode);
    allowed_flags = 16'h{always:04X};
    case (opcode)
"""
    text += _case(spec["command"], "flags", lambda f: [f"allowed_flags[Flag{camel(f)}] = 1'b1;"])
    return text + "    endcase\n  endfunction\n"


def _used_bits(spec):
    def use(name, value="'1"):
        return [f"used.{sv_name(f)} = {value};" for f in covered(spec, name)]

    text = """\
  // Bits of the command that mean something; all others must be zero. A flag that the command
  // does not have is itself such a bit, and changes nothing else.
  function automatic logic [511:0] used_bits(input logic [7:0] opcode, input logic [15:0] flags);
    command_t used;
    used = '0;
"""
    text += "".join(f"    {row}\n" for n in always_names(spec) for row in use(n))
    text += "    used.flags = allowed_flags(opcode);\n    case (opcode)\n"
    text += _case(spec["command"], "uses", use)
    text += "    endcase\n"
    for key, value in (("uses", "'1"), ("frees", "'0")):
        for flag in spec["flag"]:
            for name in flag[key]:
                bit = f"Flag{camel(flag['name'])}"
                text += "".join(f"    if (flags[{bit}] && used.flags[{bit}]) {row}\n"
                                for row in use(name, value))
    return text + "    used_bits = used;\n  endfunction\n"
