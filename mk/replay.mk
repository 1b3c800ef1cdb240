# SPDX-License-Identifier: Apache-2.0
# Vectors, recorded and documented: their reader, the replay on model and RTL, and the tests of both.

REPLAY_OBJ     := $(BUILD)/replay
REPLAY_VECTORS := $(sort $(wildcard hw_tests/vectors/*.vec.xz hw_tests/vectors/*.mbr.xz))
REPLAY_SEED    ?= $(SEED)
# No engine sees encodings of maps: they are compared with the encoder, by test-map too.
REPLAY_RUN     := $(filter-out %/encode.vec.xz,$(REPLAY_VECTORS))
# Few, and some features have no other: whole on all but `max`, where `default` has not found already what they find.
REPLAY_WHOLE   := $(patsubst %,hw_tests/vectors/%.vec.xz,documented rtx5080 sm100)

VEC_SRCS    := $(sort $(wildcard hw_tests/lib/vec*.c))
VEC_OBJS    := $(VEC_SRCS:hw_tests/lib/%.c=$(REPLAY_OBJ)/lib/%.o)
REPLAY_SRCS := $(sort $(wildcard hw_tests/replay/*.c))
# What a test of the replay on the model needs: no simulator.
REPLAY_CORE := $(filter-out hw_tests/replay/main.c hw_tests/replay/backend_rtl.c,$(REPLAY_SRCS))

# mk/sim.mk, which names these, is read later.
REPLAY_RIG := $(BUILD)/libtma_rig.a $(BUILD)/sim/libtma_sim.a

# One record of so many in the short form: `max` is slow, and finds what `default` has not found already
# in a fraction of them. Another seed takes others; the long form takes all.
REPLAY_EVERY_small   := 1
REPLAY_EVERY_default := 2
REPLAY_EVERY_max     := 60
REPLAY_WHOLE_max     := --every 3
REPLAY_RTL           := $(addprefix replay-rtl-,$(or $(SIM_CONFIGS),$(RTL_CONFIGS)))

TEST_TARGETS    += test-vec test-replay test-replay-cli fuzz-vec replay-model $(TEST_CONFIGS:%=replay-rtl-%)
REGRESS_TARGETS += fuzz-vec-long replay-seeds

$(REPLAY_OBJ)/%.o: hw_tests/replay/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(REPLAY_OBJ)/lib/%.o: hw_tests/lib/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(REPLAY_OBJ)/unit/%.o: hw_tests/replay/test/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(REPLAY_OBJ)/unit/%.o: hw_tests/lib/test/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tma_replay: $(REPLAY_SRCS:hw_tests/replay/%.c=$(REPLAY_OBJ)/%.o) $(VEC_OBJS) $(REPLAY_OBJ)/lib/map_answer.o $(BUILD)/libtma_cli.a $(MODEL_LIB) $(REPLAY_RIG)
	$(CC) $(CFLAGS) -o $@ $^ $(RIG_LDLIBS) -llzma

VEC_TESTS    := $(BUILD)/test_vec $(BUILD)/test_vec_rules
REPLAY_TESTS := $(patsubst hw_tests/replay/test/%_test.c,$(BUILD)/test_%,$(sort $(wildcard hw_tests/replay/test/replay*_test.c)))

$(VEC_TESTS): $(BUILD)/test_%: $(REPLAY_OBJ)/unit/%_test.o $(REPLAY_OBJ)/unit/vec_image.o $(VEC_OBJS)
	$(CC) $(CFLAGS) -o $@ $^ -llzma -lcmocka

$(REPLAY_TESTS): $(BUILD)/test_%: $(REPLAY_OBJ)/unit/%_test.o $(REPLAY_OBJ)/unit/replay_fixture.o $(VEC_OBJS) $(REPLAY_OBJ)/lib/map_answer.o \
		$(REPLAY_CORE:hw_tests/replay/%.c=$(REPLAY_OBJ)/%.o) $(MODEL_LIB)
	$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(MODEL_LIB) -llzma -lcmocka

VEC_FUZZ_FLAGS := -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined

$(BUILD)/fuzz_vec: hw_tests/fuzz/fuzz_vec.c $(VEC_SRCS) $(wildcard hw_tests/lib/vec*.h) hw_tests/lib/rng.h hw_tests/fuzz/fuzz_main.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(VEC_FUZZ_FLAGS) -DFUZZ_STANDALONE -o $@ $(filter %.c,$^) -llzma

$(BUILD)/fuzz_vec_libfuzzer: hw_tests/fuzz/fuzz_vec.c $(VEC_SRCS) $(wildcard hw_tests/lib/vec*.h)
	@mkdir -p $(@D)
	clang $(CFLAGS) $(VEC_FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $(filter %.c,$^) -llzma

.PHONY: test-vec test-replay test-replay-cli fuzz-vec fuzz-vec-long fuzz-vec-libfuzzer replay-model replay-rtl $(REPLAY_RTL) replay-seeds

test-vec: $(VEC_TESTS) ## unit tests of the vector reader; the vectors that are not recorded by us are fresh
	python3 hw_tests/vectors/examples.py --check
	$(BUILD)/test_vec
	$(BUILD)/test_vec_rules

test-replay: $(REPLAY_TESTS) ## tests that the replay sees every kind of difference
	for t in $^; do $$t || exit 1; done

test-replay-cli: $(BUILD)/tma_replay ## wrong options and files
	hw_tests/replay/test_cli.sh $(BUILD)/tma_replay

fuzz-vec: $(BUILD)/fuzz_vec ## damaged vector files under sanitizers, a short run
	$(BUILD)/fuzz_vec --seed $(SEED) --seconds 5 $(REPLAY_VECTORS)

fuzz-vec-long: $(BUILD)/fuzz_vec
	$(BUILD)/fuzz_vec --seed $(SEED) --seconds 60 $(REPLAY_VECTORS)

# Guided by coverage, for as long as one likes. Needs clang with its compiler-rt.
fuzz-vec-libfuzzer: $(BUILD)/fuzz_vec_libfuzzer ## the same under libFuzzer
	@mkdir -p $(BUILD)/fuzz/vec
	$(BUILD)/fuzz_vec_libfuzzer -max_len=16384 -max_total_time=$(or $(FUZZ_SECONDS),600) $(BUILD)/fuzz/vec

replay-model: $(BUILD)/tma_replay ## the recorded vectors on the C model, all configurations; on `default` with late copies too
	for c in $(RTL_CONFIGS); do \
		$(BUILD)/tma_replay --backend model --config $$c --seed $(REPLAY_SEED) $(REPLAY_RUN) || exit 1; \
	done
	$(BUILD)/tma_replay --backend late --config default --seed $(REPLAY_SEED) $(REPLAY_RUN)

# The configurations are suites of their own: they run side by side, and each has its time logged.
replay-rtl: $(REPLAY_RTL) ## the recorded vectors on the RTL: all on `small`, shares on the others

$(REPLAY_RTL): replay-rtl-%: $(BUILD)/tma_replay
	$(BUILD)/tma_replay --backend rtl --config $* --seed $(REPLAY_SEED) --every $(REPLAY_EVERY_$*) \
		$(filter-out $(REPLAY_WHOLE),$(REPLAY_RUN))
	$(BUILD)/tma_replay --backend rtl --config $* --seed $(REPLAY_SEED) $(REPLAY_WHOLE_$*) $(REPLAY_WHOLE)

# All records on every configuration, on the quick ones again and again.
replay-seeds: $(BUILD)/tma_replay
	for s in 1 2 3; do for c in small default; do \
		$(BUILD)/tma_replay --backend rtl --config $$c --seed $$s $(REPLAY_RUN) || exit 1; \
	done; done
	$(BUILD)/tma_replay --backend rtl --config max --seed $(REPLAY_SEED) $(REPLAY_RUN)

-include $(wildcard $(REPLAY_OBJ)/*.d $(REPLAY_OBJ)/lib/*.d $(REPLAY_OBJ)/unit/*.d)
