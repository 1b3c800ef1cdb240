// SPDX-License-Identifier: Apache-2.0
// Generated from mk/rtl.mk by make gen. Do not edit.
// The engine on a bus of 64 bits: tma_axi64; behind the list of a configuration.
// For -F: paths are as seen from this file.
+incdir+../common
../wrap/tma_narrow_pkg.sv
../wrap/tma_axi64.sv
../wrap/tma_narrow.sv
../wrap/tma_narrow_cut.sv
../wrap/tma_narrow_order.sv
../wrap/tma_narrow_read.sv
../wrap/tma_narrow_resp.sv
../wrap/tma_narrow_write.sv
