#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command of an unpacked root: in_root.sh ROOT COMMAND...  Its working directory is ROOT/work.
#
# Nothing is mounted, so root of a plain container can do it; others need user namespaces.
set -euo pipefail

root=$1
shift
# yosys asks /proc for its own place, and there is no /proc in the root.
mkdir -p "$root/proc/self"
ln -sfn "/usr/bin/$1" "$root/proc/self/exe"
enter=()
[ "$(id -u)" -eq 0 ] || enter=(unshare --map-root-user)
exec "${enter[@]}" chroot "$root" /bin/sh -c 'cd /work && exec "$@"' sh "$@"
