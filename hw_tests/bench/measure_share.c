/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of a path: what each of several queues gets of it that all want as much as they can get. */
#include <string.h>

#include "tile.h"

#define BARRIER 0u
#define QUEUES  8u                    /* of the configuration, at most */
#define PLACES  (STAGE_HALF / QUEUES) /* bytes that are a queue's own, of either half of the memory */
#define BATCH   64u                   /* loads that a barrier is told of at a time */
#define AHEAD   16u                   /* commands that wait of a queue that goes on and on */
#define ASIDE   1024u                 /* bytes of an operation of the queues at the side */
#define FENCED  TMA_MAP_BYTES         /* of the maps, one that no stream needs */
#define FLIGHT  256u                  /* bursts until as many are in flight as may be */
#define LIMIT   1000000u              /* cycles until a measurement counts as hung */

/* What a queue does again and again. */
struct stream {
	uint8_t opcode, detail; /* detail: the tile, or operator and type */
	uint32_t bytes, slots;  /* of an operation; buffers of a queue */
	uint32_t step;          /* from place to place: no two operations want one line */
};

/* What queues have asked for at the pins, from burst FLIGHT on until the first of them has asked for all of its
 * own. Copies that no port sees count when their commands are taken. */
struct shares {
	struct stream stream;
	uint32_t queues, line, seen;
	bool over;
	uint64_t asked[QUEUES], bytes[QUEUES], first, last;
};

static bool writes(const struct stream *t)
{
	return t->opcode == TMA_BULK_STORE || t->opcode == TMA_TENSOR_STORE || t->opcode == TMA_BULK_REDUCE;
}

static bool is_tile(const struct stream *t)
{
	return t->opcode == TMA_TENSOR_LOAD || t->opcode == TMA_TENSOR_STORE;
}

static void count(struct shares *shares, uint64_t cycle, uint64_t queue, uint32_t bytes)
{
	if (shares->over || queue >= shares->queues)
		return;
	shares->asked[queue] += bytes;
	shares->over = shares->asked[queue] == PLACES;
	if (shares->seen++ < FLIGHT) {
		shares->first = cycle;
	} else {
		shares->bytes[queue] += bytes;
		shares->last = cycle;
	}
}

static void watch(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct shares *shares = arg;
	const struct tma_axi_out *o = &out->axi[0];
	bool stores = writes(&shares->stream);
	bool taken = stores ? o->aw_valid && in->axi[0].aw_ready : o->ar_valid && in->axi[0].ar_ready;
	uint64_t place = (stores ? o->aw_addr - STAGE_HALF : o->ar_addr) - STAGE_BASE;

	if (taken)
		count(shares, cycle, place / PLACES, ((stores ? o->aw_len : o->ar_len) + 1u) * shares->line);
}

static void watch_commands(void *arg, uint64_t cycle, uint32_t queue, uint32_t index,
                           const struct tma_command *command)
{
	(void)index;
	if (command->opcode == TMA_BULK_SHARED)
		count(arg, cycle, queue, command->size);
}

/* Buffers are in half of the CTA's memory, since two queues may have one CTA; what is copied to the buffers of another
 * one has half of that. */
static struct stream stream_of(const struct stage *s, uint8_t opcode, uint8_t detail, uint32_t bytes)
{
	uint32_t line = rig_info(s->rig)->data_bytes;

	return (struct stream){ .opcode = opcode,
		                .detail = detail,
		                .bytes = bytes,
		                .slots = s->rotate / (opcode == TMA_BULK_SHARED ? 4 : 2) / bytes,
		                .step = bytes > line ? bytes : line };
}

/* Where the queue's copies to another CTA go: behind that one's own buffers. */
static uint32_t beyond(const struct stage *s, const struct stream *t, uint32_t queue)
{
	return (queue + 1) % rig_info(s->rig)->ctas << 24 | (STAGE_SMEM + t->slots * t->bytes);
}

