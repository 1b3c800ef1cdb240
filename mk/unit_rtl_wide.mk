# SPDX-License-Identifier: Apache-2.0
# The large units in configuration `max`, and the larger kernels: they take minutes to build.

UNIT_WIDE_PAIRS := $(UNIT_WIDE:%=%.max)

$(foreach u,$(UNIT_WIDE),$(eval $(call unit_rules,$(u),max)))

REGRESS_TARGETS += test-units-wide

.PHONY: test-units-wide
test-units-wide: $(UNIT_WIDE_PAIRS:%=unit-%) \
	$(filter-out unit-tma_kernel.small,$(KERNEL_CONFIGS:%=unit-tma_kernel.%)) ## unit tests of the RTL in `max`
