#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names the parameter set of each configuration by a hash of its package, so that numbers of speed,
# area and frequency can be seen to belong to the same one.
set -eu
cd "$(dirname "$0")/.."
for config in "$@"; do
	printf 'parameters of %s: %s\n' "$config" \
		"$(sha256sum "rtl/pkg/tma_cfg_${config}_pkg.sv" | cut -c1-12)"
done
