#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the tools of one group that are missing: install.sh lib|demo|test|lint|formal|fpga|all
#
# A tool is looked for by what it provides (a command, a header), so a machine that has it from
# elsewhere is left alone. What is missing comes from apt-get; without Debian's apt-get, or without
# the right to use it, the script says what is needed and fails.
set -euo pipefail

lib='c:gcc=gcc h:stdlib.h=libc6-dev c:pkg-config=pkg-config'
demo='c:g++=g++ c:gcc=gcc c:clang++=clang c:verilator=verilator h:zlib.h=zlib1g-dev h:lzma.h=liblzma-dev h:png.h=libpng-dev'
test="$lib $demo c:python3=python3 v:venv=python3-venv h:cmocka.h=libcmocka-dev h:mpfr.h=libmpfr-dev c:xz=xz-utils f:/usr/share/i18n/locales/de_DE=locales"
lint="$test c:clang-format=clang-format c:npm=npm c:groff=groff-base"
formal="$test c:npm=npm c:yosys-smtbmc=yosys"
fpga='c:python3=python3 v:venv=python3-venv c:npm=npm c:gpgv=gpgv c:unshare=util-linux f:/usr/share/keyrings/debian-archive-keyring.gpg=debian-archive-keyring'
all="$lint $fpga $formal c:ccache=ccache c:valgrind=valgrind c:llvm-profdata=llvm p:counters=libclang-rt-14-dev"

# Without these some suites are skipped, and say so.
cards='f:/usr/include/xrt=libxrt-dev c:unzip=unzip c:zip=zip c:tclsh=tcl'

group=${1:?group}
case $group in
lib | demo | fpga) wanted=${!group} optional= ;;
test | lint | formal | all) wanted=${!group} optional=$cards ;;
*) echo "install.sh: no group '$group'" >&2; exit 2 ;;
esac

present() {
	local kind=${1%%:*} name=${1#*:}
	case $kind in
	c) command -v "$name" >/dev/null ;;
	f) [ -e "$name" ] ;;
	# The compiler knows where headers are; before there is one, no header is of use.
	h) echo "#include <$name>" | cat <(echo '#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>') - | gcc -fsyntax-only -xc - 2>/dev/null ;;
	# What programs need that clang has had count their branches.
	p) echo 'int main(void) { return 0; }' | clang -xc -fprofile-instr-generate -o /dev/null - 2>/dev/null ;;
	# Debian's python3 has the module venv, but not what it needs, until the package is there.
	v) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
	esac
}

packages_of() { # ENTRY..: those that are not there
	local entry
	for entry in "$@"; do
		present "${entry%%=*}" || echo "${entry#*=}"
	done
}

missing=($(packages_of $wanted)) extra=($(packages_of $optional))
[ $((${#missing[@]} + ${#extra[@]})) -gt 0 ] || exit 0

# Asked for when the rest is there: nothing fails for want of them.
optional_only() {
	[ ${#missing[@]} -eq 0 ] || return 1
	echo "tools: not there, some suites will be skipped: ${extra[*]}"
}

echo "tools: missing, to be installed:" "${missing[@]}" "${extra[@]}"
sudo=
if [ "$(id -u)" -ne 0 ]; then
	sudo=sudo
	if ! command -v sudo >/dev/null; then
		! optional_only || exit 0
		echo "tools: neither root nor sudo; please install these packages" >&2
		exit 1
	fi
fi
if ! command -v apt-get >/dev/null; then
	! optional_only || exit 0
	echo "tools: no apt-get here; please install the counterparts of these packages" >&2
	exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -q "$@" </dev/null >"$log" 2>&1
}
refused() {
	cat "$log" >&2
	echo "tools: apt-get $1 failed" >&2
	exit 1
}
apt update || optional_only || refused update
[ ${#missing[@]} -eq 0 ] || apt install --no-install-recommends "${missing[@]}" || refused install
if [ ${#extra[@]} -gt 0 ] && ! apt install --no-install-recommends "${extra[@]}"; then
	echo "tools: apt-get install failed, some suites will be skipped: ${extra[*]}"
fi

for entry in $wanted; do
	present "${entry%%=*}" && continue
	echo "tools: ${entry#*=} was installed, but ${entry%%=*} is still not there" >&2
	exit 1
done
echo "tools: installed"
