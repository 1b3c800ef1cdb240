#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks fpga/vitis as far as that goes without the tools of AMD, and that each of these checks notices mistakes.

Description of the kernel, connectivity and the calls of the Tcl scripts against the RTL, the register source and the documents
of the formats; the build with stand-ins for vivado and v++. Without tclsh the scripts are not run, which is said.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import check

ROOT = pathlib.Path(__file__).resolve().parents[3]
VITIS = ROOT / "fpga/vitis"
HEADER = (ROOT / "host/include/tma_shell.h").read_text(encoding="utf-8")
CONFIGS = ("small", "default")
RTL = {c: check.Rtl((ROOT / f"rtl/gen/tma_kernel_{c}.sv").read_text(encoding="utf-8")) for c in CONFIGS}

# Mistakes in a description: pattern, what it becomes.
XML_MISTAKES = (
    ("m_axi_gmem0", "m_axi_gmem2"), ('range="0x10000"', 'range="0x1000"'), ('dataWidth="512"', 'dataWidth="256"'),
    ("0x7C8", "0x7C0"), ("ap_ctrl_hs", "user_managed"), ('interrupt="true"', 'interrupt="false"'),
    ('id="1"', 'id="0"'), ('addressQualifier="1"', 'addressQualifier="0"'), ('versionMinor="6"', 'versionMinor="5"'),
    (r"<args>([\s\S]*)</args>", r"<arguments>\1</arguments>"), ('hostOffset="0x0" ', ""), (' size="0x8"', ' size="8"'), ("tma_kernel:1.0", "tma_engine:1.0"),
    ('mode="master"', 'mode="slave"'), ("memory1", "memory0"), ("<port name", '<port type="axi" name'),
    (r"\n *<port name=.m_axi_gmem1.*", ""), (r"\n *<arg name=.memory1.*", ""), ("</ports>", ""),
)
CFG_MISTAKES = (
    ("gmem1", "gmem2"), ("gmem1", "gmem0"), (r"HBM\[16:30\]", "HBM[15:30]"), (r"HBM\[16:30\]", "HBM[16:32]"),
    (r"HBM\[1:15\]", "HBM[0:15]"), (r"HBM\[1:15\]", "DDR[1]"), ("nk=tma_kernel:1:tma_kernel_1", "nk=tma_kernel:2"),
    (r"tma_kernel_1\.m", "tma_kernel_2.m"), (r"HBM\[16:30\]", "HBM[30:16]"), (r"\nsp=.*gmem1.*", ""), (r"\[connectivity\]", "[link]"),
)
# In the scripts, and in what is generated for them.
TCL_MISTAKES = (
    ("package_kernel.tcl", "-clock ap_clk", "-clock clk"), ("package_kernel.tcl", "sdx_kernel_type rtl", "sdx_kernel_type hls"),
    ("package_kernel.tcl", "tma_set \\$parameter value \\$port", ""), ("package_kernel.tcl", "ipx::save_core \\$core", ""),
    ("package_kernel.tcl", "ipx::check_integrity -kernel \\$core", ""), ("package_kernel.tcl", "range \\$tma_control_bytes", "range 4096"),
    ("package_kernel.tcl", "/KernelIP", "/UserIP"), ("package_kernel.tcl", "slave_memory_map_ref", "memory_map_ref"),
    ("package_kernel.tcl", "lappend busifs .*", ""), ("package_kernel.tcl", "size \\$bits", "size 32"),
    ("package_kernel.tcl", "\\*\\.svh\\]\\]", "*.svx]]"), ("package_kernel.tcl", "ipx::create_xgui", "ipx::create_gui"),
    ("package_kernel.tcl", "-of_objects \\$core\\]", "]"), ("package_kernel.tcl", "modified_write_value \\$on_write", "access $on_write"),
    ("gen_xo.tcl", "ap_ctrl_hs", "ap_ctrl_none"), ("gen_xo.tcl", " -kernel_xml \\$kernel_xml", ""),
    ("gen_xo.tcl", "-ip_directory \\$ip", "-ip_directory $work"), ("gen_xo.tcl", "package_xo", "pack_xo"),
    ("gen/kernel_default.tcl", "0x7C8", "0x7D0"), ("gen/kernel_default.tcl", "m_axi_gmem1", "m_axi_gmem2"),
    ("gen/kernel_default.tcl", "AP_DONE 1 1 read-only", "AP_DONE 1 1 read-write"), ("gen/kernel_default.tcl", "oneToClear", "modify"),
    ("gen/kernel_default.tcl", "IP_ISR 0x00C", "IP_ISR 0x010"), ("gen/kernel_default.tcl", "tma_version 1.0", "tma_version 1.1"),
    ("gen/kernel_default.tcl", "modify clear|none clear", "none none"), ("gen/kernel_default.tcl", "set tma_control s_axi_control", "set tma_control s_axi_ctrl"),
)

