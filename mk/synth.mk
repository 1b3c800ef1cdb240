# SPDX-License-Identifier: Apache-2.0
# Static checks of the RTL: Verilator's lint of every configuration, synthesis of every module.

.PHONY: verilator-lint synth-check synth-report

# Of the units' tests: three of everything, and no reductions.
LINT_ODD := hw_tests/unit_rtl/tma_cfg_odd_pkg.sv

verilator-lint: $(BUILD)/tools/test.stamp ## Verilator -Wall on the configurations, on one without reductions, on modules beside them, on the board; its waivers
	@$(PYTHON) tools/lint/test_verilator_lint.py --quiet
	@$(PYTHON) tools/lint/verilator_lint.py --waivers rtl/waivers.vlt --include rtl/common \
		$(foreach c,$(RTL_CONFIGS),--config "$(c)=$(call rtl_sources,$(c))") \
		--engine "odd=$(LINT_ODD) $(filter-out rtl/pkg/tma_cfg_%,$(call rtl_sources,small))" \
		--engine "small:tma_board=$(call rtl_sources,small) $(BOARD_RTL)"

SYNTH = $(PYTHON) tools/synth/check.py --npm $(NPM_DIR) --jobs 2 $(RTL_HEADERS:%=--header %)

# Of the board all but its top, which is structure around the engine: `make bench-board` has that one.
synth-check: $(BUILD)/tools/lint.stamp $(NPM_DIR)/stamp ## every module through slang and yosys, `small`, and those of the board: table of LUT, FF, RAM, path
	@tools/param_hash.sh small
	@$(SYNTH) --out $(BUILD)/synth/small $(call rtl_sources,small)
	@$(SYNTH) --out $(BUILD)/synth/board $(foreach m,$(filter-out tma_board,$(basename $(notdir $(BOARD_MODULES)))),--top $(m)) \
		$(call rtl_sources,small) $(BOARD_RTL)

# The slow one of the checks of the sources: in `make lint`, and in a deep regression.
REGRESS_TARGETS += $(if $(DEEP),synth-modules)
.PHONY: synth-modules
synth-modules: synth-check
	@echo "1 passed, 0 failed"

synth-report: $(BUILD)/tools/lint.stamp $(NPM_DIR)/stamp ## the same for `default` (minutes)
	@tools/param_hash.sh default
	@$(SYNTH) --out $(BUILD)/synth/default $(call rtl_sources,default)
