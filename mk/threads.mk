# SPDX-License-Identifier: Apache-2.0
# The host library's tests with threads, and all that they use, under ThreadSanitizer: on the model, and on the
# Verilated engine, which is built for it.

THREADS_OBJ   := $(BUILD)/threads
THREADS_TESTS := $(addprefix host/tests/host_,main.c helpers.c staged.c threads.c turns.c)
# mk/host.mk, which names the sources, is read earlier. Lists of later fragments by their rules.
THREADS_SRCS  := $(HOST_SRCS) $(PTX_SRCS) $(sort $(wildcard sw_model/src/*.c)) $(THREADS_TESTS)
THREADS_FLAGS := -fsanitize=thread -fno-sanitize-recover=all -DHOST_TEST_THREADS -Ihost/src

TEST_TARGETS    += test-threads
# Minutes, of which most is building an engine that is watched.
REGRESS_TARGETS += test-threads-rtl

$(THREADS_OBJ)/%.o: %.c Makefile mk/threads.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(THREADS_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/test_threads: $(THREADS_SRCS:%.c=$(THREADS_OBJ)/%.o)
	$(CC) $(CFLAGS) $(THREADS_FLAGS) $^ -lcmocka -o $@

$(THREADS_OBJ)/rtl/%.o: host/tests/%.c Makefile mk/threads.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -DHOST_TEST_RTL -DHOST_TEST_THREADS -Ihost/src -MMD -MP -c $< -o $@

$(BUILD)/test_threads_rtl: $(THREADS_TESTS:host/tests/%.c=$(THREADS_OBJ)/rtl/%.o) $(HOST_RTL_LIBS)
	$(CC) $(CFLAGS) $^ $(RIG_LDLIBS) -latomic -lcmocka -o $@

# All of it in a folder of its own, by the compiler that builds the simulator: two do not share one watcher.
THREADS_RTL  := $(BUILD)/threads_rtl
THREADS_MAKE  = $(MAKE_COMMAND) --no-print-directory -j$(JOBS) BUILD=$(THREADS_RTL) SIM_CONFIGS=small SIM_PROFILE= \
	CC='$(strip $(OBJCACHE) clang -fsanitize=thread)' CXX='$(strip $(OBJCACHE) clang++ -fsanitize=thread)' \
	SIM_CXX='$(strip $(OBJCACHE) clang++ -fsanitize=thread)' CFLAGS='$(filter-out -Werror,$(CFLAGS))'

.PHONY: test-threads test-threads-rtl

test-threads: $(BUILD)/test_threads ## threads on one device, and devices in threads, under ThreadSanitizer
	TSAN_OPTIONS=halt_on_error=1 $(BUILD)/test_threads

test-threads-rtl: ## the same on the Verilated engine `small`, which is watched too
	$(THREADS_MAKE) $(THREADS_RTL)/test_threads_rtl
	TSAN_OPTIONS='halt_on_error=1 suppressions=hw_tests/sim/tsan.supp' $(THREADS_RTL)/test_threads_rtl

-include $(shell find $(THREADS_OBJ) -name '*.d' 2>/dev/null)
