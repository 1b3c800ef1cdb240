#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# emulation_test.sh BUILD XCLBIN - a program on XRT with AMD's own driver for hardware emulation, which starts the
# simulator that is in the xclbin. The driver sleeps for 10 s.
set -u

build=$(realpath "$1") xclbin=$(realpath "$2")
work=$(mktemp -d)
# Sockets go into /tmp/$USER; there are none of others in a folder of our own.
export USER=tramway_$$
trap 'rm -rf "$work" "/tmp/$USER"' EXIT
unset XILINX_XRT XRT_INI_PATH LD_LIBRARY_PATH
export TMA_BACKEND_PATH=$build XCL_EMULATION_MODE=hw_emu XILINX_VITIS=$work TMA_XCLBIN=$xclbin

# Debian's driver of 2.13 writes behind its buffer when a message is longer than the first one. That one has what
# is in this file: so it is made long, and data is cut into pieces that are not longer.
{
	printf '[Emulation]\npacket_size=65536\nsystem_dpa=false\n[Debug]\npad='
	head -c 70000 /dev/zero | tr '\0' x
	echo
} >"$work/xrt.ini"
export XRT_INI_PATH=$work/xrt.ini TMA_EMULATION_VERDICT=$work/verdict

cd "$work" || exit 1
start=$SECONDS
# What the driver unpacks lies beside the program.
cp "$build/xrt/hello" .
timeout 300 ./hello xrt 12288 >out 2>error
status=$?
if [ $status -eq 0 ] && grep -q '^0 rules broken$' verdict && grep -q '^hello: xrt small: 12288 bytes there and back$' out; then
	echo "hardware emulation: $((SECONDS - start)) s"
	echo "1 passed, 0 failed"
else
	cat out error verdict
	echo "FAILED: exit status $status"
	echo "0 passed, 1 failed"
	exit 1
fi
