# SPDX-License-Identifier: Apache-2.0
# The large units in configuration `max`, and the larger kernels, which take minutes to build; units in `odd`. All rounds
# of their random tests.

UNIT_WIDE_PAIRS := $(UNIT_WIDE:%=%.max)

$(foreach u,$(UNIT_WIDE),$(eval $(call unit_rules,$(u),max)))

REGRESS_TARGETS += test-units-wide

.PHONY: test-units-wide
test-units-wide: export UNIT_ALL := 1
test-units-wide: $(UNIT_WIDE_PAIRS:%=unit-%) $(unit_odd:%=unit-%) \
	$(filter-out unit-tma_kernel.small,$(KERNEL_CONFIGS:%=unit-tma_kernel.%)) ## unit tests of the RTL in `max` and `odd`
