/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measurements of tensor copies, as those of bulk copies. The map is cached before they start, but for
 * the launch without it; one that is fetched in a stream fails the row. What the boxes should leave in
 * memory is the C model's word.
 */
#include <stdlib.h>
#include <string.h>

#include "tile.h"

#define BARRIER   0u
#define IN_FLIGHT 160u /* loads that may be under way at once, at least */
#define COUNT     1024u
#define LARGE     128u   /* operations where one is of BATCH bytes */
#define BATCH     65536u /* bytes that the barrier is told of at a time */

static const struct bench_tile *tile_of(const struct bench_case *c)
{
	return &bench_tiles[c->argument & 0xFFFF];
}

/* Stage of the case with its map in memory, and in the engine if `warm`. NULL: the row has failed. */
static struct stage *open_tile(const struct bench_case *c, struct bench_row *row, uint32_t stalls,
                               uint32_t half, bool warm)
{
	struct stage_options options = { .stall_percent = stalls };
	struct stage *s = stage_open(c, &options, row);

	if (s && (!tile_map(s, tile_of(c), half) || (!half && !tile_ground(s, tile_of(c))) ||
	          (warm && !tile_warm(s)))) {
		stage_close(s, row);
		row->failed = true;
		return NULL;
	}
	return s;
}

static uint32_t slots_of(const struct stage *s, uint32_t step)
{
	return s->rotate / step ? s->rotate / step : 1;
}

static int64_t load(struct stage *s, const struct bench_tile *t, uint32_t i, uint32_t to, uint16_t mask)
{
	struct tma_command c = tile_command(t, TMA_TENSOR_LOAD, i);

	c.shared_dst = to;
	c.barrier = BARRIER;
	c.flags = mask ? TMA_FLAG_MULTICAST : 0;
	c.cta_mask = mask;
	return rig_submit(s->rig, 0, &c);
}

/* argument: tile, bit 16: the map is not cached. */
void bench_tile_launch(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = open_tile(c, row, 0, 0, !(c->argument >> 16));

	if (!s)
		return;
	stage_init(s, 0, BARRIER, 1);
	row->failed = !stage_drain(s);
	stage_accept(s, 0, (uint32_t)load(s, tile_of(c), 0, STAGE_SMEM, 0));
	row->failed |=
		!stage_drain(s) || rig_faulted(s->rig, 0) || !tile_loaded(s, tile_of(c), 1, c->bytes, 1, 0);
	row->count = 1;
	row->cycles = s->first_ar - s->accept;
	stage_close(s, row);
}

/* Cycles from accept to done of one load: a tile, or the bulk load of as many bytes. */
static uint64_t one_load(const struct bench_case *c, struct bench_row *row, bool bulk)
{
	struct stage *s = open_tile(c, row, 0, 0, true);
	uint64_t done = 0;

	if (!s)
		return 0;
	stage_init(s, 0, BARRIER, 1);
	stage_arrive(s, 0, BARRIER, c->bytes);
	row->failed |= !stage_drain(s);
	if (bulk) {
		stage_accept(s, 0, rig_accepted(s->rig, 0));
		stage_load(s, 0, 0, STAGE_SMEM, c->bytes, BARRIER, 0);
	} else {
		stage_accept(s, 0, (uint32_t)load(s, tile_of(c), 0, STAGE_SMEM, 0));
	}
	row->failed |= rig_wait_phase(s->rig, 0, BARRIER, 1, 100000, &done) != 0;
	row->failed |= bulk ? !stage_same(s, 0, STAGE_SMEM, s->memory, c->bytes)
	                    : !tile_loaded(s, tile_of(c), 1, c->bytes, 1, 0);
	done -= s->accept;
	stage_close(s, row);
	return done;
}

/* The latency of a dense tile over that of the bulk load of the same bytes. */
void bench_tile_beyond_bulk(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	uint64_t tile = one_load(c, row, false), bulk = one_load(c, row, true);

	row->count = 1;
	row->cycles = tile > bulk ? tile - bulk : 0;
}

/* Queued loads of a stream, with the barrier told of a batch at a time, of large boxes some late. */
static void submit_loads(struct stage *s, const struct bench_tile *t, uint32_t n, uint32_t bytes,
                         uint32_t late)
{
	uint32_t rearm = bytes >= BATCH ? 2 : BATCH / bytes, step = tile_step(t, bytes);
	uint32_t slots = slots_of(s, step);

	rearm = rearm < n ? rearm : n;
	stage_watch(s, 0, BARRIER, rearm * bytes);
	for (uint32_t i = 0; i < n; i++) {
		if (i >= late && (i - late) % rearm == 0)
			stage_expect(s, 0, BARRIER, (late || n - i > rearm ? rearm : n - i) * bytes);
		int64_t at = load(s, t, i, STAGE_SMEM + i % slots * step, 0);

		if (!i)
			stage_accept(s, 0, (uint32_t)at);
	}
}

