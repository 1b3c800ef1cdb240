# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: lives and progress of the queues, completion rings.

RTL_tma_queue_ctl  := rtl/front/tma_queue_ctl.sv rtl/front/tma_lap.sv
RTL_tma_queue_tail := rtl/front/tma_queue_tail.sv
RTL_tma_completion := $(UNIT_QUEUES) rtl/front/tma_completion.sv
# Vectors with a bit for each queue, or source, are arrays in C.
UNIT_BITS_tma_queue_ctl  := enable reset flight record pending_fault fault_offer hold active closing drained
UNIT_BITS_tma_queue_tail := ring resume
UNIT_BITS_tma_completion := active flight room rec_room
UNIT_C_tma_completion := tma_completion_env record_draw

QUEUE_PAIRS := tma_queue_ctl.small tma_queue_ctl.default tma_queue_ctl.odd tma_queue_tail.small tma_queue_tail.max tma_completion.small tma_completion.default
UNIT_PAIRS  += $(QUEUE_PAIRS)
# Those with cover properties.
QUEUE_UNITS := tma_queue_ctl tma_completion

$(foreach p,$(QUEUE_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,$(QUEUE_UNITS),$(eval $(call unit_test,$(u))))

.PHONY: test-tma_queue_tail
test-tma_queue_tail: $(filter unit-tma_queue_tail.%,$(QUEUE_PAIRS:%=unit-%))

TEST_TARGETS += test-tma_queue_tail $(QUEUE_UNITS:%=test-%)
