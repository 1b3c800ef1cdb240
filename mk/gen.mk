# SPDX-License-Identifier: Apache-2.0
# Files generated from rtl/spec, rtl/pkg, the table of cards, the public headers, the grammar of PTX, the list of proofs and the mutants: written by `make gen`,
# checked in, compared by `make gen-check`.

GEN_VENV   := $(BUILD)/venv
GEN_PYTHON := $(GEN_VENV)/bin/python -B
GEN_TREE   := $(BUILD)/gen

LINT_TARGETS += gen-check
TEST_TARGETS += gen-test

$(GEN_VENV)/gen.stamp: tools/gen/requirements.txt
	$(PYTHON) -m venv $(GEN_VENV)
	$(GEN_VENV)/bin/pip install -q --disable-pip-version-check -r tools/gen/requirements.txt </dev/null
	@touch $@

# What other build systems read of the RTL, by the lists of mk/rtl.mk.
GEN_CONFIGS = $(foreach c,$(RTL_CONFIGS),--config "$(c)=$(call rtl_sources,$(c))")
GEN_LISTS   = $(GEN_CONFIGS) --extra "axi64=$(RTL_AXI64)" --extra "example=$(RTL_EXAMPLE)" $(RTL_HEADERS:%=--header %)

.PHONY: gen gen-check gen-test

# The program of the last page is built of what the first lines write.
gen: $(GEN_VENV)/gen.stamp ## write the files that rtl/spec, the configurations, the public headers, the list of proofs and the mutants define
	@$(GEN_PYTHON) tools/gen/gen.py
	@$(GEN_PYTHON) tools/gen/regs.py
	@$(GEN_PYTHON) tools/gen/kernel.py
	@$(GEN_PYTHON) tools/gen/vitis.py
	@$(GEN_PYTHON) tools/gen/config.py
	@$(GEN_PYTHON) tools/gen/api.py
	@$(GEN_PYTHON) tools/gen/lists.py $(GEN_LISTS)
	@$(GEN_PYTHON) tools/gen/ports.py $(GEN_CONFIGS)
	@$(GEN_PYTHON) tools/gen/proofs.py
	@$(GEN_PYTHON) tools/gen/mutants.py
	@$(MAKE) --no-print-directory $(BUILD)/ptx_page
	@$(BUILD)/ptx_page docs/semantics.md docs/gen/ptx-syntax.md

gen-check: $(GEN_VENV)/gen.stamp $(BUILD)/ptx_page ## fail where a generated file is stale
	@rm -rf $(GEN_TREE)
	@$(GEN_PYTHON) tools/gen/gen.py --out $(GEN_TREE)
	@$(GEN_PYTHON) tools/gen/regs.py --out $(GEN_TREE)
	@$(GEN_PYTHON) tools/gen/kernel.py --out $(GEN_TREE)
	@$(GEN_PYTHON) tools/gen/vitis.py --out $(GEN_TREE)
	@$(GEN_PYTHON) tools/gen/config.py --out $(GEN_TREE)
	@$(GEN_PYTHON) tools/gen/api.py --out $(GEN_TREE)
	@$(GEN_PYTHON) tools/gen/lists.py --out $(GEN_TREE) $(GEN_LISTS)
	@$(GEN_PYTHON) tools/gen/ports.py --out $(GEN_TREE) $(GEN_CONFIGS)
	@$(GEN_PYTHON) tools/gen/proofs.py --out $(GEN_TREE)
	@$(GEN_PYTHON) tools/gen/mutants.py --out $(GEN_TREE)
	@$(BUILD)/ptx_page docs/semantics.md $(GEN_TREE)/docs/gen/ptx-syntax.md
	@$(GEN_PYTHON) tools/gen/compare.py $(GEN_TREE)

gen-test: $(GEN_VENV)/gen.stamp ## the generators' own errors, and SystemVerilog against C
	@$(GEN_PYTHON) tools/gen/test_gen.py
	@$(GEN_PYTHON) tools/gen/test_lists.py
