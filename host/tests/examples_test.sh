#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples_test.sh DIRECTORY - the examples run, and the programmer's guide shows the source of the
# first one and what all print.
set -u

dir=$1 guide=docs/programmers-guide.md
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # NAME COMMAND..: the command succeeds
	local name=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $name"
		cat "$work/log"
	fi
}

# block N: the guide's code block number N, from 1.
block() { awk -v n="$1" '/^```/ { inside = !inside; number += inside; next } inside && number == n' $guide; }

shows() { diff "$1" <(block "$2") && [ -s "$1" ]; } # FILE N: block N is this file
quiet() { "$@" >"$work/out" 2>"$work/error" && [ ! -s "$work/error" ]; }

block_of_source=1 block_of_first=3 block_of_ring=7 block_of_fault=8 block_of_tensor=9 block_of_allreduce=10 block_of_histogram=11
check 'the guide shows first.c' shows host/examples/first.c $block_of_source
check 'first runs' quiet "$dir/first"
check 'the guide shows what first prints' shows "$work/out" $block_of_first
check 'ring runs' quiet "$dir/ring"
check 'the guide shows what ring prints' shows "$work/out" $block_of_ring
check 'fault runs' quiet "$dir/fault"
check 'the guide shows what fault prints' shows "$work/out" $block_of_fault
check 'tensor runs' quiet "$dir/tensor"
check 'the guide shows what tensor prints' shows "$work/out" $block_of_tensor
check 'allreduce runs' quiet "$dir/allreduce"
check 'the guide shows what allreduce prints' shows "$work/out" $block_of_allreduce
check 'histogram runs' quiet "$dir/histogram"
check 'the guide shows what histogram prints' shows "$work/out" $block_of_histogram

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