/* The same boxes again, as many as shared memory holds at a time: nothing overlaps, every byte is compared. */
static void verify(const struct bench_case *c, struct bench_row *row, const struct bench_tile *t, uint32_t n)
{
	struct stage *s = open_tile(c, row, 0, 0, true);
	uint32_t step = tile_step(t, c->bytes), slots, batch;

	if (!s)
		return;
	slots = slots_of(s, step);
	stage_init(s, 0, BARRIER, 1);
	for (uint32_t i = 0; i < n && !row->failed; i += batch) {
		batch = n - i < slots ? n - i : slots;
		stage_expect(s, 0, BARRIER, batch * c->bytes);
		for (uint32_t k = i; k < i + batch; k++)
			load(s, t, k, STAGE_SMEM + k % slots * step, 0);
		row->failed |= !stage_drain(s) || rig_faulted(s->rig, 0) ||
		               !tile_loaded(s, t, i + batch, c->bytes, slots, 0);
	}
	stage_close(s, row);
}

/* argument: tile, third byte stall percent. The share is that of what the boxes need at least: beats,
 * lines of shared memory or rows, as the tile says. */
void bench_tile_loads(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = open_tile(c, row, c->argument >> 16 & 255, 0, true);
	const struct bench_tile *t = tile_of(c);
	uint32_t n = c->bytes >= BATCH ? LARGE : COUNT, late = stage_late(c->bytes);
	uint64_t beats, map_beats;
	double counted; /* operations whose data came in between the first and the last done */

	if (!s)
		return;
	stage_init(s, 0, BARRIER, 1);
	row->failed = !stage_drain(s);
	map_beats = s->map_beats;
	submit_loads(s, t, n, c->bytes, late);
	row->failed |= !stage_drain(s);
	if (late)
		stage_expect(s, 0, BARRIER, late * c->bytes);
	row->failed |= !stage_drain(s) || s->tx != 0 || rig_faulted(s->rig, 0) || s->map_beats != map_beats;
	beats = s->r_beats - map_beats;
	row->failed |= t->beats && beats != (uint64_t)n * t->beats;
	/* As of bulk loads: data of the next ones that came in before the first was done is not counted. */
	counted = (double)(s->r_beats - s->beats_before) / (double)beats * n;
	row->count = n;
	row->cycles = s->last_done - s->first_done;
	if (t->bound) {
		/* Lines that no beat fills are written long before the data of their box comes: here the time
		 * counts from the first ARVALID on, the latency of the memory included. */
		counted = n;
		row->cycles = s->last_done - s->first_ar;
	}
	row->share = counted * (t->bound ? t->bound : t->beats) / (double)row->cycles;
	row->bytes_per_cycle = counted * c->bytes / (double)row->cycles;
	row->failed |= !tile_loaded(s, t, n, c->bytes, slots_of(s, tile_step(t, c->bytes)), IN_FLIGHT);
	stage_close(s, row);
	verify(c, row, t, n);
}

/* Loads of 64 bytes of queue 1, each behind the other, while queue 0 loads boxes without data as fast as it goes:
 * the slowest one, from its accept to its barrier. */
void bench_beside_fill(const struct bench_case *c, struct bench_rows *rows)
{
	enum { BOXES = 512, LOADS = 16, THERE = 1 << 24 };
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = open_tile(c, row, 0, 0, true);
	const struct bench_tile *t = tile_of(c);
	uint32_t step = tile_step(t, c->bytes);
	uint64_t done = 0;

	if (!s)
		return;
	stage_init(s, 0, BARRIER, 1);
	stage_init(s, 1, THERE | BARRIER, 1);
	row->failed = !stage_drain(s);
	for (uint32_t i = 0; i < BOXES; i++) {
		stage_expect(s, 0, BARRIER, c->bytes);
		load(s, t, i, STAGE_SMEM + i % slots_of(s, step) * step, 0);
	}
	for (uint32_t i = 0; i < LOADS && !row->failed; i++) {
		stage_arrive(s, 1, THERE | BARRIER, 64);
		s->accept = 0;
		stage_accept(s, 1,
		             (uint32_t)stage_do(s, 1, TMA_BULK_LOAD, .global_address = STAGE_BASE + 64 * i,
		                                .shared_dst = THERE | (STAGE_SMEM + 64 * i), .size = 64,
		                                .barrier = THERE | BARRIER));
		row->failed |= rig_wait_phase(s->rig, 1, BARRIER, (i + 1) % 2, 100000, &done) != 0;
		row->cycles = done - s->accept > row->cycles ? done - s->accept : row->cycles;
	}
	/* There were boxes to the end. */
	row->failed |= rig_accepted(s->rig, 0) >= 2 * BOXES || !stage_drain(s) || rig_faulted(s->rig, 0);
	row->failed |= !stage_same(s, 1, STAGE_SMEM, s->memory, 64 * LOADS);
	row->count = 1;
	stage_close(s, row);
}

