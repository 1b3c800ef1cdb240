#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tool_test.sh TMA FOLDER - the command line tool: help and wrong arguments, `info`, `selftest` on the model and on
# engines with faults (tool_stub.c, in the folder), which it has to find where they are, `map` there and back.
set -u

tma=$1 broken=$2
. host/tests/checks.sh
unset TMA_BACKEND_PATH TOOL_FAULT

# STATUS LINE ARGUMENT..: that exit status, nothing on standard output, and this line on standard error.
refuses() {
	local status=$1 line=$2
	shift 2
	"$tma" "$@" >"$dir/out" 2>"$dir/error" </dev/null
	[ $? -eq "$status" ] && [ ! -s "$dir/out" ] && diff <(echo "$line") "$dir/error"
}
wrong() { # LINE ARGUMENT..: a wrong option
	check "tma ${*:2}" refuses 2 "$@"
}
# WORDS ARGUMENT..: status 0, nothing on standard error, and these words begin a line.
prints() {
	"$tma" "${@:2}" >"$dir/out" 2>"$dir/error" && [ ! -s "$dir/error" ] && grep -q -e "^$1" "$dir/out" ||
		{ cat "$dir/out" "$dir/error"; return 1; }
}

# ---- Help and wrong words

for help in --help -h help; do
	check "tma $help" prints 'usage: tma COMMAND' $help
done
for command in info selftest map check; do
	for help in "help $command" "$command --help" "$command -h"; do
		check "tma $help" prints "usage: tma $command " $help
		check "tma $help tells the exit status" grep -q '^Exit status: 0 ' "$dir/out"
	done
	check "tma --help lists $command" prints "  $command  *[a-z]" --help
	check "tma-$command has a page" test -s docs/man/tma-$command.1
done
for command in encode decode describe draw; do
	check "tma map $command --help" prints "usage: tma map $command " map $command --help
done
version=$(sed -n 's/^#define TMA_VERSION_M.* \([0-9]*\)$/\1/p' host/include/tma_version.h | paste -sd.)
check 'tma --version' prints "tma $version\." --version
check 'tma info --version' prints "tma info $version\." info --version
check 'tma -- info' prints 'backend  *model$' -- info
check 'tma info --' prints 'backend  *model$' info --
nothing() { "$tma" >"$dir/out" 2>"$dir/error"; [ $? -eq 2 ] && [ ! -s "$dir/out" ] && grep -q '^usage: tma ' "$dir/error"; }
check 'tma' nothing

wrong 'tma: nothing: there is no such command; see tma --help' nothing
wrong 'tma: nothing: there is no such command; see tma --help' help nothing
wrong 'tma help: map: one command at a time; see tma --help' help info map
wrong 'tma: -x: there is no such option; see tma --help' -x
wrong 'tma info: --wrong: there is no such option; see tma info --help' info --wrong
wrong 'tma info: -x: there is no such option; see tma info --help' info -x
wrong 'tma info: --config: needs a value; see tma info --help' info --config
wrong 'tma info: --json=1: takes no value; see tma info --help' info --json=1
wrong 'tma info: --json: takes no operand; see tma info --help' info -- --json
wrong 'tma info: --backend model --config huge: tma_open: config = "huge": the back end "model" has no such configuration' info --config huge
wrong 'tma selftest: x: takes no operand; see tma selftest --help' selftest x
wrong 'tma selftest: --memory 0: must be a number from 1 to 256' selftest --memory 0
wrong 'tma selftest: --seed -1: must be a number from 0 to 18446744073709551615' selftest --seed -1
wrong 'tma map: what to do is missing: encode, decode, describe or draw; see tma map --help' map
wrong 'tma map: paint: must be encode, decode, describe or draw; see tma map --help' map paint
wrong 'tma map: --wrong: there is no such option; see tma map --help' map --wrong

