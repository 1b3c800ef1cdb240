# SPDX-License-Identifier: Apache-2.0
# Broken RTL that the tests have to notice: hw_tests/mutants/README.md.

REGRESS_TARGETS += mutants

MUTANTS       := $(PYTHON) hw_tests/mutants/run.py --make "$(MAKE) SEED=1" --scratch $(BUILD)/mutants
# Small units, so that this is over soon.
MUTANTS_QUICK := cmd_queue_disabled_pick guard_window_end groups_write_counts_reads

.PHONY: mutants mutants-quick

mutants: $(BUILD)/tools/test.stamp ## break the RTL in many places, each of which a test has to notice (minutes)
	@$(MUTANTS) --jobs $(JOBS) --modules 10

mutants-quick: $(BUILD)/tools/test.stamp ## three of them, about a minute
	@$(MUTANTS) --jobs $(JOBS) $(MUTANTS_QUICK)
