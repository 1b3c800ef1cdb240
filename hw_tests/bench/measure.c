/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measurements. "Done" of a load or shared copy is when the external port shows the barrier's
 * tx-count without its bytes, of a store when its last burst is answered. Sustained rates run from the
 * first to the last done.
 */
#include <stdlib.h>
#include <string.h>

#include "stage.h"

#define BARRIER   0u
#define IN_FLIGHT 160u /* loads that may be under way at once, at least */

/* Operations of a stream: enough data that the start does not count. */
static uint32_t stream_count(uint32_t bytes)
{
	return bytes <= 4096 ? 2048 : 256;
}

/* Bytes that a stream's sources or destinations rotate over in global memory; never a multiple of what
 * shared memory rotates over, so that a wrong source shows. */
static uint32_t global_slots(uint32_t step)
{
	return ((STAGE_HALF - 65536) / step - 1) | 1;
}

static uint64_t global_slot(uint32_t i, uint32_t step)
{
	return (uint64_t)(i % global_slots(step)) * step;
}

static uint32_t shared_slot(const struct stage *s, uint32_t i, uint32_t step)
{
	uint32_t slots = s->rotate / step;

	return STAGE_SMEM + (slots ? i % slots : 0) * step;
}

static uint32_t slots_of(const struct stage *s, uint32_t step)
{
	uint32_t slots = s->rotate / step;

	return slots ? slots : 1;
}

static uint32_t beats(const struct stage *s, uint64_t address, uint32_t bytes)
{
	uint32_t line = rig_info(s->rig)->data_bytes;

	return (uint32_t)((address + bytes + line - 1) / line - address / line);
}

/* share and rate of @p row for @p n operations of @p bound cycles each behind the first. */
static void rate(struct bench_row *row, uint32_t n, uint64_t bound, uint64_t first, uint64_t last)
{
	row->count = n;
	row->cycles = last - first;
	row->bytes_per_cycle = row->cycles ? (double)row->bytes * (n - 1) / (double)row->cycles : 0;
	row->share = row->cycles ? (double)bound * (n - 1) / (double)row->cycles : 0;
}

/* argument: 1: through the ring. */
void bench_first_ar(const struct bench_case *c, struct bench_rows *rows)
{
	struct stage_options options = { .rings = c->argument };
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, &options, row);

	if (!s)
		return;
	stage_init(s, 0, BARRIER, 1);
	row->failed = !stage_drain(s);
	stage_accept(s, 0, 1);
	stage_load(s, 0, 0, STAGE_SMEM, c->bytes, BARRIER, 0);
	row->failed |= !stage_drain(s) || !stage_same(s, 0, STAGE_SMEM, s->memory, c->bytes);
	row->count = 1;
	row->cycles = s->first_ar - s->accept;
	stage_close(s, row);
}

/* argument: 1: through the ring. */
void bench_one_load(const struct bench_case *c, struct bench_rows *rows)
{
	struct stage_options options = { .rings = c->argument };
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, &options, row);
	uint64_t done = 0;

	if (!s)
		return;
	stage_init(s, 0, BARRIER, 1);
	stage_arrive(s, 0, BARRIER, c->bytes);
	row->failed = !stage_drain(s);
	stage_accept(s, 0, 2);
	stage_load(s, 0, 0, STAGE_SMEM, c->bytes, BARRIER, 0);
	row->failed |= rig_wait_phase(s->rig, 0, BARRIER, 1, 10000, &done) != 0;
	row->failed |= !stage_same(s, 0, STAGE_SMEM, s->memory, c->bytes);
	row->count = 1;
	row->cycles = done - s->accept - c->latency;
	stage_close(s, row);
}

/* argument: 1: through the ring. */
void bench_arrive(const struct bench_case *c, struct bench_rows *rows)
{
	struct stage_options options = { .rings = c->argument };
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, &options, row);
	uint32_t count = 0;
	const struct rig_record *record;

	if (!s)
		return;
	stage_init(s, 0, BARRIER, 1);
	row->failed = !stage_drain(s);
	stage_accept(s, 0, 1);
	stage_do(s, 0, TMA_MBARRIER_ARRIVE, .flags = TMA_FLAG_RECORD, .barrier = BARRIER, .count = 1);
	row->failed |= rig_wait_records(s->rig, 0, 1, 1000) != 0;
	record = rig_records(s->rig, 0, &count);
	row->count = 1;
	row->cycles = count ? record->cycle - s->accept : 0;
	stage_close(s, row);
}

/* Every chunk that the stream leaves in shared memory is the right one. Loads in flight together may
 * share a destination, and then any of their data may be the last: the newest ones are candidates. */
