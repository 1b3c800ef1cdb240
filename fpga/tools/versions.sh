#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints which tools the FPGA flow uses: versions.sh ROOT NPM_DIR SOLVER_DIR. Fails if one of them does not run.
set -euo pipefail

here=$(dirname "$0")
say() { printf '%-28s %s\n' "$1" "$2"; }
where() { bash "$here/native.sh" "$1" || echo unpacked; }

in_root() { bash "$here/in_root.sh" "$root" "$@" 2>&1; }
package() { # NAME: its version, of the package that was unpacked
	dpkg-deb -f "$root/../cache/archives/$1"_*.deb Version
}

root=$1 npm=$2 solver=$3
# An assignment fails where what it runs fails; an argument would not.
yosys=$(in_root yosys -V)
ecp5=$(in_root nextpnr-ecp5 --version)
ecppack=$(in_root ecppack --version)
in_root nextpnr-himbaechel-xilinx --help >/dev/null
in_root xc7frames2bit --version >/dev/null
in_root bitread --version >/dev/null
modules=$("$solver/bin/python" -c 'import importlib.metadata as m; print(", ".join(sorted(f"{d.name} {d.version}" for d in m.distributions() if d.name not in ("pip", "setuptools"))))')
say 'slang, in yosys (npm)' "$(sed -n 's/^ *"version": "\(.*\)",*/\1/p' "$npm/node_modules/@yowasp/yosys/package.json")"
say 'yosys' "$yosys, $(where yosys)"
say 'nextpnr-ecp5' "$(sed -n 's/.*(Version \(.*\)).*/\1/p' <<<"$ecp5"), $(where nextpnr-ecp5)"
say 'ecppack' "${ecppack%%$'\n'*}, $(where ecppack)"
say 'nextpnr-himbaechel-xilinx' "$(package nextpnr-himbaechel-xilinx)"
say 'prjxray' "$(package prjxray)"
say 'solver' "$modules"
# It drives the solver in `make formal`, and comes with Debian's yosys.
if smtbmc=$(command -v yosys-smtbmc); then
	say 'yosys-smtbmc' "$(dpkg-query -S "$(readlink -f "$smtbmc")" 2>/dev/null | head -n 1 | cut -d: -f1 | xargs -r dpkg-query -W -f '${Package} ${Version}' || echo "$smtbmc")"
else
	say 'yosys-smtbmc' 'not installed; make formal installs it'
fi
