# SPDX-License-Identifier: Apache-2.0
"""Writes docs/gen/{commands,faults,record,cap,tensor_map}.md."""

import pathlib
import re

from spec import SpecError, always_names, field_bytes, value_sets, with_reserved

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
# What a rule can be traced to: a heading of a page, or a row of a table of semantics.md.
REFERENCE = re.compile(r"(semantics) ([\d.]+)|(architecture), (\w+)|([FM]\d+)")


def head(title, source="rtl/spec/tma.toml"):
    return ("<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
            f"<!-- Generated from {source} by make gen. Do not edit. -->\n\n# {title}\n\n")


def table(titles, rows):
    """A Markdown table; a bar inside a cell would end it, in code spans too."""
    lines = [titles, ["---"] * len(titles)] + rows
    return "".join("| " + " | ".join(str(c).replace("|", "\\|") for c in line) + " |\n"
                   for line in lines)


def _code(names):
    return " ".join(f"`{n}`" for n in names) or "-"


def _anchor(heading):
    """The name that Git forges give to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _target(reference):
    """Page and anchor of one reference, which must exist."""
    match = REFERENCE.fullmatch(reference)
    page = (match[1] or match[3] or "semantics") if match else None
    section = ""
    for line in (DOCS / f"{page}.md").read_text(encoding="utf-8").splitlines() if page else []:
        if line.startswith("#"):
            section = line.lstrip("# ")
            found = section.startswith(f"{match[2]}. ") or section.startswith(f"{match[2]} ") \
                or section == match[4]
        else:
            found = match[5] is not None and line.startswith(f"| {match[5]} |")
        if found:
            return f"../{page}.md#{_anchor(section)}"
    raise SpecError(f"reference `{reference}`: no such place in docs/")


def _references(text):
    return [match[0] for match in REFERENCE.finditer(text)]


def _link(text):
    """The references of one entry, to be resolved by _targets()."""
    names = _references(text)
    if not names or " ".join(names) != text:
        raise SpecError(f"reference `{text}`: not a list of known forms")
    return " ".join(f"[{name}]" for name in names)


def _targets(entries):
    """The definitions behind a page's references."""
    names = {name for entry in entries for name in _references(entry["reference"])}
    return "\n" + "".join(f"[{name}]: {_target(name)}\n" for name in sorted(names))


def _layout(fields, total):
    rows = []
    for field in with_reserved(fields, total):
        elements = field.get("elements", 1)
        last = field["byte"] + field_bytes(field) - 1
        place = str(field["byte"]) if last == field["byte"] else f"{field['byte']}-{last}"
        array = f"[{elements}]" if elements > 1 else ""
        rows.append([place, field["bits"], f"`{field['name']}{array}`", field["text"]])
    return rows


def _ptx(text):
    return text if text.startswith("none") else f"`{text}`"


def _name(entry):
    return f"`{entry['name']}`" + (f" (with `{entry['needs']}`)" if entry["needs"] else "")


def commands(spec):
    abi = spec["abi"]
    text = head("Commands")
    text += (f"A command has {abi['command_bytes']} bytes, little-endian; `version` is "
             f"{abi['command_version']}. Every command uses {_code(always_names(spec))} and the "
             "flags below that it allows. All bits that a command does not use must be zero "
             "(fault `RESERVED_BITS`). What a command answers is a [record](record.md), what is "
             "wrong with it a [fault](faults.md).\n\n## Layout\n\n")
    text += table(["bytes", "bits", "field", "meaning"],
                  _layout(spec["field"], abi["command_bytes"]))
    for overlay in spec["overlay"]:
        text += (f"\n`{overlay['name']}[{overlay['elements']}]` overlays bytes {overlay['byte']}-"
                 f"{overlay['byte'] + field_bytes(overlay) - 1}: {overlay['text']}.\n")
    text += "\n## Flags\n\n"
    text += table(["bit", "flag", "brings into use", "must then be zero", "allowed for", "meaning"],
                  [[f["bit"], f"`{f['name']}`", _code(f["uses"]), _code(f["frees"]),
                    "every command" if f["always"] else
                    _code(c["name"] for c in spec["command"] if f["name"] in c["flags"]),
                    f["text"]] for f in spec["flag"]])
    text += ("\n## Instructions\n\nOne with a [capability](cap.md) behind its name is known to builds that have it; "
             "to others its opcode is unknown.\n\n")
    text += table(["opcode", "name", "PTX", "uses", "flags", "path", "record", "reference"],
                  [[f"`0x{c['opcode']:02X}`", _name(c), _ptx(c["ptx"]), _code(c["uses"]),
                    _code(c["flags"]), c["path"], "always" if c["answers"] else "with `RECORD`",
                    _link(c["reference"])] for c in spec["command"]])
    return text + _targets(spec["command"])


