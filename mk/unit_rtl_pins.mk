# SPDX-License-Identifier: Apache-2.0
# Test of what makes the shims, on a module of the tests that has ports of every kind.

RTL_tma_pins       := hw_tests/unit_rtl/tma_pins.sv
UNIT_BITS_tma_pins := flags
PINS_PAIRS         := $(foreach c,small odd default max,tma_pins.$(c))
UNIT_PAIRS         += $(PINS_PAIRS)

$(foreach p,$(PINS_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))

TEST_TARGETS += test-tma_pins

.PHONY: test-tma_pins
test-tma_pins: $(PINS_PAIRS:%=unit-%) ## the generated shims of unit tests
	$(PYTHON) hw_tests/unit_rtl/pins_test.py $(UNIT_DIR)
