# SPDX-License-Identifier: Apache-2.0
# Tests of the tools that judge everything else.

.PHONY: test-runner test-synth

TEST_TARGETS    += test-runner
REGRESS_TARGETS += test-synth

test-runner: ## the test runner on suites that fail in every way
	@$(PYTHON) tools/test_run_tests.py $(BUILD)/test_runner

test-synth: $(NPM_DIR)/stamp ## the synthesis check on designs that it has to refuse
	@$(PYTHON) tools/synth/test_check.py $(NPM_DIR) $(BUILD)/synth_test
