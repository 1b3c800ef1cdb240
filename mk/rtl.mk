# SPDX-License-Identifier: Apache-2.0
# The RTL's source list in compile order. A configuration is one package file; the rest is shared.

RTL_CONFIGS := small default max
# What `make test` simulates where SIM_CONFIGS does not say it: `max` takes longer to build than the others together, so it
# is in the regression.
TEST_CONFIGS := $(or $(SIM_CONFIGS),$(filter-out max,$(RTL_CONFIGS)))
RTL_PKGS    := rtl/gen/tma_isa_pkg.sv rtl/gen/tma_csr_pkg.sv rtl/pkg/tma_pkg.sv
RTL_ALL     := $(sort $(wildcard rtl/*.sv rtl/*/*.sv))
RTL_HEADERS := $(sort $(wildcard rtl/common/*.svh))
# Wrappers of the engine, a file per configuration that has one.
RTL_KERNELS := $(filter rtl/gen/tma_kernel_%,$(RTL_ALL))
# Beside the engine, each for those who want it, behind the sources of a configuration: the engine on a bus of 64 bits;
# an example of a compute unit beside it.
rtl_beside   = $(filter %_pkg.sv,$(filter $(1)/%,$(RTL_ALL))) $(filter-out %_pkg.sv,$(filter $(1)/%,$(RTL_ALL)))
RTL_AXI64   := $(call rtl_beside,rtl/wrap)
RTL_EXAMPLE := $(call rtl_beside,rtl/example)
# Other packages may use those three, and every module may use any package.
RTL_OTHER   := $(filter-out $(RTL_PKGS) $(RTL_KERNELS) $(RTL_AXI64) $(RTL_EXAMPLE) rtl/pkg/tma_cfg_%,$(RTL_ALL))
RTL_MODULES := $(filter-out %_pkg.sv,$(RTL_OTHER))

# $(call rtl_config,CONFIG): its package. RTL_CFG_small=FILE: another one in place of that of `small`, for a build of its own.
rtl_config  = $(or $(RTL_CFG_$(1)),rtl/pkg/tma_cfg_$(1)_pkg.sv)
# $(call rtl_sources,CONFIG): every file that builds the engine in that configuration.
rtl_sources = $(call rtl_config,$(1)) $(RTL_PKGS) $(filter %_pkg.sv,$(RTL_OTHER)) $(RTL_MODULES)
