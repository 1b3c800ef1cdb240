#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# config_test.sh MAKE - a configuration that there is not is refused before anything is written: the build remembers
# which ones it holds, and one that cannot be built would stay among them.
set -u

make=$1
passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CONFIG SIM_CONFIGS MAKEFLAGS MAKELEVEL

# WORDS ARGUMENT..: make ends with an error of these words, and its folder is as it was.
refuses() {
	"$make" --no-print-directory BUILD="$dir/build" "${@:2}" >"$dir/out" 2>"$dir/error"
	if [ $? -eq 2 ] && grep -qF "*** $1; there are small default max." "$dir/error" && [ ! -e "$dir/build" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: make ${*:2}"
		cat "$dir/out" "$dir/error"
		find "$dir/build"
		rm -rf "$dir/build"
	fi
}

refuses 'CONFIG=bogus: there is no such configuration' demo CONFIG=bogus
refuses 'CONFIG=small max: there is no such configuration' demo CONFIG='small max'
refuses 'CONFIG=: there is no such configuration' demo-run CONFIG=
refuses 'SIM_CONFIGS: there is no configuration bogus' lib-rtl SIM_CONFIGS='small bogus'

# What an older build has remembered is left out.
mkdir -p "$dir/build/sim"
echo 'small bogus' >"$dir/build/sim/configs.list"
if "$make" --no-print-directory -n BUILD="$dir/build" demo-run CONFIG=default 2>&1 | grep -q 'SIM_CONFIGS="small default"'; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	echo 'FAILED: a list with a name that there is not'
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
