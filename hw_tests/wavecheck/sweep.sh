#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random programs with tensor copies and reductions on the RTL, the pins of each run recorded as a waveform that
# wavecheck then judges. Nobody but the engine writes their global memory.
#
#   sweep.sh BUILD CONFIG FIRST_SEED RUNS [OPTION OF tma_crosscheck]...
#
# The last line counts the runs; what differs is printed with the commands that repeat it.
set -u
build=$1 config=$2 seed=$3 runs=$4
shift 4
passed=0 failed=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

while [ "$runs" -gt 0 ]; do
	program="$build/tma_crosscheck --config $config --tensor --from-zero --programs 2 --seed $seed $*"
	if $program --pins "$folder/run.fst" >"$folder/log" 2>&1 &&
		"$build/wavecheck" "$folder/run.fst" --private >"$folder/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$program --pins run.fst && $build/wavecheck run.fst --private"
		cat "$folder/log"
	fi
	seed=$((seed + 1)) runs=$((runs - 1))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
