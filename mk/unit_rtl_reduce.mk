# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: arithmetic of reductions, their bursts in flight, and all of their path.

RTL_tma_reduce_alu      := $(addprefix rtl/reduce/tma_reduce_,compare.sv choose.sv align.sv sum.sv count.sv normalize.sv \
	round.sv slice.sv alu.sv) \
	hw_tests/unit_rtl/tma_reduce_lanes.sv
RTL_tma_reduce_score    := rtl/common/tma_ram_1r1w.sv rtl/reduce/tma_reduce_score.sv
RTL_tma_reduce := $(UNIT_QUEUES) $(UNIT_PORTS) $(addprefix rtl/store/tma_store_,source.sv data.sv record.sv lanes.sv pack.sv track.sv) \
	$(wildcard rtl/tensor/tma_walk*.sv) $(filter-out %_pkg.sv,$(wildcard rtl/reduce/*.sv)) hw_tests/unit_rtl/tma_reduce_ports.sv
UNIT_TOP_tma_reduce     := tma_reduce_ports
UNIT_TOP_tma_reduce_alu := tma_reduce_lanes
UNIT_LIBS_tma_reduce_alu = $(addprefix $(MODEL_OBJ)/unit/,reduce_ref.o reduce_draw.o)
UNIT_LD_tma_reduce_alu   := -lmpfr -lgmp
UNIT_C_tma_reduce        := tma_reduce_env tma_reduce_plan tma_reduce_burst tma_reduce_ref tma_reduce_walk tma_reduce_tensor tma_reduce_more
UNIT_LIBS_tma_reduce      = $(MODEL_OBJ)/unit/reduce_ref.o $(BUILD)/libtma_rig.a
UNIT_LD_tma_reduce       := -lmpfr -lgmp
# Of the modules that reductions share with stores, the latter's tests meet the covers.
UNIT_ONLY_tma_reduce     := rtl/reduce

$(UNIT_DIR)/tma_reduce_alu_test.o $(UNIT_DIR)/tma_reduce_ref.o $(UNIT_DIR)/tma_reduce_env.o: CFLAGS += -Isw_model/tests

REDUCE_UNITS := $(foreach u,tma_reduce_alu tma_reduce_score tma_reduce,$(u).small $(u).default) tma_reduce_alu.odd tma_reduce.whole
UNIT_PAIRS   += $(REDUCE_UNITS)

$(foreach p,$(REDUCE_UNITS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,tma_reduce_alu tma_reduce_score tma_reduce,$(eval $(call unit_test,$(u))))

TEST_TARGETS    += test-tma_reduce_alu test-tma_reduce_score test-tma_reduce
REGRESS_TARGETS += reduce-rtl-long reduce-rtl-long-small

# 10^8 pairs of operands of each floating-point format; 10^7 of those that a slice of short paths without f64 has, which
# takes several times as long for a pair: its lines have 16 bytes.
.PHONY: reduce-rtl-long reduce-rtl-long-small
reduce-rtl-long: $(UNIT_DIR)/tma_reduce_alu.default/test
	REDUCE_PAIRS=100000000 $<

reduce-rtl-long-small: $(UNIT_DIR)/tma_reduce_alu.small/test
	REDUCE_PAIRS=10000000 $<
