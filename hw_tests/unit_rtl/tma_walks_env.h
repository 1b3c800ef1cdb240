/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up and walkers of tensor copies under random commands, each row compared with the reference. */
#ifndef TMA_WALKS_ENV_H
#define TMA_WALKS_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "unit_rtl/tma_walks_ref.h"
#include "unit_rtl/unit_test.h"

enum { TILE, IM2COL, NO_OFFS, GATHER, SCATTER, W, W128, MAP_ONLY, MODES };

/* Walks of a direction that were accepted and are not over: in set-up, in its place, in the walker. */
#define FLIGHT 4u

struct flight {
	struct walks_setup_cmd cmd;
	struct walks_map_info map;
	struct ref ref;
};

struct bench {
	struct walks *unit;
	const struct unit_shape *info;
	struct walks_in *in;
	const struct walks_out *out;
	struct rng rng;
	struct tensor tensor;
	struct flight flight[2][FLIGHT];
	uint32_t head[2], tail[2], row[2]; /* flights, and the row of the first one */
	bool was_busy[2];
	uint64_t cycle, rows, commands, stopped, fill, odd, runs, outside, reduced[8];
	uint32_t faults[16];
	/* What is drawn. */
	uint32_t modes, ready, stop, wrong, most;
};

void bench_open(struct bench *b, uint64_t seed);
void bench_close(struct bench *b);

#define BENCH_TEST(name, ...) TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), bench_close(b))

/** A command and its map, into `in` and `tensor`. */
void bench_random_command(struct bench *b);

/** Returns whether the command was accepted in this cycle. */
bool bench_cycle(struct bench *b);

#endif
