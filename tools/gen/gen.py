#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes everything that comes from rtl/spec/tma.toml. Standard library only."""

import argparse
import pathlib
import sys

import emit_c
import emit_docs
import emit_sv
import spec as specification

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
OUTPUTS = {
    "rtl/gen/tma_isa_pkg.sv": emit_sv.emit,
    "sw_model/include/tma_abi.h": emit_c.emit,
    "sw_model/include/tma_tables.h": emit_c.tables,
    "docs/gen/commands.md": emit_docs.commands,
    "docs/gen/faults.md": emit_docs.faults,
    "docs/gen/record.md": emit_docs.record,
    "docs/gen/cap.md": emit_docs.cap,
    "docs/gen/tensor_map.md": emit_docs.tensor_map,
}


def write(root, path, text):
    """Write `text`, but leave an equal file alone so that make rebuilds nothing."""
    target = pathlib.Path(root) / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", default=REPOSITORY / "rtl/spec/tma.toml")
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    args = parser.parse_args()
    try:
        spec = specification.load(args.spec)
        texts = {path: emit(spec) for path, emit in OUTPUTS.items()}
    except specification.SpecError as error:
        print(f"gen: {error}", file=sys.stderr)
        return 1
    for path, text in texts.items():
        write(args.out, path, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
