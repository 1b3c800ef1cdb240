# SPDX-License-Identifier: Apache-2.0
"""Writes sw_model/include/tma_abi.h and tma_tables.h."""

from spec import (always_names, byte_mask, field_bytes, flag_mask, value_sets, with_reserved)

HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/tma.toml by make gen. Do not edit. */
/*
 * tma_abi - the command, the completion record, faults and capability words, as hardware and
 * software exchange them. Little-endian, no padding. C11 and C++17.
 */
#ifndef TMA_ABI_H
#define TMA_ABI_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
"""

FOOT = """\
#ifdef __cplusplus
}
#endif

#endif
"""

TABLES_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/tma.toml by make gen. Do not edit. */
/*
 * tma_tables - what tma_abi.h names, to be looked up: commands, the bits that they use, faults, and
 * the names of numbers. C11 and C++17.
 */
#ifndef TMA_TABLES_H
#define TMA_TABLES_H

#include <string.h>

#include "tma_abi.h"

#ifdef __cplusplus
/* Some functions have the name of a struct, as C allows. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#endif
"""

LOOKUP = """\
/* Commands by opcode; the table's last entry is for every other opcode. */
struct tma_opcode_info {
	uint8_t     opcode;
	uint8_t     answers; /* writes a record without TMA_FLAG_RECORD */
	uint16_t    flags;   /* flags that it may set */
	uint64_t    bytes;   /* bit i: byte i of the command is used without any flag */
	const char *name;
	const char *needs;   /* the capability that a build has it with, NULL: every build has it */
};

"""

USED = """\
/**
 * Bits of @p command that its opcode and flags bring into use; all others must be zero.
 * An unknown opcode uses what every command uses, a flag that the command does not have is
 * itself an unused bit.
 *
 * @param used  @BYTES@ bytes, set to the mask, byte for byte; NULL: nothing is done. Without a command all of it is zero.
 */
static inline void tma_command_used_bits(const struct tma_command *command, uint8_t *used)
{
	static const struct {
		uint16_t flag;
		uint64_t uses, frees; /* bit i: byte i of the command */
	} effects[] = {
@EFFECTS@
	};
	/* Four bits of a mask of bytes, as bytes. */
	static const uint8_t spread[16][4] = {
@SPREAD@
	};
	const struct tma_opcode_info *info;
	uint64_t bytes;
	uint16_t set;
	unsigned int i;

	if (!used)
		return;
	if (!command) {
		memset(used, 0, @BYTES@);
		return;
	}
	info = tma_opcode_info(command->opcode);
	set = (uint16_t)(command->flags & info->flags);
	bytes = info->bytes;

	for (i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
		if (set & effects[i].flag)
			bytes |= effects[i].uses;
	for (i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
		if (set & effects[i].flag)
			bytes &= ~effects[i].frees;
	for (i = 0; i < @BYTES@; i += 4)
		memcpy(used + i, spread[bytes >> i & 0xF], 4);
	used[@FLAGS_LOW@] = (uint8_t)(info->flags & 0xFF);
	used[@FLAGS_HIGH@] = (uint8_t)(info->flags >> 8);
}
"""

# Sets of values of the tensor map's fields, by what they are called in C: nothing that the encoders of tma_map.h take
# may have a name like theirs.
RAW = {"map_type": "type", "interleave": "interleave", "swizzle": "swizzle", "atom": "atom", "wide": "wide",
       "fill": "fill"}

RAW_HEAD = """\
/* Raw: numbers in the bits of a packed tensor map. Those that the encoders take are others, with a name that
 * begins with TMA_MAP_: tma_map.h. */"""

SPREAD = ",\n".join(
    "\t\t{ " + ", ".join("0xFF" if bits >> i & 1 else "0" for i in range(4)) + " }" for bits in range(16))

