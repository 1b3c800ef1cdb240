# SPDX-License-Identifier: Apache-2.0
# Random programs on the engine behind a 64-bit bus: a simulator of its own, in which memory sees that bus, and all
# who look at the engine's bursts see the engine's side.

REGRESS_TARGETS += crosscheck-axi64

.PHONY: crosscheck-axi64 crosscheck-axi64-run

# By MAKE_COMMAND, as in the Makefile: what a suite needs is found by a run that runs nothing.
crosscheck-axi64: ## random programs on the model and on tma_axi64, the engine on a bus of 64 bits
	@$(MAKE_COMMAND) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/axi64 SIM_BUS=64 SIM_CONFIGS=small crosscheck-axi64-run

# For the make above.
crosscheck-axi64-run: $(BUILD)/tma_crosscheck
	$(call crosscheck,$(SEED),small,400,400,300,300)