no_backend() { # one line, with the files that were looked for
	"$tma" "$1" --backend nowhere >"$dir/out" 2>"$dir/error"
	[ $? -eq 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/error")" -eq 1 ] &&
		grep -q "^tma $1: --backend nowhere: tma_open: back end \"nowhere\" cannot be loaded: .*libtma_nowhere.so: cannot open .*; libtma_nowhere.so: " "$dir/error"
}
check 'info, no such back end' no_backend info
check 'selftest, no such back end' no_backend selftest
full() { ! "$tma" "$@" >/dev/full 2>"$dir/error" && grep -q 'standard output: No space left on device$' "$dir/error"; }
check 'help on a full disk' full --help
check 'info on a full disk' full info
check 'selftest on a full disk' full selftest --quick

# ---- info

check 'info says the shape' prints 'ctas  *16 ' info --config max
info_json() {
	"$tma" info --json --config small | python3 -c '
import json, sys
info = json.load(sys.stdin)
assert (info["backend"], info["config"], info["ctas"], info["smem_bytes"]) == ("model", "small", 2, 16384)
assert info["reductions"] is True and info["packed"] is False and "COMMANDS" in info["counters"]'
}
check 'info --json' info_json

# ---- selftest

for config in small default max; do
	check "selftest, $config" prints 'pass: [0-9]* passed, 0 failed, 0 skipped$' selftest --config $config
done
for seed in 1 2 3; do
	check "selftest, late copies $seed" prints 'pass: [0-9]* passed, 0 failed, 0 skipped$' selftest --quick --seed $seed
done
check 'selftest --quick' prints 'pass: [0-9]* passed, 0 failed, 0 skipped$' selftest --quick
check 'selftest --memory' prints 'global memory, through copies  *pass  3072 KiB' selftest --memory 3

on_stub() { # FAULT ARGUMENT..
	TMA_BACKEND_PATH=$broken TOOL_FAULT=$1 "$tma" selftest --backend broken "${@:2}" >"$dir/out" 2>"$dir/error"
}
sound() { on_stub none && grep -q '^pass: [0-9]* passed, 0 failed, 0 skipped$' "$dir/out"; }
check 'an engine as the model' sound
skips() { on_stub "$1" && grep -q "^$2  *skip  $3$" "$dir/out" && grep -q '^pass: .* [1-9][0-9]* skipped$' "$dir/out"; }
check 'an engine without reductions' skips unbuilt 'reduction, tensor, ring' 'the engine is built without reductions'
check 'an engine without a direct port' skips rings 'direct port' 'the back end does not have it'

# FAULT GROUP WORDS: the first group that fails is this one, for this reason; the rest is run all the same.
finds() {
	! on_stub "$1" "${@:4}" && [[ $(grep -m1 ' FAIL ' "$dir/out") =~ ^"$2"\ +FAIL\ \ $3$ ]] &&
		grep -q '^FAIL: [0-9]* passed, [1-9][0-9]* failed, ' "$dir/out" &&
		[ "$(wc -l <"$dir/out")" -eq 62 ] || { cat "$dir/out" "$dir/error"; return 1; }
}
byte='0x[0-9a-f]{2}'
check 'a stuck bit' finds port 'shared memory, external port' "shared memory 0x1000123: expected $byte, got $byte"
check 'half a memory' finds alias 'shared memory, external port' "shared memory 0x0: expected $byte, got $byte"
check 'a load that does not end' finds long 'shared memory, through copies' \
	'no record came within 300000 cycles; the next command of the queue is 3, a wait'
check 'a load from elsewhere' finds load 'global memory, through copies' '.*'
check 'a byte mask' finds mask 'bulk store, direct' "global memory 0x[0-9a-f]*: expected $byte, got $byte"
check 'cp.async without its zeros' finds zeros 'cp.async, direct' "shared memory 0x500: expected 0x00, got $byte"
check 'a box that begins too late' finds box 'tensor load, tile, direct' \
	"rank 2, over two edges: shared memory 0x490: expected 0x00, got $byte"
check 'a wrong operator' finds operator 'reduction, global memory, direct' \
	"global memory 0x[0-9a-f]*: expected $byte, got $byte"
