#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# demo_test.sh TMA_DEMO STUB SCENE CONFIG... - the demo on these configurations, on awkward sizes and on bad input; the
# shipped picture is what its program renders, and the pictures that the demo writes show it. STUB is the demo on an
# engine that has faults (demo_stub.c), which it has to find. DEMO_SEEDS: the whole picture, not a quarter, on `small`
# with random stalls of these seeds, too; a small picture on `default` has stalls without it (seed 1).
set -u

demo=$1 stub=$2 scene=$3 picture=host/demo/scene.ppm
shift 3
. host/tests/checks.sh

agrees() { "$demo" "$@" | tee "$dir/out" && grep -q '^model and RTL agree in ' "$dir/out"; }

# FILE REASON: the demo fails, prints nothing but the file's name and the reason.
refuses() {
	! "$demo" "$1" >"$dir/out" 2>"$dir/error" &&
		[ ! -s "$dir/out" ] && diff <(echo "tma_demo: $1: $2") "$dir/error"
}

check 'the picture is what its program renders' cmp "$picture" <("$scene")

# Around a bus line, around a slot of either pass, and a last chunk of one byte; no pictures.
for bytes in 1 15 16 17 3583 3584 3585 7168 7169 7680 7681; do
	tail -c $bytes $picture >"$dir/cut"
	check "$bytes bytes" agrees --config small --seed $bytes "$dir/cut"
done
padding() { agrees --config small "$dir/cut" && grep -q 'padded with 7 zero bytes to a multiple of 16' "$dir/out"; }
tail -c 9 $picture >"$dir/cut"
check 'padding is said' padding
without_pictures() {
	agrees --config small --pictures "$dir/none" "$dir/cut" && [ ! -e "$dir/none" ] && ! grep -q 'tiles' "$dir/out"
}
check 'no picture, no pictures' without_pictures

# NAME WIDTH HEIGHT: a picture of that size, out of the pixels of the shipped one.
cut() { { printf 'P6\n# cut\n%d %d\n255\n' "$2" "$3" && tail -c $(($2 * $3 * 3)) $picture; } >"$1"; }

# Both kinds of files: width, height, pixels.
cat >"$dir/pictures.py" <<'EOF'
import struct, zlib

