# SPDX-License-Identifier: Apache-2.0
# The large units in configuration `max`, and the larger kernels, which take minutes to build; units in `odd`. All rounds
# of their random tests, and of those that `make test` runs a quarter of.

UNIT_WIDE_PAIRS := $(UNIT_WIDE:%=%.max)
UNIT_ROUNDS     := $(filter tma_map_decode.% tma_load.small tma_load.default tma_store.small tma_store.default,$(UNIT_PAIRS))

$(foreach u,$(UNIT_WIDE),$(eval $(call unit_rules,$(u),max)))

REGRESS_TARGETS += test-units-wide

.PHONY: test-units-wide
test-units-wide: export UNIT_ALL := 1
test-units-wide: $(UNIT_WIDE_PAIRS:%=unit-%) $(unit_odd:%=unit-%) $(UNIT_ROUNDS:%=unit-%) \
	$(filter-out unit-tma_kernel.small,$(KERNEL_CONFIGS:%=unit-tma_kernel.%)) ## unit tests of the RTL in `max` and `odd`
