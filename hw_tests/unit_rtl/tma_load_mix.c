/* SPDX-License-Identifier: Apache-2.0 */
/* Random tensor copies among everything else. */
#include <stdbool.h>
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_load_env.h"

#define CHUNK       ENV_CHUNK
#define PAGE_CHUNKS (ENV_PAGE / CHUNK)
#define LINE_CHUNKS 8u /* of 128 bytes, in which a swizzle moves chunks */
#define LIMIT       200000u

static bool padded(enum load_format format)
{
	return format == LOAD_PAD_4 || format == LOAD_PAD_6;
}

/* How many positions of a level there are that a row can be read from. */
static uint64_t extent(const struct env_level *l)
{
	int64_t most = l->start + ((int64_t)l->count - 1) * l->step;

	most = most < (int64_t)l->last ? most : (int64_t)l->last;
	return most > 0 ? (uint64_t)(most * l->stride) : 0;
}

static struct env_tensor random_tensor(struct env *e, uint32_t *rows)
{
	struct env_tensor t = { 0 };
	uint32_t i, levels = rng_below(&e->rng, ENV_LEVELS + 1);

	t.layout.format = (enum load_format)rng_below(&e->rng, e->info->packed ? 4 : 2);
	t.layout.swizzle = (enum load_swizzle)rng_below(&e->rng, LOAD_SWIZZLES);
	if (padded(t.layout.format)) {
		t.chunks = t.layout.format == LOAD_PAD_4 ? 4 : 6;
		if (t.layout.swizzle != LOAD_ATOM_32 && t.layout.swizzle != LOAD_ATOM_64)
			t.layout.swizzle = rng_below(&e->rng, 2) ? LOAD_XOR_128 : LOAD_SWIZZLE_OFF;
		t.pitch = LINE_CHUNKS;
	} else {
		t.layout.nan = rng_below(&e->rng, 2);
		t.head = rng_percent(&e->rng, 30) ? rng_below(&e->rng, 12) : 0;
		t.tail = rng_percent(&e->rng, 30) ? rng_below(&e->rng, 12) : 0;
		t.chunks = 1 + rng_below(&e->rng, rng_percent(&e->rng, 5)    ? 300
		                                  : rng_percent(&e->rng, 50) ? 8
		                                                             : 30);
		if (rng_percent(&e->rng, 10)) {
			t.tail += t.head + t.chunks;
			t.head = t.chunks = 0;
		}
		t.odd = t.chunks && rng_percent(&e->rng, 30) ? rng_below(&e->rng, 4) * 4 : 0;
		t.pitch = t.head + t.chunks + t.tail + (rng_percent(&e->rng, 50) ? 0 : rng_below(&e->rng, 5));
	}
	t.outside = rng_percent(&e->rng, 5);
	for (i = 0, *rows = 1; i < levels; i++) {
		struct env_level *l = &t.level[i];

		l->count = 1 + rng_below(&e->rng, 4);
		l->step = 1 + rng_below(&e->rng, 8);
		l->start = (int64_t)rng_below(&e->rng, 8) - (rng_percent(&e->rng, 30) ? 8 : 0);
		l->last = rng_below(&e->rng, 30);
		l->stride = rng_below(&e->rng, 12);
		*rows *= l->count;
	}
	if (levels == 1 && rng_percent(&e->rng, 20)) {
		t.halo = 1 + rng_below(&e->rng, 6);
		t.level[0].count = 128 + t.halo;
		t.level[0].last = rng_below(&e->rng, 200);
		t.level[0].step = 1;
		if (!padded(t.layout.format)) {
			t.head = t.tail = 0;
			t.chunks = t.pitch = 4 + 4 * rng_below(&e->rng, 2);
		}
		*rows = 128 + 4 * t.halo;
	}
	return t;
}

