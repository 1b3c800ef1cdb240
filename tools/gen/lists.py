#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what other build systems read of the RTL: file lists, FuseSoC's core, Bender's manifest.

Which files, and in which order, is up to mk/rtl.mk alone: this gets its lists as arguments.
"""

import argparse
import pathlib
import re
import sys

from gen import REPOSITORY, write

DEFAULT = "default"  # the configuration that is taken where none is named
VERSION = "host/include/tma_version.h"
WAIVERS = "rtl/waivers.vlt"
NOTE = "Generated from mk/rtl.mk by make gen. Do not edit."

# Lists beside the engine's: what each is, its top module.
EXTRAS = {
    "axi64": ("the engine on a bus of 64 bits: tma_axi64", "tma_axi64"),
    "example": ("the engine beside a toy compute unit: tma_example_soc", "tma_example_soc"),
}


class ListError(Exception):
    """Lists that no build can be made of."""


def parsed(arguments):
    """NAME=FILE.. of each argument, the files in order."""
    lists = {}
    for argument in arguments:
        name, equals, files = argument.partition("=")
        if not equals or not files.split():
            raise ListError(f"{argument.strip()}: want NAME=FILE...")
        if name in lists:
            raise ListError(f"{name}: named twice")
        lists[name] = files.split()
    return lists


def split(configs):
    """The package of each configuration, and the files that all of them have behind it."""
    if DEFAULT not in configs:
        raise ListError(f"there is no configuration {DEFAULT}")
    packages = {name: files[0] for name, files in configs.items()}
    shared = configs[DEFAULT][1:]
    for name, files in configs.items():
        if files[0] != f"rtl/pkg/tma_cfg_{name}_pkg.sv":
            raise ListError(f"{name}: its package is not the first file, {files[0]} is")
        if files[1:] != shared:
            raise ListError(f"{name}: not the files of {DEFAULT} behind its package")
    return packages, shared


def folders(headers):
    return sorted({str(pathlib.PurePosixPath(h).parent) for h in headers})


def file_list(title, files, headers):
    """Paths from the list's own folder, rtl/gen: for -F, from whatever place a tool is called."""
    def here(path):
        return "../" + path.removeprefix("rtl/")

    return (f"// SPDX-License-Identifier: Apache-2.0\n// {NOTE}\n// {title}\n// For -F: paths are as seen from this file.\n"
            + "".join(f"+incdir+{here(f)}\n" for f in folders(headers))
            + "".join(f"{here(f)}\n" for f in files))