/* Operation @p i of the queue's stream: it goes through the queue's places, and through its buffers. */
static void operate(struct stage *s, const struct stream *t, uint32_t queue, uint32_t i)
{
	uint32_t ctas = rig_info(s->rig)->ctas, cta = queue % ctas << 24, slot = i % t->slots * t->bytes;
	uint32_t shared = cta | (STAGE_SMEM + queue / ctas * t->slots * t->bytes + slot), to = shared;
	uint64_t place = (uint64_t)queue * PLACES + (uint64_t)i * t->step % PLACES;
	uint32_t barrier;
	struct tma_command tile;

	if (t->opcode == TMA_BULK_SHARED)
		to = beyond(s, t, queue) + slot;
	barrier = (to & 0xFF000000) | BARRIER;
	if (!writes(t) && t->opcode != TMA_CP_ASYNC && i % BATCH == 0)
		stage_expect(s, queue, barrier, BATCH * t->bytes);
	switch (t->opcode) {
	case TMA_BULK_LOAD:
		stage_load(s, queue, place, to, t->bytes, barrier, 0);
		break;
	case TMA_BULK_STORE:
		stage_store(s, queue, STAGE_HALF + place, shared, t->bytes);
		break;
	case TMA_BULK_SHARED:
		stage_shared(s, queue, shared, to, t->bytes, barrier);
		break;
	case TMA_BULK_REDUCE:
		stage_do(s, queue, TMA_BULK_REDUCE, .op = t->detail & 15, .type = t->detail >> 4,
		         .global_address = STAGE_BASE + STAGE_HALF + place, .shared_src = shared,
		         .size = t->bytes);
		break;
	case TMA_CP_ASYNC:
		stage_do(s, queue, TMA_CP_ASYNC, .global_address = STAGE_BASE + place, .shared_dst = to,
		         .size = t->bytes);
		break;
	default: /* boxes follow each other in memory */
		tile = tile_command(&bench_tiles[t->detail], t->opcode, (uint32_t)(place / t->bytes));
		tile.shared_dst = shared;
		tile.barrier = writes(t) ? 0 : barrier;
		stage_submit(s, queue, tile);
	}
}

/* What the stream of a queue has left: of stores every place, of others every buffer. The first queue of each CTA. */
static bool left(struct stage *s, const struct stream *t, uint32_t queue)
{
	uint32_t n = PLACES / t->step;
	bool same = true;

	for (uint32_t i = writes(t) ? 0 : n - t->slots; i < n; i++) {
		const uint8_t *place = s->memory + (uint64_t)queue * PLACES + (uint64_t)i * t->step;
		uint32_t slot = i % t->slots * t->bytes, to = beyond(s, t, queue) + slot;

		if (writes(t))
			same &= !memcmp(place + STAGE_HALF, s->memory + slot, t->bytes);
		else if (t->opcode == TMA_BULK_SHARED)
			same &= stage_same(s, to >> 24, to & 0xFFFFFF, s->memory + slot, t->bytes);
		else
			same &= stage_same(s, queue % rig_info(s->rig)->ctas, STAGE_SMEM + slot, place,
			                   t->bytes);
	}
	return same;
}

/* Two queues more load while the streams write, or else store: one as fast as it may, the next one with a fence of a
 * map behind each. true: they had something to do to the end. */
static bool beside(struct stage *s, const struct shares *shares)
{
	uint32_t fast = shares->queues, fences = fast + 1, i = 0, k = 0;
	uint64_t end = rig_cycle(s->rig) + LIMIT;
	struct stream other =
		stream_of(s, writes(&shares->stream) ? TMA_BULK_LOAD : TMA_BULK_STORE, 0, ASIDE);

	while (!shares->over && rig_cycle(s->rig) < end) {
		while (rig_waiting(s->rig, fast) < AHEAD)
			operate(s, &other, fast, i++);
		while (rig_waiting(s->rig, fences) < AHEAD) {
			operate(s, &other, fences, k++);
			stage_do(s, fences, TMA_MAP_FENCE,
			         .global_address = STAGE_BASE + STAGE_MAPS + FENCED);
		}
		rig_step(s->rig);
	}
	return shares->over && rig_accepted(s->rig, fences) > AHEAD;
}