FAULT_INFO = """\
/* What a fault means. `field`: operand at fault; `where`: ring, decode, sync, map,
 * guard, bus, completion or signal. */
struct tma_fault_info {
	uint16_t    code;
	const char *name, *field, *where, *rule, *reference;
	const char *needs; /* the capability that builds show it with, NULL: every build does */
};

/** The fault of @p code, or NULL: there is no such fault. */
static inline const struct tma_fault_info *tma_fault_info(uint16_t code)
{
	static const struct tma_fault_info faults[] = {
@FAULTS@
	};
	unsigned int i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (faults[i].code == code)
			return &faults[i];
	return NULL;
}
"""


def emit(spec):
    parts = [HEAD, _numbers(spec),
             _enum("tma_opcode", "TMA_", [(c["name"], c["opcode"], 2) for c in spec["command"]]),
             _flags(spec),
             _enum("tma_kind", "TMA_KIND_", [(k["name"], k["value"], 0) for k in spec["kind"]]),
             _enum("tma_fault", "TMA_FAULT_",
                   [("NONE", 0, 0)] + [(f["name"], f["code"], 4) for f in spec["fault"]]),
             _command(spec), _record(spec),
             _bits("mbarrier object", "TMA_BARRIER_", spec["barrier"]) + _alive(spec),
             _bits("state token of an arrive", "TMA_STATE_", spec["state"]),
             _map(spec), _values(spec),
             _cap(spec), FOOT]
    return "\n".join(parts)


def tables(spec):
    return "\n".join([TABLES_HEAD, _opcode_info(spec), _used(spec), _faults(spec), _names(spec),
                      FOOT.replace("}\n", "}\n#pragma GCC diagnostic pop\n", 1)])


def _string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _needs(entry):
    return _string(entry["needs"]) if entry["needs"] else "NULL"


def _space(text):
    """What separates a long string of a table's row from its neighbour."""
    return "\n\t\t  " if len(text) > 60 else " "


def _numbers(spec):
    abi = spec["abi"]
    rows = [("TMA_ABI_MAJOR", abi["major"]), ("TMA_ABI_MINOR", abi["minor"]),
            ("TMA_COMMAND_VERSION", abi["command_version"]),
            ("TMA_COMMAND_BYTES", abi["command_bytes"]), ("TMA_RECORD_BYTES", abi["record_bytes"])]
    return "".join(f"#define {n} {v}u\n" for n, v in rows)


def _enum(name, prefix, items):
    rows = "".join(f"\t{prefix}{n} = " + (f"0x{v:0{d}X}" if d else str(v)) + ",\n"
                   for n, v, d in items)
    return f"enum {name} {{\n{rows}}};\n"


def _flags(spec):
    rows = "".join(_line("", f"#define TMA_FLAG_{f['name']} (1u << {f['bit']})", f["text"])
                   for f in spec["flag"])
    return "/* Bits of tma_command.flags. */\n" + rows


def _line(indent, code, comment):
    """One line of code with its comment behind it, or above it where that gets too long."""
    if len(indent.expandtabs(8)) + len(code) + len(comment) + len(" /*  */") <= 100:
        return f"{indent}{code} /* {comment} */\n"
    return f"{indent}/* {comment} */\n{indent}{code}\n"


def _member(field, indent, signed=False):
    array = f"[{field['elements']}]" if field.get("elements", 1) > 1 else ""
    kind = f"{'' if signed else 'u'}int{field['bits']}_t"
    return _line(indent, f"{kind:8} {field['name']}{array};", field["text"])


def _asserts(struct, fields, size):
    text = f"static_assert(sizeof(struct {struct}) == {size}, \"{struct} has padding\");\n"
    for field in fields:
        text += (f"static_assert(offsetof(struct {struct}, {field['name']}) == {field['byte']}, "
                 f"\"{struct}.{field['name']}\");\n")
    return text


