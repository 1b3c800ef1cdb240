#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation's worked examples, and answers recorded on other silicon, as vectors (FORMAT.md).

    examples.py          write documented.vec.xz, rtx5080.vec.xz and sm100.vec.xz beside this file
    examples.py --check  exit 1 if a file there is not what would be written

Nothing here is computed by the model or by its formulas: pixels are listed as the pages list them, swizzles
are the pages' tables, packed values are put together bit by bit.
"""

import lzma
import struct
import sys
from pathlib import Path

HERE = Path(__file__).parent
FIXED = 304
LOAD, STORE = 0, 1
TILE, IM2COL, NO_OFFS, GATHER4, SCATTER4, W, W_128 = range(7)
U8, U16, U32, U64, B4, B4_P64, B6 = 0, 1, 2, 4, 13, 14, 15
BITS = {U8: 8, U16: 16, U32: 32, U64: 64, B4: 4, B4_P64: 4, B6: 6}
NONE, SW32, SW64, SW128, ATOM32, FLIP, ATOM64, SW96 = range(8)
MASK = (1 << 64) - 1
GMEM_SEED = 1000

# P5 5.5.7: which 16-byte chunk of a line of 128 bytes lies at each place, line after line, repeating.
TABLES = {
    SW32: ["01234567", "10325476"],
    SW96: ["01234567", "10325476"],
    SW64: ["01234567", "10325476", "23016745", "32107654"],
    SW128: ["01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301", "76543210"],
    ATOM32: ["01234567", "23016745", "45670123", "67452301"],
    FLIP: ["01234567", "23016745", "45670123", "67452301"],  # and the halves of each chunk in odd lines
    ATOM64: ["01234567", "45670123"],
}
SPANS = {SW32: 32, SW64: 64, SW128: 128, ATOM32: 128, FLIP: 128, ATOM64: 128, SW96: 96}


def mix(z):
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


def pattern(seed, first, size):
    """Initial contents of a buffer, FORMAT.md."""
    start = mix(seed)
    words = b"".join(struct.pack("<Q", mix(start ^ i)) for i in range(first >> 3, (first + size + 7 >> 3)))
    return words[first & 7 :][:size]


def swizzled(swizzle, a):
    """Where the byte with the plain address a lies."""
    if swizzle == NONE:
        return a
    line, chunk, byte = a // 128, a // 16 % 8, a % 16
    table = TABLES[swizzle]
    chunk = table[line % len(table)].index(str(chunk))
    if swizzle == FLIP and line % 2:
        byte = (byte + 8) % 16
    return 128 * line + 16 * chunk + byte


class Map:
    """A map and, below it, the tensor that lies densely behind `base`."""

    def __init__(self, dtype, dim, box=(), kind=1, swizzle=NONE, es=(), lower=(), upper=(), channels=0,
                 pixels=0, base=256):
        self.dtype, self.dim, self.box, self.kind, self.swizzle = dtype, dim, box, kind, swizzle
        self.es = list(es) or [1] * len(dim)
        self.lower, self.upper, self.channels, self.pixels, self.base = lower, upper, channels, pixels, base
        row = dim[0] * BITS[dtype] // 8
        self.stride = []
        for size in dim[1:]:
            self.stride.append(row)
            row *= size
        self.bytes = row
        self.row = (channels or box[0]) * BITS[dtype] // 8  # in global memory
        self.padded = dtype in (B4_P64, B6)
        self.shared = 128 if self.padded else self.row
        self.pitch = self.shared if swizzle == NONE else SPANS[swizzle]

    def inside(self, at):
        return all(0 <= c < n for c, n in zip(at[1:], self.dim[1:])) and 0 <= at[0] < self.dim[0]

    def offset(self, at):
        """From the start of the buffer; of an element inside."""
        return self.base + at[0] * BITS[self.dtype] // 8 + sum(c * s for c, s in zip(at[1:], self.stride))


def fixed(op, mode, m, coord, offs=(), smem_off=0, smem_len=0, gmem_len=0, tx=0, size=0, seed=0,
          gmem_seed=0):
    def pad(values, n):
        return list(values) + [0] * (n - len(values))

    words = struct.pack("<8I", size, op, mode, 0, 0, m.kind, m.dtype, len(m.dim))
    words += struct.pack("<Q5Q4Q", m.base, *pad(m.dim, 5), *pad(m.stride, 4))
    words += struct.pack("<5I5I", *pad(m.box, 5), *pad(m.es, 5))
    words += struct.pack("<3i3i", *pad(m.lower, 3), *pad(m.upper, 3))
    words += struct.pack("<6I", m.channels, m.pixels, 0, m.swizzle, 0, 0)
    words += struct.pack("<5i3I", *pad(coord, 5), *pad(offs, 3))
    words += struct.pack("<8I", smem_off, 0, 0, 1, 0, 0, 0, 0)
    words += struct.pack("<2I2Q4I", 0, tx, seed, gmem_seed, smem_len, gmem_len, 0, 0)
    assert len(words) == FIXED
    return words


class File:
    def __init__(self, name, device):
        self.name, self.device, self.records = name, device, []

    def load(self, mode, m, coord, rows, offs=(), smem_off=0, tx=None):
        """rows: the first element of every row in the order of shared memory. What is outside is 0."""
        seed = 1 + 16 * len(self.records)
        end = smem_off + len(rows) * m.pitch
        length = (end + 1023) // 1024 * 1024 if end % 1024 else end + 128
        window = bytearray(pattern(seed, 0, length))
        tensor = pattern(GMEM_SEED, m.base, m.bytes)
        for k, at in enumerate(rows):
            plain = smem_off + k * m.pitch
            for b in range(m.row):
                # Packed values of the padded types: 8 or 12 bytes of every 16.
                data = 2 * BITS[m.dtype]
                there = b // data * 16 + b % data if m.padded else b
                per_byte = 8 // BITS[m.dtype] or 1
                here = (at[0] + b * 8 // BITS[m.dtype] // per_byte * per_byte, *at[1:])
                row_at = m.offset((0, *at[1:])) - m.base + at[0] * BITS[m.dtype] // 8 + b
                window[swizzled(m.swizzle, plain + there)] = tensor[row_at] if m.inside(here) else 0
        tx = len(rows) * m.row if tx is None else tx
        size = FIXED + length
        self.records.append(fixed(LOAD, mode, m, coord, offs, smem_off, length, 0, tx, size, seed, GMEM_SEED) + window)

    def store(self, mode, m, coord, rows, smem_off=0):
        """6-bit values: one in the low bits of every byte, put together without gaps."""
        seed = 1 + 16 * len(self.records)
        length = smem_off + len(rows) * m.pitch + 128
        region = bytearray(pattern(GMEM_SEED, 0, m.base + m.bytes + 256))
        window = pattern(seed, 0, length)
        for k, at in enumerate(rows):
            if not m.inside(at):
                continue
            values = [window[swizzled(m.swizzle, smem_off + k * m.pitch + i)] for i in range(m.shared)]
            row = sum((v & 63) << 6 * i for i, v in enumerate(values)).to_bytes(96, "little")
            region[m.offset(at) : m.offset(at) + 96] = row if m.dtype == B6 else bytes(values)
        size = FIXED + len(region)
        self.records.append(
            fixed(STORE, mode, m, coord, (), smem_off, length, len(region), 0, size, seed, GMEM_SEED) + region)

    def image(self):
        head = struct.pack("<8sII48s", b"TMAVEC1\0", len(self.records), FIXED, self.device.encode())
        return head + b"".join(self.records)


def line(n, h, ws, c=0):
    """Pixels of one line of an image."""
    return [(c, w, h, n) for w in ws]


def im2col_examples(f):
    """P5 5.5.4, figures 13 to 15: NHWC 64 x 14 x 9 (or 8) x 64, from (n,h,w) on."""
    m = Map(U16, (64, 9, 14, 64), kind=2, lower=(-1, -1), upper=(-1, -1), channels=8, pixels=64)
    rows = line(7, 7, range(4, 8))
    for h in range(8, 13):
        rows += line(7, h, range(-1, 8))
    rows += line(8, -1, range(-1, 8)) + line(8, 0, range(-1, 5))
    f.load(IM2COL, m, (0, 4, 7, 7), rows)

    m = Map(U16, (64, 9, 14, 64), kind=2, lower=(0, 0), upper=(-2, -2), channels=8, pixels=64)
    rows = line(7, 9, range(6, 9))
    for n, h in [(7, 10), (7, 11), (7, 12), (7, 13), (8, 2), (8, 3), (8, 4), (8, 5)]:
        rows += line(n, h, range(2, 9))
    f.load(IM2COL, m, (0, 4, 7, 7), rows + line(8, 6, range(2, 7)), offs=(2, 2))

    m = Map(U16, (64, 8, 14, 64), kind=2, es=(1, 2, 2, 1), lower=(-1, -1), upper=(-1, -1), channels=8, pixels=32)
    rows = line(7, 8, [6])
    for n, h in [(7, 10), (7, 12), (8, 0), (8, 2), (8, 4), (8, 6), (8, 8)]:
        rows += line(n, h, (0, 2, 4, 6))
    f.load(IM2COL, m, (0, 5, 7, 7), rows + line(8, 10, (0, 2, 4)), offs=(1, 1))


def wide_examples(f):
    """P5 5.5.5. Both with the page's 128 channels and, for small engines, with 64 of them."""
    images = [(7, range(3, 9))] + [(n, range(9)) for n in range(8, 21)] + [(21, range(5))]
    main = [p for n, ws in images for p in line(n, 2, ws)]
    assert len(main) == 128
    for channels, swizzle in ((128, SW128), (128, ATOM32), (64, SW64)):
        shape = dict(kind=3, swizzle=swizzle, lower=(0,), upper=(0,), channels=channels)
        dim = (channels, 9, 7, 64)
        f.load(W, Map(U8, dim, pixels=128, **shape), (0, 3, 2, 7), main + line(21, 2, (5, 6)), offs=(2, 0))
        # The halos of the segments that end at n10 w7, n14 w3, n17 w8 and n21 w4: the first pixel of each,
        # then the second of each.
        first = line(10, 2, [8]) + line(14, 2, [4]) + line(18, 2, [0]) + line(21, 2, [5])
        second = line(11, 2, [0]) + line(14, 2, [5]) + line(18, 2, [1]) + line(21, 2, [6])
        f.load(W_128, Map(U8, dim, pixels=128, **shape), (0, 3, 2, 7), main + first + second, offs=(2, 0))
    # wOffset: two buffers of every second pixel, three of every third.
    m = Map(U8, (128, 9, 7, 64), kind=3, swizzle=SW128, es=(1, 2, 1, 1), lower=(-1,), upper=(0,), channels=128,
            pixels=10)
    f.load(W, m, (0, -1, 1, 3), line(3, 1, range(-1, 9, 2)) + line(4, 1, range(-1, 9, 2)) + line(5, 1, [-1]),
           offs=(1, 0))
    f.load(W, m, (0, -1, 1, 3), line(3, 1, range(0, 9, 2)) + line(4, 1, range(0, 9, 2)), offs=(0, 1))
    m = Map(U8, (128, 7, 7, 64), kind=3, swizzle=SW128, es=(1, 3, 1, 1), lower=(-1,), upper=(-1,), channels=128,
            pixels=6)
    for offset, ws in enumerate([(-1, 2, 5), (0, 3, 6), (1, 4, 7)]):
        f.load(W, m, (0, -1, 6, 0), line(0, 6, ws) + line(1, 6, ws), offs=(0, offset))


