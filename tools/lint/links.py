#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links of the documents: each file that one names is there, and each heading."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)|^\[[^\]]+\]: (\S+)$", re.M)
LEFT_OUT = ("build", ".git", "shared")


def prose(text):
    """A document without its code: what looks like a link or a heading there is none."""
    return re.sub(r"^```.*?^```$|`[^`\n]*`(?!\])", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)


def anchors(text):
    """What a link may name behind #: headings, as the usual viewers make anchors of them."""
    found = set()
    text = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    for heading in re.findall(r"^#+ +(.*?)\s*$", text, flags=re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        name, count = plain, 0
        while name in found:
            count += 1
            name = f"{plain}-{count}"
        found.add(name)
    return found


def documents(root):
    return [p for p in sorted(root.rglob("*.md")) if p.relative_to(root).parts[0] not in LEFT_OUT]


def check(root):
    """What is wrong, line by line."""
    wrong = []
    for path in documents(root):
        text = prose(path.read_text(encoding="utf-8"))
        for match in LINK.finditer(text):
            link = match[1] or match[2]
            if re.match(r"[a-z]+:", link):
                continue
            line = text.count("\n", 0, match.start()) + 1
            name, _, heading = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.exists():
                wrong.append(f"{path.relative_to(root)}:{line}: {link}: no such file")
            elif heading and target.suffix == ".md" and heading not in anchors(target.read_text(encoding="utf-8")):
                wrong.append(f"{path.relative_to(root)}:{line}: {link}: no such heading")
    return wrong


def main():
    wrong = check(ROOT)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
