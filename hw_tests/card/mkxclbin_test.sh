#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mkxclbin_test.sh MKXCLBIN - what it is told, and what it says when that is wrong.
set -u

tool=$1
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

gives() { # NAME STATUS TEXT ARGUMENT..: exit status, and a text of standard error; empty: there is none
	"$tool" "${@:4}" >"$work/out" 2>"$work/error"
	local status=$?
	if [ $status -eq "$2" ] && [ ! -s "$work/out" ] && { [ -n "$3" ] && grep -qF "$3" "$work/error" || [ -z "$3" -a ! -s "$work/error" ]; }; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1: exit status $status"
		cat "$work/error"
	fi
}
check() { # NAME COMMAND..
	if "${@:2}"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1"
	fi
}

echo small >"$work/bits"
gives 'a card' 0 '' 1 0x100000 "$work/a"
gives 'with a bitstream' 0 '' 4 4096 "$work/b" "$work/bits"
check 'it is there' grep -q '^small$' "$work/b"
gives 'no arguments' 2 usage
gives 'too many' 2 usage 1 4096 "$work/c" "$work/bits" more
gives 'no ports' 2 usage 0 4096 "$work/c"
gives 'five ports' 2 usage 5 4096 "$work/c"
gives 'very many ports' 2 usage 4294967297 4096 "$work/c"
gives 'ports in words' 2 usage one 4096 "$work/c"
gives 'less than no ports' 2 usage -1 4096 "$work/c"
gives 'no bytes' 2 usage 1 0 "$work/c"
gives 'half a page' 2 usage 1 2048 "$work/c"
gives 'bytes with a unit' 2 usage 1 4096k "$work/c"
gives 'bytes without end' 2 usage 1 99999999999999999999999 "$work/c"
gives 'no such bitstream' 1 "$work/none: No such file" 1 4096 "$work/c" "$work/none"
gives 'a folder for a bitstream' 1 "$work: Is a directory" 1 4096 "$work/c" "$work"
check 'nothing was written' test ! -e "$work/c"
gives 'no such folder' 1 "$work/none/c: No such file" 1 4096 "$work/none/c"
gives 'a full disk' 1 '/dev/full: ' 1 4096 /dev/full
check 'the device is left alone' test -c /dev/full
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
