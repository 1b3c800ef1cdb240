#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ram_address.v keeps what a memory says, by induction over all writes: test_ram_address.py NPM_DIR OUT_DIR

A memory of 2, 4 and 8 rows; those of 16 rows, with an address that only one side leaves at 0, and with
values from the start have to be left alone.
"""

import json
import os
import subprocess
import sys

SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(SCRIPT_DIR, "../../tools/synth"))
import flow  # noqa: E402

BLACK_BOX = "(* blackbox *) module TRELLIS_DPR16X4 (input logic [3:0] DI, WAD, RAD, input logic WRE, WCK, output logic [3:0] DO);\n" \
            "  parameter WCKMUX = \"WCK\", WREMUX = \"WRE\", INITVAL = 64'bx;\nendmodule\n"
# One row is watched: what it says is what was written to it last.
HARNESS = """
module {name} (input logic clk, we, input logic [3:0] di, wad, output logic bad);
  logic [3:0] row_q, value_q, out;
  logic       written_q = 1'b0;

  TRELLIS_DPR16X4 {parameters} u_ram (
    .DI(di), .WAD(wad & {write_mask}), .RAD(row_q & {read_mask}), .WRE(we), .WCK(clk), .DO(out)
  );

  always_ff @(posedge clk) begin
    row_q <= row_q;
    if (we && (wad & {write_mask}) == (row_q & {read_mask})) {{written_q, value_q}} <= {{1'b1, di}};
  end
  assign bad = written_q && out != value_q;
endmodule
"""
MODEL = """
module TRELLIS_DPR16X4 (DI, WAD, WRE, WCK, RAD, DO);
  parameter WCKMUX = "WCK";
  parameter WREMUX = "WRE";
  parameter INITVAL = 64'bx;
  input [3:0] DI, WAD, RAD;
  input WRE, WCK;
  output [3:0] DO;
  reg [3:0] mem [0:15];
  always @(posedge WCK) if (WRE) mem[WAD] <= DI;
  assign DO = mem[RAD];
endmodule
"""
# name, mask of the writes' addresses, of the reads', INITVAL, whether no address bit is 0 in the end
CASES = [("rows2", 1, 1, None, True), ("rows4", 3, 3, None, True), ("rows8", 7, 7, None, True), ("rows4_apart", 5, 5, None, True),
         ("rows16", 15, 15, None, True), ("read_whole", 3, 15, None, False), ("row0_alone", 14, 14, None, False),
         ("with_values", 3, 3, "64'd1", False)]
SCRIPT = """
read_slang --threads 1 --keep-hierarchy {tops} {harness}
proc
opt_expr -fine
opt_clean
techmap -map {rule}
opt_clean
write_json {out}/mapped.json
techmap -autoproc -map {model}
memory
"""
PROOF = "sat -verify -tempinduct -prove bad 0 {name}\n"


def main():
    npm, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    rule = os.path.relpath(os.path.join(SCRIPT_DIR, "ram_address.v"))
    harness, model = os.path.join(out, "ram_harness.sv"), os.path.join(out, "ram_model.v")
    with open(harness, "w", encoding="utf-8") as f:
        f.write(BLACK_BOX)
        for name, write_mask, read_mask, initval, _ in CASES:
            f.write(HARNESS.format(name=name, write_mask=f"4'd{write_mask}", read_mask=f"4'd{read_mask}",
                                   parameters=f"#(.INITVAL({initval}))" if initval else ""))
    with open(model, "w", encoding="utf-8") as f:
        f.write(MODEL)
    commands = os.path.join(out, "ram_address.ys")
    with open(commands, "w", encoding="utf-8") as f:
        f.write(SCRIPT.format(tops=" ".join(f"--top {case[0]}" for case in CASES), harness=harness, rule=rule, model=model,
                              out="."))
        f.writelines(PROOF.format(name=case[0]) for case in CASES)
    done = subprocess.run(flow.npm_yosys(npm, out, commands, [harness, model, rule]), check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    proven = done.stdout.count("Induction step proven: SUCCESS!")
    if done.returncode != 0 or proven != len(CASES):
        print("\n".join(done.stdout.splitlines()[-30:]))
        print(f"{proven} passed, {len(CASES) - proven} failed")
        sys.exit(1)

    with open(os.path.join(out, "mapped.json"), encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    wrong = 0
    for name, *_, is_clean in CASES:
        ram, = (cell for cell in modules[name]["cells"].values() if cell["type"] == "TRELLIS_DPR16X4")
        zeros = [bit for port in ("WAD", "RAD") for bit in ram["connections"][port] if bit == "0"]
        if is_clean != (not zeros):
            print(f"{name}: {len(zeros)} address bits are 0")
            wrong += 1
    print(f"{2 * len(CASES) - wrong} passed, {wrong} failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
