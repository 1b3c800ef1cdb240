#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_native.sh - which tools are taken as they are installed: stand-ins that say they are of some version.
set -u

here=$(cd "$(dirname "$0")" && pwd)
passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/bin" "$dir/root/work" "$dir/root/usr/bin"

# TOOL TEXT: it prints that, or where it is and its arguments when it is not asked for its version.
tool() {
	printf '#!/bin/sh\ncase $1 in -V|--version) echo '\''%s'\'' ;; *) echo "$PWD: $*" ;; esac\n' "$2" >"$dir/bin/$1"
	chmod +x "$dir/bin/$1"
}

# WANTED COMMAND...: what it prints.
expect() {
	local got
	got=$(PATH="$dir/bin:/usr/bin:/bin" "${@:2}" 2>&1)
	if [ "$got" = "$1" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAILED: %s\nwanted: %s\ngot:    %s\n' "${*:2}" "$1" "$got"
	fi
}

# TOOL TEXT: is not taken, is taken.
too_old() {
	tool "$1" "$2"
	expect '' "$here/native.sh" "$1"
}
new_enough() {
	tool "$1" "$2"
	expect "$dir/bin/$1" "$here/native.sh" "$1"
}

too_old yosys 'Yosys 0.23 (git sha1 7ce5011c24b)'
too_old yosys 'Yosys 0.9'
new_enough yosys 'Yosys 0.66 (git sha1 86f2ddebc)'
new_enough yosys 'Yosys 0.100+12 (git sha1 0)'
too_old nextpnr-ecp5 '"nextpnr-ecp5" -- Next Generation Place and Route (Version nextpnr-0.7)'
new_enough nextpnr-ecp5 '"nextpnr-ecp5" -- Next Generation Place and Route (Version 0.11.1+dfsg-5+b1)'
new_enough nextpnr-ecp5 '"nextpnr-ecp5" -- Next Generation Place and Route (Version nextpnr-0.12-3-gabc)'
too_old ecppack 'ecppack: cannot open shared object'
new_enough ecppack 'Project Trellis ecppack Version 1.4-3+b2'
# It may be installed, and its data lie elsewhere.
too_old bitread 'bitread 99'

expect "$dir/root/work: -q a.ys" "$here/in_root.sh" "$dir/root" yosys -q a.ys
too_old yosys 'Yosys 0.23 (git sha1 7ce5011c24b)'
expect 'yosys is neither installed, in the version that is needed, nor unpacked: make clean-tools fpga-tools' \
	"$here/in_root.sh" "$dir/root" yosys -q a.ys

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
