#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/gen/api.md, the reference of the C library, from the comments of its public headers. Standard
library only.

A comment belongs to the declarations right below it, without a blank line between. One by itself is text of its
section; sections begin with a line of dashes. The first comment of a header is about all of it.
"""

import argparse
import pathlib
import re
import sys

from emit_docs import head, table
from gen import REPOSITORY, write

OUTPUT = "docs/gen/api.md"
HEADERS = (
    "host/include/tma.h",
    "host/include/tma_command.h",
    "sw_model/include/tma_map.h",
    "host/include/tma_ptx.h",
    "host/include/tma_wait.h",
    "host/include/tma_watch.h",
    "host/include/tma_print.h",
    "sw_model/include/tma_tables.h",
    "sw_model/include/tma_model.h",
    "host/include/tma_backend.h",
    "host/include/tma_backend_rtl.h",
    "host/include/tma_version.h",
)
# Headers that are numbers alone: pages that show them better.
ELSEWHERE = {
    "sw_model/include/tma_abi.h": "[commands](commands.md), [record](record.md), [faults](faults.md), "
                                  "[tensor map](tensor_map.md), [capabilities](cap.md)",
    "host/include/tma_regs.h": "[registers](registers.md)",
    "host/include/tma_shell.h": "[registers of the shell](shell.md)",
}

BANNER = re.compile(r"/\* -{3,} (.*?) -{3,} \*/")
# Declarations that tell a reader nothing.
GUARD = re.compile(r"#define \w+_H$|static_assert")
# The instruction that a function stands for, in front of its description.
INSTRUCTION = re.compile(r"(?:cp|multimem|mbarrier|fence|prefetch|tensormap)\.\S")
TAG = re.compile(r"@(?!p )(\w+)\s*(.*)")
NAME = re.compile(r"\b(?:(?:struct |enum )?(?:tma|TMA)_[\w*]+(?:\.\w+)?(?:\([^()]*\))?|[A-Z][A-Z0-9]*_[A-Z0-9_*]*)")


class ApiError(Exception):
    """What a header has and this program does not understand."""


class Entry:
    """Declarations and the comment above them; without declarations, text; with a title alone, a section."""

    def __init__(self, comment=None, title=None):
        self.comment = comment or []
        self.title = title
        self.code = []

    def functions(self):
        return [name for name in map(function_name, self.code) if name]

    def names(self):
        """What a reader looks for; macros are shown without a heading of their own."""
        types = [match[1] for match in (re.match(r"((?:struct|enum) \w+)", c) for c in self.code) if match]
        values = [match[1] for match in (re.match(r"extern .*?(\w+);", c) for c in self.code) if match]
        return [f"{name}()" for name in self.functions()] or types or values


def function_name(code):
    match = re.match(r"(?!struct \w+ \{|enum |typedef |#)[\w\s*]*?\b(\w+)\(", code)
    return match[1] if match else None


def _comment(lines):
    """Lines of a comment, whose first one begins with /* or /**, without its frame."""
    text = "\n".join(lines)
    text = re.sub(r"^/\*\*? ?", "", text)
    text = re.sub(r"\s*\*/$", "", text)
    return [re.sub(r"^\s*\* *", "", line) if i else line.strip() for i, line in enumerate(text.split("\n"))]


def _bare(line):
    return re.sub(r"/\*.*?(\*/|$)", "", line)


def _signature(lines):
    """A declaration as written; of an inline function what stands before its body."""
    text = "\n".join(lines)
    if re.match(r"static inline", text):
        return re.sub(r"\s*\n\{.*", ";", text, flags=re.S).replace("static inline ", "", 1)
    return text


