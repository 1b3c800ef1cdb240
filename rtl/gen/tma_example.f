// SPDX-License-Identifier: Apache-2.0
// Generated from mk/rtl.mk by make gen. Do not edit.
// The engine beside a toy compute unit: tma_example_soc; behind the list of a configuration.
// For -F: paths are as seen from this file.
+incdir+../common
../example/tma_example_pkg.sv
../example/tma_example_add.sv
../example/tma_example_soc.sv
../example/tma_example_unit.sv
