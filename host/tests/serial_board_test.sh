#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# serial_board_test.sh BUILD SUITE [PROGRAM..] - programs on the Verilated board, pin to pin, over its serial line; each
# with the time that it takes and the bytes per second of the line.
#
#	quick	the tool `tma`: info, and a self-test of the ends of memory; PROGRAM..
#	whole	all of the self-test; PROGRAM..; the tests of the host library
#	noise	the same with a quick self-test, on a line that loses, doubles and changes one byte of some thousand, which
#		has to be seen: at the board, and by requests that were sent again
set -u

build=$(realpath "$1") suite=$2
shift 2
passed=0 failed=0
work=$(mktemp -d)
sim=
trap 'end_board >/dev/null; rm -rf "$work"' EXIT
unset TMA_BACKEND_PATH
# What the board does in a second of its own takes the simulation longer: its line is as slow as this at worst.
export TMA_SERIAL_DEVICE=$work/line TMA_SERIAL_BAUD=20000 TMA_SERIAL_STATS=$work/stats

begin_board() { # OPTION..
	mkfifo "$work/alive" && exec 9<>"$work/alive"
	"$build/tma_board_sim" --link "$work/line" --stats "$@" <&9 >"$work/name" 2>"$work/said" &
	sim=$!
	local tries
	for ((tries = 0; tries < 200; tries++)); do
		[ -s "$work/name" ] && return
		sleep 0.1
	done
	cat "$work/said"
	echo 'the board does not begin'
	exit 1
}
end_board() { # @return its status: where the RTL is built with its assertions it has kept them
	[ -n "$sim" ] || return 0
	kill -TERM "$sim" 2>/dev/null
	wait "$sim"
	local status=$?
	sim=
	exec 9>&-
	rm -f "$work/alive"
	[ $status -ne 0 ] || echo 'the board has ended'
	return $status
}
check() { # NAME TEXT COMMAND..: it succeeds, says nothing on standard error, and its last line has this text
	local start=$EPOCHREALTIME
	rm -f "$work/stats"
	"${@:3}" >"$work/out" 2>"$work/error"
	local status=$? end=$EPOCHREALTIME
	if [ $status -eq 0 ] && [ ! -s "$work/error" ] && tail -n 1 "$work/out" | grep -q -- "$2"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1: exit status $status"
		cat "$work/out" "$work/error"
	fi
	[ ! -e "$work/stats" ] || cat "$work/stats" >>"$work/all"
	[ ! -e "$work/stats" ] || awk -v name="$1" -v start="$start" -v end="$end" '
		{ requests += $1; out += $3; inward += $6; time += $8; again += $15 }
		END { printf "%s: %.1f s, %d requests, %d bytes out, %d in, %d bytes/s of the line, %d sent again\n",
			name, end - start, requests, out, inward, (out + inward) / time, again }' "$work/stats"
}
tests() { # of the host library; those of cmocka say on standard error what they do
	"$build/test_host_serial" >"$work/log" 2>&1
	local status=$?
	[ $status -eq 0 ] || grep -B 5 'FAILED' "$work/log"
	echo "exit status $status"
	return $status
}

case $suite in
quick) options=() selftest=--quick ;;
whole) options=() selftest= ;;
noise) options=(--noise "${SEED:-1},4000") selftest=--quick ;;
esac
begin_board "${options[@]}"
check 'tma info' '^counters  *CYCLES' "$build/tma" info --backend serial
check "tma selftest${selftest:+ $selftest}" '^pass: [0-9]* passed, 0 failed, 1 skipped$' "$build/tma" selftest --backend serial $selftest
for program in "$@"; do
	check "$program" "^$program: .*all right$" "$build/examples/$program" serial small
done
[ "$suite" = quick ] || check 'tests of the host library' '^exit status 0$' tests
check 'the end of the board' '^the board has ended$' end_board
sed 's/^tma_board_sim: //' "$work/said"
if [ "$suite" = noise ]; then
	check 'damage on the line' '^[1-9]' awk '/ lost, / { for (i = 1; i < NF; i++) if ($(i + 1) ~ /^(lost|doubled|flipped)/) n += $i }
		END { print n + 0 }' "$work/said"
	check 'requests sent again' '^[1-9]' awk '{ again += $15 } END { print again + 0 }' "$work/all"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
