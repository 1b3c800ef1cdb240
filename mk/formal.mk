# SPDX-License-Identifier: Apache-2.0
# Proofs: hw_tests/formal/proofs.toml lists them.

.PHONY: formal test-formal

TEST_TARGETS    += test-formal
REGRESS_TARGETS += formal

SOLVER_DIR := $(BUILD)/solver

$(SOLVER_DIR)/stamp: hw_tests/formal/requirements.txt
	@python3 -m venv $(SOLVER_DIR)
	$(SOLVER_DIR)/bin/pip install -q --disable-pip-version-check --require-hashes -r $< </dev/null
	@touch $@

# Of any configuration: each proof has its own.
FORMAL_SOURCES = --harness hw_tests/formal $(RTL_HEADERS:%=--header %) $(filter-out rtl/pkg/tma_cfg_%,$(call rtl_sources,small)) $(RTL_AXI64)

formal: $(BUILD)/tools/formal.stamp $(NPM_DIR)/stamp $(SOLVER_DIR)/stamp ## prove AXI rules, FIFOs, turns, credits, guards, mbarriers, swizzle; refute their mutants
	@$(PYTHON) hw_tests/formal/prove.py --npm $(NPM_DIR) --solver $(SOLVER_DIR)/bin --jobs 2 \
		--out $(BUILD)/formal $(FORMAL_SOURCES)

# The proofs themselves are a part of the regression.
test-formal: $(BUILD)/tools/test.stamp ## every harness of a proof finds in the RTL what it looks at
	@$(PYTHON) hw_tests/formal/lint.py --jobs $(JOBS) $(FORMAL_SOURCES)
