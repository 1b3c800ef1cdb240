# SPDX-License-Identifier: Apache-2.0
# Broken RTL that the tests have to notice: hw_tests/mutants/README.md.

TEST_TARGETS    += test-mutants
REGRESS_TARGETS += mutants

MUTANTS       := $(PYTHON) hw_tests/mutants/run.py --make "$(MAKE_COMMAND) SEED=1" --scratch $(BUILD)/mutants
# Small units, so that this is over soon.
MUTANTS_QUICK := cmd_queue_disabled_pick guard_window_end groups_write_counts_reads

# Operator changes that nobody chose: so many, drawn from this seed, against the suites of `make SUITES`;
# so many per cent of the live ones have to be noticed.
N           ?= 300
SUITES      ?= regress
BLIND_SEED  := $(if $(filter command%,$(origin SEED)),$(SEED),1)
BLIND_LEAST ?= 95

.PHONY: mutants mutants-quick mutants-system mutants-blind test-mutants

mutants: $(BUILD)/tools/test.stamp ## break the RTL in many places, each of which a test has to notice (minutes)
	@$(MUTANTS) --jobs $(JOBS) --modules 10

mutants-quick: $(BUILD)/tools/test.stamp ## three of them, about a minute
	@$(MUTANTS) --jobs $(JOBS) $(MUTANTS_QUICK)

mutants-system: $(BUILD)/tools/test.stamp ## those alone that a test of the whole engine has to notice
	@$(MUTANTS) --jobs $(JOBS) --system

mutants-blind: $(BUILD)/tools/test.stamp ## N=300 operator changes of SEED=1 against SUITES=test or regress: score, survivors (hours)
	@$(PYTHON) hw_tests/mutants/blind.py --make "$(MAKE_COMMAND) SEED=1" --scratch $(BUILD)/blind --jobs $(JOBS) \
		--number $(N) --seed $(BLIND_SEED) --suites $(SUITES) --least $(BLIND_LEAST)

test-mutants: ## that mutants become alternatives of one build, are noticed, or survive
	@$(PYTHON) hw_tests/mutants/test_switch.py $(BUILD)/test_mutants
