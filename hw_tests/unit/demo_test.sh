#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# demo_test.sh TMA_DEMO SCENE - the demo on every configuration, on awkward sizes and on bad input;
# the shipped picture is what its program renders.
set -u

demo=$1 scene=$2 picture=host/demo/scene.ppm
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

for config in small default max; do
	check "the picture, $config" agrees --config $config $picture
done
for seed in 1 2 3; do
	check "the picture, random stalls $seed" agrees --seed $seed $picture
done

# Around a bus line, around a slot of either pass, and a last chunk of one byte.
for bytes in 1 15 16 17 3583 3584 3585 7168 7169 7680 7681; do
	head -c $bytes $picture >"$dir/cut"
	check "$bytes bytes" agrees --config small --seed $bytes "$dir/cut"
done
padding() { agrees "$dir/cut" && grep -q 'padded with 7 zero bytes to a multiple of 16' "$dir/out"; }
head -c 9 $picture >"$dir/cut"
check 'padding is said' padding

: >"$dir/empty"
check 'missing file' refuses "$dir/missing" 'No such file or directory'
check 'directory' refuses "$dir" 'Is a directory'
check 'empty file' refuses "$dir/empty" 'the file is empty, there is nothing to move'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