def version(root):
    text = (root / VERSION).read_text(encoding="utf-8")
    numbers = [re.search(rf"#define TMA_VERSION_{part} (\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    if not all(numbers):
        raise ListError(f"{VERSION}: no version")
    return ".".join(n[1] for n in numbers)


def chosen(configs, wrap):
    """For each configuration but the one that is taken by default its name as a flag, and that one if no flag is."""
    for name in configs:
        if name != DEFAULT:
            yield name, f'"tma_{name}? ({wrap(name)})"'
    inner = wrap(DEFAULT)
    for name in configs:
        if name != DEFAULT:
            inner = f"!tma_{name}? ({inner})"
    yield DEFAULT, f'"!tma_custom? ({inner})"'


CORE_HEAD = """\
CAPI=2:
# SPDX-License-Identifier: Apache-2.0
# {note}
#
# Target `default` is for cores that depend on this one: it takes configuration `default`, or another one by flag:
# tma_small, tma_max; tma_custom takes none, but depends on the core tramway:tma:config, which then has a tma_cfg_pkg.

name: tramway:tma:engine:{version}
description: Tensor memory accelerator engine, PTX asynchronous copies

filesets:
"""

CORE_TARGETS = """
targets:
  default:
    filesets: [{filesets}]
    toplevel: tma_engine
"""


def fileset(name, files, kind="systemVerilogSource", headers=(), depend=None):
    text = f"  {name}:\n    file_type: {kind}\n"
    if depend:
        text += f"    depend: [{depend}]\n"
    if files or headers:
        text += "    files:\n"
        for header in headers:
            text += (f"      - {header}: {{is_include_file: true, "
                     f"include_path: {pathlib.PurePosixPath(header).parent}}}\n")
        text += "".join(f"      - {f}\n" for f in files)
    return text


def lint(name, filesets, top):
    return (f"\n  {name}:\n    flow: lint\n    flow_options:\n      tool: verilator\n"
            "      verilator_options: [-Wall, --timing, --assert]\n"
            f"    filesets: [{', '.join(filesets)}]\n    toplevel: {top}\n")


def core(configs, extras, headers, root):
    packages, shared = split(configs)
    text = CORE_HEAD.format(note=NOTE, version=version(root))
    for name, package in packages.items():
        text += fileset(f"config_{name}", [package])
    text += fileset("config_custom", [], depend='"tramway:tma:config"')
    text += fileset("rtl", shared, headers=headers)
    for name, files in extras.items():
        text += fileset(name, files)
    text += fileset("waivers", [WAIVERS], "vlt")
    sets = [flag for _, flag in chosen(packages, "config_{}".format)]
    text += CORE_TARGETS.format(filesets=", ".join(['"tma_custom? (config_custom)"', *sets, "rtl"]))
    text += "".join(f"\n  {name}:\n    filesets: [config_{name}, rtl]\n    toplevel: tma_engine\n"
                    for name in packages if name != DEFAULT)
    for name in packages:
        text += lint(f"lint_{name}", ["waivers", f"config_{name}", "rtl"], "tma_engine")
    for name in extras:
        text += lint(f"lint_{name}", ["waivers", "config_small", "rtl", name], EXTRAS[name][1])
    return text


MANIFEST = """\
# SPDX-License-Identifier: Apache-2.0
# {note}
#
# Targets: tma_small and tma_max take that configuration instead of `default`, tma_custom takes none: a package tma_cfg_pkg of
# your own has to come first. tma_axi64 adds {axi64}; tma_example adds
# {example}.

package:
  name: tramway

sources:
"""


def sources(target, files, headers=()):
    lines = [f"target: {target}"] if target else []
    if headers:
        lines.append(f"include_dirs: [{', '.join(folders(headers))}]")
    lines.append("files:")
    text = "".join(f"{'  - ' if i == 0 else '    '}{line}\n" for i, line in enumerate(lines))
    return text + "".join(f"      - {f}\n" for f in files)


def manifest(configs, extras, headers):
    packages, shared = split(configs)
    others = [f"tma_{name}" for name in packages if name != DEFAULT]
    text = MANIFEST.format(note=NOTE, **{name: about for name, (about, _) in EXTRAS.items()})
    for name, package in packages.items():
        text += sources(f"tma_{name}" if name != DEFAULT else f"not(any({', '.join(others)}, tma_custom))", [package])
    text += sources(None, shared, headers)
    for name, files in extras.items():
        text += sources(f"tma_{name}", files, headers)
    return text


def outputs(configs, extras, headers, root):
    """Path -> text of everything that is written."""
    texts = {f"rtl/gen/tma_{name}.f": file_list(f"The engine, configuration `{name}`: tma_engine.", files, headers)
             for name, files in configs.items()}
    for name, files in extras.items():
        about = EXTRAS[name][0][0].upper() + EXTRAS[name][0][1:]
        texts[f"rtl/gen/tma_{name}.f"] = file_list(f"{about}; behind the list of a configuration.", files, headers)
    texts["tramway.core"] = core(configs, extras, headers, root)
    texts["Bender.yml"] = manifest(configs, extras, headers)
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=REPOSITORY, help="root of the written tree")
    parser.add_argument("--config", action="append", default=[], metavar="NAME=FILES", help="in compile order")
    parser.add_argument("--extra", action="append", default=[], metavar="NAME=FILES", help="behind a configuration's")
    parser.add_argument("--header", action="append", default=[])
    args = parser.parse_args()
    try:
        extras = parsed(args.extra)
        if set(extras) - set(EXTRAS):
            raise ListError(f"{', '.join(sorted(set(extras) - set(EXTRAS)))}: nothing is known of this list")
        texts = outputs(parsed(args.config), extras, args.header, pathlib.Path(REPOSITORY))
    except ListError as error:
        print(f"lists: {error}", file=sys.stderr)
        return 1
    for path, text in texts.items():
        write(args.out, path, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
