/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measurements of reductions, as those of stores and shared copies. What they have to leave in memory is what the C
 * model leaves that gets the same commands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tile.h"
#include "tma_model.h"

#define BARRIER 0u
#define OBJECT  0x4000000000ull /* a multimem object */
#define COUNT   1023u
#define BATCH   65536u /* bytes that a barrier is told of at a time */
#define LIMIT   4000000u
#define BEATS   16u     /* of a burst, at most */
#define TOTAL   131072u /* bytes of each type, of all sizes but the smallest and the largest */

/* The stage, and the model beside it. */
struct pair {
	struct stage *s;
	struct tma_model *m;
	uint8_t *global; /* the model's */
};

static bool mirror(struct pair *p)
{
	const struct tma_sim_info *info = rig_info(p->s->rig);
	struct tma_model_config config = { .ctas = info->ctas,
		                           .smem_bytes = info->smem_bytes,
		                           .queues = info->queues,
		                           .data_bytes = info->data_bytes,
		                           .reductions = TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_F64 };
	struct tma_window window = { STAGE_BASE, STAGE_BASE + STAGE_BYTES - 1,
		                     TMA_WINDOW_READ | TMA_WINDOW_WRITE };

	p->m = tma_model_new(&config);
	p->global = malloc(STAGE_BYTES);
	if (!p->m || !p->global || tma_model_map(p->m, 0, STAGE_BASE, STAGE_BYTES, p->global))
		return false;
	memcpy(p->global, p->s->memory, STAGE_BYTES);
	for (uint32_t q = 0; q < info->queues; q++) {
		struct tma_queue_config queue = { .enable = 1,
			                          .cta = (uint8_t)(q % info->ctas),
			                          .cta_mask = (uint16_t)((1u << info->ctas) - 1) };

		if (tma_model_window(p->m, q, 0, &window) || tma_model_queue(p->m, q, &queue))
			return false;
	}
	for (uint32_t cta = 0; cta < info->ctas; cta++) {
		memcpy(tma_model_smem(p->m, cta) + STAGE_SMEM, p->s->memory, p->s->rotate);
		if (rig_smem_write(p->s->rig, cta, STAGE_SMEM, p->s->memory, p->s->rotate))
			return false;
	}
	return true;
}

static void close_pair(struct pair *p, struct bench_row *row)
{
	stage_close(p->s, row);
	tma_model_free(p->m);
	free(p->global);
}

/* NULL: the row has failed, or there is none, since the engine has no reductions. */
static struct bench_row *open_pair(const struct bench_case *c, struct bench_rows *rows, struct pair *p)
{
	struct bench_row *row;

	*p = (struct pair){ .s = stage_open(c, NULL, NULL) };
	if (p->s && (!rig_info(p->s->rig)->reductions ||
	             ((c->argument & BENCH_TYPE) == BENCH_OF(ADD, F64) && rig_info(p->s->rig)->floats < 2))) {
		stage_close(p->s, NULL);
		return NULL;
	}
	row = bench_add(rows, c);
	row->failed = !p->s;
	if (!p->s)
		return NULL;
	if (mirror(p))
		return row;
	close_pair(p, row);
	row->failed = true;
	return NULL;
}

/* To both. */
static void both(struct pair *p, uint32_t queue, struct tma_command c)
{
	stage_submit(p->s, queue, c);
	c.version = TMA_COMMAND_VERSION;
	c.flags &= (uint16_t)~TMA_FLAG_RECORD;
	if (tma_model_submit(p->m, queue, &c))
		abort();
}

/* Both are done and hold the same. */
static bool agree(struct pair *p, uint32_t queues)
{
	bool good = stage_drain(p->s);

	tma_model_run(p->m);
	for (uint32_t q = 0; q < queues; q++)
		good = good && !rig_faulted(p->s->rig, q);
	return good && !memcmp(p->global, p->s->memory, STAGE_BYTES);
}

static struct tma_command update(const struct bench_case *c, uint64_t to, uint32_t from)
{
	return (struct tma_command){ .opcode = TMA_BULK_REDUCE,
		                     .op = c->argument & 15,
		                     .type = c->argument >> 4 & 15,
		                     .global_address = STAGE_BASE + to,
		                     .shared_src = from,
		                     .size = c->bytes };
}

