# SPDX-License-Identifier: Apache-2.0
# Test of what stands between a global port and a 64-bit bus.

RTL_tma_narrow         := rtl/common/tma_ram_1r1w.sv rtl/common/tma_fifo.sv $(filter-out %/tma_axi64.sv,$(RTL_AXI64))
UNIT_C_tma_narrow      := tma_narrow_env
UNIT_LIBS_tma_narrow   := $(BUILD)/libtma_rig.a
UNIT_ONLY_tma_narrow   := rtl/wrap

NARROW_PAIRS := $(foreach c,small odd default max,tma_narrow.$(c))
UNIT_PAIRS   += $(NARROW_PAIRS)

$(foreach p,$(NARROW_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(eval $(call unit_test,tma_narrow))

TEST_TARGETS += test-tma_narrow