def _command(spec):
    size = spec["abi"]["command_bytes"]
    fields = with_reserved(spec["field"], size)
    text = """\
/* Standard C++ has no struct without a name, and compilers that are asked to be pedantic say so. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
/* One command. Bytes that it does not use must be zero. */
struct tma_command {
"""
    overlays = {o["byte"]: o for o in spec["overlay"]}
    end = None
    for field in fields:
        if field["byte"] in overlays:
            overlay = overlays[field["byte"]]
            end = overlay["byte"] + field_bytes(overlay)
            text += "\tunion {\n" + _member(overlay, "\t\t", overlay["signed"])
            text += "\t\tstruct {\n"
        text += _member(field, "\t\t\t" if end else "\t")
        if end and field["byte"] + field_bytes(field) == end:
            text += "\t\t};\n\t};\n"
            end = None
    return text + "};\n#pragma GCC diagnostic pop\n" + _asserts("tma_command", fields + spec["overlay"], size)


def _record(spec):
    size = spec["abi"]["record_bytes"]
    fields = with_reserved(spec["record"], size)
    return ("/* One completion record. */\nstruct tma_record {\n" +
            "".join(_member(f, "\t") for f in fields) + "};\n" +
            _asserts("tma_record", fields, size))


def _bits(what, prefix, fields):
    text = f"/* Fields of the {what}: lowest bit, width. */\n"
    for field in fields:
        name = prefix + field["name"].upper()
        text += f"#define {name}_LSB {field['lsb']} /* {field['text']} */\n"
        text += f"#define {name}_BITS {field['bits']}\n"
    return text


def _map(spec):
    text = "/* Fields of a tensor map: lowest bit of 1,024, width, elements. */\n"
    for field in spec["map"]:
        name = f"TMA_MAP_{field['name'].upper()}"
        text += _line("", f"#define {name}_LSB {field['lsb']}", field["text"])
        text += f"#define {name}_BITS {field['bits']}\n"
        if field["elements"] > 1:
            text += f"#define {name}_ELEMENTS {field['elements']}\n"
    return text


def _values(spec):
    """The sets of the command first: so it is in the specification."""
    text, raw = [], False
    for name in value_sets(spec):
        if name in RAW and not raw:
            text.append(RAW_HEAD)
            raw = True
        c_name = f"raw_{RAW[name]}" if name in RAW else name
        text.append(_enum(f"tma_{c_name}", f"TMA_{c_name.upper()}_",
                          [(v["name"], v["value"], 0) for v in spec["value"] if v["set"] == name]))
    return "\n".join(text)


def _alive(spec):
    live = next(b for b in spec["barrier"] if b["alive"] is not None)
    return f"#define TMA_BARRIER_ALIVE {live['alive']}u /* `{live['name']}` when initialised */\n"


def _cap(spec):
    text = "/* Capabilities: word of CAP, lowest bit, width. */\n"
    for cap in spec["cap"]:
        name = f"TMA_CAP_{cap['name']}"
        text += f"#define {name}_WORD {cap['word']} /* {cap['text']} */\n"
        text += f"#define {name}_LSB {cap['lsb']}\n#define {name}_BITS {cap['bits']}\n"
    return text + ("/* A capability out of the words CAP0.., e.g. TMA_CAP_GET(words, QUEUES). */\n"
                   "#define TMA_CAP_GET(words, name) \\\n"
                   "\t((uint32_t)(((words)[TMA_CAP_##name##_WORD] >> TMA_CAP_##name##_LSB) & \\\n"
                   "\t\t    ((UINT64_C(1) << TMA_CAP_##name##_BITS) - 1)))\n")


