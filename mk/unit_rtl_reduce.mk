# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: arithmetic of reductions, and their bursts in flight.

RTL_tma_reduce_alu      := $(addprefix rtl/reduce/tma_reduce_,unpack.sv sum.sv round.sv lane.sv slice.sv alu.sv) \
	hw_tests/unit_rtl/tma_reduce_lanes.sv
RTL_tma_reduce_score    := rtl/common/tma_ram_1r1w.sv rtl/reduce/tma_reduce_score.sv
UNIT_TOP_tma_reduce_alu := tma_reduce_lanes
UNIT_LIBS_tma_reduce_alu = $(addprefix $(MODEL_OBJ)/unit/,reduce_ref.o reduce_draw.o)
UNIT_LD_tma_reduce_alu   := -lmpfr -lgmp

$(UNIT_DIR)/tma_reduce_alu_test.o: CFLAGS += -Isw_model/tests

REDUCE_UNITS := $(foreach u,tma_reduce_alu tma_reduce_score,$(u).small $(u).default)
UNIT_PAIRS   += $(REDUCE_UNITS)

$(foreach p,$(REDUCE_UNITS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,tma_reduce_alu tma_reduce_score,$(eval $(call unit_test,$(u))))

TEST_TARGETS    += test-tma_reduce_alu test-tma_reduce_score
REGRESS_TARGETS += reduce-rtl-long

# 10^8 pairs of operands of each floating-point format.
.PHONY: reduce-rtl-long
reduce-rtl-long: $(UNIT_DIR)/tma_reduce_alu.default/test
	REDUCE_PAIRS=100000000 $<
