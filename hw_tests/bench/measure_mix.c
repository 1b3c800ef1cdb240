/* SPDX-License-Identifier: Apache-2.0 */
/* Measurements of more than one path or CTA: loads with stores, shared to shared, prefetch. */
#include <stdlib.h>
#include <string.h>

#include "stage.h"

#define BARRIER 0u
#define OBJECT  0x4000000000ull /* a multimem object */
#define COUNT   1024u           /* operations of each kind */

/* Loads on queue 0, stores on queue 1, each as fast as it goes. The share is that of the slower
 * direction while both run. argument: bit q: queue q is a ring; BENCH_ONE_CTA: both in one CTA, the loads in the
 * lower half of its memory. */
void bench_mix(const struct bench_case *c, struct bench_rows *rows)
{
	struct stage_options options = { .rings = c->argument & 3, .one_cta = c->argument & BENCH_ONE_CTA };
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, &options, row);
	uint32_t line, n = COUNT, late = stage_late(c->bytes), slots, from;
	uint64_t beats, cycles, last;

	if (!s)
		return;
	line = rig_info(s->rig)->data_bytes;
	/* Loads of one destination are of one read channel, and so in order: every fourth goes through the same. */
	slots = s->rotate / 2 / c->bytes & ~3u;
	/* Of CTA 1, or the other half. */
	from = options.one_cta ? STAGE_SMEM + slots * c->bytes : 1u << 24 | STAGE_SMEM;
	rig_smem_write(s->rig, from >> 24, from & 0xFFFFFF, s->memory, slots * c->bytes);
	stage_init(s, 0, BARRIER, 1);
	row->failed = !stage_drain(s);
	stage_watch(s, 0, BARRIER, c->bytes);
	for (uint32_t i = 0; i < n; i++) {
		if (i >= late)
			stage_expect(s, 0, BARRIER, c->bytes);
		stage_load(s, 0, (uint64_t)(i % 511) * c->bytes, STAGE_SMEM + i % slots * c->bytes, c->bytes,
		           BARRIER, 0);
		stage_store(s, 1, STAGE_HALF + (uint64_t)(i % 511) * c->bytes, from + i % slots * c->bytes,
		            c->bytes);
	}
	stage_wait_stores(s, 1);
	row->failed |= !stage_drain(s);
	if (late)
		stage_expect(s, 0, BARRIER, late * c->bytes);
	row->failed |= !stage_drain(s) || s->tx != 0;
	last = s->last_done > s->last_b ? s->last_done : s->last_b;
	cycles = last - (s->first_done < s->first_b ? s->first_done : s->first_b);
	beats = (uint64_t)(n - 1) * (c->bytes / line);
	row->count = 2 * n;
	row->cycles = cycles;
	row->share = (double)beats / (double)cycles;
	row->bytes_per_cycle = 2 * row->share * line;
	row->failed |= s->r_beats - s->fetch_beats != (uint64_t)n * (c->bytes / line);
	if (!options.rings) /* a ring's record is a beat, too */
		row->failed |= s->w_beats != s->r_beats;
	for (uint32_t i = n - slots; i < n; i++)
		row->failed |= !stage_same(s, 0, STAGE_SMEM + i % slots * c->bytes,
		                           s->memory + (uint64_t)(i % 511) * c->bytes, c->bytes);
	/* Every place, from its newest store. */
	for (uint32_t i = n - 511; i < n; i++)
		row->failed |= memcmp(s->memory + STAGE_HALF + (uint64_t)(i % 511) * c->bytes,
		                      s->memory + i % slots * c->bytes, c->bytes) != 0;
	stage_close(s, row);
}

