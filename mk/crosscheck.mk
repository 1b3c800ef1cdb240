# SPDX-License-Identifier: Apache-2.0
# Random programs on the RTL and on the C model.
#
# The programs of seed 1, always the same, and those of SEED, another one for each day and commit; a regression
# has those of SEED alone. The tool prints how to replay what fails.

CROSS_OBJ   := $(BUILD)/crosscheck
CROSS_SRCS  := $(sort $(wildcard hw_tests/crosscheck/*.c))
# What the self-test needs: no simulator.
CROSS_CORE  := $(filter-out %/main.c %/session.c %/shrink.c %/run_rtl.c %/run_rtl_setup.c %/run_acts.c %/run_death.c %/run_guest.c %/guest_look.c %/sm_rtl.c,\
	$(CROSS_SRCS))
CROSS       := $(BUILD)/tma_crosscheck
CROSS_TESTS := crosscheck crosscheck_barrier crosscheck_guest crosscheck_order crosscheck_ptx crosscheck_reduce crosscheck_rows crosscheck_all_reduce crosscheck_sm crosscheck_smem crosscheck_tensor

# A suite per configuration: they run side by side, and the costs of each are told.
TEST_TARGETS    += test-crosscheck $(TEST_CONFIGS:%=crosscheck-quick-%) crosscheck-ptx-quick
REGRESS_TARGETS += crosscheck-ptx $(filter-out $(if $(DEEP),,%-small),$(RTL_CONFIGS:%=crosscheck-regress-%))

$(CROSS_OBJ)/%.o: hw_tests/crosscheck/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(CROSS_OBJ)/unit/%.o: hw_tests/crosscheck/test/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# mk/sim.mk, which names the archives, is read later.
$(CROSS): $(CROSS_SRCS:hw_tests/crosscheck/%.c=$(CROSS_OBJ)/%.o) $(BUILD)/libtma_cli.a $(BUILD)/libtma_rig.a \
		$(BUILD)/sim/libtma_sim.a $(BUILD)/libtma_host.a $(BUILD)/libtma_model.a
	$(CC) $(CFLAGS) -o $@ $^ $(RIG_LDLIBS)

$(CROSS_TESTS:%=$(BUILD)/test_%): $(BUILD)/test_%: $(CROSS_OBJ)/unit/%_test.o \
		$(CROSS_CORE:hw_tests/crosscheck/%.c=$(CROSS_OBJ)/%.o) $(BUILD)/libtma_rig.a $(BUILD)/libtma_host.a $(BUILD)/libtma_model.a
	$(CC) $(CFLAGS) -o $@ $^ -lcmocka
# The test has registers of its own.
$(BUILD)/test_crosscheck_guest: $(CROSS_OBJ)/guest_look.o

.PHONY: test-crosscheck crosscheck-quick crosscheck-regress

test-crosscheck: $(CROSS_TESTS:%=$(BUILD)/test_%) ## tests that the cross-check sees every kind of difference
	for t in $^; do $$t || exit 1; done

# $(call crosscheck,SEEDS,CONFIG,PROGRAMS,WITH FAULTS,WITH TENSOR COPIES,WITH BOTH,OPTIONS)
crosscheck = for s in $(sort $(1)); do \
	$(CROSS) --config $(2) --programs $(3) --seed $$s $(7) && \
	$(CROSS) --config $(2) --programs $(4) --seed $$s --faults $(7) && \
	$(CROSS) --config $(2) --programs $(5) --seed $$s --tensor $(7) && \
	$(CROSS) --config $(2) --programs $(6) --seed $$s --tensor --faults $(7) || exit 1; done

CROSS_QUICK   := $(RTL_CONFIGS:%=crosscheck-quick-%)
CROSS_REGRESS := $(RTL_CONFIGS:%=crosscheck-regress-%)
.PHONY: $(CROSS_QUICK) $(CROSS_REGRESS)

# The configurations are targets of their own: make -j runs them side by side.
crosscheck-quick: $(CROSS_QUICK) ## random programs on RTL and model, a few minutes of processor

# The last one was called wrong: prefetches of its first run went on when its second one was set up.
crosscheck-quick-small: $(CROSS)
	$(call crosscheck,1 $(SEED),small,72,30,54,38)
	$(CROSS) --config small --programs 1 --first 536 --seed 28112026 --tensor --faults --reduce

crosscheck-quick-default: $(CROSS)
	$(call crosscheck,$(SEED),default,30,12,18,12)

crosscheck-quick-max: $(CROSS)
	$(call crosscheck,1 $(SEED),max,3,2,2,2)

# Programs of the day's seed. With DEEP=1 those of seed 1 as well, all of them with reductions: 20,000 in all, 2,000
# of `max`; what has none, other suites have. The programs of `small` are those of crosscheck-ptx, where a regression is not deep.
crosscheck-regress: $(CROSS_REGRESS)

DEEP_SEEDS = $(if $(DEEP),1 $(SEED),$(SEED))
crosscheck-deep = $(call crosscheck,$(DEEP_SEEDS),$(1),$(2),$(2),$(2),$(2),$(if $(DEEP),--reduce))

crosscheck-regress-small: $(CROSS)
	$(call crosscheck-deep,small,2500)

crosscheck-regress-default: $(CROSS)
	$(call crosscheck-deep,default,$(if $(DEEP),2500,500))

crosscheck-regress-max: $(CROSS)
	$(call crosscheck-deep,max,$(if $(DEEP),250,75))

# Programs of the day's seed, every command of which was PTX text in between.
.PHONY: crosscheck-ptx crosscheck-ptx-quick

crosscheck-ptx: $(CROSS) ## 10,000 random programs printed as PTX, parsed and run on RTL and model
	$(call crosscheck,$(SEED),small,2500,2500,2500,2500,--ptx)

crosscheck-ptx-quick: $(CROSS)
	$(call crosscheck,$(SEED),small,30,30,30,30,--ptx)

-include $(wildcard $(CROSS_OBJ)/*.d $(CROSS_OBJ)/unit/*.d)
