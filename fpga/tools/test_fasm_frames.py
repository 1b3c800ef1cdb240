#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fasm_frames.py on a database of three tiles: what it makes of each kind of line, and what it refuses."""

import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPT_DIR = os.path.dirname(os.path.abspath(__file__))
sys.path.append(SCRIPT_DIR)
import fasm_frames  # noqa: E402

GRID = {
    "LOGIC_X0Y1": {"type": "LOGIC", "bits": {"CLB_IO_CLK": {"baseaddr": "0x00001000", "offset": 10, "words": 2}}},
    "RAM_X1Y0": {"type": "RAM", "bits": {"BLOCK_RAM": {"baseaddr": "0x00800000", "offset": 0, "words": 10}}},
    "PINS_SING_X2Y0": {"type": "PINS_SING", "bits": {"CLB_IO_CLK": {
        "baseaddr": "0x00002000", "offset": 99, "words": 2,
        "alias": {"type": "PINS", "start_offset": 2, "sites": {"PAD_Y0": "PAD_Y1"}}}}},
}
FILES = {
    "segbits_logic.db": "LOGIC.FF.ZINI 03_05\nLOGIC.LUT.INIT[00] 00_00\nLOGIC.LUT.INIT[01] 00_33\n"
                        "LOGIC.MUX.A 01_02 !01_03\nLOGIC.MUX.B !01_02 01_03\n",
    "ppips_logic.db": "LOGIC.WIRE.OTHER always\n",
    "segbits_ram.block_ram.db": "RAM.INIT_00[000] 07_00\nRAM.INIT_00[001] 07_16\n",
    "segbits_pins.db": "PINS.PAD_Y1.DRIVE 04_70\n",
}


class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as family:
            os.mkdir(os.path.join(family, "device"))
            with open(os.path.join(family, "device/tilegrid.json"), "w", encoding="utf-8") as f:
                json.dump(GRID, f)
            for name, text in FILES.items():
                with open(os.path.join(family, name), "w", encoding="utf-8") as f:
                    f.write(text)
            cls.database = fasm_frames.Database(family, "device")
            for tile_type in ("LOGIC", "RAM", "PINS_SING", "PINS"):
                cls.database.features(tile_type)

    def bits(self, *lines):
        """{(frame, word, bit)} that is 1."""
        return {(address, word, bit)
                for address, words in fasm_frames.frames(self.database, lines).items()
                for word, value in enumerate(words) for bit in range(32) if value >> bit & 1}

    def refuses(self, reason, *lines):
        with self.assertRaises(fasm_frames.FasmError) as caught:
            self.bits(*lines)
        self.assertEqual(str(caught.exception), reason)

    def test_feature(self):
        self.assertEqual(self.bits("LOGIC_X0Y1.FF.ZINI"), {(0x1003, 10, 5)})
        self.assertEqual(self.bits("# nothing", "", "LOGIC_X0Y1.FF.ZINI # twice", "LOGIC_X0Y1.FF.ZINI = 1"),
                         {(0x1003, 10, 5)})
        self.assertEqual(self.bits("LOGIC_X0Y1.FF.ZINI = 0"), set())

    def test_values(self):
        self.assertEqual(self.bits("LOGIC_X0Y1.LUT.INIT[1:0] = 2'b10"), {(0x1000, 11, 1)})
        self.assertEqual(self.bits("LOGIC_X0Y1.LUT.INIT[1:0] = 2'h3"), {(0x1000, 10, 0), (0x1000, 11, 1)})
        self.assertEqual(self.bits("LOGIC_X0Y1.LUT.INIT[0]"), {(0x1000, 10, 0)})
        self.assertEqual(self.bits("RAM_X1Y0.INIT_00[1:0] = 2'b1_1"), {(0x800007, 0, 0), (0x800007, 0, 16)})

    def test_wires_that_are_always_connected(self):
        self.assertEqual(self.bits("LOGIC_X0Y1.WIRE.OTHER"), set())

    def test_names_of_another_type(self):
        self.assertEqual(self.bits("PINS_SING_X2Y0.PAD_Y0.DRIVE"), {(0x2004, 99, 6)})

    def test_bits_that_have_to_be_clear(self):
        self.assertEqual(self.bits("LOGIC_X0Y1.MUX.A"), {(0x1001, 10, 2)})
        self.refuses("line 2: LOGIC_X0Y1.MUX.B: frame 0x00001001, word 10, bit 2 is wanted otherwise by a line above",
                     "LOGIC_X0Y1.MUX.A", "LOGIC_X0Y1.MUX.B")

    def test_refused(self):
        self.refuses("line 1: no tile LOGIC_X9Y9", "LOGIC_X9Y9.FF.ZINI")
        self.refuses("line 1: tiles of type LOGIC have no feature FF.ZRST", "LOGIC_X0Y1.FF.ZRST")
        self.refuses("line 1: tiles of type PINS_SING have no feature PAD_Y0.SLEW", "PINS_SING_X2Y0.PAD_Y0.SLEW")
        self.refuses("line 1: tiles of type LOGIC have no feature LUT.INIT[2]", "LOGIC_X0Y1.LUT.INIT[2]")
        self.refuses("line 1: neither a feature nor an assignment", "LOGIC_X0Y1")
        self.refuses("line 1: neither a feature nor an assignment", "LOGIC_X0Y1.LUT.INIT[1:0] = 2'q3")
        self.refuses("line 1: the value does not fit into bits 1 to 0", "LOGIC_X0Y1.LUT.INIT[1:0] = 3'b100")
        self.refuses("line 1: '2' is no number of base 2", "LOGIC_X0Y1.LUT.INIT[1:0] = 2'b2")


if __name__ == "__main__":
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Frames)
    result = unittest.TextTestRunner(stream=sys.stdout).run(tests)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