check 'a wrong answer' finds count 'mbarrier, direct' 'answer 6: expected 0x5, got 0x4'
check 'a wrong tag' finds tag 'records and signals, direct' \
	'tag of record 3: expected 0xffffffff, got 0x7fffffff'
check 'a queue that does nothing' finds queue 'shared memory, through copies' 'no record came within .*'
check 'a counter that counts twice' finds counter 'counters, direct' 'SIGNALS: counter 7: expected 0x2, got 0x4'
check 'a broken rule' finds rule 'shared memory, through copies' '.*: the engine or its surroundings broke a rule'

# Memory that is not coherent: what has changed is brought alone, and all the rest is looked at behind each group.
staged() { TMA_BACKEND_PATH=$broken TOOL_STAGED=1 TOOL_FAULT=none "$tma" selftest --backend broken "$@" >"$dir/out" && grep -q '^pass: 60 passed, 0 failed, 0 skipped$' "$dir/out"; }
for config in small default max; do
	check "memory that is brought, $config" staged --config $config
done
check 'memory that is brought, quick' staged --quick
export TOOL_STAGED=1
check 'memory that is brought, a byte mask' finds mask 'bulk store, direct' "global memory 0x[0-9a-f]*: expected $byte, got $byte"
check 'memory that is brought, a box that begins too late' finds box 'tensor load, tile, direct' \
	"rank 2, over two edges: shared memory 0x490: expected 0x00, got $byte"
check 'memory that is brought, a byte elsewhere' finds stray 'shared memory, through copies' "global memory 0x10000e000: expected $byte, got $byte"
check 'memory that is brought, quick, a byte elsewhere' finds stray 'rules of bus and engine' \
	"global memory 0x10000e000: expected $byte, got $byte" --quick
unset TOOL_STAGED

found_json() {
	! on_stub mask --json && python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
bad = [g for g in report["groups"] if g["result"] == "fail"]
assert report["result"] == "fail" and report["failed"] == len(bad) == 1 and report["passed"] == 59
assert bad[0]["group"] == "bulk store, direct" and bad[0]["difference"]["place"] == "global memory"
assert bad[0]["difference"]["expected"] != bad[0]["difference"]["got"]' "$dir/out"
}
check 'selftest --json' found_json

# On a terminal there is a line that tells how far it is, and it is wiped again.
progress() {
	python3 - "$tma" <<'PYTHON'
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
run = subprocess.run([sys.argv[1], 'selftest', '--quick', '--config', 'small'], stdout=subprocess.PIPE, stderr=theirs,
                     env={**os.environ, 'TERM': 'xterm'})
os.close(theirs)
line = b''
try:
    while block := os.read(ours, 65536):
        line += block
except OSError:
    pass
assert run.returncode == 0 and b'\r' not in run.stdout
assert b'\rshared memory, external port: addresses, CTA 1 of 2' in line and line.endswith(b' \r'), line
PYTHON
}
check 'progress' progress
quiet() { "$tma" selftest --quick 2>"$dir/error" >/dev/null && [ ! -s "$dir/error" ]; }
check 'no progress in files' quiet

# ---- map

# OPTION..: a map, and the same from what decode says of it.
there_and_back() {
	"$tma" map encode "$@" >"$dir/map" && "$tma" map decode "$dir/map" >"$dir/words" &&
		"$tma" map encode $(cat "$dir/words") --output "$dir/bytes" && "$tma" map decode - <"$dir/bytes" | diff "$dir/words" - &&
		[ "$(wc -c <"$dir/bytes")" -eq 128 ] && diff <(od -An -v -tx1 -w32 "$dir/bytes" | tr -d ' ') "$dir/map" &&
		"$tma" map decode --json "$dir/map" | python3 -m json.tool >/dev/null
}
tile='--type uint16 --dims 256,64 --box 64,8 --swizzle 128B --address 0x100001000'
column='--kind im2col --type float16 --dims 16,6,5,3 --lower -1,-1 --upper -1,-1 --channels 16 --pixels 30 --fill nan'
check 'map, tiled' there_and_back $tile
check 'map, rank 1' there_and_back --type uint8 --dims 4294967296 --box 256
check 'map, everything' there_and_back --type tfloat32_ftz --dims 20,7,3,2,9 --strides 96,96,0,4096 \
	--element-strides 1,2,3,4,8 --box 8,4,3,2,1 --promotion 256b --fill NaN