def faults(spec):
    text = head("Faults")
    text += ("A fault stops its queue and writes one `FAULT` [record](record.md). Checks run in the order of "
             "the codes: the lowest one wins. *Where* says what finds the fault: `decode` the "
             "command alone, `sync` the barrier at issue, `guard` a burst's window, `bus` an error "
             "response, `signal` the barrier when a copy signals it. After the first two nothing "
             "has moved. *Reference* says where the rule comes from: F and M numbers are rows of "
             "the tables in [semantics](../semantics.md), 4.3 and 0.\n\n")
    text += table(["code", "name", "field", "where", "rule", "reference"],
                  [[f"`0x{f['code']:04X}`", _name(f), f["field"], f["where"],
                    f["rule"], _link(f["reference"])] for f in spec["fault"]])
    return text + _targets(spec["fault"])


def record(spec):
    text = head("Completion record and mbarrier")
    text += f"A record has {spec['abi']['record_bytes']} bytes, little-endian.\n\n"
    text += table(["bytes", "bits", "field", "meaning"],
                  _layout(spec["record"], spec["abi"]["record_bytes"]))
    text += "\n## Kinds\n\n"
    text += table(["value", "kind", "meaning"],
                  [[k["value"], f"`{k['name']}`", k["text"]] for k in spec["kind"]])
    text += "\n## State token\n\nThe `value` of an arrive's record. "
    text += "Other bits are ignored on use.\n\n"
    text += _bits(spec["state"])
    text += "\n## mbarrier object\n\n64 bits in shared memory, 8-byte aligned.\n\n"
    return text + _bits(spec["barrier"])


def _bits(fields):
    return table(["bits", "field", "meaning"],
                 [[_span(f), f"`{f['name']}`", f["text"]] for f in fields])


def _span(field):
    top = field["lsb"] + field["bits"] - 1
    return str(top) if field["bits"] == 1 else f"{top}:{field['lsb']}"


def cap(spec):
    text = head("Capabilities") + "Registers `CAP0` to `CAP3`. Bits not listed read zero.\n\n"
    return text + table(["word", "bits", "capability", "meaning"],
                        [[f"`CAP{c['word']}`", _span(c), f"`{c['name']}`", c["text"]]
                         for c in spec["cap"]])


def tensor_map(spec):
    rows = []
    for field in spec["map"]:
        elements = field["elements"]
        word, bit = divmod(field["lsb"], 64)
        array = f"[{elements}]" if elements > 1 else ""
        rows.append([f"{word}.{bit}", f"{field['bits']}{f' x {elements}' if array else ''}",
                     f"`{field['name']}{array}`", field["text"]])
    text = (head("Tensor map") +
            "The 128 bytes that `cuTensorMapEncode*` writes, as sixteen 64-bit words, little-endian. "
            "Arrays lie densely, element 0 in the lowest bits. Every bit not named must be zero; elements of dimensions "
            "beyond the rank, zero as the driver writes them, are not looked at.\n\n" +
            table(["word.bit", "bits", "field", "meaning"], rows))
    for name in value_sets(spec):
        text += (f"\n## Values of `{name}`\n\n" +
                 table(["value", "name", "meaning"],
                       [[v["value"], f"`{v['name']}`", v["text"]]
                        for v in spec["value"] if v["set"] == name]))
    return text
