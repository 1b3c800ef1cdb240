#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command of an unpacked root, or the installed one where that is as new: in_root.sh ROOT COMMAND...  Its working
# directory is ROOT/work.
#
# Nothing is mounted, so root of a plain container can do it; others need user namespaces.
set -euo pipefail

root=$1
shift
if native=$("$(dirname "$0")/native.sh" "$1"); then
	cd "$root/work"
	exec "$native" "${@:2}"
fi
if [ ! -e "$root/usr/bin/$1" ]; then
	echo "$1 is neither installed, in the version that is needed, nor unpacked: make clean-tools fpga-tools" >&2
	exit 127
fi
# yosys asks /proc for its own place, and there is no /proc in the root.
mkdir -p "$root/proc/self"
ln -sfn "/usr/bin/$1" "$root/proc/self/exe"
enter=()
[ "$(id -u)" -eq 0 ] || enter=(unshare --map-root-user)
exec "${enter[@]}" chroot "$root" /bin/sh -c 'cd /work && exec "$@"' sh "$@"