check 'map, interleave' there_and_back --type uint8 --dims 20,2,4 --strides 640,1280 --interleave 32B --swizzle 32B --box 16,1,2
check 'map, im2col' there_and_back $column
check 'map, im2col_w' there_and_back --kind im2col_w --type uint16 --dims 32,9,16 --lower -1 --channels 32 --pixels 20 --swizzle 64B
check 'map, im2col_w_128' there_and_back --kind im2col_w_128 --type uint16 --dims 32,9,16 --channels 32 --swizzle 64B
# What the driver writes for a matrix of 256 x 64 halves.
check 'map, bits' test "$("$tma" map encode $tile | head -1)" = 0010000001000000906000002000000000000000000000000000000000000000

wrong 'tma map encode: --type: is missing; see tma map encode --help' map encode
wrong 'tma map encode: --dims: is missing; see tma map encode --help' map encode --type uint8
wrong 'tma map encode: --box: is missing; see tma map encode --help' map encode --type uint8 --dims 16
wrong 'tma map encode: --fill one: must be zero or nan' map encode --type uint8 --fill one
wrong 'tma map encode: --dims 1,x: must be 1 to 5 numbers from 0 to 9223372036854775807, with commas between them' \
	map encode --type uint8 --dims 1,x
wrong 'tma map encode: --box 16: must be 2 numbers, for so many dimensions are there to it' \
	map encode --type uint8 --dims 16,16 --box 16
wrong 'tma map encode: --pixels: a map of kind tiled has none' map encode --type uint8 --dims 16 --box 16 --pixels 3
wrong 'tma map encode: boxDim[0]: must be 1 to 256' map encode --type uint8 --dims 1024 --box 272
wrong 'tma map encode: x: takes no operand; see tma map encode --help' map encode x
wrong "tma map encode: /dev/full: No space left on device" map encode $tile --output /dev/full
wrong "tma map encode: $dir/none/x: No such file or directory" map encode $tile --output "$dir/none/x"
wrong 'tma map decode: standard input: has less than 256 hexadecimal digits' map decode
wrong "tma map decode: $dir/none: No such file or directory" map decode "$dir/none"
wrong "tma map describe: $dir: Is a directory" map describe "$dir"
wrong 'tma map decode: b: one file at a time' map decode a b
echo 'no digits' >"$dir/words"
wrong "tma map decode: $dir/words: is neither 128 bytes nor hexadecimal digits" map decode "$dir/words"
{ "$tma" map encode $tile; echo 0; } >"$dir/long"
wrong "tma map decode: $dir/long: has more than 256 hexadecimal digits" map decode "$dir/long"

head -c 128 /dev/zero >"$dir/zeros"
rule='boxDim[0] times the element size must be a multiple of 16 bytes'
check 'decode, illegal' refuses 1 "tma map decode: $dir/zeros: is no legal map: $rule (MAP_BOX)" map decode "$dir/zeros"
illegal() { "$tma" map describe "$dir/zeros" >"$dir/out"; [ $? -eq 1 ] && grep -qF "illegal, MAP_BOX: $rule" "$dir/out"; }
check 'describe, illegal' illegal
"$tma" map encode $tile >"$dir/map"
check 'describe' prints 'tiled tensor map of UINT16, rank 2, at 0x100001000$' map describe "$dir/map"

