# SPDX-License-Identifier: Apache-2.0
# The performance contract, measured on the RTL; that of the C model is in mk/bench_model.mk.

BENCH_SRCS := $(sort $(wildcard hw_tests/bench/*.c))
BENCH_OBJS := $(BENCH_SRCS:hw_tests/bench/%.c=$(BUILD)/bench/obj/%.o)
BENCH_CORE := $(filter-out %/main.o,$(BENCH_OBJS))
# mk/sim.mk, which names these, is read later.
BENCH_RIG  := $(BUILD)/libtma_rig.a $(BUILD)/sim/libtma_sim.a
# Options of tools, by mk/tool.mk.
BENCH_CLI  := $(BUILD)/libtma_cli.a
# The C model, which says what tensor copies leave in memory; named by mk/model.mk.
BENCH_MODEL := $(BUILD)/libtma_model.a

TEST_TARGETS    += test-bench bench-quick
REGRESS_TARGETS += bench-rows

$(BUILD)/bench/obj/%.o: hw_tests/bench/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -D_POSIX_C_SOURCE=200809L -MMD -MP -c -o $@ $<

$(BUILD)/tma_bench: $(BENCH_OBJS) $(BENCH_CLI) $(BENCH_RIG) $(BENCH_MODEL)
	$(CC) $(CFLAGS) -o $@ $^ $(RIG_LDLIBS)

$(BUILD)/test_bench: hw_tests/bench/test/bench_test.c $(BENCH_CORE) $(BENCH_CLI) $(BENCH_RIG) $(BENCH_MODEL)
	$(CC) $(CFLAGS) '-DBENCH_TEST_CSV="$(BUILD)/bench/test.csv"' -o $@ $^ $(RIG_LDLIBS) -lcmocka

.PHONY: bench-run bench-rows bench-quick test-bench

# mk/bench_model.mk, which names the second, is read later.
bench-run: $(BUILD)/tma_bench $(BUILD)/tma_bench_model
	@$(MAKE) --no-print-directory bench-rows
	@$(MAKE) --no-print-directory bench-model

bench-rows: $(BUILD)/tma_bench ## the performance contract of the engine, all rows
	@tools/param_hash.sh small default max
	$(BUILD)/tma_bench --csv $(BUILD)/bench/bench.csv --svg $(BUILD)/bench/bus_share.svg

bench-quick: $(BUILD)/tma_bench ## of every kind of row of the performance contract one that costs little
	$(BUILD)/tma_bench --quick

test-bench: $(BUILD)/test_bench ## unit tests of the bench's verdicts
	$(BUILD)/test_bench

-include $(BENCH_OBJS:.o=.d)
