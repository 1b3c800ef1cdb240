#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# netlist.sh LEAST TOOL ARGUMENT..: random programs of every kind on an engine in lockstep with its netlist. Fails if a program
# does, if a cycle differs, and if there were fewer than LEAST cycles.
set -euo pipefail

least=$1 tool=$2
shift 2
cycles=0 log=$(mktemp)
trap 'rm -f "$log"' EXIT
for kind in "" --faults --tensor "--tensor --faults"; do
	# shellcheck disable=SC2086
	"$tool" "$@" $kind 2>"$log" || { cat "$log" >&2; exit 1; }
	cat "$log" >&2
	told=$(sed -n 's/^netlist: \([0-9]*\) cycles, 0 different$/\1/p' "$log")
	[[ -n $told ]] || { echo "netlist.sh: the netlist differs, or was not there" >&2; exit 1; }
	cycles=$((cycles + told))
done
echo "netlist: $cycles cycles are the same in all outputs"
((cycles >= least)) || { echo "netlist.sh: these are fewer than $least cycles" >&2; exit 1; }