# Row r of the box is a line, in which chunk c lies where chunk c xor r would.
drawn() {
	{
		echo 'tile, 1024 bytes; shared memory, 16 bytes in a cell:'
		printf '%-7s' ''
		printf ' %6d' 0 16 32 48 64 80 96 112
		for row in 0 1 2 3 4 5 6 7; do
			printf '\n%-7d' $((128 * row))
			for chunk in 0 1 2 3 4 5 6 7; do
				x=$((216 + 8 * (chunk ^ row))) y=$((59 + row))
				cell=$x,$y
				[ $x -lt 256 ] && [ $y -lt 64 ] || cell=..
				printf ' %6s' $cell
			done
		done
		echo
	} | diff - <("$tma" map draw --coord 216,59 "$dir/map")
}
check 'draw' drawn
check 'draw, lines' prints 'and 6 lines more; --lines$' map draw --lines 2 "$dir/map"
draws() { # LINE OPTION.. -- OPTION..: of the picture of such a map
	local line=$1 map=()
	shift
	while [ "$1" != -- ]; do map+=("$1"); shift; done
	"$tma" map encode "${map[@]}" | "$tma" map draw "${@:2}" >"$dir/out" && grep -qxF -e "$line" "$dir/out" ||
		{ cat "$dir/out"; return 1; }
}
check 'draw, im2col with a tap' draws \
	'256     0,3,0,0 8,3,0,0 0,4,0,0 8,4,0,0 0,5,0,0 8,5,0,0      ..      ..' $column -- --offsets 2,0
check 'draw, gather4' draws '256       ..   ..   ..   ..   ..   ..   ..   ..' \
	--type uint16 --dims 256,64 --box 64,1 -- --mode gather4 --coord 8,3,4,70,5
check 'draw, short rows and the end of one' draws \
	'128     240,1+  224,1      -     ..      -      -      -      -' \
	--type uint8 --dims 250,64 --strides 256 --box 48,4 --swizzle 128B -- --coord 224,0
check 'draw, halves' draws '128     10,1~ 14,1~  2,1~  6,1~ 26,1~ 30,1~ 18,1~ 22,1~' \
	--type uint32 --dims 256,64 --box 32,9 --swizzle 128B_atom_32B_flip_8B --
check 'draw, a large tensor' draws '0        32,5  32,6  32,7  32,8  32,9 32,10 32,11 32,12' \
	--type uint8 --dims 4294967296,4294967296 --strides 1048576 --box 16,8 -- --coord 32,5
faults() { ! "$tma" map draw "$@" "$dir/map" >"$dir/out" 2>"$dir/error" && [ ! -s "$dir/out" ] &&
	grep -q '^tma map draw: the copy faults: .* MISALIGNED_BOX: ' "$dir/error"; }
check 'draw, a copy that faults' faults --coord 1,1
svg() { "$tma" map draw --svg "$dir/map.svg" --coord 216,59 "$dir/map" && python3 - "$dir/map.svg" <<'PYTHON'; }
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
words = [t.text for t in root.iter('{http://www.w3.org/2000/svg}text')]
assert words.count('216,59') == 1 and words.count('..') == 8 * 8 - 5 * 5, words
PYTHON
check 'draw, SVG' svg
wrong "tma map draw: /dev/full: No space left on device" map draw --svg /dev/full "$dir/map"
wrong 'tma map draw: --coord 1: must be 2 numbers' map draw --coord 1 "$dir/map"
wrong 'tma map draw: --mode im2col: is no load of a map of kind tiled' map draw --mode im2col "$dir/map"
wrong 'tma map draw: --offsets: tiled maps have none' map draw --offsets 1 "$dir/map"
wrong 'tma map draw: --base: must be a multiple of 128' map draw --base 64 "$dir/map"

# The guide's last two blocks: what one types, and what comes.
block() { awk -v n="$1" '/^```/ { inside = !inside; number += inside; next } inside { text[number] = text[number] $0 "\n" } \
	END { printf "%s", text[number - n] }' docs/programmers-guide.md; }
guide() { (tma() { "$tool" "$@"; }; tool=$tma; eval "$(block 1)") | diff <(block 0) - && [ -n "$(block 0)" ]; }
check 'what the guide shows' guide

count_checks
