# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: lives of the queues, completion rings.

RTL_tma_queue_ctl  := rtl/front/tma_queue_ctl.sv
RTL_tma_completion := $(UNIT_QUEUES) rtl/front/tma_completion.sv

QUEUE_PAIRS := tma_queue_ctl.default tma_completion.small tma_completion.default
UNIT_PAIRS  += $(QUEUE_PAIRS)
QUEUE_UNITS := $(sort $(basename $(QUEUE_PAIRS)))

$(foreach p,$(QUEUE_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,$(QUEUE_UNITS),$(eval $(call unit_test,$(u))))

TEST_TARGETS += $(QUEUE_UNITS:%=test-%)