/* argument: low byte source, second byte destination misalignment. */
void bench_shared(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, NULL, row);
	uint32_t from = c->argument & 255, to = c->argument >> 8 & 255, n = COUNT, slots, line, step, rearm;

	if (!s)
		return;
	line = rig_info(s->rig)->data_bytes;
	step = c->bytes + (from || to ? 64 : 0);
	slots = s->rotate / step;
	rig_smem_write(s->rig, 0, STAGE_SMEM, s->memory, s->rotate);
	stage_init(s, 1, 1u << 24 | BARRIER, 1);
	row->failed = !stage_drain(s);
	rearm = 65536 / c->bytes;
	stage_watch(s, 1, BARRIER, rearm * c->bytes);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t source = STAGE_SMEM + (i * 7) % slots * step + from;

		if (i % rearm == 0)
			stage_expect(s, 0, 1u << 24 | BARRIER, (n - i < rearm ? n - i : rearm) * c->bytes);
		stage_shared(s, 0, source, 1u << 24 | (STAGE_SMEM + i % slots * step + to), c->bytes,
		             1u << 24 | BARRIER);
	}
	row->failed |= !stage_drain(s) || s->tx != 0 || rig_faulted(s->rig, 0);
	row->count = n;
	row->cycles = s->last_done - s->first_done;
	row->bytes_per_cycle = (double)c->bytes * (n - 1) / (double)row->cycles;
	row->share = row->bytes_per_cycle / line;
	for (uint32_t i = n - slots; i < n; i++)
		row->failed |= !stage_same(s, 1, STAGE_SMEM + i % slots * step + to,
		                           s->memory + (i * 7) % slots * step + from, c->bytes);
	stage_close(s, row);
}

/* Prefetches: the share of read beats between the first and the last. */
void bench_prefetch(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, NULL, row);

	if (!s)
		return;
	for (uint32_t i = 0; i < COUNT; i++)
		stage_do(s, 0, TMA_BULK_PREFETCH,
		         .global_address = STAGE_BASE + (uint64_t)(i % 511) * c->bytes, .size = c->bytes);
	row->failed = !stage_drain(s) || rig_faulted(s->rig, 0);
	row->count = COUNT;
	row->cycles = s->last_beat - s->first_beat + 1;
	row->bytes_per_cycle = (double)c->bytes * COUNT / (double)row->cycles;
	row->share = (double)s->r_beats / (double)row->cycles;
	stage_close(s, row);
}

/* cp.async, each behind the other, one group: the share of cycles in which one was read. argument: 1:
 * through the ring. */
void bench_cp_async(const struct bench_case *c, struct bench_rows *rows)
{
	struct stage_options options = { .rings = c->argument };
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, &options, row);

	if (!s)
		return;
	for (uint32_t i = 0; i < COUNT; i++)
		stage_do(s, 0, TMA_CP_ASYNC,
		         .global_address = STAGE_BASE + (uint64_t)(i * 5 % COUNT) * c->bytes,
		         .shared_dst = STAGE_SMEM + i * c->bytes, .size = c->bytes);
	stage_do(s, 0, TMA_CP_ASYNC_WAIT_ALL, .flags = TMA_FLAG_RECORD);
	row->failed = rig_wait_records(s->rig, 0, 1, 1000000) != 0 || !stage_drain(s);
	row->count = COUNT;
	row->cycles = s->last_beat - s->first_beat + 1;
	row->bytes_per_cycle = (double)c->bytes * COUNT / (double)row->cycles;
	row->share = (double)COUNT / (double)row->cycles;
	for (uint32_t i = 0; i < COUNT; i++)
		row->failed |= !stage_same(s, 0, STAGE_SMEM + i * c->bytes,
		                           s->memory + (uint64_t)(i * 5 % COUNT) * c->bytes, c->bytes);
	stage_close(s, row);
}

/* A multimem object on every port for queue 0, its copies, and bytes to store. */
static void open_object(struct stage *s, struct bench_row *row, uint8_t *copies[TMA_SIM_MAX_PORTS])
{
	struct rig_window window = { OBJECT, OBJECT + STAGE_HALF - 1, RIG_MULTIMEM };
	struct rig_queue setup = { .windows = &window, .num_windows = 1 };
	struct rig_multimem object = { .base = OBJECT, .limit = OBJECT + STAGE_HALF - 1 };
	uint32_t ports = rig_info(s->rig)->ports;

	object.ports = (1u << ports) - 1;
	for (uint32_t p = 0; p < ports; p++) {
		copies[p] = aligned_alloc(4096, STAGE_HALF);
		object.port_base[p] = OBJECT + (uint64_t)p * 3 * STAGE_HALF;
		row->failed |=
			!copies[p] || rig_map(s->rig, p, object.port_base[p], STAGE_HALF, copies[p]) != 0;
	}
	rig_smem_write(s->rig, 0, STAGE_SMEM, s->memory, s->rotate);
	row->failed |= rig_multimem(s->rig, 0, &object) != 0 || rig_queue_setup(s->rig, 0, &setup) != 0;
}