def _opcode_info(spec):
    common = byte_mask(spec, always_names(spec))
    always = sum(1 << f["bit"] for f in spec["flag"] if f["always"])
    rows = ""
    for c in spec["command"]:
        rows += (f"\t\t{{ TMA_{c['name']}, {int(c['answers'])}, 0x{flag_mask(spec, c):04X}, "
                 f"UINT64_C(0x{common | byte_mask(spec, c['uses']):016X}),\n"
                 f"\t\t  {_string(c['name'])}, {_needs(c)} }},\n")
    rows += f"\t\t{{ 0, 0, 0x{always:04X}, UINT64_C(0x{common:016X}), NULL, NULL }},\n"
    return LOOKUP + f"""\
/** What commands of @p opcode are; never NULL: of an unknown one `name` is. */
static inline const struct tma_opcode_info *tma_opcode_info(uint8_t opcode)
{{
	static const struct tma_opcode_info opcodes[] = {{
{rows}	}};
	const struct tma_opcode_info *info = opcodes;

	while (info->name && info->opcode != opcode)
		info++;
	return info;
}}

/** Name of a command as in the command table, or NULL: there is no such command. */
static inline const char *tma_opcode_name(uint8_t opcode)
{{
	return tma_opcode_info(opcode)->name;
}}

/** 1: the command writes a record even without TMA_FLAG_RECORD. */
static inline int tma_command_answers(uint8_t opcode)
{{
	return tma_opcode_info(opcode)->answers;
}}
"""


def _used(spec):
    flags = next(f for f in spec["field"] if f["name"] == "flags")
    effects = ",\n".join(
        f"\t\t{{ TMA_FLAG_{f['name']}, UINT64_C(0x{byte_mask(spec, f['uses']):016X}), "
        f"UINT64_C(0x{byte_mask(spec, f['frees']):016X}) }}"
        for f in spec["flag"] if f["uses"] or f["frees"])
    return (USED.replace("@EFFECTS@", effects).replace("@FLAGS_LOW@", str(flags["byte"]))
            .replace("@FLAGS_HIGH@", str(flags["byte"] + 1))
            .replace("@SPREAD@", SPREAD)
            .replace("@BYTES@", str(spec["abi"]["command_bytes"])))


def _faults(spec):
    rows = ",\n".join(
        f"\t\t{{ TMA_FAULT_{f['name']}, {_string(f['name'])}, {_string(f['field'])}, "
        f"{_string(f['where'])},\n\t\t  {_string(f['rule'])},{_space(f['rule'])}"
        f"{_string(f['reference'])}, {_needs(f)} }}"
        for f in spec["fault"])
    return FAULT_INFO.replace("@FAULTS@", rows)


def _name_of(function, prefix, argument, what, rows):
    """A function that gives the name of a number; rows: constant without its prefix, name."""
    cases = "".join(f"\tcase {prefix}{constant}:\n\t\treturn {_string(name)};\n" for constant, name in rows)
    return (f"/** Name of {what}, or NULL: there is none. */\n"
            f"static inline const char *{function}({argument})\n{{\n"
            f"\tswitch ({argument.split()[-1]}) {{\n{cases}\tdefault:\n\t\treturn NULL;\n\t}}\n}}\n")


def _names(spec):
    """PTX's word for a value is what its text begins with."""
    def words(name):
        return [(v["name"], v["text"].split(": ")[0]) for v in spec["value"] if v["set"] == name]

    return "\n".join([
        _name_of("tma_kind_name", "TMA_KIND_", "uint8_t kind", "a record kind",
                 [(k["name"], k["name"]) for k in spec["kind"]]),
        _name_of("tma_flag_name", "TMA_FLAG_", "uint32_t flag", "one flag of a command",
                 [(f["name"], f["name"]) for f in spec["flag"]]),
        _name_of("tma_mode_name", "TMA_MODE_", "uint8_t mode", "a traversal mode, in the words of PTX",
                 words("mode")),
        _name_of("tma_reduce_name", "TMA_REDUCE_", "uint8_t op",
                 "a reduction's operator, in the words of PTX", words("reduce")),
        _name_of("tma_type_name", "TMA_TYPE_", "uint8_t type", "a reduction's type, in the words of PTX",
                 words("type"))])
