#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks Debian packages of a newer suite, with all they depend on: unpack_root.sh SUITE DIR PACKAGE...
#
# The packages end up in DIR/root; nothing is installed on this machine and no maintainer script is
# run. apt does the work on a state of its own, so it takes the mirror from the machine's own
# configuration and checks signature and hashes. What was downloaded stays in DIR until the next run. No root needed.
set -euo pipefail

suite=$1 dir=$2
shift 2
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 -E '/debian/?$') || {
	echo "unpack_root: no Debian mirror in apt's configuration" >&2
	exit 1
}

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
mkdir -p "$dir/state/lists/partial" "$dir/cache/archives/partial" "$dir/etc"
: >"$dir/state/status"
echo "deb [signed-by=$keyring arch=amd64] $mirror $suite main" >"$dir/etc/sources.list"
apt_own() {
	apt-get -q -y -o "Dir::State=$dir/state" -o "Dir::State::status=$dir/state/status" \
		-o "Dir::Cache=$dir/cache" -o "Dir::Etc::sourcelist=$dir/etc/sources.list" \
		-o Dir::Etc::sourceparts=- -o Dir::Etc::preferencesparts=- -o APT::Architecture=amd64 \
		-o APT::Architectures=amd64 -o APT::Sandbox::User="$(id -un)" \
		-o APT::Get::AllowUnauthenticated=false -o Debug::NoLocking=true \
		-o Acquire::Languages=none "$@" </dev/null
}

# Of an earlier run nothing stays: two versions of a package in one root are neither.
rm -f "$dir"/cache/archives/*.deb
apt_own update >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
apt_own install --download-only --no-install-recommends base-files dash coreutils "$@" >>"$dir/log" 2>&1 ||
	{ cat "$dir/log" >&2; exit 1; }

rm -rf "$dir/root"
mkdir -p "$dir/root"
# base-files has the links /bin, /lib and so on that every other package relies on.
dpkg-deb -x "$dir"/cache/archives/base-files_*.deb "$dir/root"
for deb in "$dir"/cache/archives/*.deb; do
	dpkg-deb -x "$deb" "$dir/root"
done
mkdir -p "$dir/root/work" "$dir/root/tmp"
echo "unpack_root: $suite, $(ls "$dir"/cache/archives/*.deb | wc -l) packages, $(du -sm "$dir/root" | cut -f1) MB"