/* Shared memory, barriers and the map of the streams. What is added to begins as 0: its sums are what stores leave. */
static bool set_up(struct stage *s, const struct stream *t)
{
	const struct tma_sim_info *info = rig_info(s->rig);
	bool good = true;

	for (uint32_t cta = 0; cta < info->ctas; cta++) {
		rig_smem_write(s->rig, cta, STAGE_SMEM, s->memory, s->rotate);
		stage_init(s, cta, cta << 24 | BARRIER, 1);
	}
	if (t->opcode == TMA_BULK_REDUCE)
		memset(s->memory + STAGE_HALF, 0, STAGE_HALF);
	if (is_tile(t))
		good = tile_map(s, &bench_tiles[t->detail], writes(t) ? STAGE_HALF : 0) && tile_warm(s);
	return stage_drain(s) && good;
}

/* Queues 0 to n - 1 do the same as fast as they may; two others load or store and fence maps. Two rows: the least and
 * the most that one of them got, of an n-th. argument: low byte n, of CTAs at most; second byte the opcode; third byte
 * the tile, whose boxes follow each other, or BENCH_OF(operator, type). Of reductions: no row where the engine has
 * none. */
void bench_equal_shares(const struct bench_case *c, struct bench_rows *rows)
{
	struct shares shares = { .queues = c->argument & 255 };
	struct stage *s = stage_open(c, NULL, NULL);
	struct rig_hooks hooks = { .arg = &shares };
	uint64_t sum = 0, least = UINT64_MAX, most = 0;
	uint8_t opcode = c->argument >> 8 & 255;
	struct bench_row *row;

	if (s && opcode == TMA_BULK_REDUCE && !rig_info(s->rig)->reductions) {
		stage_close(s, NULL);
		return;
	}
	row = (bench_add(rows, c), bench_add(rows, c) - 1);
	row->failed = !s;
	if (!s)
		return;
	shares.line = rig_info(s->rig)->data_bytes;
	shares.stream = stream_of(s, opcode, c->argument >> 16 & 255, c->bytes);
	if (opcode == TMA_BULK_SHARED)
		hooks.command = watch_commands;
	else
		hooks.cycle = watch;
	row->failed = !set_up(s, &shares.stream) || rig_hook(s->rig, &hooks);
	for (uint32_t i = 0; i < PLACES / shares.stream.step; i++)
		for (uint32_t q = 0; q < shares.queues; q++)
			operate(s, &shares.stream, q, i);
	row->failed |= !beside(s, &shares) || !stage_drain(s);
	for (uint32_t q = 0; q < shares.queues; q++) {
		sum += shares.bytes[q];
		least = shares.bytes[q] < least ? shares.bytes[q] : least;
		most = shares.bytes[q] > most ? shares.bytes[q] : most;
		row->failed |= !left(s, &shares.stream, q);
	}
	for (uint32_t q = 0; q < shares.queues + 2; q++)
		row->failed |= rig_faulted(s->rig, q);
	row->count = (uint32_t)(sum / shares.stream.step);
	row->cycles = shares.last - shares.first;
	row->bytes_per_cycle = row->cycles ? (double)c->bytes * row->count / (double)row->cycles : 0;
	row->share = sum ? (double)least * shares.queues / (double)sum : 0;
	stage_close(s, row);
	row[1] = row[0];
	snprintf(row[0].name, sizeof(row[0].name), "%s: least", c->name);
	snprintf(row[1].name, sizeof(row[1].name), "%s: most", c->name);
	row[1].rule = BENCH_NO_MORE;
	row[1].limit = 2 - c->limit;
	row[1].share = sum ? (double)most * shares.queues / (double)sum : 0;
}
