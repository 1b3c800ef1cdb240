# SPDX-License-Identifier: Apache-2.0
# Random programs and faults on an engine whose reductions have no floating point, which none of the configurations is:
# that of the unit tests in the place of `small`, a simulator of its own.

REGRESS_TARGETS += crosscheck-whole

.PHONY: crosscheck-whole crosscheck-whole-run

# By MAKE_COMMAND, as in the Makefile: what a suite needs is found by a run that runs nothing.
crosscheck-whole: ## random programs, contention and faults on an engine that reduces integers alone
	@$(MAKE_COMMAND) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/whole RTL_CFG_small=hw_tests/unit_rtl/tma_cfg_whole_pkg.sv \
		SIM_CONFIGS=small crosscheck-whole-run

# For the make above.
crosscheck-whole-run: $(BUILD)/tma_crosscheck test-rig test-faults
	$(call crosscheck,$(SEED),small,200,200,200,200,--reduce)
