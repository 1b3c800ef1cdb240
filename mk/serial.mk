# SPDX-License-Identifier: Apache-2.0
# The back end "serial": boards at the other end of a serial line, and what stands in for them.

STANDIN_DIR  := $(BUILD)/standin
STANDIN_OBJS := $(STANDIN_DIR)/board.o $(STANDIN_DIR)/line.o
SERIAL_TESTS := $(sort $(notdir $(wildcard host/tests/serial_*.c)))

TEST_TARGETS += test-serial

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

.PHONY: test-serial

test-serial: $(BUILD)/test_serial ## the serial line to a board: frames, devices, faults of the line, on a stand-in
	$(BUILD)/test_serial

-include $(wildcard $(STANDIN_DIR)/*.d)
