# SPDX-License-Identifier: Apache-2.0
# PTX text: its tests, the table of ptxas' verdicts among them, its fuzz target, and the page of its syntax.

PTX_TESTS := $(sort $(wildcard host/tests/ptx_*.c))
PTX_OBJ   := $(BUILD)/ptx

TEST_TARGETS    += test-ptx fuzz-ptx
REGRESS_TARGETS += fuzz-ptx-long

$(PTX_OBJ)/%.o: host/tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/ptx -MMD -MP -c -o $@ $<

# mk/map.mk has the reader of the vectors.
$(BUILD)/test_ptx: $(PTX_TESTS:host/tests/%.c=$(PTX_OBJ)/%.o) $(MAP_VEC:hw_tests/lib/%.c=$(MAP_OBJ)/lib/%.o) $(HOST_LIBS)
	$(CC) $(CFLAGS) -o $@ $^ -llzma -lcmocka

# The page of the syntax, by the tables that the parser reads; mk/gen.mk writes and compares it.
$(PTX_OBJ)/page.o: host/ptx/page/page.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/ptx -MMD -MP -c -o $@ $<

$(BUILD)/ptx_page: $(PTX_OBJ)/page.o $(BUILD)/libtma_cli.a $(HOST_LIBS)
	$(CC) $(CFLAGS) -o $@ $^

.PHONY: test-ptx

# One with a comma where PTX has a point, whatever is installed.
PTX_LOCALE := $(BUILD)/locale/de_DE.UTF-8

$(PTX_LOCALE): | $(BUILD)/tools/test.stamp
	@mkdir -p $(@D)
	localedef -i de_DE -f UTF-8 $@

test-ptx: $(BUILD)/test_ptx $(BUILD)/tma $(PTX_LOCALE) ## PTX text: what ptxas accepts, errors, texts of commands, `tma check`
	LOCPATH=$(abspath $(dir $(PTX_LOCALE))) $(BUILD)/test_ptx
	host/tests/check_test.sh $(BUILD)/tma

PTX_FUZZ_DEPS := hw_tests/fuzz/fuzz_ptx.c $(PTX_SRCS) host/src/command.c host/src/command_tensor.c host/ptx/ptx.h host/include/tma_ptx.h \
	hw_tests/lib/rng.h hw_tests/fuzz/fuzz_main.h

$(BUILD)/fuzz_ptx: $(PTX_FUZZ_DEPS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(MAP_FUZZ_FLAGS) -DFUZZ_STANDALONE -o $@ $(filter %.c,$^)

$(BUILD)/fuzz_ptx_libfuzzer: $(PTX_FUZZ_DEPS)
	@mkdir -p $(@D)
	clang $(CFLAGS) $(MAP_FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $(filter %.c,$^)

.PHONY: fuzz-ptx fuzz-ptx-long fuzz-ptx-libfuzzer

fuzz-ptx: $(BUILD)/fuzz_ptx ## random PTX text and commands under sanitizers, a short run
	$(BUILD)/fuzz_ptx --seed $(SEED) --seconds 5

fuzz-ptx-long: $(BUILD)/fuzz_ptx
	$(BUILD)/fuzz_ptx --seed $(SEED) --seconds 60

# Guided by coverage, for as long as one likes. Needs clang with its compiler-rt.
fuzz-ptx-libfuzzer: $(BUILD)/fuzz_ptx_libfuzzer ## the same under libFuzzer
	@mkdir -p $(BUILD)/fuzz/ptx
	$(BUILD)/fuzz_ptx_libfuzzer -max_len=600 -max_total_time=$(or $(FUZZ_SECONDS),600) $(BUILD)/fuzz/ptx

-include $(wildcard $(PTX_OBJ)/*.d)