/* Operations of places of their own. argument: BENCH_OF(operator, type). */
void bench_reductions(const struct bench_case *c, struct bench_rows *rows)
{
	struct pair p;
	struct bench_row *row = open_pair(c, rows, &p);
	uint32_t n = COUNT, slots;

	if (!row)
		return;
	slots = p.s->rotate / c->bytes;
	for (uint32_t i = 0; i < n; i++)
		both(&p, 0,
		     update(c, STAGE_HALF + (uint64_t)i * c->bytes, STAGE_SMEM + i % slots * c->bytes));
	stage_wait_stores(p.s, 0);
	row->failed = rig_wait_records(p.s->rig, 0, 1, LIMIT) != 0 || !agree(&p, 1);
	/* The first response stands for the first done, as of stores. */
	row->count = n;
	row->cycles = p.s->last_b - p.s->first_b;
	row->bytes_per_cycle = (double)c->bytes * (n - 1) / (double)row->cycles;
	row->share = row->bytes_per_cycle / rig_info(p.s->rig)->data_bytes;
	close_pair(&p, row);
}

/* Bytes per cycle of so many operations of one type from byte `to` on, behind the first burst; 0: they have failed. */
static double rate_of(const struct bench_case *c, struct pair *p, uint64_t to, uint32_t n)
{
	const uint32_t burst = BEATS * rig_info(p->s->rig)->data_bytes;
	const uint32_t slots = p->s->rotate / c->bytes;

	p->s->bursts = 0;
	for (uint32_t i = 0; i < n; i++)
		both(p, 0,
		     update(c, to + (uint64_t)i * c->bytes, slots ? STAGE_SMEM + i % slots * c->bytes : 0));
	if (!stage_drain(p->s))
		return 0;
	return ((double)c->bytes * n - (c->bytes < burst ? c->bytes : burst)) /
	       (double)(p->s->last_b - p->s->first_b);
}

/* Operations of one size, of each type: two rows, the slowest and the fastest. */
void bench_reduction_types(const struct bench_case *c, struct bench_rows *rows)
{
	static const struct {
		uint32_t argument;
		const char *name;
	} types[] = {
		{ BENCH_OF(ADD, U32), "u32" }, { BENCH_OF(ADD, S32), "s32" }, { BENCH_OF(ADD, U64), "u64" },
		{ BENCH_OF(MIN, S64), "s64" }, { BENCH_OF(ADD, F16), "f16" }, { BENCH_OF(ADD, BF16), "bf16" },
		{ BENCH_OF(ADD, F32), "f32" }, { BENCH_OF(ADD, F64), "f64" }, { BENCH_OF(AND, B32), "b32" },
		{ BENCH_OF(XOR, B64), "b64" },
	};
	enum { NUM = sizeof(types) / sizeof(types[0]) };
	const uint32_t most = TOTAL / c->bytes < 256 ? TOTAL / c->bytes : 256, n = most < 4 ? 4 : most;
	struct bench_case one = *c;
	uint32_t least = 0, largest = 0;
	double rate[NUM];
	struct pair p;
	struct bench_row *row = open_pair(c, rows, &p);
	bool good = true;

	if (!row)
		return;
	/* The largest operation is all of shared memory, what lies below the buffers too. */
	memcpy(tma_model_smem(p.m, 0), p.s->memory, STAGE_SMEM);
	good = !rig_smem_write(p.s->rig, 0, 0, p.s->memory, STAGE_SMEM);
	for (uint32_t i = 0; i < NUM; i++) {
		one.argument = types[i].argument;
		rate[i] = rate_of(&one, &p, STAGE_HALF + (uint64_t)i * n * c->bytes, n);
		good = good && rate[i] > 0;
		least = rate[i] < rate[least] ? i : least;
		largest = rate[i] > rate[largest] ? i : largest;
	}
	good = agree(&p, 1) && good;
	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t type = i ? largest : least;

		row = i ? bench_add(rows, c) : row;
		snprintf(row->name, sizeof(row->name), "%s: %s, %s", c->name, i ? "fastest" : "slowest",
		         types[type].name);
		row->failed = !good;
		row->count = n;
		row->bytes_per_cycle = rate[type];
		row->cycles = good ? (uint64_t)((double)c->bytes * (n - 1) / rate[type] + 0.5) : 0;
		row->share = rate[type] / rig_info(p.s->rig)->data_bytes;
	}
	close_pair(&p, row);
}

