# SPDX-License-Identifier: Apache-2.0
# The engine in other people's designs: file lists, FuseSoC's core, Bender's manifest, each with the real tool.

FUSESOC_VENV   := $(BUILD)/fusesoc
BENDER_VERSION := 0.32.1
BENDER_DIR     := $(BUILD)/bender
# One that is installed, or what `make bender` has built.
BENDER          = $(firstword $(wildcard $(BENDER_DIR)/bin/bender) $(shell command -v bender 2>/dev/null))

REGRESS_TARGETS += test-integration

$(FUSESOC_VENV)/stamp: hw_tests/integration/requirements.txt
	@$(PYTHON) -m venv $(FUSESOC_VENV)
	$(FUSESOC_VENV)/bin/pip install -q --disable-pip-version-check -r $< </dev/null
	@touch $@

# Minutes: a deep regression builds it, if cargo is there; any other one takes it if it is there.
$(BENDER_DIR)/bin/bender:
	cargo install bender --version $(BENDER_VERSION) --locked --no-default-features --root $(BENDER_DIR) -j $(JOBS) </dev/null

.PHONY: bender test-integration
bender: $(BENDER_DIR)/bin/bender ## build Bender by cargo, for test-integration (minutes)

test-integration: $(BUILD)/tools/test.stamp $(FUSESOC_VENV)/stamp $(if $(DEEP),$(if $(shell command -v cargo),$(BENDER_DIR)/bin/bender)) ## build the engine by file list, FuseSoC, Bender
	@$(PYTHON) hw_tests/integration/check.py --out $(BUILD)/integration --fusesoc $(FUSESOC_VENV)/bin/fusesoc \
		$(addprefix --bender ,$(BENDER))
