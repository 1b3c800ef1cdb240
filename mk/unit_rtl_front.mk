# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: the front end, the load path, and the parts that all paths share.

RTL_tma_check     := $(wildcard rtl/front/tma_check*.sv)
RTL_tma_cmd_queue := $(wildcard rtl/common/tma_ram_*.sv) rtl/common/tma_rr_arb.sv \
	rtl/front/tma_cmd_pick.sv rtl/front/tma_cmd_room.sv rtl/front/tma_cmd_queue.sv
RTL_tma_issue     := $(wildcard rtl/front/tma_issue*.sv) rtl/front/tma_wait.sv
RTL_tma_cp_async  := $(UNIT_QUEUES) rtl/load/tma_cp_async.sv rtl/load/tma_cp_shift.sv
RTL_tma_load      := $(UNIT_QUEUES) rtl/common/tma_rotate.sv \
	$(filter-out %_pkg.sv,$(wildcard rtl/load/*.sv)) $(wildcard rtl/tensor/tma_walk*.sv) \
	$(UNIT_PORTS) hw_tests/unit_rtl/tma_load_port.sv
UNIT_TOP_tma_load := tma_load_port
# A module of the tests: one build for many small units.
RTL_tma_parts     := $(UNIT_QUEUES) rtl/common/tma_rotate.sv rtl/common/tma_rr_arb.sv \
	rtl/shared/tma_smem_route.sv rtl/shared/tma_smem_turns.sv rtl/front/tma_path_stage.sv hw_tests/unit_rtl/tma_parts.sv

UNIT_C_tma_check     := tma_check_draw tma_check_ref tma_check_ref_tensor tma_check_ref_reduce
UNIT_C_tma_cmd_queue := tma_cmd_queue_env
UNIT_C_tma_issue     := tma_issue_env tma_issue_copies tma_issue_random tma_issue_ref barrier_ref
UNIT_C_tma_load      := tma_load_env tma_load_ref tma_load_tensor tma_load_fetch tma_load_cp \
	tma_load_clients tma_load_walks tma_load_stops tma_load_fills tma_load_mix tma_load_prefetch
UNIT_LIBS_tma_load   := $(BUILD)/libtma_rig.a

UNIT_BITS_tma_load   := sig_valid sig_ready
UNIT_BITS_tma_parts  := turn_valid turn_ready fifo_in_valid fifo_in_ready fifo_out_valid fifo_out_ready rd_valid rd_ready
UNIT_JOIN_tma_parts  := wr_valid=load_valid,copy_valid,cp_valid wr_ready=load_ready,copy_ready,cp_ready \
	wr=load,copy

FRONT_PAIRS := tma_check.small tma_check.max tma_check.odd tma_check.whole tma_cmd_queue.small tma_cmd_queue.default \
	tma_cmd_queue.odd tma_issue.small tma_issue.default tma_issue.odd \
	tma_cp_async.small tma_cp_async.default tma_load.small tma_load.default \
	tma_load.odd tma_parts.small tma_parts.default
UNIT_PAIRS += $(FRONT_PAIRS)
UNIT_WIDE  += tma_load

FRONT_COVERED := tma_check tma_cmd_queue tma_issue tma_cp_async tma_load tma_parts

$(foreach p,$(FRONT_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,$(FRONT_COVERED),$(eval $(call unit_test,$(u))))

TEST_TARGETS += $(FRONT_COVERED:%=test-%)