static bool loaded(struct stage *s, const struct bench_case *c, uint32_t n, uint32_t step, uint32_t from,
                   uint32_t to)
{
	uint32_t slots = slots_of(s, step);
	uint8_t *got = malloc(c->bytes);
	bool right = got != NULL;

	for (uint32_t last = n - (n < slots ? n : slots); right && last < n; last++) {
		right = rig_smem_read(s->rig, 0, shared_slot(s, last, step) + to, got, c->bytes) == 0;
		for (uint32_t at = 0; right && at < c->bytes; at += 16) {
			bool found = false;

			for (uint32_t i = last;; i -= slots) {
				found |= !memcmp(got + at, s->memory + global_slot(i, step) + from + at, 16);
				if (found || i < slots || last - (i - slots) > IN_FLIGHT)
					break;
			}
			right = found;
		}
	}
	free(got);
	return right;
}

/* The same loads again, as many as shared memory holds at a time: nothing overlaps, and every byte of each is
 * compared. */
static bool verified(const struct bench_case *c, const struct stage_options *options, uint32_t n,
                     uint32_t step, uint32_t from, uint32_t to)
{
	struct stage *s = stage_open(c, options, NULL);
	struct bench_row row = { .failed = false };
	uint32_t slots, batch;
	uint8_t *got;

	if (!s)
		return false;
	slots = slots_of(s, step);
	got = malloc((size_t)slots * step + to);
	stage_init(s, 0, BARRIER, 1);
	row.failed = !got || !stage_drain(s);
	for (uint32_t i = 0; i < n && !row.failed; i += batch) {
		batch = n - i < slots ? n - i : slots;
		stage_expect(s, 0, BARRIER, batch * c->bytes);
		for (uint32_t k = i; k < i + batch; k++)
			stage_load(s, 0, global_slot(k, step) + from, shared_slot(s, k, step) + to, c->bytes,
			           BARRIER, 0);
		/* The first of a batch goes to the first slot. */
		row.failed =
			!stage_drain(s) || rig_faulted(s->rig, 0) ||
			rig_smem_read(s->rig, 0, STAGE_SMEM + to, got, (batch - 1) * step + c->bytes) != 0;
		for (uint32_t k = 0; k < batch; k++)
			row.failed |= memcmp(got + k * step, s->memory + global_slot(i + k, step) + from,
			                     c->bytes) != 0;
	}
	free(got);
	stage_close(s, &row);
	return !row.failed;
}

static void measure_loads(const struct bench_case *c, const struct stage_options *options,
                          struct bench_row *row)
{
	struct stage *s = stage_open(c, options, row);
	uint32_t from = c->argument & 255, to = c->argument >> 8 & 255, n = stream_count(c->bytes), rearm,
		 late;
	uint32_t step = c->bytes + (from || to ? 64 : 0);

	if (!s)
		return;
	stage_init(s, 0, BARRIER, 1);
	row->failed = !stage_drain(s);
	/* The barrier is told of a batch at a time. */
	rearm = c->bytes >= 65536 ? 2 : 65536 / c->bytes;
	late = stage_late(c->bytes);
	stage_watch(s, 0, BARRIER, rearm * c->bytes);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t left = n - i;

		if (i >= late && (i - late) % rearm == 0)
			stage_expect(s, 0, BARRIER, (late || left > rearm ? rearm : left) * c->bytes);
		stage_load(s, 0, global_slot(i, step) + from, shared_slot(s, i, step) + to, c->bytes, BARRIER,
		           0);
	}
	row->failed |= !stage_drain(s);
	if (late)
		stage_expect(s, 0, BARRIER, late * c->bytes);
	row->failed |= !stage_drain(s) || s->tx != 0 || rig_faulted(s->rig, 0) ||
	               s->r_beats - s->fetch_beats != (uint64_t)n * beats(s, from, c->bytes);
	/* Loads of four channels interleave, so some of the data of the next ones is in before the first is
	 * done: only what came after it counts. */
	row->count = n;
	row->cycles = s->last_done - s->first_done;
	row->share = (double)(s->r_beats - s->beats_before) / (double)row->cycles;
	row->bytes_per_cycle = row->share * c->bytes / beats(s, from, c->bytes);
	row->failed |= !loaded(s, c, n, step, from, to);
	stage_close(s, row);
	row->failed |= !verified(c, options, n, step, from, to);
}

/* argument: low byte source misalignment, second byte destination misalignment, third byte stall
 * percent, fourth byte: external port busy every n-th cycle. */
void bench_loads(const struct bench_case *c, struct bench_rows *rows)
{
	struct stage_options options = { .stall_percent = c->argument >> 16 & 255,
		                         .ext_busy_every = c->argument >> 24 };

	measure_loads(c, &options, bench_add(rows, c));
}