def parse(path, text):
    """Entries of a header, in order."""
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
    lines, entries, index, fresh = text.split("\n"), [], 0, True

    while index < len(lines):
        line, start = lines[index], index
        index += 1
        if not line.strip():
            fresh = True
        elif BANNER.fullmatch(line):
            entries.append(Entry(title=BANNER.fullmatch(line)[1]))
        elif line.startswith("/*"):
            while "*/" not in lines[index - 1]:
                if index == len(lines):
                    raise ApiError(f"{path}:{start + 1}: a comment does not end")
                index += 1
            entries.append(Entry(_comment(lines[start:index])))
            fresh = False
        elif line.startswith("#define") or not line.startswith("#"):
            index = _end(path, lines, start)
            code = _signature(lines[start:index])
            if GUARD.match(code) or (re.match(r"struct \w+;$", code) and (fresh or entries[-1].code)):
                continue
            if fresh or not entries or entries[-1].title:
                entries.append(Entry())
            entries[-1].code.append(code)
            fresh = False
        elif line.startswith("#pragma") and not fresh and not entries[-1].code:
            entries.pop()  # it is about the pragma
    return [e for e in entries if e.title or e.code or not re.match("SPDX|Generated from", e.comment[0])]


def _end(path, lines, start):
    """Index behind the declaration that begins at `start`."""
    depth, index = 0, start
    while index < len(lines):
        bare = _bare(lines[index]).rstrip()
        depth += bare.count("{") - bare.count("}")
        index += 1
        if lines[start].startswith("#"):
            if not bare.endswith("\\"):
                return index
        elif depth == 0 and bare.endswith((";", "}")):
            return index
    raise ApiError(f"{path}:{start + 1}: a declaration does not end")


class Page:
    """Turns comments into Markdown, with links to what the page has."""

    def __init__(self, anchors):
        self.anchors = anchors

    def words(self, text):
        """Running text: names as code, what Markdown would take for its own as it is."""
        text = re.sub(r"@p (\w+)", r"`\1`", text)
        parts = re.split(r"(`[^`]*`)", text)
        return "".join(part if part.startswith("`") else self._names(part) for part in parts)

    def _names(self, text):
        done, at = "", 0
        for match in NAME.finditer(text):
            done += _escape(text[at:match.start()]) + self._name(match[0])
            at = match.end()
        return done + _escape(text[at:])

    def _name(self, name):
        anchor = self.anchors.get(re.sub(r"\(.*", "()", name))
        return f"[`{name}`](#{anchor})" if anchor else f"`{name}`"

    def comment(self, lines):
        """A whole comment."""
        lines = re.sub(r"(?<=\S)\s+(?=@(?:param|return|retval)\b)", "\n", "\n".join(lines).strip("\n")).split("\n")
        blocks = []  # [kind, lines]
        for line in lines:
            kind = "code" if line.startswith("\t") else "tag" if TAG.match(line) else "text"
            if not line.strip():
                blocks.append(["gap", []])
            elif kind == "tag" or not blocks or (kind, blocks[-1][0]) not in (
                    ("code", "code"), ("text", "text"), ("text", "tag")) or _new_paragraph(line):
                blocks.append([kind, [line]])
            else:
                blocks[-1][1].append(line)
        text = self._instruction(blocks)
        before = "gap"
        for kind, block in blocks:
            if block:
                text += ("\n" if before == "tag" != kind else "") + self._block(kind, block)
                before = kind
        return text

    def _instruction(self, blocks):
        """The instruction in front, as code; taken out of the blocks."""
        if not blocks or not INSTRUCTION.match(blocks[0][1][0] if blocks[0][1] else ""):
            return ""
        count = next((i for i, b in enumerate(blocks) if b[0] == "gap"), len(blocks))
        first = [line for _, ls in blocks[:count] for line in ls if not TAG.match(line)]
        text = "\n".join(first)
        described = re.search(r"(?<!:):(?=\s)", text)
        if described is None and any(b[0] == "tag" for b in blocks[:count]):
            count = next(i for i, b in enumerate(blocks) if b[0] == "tag")
        if described is None:
            del blocks[:count]
            return "```\n" + "\n".join(re.sub(r"^\t", "    ", line) for line in first) + "\n```\n\n"
        rest = text[described.end():].strip().split("\n")
        blocks[0] = ["text", [f"`{' '.join(text[:described.start()].split())}`: {rest[0]}"] + rest[1:]]
        return ""

    def _block(self, kind, lines):
        if kind == "code":
            return "```\n" + "\n".join(_dedent(line) for line in lines) + "\n```\n\n"
        text = " ".join(line.strip() for line in lines)
        if kind == "text":
            return self.words(text) + "\n\n"
        tag, text = TAG.match(text).groups()
        if tag == "param":
            name, text = re.match(r"(\S+)\s*(.*)", text).groups()
            return f"* `{name}`: {self.words(text)}\n"
        if tag == "return":
            return f"* returns {self.words(text)}\n"
        if tag == "retval":
            # Two spaces stand between a code and what it means.
            first, _, meaning = " ".join(line.strip() for line in lines)[7:].strip().partition("  ")
            return f"* {self.words(first)}{': ' + self.words(meaning.strip()) if meaning else ''}\n"
        raise ApiError(f"unknown tag @{tag}")


