# SPDX-License-Identifier: Apache-2.0
# The quick checks of the sources as a suite of `make test`, so that nothing stale or unclean lands.

TEST_TARGETS += test-sources

.PHONY: test-sources
test-sources: verilator-lint gen-check ## lint of the RTL, generated files fresh
	@echo "2 passed, 0 failed"
