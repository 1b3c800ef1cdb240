# SPDX-License-Identifier: Apache-2.0
# The back end "serial": boards at the other end of a serial line, and what stands in for them.

STANDIN_DIR  := $(BUILD)/standin
STANDIN_OBJS := $(STANDIN_DIR)/board.o $(STANDIN_DIR)/line.o
SERIAL_TESTS := $(sort $(notdir $(wildcard host/tests/serial_*.c)))

TEST_TARGETS    += test-serial fuzz-serial test-serial-board
REGRESS_TARGETS += fuzz-serial-long test-serial-noise test-serial-board-whole test-serial-board-noise

$(STANDIN_DIR)/%.o: hw_tests/standin/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(STANDIN_DIR)/%.o: host/tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/src -MMD -MP -c $< -o $@

$(BUILD)/board_standin: $(STANDIN_DIR)/main.o $(STANDIN_OBJS) $(HOST_LIBS)
	$(CC) $(CFLAGS) $^ -pthread -o $@

$(BUILD)/test_serial: $(SERIAL_TESTS:%.c=$(STANDIN_DIR)/%.o) $(STANDIN_OBJS) $(HOST_LIBS)
	$(CC) $(CFLAGS) $^ -pthread -lcmocka -o $@

# The tests of the host library once more. The environment says where the board is.
$(HOST_OBJ)/unit_serial/%.o: host/tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/src -DHOST_TEST_SERIAL -MMD -MP -c $< -o $@

$(BUILD)/test_host_serial: $(HOST_TESTS:host/tests/%.c=$(HOST_OBJ)/unit_serial/%.o) $(HOST_LIBS)
	$(CC) $(CFLAGS) $^ -lcmocka -o $@

.PHONY: test-serial test-serial-noise test-serial-board test-serial-board-whole test-serial-board-noise

SERIAL_PROGRAMS := $(BUILD)/test_host_serial $(BUILD)/tma $(PROGRAMS:%=$(EXAMPLE_DIR)/%)

test-serial: $(BUILD)/test_serial $(BUILD)/board_standin $(SERIAL_PROGRAMS) ## the back end "serial" on a stand-in for a board: every fault of a line, tests of the host library, programs
	$(BUILD)/test_serial
	$(BUILD)/board_standin $(BUILD)/test_host_serial
	host/tests/serial_programs_test.sh $(BUILD) "$(PROGRAMS)"

# Copies of the model that complete late, on lines that are bad.
test-serial-noise: $(BUILD)/board_standin $(BUILD)/test_host_serial ## tests of the host library on bad lines
	for seed in 1 2 3; do $(BUILD)/board_standin --seed $$seed --lose 10 --flip 10 --twice 10 --doubled 5 --garbage 1 --least 1000 \
		$(BUILD)/test_host_serial || exit 1; done

# The RTL behind a pseudo-terminal: some thousand bytes in a second.
test-serial-board: $(BUILD)/tma_board_sim $(BUILD)/tma $(EXAMPLE_DIR)/cp_async $(EXAMPLE_DIR)/threads ## the same back end on the Verilated board: `tma`, a self-test, examples
	host/tests/serial_board_test.sh $(BUILD) quick cp_async threads

test-serial-board-whole: $(BUILD)/tma_board_sim $(SERIAL_PROGRAMS) ## the whole self-test, examples and all tests of the host library on it
	host/tests/serial_board_test.sh $(BUILD) whole $(PROGRAMS)

test-serial-board-noise: $(BUILD)/tma_board_sim $(SERIAL_PROGRAMS) ## the same on a bad line
	host/tests/serial_board_test.sh $(BUILD) noise $(PROGRAMS)

#
# Whatever a board may answer.
#

SERIAL_FUZZ_FLAGS := -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined -Ihost/src
SERIAL_FUZZ_DEPS  := hw_tests/fuzz/fuzz_serial.c host/src/backend_serial.c \
	$(patsubst %,host/src/serial_%.c,frame line memory options) \
	$(wildcard host/src/serial_*.h) host/include/tma_backend.h hw_tests/fuzz/fuzz_main.h hw_tests/lib/rng.h

$(BUILD)/fuzz_serial: $(SERIAL_FUZZ_DEPS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SERIAL_FUZZ_FLAGS) -DFUZZ_STANDALONE -o $@ $(filter %.c,$^)

$(BUILD)/fuzz_serial_libfuzzer: $(SERIAL_FUZZ_DEPS)
	@mkdir -p $(@D)
	clang $(CFLAGS) $(SERIAL_FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $(filter %.c,$^)

.PHONY: fuzz-serial fuzz-serial-long fuzz-serial-libfuzzer

fuzz-serial: $(BUILD)/fuzz_serial ## hostile boards under sanitizers, a short run
	$(BUILD)/fuzz_serial --seed $(SEED) --seconds 5

fuzz-serial-long: $(BUILD)/fuzz_serial
	$(BUILD)/fuzz_serial --seed $(SEED) --seconds 60

# Guided by coverage, for as long as one likes. Needs clang with its compiler-rt.
fuzz-serial-libfuzzer: $(BUILD)/fuzz_serial_libfuzzer ## the same under libFuzzer
	@mkdir -p $(BUILD)/fuzz/serial
	$(BUILD)/fuzz_serial_libfuzzer -max_len=4096 -max_total_time=$(or $(FUZZ_SECONDS),600) $(BUILD)/fuzz/serial

-include $(wildcard $(STANDIN_DIR)/*.d $(HOST_OBJ)/unit_serial/*.d)
