# SPDX-License-Identifier: Apache-2.0
# The tensor map library: its unit tests, the driver's recorded answers among them, and its fuzz target.

MAP_SRCS  := $(sort $(wildcard sw_model/src/map_*.c))
MAP_TESTS := $(sort $(wildcard sw_model/tests/map_*.c))
MAP_VEC   := $(sort $(wildcard hw_tests/lib/vec*.c)) hw_tests/lib/map_answer.c
MAP_OBJ   := $(BUILD)/map

TEST_TARGETS    += test-map fuzz-map
REGRESS_TARGETS += fuzz-map-long

$(MAP_OBJ)/%.o: sw_model/tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(MAP_OBJ)/lib/%.o: hw_tests/lib/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# mk/model.mk, which names the model's library, is read later.
$(BUILD)/test_map: $(MAP_TESTS:sw_model/tests/%.c=$(MAP_OBJ)/%.o) $(MAP_VEC:hw_tests/lib/%.c=$(MAP_OBJ)/lib/%.o) \
		$(BUILD)/libtma_model.a
	$(CC) $(CFLAGS) -o $@ $^ -llzma -lcmocka

MAP_FUZZ_FLAGS := -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined
MAP_FUZZ_DEPS  := hw_tests/fuzz/fuzz_map.c $(MAP_SRCS) sw_model/src/map_priv.h sw_model/include/tma_map.h hw_tests/lib/rng.h hw_tests/fuzz/fuzz_main.h

$(BUILD)/fuzz_map: $(MAP_FUZZ_DEPS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(MAP_FUZZ_FLAGS) -DFUZZ_STANDALONE -o $@ $(filter %.c,$^)

$(BUILD)/fuzz_map_libfuzzer: $(MAP_FUZZ_DEPS)
	@mkdir -p $(@D)
	clang $(CFLAGS) $(MAP_FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $(filter %.c,$^)

.PHONY: test-map fuzz-map fuzz-map-long fuzz-map-libfuzzer

test-map: $(BUILD)/test_map ## unit tests of the tensor map library, with the CUDA driver's answers
	$(BUILD)/test_map

fuzz-map: $(BUILD)/fuzz_map ## random tensor maps and encoder calls under sanitizers, a short run
	$(BUILD)/fuzz_map --seed $(SEED) --seconds 5

fuzz-map-long: $(BUILD)/fuzz_map
	$(BUILD)/fuzz_map --seed $(SEED) --seconds 60

# Guided by coverage, for as long as one likes. Needs clang with its compiler-rt.
fuzz-map-libfuzzer: $(BUILD)/fuzz_map_libfuzzer ## the same under libFuzzer
	@mkdir -p $(BUILD)/fuzz/map
	$(BUILD)/fuzz_map_libfuzzer -max_len=512 -max_total_time=$(or $(FUZZ_SECONDS),600) $(BUILD)/fuzz/map

-include $(wildcard $(MAP_OBJ)/*.d $(MAP_OBJ)/lib/*.d)