/* argument: tile, third byte stall percent. */
void bench_tile_stores(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = open_tile(c, row, c->argument >> 16 & 255, STAGE_HALF, true);
	const struct bench_tile *t = tile_of(c);
	uint32_t n = COUNT, step = tile_step(t, c->bytes), slots;
	uint8_t *before;

	if (!s)
		return;
	slots = slots_of(s, step);
	before = malloc(STAGE_HALF);
	row->failed = !before;
	if (before)
		memcpy(before, s->memory + STAGE_HALF, STAGE_HALF);
	rig_smem_write(s->rig, 0, STAGE_SMEM, s->memory, slots * step);
	for (uint32_t i = 0; i < n; i++) {
		struct tma_command store = tile_command(t, TMA_TENSOR_STORE, i);

		store.shared_dst = STAGE_SMEM + i % slots * step;
		stage_submit(s, 0, store);
	}
	stage_wait_stores(s, 0);
	row->failed |= rig_wait_records(s->rig, 0, 1, 4000000) != 0 || !stage_drain(s);
	row->failed |= rig_faulted(s->rig, 0) || (t->beats && s->w_beats != (uint64_t)n * t->beats);
	/* Each burst is answered; the data of those behind the first answer is counted. */
	row->count = n;
	row->cycles = s->last_b - s->first_b;
	row->share = (double)s->w_beats * (double)(s->bursts - 1) / (double)s->bursts / (double)row->cycles;
	row->bytes_per_cycle = row->share * c->bytes * n / (double)s->w_beats;
	row->failed |= before && !tile_stored(s, t, n, step, slots, before, s->memory, slots * step);
	free(before);
	stage_close(s, row);
}

/* argument: tile, third byte CTAs. The extra cycles over one destination are the row's. */
void bench_tile_multicast(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	const struct bench_tile *t = tile_of(c);
	uint64_t took[2] = { 0, 0 };
	uint32_t n = 16, step = tile_step(t, c->bytes);

	row->count = n;
	for (int many = 0; many < 2; many++) {
		struct stage *s = open_tile(c, row, 0, 0, true);
		uint32_t ctas = many ? c->argument >> 16 : 1, slots;
		uint64_t last = 0;
		uint8_t *got;

		if (!s)
			return;
		slots = slots_of(s, step);
		for (uint32_t r = 0; r < ctas; r++) {
			stage_init(s, r, r << 24 | BARRIER, 1);
			stage_arrive(s, r, r << 24 | BARRIER, n * c->bytes);
		}
		row->failed |= !stage_drain(s);
		for (uint32_t i = 0; i < n; i++) {
			int64_t at =
				load(s, t, i, STAGE_SMEM + i % slots * step, (uint16_t)((1u << ctas) - 1));

			if (!i)
				stage_accept(s, 0, (uint32_t)at);
		}
		for (uint32_t r = 0; r < ctas; r++)
			rig_smem_poll(s->rig, r, BARRIER);
		row->failed |= !stage_drain(s);
		/* All buffers of the first CTA are right, and those of the others are the same. */
		got = malloc(slots * step);
		row->failed |= !got || !tile_loaded(s, t, n, c->bytes, slots, 0) ||
		               rig_smem_read(s->rig, 0, STAGE_SMEM, got, (n < slots ? n : slots) * step) != 0;
		for (uint32_t r = 0; got && r < ctas; r++) {
			struct rig_polled polled = rig_smem_polled(s->rig, r);

			row->failed |= !polled.valid || !(polled.value >> 61 & 1);
			last = polled.since > last ? polled.since : last;
			row->failed |= !stage_same(s, r, STAGE_SMEM, got, (n < slots ? n : slots) * step);
		}
		free(got);
		took[many] = last - s->accept;
		stage_close(s, row);
	}
	row->cycles = took[1] > took[0] ? took[1] - took[0] : 0;
}

/* Prefetches: the share of read beats between the first and the last. */
void bench_tile_prefetch(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = open_tile(c, row, 0, 0, true);
	const struct bench_tile *t = tile_of(c);
	uint64_t map_beats;

	if (!s)
		return;
	map_beats = s->map_beats;
	s->r_beats = 0;
	for (uint32_t i = 0; i < COUNT; i++)
		stage_submit(s, 0, tile_command(t, TMA_TENSOR_PREFETCH, i));
	row->failed = !stage_drain(s) || rig_faulted(s->rig, 0) || s->map_beats != map_beats ||
	              s->r_beats != (uint64_t)COUNT * t->beats;
	row->count = COUNT;
	row->cycles = s->last_beat - s->first_beat + 1;
	row->bytes_per_cycle = (double)c->bytes * COUNT / (double)row->cycles;
	row->share = (double)s->r_beats / (double)row->cycles;
	stage_close(s, row);
}
