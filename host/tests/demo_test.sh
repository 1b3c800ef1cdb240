#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# demo_test.sh TMA_DEMO SCENE CONFIG... - the demo on these configurations, on awkward sizes and on bad input;
# the shipped picture is what its program renders, and the pictures that the demo writes show it.
set -u

demo=$1 scene=$2 picture=host/demo/scene.ppm
shift 2
passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

check() { # NAME COMMAND..: the command succeeds
	local name=$1
	shift
	if "$@" >"$dir/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $name"
		cat "$dir/log"
	fi
}

agrees() { "$demo" "$@" | tee "$dir/out" && grep -q '^model and RTL agree in ' "$dir/out"; }

# FILE REASON: the demo fails, prints nothing but the file's name and the reason.
refuses() {
	! "$demo" "$1" >"$dir/out" 2>"$dir/error" &&
		[ ! -s "$dir/out" ] && diff <(echo "tma_demo: $1: $2") "$dir/error"
}

check 'the picture is what its program renders' cmp "$picture" <("$scene")

for config in "$@"; do
	check "the picture, $config" agrees --config $config $picture
done
for seed in 1 2 3; do
	check "the picture, random stalls $seed" agrees --seed $seed $picture
done

# Around a bus line, around a slot of either pass, and a last chunk of one byte; no pictures.
for bytes in 1 15 16 17 3583 3584 3585 7168 7169 7680 7681; do
	tail -c $bytes $picture >"$dir/cut"
	check "$bytes bytes" agrees --config small --seed $bytes "$dir/cut"
done
padding() { agrees "$dir/cut" && grep -q 'padded with 7 zero bytes to a multiple of 16' "$dir/out"; }
tail -c 9 $picture >"$dir/cut"
check 'padding is said' padding
without_pictures() {
	agrees --pictures "$dir/none" "$dir/cut" && [ ! -e "$dir/none" ] && ! grep -q 'tiles' "$dir/out"
}
check 'no picture, no pictures' without_pictures

# NAME WIDTH HEIGHT: a picture of that size, out of the pixels of the shipped one.
cut() { { printf 'P6\n# cut\n%d %d\n255\n' "$2" "$3" && tail -c $(($2 * $3 * 3)) $picture; } >"$1"; }

# PNG PPM: both have the same pixels.
same_pixels() {
	python3 - "$@" <<'EOF'
import struct, sys, zlib

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

sys.exit(png(open(sys.argv[1], 'rb').read()) != ppm(open(sys.argv[2], 'rb').read()))
EOF
}

draws() { # CONFIG PPM: five pictures, and the last one is the PPM again
	rm -rf "$dir/pictures"
	agrees --config "$1" --pictures "$dir/pictures" "$2" &&
		[ "$(cd "$dir/pictures" && echo *)" = 'im2col.png multicast.png stored.png swizzle.png tiles.png' ] &&
		same_pixels "$dir/pictures/stored.png" "$2"
}

check 'pictures of the picture' draws small $picture
# Rows that are padded in memory, less than a tile, more than what im2col takes, one line.
for size in '1 1' '3 2' '37 21' '33 65' '257 3' '2 200' '1000 1'; do
	cut "$dir/odd.ppm" $size
	check "a picture of $size pixels" draws small "$dir/odd.ppm"
done
cut "$dir/odd.ppm" 61 47
for seed in 1 2 3; do
	check "61 x 47 pixels, random stalls $seed" agrees --config default --seed $seed "$dir/odd.ppm"
done

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
check 'last pixel cut' bad 'P6\n2 2\n255\n12345678901' 'the PPM ends before its last pixel'

no_directory() { # PATH REASON: pictures cannot go there
	! "$demo" --pictures "$1" $picture >"$dir/out" 2>"$dir/error" &&
		[ ! -s "$dir/out" ] && diff <(echo "tma_demo: $1: $2") "$dir/error"
}
check 'pictures into a file' no_directory "$dir/empty" 'Not a directory'
check 'pictures into nowhere' no_directory "$dir/no/where" 'No such file or directory'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
