# SPDX-License-Identifier: Apache-2.0
# The quick checks of the sources as a suite of `make test`, so that nothing stale or unclean lands.

TEST_TARGETS += test-sources
LINT_TARGETS += size-check

.PHONY: test-sources size-check
test-sources: verilator-lint gen-check size-check ## lint of the RTL, generated files fresh, sizes
	@echo "3 passed, 0 failed"

size-check: ## files and modules against their limits of lines and ports
	@$(PYTHON) tools/lint/test_sizes.py --quiet
	@$(PYTHON) tools/lint/sizes.py
