# SPDX-License-Identifier: Apache-2.0
# Tools of the machine: one stamp per group, so that a demo installs no more than a demo needs.

TOOL_GROUPS := lib demo test lint formal fpga all

$(TOOL_GROUPS:%=$(BUILD)/tools/%.stamp): $(BUILD)/tools/%.stamp: tools/install.sh
	@mkdir -p $(@D)
	@bash tools/install.sh $* </dev/null
	@touch $@

# The synthesis tools come from npm, pinned by a lock file that names no registry.
NPM_DIR := $(BUILD)/npm

$(NPM_DIR)/stamp: tools/synth/package.json tools/synth/package-lock.json tools/synth/.npmrc
	@mkdir -p $(NPM_DIR)
	@cp tools/synth/package.json tools/synth/package-lock.json tools/synth/.npmrc $(NPM_DIR)
	cd $(NPM_DIR) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null
	@touch $@
