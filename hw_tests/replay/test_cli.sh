#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What tma_replay does with wrong options and wrong files: test_cli.sh TMA_REPLAY
set -u

replay=${1:?path of tma_replay}
vectors=hw_tests/vectors
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# expect STATUS WORDS ARGUMENT...: the command ends with the status and says the words.
expect() {
	local status=$1 words=$2 out got
	shift 2
	out=$("$replay" "$@" 2>&1)
	got=$?
	if [ "$got" -eq "$status" ] && [[ $out == *"$words"* ]]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'tma_replay %s\n  expected status %s and "%s"\n  got status %s and: %s\n' \
			"$*" "$status" "$words" "$got" "$out"
	fi
}

xz -dc $vectors/bulk_load.vec.xz >"$work/load.vec"
head -c 5000 "$work/load.vec" >"$work/cut.vec"
head -c -1 "$work/load.vec" >"$work/short.vec"
head -c 5000 $vectors/bulk_load.vec.xz >"$work/cut.vec.xz"
head -c 5000 /dev/urandom >"$work/random"
: >"$work/empty"
# Record 0's nbytes becomes 33 + 256 * its old upper bytes.
{ head -c 300 "$work/load.vec"; printf '\x21'; tail -c +302 "$work/load.vec"; } >"$work/nbytes.vec"
# The last byte of the last window is another one.
{ head -c -1 "$work/load.vec"; tail -c 1 "$work/load.vec" | tr '\000-\377' '\001-\377\000'; } >"$work/byte.vec"

expect 0 "usage: tma_replay" --help
expect 2 "no files; see tma_replay --help"
expect 2 "--seed: needs a value" --seed
expect 2 "--nonsense: there is no such option" --nonsense $vectors/bulk_load.vec.xz
expect 2 "--backend vhdl: must be model, late or rtl" --backend vhdl $vectors/bulk_load.vec.xz
expect 2 "--config huge: the model has no such configuration" --config huge $vectors/bulk_load.vec.xz
expect 2 "--config huge: the rtl has no such configuration" --backend rtl --config huge $vectors/bulk_load.vec.xz
expect 2 "--seed x: must be a number" --seed x $vectors/bulk_load.vec.xz
expect 2 "--seed -1: must be a number" --seed -1 $vectors/bulk_load.vec.xz
expect 2 "--seed 18446744073709551616: must be a number" --seed 18446744073709551616 $vectors/bulk_load.vec.xz
expect 2 "--record 4294967295: must be a number from 0 to 4294967294" --record 4294967295 $vectors/bulk_load.vec.xz
expect 2 "--front: needs a value" --front
expect 2 "--front both: must be direct, ring or alternate" --front both $vectors/bulk_load.vec.xz
expect 2 "the model has no waveform" --fst "$work/x.fst" $vectors/bulk_load.vec.xz
expect 2 "needs exactly one file" --backend rtl --fst "$work/x.fst" $vectors/bulk_load.vec.xz $vectors/bulk_store.vec.xz
expect 2 "$work/none: cannot open: No such file or directory" "$work/none"
expect 2 "$work: cannot read: Is a directory" "$work"
expect 2 "$work/empty: byte 0: truncated" "$work/empty"
expect 2 "$work/random: byte 0: field magic" "$work/random"
expect 2 "field count is 60: 5000 bytes hold 16 at most" "$work/cut.vec"
expect 2 "record 59: truncated" "$work/short.vec"
expect 2 "the .xz file is truncated" "$work/cut.vec.xz"
expect 2 "byte 300: record 0: field nbytes is" "$work/nbytes.vec"
# A file that is wrong is known before the others are run.
expect 2 "$work/empty: byte 0" $vectors/bulk_load.vec.xz "$work/empty"

expect 0 "60 passed, 0 failed, 0 skipped" "$work/load.vec"
expect 0 "1 passed, 0 failed, 0 skipped" --record 59 --seed 0xFFFFFFFFFFFFFFFF $vectors/bulk_load.vec.xz
# A record that no file has is no run without failures.
expect 2 "--record 99999999: hw_tests/vectors/bulk_load.vec.xz has the records 0 to 59" --record 99999999 $vectors/bulk_load.vec.xz
expect 2 "--record 60: $work/load.vec has the records 0 to 59, the other files no more" --record 60 "$work/load.vec" "$work/load.vec"
expect 2 "/dev/full: must be a regular file" --backend rtl --fst /dev/full "$work/load.vec"
expect 0 "60 passed, 0 failed, 0 skipped" --front direct "$work/load.vec"
expect 0 "60 passed, 0 failed, 0 skipped" --front ring "$work/load.vec"
expect 1 "59 passed, 1 failed, 0 skipped" "$work/byte.vec"
expect 1 "1 bytes differ; --seed 7" --seed 7 "$work/byte.vec"
expect 1 "59 passed, 1 failed, 0 skipped" --backend rtl --config small "$work/byte.vec"
expect 0 "4000 passed, 0 failed, 0 skipped" $vectors/encode.vec.xz
expect 0 "110 passed, 0 failed, 0 skipped" $vectors/tensor_reduce_im2col.vec.xz
expect 0 "10 skipped (10: f64 is not built)" --backend rtl --config small $vectors/bulk_reduce_global.vec.xz
expect 0 "4060 passed, 0 failed, 0 skipped" $vectors/encode.vec.xz $vectors/bulk_load.vec.xz
# Each seed has its share of the records, and together they have all.
expect 0 "8 passed, 0 failed, 0 skipped" --every 7 --seed 3 "$work/load.vec"
expect 0 "9 passed, 0 failed, 0 skipped" --every 7 --seed 6 "$work/load.vec"
expect 0 "60 passed, 0 failed, 0 skipped" --every 1 "$work/load.vec"
expect 2 "--every 4294967296: must be a number" --every 4294967296 "$work/load.vec"
expect 0 "15 passed, 0 failed, 0 skipped" --every 4 --seed 0 "$work/byte.vec"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
