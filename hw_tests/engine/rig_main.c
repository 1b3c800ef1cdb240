/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the rig's tests on the real engine, in every configuration, without and with stalls.
 *
 * usage: test_rig [--quick]
 *
 * --quick leaves out `max`, and of what is larger than `small` the runs without stalls, but for the waits at ports, of
 * which `small` has one alone.
 */
#include <stdio.h>
#include <string.h>

#include "engine/rig_bench.h"
#include "engine/stalls.h"
#include "tma_map.h"

struct suite {
	const char *name;
	int (*run)(const char *name, struct where *w);
};

static const struct suite wait_ports = { "wait_ports", wait_port_tests };
static const struct suite suites[] = {
	{ "rig", rig_tests },
	{ "ring", ring_tests },
	{ "recovery", recovery_tests },
	{ "group", group_tests },
	{ "order", order_tests },
	{ "progress", progress_tests },
	{ "isolation", isolation_tests },
	{ "wait", wait_tests },
	{ "pair", pair_tests },
	{ "reader", reader_tests },
	{ "contention", contention_tests },
};

const struct rig_queue small_ring = { .front = RIG_RING, .ring_log2 = 4, .completion_log2 = 4 };

void bench_open_queue(struct bench *b, const struct where *w, struct rig_queue setup)
{
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };

	b->rig = rig_open(w->config, &w->opts);
	assert_non_null(b->rig);
	b->failures = 0;
	for (uint32_t i = 0; i < SIZE; i++)
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

	assert_int_equal(tma_map_encode_tiled(&map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT8, 2, BASE + tensor, dim,
	                                      &stride, box, (const uint32_t[]){ 1, 1 },
	                                      TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_NONE,
	                                      TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error),
	                 0);
	memcpy(b->memory + at, map.word, sizeof(map.word));
}

void bench_close(struct bench *b)
{
	assert_int_equal(rig_failed(b->rig), b->failures);
	assert_int_equal(rig_close(b->rig), 0);
}

void bench_skip(struct bench *b)
{
	bench_close(b);
	skip();
}

void bench_wait_idle(struct bench *b)
{
	assert_int_equal(rig_wait_idle(b->rig, LIMIT), 0);
}

uint32_t bench_records(const struct bench *b)
{
	uint32_t n;

	rig_records(b->rig, 1, &n);
	return n;
}

void bench_submit(struct bench *b, struct tma_command c)
{
	c.version = TMA_COMMAND_VERSION;
	assert_true(rig_submit(b->rig, 1, &c) >= 0);
}

static int run(const struct suite *suite, struct where w)
{
	char name[48];

	snprintf(name, sizeof(name), "%s_%s%s", suite->name, w.config, w.opts.stall_percent ? "_stalls" : "");
	return suite->run(name, &w);
}

static int run_all(struct where w)
{
	int failed = run(&wait_ports, w);

	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		failed += run(&suites[i], w);
	return failed;
}

int main(int argc, char **argv)
{
	const bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
	static const struct rig_opts steady = { .size = sizeof(steady) };
	static const struct rig_opts stalls = STALLS(11, 30);
	const char *const *config;
	int failed = 0;

	if (argc > 1 && !quick) {
		fprintf(stderr, "usage: test_rig [--quick]\n");
		return 2;
	}
	/* The rig reports on stderr: whole lines of both, or the report cannot be counted. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (config = tma_sim_configs(); *config; config++) {
		if (quick && strcmp(*config, "max") == 0)
			continue;
		if (!quick || strcmp(*config, "small") == 0)
			failed += run_all((struct where){ *config, steady });
		else
			failed += run(&wait_ports, (struct where){ *config, steady });
		failed += run_all((struct where){ *config, stalls });
	}
	return failed != 0;
}
