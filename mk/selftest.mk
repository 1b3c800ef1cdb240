# SPDX-License-Identifier: Apache-2.0
# Tests of the tools that judge everything else.

.PHONY: test-runner test-synth test-area test-fasm

TEST_TARGETS    += test-runner test-area test-fasm
REGRESS_TARGETS += test-synth

test-runner: ## the test runner on suites that fail in every way
	@$(PYTHON) tools/test_run_tests.py $(BUILD)/test_runner

test-synth: $(NPM_DIR)/stamp ## the synthesis check on designs that it has to refuse, the proof that modules are equal, the mappings of fpga/
	@$(PYTHON) tools/synth/test_check.py $(NPM_DIR) $(BUILD)/synth_test
	@$(PYTHON) tools/synth/test_equal.py $(NPM_DIR) $(BUILD)/equal_test
	@$(PYTHON) fpga/tools/test_narrow_alu.py $(NPM_DIR) $(BUILD)/synth_test
	@$(PYTHON) fpga/tools/test_ram_address.py $(NPM_DIR) $(BUILD)/synth_test

test-area: ## the report of areas: units, longest paths, contract; netlists as Verilog; which tools are used; when a router is given up
	@fpga/tools/test_native.sh
	@$(PYTHON) tools/synth/test_area.py
	@$(PYTHON) tools/synth/test_netlist_verilog.py
	@$(PYTHON) fpga/tools/test_routing.py $(BUILD)/test_routing

test-fasm: ## what a bitstream of an Artix-7 is made of: each kind of line, and lines that are refused
	@$(PYTHON) fpga/tools/test_fasm_frames.py
