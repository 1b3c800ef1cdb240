# SPDX-License-Identifier: Apache-2.0
# What of the RTL the tests of the whole engine reach: cover properties, which are a gate; with LINES=1 lines and branches
# too, which take about twice the time. An engine that counts is built by itself; seeds are fixed, so that the gate is no lottery.

COVERAGE_CONFIGS ?= small default
REGRESS_TARGETS  += coverage

# Programs of each kind: plain, with faults, with tensor copies, with both. What is rare needs many.
COVERAGE_PROGRAMS_small   := 600 600 400 600
COVERAGE_PROGRAMS_default := 200 150 150 150
COVERAGE_PROGRAMS_max     := 30 30 20 20

.PHONY: coverage coverage-run

# By MAKE_COMMAND, as in the Makefile: what a suite needs is found by a run that runs nothing.
coverage: ## cover properties of the whole engine, each met or waived with a reason; LINES=1: lines and branches, too
	@$(MAKE_COMMAND) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/$(if $(LINES),coverage-lines,coverage) SEED=1 \
		"COVERAGE=--coverage-user $(if $(LINES),--coverage-line)" \
		"SIM_CONFIGS=$(COVERAGE_CONFIGS)" coverage-run

# The rest of this is for the make above.
COVERS_DIR := $(BUILD)/covers

# $(call covers_cross,CONFIG,PLAIN,FAULTS,TENSOR,BOTH)
define covers_cross
.PHONY: coverage-cross-$(1)
coverage-cross-$(1): $(BUILD)/tma_crosscheck coverage-clean
	TMA_COVERS=$(COVERS_DIR) $(BUILD)/tma_crosscheck --config $(1) --programs $(2)
	TMA_COVERS=$(COVERS_DIR) $(BUILD)/tma_crosscheck --config $(1) --programs $(3) --faults
	TMA_COVERS=$(COVERS_DIR) $(BUILD)/tma_crosscheck --config $(1) --programs $(4) --tensor
	TMA_COVERS=$(COVERS_DIR) $(BUILD)/tma_crosscheck --config $(1) --programs $(5) --tensor --faults
endef
$(foreach c,$(SIM_CONFIGS),$(eval $(call covers_cross,$(c),$(word 1,$(COVERAGE_PROGRAMS_$(c))),$(word 2,$(COVERAGE_PROGRAMS_$(c))),$(word 3,$(COVERAGE_PROGRAMS_$(c))),$(word 4,$(COVERAGE_PROGRAMS_$(c))))))

.PHONY: coverage-clean coverage-tests coverage-replay
coverage-clean:
	@rm -rf $(COVERS_DIR)
	@mkdir -p $(COVERS_DIR)

coverage-tests: $(BUILD)/test_engine $(BUILD)/test_rig coverage-clean
	TMA_COVERS=$(COVERS_DIR) $(BUILD)/test_engine faults registers watchdog patience errors corners
	TMA_COVERS=$(COVERS_DIR) $(BUILD)/test_rig

coverage-replay: $(BUILD)/tma_replay coverage-clean
	TMA_COVERS=$(COVERS_DIR) $(BUILD)/tma_replay --backend rtl --config small $(REPLAY_VECTORS)

coverage-run: $(SIM_CONFIGS:%=coverage-cross-%) coverage-tests coverage-replay
ifneq ($(filter --coverage-line,$(COVERAGE)),)
	verilator_coverage --write $(BUILD)/merged.dat $(COVERS_DIR)/*.dat
	@rm -rf $(BUILD)/annotated
	verilator_coverage --annotate $(BUILD)/annotated $(BUILD)/merged.dat
endif
	@$(PYTHON) hw_tests/covers.py --waivers hw_tests/covers.waivers $(COVERS_DIR) >$(BUILD)/report.txt; \
		status=$$?; cat $(BUILD)/report.txt; exit $$status
