# SPDX-License-Identifier: Apache-2.0
# What goes wrong in the engine: faults, dead ports, full rings; the table of fault codes; what seldom meets.

ENGINE_TEST_SRCS := engine_main engine_fault engine_faults engine_traffic engine_watchdog \
	engine_patience engine_errors engine_registers engine_corners engine_corner_commands fault_model fault_table fault_cases fault_ring fault_decode \
	fault_address fault_sync fault_map fault_access
ENGINE_TEST_OBJS := $(ENGINE_TEST_SRCS:%=$(BUILD)/rig/unit/%.o)

TEST_TARGETS    += test-faults test-ports test-corners
REGRESS_TARGETS += test-faults-all test-ports-all test-corners-all

$(BUILD)/test_engine: $(ENGINE_TEST_OBJS) $(RIG_LIBS) $(MODEL_LIB)
	$(CC) $(CFLAGS) -o $@ $^ $(RIG_LDLIBS) -lcmocka

.PHONY: test-faults test-faults-all test-ports test-ports-all test-corners test-corners-all

test-faults: $(BUILD)/test_engine ## every fault on model and RTL, and recovery; odd register accesses; prints the table
	$(BUILD)/test_engine --quick faults registers

# Every configuration, without and with stalls.
test-faults-all: $(BUILD)/test_engine
	$(BUILD)/test_engine faults registers

test-ports: $(BUILD)/test_engine ## ports that stop, watchdog, full rings, errors in mid traffic
	$(BUILD)/test_engine --quick watchdog patience errors

test-ports-all: $(BUILD)/test_engine
	$(BUILD)/test_engine watchdog patience errors

test-corners: $(BUILD)/test_engine ## queues that fill up, events that meet in one cycle
	$(BUILD)/test_engine --quick corners

test-corners-all: $(BUILD)/test_engine
	$(BUILD)/test_engine corners