def tile_examples(f):
    # The figure of nvFuser: size (12,16), box (6,4), strides (1,3), at (9,1).
    m = Map(U64, (24, 16), (12, 4), es=(1, 3))
    f.load(TILE, m, (18, 1), [(18, 1), (18, 4)])
    # P5 5.5.3.4: (1,2), (1,5), (1,0), (1,9), as column and row.
    m = Map(U64, (16, 10), (6, 1))
    f.load(GATHER4, m, (2, 2, 5, 0, 9), [(2, row) for row in (2, 5, 0, 9)])
    # A row twice, a row above and one below the tensor, columns beyond it.
    m = Map(U16, (40, 6), (64, 1), swizzle=ATOM32)
    f.load(GATHER4, m, (16, 4, -1, 4, 6), [(16, row) for row in (4, -1, 4, 6)], smem_off=128)
    # Rows as long as the span, from a multiple of 1024 and from elsewhere; rows of half of it.
    for swizzle, span in SPANS.items():
        for smem_off in (0, 128, 640):
            m = Map(U8, (span, 16), (span, 16), swizzle=swizzle)
            f.load(TILE, m, (0, 0), [(0, y) for y in range(16)], smem_off=smem_off)
        if swizzle != SW96:
            m = Map(U8, (span // 2, 16), (span // 2, 16), swizzle=swizzle)
            f.load(TILE, m, (0, 0), [(0, y) for y in range(16)], smem_off=128)


def packed_examples(f):
    # P5 5.5.1.1. Two columns of 128 values, rows of which some are outside.
    for dtype in (B4_P64, B6):
        for swizzle in (NONE, SW128, ATOM32, ATOM64):
            m = Map(dtype, (256, 6), (128, 8), swizzle=swizzle)
            f.load(TILE, m, (128, -1), [(128, y) for y in range(-1, 7)], smem_off=128)
    m = Map(B6, (128, 8), (128, 1))
    f.load(GATHER4, m, (0, 7, 0, 9, 7), [(0, y) for y in (7, 0, 9, 7)])
    m = Map(B4, (96, 6), (64, 4))
    f.load(TILE, m, (64, 1), [(64, y) for y in range(1, 5)])
    # Stores of b6p2x16.
    for swizzle in (NONE, SW128, ATOM32, ATOM64):
        m = Map(B6, (256, 6), (128, 5), swizzle=swizzle)
        f.store(TILE, m, (128, 2), [(128, y) for y in range(2, 7)], smem_off=128)
        m = Map(B6, (256, 8), (128, 1), swizzle=swizzle)
        f.store(SCATTER4, m, (0, 7, 0, 9, 3), [(0, y) for y in (7, 0, 9, 3)], smem_off=256)
        m = Map(B6, (128, 4, 3, 2), kind=2, swizzle=swizzle, lower=(1, 0), upper=(0, -1), channels=128, pixels=8)
        rows = line(0, 1, (2, 3)) + line(1, 0, (1, 2, 3)) + line(1, 1, (1, 2, 3))
        f.store(NO_OFFS, m, (0, 2, 1, 0), rows)


def rtx5080(f):
    """Fact B1: (w,n) of the pixels as they came, and 480 bytes counted; 4 and 5 dimensions. B2 to B4."""
    pixels = [(2, 0), (4, 0), (0, 1), (2, 1), (4, 1), (0, 2), (2, 2), (4, 2), (0, 3), (2, 3), (4, 3), (0, 4), (2, 4)]
    halo = [(4, 4), (0, 5)]
    for middle in ((8,), (8, 2)):
        # 32 bytes a pixel: swizzle 64B, as wide maps must have one, leaves half of each span alone.
        m = Map(U32, (16, 5, *middle, 8), kind=3, swizzle=SW64, es=(1, 2, *(1 for _ in middle), 1), lower=(-1,),
                upper=(-1,), channels=8, pixels=13)
        zeros = (0,) * len(middle)
        rows = [(0, w, *zeros, n) for w, n in pixels + halo]
        f.load(W, m, (0, 1, *zeros, 0), rows, offs=(2, 1), tx=480)
    # B2: padding stays; 64, 96 and 64 bytes a row.
    f.load(TILE, Map(B4_P64, (128, 4), (128, 4)), (0, 0), [(0, y) for y in range(4)], tx=4 * 64)
    f.load(TILE, Map(B6, (128, 4), (128, 4)), (0, 0), [(0, y) for y in range(4)], tx=4 * 96)
    f.load(TILE, Map(B4, (128, 4), (128, 4)), (0, 0), [(0, y) for y in range(4)], tx=4 * 64)
    # B3: atoms of 32 bytes, with flip and without, from 128 on.
    for swizzle in (ATOM32, FLIP):
        f.load(TILE, Map(U8, (128, 16), (128, 16), swizzle=swizzle), (0, 0), [(0, y) for y in range(16)], smem_off=128)
    # B4: rows in the order of the coordinates.
    f.load(GATHER4, Map(U32, (32, 16), (32, 1)), (0, 9, 2, 15, 4), [(0, y) for y in (9, 2, 15, 4)])


def sm100(f):
    """Fact B5: W4, corners 0, step 1, wHalo 2, from w 0, n 0: behind 128 main pixels 32, 64, 96, 128, 33, ..."""
    m = Map(U8, (64, 4, 2, 40), kind=3, swizzle=SW64, lower=(0,), upper=(0,), channels=64, pixels=128)
    order = list(range(128)) + [32, 64, 96, 128, 33, 65, 97, 129]
    f.load(W_128, m, (0, 0, 1, 0), [(0, p % 4, 1, p // 4) for p in order], offs=(2, 0))


def main():
    files = [File("documented", "PTX ISA 9.1, chapter 5.5"), File("rtx5080", "RTX 5080"), File("sm100", "SM100")]
    for example in (im2col_examples, wide_examples, tile_examples, packed_examples):
        example(files[0])
    rtx5080(files[1])
    sm100(files[2])
    stale = 0
    for f in files:
        path = HERE / (f.name + ".vec.xz")
        if "--check" not in sys.argv[1:]:
            path.write_bytes(lzma.compress(f.image(), preset=9))
        elif not path.exists() or lzma.decompress(path.read_bytes()) != f.image():
            print(f"{path}: not what examples.py writes")
            stale = 1
        print(f"{f.name}: {len(f.records)} records")
    return stale


if __name__ == "__main__":
    sys.exit(main())
