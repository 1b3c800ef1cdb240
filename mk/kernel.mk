# SPDX-License-Identifier: Apache-2.0
# The kernel: the engine with flat ports, for the configurations that have one.

KERNEL_CONFIGS  := $(patsubst rtl/gen/tma_kernel_%.sv,%,$(RTL_KERNELS))
kernel_sources   = $(call rtl_sources,$(1)) rtl/gen/tma_kernel_$(1).sv

LINT_TARGETS += kernel-lint

.PHONY: kernel-lint $(KERNEL_CONFIGS:%=kernel-lint.%)

kernel-lint: $(KERNEL_CONFIGS:%=kernel-lint.%) ## Verilator -Wall on the kernels

$(KERNEL_CONFIGS:%=kernel-lint.%): kernel-lint.%: $(BUILD)/tools/lint.stamp
	@$(VERILATOR) --lint-only -Wall --timing --assert --top-module tma_kernel -Irtl/common \
		rtl/waivers.vlt $(call kernel_sources,$*)
