#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the generators.

Checks: each kind of contradiction in a specification is refused with an error that names the
entry; compare.py names a stale, a missing and a left-over file; the C header and the
SystemVerilog package agree on the used bits of every opcode and set of flags, and the comparison
notices where they do not; the headers are clean C11 and C++17; kernels have the ports of their
configuration, and only configurations whose registers are in reach; elaboration takes every value that
a parameter may have, refuses those beside them and says the name, of the whole engine too; what the
documentation refers to is there; the reference of the library has every function of the public headers, with
what is said of it, and a header that it cannot read, or a function without a word, is named.
"""

import copy
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

from systemrdl import RDLCompileError
from systemrdl.messages import MessagePrinter

import api
import compare
import config
import emit_docs
import emit_sv
import kernel
import regs
import spec as specification
import vitis
from gen import REPOSITORY
from proofs import proof_list, size as proof_size
import lint as proof_lint
from cases.bad import BAD_ISA, BAD_RDL

ISA = REPOSITORY / "rtl/spec/tma.toml"
RDL = REPOSITORY / "rtl/spec/tma.rdl"
HERE = pathlib.Path(__file__).resolve().parent


def entry(spec, table, name):
    return next(e for e in spec[table] if e["name"] == name)


class BadCommands(unittest.TestCase):
    def test_unchanged(self):
        specification.load(ISA)

    def test_not_toml(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.toml"
            path.write_text("[abi\n", encoding="utf-8")
            with self.assertRaisesRegex(specification.SpecError, "bad.toml"):
                specification.load(path)


class Kernels(unittest.TestCase):
    def package(self, **numbers):
        shape = {"DataWidth": 256, "NumCtas": 2, "NumQueues": 8, "NumPorts": 3, **numbers}
        return "".join(f"  localparam int unsigned {k} = {v};\n" for k, v in shape.items() if v is not None)

    def test_ports(self):
        text = kernel.emit("three", self.package())
        self.assertIn("output logic [255:0]  m_axi_gmem2_WDATA,\n", text)
        self.assertIn(".m_axi_araddr_o({m_axi_gmem2_ARADDR, m_axi_gmem1_ARADDR, m_axi_gmem0_ARADDR})", text)
        self.assertNotIn("gmem3", text)

    def test_pages_out_of_reach(self):
        kernel.emit("fits", self.package(NumQueues=15))
        with self.assertRaisesRegex(kernel.KernelError, "many: the pages of 16 queues"):
            kernel.emit("many", self.package(NumQueues=16))

    def test_missing(self):
        with self.assertRaisesRegex(kernel.KernelError, "bad: no NumPorts"):
            kernel.emit("bad", self.package(NumPorts=None))


class Vitis(unittest.TestCase):
    SHELL = regs.load(regs.SHELL)

    def cards(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("[[card]]\n" + text)
            file.flush()
            return vitis.load_cards(file.name)

    def test_cards_refused(self):
        card = 'name = "a"\nplatform = "p"\nmemory = "DDR"\nbanks = 4\nfirst = 0\n'
        self.assertEqual(vitis.shares(self.cards(card)[0], 2), [(0, 0), (1, 1)])
        for old, new, error in (("first = 0", "first = 4", "cards.toml, a: `first` is 4 of 4 banks"),
                                ("DDR", "SRAM", "cards.toml, a: `memory` is SRAM, it may be: HBM, DDR"),
                                ("banks = 4\n", "", "cards.toml, a: `banks` has to be a number"),
                                ("banks = 4", 'banks = "4"', "cards.toml, a: `banks` has to be a number"),
                                ('name = "a"', "", "cards.toml, a card without a name: `name` has to be a text"),
                                ("first", 'speed = 1\nfirst', "cards.toml, a: `speed` is not known"),
                                ("first = 0", "first = 0\n[[card]]\n" + card.strip(), "cards.toml: two cards have the name a")):
            with self.assertRaisesRegex(vitis.VitisError, error):
                self.cards(card.replace(old, new))
        with self.assertRaisesRegex(vitis.VitisError, "cards.toml, a: 4 banks for 5 global ports"):
            vitis.shares(self.cards(card)[0], 5)

    def test_arguments(self):
        self.assertEqual(vitis.argument_offsets(self.SHELL, 4), [0x7C0, 0x7C8, 0x7D0, 0x7D8])
        with self.assertRaisesRegex(vitis.VitisError, "shell.rdl, ARGUMENT: 4 for 5 global ports"):
            vitis.argument_offsets(self.SHELL, 5)

    def test_shell_apart(self):
        engine = regs.load(RDL)
        regs.check_shell(self.SHELL, engine)
        moved = [dict(entry, address=0x100 if entry["name"] == "SHELL" else entry["address"]) for entry in self.SHELL]
        with self.assertRaisesRegex(specification.SpecError, "shell.rdl, SHELL: the engine has COUNTER at 0x100"):
            regs.check_shell(moved, engine)


class Configurations(unittest.TestCase):
    PARAMETERS = config.load(REPOSITORY / config.SPEC)

    def elaborate(self, numbers, top="tma_cfg_check", sources=("rtl/gen/tma_cfg_check.sv",)):
        """What Verilator says of a package: the least of everything, but for these numbers."""
        text = "package tma_cfg_pkg;\n"
        for p in self.PARAMETERS:
            value = numbers.get(p["name"], p["values"][0] if "values" in p else p["min"])
            text += f"  localparam int unsigned {p['name']} = {value};\n"
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder) / "tma_cfg_pkg.sv"
            package.write_text(text + "endpackage\n", encoding="utf-8")
            done = subprocess.run(["verilator", "--lint-only", "-DSYNTHESIS", "-Irtl/common",
                                   "--reloop-limit", "256", "--top-module", top, package, *sources],
                                  cwd=REPOSITORY, text=True, capture_output=True, check=False)
        return done.returncode, done.stderr

    def test_each(self):
        greatest = {p["name"]: p["values"][-1] if "values" in p else p["max"] for p in self.PARAMETERS}
        for numbers in ({}, greatest):
            self.assertEqual(self.elaborate(numbers), (0, ""))
        for p in self.PARAMETERS:
            edges = p["values"] if "values" in p else (p["min"], p["max"])
            step = p.get("multiple", 1)
            bad = {edges[0] - step, edges[0] + 1, edges[-1] - 1, edges[-1] + step, 2 * edges[-1]}
            bad = {v for v in bad if v >= 0 and not config.is_legal(p, v)}
            self.assertTrue(bad)
            for value in bad:
                status, text = self.elaborate({p["name"]: value})
                self.assertNotEqual(status, 0)
                self.assertIn(f"{p['name']} is {value}, it may be: {config.words(p)}", text)

    def test_engine(self):
        """All of it takes the least of everything, and passes on what the check refuses."""
        packages = [REPOSITORY / f"rtl/{p}_pkg.sv" for p in ("gen/tma_isa", "gen/tma_csr", "pkg/tma")]
        others = [p for p in sorted((REPOSITORY / "rtl").rglob("*.sv"))
                  if p not in packages and not p.name.startswith(("tma_cfg_small", "tma_cfg_default",
                                                                  "tma_cfg_max", "tma_kernel"))]
        sources = packages + sorted(others, key=lambda p: not p.name.endswith("_pkg.sv"))
        self.assertEqual(self.elaborate({}, "tma_engine", sources), (0, ""))
        status, text = self.elaborate({"NumQueues": 1}, "tma_engine", sources)
        self.assertNotEqual(status, 0)
        self.assertIn("NumQueues is 1, it may be: 2, 4, 8, 16", text)

    def test_packages(self):
        for path in [*(REPOSITORY / "rtl/pkg").glob("tma_cfg_*"),
                     REPOSITORY / "hw_tests/unit_rtl/tma_cfg_odd_pkg.sv",
                     REPOSITORY / "hw_tests/unit_rtl/tma_cfg_whole_pkg.sv"]:
            numbers = dict(kernel.CONSTANT.findall(path.read_text(encoding="utf-8")))
            self.assertEqual(list(numbers), [p["name"] for p in self.PARAMETERS], path)
            for p in self.PARAMETERS:
                self.assertTrue(config.is_legal(p, int(numbers[p["name"]])), (path, p["name"]))

    def test_refused(self):
        for text, error in (
                ('name = "A"\nmeaning = ""\nmin = 1', "parameter A: either values, or min and max"),
                ('name = "A"\nmeaning = ""\nmin = 1\nmax = 6\nmultiple = 4', "parameter A: the greatest"),
                ('name = "A"\nmeaning = ""\nvalues = [1]\nwhen = 2', "parameter A: no meaning, or an"),
                ('name = "a"\nmeaning = ""\nvalues = [1]', "parameter a: not a name")):
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                file.write("[[parameter]]\n" + text + "\n")
                file.flush()
                with self.assertRaisesRegex(config.ConfigError, error):
                    config.load(file.name)


class Proofs(unittest.TestCase):
    PROOF = {"name": "A", "says": "", "top": "", "config": "", "depth": 1, "induction": 1,
             "mutant": [{"name": "M", "file": "", "from": "", "to": "", "refuted_by": ""}]}

    def error(self, **fields):
        proof = {k: v for k, v in {**self.PROOF, **fields}.items() if v is not None}
        with self.assertRaises(ValueError) as caught:
            proof_list.check_proof(proof)
        return str(caught.exception)

    def test_refused(self):
        self.assertEqual(self.error(depths=1), 'proof "A": depths: there is no such field')
        self.assertEqual(self.error(depth="1"), 'proof "A": depth: must be of type int')
        self.assertEqual(self.error(says=None), 'proof "A": says: must be there')
        self.assertIn("one of induction, bound, combinational must be there", self.error(induction=None))
        self.assertIn("one of induction, bound, combinational must be there", self.error(bound="4 bursts"))
        self.assertEqual(self.error(mutant=[]), 'proof "A": mutant: a proof needs one')
        self.assertEqual(self.error(mutant=[{**self.PROOF["mutant"][0], "to": 1}]),
                         'proof "A", mutant "M": to: must be of type str')

    def test_mutants_text(self):
        with tempfile.TemporaryDirectory() as root:
            pathlib.Path(root, "a.sv").write_text("x;\ny;\ny;\n", encoding="utf-8")
            for text, found in (("x;", 1), ("y;", 2), ("z;", 0)):
                proof = {"name": "p", "mutant": [{"name": "m", "file": "a.sv", "from": text}]}
                if found == 1:
                    proof_list.check_texts(proof, root)
                else:
                    with self.assertRaisesRegex(ValueError, f'"p", mutant "m": from: stands {found} times in a.sv'):
                        proof_list.check_texts(proof, root)

    def test_harness_finds(self):
        with tempfile.TemporaryDirectory() as folder:
            def path(name, text):
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
                return str(pathlib.Path(folder, name))

            config_path = path("a_pkg.sv", "package a_pkg; endpackage\n")
            unit = path("unit.sv", "module unit; logic held_q = 1'b0; endmodule\n")
            for name, found in (("held_q", True), ("gone_q", False)):
                path("p.sv", f"module p; unit dut (); always_comb A: assert (!dut.{name}); endmodule\n")
                error = proof_lint.judge(({"top": "p", "config": config_path}, folder, [], [unit]))
                self.assertEqual(error == "", found)
                self.assertEqual("gone_q" in error, not found)

    def test_size(self):
        harness = "#(\n  parameter  bit          Short = 1'b0,  // why\n  parameter int unsigned Entries = 4,\n" \
                  "  localparam int unsigned Width = 8,\n  parameter bit Last = 1'b1\n) ("
        proof = {"config": "rtl/pkg/tma_cfg_small_pkg.sv"}
        self.assertEqual(proof_size(proof, harness), "`small`, Short 0, Entries 4, Last 1")
        self.assertEqual(proof_size({**proof, "parameters": {"Entries": 16}}, harness), "`small`, Short 0, Entries 16, Last 1")

    def test_kinds(self):
        self.assertEqual(proof_list.kind({"bound": "4 bursts"}), "up to 4 bursts")
        proof_list.check_proof(self.PROOF)


class References(unittest.TestCase):
    def faults(self, reference):
        spec = specification.load(ISA)
        entry(spec, "fault", "SIZE_GRANULE")["reference"] = reference
        return emit_docs.faults(spec)

    def test_found(self):
        page = self.faults("F04 architecture, Queues")
        self.assertIn("| [F04] [architecture, Queues] |", page)
        self.assertIn("\n[architecture, Queues]: ../architecture.md#queues\n", page)

    def test_dangling(self):
        for reference in ("F99", "M99", "semantics 1.99", "semantics 9", "architecture, Colours"):
            with self.assertRaisesRegex(specification.SpecError, f"`{reference}`: no such place"):
                self.faults(reference)

    def test_form(self):
        for reference in ("", "chapter 3", "F04, F05", "F04 somewhere"):
            with self.assertRaisesRegex(specification.SpecError, "not a list of known forms"):
                self.faults(reference)


class BadRegisters(unittest.TestCase):
    def test_unchanged(self):
        regs.check(regs.load(RDL), specification.load(ISA))

    def test_not_rdl(self):
        # The compiler's own report of an overlap names both registers; it goes to stderr.
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.rdl"
            path.write_text(RDL.read_text(encoding="utf-8").replace("@ 0x014", "@ 0x010"),
                            encoding="utf-8")
            with self.assertRaises(RDLCompileError):
                regs.load(path, Silent())


class Silent(MessagePrinter):
    def emit_message(self, lines):
        pass


def _bad_isa(table, name, change, message):
    def test(self):
        with open(ISA, "rb") as file:
            spec = copy.deepcopy(tomllib.load(file))
        target = entry(spec, table, name) if name else spec[table] if table else spec
        for key, value in change.items():
            if value is None:
                del target[key]
            else:
                target[key] = value
        with self.assertRaises(specification.SpecError) as caught:
            specification.check(spec)
        self.assertTrue(str(caught.exception).startswith(message),
                        f"{caught.exception!s} does not start with {message}")
    return test


def _bad_rdl(old, new, message):
    def test(self):
        text = RDL.read_text(encoding="utf-8")
        self.assertIn(old, text)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.rdl"
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
            with self.assertRaises(specification.SpecError) as caught:
                regs.check(regs.load(path), specification.load(ISA))
        self.assertIn(message, str(caught.exception))
    return test


for label, *case in BAD_ISA:
    setattr(BadCommands, f"test_{label}", _bad_isa(*case))
for label, *case in BAD_RDL:
    setattr(BadRegisters, f"test_{label}", _bad_rdl(*case))


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.fresh, self.old = (pathlib.Path(folder.name) / n for n in ("fresh", "old"))
        for root in (self.fresh, self.old):
            (root / "rtl/gen").mkdir(parents=True)
            (root / "docs/gen").mkdir(parents=True)
            (root / "rtl/gen/a.sv").write_text("one\n", encoding="utf-8")

    def test_equal(self):
        self.assertEqual(compare.differences(self.fresh, self.old), [])

    def test_stale(self):
        (self.old / "rtl/gen/a.sv").write_text("two\n", encoding="utf-8")
        self.assertEqual(compare.differences(self.fresh, self.old)[0],
                         "rtl/gen/a.sv: stale, run `make gen`")

    def test_missing(self):
        (self.old / "rtl/gen/a.sv").unlink()
        self.assertEqual(compare.differences(self.fresh, self.old),
                         ["rtl/gen/a.sv: missing, run `make gen`"])

    def test_left_over(self):
        (self.old / "docs/gen/b.md").write_text("", encoding="utf-8")
        self.assertEqual(compare.differences(self.fresh, self.old),
                         ["docs/gen/b.md: left over, nothing generates it"])


class Reference(unittest.TestCase):
    HEADER = """\
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_x - about x: short.
 * Threads: none.
 */