static void random_walk(struct env *e, uint32_t *next, uint32_t error_percent)
{
	uint32_t room = e->info->smem_bytes / CHUNK, rows, size, from, span, i, dst;
	struct env_tensor t = random_tensor(e, &rows);
	uint64_t most = t.chunks;

	if (rng_percent(&e->rng, 5)) {
		t.fault = 0x60 + rng_below(&e->rng, 16);
		t.address = rng_next(&e->rng);
	}
	for (i = 0; i < ENV_LEVELS; i++)
		most += t.level[i].count ? extent(&t.level[i]) : 0;
	/* Pages 40 to 51 are sound. */
	from = rng_percent(&e->rng, error_percent) ? 0 : 40 * PAGE_CHUNKS;
	span = from ? 12 * PAGE_CHUNKS : ENV_PAGES * PAGE_CHUNKS;
	if (most >= span)
		return;
	t.offset = (from + rng_below(&e->rng, span - (uint32_t)most)) * CHUNK;
	size = rows * t.pitch + LINE_CHUNKS;
	*next = (*next + LINE_CHUNKS - 1) / LINE_CHUNKS * LINE_CHUNKS;
	dst = rng_percent(&e->rng, 10) ? 0 : 1 + rng_below(&e->rng, env_all_ctas(e));
	if (*next + size > room)
		return;
	t.saddr = *next + (padded(t.layout.format) || t.halo ? 0 : rng_below(&e->rng, LINE_CHUNKS));
	env_tensor(e, rng_below(&e->rng, e->info->queues), &t, dst);
	*next += dst ? (size + LINE_CHUNKS - 1) / LINE_CHUNKS * LINE_CHUNKS : 0;
}

static void random_mix(struct env *e, uint32_t commands, uint32_t error_percent)
{
	uint32_t next = 0, i, offset, chunks, dst;

	for (i = 0; i < commands; i++) {
		uint32_t queue = rng_below(&e->rng, e->info->queues);

		offset = rng_percent(&e->rng, error_percent) ? rng_below(&e->rng, ENV_PAGES - 1) : 40 + i % 8;
		offset = offset * ENV_PAGE + rng_below(&e->rng, PAGE_CHUNKS) * CHUNK;
		switch (rng_below(&e->rng, 8)) {
		case 0:
			chunks = 1 + rng_below(&e->rng, rng_percent(&e->rng, 10) ? 200 : 12);
			dst = rng_below(&e->rng, env_all_ctas(e) + 1);
			if (next + chunks > e->info->smem_bytes / CHUNK)
				break;
			env_command(e, queue, offset, chunks, next, dst);
			next += dst ? chunks : 0;
			break;
		case 1:
			env_cp(e, queue, offset, 16, 16 - i % 8, i * 16 % e->info->smem_bytes,
			       i % e->info->ctas);
			break;
		case 2:
			env_map(e, queue, offset / 64 - offset / 64 % 2, 1 + i % 2, i % 3 == 0);
			break;
		case 3:
			env_fetch(e, queue, offset / 64 - offset / 64 % 2, 1 + i % 2);
			break;
		default:
			random_walk(e, &next, error_percent);
			break;
		}
	}
}

/* Ways in which everything stalls: seed, latency, random latency, and in percent stalls of memory, commands,
 * writes, signals, faults, fetches, beats for the ring, chunks, arrivals, tensor copies, walks. */
static const struct env_opts env_styles[ENV_STYLES] = {
	{ 0, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ 0, 4, 60, 30, 20, 20, 40, 80, 50, 20, 40, 50, 30, 30 },
	{ 0, 100, 10, 5, 0, 60, 0, 20, 90, 0, 85, 0, 0, 80 },
	{ 0, 1, 0, 60, 0, 0, 90, 95, 0, 0, 0, 90, 0, 0 },
};

void env_open_style(struct env *e, uint32_t style, uint64_t seed)
{
	struct env_opts opts = env_styles[style];

	opts.seed = seed;
	env_open_random(e, &opts);
}

void env_dead_rounds(uint64_t seed, void (*traffic)(struct env *e, uint32_t commands, uint32_t error_percent),
                     uint32_t most, uint32_t faults)
{
	uint32_t dead = 0;
	struct env e;

	for (uint32_t round = 0; round < 60; round++) {
		env_open_style(&e, round % ENV_STYLES, seed + round);
		traffic(&e, 60, 5);
		env_steps(&e, 1 + rng_below(&e.rng, most));
		env_kill(&e, round % 3 == 0);
		env_drain(&e, LIMIT);
		/* And so does what comes later. */
		traffic(&e, 40, 5);
		env_drain(&e, LIMIT);
		dead += e.faults;
		env_close(&e);
	}
	assert_true(dead > faults);
}

TEST(walk_dead_port)
{
	env_dead_rounds(160, random_mix, 400, 1000);
}

TEST(walk_random)
{
	struct env e;

	for (uint32_t i = 0; i < ENV_STYLES; i++) {
		env_open_style(&e, i, 60 + i);
		for (uint32_t round = 0; round < 60; round++) {
			random_mix(&e, 150, round % 3 * 10);
			env_drain(&e, LIMIT);
		}
		assert_true(e.signals > 500 && e.faults > 40);
		env_close(&e);
	}
}
