# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: shared memory, mbarriers, signals, shared-to-shared copies.

RTL_tma_mbarrier_alu := rtl/sync/tma_mbarrier_alu.sv
RTL_tma_cta          := rtl/common/tma_ram_1r1w.sv rtl/shared/tma_cta.sv rtl/shared/tma_smem.sv \
	rtl/shared/tma_smem_bank.sv rtl/shared/tma_smem_take.sv $(sort $(wildcard rtl/sync/tma_mbarrier*.sv))

RTL_tma_signal       := rtl/common/tma_rr_arb.sv rtl/sync/tma_signal.sv
RTL_tma_shared_copy  := $(UNIT_QUEUES) rtl/common/tma_rotate.sv $(wildcard rtl/shared/tma_shared_*.sv)

UNIT_C_tma_mbarrier_alu := barrier_ref
UNIT_C_tma_cta          := tma_cta_env tma_cta_corners tma_cta_traffic barrier_ref
UNIT_C_tma_shared_copy  := tma_shared_copy_env tma_shared_copy_ref

UNIT_BITS_tma_cta    := rd_valid rd_ready
UNIT_BITS_tma_shared_copy := rd_valid rd_ready
UNIT_JOIN_tma_signal := sig=load_sig,shared_sig,cp_sig

SYNC_PAIRS := tma_mbarrier_alu.default $(foreach c,small default, \
	tma_cta.$(c) tma_signal.$(c) tma_shared_copy.$(c)) tma_shared_copy.odd
UNIT_PAIRS += $(SYNC_PAIRS)
UNIT_WIDE  += tma_cta tma_signal tma_shared_copy

# Those with cover properties; the others have no state.
SYNC_COVERED := tma_cta tma_signal tma_shared_copy

$(foreach p,$(SYNC_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,$(SYNC_COVERED),$(eval $(call unit_test,$(u))))

.PHONY: test-tma_mbarrier_alu
test-tma_mbarrier_alu: unit-tma_mbarrier_alu.default

TEST_TARGETS += test-tma_mbarrier_alu $(SYNC_COVERED:%=test-%)