/* Every queue updates the same bytes, as fast as it goes. */
void bench_one_line(const struct bench_case *c, struct bench_rows *rows)
{
	struct pair p;
	struct bench_row *row = open_pair(c, rows, &p);
	uint32_t queues, n = 128;

	if (!row)
		return;
	queues = rig_info(p.s->rig)->queues;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t q = 0; q < queues; q++)
			both(&p, q,
			     update(c, STAGE_HALF,
			            (q % rig_info(p.s->rig)->ctas) << 24 | (STAGE_SMEM + i % 64 * 16)));
	row->failed = !agree(&p, queues);
	row->count = n * queues;
	row->cycles = p.s->last_b - p.s->first_b;
	close_pair(&p, row);
}

/* From CTA 0 to CTA 1. Nobody polls the barrier meanwhile: each look from outside takes the place of a line. Time is
 * counted at the engine's door, as soon as all that is behind it is full. */
void bench_shared_reductions(const struct bench_case *c, struct bench_rows *rows)
{
	enum { FULL = 64, THERE = 1 << 24 };
	struct pair p;
	struct bench_row *row = open_pair(c, rows, &p);
	uint32_t n = COUNT, slots, rearm = BATCH / c->bytes, first = 0, last;
	uint64_t word;

	if (!row)
		return;
	slots = p.s->rotate / c->bytes;
	both(&p, 1,
	     (struct tma_command){ .opcode = TMA_MBARRIER_INIT, .barrier = THERE | BARRIER, .count = 1 });
	row->failed = !agree(&p, 2);
	last = rig_accepted(p.s->rig, 0);
	for (uint32_t i = 0; i < n; i++, last++) {
		if (i % rearm == 0) {
			both(&p, 0,
			     (struct tma_command){ .opcode = TMA_MBARRIER_EXPECT_TX,
			                           .barrier = THERE | BARRIER,
			                           .tx = (n - i < rearm ? n - i : rearm) * c->bytes });
			last++;
		}
		if (i == FULL)
			first = last;
		both(&p, 0,
		     (struct tma_command){ .opcode = TMA_BULK_REDUCE_SHARED,
		                           .op = c->argument & 15,
		                           .type = c->argument >> 4 & 15,
		                           .shared_src = STAGE_SMEM + i * 7 % slots * c->bytes,
		                           .shared_dst = THERE | (STAGE_SMEM + i % slots * c->bytes),
		                           .size = c->bytes,
		                           .barrier = THERE | BARRIER });
	}
	row->failed |= !agree(&p, 2) || rig_smem_read(p.s->rig, 1, BARRIER, &word, sizeof(word)) != 0;
	row->failed |= memcmp(&word, tma_model_smem(p.m, 1) + BARRIER, sizeof(word)) != 0;
	row->failed |= !stage_same(p.s, 1, STAGE_SMEM, tma_model_smem(p.m, 1) + STAGE_SMEM, slots * c->bytes);
	row->count = n;
	row->cycles = rig_accept_cycle(p.s->rig, 0, last - 1) - rig_accept_cycle(p.s->rig, 0, first);
	row->bytes_per_cycle = (double)c->bytes * (n - 1 - FULL) / (double)row->cycles;
	row->share = row->bytes_per_cycle / rig_info(p.s->rig)->data_bytes;
	close_pair(&p, row);
}