#ifndef TMA_X_H
#define TMA_X_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* For the compiler. */
#pragma GCC visibility push(default)

struct tma_device;

/* ---- First ---- */

/* What it allows. */
#define TMA_A 1u
#define TMA_B(x) \\
	((x) << 2)

/* A pair. */
struct tma_pair {
	uint32_t a; /* one { of them */

	uint32_t b;
};
static_assert(sizeof(struct tma_pair) == 8, "no");

/**
 * cp.async.one [dst],
 *	[src]
 *
 * Moves @p n bytes, see tma_two(), TMA_A* and *n. For example
 *	one	two
 *
 * @param n  how many,
 *           at least 1
 * @return   0
 * @retval TMA_EINVAL, TMA_ESIZE  n is
 *                                wrong
 * More.
 */
int tma_one(struct tma_device *device,
            uint32_t n);

/** mbarrier.two::b64 [x]: the second. @retval TMA_EINVAL */
static inline int tma_two(void)
{
	if (1)
		return 0;
	return 1;
}
int tma_three(void);

#pragma GCC visibility pop
#endif
"""

    def page(self, text):
        return api.emit({"host/include/tma_x.h": text})

    def test_sections(self):
        page = self.page(self.HEADER)
        self.assertIn("| [`tma_x.h`](#tma_xh) | About x |", page)
        self.assertIn("## tma_x.h\n\nAbout x: short.\n\nThreads: none.\n\n### First\n", page)
        self.assertIn("```c\n#define TMA_A 1u\n#define TMA_B(x) \\\n        ((x) << 2)\n```\n\nWhat it allows.\n", page)
        self.assertIn("#### `struct tma_pair`\n\n```c\nstruct tma_pair {\n        uint32_t a; /* one { of them */\n\n", page)
        for nothing in ("For the compiler", "TMA_X_H", "static_assert", "#### `struct tma_device`"):
            self.assertNotIn(nothing, page)

    def test_function(self):
        page = self.page(self.HEADER)
        self.assertIn("#### `tma_one()`\n\n```c\nint tma_one(struct tma_device *device,\n            uint32_t n);\n```\n\n"
                      "```\ncp.async.one [dst],\n    [src]\n```\n\n"
                      "Moves `n` bytes, see [`tma_two()`](#tma_two-tma_three), `TMA_A*` and \\*n. For example\n\n"
                      "```\none     two\n```\n\n* `n`: how many, at least 1\n* returns 0\n"
                      "* `TMA_EINVAL`, `TMA_ESIZE`: n is wrong More.\n", page)
        self.assertIn("#### `tma_two()`, `tma_three()`\n\n```c\nint tma_two(void);\nint tma_three(void);\n```\n\n"
                      "`mbarrier.two::b64 [x]`: the second.\n\n* `TMA_EINVAL`\n", page)
        self.assertIn("* [`tma_one()`](#tma_one)\n* [`tma_three()`](#tma_two-tma_three)\n", page)

    def test_refused(self):
        for old, new, error in (("int tma_three(void);", "\nint tma_three(void);", r"tma_x.h: tma_three\(\) has no comment"),
                                ("int tma_three(void);", "int tma_three(void)", ":55: a declaration does not end"),
                                ("/** mbarrier", "/* @ret", "unknown tag @ret"),
                                ("@retval TMA_EINVAL */", "", "a comment does not end")):
            with self.assertRaisesRegex(api.ApiError, error, msg=new):
                self.page(self.HEADER.replace(old, new))

    def test_every_function(self):
        # By what the compiler sees, not by how the headers are read here.
        text = "".join(f'#include "{path.rsplit("/", 1)[1]}"\n' for path in api.HEADERS)
        done = subprocess.run(["gcc", "-std=c11", "-fsyntax-only", "-aux-info", "/dev/stdout", "-x", "c",
                               *[f"-I{REPOSITORY}/{d}/include" for d in ("sw_model", "host")], "-"],
                              input=text, text=True, capture_output=True, check=True)
        functions = set(re.findall(r"\b(tma_\w+) \(", done.stdout))
        page = (REPOSITORY / api.OUTPUT).read_text(encoding="utf-8")
        self.assertGreater(len(functions), 150)
        self.assertEqual({f for f in functions if f"* [`{f}()`](#" not in page}, set())

    def test_every_header(self):
        public = {p.relative_to(REPOSITORY).as_posix() for d in ("host", "sw_model")
                  for p in (REPOSITORY / d / "include").iterdir()}
        self.assertEqual(public, {*api.HEADERS, *api.ELSEWHERE})


class Outputs(unittest.TestCase):
    def run_used_bits(self, package):
        """What used_bits.sv prints about `package` and the checked-in header."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                ["verilator", "--binary", "-Wall", "--top-module", "used_bits", "--Mdir", folder,
                 "-CFLAGS", f"-I{REPOSITORY}/sw_model/include -Wall -Wextra -Werror",
                 str(package), str(HERE / "cases/used_bits.sv"), str(HERE / "cases/used_bits.c")],
                check=True, stdout=subprocess.DEVNULL)
            return subprocess.run([f"{folder}/Vused_bits"], check=True, capture_output=True,
                                  text=True).stdout

    def test_used_bits_agree(self):
        self.assertIn("525568 sets compared, 0 differ",
                      self.run_used_bits(REPOSITORY / "rtl/gen/tma_isa_pkg.sv"))

    def test_used_bits_disagree(self):
        # A package that forgets what one flag frees, so that the comparison has to notice.
        with open(ISA, "rb") as file:
            spec = tomllib.load(file)
        entry(spec, "flag", "PARITY")["frees"] = []
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder) / "tma_isa_pkg.sv"
            package.write_text(emit_sv.emit(specification.check(spec)), encoding="utf-8")
            self.assertIn("opcode 57 flags 0080", self.run_used_bits(package))

    def test_headers(self):
        text = '#include "tma_abi.h"\n#include "tma_tables.h"\n#include "tma_regs.h"\n#include "tma_shell.h"\n'
        includes = [f"-I{REPOSITORY}/{d}/include" for d in ("sw_model", "host")]
        # In C++ a function that has its struct's name shadows the constructor.
        for compiler, language, *options in (("gcc", "c", "-std=c11", "-Wshadow"),
                                             ("g++", "c++", "-std=c++17")):
            done = subprocess.run(
                [compiler, "-x", language, *options, "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                 *includes, "-"], input=text, text=True,
                capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), language)

    def test_first_lines(self):
        for folder, comment in (("rtl/gen", "//"), ("docs/gen", "<!--")):
            for path in (REPOSITORY / folder).iterdir():
                lines = path.read_text(encoding="utf-8").splitlines()
                self.assertTrue(lines[0].startswith(f"{comment} SPDX-License-Identifier"), path)
                self.assertRegex(lines[1], r"Generated from (rtl/(spec/\w+\.(toml|rdl)|(pkg/)?\w+\.sv)|mk/rtl\.mk|hw_tests/formal/proofs\.toml|hw_tests/mutants/\*\.patch|host/ptx|the public headers) by make gen\.")


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stdout).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
