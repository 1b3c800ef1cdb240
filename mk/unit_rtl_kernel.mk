# SPDX-License-Identifier: Apache-2.0
# Test of the kernels: the whole engine behind their ports.

# The kernel is the simulated card's as well (mk/xrt.mk): quick code.
UNIT_OPT_tma_kernel  := O2
UNIT_C_tma_kernel    := kernel_bench

# The sources differ from configuration to configuration.
UNIT_LIBS_tma_kernel := $(BUILD)/libtma_rig.a
UNIT_JOIN_tma_kernel   := gmem=m_axi_gmem0,m_axi_gmem1
UNIT_WIDEST_tma_kernel := default
KERNEL_PAIRS         := tma_kernel.small
UNIT_PAIRS           += $(KERNEL_PAIRS)

define kernel_rules
RTL_tma_kernel := $$(filter-out %_pkg.sv,$$(RTL_MODULES)) rtl/gen/tma_kernel_$(1).sv
$$(eval $$(call unit_rules,tma_kernel,$(1)))
endef
$(foreach c,$(KERNEL_CONFIGS),$(eval $(call kernel_rules,$(c))))

TEST_TARGETS += test-tma_kernel

.PHONY: test-tma_kernel
test-tma_kernel: $(KERNEL_PAIRS:%=unit-%) ## the engine behind a kernel's ports