/* Cycles of a stream of reductions of u32 to so many ports; 0: it has failed. */
static uint64_t to_ports(const struct bench_case *c, struct stage *s, uint32_t ports)
{
	struct rig_window window = { OBJECT, OBJECT + STAGE_HALF - 1, RIG_MULTIMEM };
	struct rig_queue setup = { .windows = &window, .num_windows = 1 };
	struct rig_multimem object = { .base = OBJECT,
		                       .limit = OBJECT + STAGE_HALF - 1,
		                       .ports = (1u << ports) - 1 };
	uint32_t *words[TMA_SIM_MAX_PORTS], slots = s->rotate / c->bytes;
	bool good = true;

	for (uint32_t p = 0; p < ports; p++) {
		words[p] = malloc(STAGE_HALF);
		object.port_base[p] = OBJECT + (uint64_t)p * 3 * STAGE_HALF;
		good = good && words[p] && !rig_map(s->rig, p, object.port_base[p], STAGE_HALF, words[p]);
		if (words[p])
			memcpy(words[p], s->memory + p * 4096, STAGE_HALF);
	}
	rig_smem_write(s->rig, 0, STAGE_SMEM, s->memory, s->rotate);
	good = good && !rig_multimem(s->rig, 0, &object) && !rig_queue_setup(s->rig, 0, &setup);
	for (uint32_t i = 0; i < COUNT; i++)
		stage_do(s, 0, TMA_MULTIMEM_BULK_REDUCE, .op = TMA_REDUCE_ADD, .type = TMA_TYPE_U32,
		         .global_address = OBJECT + (uint64_t)i * c->bytes,
		         .shared_src = STAGE_SMEM + i % slots * c->bytes, .size = c->bytes);
	stage_wait_stores(s, 0);
	good = good && !rig_wait_records(s->rig, 0, 1, LIMIT) && stage_drain(s);
	for (uint32_t p = 0; p < ports; p++) {
		const uint32_t *before = (const uint32_t *)(const void *)(s->memory + p * 4096);
		const uint32_t *more = (const uint32_t *)(const void *)s->memory;
		uint32_t each = c->bytes / 4;

		for (uint32_t i = 0; words[p] && i < COUNT * each; i++)
			good = good && words[p][i] == before[i] + more[i / each % slots * each + i % each];
		free(words[p]);
	}
	return good ? s->last_beat - s->first_beat + 1 : 0;
}

/* Reductions to a multimem object on two ports against those on one: how many times the cycles. */
void bench_multimem_reductions(const struct bench_case *c, struct bench_rows *rows)
{
	uint64_t took[2] = { 0, 0 };
	struct pair p;
	struct bench_row *row = open_pair(c, rows, &p);

	if (!row)
		return;
	took[0] = to_ports(c, p.s, 1);
	close_pair(&p, row);
	for (struct stage *s = stage_open(c, NULL, row); s; s = NULL) {
		took[1] = to_ports(c, s, 2);
		stage_close(s, row);
	}
	row->failed |= !took[0] || !took[1];
	row->count = COUNT;
	row->cycles = took[1];
	row->share = took[0] ? (double)took[1] / (double)took[0] : 0;
	row->bytes_per_cycle = took[1] ? (double)c->bytes * COUNT / (double)took[1] : 0;
}

/* Reductions that wait, of queue 0, so that they never end before the loads of queue 1 do. */
static void keep_reducing(struct stage *s, uint32_t *next)
{
	while (rig_waiting(s->rig, 0) < 16) {
		stage_do(s, 0, TMA_BULK_REDUCE, .op = TMA_REDUCE_ADD, .type = TMA_TYPE_U32,
		         .global_address = STAGE_BASE + STAGE_HALF + *next % 1000 * 4096ull,
		         .shared_src = STAGE_SMEM + *next % 8 * 4096, .size = 4096);
		++*next;
	}
}

/* Loads of queue 1 beside reductions of queue 0, each as fast as it goes: the loads' share of the read bus. */
void bench_loads_beside_reductions(const struct bench_case *c, struct bench_rows *rows)
{
	enum { LOADS = 512, THERE = 1 << 24 };
	struct pair p;
	struct bench_row *row = open_pair(c, rows, &p);
	uint32_t next = 0, slots, rearm = BATCH / c->bytes, line;
	uint64_t end;

	if (!row)
		return;
	line = rig_info(p.s->rig)->data_bytes;
	slots = p.s->rotate / c->bytes & ~3u;
	stage_init(p.s, 1, THERE | BARRIER, 1);
	row->failed = !stage_drain(p.s);
	stage_watch(p.s, 1, BARRIER, rearm * c->bytes);
	for (uint32_t i = 0; i < LOADS; i++) {
		if (i % rearm == 0)
			stage_expect(p.s, 1, THERE | BARRIER, rearm * c->bytes);
		stage_load(p.s, 1, (uint64_t)(i % 511) * c->bytes,
		           THERE | (STAGE_SMEM + i % slots * c->bytes), c->bytes, THERE | BARRIER, 0);
	}
	end = rig_cycle(p.s->rig) + LIMIT;
	while ((rig_waiting(p.s->rig, 1) || !p.s->tx_valid || p.s->tx) && rig_cycle(p.s->rig) < end) {
		keep_reducing(p.s, &next);
		rig_step(p.s->rig);
	}
	row->count = LOADS;
	row->cycles = p.s->last_done - p.s->first_done;
	row->share = (double)(LOADS - 1) * (c->bytes / line) / (double)row->cycles;
	row->bytes_per_cycle = row->share * line;
	row->failed |=
		!stage_drain(p.s) || p.s->tx != 0 || rig_faulted(p.s->rig, 0) || rig_faulted(p.s->rig, 1);
	for (uint32_t i = LOADS - slots; i < LOADS; i++)
		row->failed |= !stage_same(p.s, 1, STAGE_SMEM + i % slots * c->bytes,
		                           p.s->memory + (uint64_t)(i % 511) * c->bytes, c->bytes);
	close_pair(&p, row);
}

