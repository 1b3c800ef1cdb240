/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of a path: what each of several queues gets of it that all want as much as they can get. */
#include <string.h>

#include "stage.h"

#define BARRIER 0u
#define QUEUES  8u                    /* of the configuration, at most */
#define PLACES  (STAGE_HALF / QUEUES) /* bytes that are a queue's own, of either half of the memory */
#define BATCH   64u                   /* loads that a barrier is told of at a time */
#define AHEAD   16u                   /* commands that wait of a queue that goes on and on */
#define FLIGHT  256u                  /* bursts until as many are in flight as may be */
#define LIMIT   1000000u              /* cycles until a measurement counts as hung */

/* What queues have asked for at the pins, from burst FLIGHT on until the first of them has asked for all of its
 * own. */
struct shares {
	uint32_t queues, line, bursts;
	bool stores, over;
	uint64_t asked[QUEUES], bytes[QUEUES], first, last;
};

static void watch(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct shares *shares = arg;
	const struct tma_axi_out *o = &out->axi[0];
	bool taken = shares->stores ? o->aw_valid && in->axi[0].aw_ready : o->ar_valid && in->axi[0].ar_ready;
	uint64_t place = (shares->stores ? o->aw_addr - STAGE_HALF : o->ar_addr) - STAGE_BASE;
	uint64_t queue = place / PLACES;
	uint32_t bytes;

	if (shares->over || !taken || queue >= shares->queues)
		return;
	bytes = ((shares->stores ? o->aw_len : o->ar_len) + 1u) * shares->line;
	shares->asked[queue] += bytes;
	shares->over = shares->asked[queue] == PLACES;
	if (shares->bursts++ < FLIGHT) {
		shares->first = cycle;
	} else {
		shares->bytes[queue] += bytes;
		shares->last = cycle;
	}
}

/* Buffers of a queue, of half of its CTA's memory: two queues may have one CTA. */
static uint32_t slots_of(const struct stage *s, const struct bench_case *c)
{
	return s->rotate / 2 / c->bytes;
}

/* Operation @p i of the queue's stream: it goes through the queue's places, and through its buffers. */
static void operate(struct stage *s, const struct bench_case *c, uint32_t queue, bool store, uint32_t i)
{
	uint32_t ctas = rig_info(s->rig)->ctas, cta = queue % ctas << 24, slots = slots_of(s, c);
	uint32_t shared = cta | (STAGE_SMEM + (queue / ctas * slots + i % slots) * c->bytes);
	uint64_t place = (uint64_t)queue * PLACES + (uint64_t)i * c->bytes % PLACES;

	if (!store && i % BATCH == 0)
		stage_expect(s, queue, cta | BARRIER, BATCH * c->bytes);
	if (store)
		stage_store(s, queue, STAGE_HALF + place, shared, c->bytes);
	else
		stage_load(s, queue, place, shared, c->bytes, cta | BARRIER, 0);
}

/* What the stream of a queue has left: of stores every place, of loads every buffer. The first queue of each CTA. */
static bool left(struct stage *s, const struct bench_case *c, uint32_t queue, bool stores)
{
	uint32_t slots = slots_of(s, c), n = PLACES / c->bytes;
	bool same = true;

	for (uint32_t i = stores ? 0 : n - slots; i < n; i++) {
		const uint8_t *place = s->memory + (uint64_t)queue * PLACES + (uint64_t)i * c->bytes;
		uint32_t slot = i % slots * c->bytes;

		same &= stores ? !memcmp(place + STAGE_HALF, s->memory + slot, c->bytes)
		               : stage_same(s, queue % rig_info(s->rig)->ctas, STAGE_SMEM + slot, place,
		                            c->bytes);
	}
	return same;
}

/* Two queues more do the other thing while the streams run: one as fast as it may, the next one with a fence of a
 * map behind each. true: they had something to do to the end. */
static bool beside(struct stage *s, const struct bench_case *c, const struct shares *shares)
{
	uint32_t fast = shares->queues, fences = fast + 1, i = 0, k = 0;
	uint64_t end = rig_cycle(s->rig) + LIMIT;

	while (!shares->over && rig_cycle(s->rig) < end) {
		while (rig_waiting(s->rig, fast) < AHEAD)
			operate(s, c, fast, !shares->stores, i++);
		while (rig_waiting(s->rig, fences) < AHEAD) {
			operate(s, c, fences, !shares->stores, k++);
			stage_do(s, fences, TMA_MAP_FENCE, .global_address = STAGE_BASE + STAGE_MAPS);
		}
		rig_step(s->rig);
	}
	return shares->over && rig_accepted(s->rig, fences) > AHEAD;
}

/* Queues 0 to n - 1 load, or store, as fast as they may; two others do the other thing and fence maps. Two rows:
 * the least and the most that one of them got, of an n-th. argument: low byte n, of CTAs at most; second byte 1:
 * they store. */
void bench_equal_shares(const struct bench_case *c, struct bench_rows *rows)
{
	struct shares shares = { .queues = c->argument & 255, .stores = c->argument >> 8 & 255 };
	struct bench_row *row = (bench_add(rows, c), bench_add(rows, c) - 1);
	struct stage *s = stage_open(c, NULL, &row[0]);
	uint64_t sum = 0, least = UINT64_MAX, most = 0;

	if (!s)
		return;
	shares.line = rig_info(s->rig)->data_bytes;
	for (uint32_t cta = 0; cta < rig_info(s->rig)->ctas; cta++) {
		rig_smem_write(s->rig, cta, STAGE_SMEM, s->memory, s->rotate);
		stage_init(s, cta, cta << 24 | BARRIER, 1);
	}
	row->failed =
		!stage_drain(s) || rig_hook(s->rig, &(struct rig_hooks){ .arg = &shares, .cycle = watch });
	for (uint32_t i = 0; i < PLACES / c->bytes; i++)
		for (uint32_t q = 0; q < shares.queues; q++)
			operate(s, c, q, shares.stores, i);
	row->failed |= !beside(s, c, &shares) || !stage_drain(s);
	for (uint32_t q = 0; q < shares.queues; q++) {
		sum += shares.bytes[q];
		least = shares.bytes[q] < least ? shares.bytes[q] : least;
		most = shares.bytes[q] > most ? shares.bytes[q] : most;
		row->failed |= !left(s, c, q, shares.stores);
	}
	for (uint32_t q = 0; q < shares.queues + 2; q++)
		row->failed |= rig_faulted(s->rig, q);
	row->count = (uint32_t)(sum / c->bytes);
	row->cycles = shares.last - shares.first;
	row->bytes_per_cycle = row->cycles ? (double)sum / (double)row->cycles : 0;
	row->share = sum ? (double)least * shares.queues / (double)sum : 0;
	stage_close(s, row);
	row[1] = row[0];
	snprintf(row[0].name, sizeof(row[0].name), "%s: least", c->name);
	snprintf(row[1].name, sizeof(row[1].name), "%s: most", c->name);
	row[1].rule = BENCH_NO_MORE;
	row[1].limit = 2 - c->limit;
	row[1].share = sum ? (double)most * shares.queues / (double)sum : 0;
}
