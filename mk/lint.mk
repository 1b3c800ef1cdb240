# SPDX-License-Identifier: Apache-2.0
# The quick checks of the sources as a suite of `make test`, so that nothing stale or unclean lands.

TEST_TARGETS += test-sources
LINT_TARGETS += size-check doc-check cxx-check

.PHONY: test-sources size-check doc-check
test-sources: verilator-lint gen-check size-check doc-check cxx-check ## lint of the RTL, generated files fresh, sizes, documents, headers
	@echo "5 passed, 0 failed"

size-check: ## files and modules against their limits of lines and ports
	@$(PYTHON) tools/lint/test_sizes.py --quiet
	@$(PYTHON) tools/lint/sizes.py

doc-check: ## documents: links, and functions of the library that they name or leave out
	@$(PYTHON) -B tools/lint/test_guide.py --quiet
	@$(PYTHON) -B tools/lint/guide.py
	@$(PYTHON) -B tools/lint/test_links.py --quiet
	@$(PYTHON) -B tools/lint/links.py
