# SPDX-License-Identifier: Apache-2.0
# One command per question. `make help` lists them; every part adds its rules in mk/<part>.mk.

BUILD    := build
PYTHON   ?= python3
# Where ccache is, nothing is compiled twice: not in another clone, and not for each mutant. Verilator's
# own makefiles read the name too. A make that began before ccache was installed hands on an empty one.
ifeq ($(filter command%,$(origin OBJCACHE))$(OBJCACHE),)
OBJCACHE         := $(shell command -v ccache 2>/dev/null)
endif
CCACHE_BASEDIR   ?= $(CURDIR)
CCACHE_NOHASHDIR ?= 1
# What is precompiled, it takes with these alone; mk/cxx.mk.
CCACHE_SLOPPINESS ?= pch_defines,time_macros
CCACHE_PCH_EXTSUM ?= 1
export OBJCACHE CCACHE_BASEDIR CCACHE_NOHASHDIR CCACHE_SLOPPINESS CCACHE_PCH_EXTSUM
ifeq ($(origin CC),default)
CC       := $(strip $(OBJCACHE) gcc)
endif
CFLAGS   := -std=c11 -O2 -g -Wall -Wextra -Werror -Wshadow -Isw_model/include -Ihost/include -Ihw_tests -Ihost/cli
# Of what libraries are made of: their own names are not for programs.
LIB_CFLAGS := -fPIC -fvisibility=hidden
JOBS     ?= $(shell nproc 2>/dev/null || echo 2)
# Seconds that one suite may take, with all that it builds, before it counts as failed.
TEST_LIMIT    ?= 1200
REGRESS_LIMIT ?= 14400

# Of what is random: another one for each day and commit; SEED=N repeats a run.
ifndef SEED
SEED = $(eval SEED := $$(shell { date -u +%F; git rev-parse HEAD; } 2>/dev/null | cksum | cut -d' ' -f1))$(SEED)
endif
export SEED

# Each part adds its suites: a target that runs tests and prints cmocka's report or lines of the
# form `N passed, N failed`; a target that checks sources and is silent or says what is wrong.
TEST_TARGETS    :=
LINT_TARGETS    :=
REGRESS_TARGETS :=
# The longest go first, so that they do not end alone.
TEST_FIRST      := test-ports test-faults test-corners crosscheck-quick-small test-demo test-xrt test-sources test-tma_load \
	crosscheck-quick-default test-tma_store test-rig test-wavecheck
REGRESS_FIRST   := coverage netlist-word-default crosscheck-regress-default crosscheck-regress-max mutants wavecheck-regress-default

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# Shared lists first: a rule's prerequisites are read where it stands.
include mk/tools.mk mk/rtl.mk mk/cxx.mk
include $(sort $(filter-out mk/tools.mk mk/rtl.mk mk/cxx.mk,$(wildcard mk/*.mk)))

.PHONY: help tools test lint regress bench demo clean

help: ## list the targets
	@echo "usage: make TARGET [VARIABLE=VALUE]..."
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## /{printf "  %-20s %s\n", $$1, $$2}' $(sort $(MAKEFILE_LIST))
	@echo "tools, by their paths: build/tma_demo tma_replay tma_crosscheck tma_bench wavecheck; see README.md"
	@echo "variables: BUILD=build  JOBS=N  SIM_CONFIGS=\"small default max\"  FILE=, CONFIG= of demo  SEED=N of random tests"

tools: $(BUILD)/tools/all.stamp ## install what is missing on Debian 12 (apt-get), say what it is

# The rules below are parsed again after the installation, so that fragments may look for tools.
demo: $(BUILD)/tools/demo.stamp ## move a file (FILE=...) through the RTL and the model, compare them
	@$(MAKE) --no-print-directory -j$(JOBS) demo-run

# By MAKE_COMMAND the programs below run makes of their own: $(MAKE) would have `make -n` run them.
test: $(BUILD)/tools/test.stamp ## run every test, on all engines but the largest; the last line counts them
	@$(PYTHON) tools/run_tests.py --make "$(MAKE_COMMAND) SIM_CONFIGS='$(TEST_CONFIGS)'" --jobs $(JOBS) \
		--limit $(TEST_LIMIT) --logs $(BUILD)/test $(TEST_FIRST) $(filter-out $(TEST_FIRST),$(TEST_TARGETS))

regress: $(BUILD)/tools/all.stamp $(PROFILE) ## the long runs: random programs, mutants, proofs, more seeds, fuzzing; DEEP=1: more of them; goes on where it was stopped
	@$(PYTHON) tools/run_tests.py --make "$(MAKE_COMMAND) SIM_PROFILE=$(abspath $(PROFILE))" --jobs $(JOBS) \
		--limit $(REGRESS_LIMIT) --logs $(BUILD)/regress --journal $(BUILD)/regress/journal \
		--variables "$(DEEP) $(SIM_CONFIGS) $(filter-out SEED=% JOBS=%,$(MAKEOVERRIDES))" \
		$(REGRESS_ALONE:%=--alone %) $(REGRESS_FIRST) $(filter-out $(REGRESS_FIRST),$(REGRESS_TARGETS))

lint: $(BUILD)/tools/lint.stamp ## every check of the sources: Verilator, synthesis, generated files, format
	@$(MAKE) --no-print-directory -j$(JOBS) --output-sync=target lint-run
	@echo "lint: clean"

.PHONY: lint-run
lint-run: verilator-lint synth-check format-check $(LINT_TARGETS)

bench: $(BUILD)/tools/demo.stamp ## measure the performance contract on the RTL, fail where it falls short
	@$(MAKE) --no-print-directory -j$(JOBS) bench-run

clean: ## remove everything that was built
	rm -rf $(BUILD)
