# SPDX-License-Identifier: Apache-2.0
# The host library's tests with threads, and all that they use, under ThreadSanitizer.

THREADS_OBJ   := $(BUILD)/threads
THREADS_TESTS := $(addprefix host/tests/host_,main.c helpers.c staged.c threads.c turns.c)
# mk/host.mk, which names the sources, is read earlier. Lists of later fragments by their rules.
THREADS_SRCS  := $(HOST_SRCS) $(sort $(wildcard sw_model/src/*.c)) $(THREADS_TESTS)
THREADS_FLAGS := -fsanitize=thread -fno-sanitize-recover=all -DHOST_TEST_THREADS -Ihost/src

TEST_TARGETS += test-threads

$(THREADS_OBJ)/%.o: %.c Makefile mk/threads.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(THREADS_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/test_threads: $(THREADS_SRCS:%.c=$(THREADS_OBJ)/%.o)
	$(CC) $(CFLAGS) $(THREADS_FLAGS) $^ -lcmocka -o $@

.PHONY: test-threads

test-threads: $(BUILD)/test_threads ## threads on one device, and devices in threads, under ThreadSanitizer
	TSAN_OPTIONS=halt_on_error=1 $(BUILD)/test_threads

-include $(shell find $(THREADS_OBJ) -name '*.d' 2>/dev/null)
