#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tool_rtl_test.sh TMA CONFIG.. - the self-test on the Verilated engine: whole on `small`, which is quick, the ends of
# memories on the others; every counter is looked at, and random stalls change nothing.
set -u

tma=$1
shift
passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

passes() { # CONFIG OPTION..: every group, and nothing but it is said
	"$tma" selftest --backend rtl --config "$@" >"$dir/out" 2>"$dir/error" && [ ! -s "$dir/error" ] &&
		grep -q '^pass: [0-9]* passed, 0 failed, 0 skipped$' "$dir/out" &&
		[ "$(grep -c '^counters, [a-z]*  *pass  14 of 14$' "$dir/out")" -eq 2 ]
}
check() { # NAME COMMAND..
	if "${@:2}"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1"
		cat "$dir/out" "$dir/error"
	fi
}

for config in "$@"; do
	case $config in
	small)
		check small passes small
		check 'small, stalls' passes small --quick --seed "${SEED:-1}"
		;;
	*) check "$config" passes "$config" --quick ;;
	esac
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
