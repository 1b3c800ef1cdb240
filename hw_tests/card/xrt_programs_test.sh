#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# xrt_programs_test.sh BUILD PROGRAMS - the example programs, those in PTX text and the tool `tma` on XRT, over the simulated card.
set -u

build=$1 programs=$2
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset XILINX_XRT XCL_EMULATION_MODE XILINX_VITIS TMA_XRT_DEVICE XRT_INI_PATH LD_LIBRARY_PATH
export TMA_BACKEND_PATH=$build TMA_XCLBIN=$build/xrt/card.xclbin USER=${USER:-nobody}
root=$(realpath "$build/xrt/root")

check() { # NAME STATUS TEXT COMMAND..: the exit status, and the last line printed has this text
	"${@:4}" >"$work/out" 2>"$work/error"
	local status=$?
	if [ $status -eq "$2" ] && tail -n 1 "$work/out" | grep -q -- "$3"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1: exit status $status"
		cat "$work/out" "$work/error"
	fi
}

for program in $programs; do
	check "$program" 0 "^$program: .*all right$" env XILINX_XRT="$root" "$build/examples/$program" xrt small
done
for program in host/examples/ptx/*.ptx; do
	check "tma run $program" 0 "^pass: $program on xrt" env XILINX_XRT="$root" "$build/tma" run --backend xrt "$program"
done
check 'tma selftest' 0 '^pass: [0-9]* passed, 0 failed' env XILINX_XRT="$root" "$build/tma" selftest --backend xrt
check 'tma info' 0 . env XILINX_XRT="$root" "$build/tma" info --backend xrt
no_card() { ! "$build/tma" info --backend xrt 2>"$work/said" && tail -n 1 "$work/said" | grep '^tma info: --backend xrt: '; }
check 'tma info without a card' 0 '^tma info: --backend xrt: ' no_card

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
