/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the rig's tests on the real engine, in every configuration, without and with stalls. */
#include <stdio.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "engine/rig_bench.h"
#include "engine/stalls.h"
#include "tma_map.h"

#define MAX_TESTS 32u

void bench_open_queue(struct bench *b, const struct where *w, struct rig_queue setup)
{
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	uint32_t i;

	b->rig = rig_open(w->config, &w->opts);
	assert_non_null(b->rig);
	for (i = 0; i < SIZE; i++)
		b->memory[i] = (uint8_t)(i ^ i >> 8);
	assert_int_equal(rig_map(b->rig, 0, BASE, SIZE, b->memory), 0);
	setup.windows = &window;
	setup.num_windows = 1;
	setup.stream = 0x5A;
	assert_int_equal(rig_queue_setup(b->rig, 1, &setup), 0);
}

void bench_open(struct bench *b, const struct where *w)
{
	bench_open_queue(b, w, (struct rig_queue){ 0 });
}

void bench_put_map(struct bench *b, uint32_t at, uint32_t tensor, const uint64_t dim[2], uint64_t stride,
                   const uint32_t box[2])
{
	struct tma_map_error error;
	struct tma_map map;

	assert_int_equal(tma_map_encode_tiled(&map, TMA_MAP_SM_100, TMA_MAP_TYPE_U8, 2, BASE + tensor, dim,
	                                      &stride, box, (const uint32_t[]){ 1, 1 }, TMA_INTERLEAVE_NONE,
	                                      TMA_SWIZZLE_NONE, TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO,
	                                      &error),
	                 0);
	memcpy(b->memory + at, map.word, sizeof(map.word));
}

void bench_close(struct bench *b, int failures)
{
	assert_int_equal(rig_failed(b->rig), failures);
	assert_int_equal(rig_close(b->rig), 0);
}

void bench_submit(struct bench *b, struct tma_command c)
{
	c.version = TMA_COMMAND_VERSION;
	assert_true(rig_submit(b->rig, 1, &c) >= 0);
}

/* Every test on one kind of rig. Returns the number of those that failed. */
static int run(const char *what, const struct CMUnitTest *tests, uint32_t count, struct where *w)
{
	struct CMUnitTest here[MAX_TESTS];
	char name[48];
	uint32_t i;

	snprintf(name, sizeof(name), "%s_%s%s", what, w->config, w->opts.stall_percent ? "_stalls" : "");
	for (i = 0; i < count; i++) {
		here[i] = tests[i];
		here[i].initial_state = w;
	}
	return _cmocka_run_group_tests(name, here, count, NULL, NULL);
}

static int run_all(struct where w)
{
	return run("rig", rig_tests, num_rig_tests, &w) + run("ring", ring_tests, num_ring_tests, &w) +
	       run("recovery", recovery_tests, num_recovery_tests, &w) +
	       run("group", group_tests, num_group_tests, &w) +
	       run("order", order_tests, num_order_tests, &w);
}

int main(void)
{
	static const struct rig_opts steady = { .size = sizeof(steady) };
	static const struct rig_opts stalls = STALLS(11, 30);
	const char *const *config;
	int failed = 0;

	/* The rig reports on stderr: whole lines of both, or the report cannot be counted. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (config = tma_sim_configs(); *config; config++) {
		failed += run_all((struct where){ *config, steady });
		failed += run_all((struct where){ *config, stalls });
	}
	return failed != 0;
}
