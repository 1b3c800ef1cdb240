#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# serial_programs_test.sh BUILD PROGRAMS - the example programs and the tool `tma` over a serial line, on the stand-in for
# a board: on a good line, and on bad ones; and what the tool says where there is no board.
set -u

build=$1 programs=$2
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TMA_SERIAL_DEVICE TMA_SERIAL_BAUD TMA_SERIAL_STATS TMA_BACKEND_PATH
tma=$build/tma standin=$build/board_standin

check() { # NAME STATUS TEXT COMMAND..: the exit status, and a line that is printed
	"${@:4}" >"$work/out" 2>&1
	local status=$?
	if [ $status -eq "$2" ] && grep -q -- "$3" "$work/out"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1: exit status $status"
		cat "$work/out"
	fi
}
says() { # NAME STATUS TEXT COMMAND..: this is all that is printed
	check "$@"
	[ "$(wc -l <"$work/out")" -eq 1 ] || { failed=$((failed + 1)); echo "FAILED: $1: more than a line"; cat "$work/out"; }
}

for program in $programs; do
	check "$program" 0 "^$program: .*all right$" "$standin" "$build/examples/$program" serial small
	check "$program, a bad line" 0 "^$program: .*all right$" "$standin" --seed "${SEED:-1}" --lose 10 --flip 10 --twice 10 \
		"$build/examples/$program" serial small
done
check 'tma info' 0 '^memory_bytes  *262144 ' "$standin" "$tma" info --backend serial
# What depends on time or on the bus the model does not count, and this is the one group that must not pass.
one_group() { "$@" >"$work/all"; [ $? -eq 1 ] && grep FAIL "$work/all" | grep -v '^counters, ring ' | tail -n 1; }
check 'tma selftest' 0 '^FAIL: 31 passed, 1 failed, 1 skipped$' one_group "$standin" "$tma" selftest --backend serial
check 'tma selftest --quick, a bad line' 0 '^FAIL: 31 passed, 1 failed, 1 skipped$' one_group "$standin" \
	--seed "${SEED:-1}" --lose 5 --flip 5 --twice 5 "$tma" selftest --quick --backend serial
# Boards with little memory: enough for --quick, not for the walk, not for anything.
check 'tma selftest, little memory' 0 '^FAIL: 31 passed, 1 failed, 1 skipped$' one_group \
	"$standin" --bytes 114688 "$tma" selftest --backend serial --quick
check 'tma selftest, no memory to walk' 1 '^global memory, through copies  *skip  the engine has no memory left for it$' \
	"$standin" --bytes 98304 "$tma" selftest --backend serial --quick
check 'tma selftest, too little memory' 1 '^tma selftest: tma_memory_alloc: 65536 bytes: 0 of 61440 are taken$' \
	"$standin" --bytes 61440 "$tma" selftest --backend serial

for program in pipeline doc_bulk; do
	check "tma run, $program" 0 "^pass: host/examples/ptx/$program.ptx on serial small, " "$standin" --seed "${SEED:-1}" \
		--lose 10 --flip 10 --twice 10 "$tma" run --backend serial "host/examples/ptx/$program.ptx"
done

# The device by name, beside the environment: a board is there, and is not looked at.
says 'no such line' 1 \
	'^tma info: --backend serial: tma_open: /dev/no_such_line: there is no such device: is the board plugged in?$' \
	"$standin" "$tma" info --backend serial --device /dev/no_such_line
says 'no terminal' 1 '^tma selftest: --backend serial: tma_open: /dev/null: is not a terminal, as serial lines are$' \
	"$tma" selftest --backend serial --device /dev/null
says 'a baud that cannot be' 2 '^tma info: --backend serial: tma_open: baud = 7: must be 300 to 100000000$' \
	"$standin" "$tma" info --backend serial --baud 7
says 'a baud that is none' 2 '^tma info: --baud fast: ' "$standin" "$tma" info --backend serial --baud fast
says 'a baud of the environment' 2 '^tma info: --backend serial: tma_open: TMA_SERIAL_BAUD is x: must be a number from 300 to 100000000$' \
	env TMA_SERIAL_BAUD=x "$tma" info --backend serial
check 'a device and a baud' 0 '^backend  *serial$' "$standin" bash -c \
	'device=$TMA_SERIAL_DEVICE; unset TMA_SERIAL_DEVICE; "$0" info --backend serial --device "$device" --baud 1234567' "$tma"
says 'another configuration' 2 \
	'^tma info: --backend serial --config max: tma_open: config = "max": this engine is "small"$' \
	"$standin" "$tma" info --backend serial --config max

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
