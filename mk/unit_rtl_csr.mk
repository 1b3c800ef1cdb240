# SPDX-License-Identifier: Apache-2.0
# Tests of the registers, and of the shell in front of them.

RTL_tma_csr := rtl/common/tma_ram_1r1w.sv $(filter-out %/tma_shell_regs.sv,$(wildcard rtl/front/tma_*_regs.sv)) rtl/front/tma_csr.sv \
	rtl/front/tma_axil.sv rtl/front/tma_table_ram.sv rtl/front/tma_counters.sv

RTL_tma_ap_ctrl := rtl/front/tma_ap_ctrl.sv rtl/front/tma_axil.sv rtl/front/tma_axil_route.sv
RTL_tma_shell   := $(RTL_tma_ap_ctrl) $(filter-out %_pkg.sv,$(wildcard rtl/front/tma_shell*.sv))

UNIT_BITS_tma_csr := active closing busy waiting full drained
UNIT_POKE_tma_csr := counter=u_counters.u_counts.mem

CSR_PAIRS      := $(foreach c,$(UNIT_CONFIGS),tma_csr.$(c)) tma_csr.whole tma_ap_ctrl.small $(UNIT_CONFIGS:%=tma_shell.%)
UNIT_PAIRS     += $(CSR_PAIRS)
UNIT_WIDE  += tma_csr
UNIT_C_tma_csr := tma_csr_map tma_csr_env tma_csr_doors
UNIT_C_tma_shell := tma_shell_env

$(foreach p,$(CSR_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(eval $(call unit_test,tma_csr))
$(eval $(call unit_test,tma_ap_ctrl))
$(eval $(call unit_test,tma_shell))

TEST_TARGETS += test-tma_csr test-tma_ap_ctrl test-tma_shell
