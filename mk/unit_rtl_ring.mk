# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: the ring front end.

RTL_tma_ring    := $(UNIT_QUEUES) rtl/common/tma_rr_arb.sv \
	$(filter-out %_pkg.sv,$(wildcard rtl/front/tma_ring*.sv))
UNIT_C_tma_ring := tma_ring_env tma_ring_memory tma_ring_random

RING_PAIRS := $(foreach c,$(UNIT_CONFIGS),tma_ring.$(c))
UNIT_PAIRS += $(RING_PAIRS)
UNIT_WIDE  += tma_ring

$(foreach p,$(RING_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(eval $(call unit_test,tma_ring))

TEST_TARGETS += test-tma_ring
