#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_test.sh DIRECTORY - the tools' faces: help, and one line that names the thing and the rule for
# everything that is wrong.
set -u

build=$1
passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
: >"$dir/empty"

count() { # STATUS NAME
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $2"
		cat "$dir/out" "$dir/error"
	fi
}

# Usage, a description, and what the exit status says; on standard output, with status 0.
helps() { # TOOL OPTION
	"$build/$1" "$2" >"$dir/out" 2>"$dir/error" && [ ! -s "$dir/error" ] &&
		grep -q "^usage: $1\( \|\$\)" "$dir/out" && grep -q '^Exit status: 0 ' "$dir/out"
}

# TOOL WORDS ARGUMENT..: status 2 and nothing but the line `TOOL: WORDS`.
refuses() {
	local tool=$1 words=$2
	shift 2
	"$build/$tool" "$@" >"$dir/out" 2>"$dir/error"
	[ $? -eq 2 ] && [ ! -s "$dir/out" ] && diff <(echo "$tool: $words") "$dir/error"
	count $? "$tool $*"
}

version=$(sed -n 's/^#define TMA_VERSION_M.* \([0-9]*\)$/\1/p' host/include/tma_version.h | paste -sd.)
says_version() { "$build/$1" --version >"$dir/out" 2>"$dir/error" && grep -q "^$1 $version\.[0-9]*$" "$dir/out"; }
# Nothing that could not be written looks like success.
full() { ! "$build/$1" --help >/dev/full 2>"$dir/error" && grep -q ': standard output: No space left on device$' "$dir/error"; }

for tool in tma_replay tma_crosscheck tma_bench tma_bench_model tma_demo wavecheck tensor_pictures; do
	for option in --help -h; do
		helps $tool $option
		count $? "$tool $option"
	done
	says_version $tool
	count $? "$tool --version"
	full $tool
	count $? "$tool --help >/dev/full"
	refuses $tool "--wrong: there is no such option; see $tool --help" --wrong
	refuses $tool "-x: there is no such option; see $tool --help" -x
done
refuses tma_replay "--none: cannot open: No such file or directory" -- --none
refuses tma_crosscheck "--list: takes no file; see tma_crosscheck --help" -- --list
refuses tma_bench "--list: takes no file; see tma_bench --help" -- --list
refuses tma_bench_model "x: takes no file; see tma_bench_model --help" x
refuses tma_demo "--none: No such file or directory" -- --none
refuses tma_demo "--no-reduce=1: takes no value; see tma_demo --help" --no-reduce=1
refuses wavecheck "--none: No such file or directory" -- --none
refuses tensor_pictures "no directory; see tensor_pictures --help"

refuses tma_replay "--seed: needs a value; see tma_replay --help" --seed
refuses tma_replay "no files; see tma_replay --help"
refuses tma_replay "$dir/none: cannot open: No such file or directory" "$dir/none"
refuses tma_replay "$dir: cannot read: Is a directory" "$dir"

refuses tma_crosscheck "--seed: needs a value; see tma_crosscheck --help" --seed
refuses tma_crosscheck "--programs 0: must be a number from 1 to 2147483647" --programs 0
refuses tma_crosscheck "--first x: must be a number from 0 to 2147483647" --first x
refuses tma_crosscheck "--config huge: must be small, default or max" --config huge
refuses tma_crosscheck "/dev/full: must be a regular file" --fst /dev/full
refuses tma_crosscheck "--pins: not with --fst, which shows them too" --fst "$dir/a" --pins "$dir/b"
refuses tma_crosscheck "--reduce: not with --no-reduce, which leaves them out" --reduce --no-reduce
refuses tma_crosscheck "--reduce=1: takes no value; see tma_crosscheck --help" --reduce=1
refuses tma_crosscheck "$dir/empty: takes no file; see tma_crosscheck --help" "$dir/empty"

refuses tma_bench "--case: needs a value; see tma_bench --help" --case
refuses tma_bench "nothing: matches no case; --list prints them" --case nothing
refuses tma_bench "huge: matches no case; --list prints them" --config huge
refuses tma_bench "$dir/empty: takes no file; see tma_bench --help" "$dir/empty"
refuses tma_bench "$dir/none/x.csv: No such file or directory" --quick --csv "$dir/none/x.csv"

# Rows of one case; the file is written when they have been measured.
quick=$("$build/tma_bench" --quick --list | sed -n 2p)
for option in --csv --svg; do
	"$build/tma_bench" --case "${quick%%  *}" --quick $option /dev/full >"$dir/out" 2>"$dir/error"
	[ $? -eq 2 ] && diff <(echo 'tma_bench: /dev/full: No space left on device') "$dir/error"
	count $? "tma_bench $option /dev/full"
done

refuses tma_demo "--seed: needs a value; see tma_demo --help" --seed
refuses tma_demo "--seed -1: must be a number from 0 to 18446744073709551615" --seed -1 "$dir/empty"
refuses tma_demo "no file; see tma_demo --help"
refuses tma_demo "b: one file at a time; see tma_demo --help" a b
refuses tma_demo "$dir/none: No such file or directory" "$dir/none"
refuses tma_demo "$dir: Is a directory" "$dir"
refuses tma_demo "$dir/empty: the file is empty, there is nothing to move" "$dir/empty"
refuses tma_demo "--config huge: the back end \`rtl\` has no such configuration" --config huge LICENSE
refuses tma_demo "$dir/none/x.fst: No such file or directory" --fst "$dir/none/x.fst" LICENSE
refuses tma_demo "/dev/full: must be a regular file" --fst /dev/full LICENSE
refuses tma_demo "$dir: Is a directory" --fst "$dir" LICENSE
for option in --fst --pins; do
	"$build/tma_crosscheck" --config small --programs 1 $option "$dir/whole.fst" >"$dir/out" 2>"$dir/error"
	count $? "tma_crosscheck $option, a whole waveform"
done

refuses wavecheck "--scope: needs a value; see wavecheck --help" --scope
refuses wavecheck "no dump; see wavecheck --help"
refuses wavecheck "b: one dump at a time; see wavecheck --help" a b
refuses wavecheck "$dir/none: No such file or directory" "$dir/none"
refuses wavecheck "$dir: Is a directory" "$dir"
refuses wavecheck "$dir/empty: is empty" "$dir/empty"
refuses wavecheck "LICENSE: is not an FST waveform, or is damaged" LICENSE

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
