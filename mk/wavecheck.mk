# SPDX-License-Identifier: Apache-2.0
# wavecheck: the waveform of a run against the C model. The reader of waveforms is Verilator's own.

WAVE_DIR  := $(BUILD)/wavecheck.d
WAVE_SRCS := $(filter-out hw_tests/wavecheck/fst_corrupt.c,$(wildcard hw_tests/wavecheck/*.c))
WAVE_OBJS := $(WAVE_SRCS:hw_tests/wavecheck/%.c=$(WAVE_DIR)/%.o)
WAVE_FST  := $(WAVE_DIR)/fstapi.o $(WAVE_DIR)/lz4.o $(WAVE_DIR)/fastlz.o
# Asked for by a rule, not here: Verilator may not be there yet when this is read.
wave_gtk   = $(sim_root)/include/gtkwave

$(WAVE_FST): $(WAVE_DIR)/%.o:
	@mkdir -p $(@D)
	$(CC) -O2 -g -w '-DFST_CONFIG_INCLUDE="fst_config.h"' -I$(wave_gtk) -c -o $@ $(wave_gtk)/$*.c

$(WAVE_DIR)/%.o: hw_tests/wavecheck/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -isystem $(wave_gtk) -MMD -MP -c -o $@ $<

$(BUILD)/wavecheck: $(WAVE_OBJS) $(WAVE_FST) $(BUILD)/libtma_cli.a $(BUILD)/libtma_model.a
	$(CC) $(CFLAGS) -o $@ $^ -lz -lpthread

$(BUILD)/fst_corrupt: $(WAVE_DIR)/fst_corrupt.o $(WAVE_FST)
	$(CC) $(CFLAGS) -o $@ $^ -lz -lpthread

$(WAVE_DIR)/unit/%.o: hw_tests/wavecheck/test/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

WAVE_TEST := $(addprefix $(WAVE_DIR)/unit/,wavecheck_tool.o wavecheck_run.o wavecheck_rings.o wavecheck_tensor.o \
	wavecheck_modes.o wavecheck_reduce.o)

WAVE_TESTS := $(BUILD)/test_wavecheck $(patsubst %,$(BUILD)/test_wavecheck_%,ring tensor modes reduce)

$(WAVE_TESTS): $(BUILD)/test_%: $(WAVE_DIR)/unit/%_test.o $(WAVE_TEST) $(RIG_LIBS) $(BUILD)/libtma_model.a
	$(CC) $(CFLAGS) -o $@ $^ $(RIG_LDLIBS) -lcmocka

# Runs of sweep.list: random programs that showed, each in its own way, what wavecheck did not know, those without
# reductions before it knew these; and some more. Those of sweep_long.list: many more.
TEST_TARGETS    += test-wavecheck
WAVE_REGRESS    := wavecheck-regress-small wavecheck-regress-default
REGRESS_TARGETS += wavecheck-regress $(WAVE_REGRESS)
.PHONY: test-wavecheck wavecheck-regress $(WAVE_REGRESS)

test-wavecheck: $(WAVE_TESTS) $(CROSS) $(BUILD)/wavecheck $(BUILD)/fst_corrupt ## good dumps are accepted, wrong ones are caught
	for t in $(WAVE_TESTS); do \
		WAVECHECK=$(BUILD)/wavecheck FST_CORRUPT=$(BUILD)/fst_corrupt $$t || exit 1; done
	@set -e; while read run; do hw_tests/wavecheck/sweep.sh $(BUILD) $$run; done <hw_tests/wavecheck/sweep.list

# mk/crosscheck.mk is read before this.
wavecheck-regress: $(CROSS) $(BUILD)/wavecheck ## waveforms of many random programs with tensor copies and reductions against the model
	@set -e; while read run; do hw_tests/wavecheck/sweep.sh $(BUILD) $$run; done <hw_tests/wavecheck/sweep_long.list

$(WAVE_REGRESS): wavecheck-regress-%: $(CROSS) $(BUILD)/wavecheck
	@hw_tests/wavecheck/sweep.sh $(BUILD) $* $(SEED) $(if $(DEEP),100,50)

-include $(wildcard $(WAVE_DIR)/unit/*.d)
-include $(wildcard $(WAVE_DIR)/*.d)