/* argument: cycles that a burst may take longer. */
void bench_spread_loads(const struct bench_case *c, struct bench_rows *rows)
{
	struct stage_options options = { .random_latency = c->argument };
	struct bench_case plain = *c;

	plain.argument = 0;
	measure_loads(&plain, &options, bench_add(rows, c));
}

/* The same through a ring. The share is that of the data beats and the fetched commands, or of
 * `argument` cycles for each load; BENCH_SMALL_RING: 16 slots, and a doorbell for each. */
void bench_ring_loads(const struct bench_case *c, struct bench_rows *rows)
{
	struct stage_options options = { .rings = 1, .small_rings = c->argument == BENCH_SMALL_RING };
	struct bench_case plain = *c;
	struct bench_row *row = bench_add(rows, c);

	plain.argument = 0; /* neither misaligned nor disturbed */
	measure_loads(&plain, &options, row);
	row->bytes_per_cycle = (double)c->bytes * (row->count - 1) / (double)row->cycles;
	if (c->argument && !options.small_rings)
		row->share = (double)c->argument * (row->count - 1) / (double)row->cycles;
}

/* argument: CTAs. Adds the extra cycles over one destination as the row's cycles. */
void bench_multicast(const struct bench_case *c, struct bench_rows *rows)
{
	uint64_t took[2] = { 0, 0 };
	struct bench_row *row = bench_add(rows, c);

	for (int many = 0; many < 2; many++) {
		struct stage *s = stage_open(c, NULL, row);
		uint32_t ctas = many ? c->argument : 1, n = 16;
		uint64_t last = 0;

		if (!s)
			return;
		for (uint32_t r = 0; r < ctas; r++) {
			stage_init(s, r, r << 24 | BARRIER, 1);
			stage_arrive(s, r, r << 24 | BARRIER, n * c->bytes);
		}
		row->failed |= !stage_drain(s);
		stage_accept(s, 0, 2);
		for (uint32_t i = 0; i < n; i++)
			stage_load(s, 0, global_slot(i, c->bytes), shared_slot(s, i, c->bytes), c->bytes,
			           BARRIER, (uint16_t)((1u << ctas) - 1));
		for (uint32_t r = 0; r < ctas; r++)
			rig_smem_poll(s->rig, r, BARRIER);
		row->failed |= !stage_drain(s);
		rig_run(s->rig, 8);
		for (uint32_t r = 0; r < ctas; r++) {
			struct rig_polled polled = rig_smem_polled(s->rig, r);

			row->failed |= !polled.valid || !(polled.value >> 61 & 1);
			if (polled.since > last)
				last = polled.since;
			for (uint32_t i = 0; i < n; i++)
				row->failed |= !stage_same(s, r, shared_slot(s, i, c->bytes),
				                           s->memory + global_slot(i, c->bytes), c->bytes);
		}
		took[many] = last - s->accept;
		row->count = n;
		stage_close(s, row);
	}
	row->cycles = took[1] > took[0] ? took[1] - took[0] : 0;
}

void bench_stores(const struct bench_case *c, struct bench_rows *rows)
{
	struct stage_options options = { .stall_percent = c->argument >> 16 & 255,
		                         .ext_busy_every = c->argument >> 24 };
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, &options, row);
	uint32_t to = c->argument & 255, from = c->argument >> 8 & 255, n = stream_count(c->bytes);
	uint32_t step = c->bytes + (from || to ? 64 : 0), size;
	uint8_t *source;

	if (!s)
		return;
	size = s->rotate;
	source = s->memory; /* any bytes will do */
	rig_smem_write(s->rig, 0, STAGE_SMEM, source, size);
	for (uint32_t i = 0; i < n; i++)
		stage_store(s, 0, STAGE_HALF + global_slot(i, step) + to, shared_slot(s, i, step) + from,
		            c->bytes);
	stage_wait_stores(s, 0);
	row->failed = rig_wait_records(s->rig, 0, 1, 4000000) != 0 || !stage_drain(s);
	row->failed |= rig_faulted(s->rig, 0) || s->w_beats != (uint64_t)n * beats(s, to, c->bytes);
	/* The first response stands for the first done: of a store of several bursts it is too early, and
	 * the rate is then understated. */
	rate(row, n, beats(s, to, c->bytes), s->first_b, s->last_b);
	/* Every place, from its newest store. */
	for (uint32_t i = 0, places = global_slots(step); i < n; i++)
		if (i + places >= n)
			row->failed |=
				memcmp(s->memory + STAGE_HALF + global_slot(i, step) + to,
			               source + shared_slot(s, i, step) + from - STAGE_SMEM, c->bytes) != 0;
	stage_close(s, row);
}
