# SPDX-License-Identifier: Apache-2.0
# The C model: its library, its tests, its fuzz target.

MODEL_LIB    := $(BUILD)/libtma_model.a
MODEL_OBJ    := $(BUILD)/model
MODEL_SRCS   := $(sort $(wildcard sw_model/src/*.c))
# fault_*.c: programs that the engine's fault test runs as well.
MODEL_TESTS  := $(sort $(notdir $(wildcard sw_model/tests/model_*.c hw_tests/engine/fault_*.c)))
MODEL_FUZZ   := hw_tests/fuzz/fuzz_model.c hw_tests/fuzz/fuzz_tensor.c hw_tests/fuzz/fuzz_world.c

TEST_TARGETS    += test-model fuzz-model
REGRESS_TARGETS += fuzz-model-long

$(MODEL_OBJ)/%.o: sw_model/src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(MODEL_LIB): $(MODEL_SRCS:sw_model/src/%.c=$(MODEL_OBJ)/%.o)
	rm -f $@
	$(AR) rcs $@ $^

$(MODEL_OBJ)/unit/%.o: sw_model/tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(MODEL_OBJ)/unit/%.o: hw_tests/engine/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

# The tests let allocations fail, see model_memory_limits.c.
MODEL_WRAP := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

$(BUILD)/test_model: $(MODEL_TESTS:%.c=$(MODEL_OBJ)/unit/%.o) $(MODEL_LIB)
	$(CC) $(CFLAGS) $(MODEL_WRAP) $^ -lcmocka -o $@

# Arithmetic of reductions, against MPFR.
REDUCE_TEST := $(addprefix $(MODEL_OBJ)/unit/,reduce_test.o reduce_ref.o reduce_draw.o)

$(REDUCE_TEST): CFLAGS += -Isw_model/src

$(BUILD)/test_reduce: $(REDUCE_TEST) $(MODEL_LIB)
	$(CC) $(CFLAGS) $^ -lcmocka -lmpfr -lgmp -o $@

TEST_TARGETS    += test-reduce
REDUCE_ALL      := reduce-all-f16 reduce-all-bf16
REGRESS_TARGETS += $(REDUCE_ALL)

.PHONY: test-reduce $(REDUCE_ALL)

test-reduce: $(BUILD)/test_reduce ## arithmetic of reductions against MPFR
	$(BUILD)/test_reduce

# All 2^32 pairs of operands.
$(REDUCE_ALL): reduce-all-%: $(BUILD)/test_reduce
	$(BUILD)/test_reduce --all $*

# The sanitizers need their own objects of the model, so the fuzzers are built from source.
FUZZ_FLAGS := -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined

$(BUILD)/fuzz_model: $(MODEL_FUZZ) $(wildcard hw_tests/fuzz/*.h) $(MODEL_SRCS) $(wildcard sw_model/src/*.h) $(wildcard sw_model/include/*.h)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(FUZZ_FLAGS) -DFUZZ_STANDALONE $(MODEL_FUZZ) $(MODEL_SRCS) -o $@

$(BUILD)/fuzz_model_libfuzzer: $(MODEL_FUZZ) $(wildcard hw_tests/fuzz/*.h) $(MODEL_SRCS) $(wildcard sw_model/src/*.h) $(wildcard sw_model/include/*.h)
	@mkdir -p $(@D)
	clang $(CFLAGS) $(FUZZ_FLAGS) -fsanitize=fuzzer $(MODEL_FUZZ) $(MODEL_SRCS) -o $@

.PHONY: test-model fuzz-model fuzz-model-long fuzz-model-libfuzzer

test-model: $(BUILD)/test_model ## unit tests of the C model
	$(BUILD)/test_model

# As long whatever the machine; SEED=N starts elsewhere, and replays what a failure has printed.
fuzz-model: $(BUILD)/fuzz_model ## random commands on the C model under sanitizers, a short run
	$(BUILD)/fuzz_model --seed $(SEED) --seconds 8

fuzz-model-long: $(BUILD)/fuzz_model
	$(BUILD)/fuzz_model --seed $(SEED) --seconds 120

# Guided by coverage, for as long as one likes. Needs clang with its compiler-rt.
fuzz-model-libfuzzer: $(BUILD)/fuzz_model_libfuzzer ## the same under libFuzzer
	@mkdir -p $(BUILD)/fuzz/model
	$(BUILD)/fuzz_model_libfuzzer -max_len=4096 -max_total_time=$(or $(FUZZ_SECONDS),600) $(BUILD)/fuzz/model

-include $(wildcard $(MODEL_OBJ)/*.d $(MODEL_OBJ)/unit/*.d)