/* Stores of queue 1 to port 0, while port 1 takes no data of what queue 0 sends to both: the share of cycles in
 * which port 0 took a beat. */
void bench_beside_broadcast(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, NULL, row);
	uint8_t *copies[TMA_SIM_MAX_PORTS] = { NULL };
	uint32_t slots, line;

	if (!s)
		return;
	line = rig_info(s->rig)->data_bytes;
	slots = s->rotate / c->bytes;
	open_object(s, row, copies);
	rig_smem_write(s->rig, 1, STAGE_SMEM, s->memory, s->rotate);
	row->failed |= rig_port_stop(s->rig, 1, RIG_W, 0) != 0;
	for (uint32_t i = 0; i < 12; i++)
		stage_do(s, 0, TMA_MULTIMEM_BULK_STORE, .global_address = OBJECT + i * 4096ull,
		         .shared_src = STAGE_SMEM, .size = 4096);
	rig_run(s->rig, 2000);
	s->bursts = s->w_beats = 0;
	for (uint32_t i = 0; i < COUNT; i++)
		stage_store(s, 1, STAGE_HALF + (uint64_t)(i % 511) * c->bytes,
		            1u << 24 | (STAGE_SMEM + i % slots * c->bytes), c->bytes);
	stage_wait_stores(s, 1);
	row->failed |= rig_wait_records(s->rig, 1, 1, 4000000) != 0 || rig_faulted(s->rig, 1);
	row->count = COUNT;
	row->cycles = s->last_b - s->first_b;
	row->share = (double)(COUNT - 1) * (c->bytes / line) / (double)row->cycles;
	row->bytes_per_cycle = row->share * line;
	row->failed |= s->w_beats != (uint64_t)COUNT * (c->bytes / line);
	for (uint32_t i = COUNT - 511; i < COUNT; i++)
		row->failed |= memcmp(s->memory + STAGE_HALF + (uint64_t)(i % 511) * c->bytes,
		                      s->memory + i % slots * c->bytes, c->bytes) != 0;
	row->failed |= rig_port_stop(s->rig, 1, 0, 0) != 0 || !stage_drain(s);
	for (uint32_t p = 0; p < rig_info(s->rig)->ports; p++)
		row->failed |= memcmp(copies[p] + 11 * 4096, s->memory, 4096) != 0;
	stage_close(s, row);
	for (uint32_t p = 0; p < TMA_SIM_MAX_PORTS; p++)
		free(copies[p]);
}

/* Stores to every port of a multimem object: the share of cycles in which all ports took a beat. */
void bench_multimem(const struct bench_case *c, struct bench_rows *rows)
{
	struct bench_row *row = bench_add(rows, c);
	struct stage *s = stage_open(c, NULL, row);
	uint8_t *copies[TMA_SIM_MAX_PORTS] = { NULL };
	uint32_t ports, slots;

	if (!s)
		return;
	ports = rig_info(s->rig)->ports;
	slots = s->rotate / c->bytes;
	open_object(s, row, copies);
	for (uint32_t i = 0; i < COUNT; i++)
		stage_do(s, 0, TMA_MULTIMEM_BULK_STORE,
		         .global_address = OBJECT + (uint64_t)(i % 511) * c->bytes,
		         .shared_src = STAGE_SMEM + i % slots * c->bytes, .size = c->bytes);
	stage_wait_stores(s, 0);
	row->failed |= rig_wait_records(s->rig, 0, 1, 4000000) != 0 || !stage_drain(s);
	row->count = COUNT;
	row->cycles = s->last_beat - s->first_beat + 1;
	row->bytes_per_cycle = (double)c->bytes * COUNT / (double)row->cycles;
	row->share = (double)s->w_beats / (double)row->cycles;
	for (uint32_t p = 0; p < ports; p++) {
		for (uint32_t i = COUNT - 511; copies[p] && i < COUNT; i++)
			row->failed |= memcmp(copies[p] + (uint64_t)(i % 511) * c->bytes,
			                      s->memory + i % slots * c->bytes, c->bytes) != 0;
	}
	stage_close(s, row);
	for (uint32_t p = 0; p < ports; p++)
		free(copies[p]);
}