# Stand-ins on the PATH: Vivado is stubs.tcl, v++ writes down what it is asked for.
VIVADO = '#!/bin/sh\nexec tclsh "$STUBS" "$@"\n'
VPP = """#!/bin/sh
echo "$@" >"$VPP_CALL"
while [ $# -gt 1 ]; do
	case $1 in
	--config) [ -r "$2" ] || exit 1 ;;
	--output) touch "$2" ;;
	esac
	shift
done
[ -e "$1" ]
"""
TMA = '#!/bin/sh\necho "$TMA_XCLBIN $TMA_BACKEND_PATH $*"\n'


class Score:
    passed = failed = 0

    def say(self, name, wrong):
        """wrong: lines, none when all is well."""
        if wrong:
            self.failed += 1
            print(f"FAILED: {name}: {'; '.join(wrong)}")
        else:
            self.passed += 1

    def noticed(self, name, wrong):
        self.say(name, [] if wrong else ["nobody notices it"])


def changed(text, old, new):
    """The text with a mistake, which has to be one."""
    out = re.sub(old, new, text, count=1)
    if out == text:
        sys.exit(f"test_vitis.py: {old} is nowhere")
    return out


def sources(config):
    """Files of a kernel: those of the engine's list, the kernel itself, headers."""
    text = (ROOT / f"rtl/gen/tma_{config}.f").read_text(encoding="utf-8")
    names = {pathlib.PurePath(line).name for line in text.splitlines() if line.endswith(".sv") and not line.startswith("//")}
    return sorted(names | {f"tma_kernel_{config}.sv"} | {p.name for p in (ROOT / "rtl/common").glob("*.svh")})


def descriptions(score):
    for config in CONFIGS:
        text = (VITIS / f"gen/kernel_{config}.xml").read_text(encoding="utf-8")
        score.say(f"kernel_{config}.xml", check.check_xml(text, RTL[config], HEADER))
    for old, new in XML_MISTAKES:
        score.noticed(f"kernel.xml: {old}", check.check_xml(changed(text, old, new), RTL["default"], HEADER))


def connectivity(score):
    cards = check.cards(VITIS / "cards.toml")
    have = {p.name for p in (VITIS / "gen").glob("*.cfg")}
    score.say("a file for each card", sorted(have ^ {f"{c['name']}_{config}.cfg" for c in cards for config in CONFIGS}))
    for card in cards:
        for config in CONFIGS:
            text = (VITIS / f"gen/{card['name']}_{config}.cfg").read_text(encoding="utf-8")
            score.say(f"{card['name']}_{config}.cfg", check.check_cfg(text, card, RTL[config]))
    u50 = next(card for card in cards if card["name"] == "u50")
    text = (VITIS / "gen/u50_default.cfg").read_text(encoding="utf-8")
    for old, new in CFG_MISTAKES:
        score.noticed(f"cfg: {old}", check.check_cfg(changed(text, old, new), u50, RTL["default"]))


