#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples_test.sh DIRECTORY - the examples run, and the programmer's guide shows the source of the
# first one, parts of others, and what all print.
set -u

programs=$1 guide=docs/programmers-guide.md
. host/tests/checks.sh
work=$dir

# Code blocks of the guide, a file for each.
awk -v dir="$work" '/^```/ { inside = !inside; number += inside; next } inside { print >(dir "/block." number) }' $guide

shows() { # FILE: some block is this file
	local block
	for block in "$work"/block.*; do
		cmp -s "$1" "$block" && return
	done
	echo "no code block of $guide is this:"
	cat "$1"
	return 1
}
shows_part() { # FILE: some block with a function is a part of this file
	local block
	for block in "$work"/block.*; do
		grep -q '^static' "$block" && [[ $(<"$1") == *"$(<"$block")"* ]] && return
	done
	echo "no code block of $guide with a function is a part of $1"
	return 1
}
quiet() { "$@" >"$work/out" 2>"$work/error" && [ ! -s "$work/error" ]; }

check 'the guide shows first.c' shows host/examples/first.c
check 'first runs' quiet "$programs/first"
check 'the guide shows what first prints' shows "$work/out"
check 'ring runs' quiet "$programs/ring"
check 'the guide shows what ring prints' shows "$work/out"
check 'fault runs' quiet "$programs/fault"
check 'the guide shows what fault prints' shows "$work/out"
check 'tensor runs' quiet "$programs/tensor"
check 'the guide shows what tensor prints' shows "$work/out"
check 'the guide shows a part of allreduce.c' shows_part host/examples/allreduce.c
check 'allreduce runs' quiet "$programs/allreduce"
check 'the guide shows what allreduce prints' shows "$work/out"
check 'the guide shows a part of histogram.c' shows_part host/examples/histogram.c
check 'histogram runs' quiet "$programs/histogram"
check 'the guide shows what histogram prints' shows "$work/out"

count_checks
