#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Is this tool of the flow installed, in no older a version than the flow was tried with? native.sh COMMAND prints its
# path then; else it prints nothing and fails. What is not installed so comes out of the unpacked root.
set -uo pipefail

# The version in what a tool says of itself, and the least one.
case $1 in
yosys) option=-V pattern='^Yosys ([0-9.]+)' least=0.66 ;;
nextpnr-ecp5) option=--version pattern='Version [a-z-]*([0-9.]+)' least=0.11.1 ;;
ecppack) option=--version pattern='Version ([0-9.]+)' least=1.4 ;;
*) exit 1 ;; # those of an Artix-7 need data that lies where Debian's packages put it
esac

path=$(command -v "$1") || exit 1
[[ $("$path" $option 2>&1) =~ $pattern ]] || exit 1
[ "$(printf '%s\n' "$least" "${BASH_REMATCH[1]}" | sort -V | head -n 1)" = "$least" ] || exit 1
echo "$path"