def _dedent(line):
    """A line that begins with a tab, without it, and with spaces where others are."""
    return line.expandtabs(8)[8:]


def _new_paragraph(line):
    return re.match(r"(Threads|Errors|Time|Memory|Spec|Call order): ?", line) is not None


def _escape(text):
    return re.sub(r"([*<])|(?<!\w)(_)|(_)(?!\w)", lambda m: "\\" + m[0], text)


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def emit(texts):
    """The page, of {path: text of the header}."""
    headers = {path.rsplit("/", 1)[1]: parse(path, text) for path, text in texts.items()}
    for name, entries in headers.items():
        for entry in entries:
            if entry.functions() and not any(entry.comment):
                raise ApiError(f"{name}: {entry.functions()[0]}() has no comment")
        # The name is in the heading.
        entries[0].comment = re.sub(r"^\s*\w+ - (.)", lambda m: m[1].upper(), "\n".join(entries[0].comment)).split("\n")
    anchors = {}
    for name, entries in headers.items():
        for entry in entries:
            for found in entry.names():
                anchors.setdefault(found, anchor(", ".join(entry.names())))
    page = Page(anchors)
    rows = [[f"[`{name}`](#{anchor(name)})", page.words(_summary(entries))] for name, entries in headers.items()]
    rows += [[f"`{path.rsplit('/', 1)[1]}`", pages] for path, pages in ELSEWHERE.items()]
    text = head("C library", "the public headers")
    text += ("What the public headers say, in their order. How to use it: "
             "[programmer's guide](../programmers-guide.md). All functions by name: [index](#index).\n\n")
    text += table(["header", "what"], rows)
    for name, entries in headers.items():
        text += f"\n## {name}\n\n" + "".join(_entry(page, entry) for entry in entries)
    functions = sorted(name for name in anchors if name.endswith("()"))
    text += "\n## Index\n\n" + "".join(f"* [`{name}`](#{anchors[name]})\n" for name in functions)
    return re.sub(r"\n{3,}", "\n\n", text)


def _summary(entries):
    """What stands behind the name of the header in its first sentence, or all of that."""
    text = " ".join(line.strip() for line in entries[0].comment)
    return re.match(r"(.*?)[.:](?= |$)", text.strip())[1]


def _entry(page, entry):
    if entry.title:
        return f"\n### {entry.title}\n\n"
    text = ""
    if entry.names():
        text += "\n#### " + ", ".join(f"`{name}`" for name in entry.names()) + "\n\n"
    if entry.code:
        text += "```c\n" + "\n".join(entry.code).expandtabs(8) + "\n```\n\n"
    return text + page.comment(entry.comment) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    args = parser.parse_args()
    try:
        text = emit({path: (REPOSITORY / path).read_text(encoding="utf-8") for path in HEADERS})
    except (ApiError, OSError) as error:
        print(f"api: {error}", file=sys.stderr)
        return 1
    write(args.out, pathlib.Path(OUTPUT), text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