def png(data):
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, packed = 8, b''
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b'IHDR':
            width, height, depth, colour, _, _, interlace = struct.unpack('>IIBBBBB', body)
            assert (depth, colour, interlace) == (8, 2, 0)
        packed += body if kind == b'IDAT' else b''
        at += 12 + size
    raw, rows, above = zlib.decompress(packed), [], bytes(3 * width)
    for y in range(height):
        line = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        row = bytearray()
        for i, value in enumerate(line[1:]):
            left, up = row[i - 3] if i >= 3 else 0, above[i]
            corner = above[i - 3] if i >= 3 else 0
            nearest = min((abs(up - corner), 0, left), (abs(left - corner), 1, up),
                          (abs(left + up - 2 * corner), 2, corner))[2]
            row.append((value + (0, left, up, (left + up) // 2, nearest)[line[0]]) % 256)
        rows.append(bytes(row))
        above = row
    return width, height, b''.join(rows)

def ppm(data):
    head, pixels = data.split(b'\n255\n', 1)
    width, height = head.split(b'\n')[-1].split()
    return int(width), int(height), pixels
EOF
export PYTHONPATH=$dir PYTHONDONTWRITEBYTECODE=1

# PNG PPM: both have the same pixels.
same_pixels() {
	python3 - "$@" <<'EOF'
import sys
from pictures import png, ppm

sys.exit(png(open(sys.argv[1], 'rb').read()) != ppm(open(sys.argv[2], 'rb').read()))
EOF
}

# PNG: two lines of text stand above what it shows, and nothing comes near its edges.
labelled() {
	python3 - "$1" <<'EOF'
import sys
from pictures import png

edge, text, line = 24, 18, 24
paper, ink, faint = b'\xf1\xf3\xf5', b'\x21\x25\x29', b'\x49\x50\x57'
width, height, pixels = png(open(sys.argv[1], 'rb').read())

def colours(left, top, right, bottom):
    return {pixels[at:at + 3] for y in range(top, bottom)
            for at in range(3 * (y * width + left), 3 * (y * width + right), 3)}

assert colours(0, 0, width, edge) == colours(0, height - edge, width, height) == {paper}
assert colours(0, 0, edge, height) == colours(width - edge, 0, width, height) == {paper}
assert colours(0, edge, width, edge + text) == {paper, ink}
assert colours(0, edge + line, width, edge + line + text) == {paper, faint}
EOF
}

views='im2col.png multicast.png stored.png swizzle.png tiles.png'
draws() { # CONFIG PPM OPTION..: all pictures, and one is the PPM again
	rm -rf "$dir/pictures"
	agrees --config "$1" --pictures "$dir/pictures" "${@:3}" "$2" &&
		[ "$(cd "$dir/pictures" && echo *)" = "allreduce.png histogram.png $views" ] &&
		same_pixels "$dir/pictures/stored.png" "$2" &&
		labelled "$dir/pictures/swizzle.png" && labelled "$dir/pictures/multicast.png"
}

shown=$picture
if [ -z "${DEMO_SEEDS:-}" ]; then
	shown=$dir/quarter.ppm
	cut "$shown" 128 96
fi
for seed in ${DEMO_SEEDS:-}; do
	check "the picture and its pictures, small, random stalls $seed" draws small "$shown" --seed $seed
done
for config in "$@"; do
	check "the picture and its pictures, $config" draws $config "$shown"
done
# Rows that are padded in memory, less than a tile, more than what im2col takes, one line.
for size in '1 1' '3 2' '37 21' '33 65' '257 3' '2 200' '1000 1'; do
	cut "$dir/odd.ppm" $size
	check "a picture of $size pixels" draws small "$dir/odd.ppm"
done
cut "$dir/odd.ppm" 61 47
without_reductions() {
	rm -rf "$dir/pictures"
	agrees --config small --no-reduce --pictures "$dir/pictures" "$dir/odd.ppm" && ! grep -q 'reduc\|histogram' "$dir/out" &&
		[ "$(cd "$dir/pictures" && echo *)" = "$views" ]
}
check 'without reductions' without_reductions
for seed in ${DEMO_SEEDS:-1}; do
	check "61 x 47 pixels, random stalls $seed" agrees --config default --seed $seed "$dir/odd.ppm"
done

# A large picture is sampled: 1000 pixels in steps of 4.
cut "$dir/odd.ppm" 1000 2
sampled() { agrees --config small "$dir/odd.ppm" && grep -q ' 250 pixels, counted in 64 bins ' "$dir/out"; }
check 'a large picture is sampled' sampled

# What the demo says about the stub; $dir/differences: where results are not as expected.
cut "$dir/odd.ppm" 61 47
stub_runs() {
	"$stub" --pictures "$dir/stub" "$dir/odd.ppm" >"$dir/out"
	status=$?
	sed -n 's/, byte [0-9]*: expected .*, RTL .*//p' "$dir/out" >"$dir/differences"
	[ $status -eq 0 ]
}
matches() {
	rm -rf "$dir/stub"
	stub_runs && grep -q '^all-reduce: .* matches ' "$dir/out" && grep -q '^histogram: .* matches ' "$dir/out" &&
		grep -q '^model and RTL agree in ' "$dir/out"
}
unbuilt() { # as without reductions, but it says so
	rm -rf "$dir/stub"
	DEMO_FAULT=unbuilt stub_runs && grep -q '^model and RTL agree in ' "$dir/out" &&
		grep -q '`default` is built without reductions (CAP3.REDUCE is 0)$' "$dir/out" &&
		[ "$(cd "$dir/stub" && echo *)" = "$views" ]
}
finds() { # FAULT PLACE..: these places differ, no others, and nothing is said to match
	local fault=$1
	shift
	! DEMO_FAULT=$fault stub_runs && diff <(printf '%s\n' "$@") "$dir/differences" &&
		grep -q '^model and RTL do NOT agree$' "$dir/out" && ! grep -q 'matches' "$dir/out"
}
check 'an engine as the model' matches
check 'an engine without reductions' unbuilt
check 'bytes that one addition has lost' finds lost 'sum at port 0' 'sum at port 1'
check 'a byte behind port 1' finds port 'sum at port 1'
check 'a pixel in the wrong bin' finds bin counters
check 'a counter that begins again too late' finds digit counters

: >"$dir/empty"
check 'missing file' refuses "$dir/missing" 'No such file or directory'
check 'directory' refuses "$dir" 'Is a directory'
check 'empty file' refuses "$dir/empty" 'the file is empty, there is nothing to move'


bad() { # CONTENT REASON: the demo refuses a file of that content
	printf "$1" >"$dir/bad.ppm" && refuses "$dir/bad.ppm" "$2"
}
header='begins as a PPM, but is none: the header must be P6, width, height and 255'
check 'header that ends' bad 'P6\n3' "$header"
check 'header with letters' bad 'P6\n3 x\n255\n' "$header"
check 'header without an end' bad 'P6\n3 3\n255' "$header"
check 'colours of 16 bits' bad 'P6\n1 1\n65535\n123456' 'a PPM must have 255 levels for each colour'
check 'no pixels' bad 'P6\n0 3\n255\n' 'a PPM must have 1 to 16,384 pixels in each direction'
check 'too many' bad 'P6\n16385 1\n255\n' 'a PPM must have 1 to 16,384 pixels in each direction'
# Numbers that are too large for any integer stay too large.
check 'a width that wraps around' bad 'P6\n4294967297 1\n255\n123' 'a PPM must have 1 to 16,384 pixels in each direction'
check 'a height of many digits' bad 'P6\n1 18446744073709551617\n255\n123' 'a PPM must have 1 to 16,384 pixels in each direction'
check 'a depth that wraps around' bad 'P6\n1 1\n4294967551\n123' 'a PPM must have 255 levels for each colour'
check 'last pixel cut' bad 'P6\n2 2\n255\n12345678901' 'the PPM ends before its last pixel'

no_directory() { # PATH REASON: pictures cannot go there
	! "$demo" --pictures "$1" $picture >"$dir/out" 2>"$dir/error" &&
		[ ! -s "$dir/out" ] && diff <(echo "tma_demo: $1: $2") "$dir/error"
}
check 'pictures into a file' no_directory "$dir/empty" 'Not a directory'
check 'pictures into nowhere' no_directory "$dir/no/where" 'No such file or directory'

count_checks
