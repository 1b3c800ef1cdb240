# SPDX-License-Identifier: Apache-2.0
# The back end "serial": boards at the other end of a serial line, and what stands in for them.

STANDIN_DIR  := $(BUILD)/standin
STANDIN_OBJS := $(STANDIN_DIR)/board.o $(STANDIN_DIR)/line.o

$(STANDIN_DIR)/%.o: hw_tests/standin/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/board_standin: $(STANDIN_DIR)/main.o $(STANDIN_OBJS) $(BUILD)/libtma_host.a $(BUILD)/libtma_model.a
	$(CC) $(CFLAGS) $^ -pthread -o $@

-include $(wildcard $(STANDIN_DIR)/*.d)
