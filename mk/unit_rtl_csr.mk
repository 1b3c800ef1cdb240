# SPDX-License-Identifier: Apache-2.0
# Test of the registers.

RTL_tma_csr := rtl/common/tma_ram_1r1w.sv $(wildcard rtl/front/tma_*_regs.sv) rtl/front/tma_csr.sv \
	rtl/front/tma_axil.sv rtl/front/tma_table_ram.sv rtl/front/tma_counters.sv

CSR_PAIRS      := $(foreach c,$(RTL_CONFIGS) odd,tma_csr.$(c))
UNIT_PAIRS     += $(CSR_PAIRS)
UNIT_C_tma_csr := tma_csr_map tma_csr_env tma_csr_doors

$(foreach p,$(CSR_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(eval $(call unit_test,tma_csr))

TEST_TARGETS += test-tma_csr
