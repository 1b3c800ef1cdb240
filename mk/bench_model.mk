# SPDX-License-Identifier: Apache-2.0
# The speed of the C model, beside that of memcpy().

BENCH_MODEL_SRCS := $(sort $(wildcard sw_model/bench/*.c))
BENCH_MODEL_OBJS := $(BENCH_MODEL_SRCS:sw_model/bench/%.c=$(BUILD)/bench/model/%.o)

$(BUILD)/bench/model/%.o: sw_model/bench/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tma_bench_model: $(BENCH_MODEL_OBJS) $(BUILD)/libtma_cli.a $(BUILD)/libtma.a $(BUILD)/libtma_model.a
	$(CC) $(CFLAGS) -o $@ $^

# It measures time.
REGRESS_ALONE += bench-model

.PHONY: bench-model

bench-model: $(BUILD)/tma_bench_model ## the speed of the C model against memcpy, fail where it falls short
	$(BUILD)/tma_bench_model

-include $(BENCH_MODEL_OBJS:.o=.d)
