# SPDX-License-Identifier: Apache-2.0
# The command line tools as their users meet them.

CLI_TOOLS := $(BUILD)/tma_replay $(BUILD)/tma_crosscheck $(BUILD)/tma_bench $(BUILD)/tma_demo $(BUILD)/wavecheck $(BUILD)/tma_bench_model \
	$(BUILD)/tensor_pictures

TEST_TARGETS += test-cli test-configs

.PHONY: test-cli test-configs
test-cli: $(CLI_TOOLS) ## help, wrong options and wrong files of every tool
	hw_tests/cli_test.sh $(BUILD)

test-configs: ## configurations that there are not
	hw_tests/config_test.sh "$(MAKE_COMMAND)"
