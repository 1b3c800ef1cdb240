#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# xrt_test.sh BUILD - the back end "xrt" as programs load it, where XRT, its driver, the card or the kernel are not as
# they should be: one line that says so, an error, and no abort.
set -u

build=$1
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset XILINX_XRT XCL_EMULATION_MODE XILINX_VITIS TMA_XCLBIN TMA_XRT_DEVICE XRT_INI_PATH LD_LIBRARY_PATH
export TMA_BACKEND_PATH=$build USER=${USER:-nobody}
root=$(realpath "$build/xrt/root") card=$build/xrt/card.xclbin
hello=$build/xrt/hello

says() { # NAME STATUS TEXT COMMAND..: the exit status, and the text is there
	"${@:4}" >"$work/out" 2>"$work/error"
	local status=$?
	if [ $status -eq "$2" ] && grep -qF -- "$3" "$work/error" "$work/out" && [ ! -e "$work/core" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1: exit status $status"
		cat "$work/out" "$work/error"
	fi
}
line() { # NAME TEXT COMMAND..: TMA_EDEVICE, and the text is the program's last error: the library itself prints nothing
	says "$1" 11 "$2" "${@:3}"
	if [ "$(grep -c '^hello: tma_open: ' "$work/error"):$(wc -l <"$work/error")" != 1:1 ]; then
		failed=$((failed + 1))
		echo "FAILED: $1: not one line"
		cat "$work/error"
	fi
}

says 'a card' 0 'hello: xrt small: 256 bytes there and back' env XILINX_XRT="$root" TMA_XCLBIN="$card" "$hello" xrt
says 'found by LD_PRELOAD' 0 'hello: xrt small: 256 bytes there and back' env LD_PRELOAD="$root/lib/libxrt_core.so.2" TMA_XCLBIN="$card" "$hello" xrt
says 'it is not closed' 0 'hello: xrt small: 256 bytes there and back' env XILINX_XRT="$root" TMA_XCLBIN="$card" HELLO_LEAVE=1 "$hello" xrt
line 'no xclbin' 'no xclbin is named' env XILINX_XRT="$root" "$hello" xrt
line 'an xclbin that does not exist' "$work/none: No such file" env XILINX_XRT="$root" TMA_XCLBIN="$work/none" "$hello" xrt
head -c 300 "$card" >"$work/short"
line 'an xclbin that is cut off' "$work/short is no xclbin" env XILINX_XRT="$root" TMA_XCLBIN="$work/short" "$hello" xrt
line 'no card' 'there is no card' env TMA_XCLBIN="$card" "$hello" xrt
line 'no driver' "$work/lib/libxrt_core.so.2: cannot open" env XILINX_XRT="$work" TMA_XCLBIN="$card" "$hello" xrt
line 'a driver that is none' 'invalid ELF header' env XILINX_XRT="$work/wrong" TMA_XCLBIN="$card" bash -c 'mkdir -p "$XILINX_XRT/lib" &&
	head -c 4096 /dev/zero >"$XILINX_XRT/lib/libxrt_core.so.2" && exec "$0" xrt' "$hello"
line 'a mode that does not exist' 'XCL_EMULATION_MODE is fast' env XCL_EMULATION_MODE=fast TMA_XCLBIN="$card" "$hello" xrt
line 'emulation without USER' 'needs USER' env -u USER XCL_EMULATION_MODE=hw_emu TMA_XCLBIN="$card" "$hello" xrt
line 'a card beyond all numbers' 'TMA_XRT_DEVICE is 4294967296' env XILINX_XRT="$root" TMA_XRT_DEVICE=4294967296 TMA_XCLBIN="$card" "$hello" xrt
line 'a card without a number' 'TMA_XRT_DEVICE is one' env XILINX_XRT="$root" TMA_XRT_DEVICE=one TMA_XCLBIN="$card" "$hello" xrt
# libxrt has its own words for these, in front of ours.
says 'another card' 11 'card 1 cannot be opened' env XILINX_XRT="$root" TMA_XRT_DEVICE=1 TMA_XCLBIN="$card" "$hello" xrt
sed 's/tma_kernel/top_kernel/g' "$card" >"$work/other"
says 'another kernel' 11 'has no kernel tma_kernel' env XILINX_XRT="$root" TMA_XCLBIN="$work/other" "$hello" xrt
echo large >"$work/bits"
"$build/mkxclbin" 1 0x4000000 "$work/large" "$work/bits"
says 'a card that does not load' 11 'cannot be loaded on card 0' env XILINX_XRT="$root" TMA_XCLBIN="$work/large" "$hello" xrt
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
