#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# uio_test.sh BUILD CONFIG - the example of a back end of one's own, in front of an engine in another process; and
# without one.
set -u

build=$1 config=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMA_UIO=$work/registers TMA_UIO_MEMORY=$work/memory TMA_UIO_BYTES=0x200000 TMA_UIO_ADDRESS=0

TMA_BACKEND_PATH=$build/uio/mailbox "$build/file_card" "$config" "$TMA_UIO" "$TMA_UIO_MEMORY" "$TMA_UIO_BYTES" "$build/test_uio" ||
	exit 1

passed=0 failed=0
refuses() { # NAME TEXT COMMAND..: the first test fails, and standard error has this text
	if "${@:3}" >"$work/out" 2>&1 || ! grep -qF "$2" "$work/out"; then
		failed=$((failed + 1))
		echo "FAILED: $1"
		cat "$work/out"
	else
		passed=$((passed + 1))
	fi
}
export TMA_BACKEND_PATH=$build/uio
refuses 'no registers' 'uio: TMA_UIO: (not set) cannot be mapped' env -u TMA_UIO "$build/test_uio"
refuses 'no memory' "uio: TMA_UIO_MEMORY: $work/none cannot be mapped" env TMA_UIO_MEMORY="$work/none" "$build/test_uio"
# Plain loads of a file that is no engine.
truncate -s 64K "$work/zero"
refuses 'no engine' '0xfffffffffffffff5 != 0' env TMA_UIO="$work/zero" "$build/test_uio"
refuses 'a command that does not exist' 'No such file' "$build/file_card" "$config" "$TMA_UIO" "$TMA_UIO_MEMORY" 4096 "$work/none"
refuses 'no bytes' 'usage:' "$build/file_card" "$config" "$TMA_UIO" "$TMA_UIO_MEMORY" 0 true
refuses 'no configuration' 'no card of configuration huge' "$build/file_card" huge "$TMA_UIO" "$TMA_UIO_MEMORY" 4096 true
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
