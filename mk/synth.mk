# SPDX-License-Identifier: Apache-2.0
# Static checks of the RTL: Verilator's lint of every configuration, synthesis of every module.

.PHONY: verilator-lint beside-lint synth-check synth-report

LINT_TARGETS += beside-lint

verilator-lint: $(BUILD)/tools/test.stamp ## Verilator -Wall on the configurations, on modules beside them, on the board; its waivers
	@$(PYTHON) tools/lint/test_verilator_lint.py --quiet
	@$(PYTHON) tools/lint/verilator_lint.py --waivers rtl/waivers.vlt --include rtl/common \
		$(foreach c,$(SIM_CONFIGS),--config "$(c)=$(call rtl_sources,$(c))") \
		--around "small:tma_board=$(call rtl_sources,small) $(BOARD_RTL)"

# What lies beside the engine, with the engine in it. Synthesis looks at the rest of it, and not at the engine again.
BESIDE_TOPS    := tma_axi64 tma_example_soc
BESIDE_LINT    := $(foreach c,$(RTL_CONFIGS),$(BESIDE_TOPS:%=beside-lint.%.$(c)))
BESIDE_MODULES := $(filter-out $(BESIDE_TOPS) %_pkg,$(basename $(notdir $(RTL_AXI64) $(RTL_EXAMPLE))))

# Configurations of the units' tests: three of everything and no reductions; reductions of integers alone.
UNIT_LINT := beside-lint.odd beside-lint.whole

.PHONY: $(BESIDE_LINT) $(UNIT_LINT)
beside-lint: $(BESIDE_LINT) $(UNIT_LINT) ## Verilator -Wall on the engine on a 64-bit bus, on the example, on an engine without reductions and one of integers alone

$(BESIDE_LINT): beside-lint.%: $(BUILD)/tools/lint.stamp
	@$(VERILATOR) --lint-only -Wall --timing --assert --top-module $(basename $*) -Irtl/common rtl/waivers.vlt \
		$(call rtl_sources,$(patsubst .%,%,$(suffix $*))) $(if $(filter tma_axi64.%,$*),$(RTL_AXI64),$(RTL_EXAMPLE))

$(UNIT_LINT): beside-lint.%: $(BUILD)/tools/lint.stamp
	@$(VERILATOR) --lint-only -Wall --timing --assert --top-module tma_engine -Irtl/common rtl/waivers.vlt \
		hw_tests/unit_rtl/tma_cfg_$*_pkg.sv $(filter-out rtl/pkg/tma_cfg_%,$(call rtl_sources,small))

SYNTH = $(PYTHON) tools/synth/check.py --npm $(NPM_DIR) --jobs 2 $(RTL_HEADERS:%=--header %)

# Of the board all but its top, which is structure around the engine: `make bench-board` has that one.
synth-check: $(BUILD)/tools/lint.stamp $(NPM_DIR)/stamp ## every module through slang and yosys, `small`, and those of the board: table of LUT, FF, RAM, path
	@tools/param_hash.sh small
	@$(SYNTH) --out $(BUILD)/synth/small $(call rtl_sources,small)
	@$(SYNTH) --out $(BUILD)/synth/board $(foreach m,$(filter-out tma_board,$(basename $(notdir $(BOARD_MODULES)))),--top $(m)) \
		$(call rtl_sources,small) $(BOARD_RTL)
	@$(SYNTH) --out $(BUILD)/synth/beside $(BESIDE_MODULES:%=--top %) $(call rtl_sources,small) $(RTL_AXI64) $(RTL_EXAMPLE)

# The slow one of the checks of the sources: in `make lint`, and in a deep regression.
REGRESS_TARGETS += $(if $(DEEP),synth-modules)
.PHONY: synth-modules
synth-modules: synth-check
	@echo "1 passed, 0 failed"

synth-report: $(BUILD)/tools/lint.stamp $(NPM_DIR)/stamp ## the same for `default` (minutes)
	@tools/param_hash.sh default
	@$(SYNTH) --out $(BUILD)/synth/default $(call rtl_sources,default)

# EQUAL='tma_a tma_b=Name,Name': of the latter those parameters of one bit have both values.
.PHONY: equal
equal: $(NPM_DIR)/stamp ## prove that modules do what they did: SINCE=COMMIT EQUAL='MODULE MODULE=PARAMETER,.. ..'
	$(if $(and $(SINCE),$(EQUAL)),,$(error equal: wants SINCE=COMMIT EQUAL='MODULE MODULE=PARAMETER,.. ..'))
	@$(PYTHON) tools/synth/equal.py --npm $(NPM_DIR) --out $(BUILD)/equal --since '$(SINCE)' $(EQUAL:%=--top %) \
		$(RTL_HEADERS:%=--header %) $(call rtl_sources,default)