def run_scripts(vitis, work, config):
    """What is wrong with a run of gen_xo.tcl in a copy of fpga/vitis."""
    calls = work / "calls"
    run = subprocess.run(["tclsh", VITIS / "test/stubs.tcl", "-mode", "batch", "-source", vitis / "gen_xo.tcl", "-tclargs",
                          config, work / "sources", work / "out", work / "kernel.xo"],
                         env={"STUB_CALLS": str(calls), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
    shutil.rmtree(work / "out", ignore_errors=True)
    if run.returncode:
        return [run.stderr.splitlines()[0]]
    return check.check_calls(calls.read_text(encoding="utf-8"), RTL[config], HEADER, sources(config))


def scripts(score, work):
    vitis = work / "vitis"
    shutil.copytree(VITIS, vitis)
    for config in CONFIGS:
        shutil.rmtree(work / "sources", ignore_errors=True)
        (work / "sources").mkdir()
        for name in sources(config):
            (work / "sources" / name).symlink_to(next((ROOT / "rtl").rglob(name)))
        score.say(f"gen_xo.tcl, {config}", run_scripts(vitis, work, config))
    for name, old, new in TCL_MISTAKES:
        text = (VITIS / name).read_text(encoding="utf-8")
        (vitis / name).write_text(changed(text, old, new), encoding="utf-8")
        score.noticed(f"{name}: {old}", run_scripts(vitis, work, "default"))
        (vitis / name).write_text(text, encoding="utf-8")
    (vitis / "gen/kernel_default.xml").unlink()
    score.noticed("no kernel.xml", run_scripts(vitis, work, "default"))


def make(work, *words):
    run = subprocess.run(["make", "--no-print-directory", "-s", "-C", VITIS, f"BUILD={work}/build", f"VIVADO={work}/vivado",
                          f"VPP={work}/vpp", f"TMA={work}/tma", *words],
                         env={"PATH": "/usr/bin:/bin", "STUBS": str(VITIS / "test/stubs.tcl"), "STUB_CALLS": f"{work}/calls",
                              "VPP_CALL": f"{work}/vpp.call"}, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


def build(score, work):
    """The whole of the Makefile, with stand-ins."""
    for name, text in (("vivado", VIVADO), ("vpp", VPP), ("tma", TMA)):
        (work / name).write_text(text, encoding="utf-8")
        (work / name).chmod(0o755)
    status, text = make(work, "PLATFORM=u280", "CONFIG=default", "selftest")
    xclbin = f"{work}/build/u280_default_hw/tma_u280_default.xclbin"
    want = f"{xclbin} ../../build selftest --backend xrt\n"
    score.say("make selftest", [] if status == 0 and text == want else [text])
    call = (work / "vpp.call").read_text(encoding="utf-8") if (work / "vpp.call").exists() else ""
    wants = ("--link --target hw --platform xilinx_u280_", "--kernel_frequency 100 --config gen/u280_default.cfg",
             f"--output {xclbin} {work}/build/default/tma_kernel.xo")
    score.say("v++", [w for w in wants if w not in call])
    score.say("what make hands to gen_xo.tcl", check.check_calls((work / "calls").read_text(encoding="utf-8"), RTL["default"],
                                                                 HEADER, sources("default")))
    staged = [p for p in (work / "build/default/sources").iterdir() if p.suffix in (".sv", ".svh")]
    score.say("sources are for synthesis", [p.name for p in staged
                                            if not p.read_text(encoding="utf-8").startswith("`ifndef SYNTHESIS\n`define SYNTHESIS\n`endif\n")])
    for words, error in ((("PLATFORM=u55c",), "PLATFORM is u55c, it may be: u50 "), (("CONFIG=max",), "CONFIG is max, it may be: "),
                         (("TARGET=sw_emu",), "TARGET is sw_emu, it may be: hw hw_emu")):
        status, text = make(work, *words)
        score.say(f"make {words[0]}", [] if status and error in text else [text])


def main():
    score, skipped = Score(), 0
    descriptions(score)
    connectivity(score)
    if shutil.which("tclsh"):
        with tempfile.TemporaryDirectory() as folder:
            scripts(score, pathlib.Path(folder))
        with tempfile.TemporaryDirectory() as folder:
            build(score, pathlib.Path(folder))
    else:
        print("tclsh is missing (Debian: tcl): the Tcl scripts and the build are not run")
        skipped = 1
    print(f"{score.passed} passed, {score.failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if score.failed else 0


if __name__ == "__main__":
    sys.exit(main())