/* Loads of queue 1, each behind the other, beside reductions of queue 0: the slowest one, from its accept to
 * its barrier. */
void bench_load_beside_reductions(const struct bench_case *c, struct bench_rows *rows)
{
	enum { LOADS = 64, THERE = 1 << 24 };
	struct pair p;
	struct bench_row *row = open_pair(c, rows, &p);
	uint32_t next = 0;

	if (!row)
		return;
	stage_init(p.s, 1, THERE | BARRIER, 1);
	row->failed = !stage_drain(p.s);
	rig_smem_poll(p.s->rig, 1, BARRIER);
	for (uint32_t i = 0; i < LOADS && !row->failed; i++) {
		uint64_t end = rig_cycle(p.s->rig) + 10000, done;
		struct rig_polled polled;

		stage_arrive(p.s, 1, THERE | BARRIER, c->bytes);
		p.s->accept = 0;
		stage_accept(p.s, 1,
		             (uint32_t)stage_do(p.s, 1, TMA_BULK_LOAD,
		                                .global_address = STAGE_BASE + c->bytes * i,
		                                .shared_dst = THERE | (STAGE_SMEM + c->bytes * i),
		                                .size = c->bytes, .barrier = THERE | BARRIER));
		do {
			keep_reducing(p.s, &next);
			rig_step(p.s->rig);
			polled = rig_smem_polled(p.s->rig, 1);
		} while ((!polled.valid || (polled.value >> 61 & 1) != (i + 1) % 2) &&
		         rig_cycle(p.s->rig) < end);
		done = polled.since - p.s->accept;
		row->failed |= rig_cycle(p.s->rig) >= end;
		row->cycles = done > row->cycles ? done : row->cycles;
	}
	row->failed |= !stage_drain(p.s) || rig_faulted(p.s->rig, 0) || rig_faulted(p.s->rig, 1);
	row->failed |= !stage_same(p.s, 1, STAGE_SMEM, p.s->memory, c->bytes * LOADS);
	row->count = 1;
	close_pair(&p, row);
}

/* argument: tile, third byte 1: the share is that of a row per cycle, of 16 of each. */
void bench_tile_reductions(const struct bench_case *c, struct bench_rows *rows)
{
	const struct bench_tile *t = &bench_reduce_tiles[c->argument & 0xFFFF];
	struct pair p;
	struct bench_row *row = open_pair(c, rows, &p);
	uint32_t n = COUNT, step = tile_step(t, c->bytes), slots;

	if (!row)
		return;
	slots = p.s->rotate / step;
	row->failed = !tile_map(p.s, t, STAGE_HALF) || !tile_warm(p.s);
	memcpy(p.global + STAGE_MAPS, p.s->memory + STAGE_MAPS, 4096);
	for (uint32_t i = 0; i < n; i++) {
		struct tma_command command = tile_command(t, TMA_TENSOR_REDUCE, i);

		command.shared_dst = STAGE_SMEM + i % slots * step;
		both(&p, 0, command);
	}
	stage_wait_stores(p.s, 0);
	row->failed |= rig_wait_records(p.s->rig, 0, 1, LIMIT) != 0 || !agree(&p, 1);
	/* Each burst is answered; what is behind the first answer is counted. */
	row->count = n;
	row->cycles = p.s->last_b - p.s->first_b;
	row->bytes_per_cycle =
		(double)c->bytes * n * (double)(p.s->bursts - 1) / (double)p.s->bursts / (double)row->cycles;
	row->share = row->bytes_per_cycle / (c->argument >> 16 ? 16 : rig_info(p.s->rig)->data_bytes);
	close_pair(&p, row);
}
