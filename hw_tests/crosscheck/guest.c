/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the guest does in its lives.
 *
 *	its shared memory, in every CTA   | two barriers | data |
 *	its pages                         | a map | data | data ... | all accesses fail |
 *
 * Copies go side by side in batches, none of which touches what another one of it writes; at its end a
 * batch waits for all of them. What is written into other CTAs nobody can wait for: no more is done with
 * it in this life, and what is copied there is not written.
 */
#include "crosscheck/guest.h"

#include <stdlib.h>

#include "crosscheck/gen.h"

#define READ_WRITE   3u
#define MAX_CYCLES   900u
#define CUT_PERCENT  60
#define NEVER_OFFSET 8u /* of the barrier for which nobody arrives; the other one counts bytes */
#define TRIES        20
#define BATCH_ROOM   14u /* commands that a batch of one copy may take */
#define MAX_CHUNKS   40u
#define BOX_CHUNKS   8u /* of alignment */

/* Chunks in the life in work. */
enum use { FREE, READ, KEPT, WRITTEN, LOST };

struct maker {
	struct gen *g;
	struct program *p;
	struct guest_life *life;
	uint8_t *use[MAX_CTAS + 1]; /* the last one: global memory */
	uint32_t phase;             /* batches that have waited at the barrier */
	uint32_t expect;            /* bytes that the barrier of the own CTA is to count */
	bool stores, copies;
};

#define PAGES MAX_CTAS

static uint32_t below(struct maker *k, uint32_t n)
{
	return rng_below(&k->g->rng, n);
}

static bool percent(struct maker *k, uint32_t n)
{
	return rng_percent(&k->g->rng, n);
}

static void add(struct maker *k, struct tma_command cmd)
{
	cmd.version = TMA_COMMAND_VERSION;
	cmd.tag = (uint32_t)(k->life - k->p->guest.lives->life) << GUEST_TAG_SHIFT |
	          (uint32_t)rng_next(&k->g->rng) >> (32 - GUEST_TAG_SHIFT);
	if (percent(k, 40))
		cmd.flags |= TMA_FLAG_RECORD;
	k->life->commands[k->life->count++] = cmd;
}

static uint32_t own(const struct maker *k)
{
	return k->life->setup.cta;
}

static uint32_t barrier(const struct maker *k, uint32_t cta, uint32_t offset)
{
	return cta << 24 | (k->p->guest.shared_at + offset);
}

static uint32_t shared(const struct maker *k, uint32_t cta, uint32_t chunk)
{
	return cta << 24 | (k->p->guest.shared_at + chunk * CHUNK_BYTES);
}

static uint64_t global(const struct maker *k, uint32_t chunk)
{
	return k->p->global_base + k->p->guest.global_at + (uint64_t)chunk * CHUNK_BYTES;
}

/*
 * Places.
 */

static uint32_t chunks_of(const struct maker *k, uint32_t space)
{
	return space == PAGES ? (GUEST_PAGES - 1) * PAGE_BYTES / CHUNK_BYTES
	                      : k->p->guest.shared_bytes / CHUNK_BYTES;
}

static bool is_free(const struct maker *k, uint32_t space, uint32_t at, uint32_t chunks, bool write)
{
	for (uint32_t i = at; i < at + chunks; i++)
		if (write ? k->use[space][i] != FREE : k->use[space][i] > KEPT)
			return false;
	return true;
}

static void take(struct maker *k, uint32_t space, uint32_t at, uint32_t chunks, enum use use)
{
	for (uint32_t i = at; i < at + chunks; i++)
		if (k->use[space][i] < use)
			k->use[space][i] = (uint8_t)use;
}

/* So many chunks of the space, at a multiple of `align`. False: none were found. */
static bool find(struct maker *k, uint32_t space, uint32_t chunks, uint32_t align, bool write, uint32_t *at)
{
	uint32_t all = chunks_of(k, space);

	for (uint32_t i = 0; i < TRIES && chunks <= all; i++) {
		*at = below(k, all - chunks + 1) / align * align;
		if (is_free(k, space, *at, chunks, write))
			return true;
	}
	return false;
}

/* The wait is over: what others have not written into is free again. */
static void forget(struct maker *k)
{
	for (uint32_t s = 0; s <= PAGES; s++)
		for (uint32_t i = 0; k->use[s] && i < chunks_of(k, s); i++)
			if (k->use[s][i] != LOST && k->use[s][i] != KEPT)
				k->use[s][i] = FREE;
}

/*
 * Copies of a batch.
 */

/* CTAs that get the data: the own one, and perhaps others. Each counts it. */
static bool find_targets(struct maker *k, uint32_t chunks, uint32_t align, uint16_t *targets, uint32_t *at)
{
	*targets = (uint16_t)(1u << own(k));
	if (percent(k, 35))
		*targets |= (uint16_t)rng_next(&k->g->rng) & k->life->setup.cta_mask;
	if (!find(k, own(k), chunks, align, true, at))
		return false;
	for (uint32_t c = 0; c < k->p->shape->ctas; c++)
		if (*targets >> c & 1 && c != own(k) && !is_free(k, c, *at, chunks, true))
			*targets &= (uint16_t) ~(1u << c);
	for (uint32_t c = 0; c < k->p->shape->ctas; c++)
		if (*targets >> c & 1)
			take(k, c, *at, chunks, c == own(k) ? WRITTEN : LOST);
	return true;
}

static void target(struct maker *k, struct tma_command *cmd, uint16_t targets, uint32_t at)
{
	cmd->shared_dst = shared(k, own(k), at);
	cmd->barrier = barrier(k, own(k), 0);
	if (targets == 1u << own(k))
		return;
	cmd->flags |= TMA_FLAG_MULTICAST;
	cmd->cta_mask = targets;
}

static uint32_t any_chunks(struct maker *k)
{
	uint32_t most = k->p->guest.shared_bytes / CHUNK_BYTES / 4;

	return 1 + below(k, most < MAX_CHUNKS ? most : MAX_CHUNKS);
}

static void load(struct maker *k)
{
	uint32_t chunks = any_chunks(k), from, at;
	struct tma_command cmd = { .opcode = TMA_BULK_LOAD, .size = chunks * CHUNK_BYTES };
	uint16_t targets;

	if (!find(k, PAGES, chunks, 1, false, &from) || !find_targets(k, chunks, 1, &targets, &at))
		return;
	take(k, PAGES, from, chunks, READ);
	cmd.global_address = global(k, from);
	target(k, &cmd, targets, at);
	k->expect += cmd.size;
	add(k, cmd);
}

static void store(struct maker *k)
{
	uint32_t chunks = any_chunks(k), from, at;
	struct tma_command cmd = { .opcode = TMA_BULK_STORE, .size = chunks * CHUNK_BYTES };

	if (!find(k, own(k), chunks, 1, false, &from) || !find(k, PAGES, chunks, 1, true, &at))
		return;
	take(k, own(k), from, chunks, READ);
	take(k, PAGES, at, chunks, WRITTEN);
	cmd.shared_src = shared(k, own(k), from);
	cmd.global_address = global(k, at);
	if (percent(k, 30)) {
		cmd.flags = TMA_FLAG_CP_MASK;
		cmd.byte_mask = (uint16_t)rng_next(&k->g->rng);
	}
	k->stores = true;
	add(k, cmd);
}

/* To another CTA, which counts. */
static void shared_copy(struct maker *k)
{
	uint32_t chunks = any_chunks(k), from, at, cta = below(k, k->p->shape->ctas);
	struct tma_command cmd = { .opcode = TMA_BULK_SHARED, .size = chunks * CHUNK_BYTES };

	if (cta == own(k) || !(k->life->setup.cta_mask >> cta & 1) ||
	    !find(k, own(k), chunks, 1, false, &from) || !find(k, cta, chunks, 1, true, &at))
		return;
	take(k, own(k), from, chunks, KEPT);
	take(k, cta, at, chunks, LOST);
	cmd.shared_src = shared(k, own(k), from);
	cmd.shared_dst = shared(k, cta, at);
	cmd.barrier = barrier(k, cta, 0);
	add(k, cmd);
}

static void copy_async(struct maker *k)
{
	uint32_t from, at;

	if (!find(k, PAGES, 1, 1, false, &from) || !find(k, own(k), 1, 1, true, &at))
		return;
	take(k, PAGES, from, 1, READ);
	take(k, own(k), at, 1, WRITTEN);
	k->copies = true;
	add(k, (struct tma_command){ .opcode = TMA_CP_ASYNC,
	                             .size = 16,
	                             .shared_dst = shared(k, own(k), at),
	                             .global_address = global(k, from) });
}

/* Its map is the guest's own. What it reads of the pages nobody may write meanwhile. */
static void tensor_load(struct maker *k)
{
	const struct tensor *t = &k->g->guest_map;
	struct tma_command cmd = tensor_command(k->g, t, TMA_TENSOR_LOAD);
	struct tensor_span span = tensor_measure(t, &cmd, k->p->global_base + k->p->guest.global_at,
	                                         (uint64_t)(GUEST_PAGES - 1) * PAGE_BYTES);
	uint32_t chunks = (span.shared + CHUNK_BYTES - 1) / CHUNK_BYTES, from, last, at;
	uint16_t targets;

	from = (uint32_t)(span.first / CHUNK_BYTES);
	last = (uint32_t)(span.last / CHUNK_BYTES);
	if (!span.fits || (span.inside && !is_free(k, PAGES, from, last + 1 - from, false)) ||
	    !find_targets(k, chunks, BOX_CHUNKS, &targets, &at))
		return;
	if (span.inside)
		take(k, PAGES, from, last + 1 - from, READ);
	cmd.global_address = global(k, 0);
	target(k, &cmd, targets, at);
	k->expect += span.tx;
	add(k, cmd);
}

/* Fences, also of what others use; prefetches. */
static void map_command(struct maker *k)
{
	bool mine = k->p->tensor && percent(k, 20);
	struct tma_command cmd = { .opcode = TMA_MAP_FENCE, .global_address = global(k, 0) };

	if (!mine && k->p->num_maps)
		cmd.global_address = k->p->global_base + k->p->maps[below(k, k->p->num_maps)].at;
	if (mine && percent(k, 50))
		cmd.opcode = TMA_PREFETCH_TENSORMAP;
	add(k, cmd);
}

static void one(struct maker *k)
{
	switch (below(k, 9)) {
	case 0:
	case 1:
	case 2:
		load(k);
		break;
	case 3:
	case 4:
		store(k);
		break;
	case 5:
		shared_copy(k);
		break;
	case 6:
		copy_async(k);
		break;
	case 7:
		add(k, (struct tma_command){ .opcode = TMA_BULK_PREFETCH,
		                             .size = CHUNK_BYTES * (1 + below(k, 64)),
		                             .global_address = global(k, below(k, 200)) });
		break;
	default:
		for (uint32_t i = 1 + below(k, 3); i; i--)
			map_command(k);
	}
	if (k->p->tensor && percent(k, 25))
		tensor_load(k);
}

static void wait(struct maker *k)
{
	if (k->stores) {
		add(k, (struct tma_command){ .opcode = TMA_BULK_COMMIT_GROUP });
		add(k, (struct tma_command){ .opcode = TMA_BULK_WAIT_GROUP });
	}
	if (k->copies)
		add(k, (struct tma_command){ .opcode = TMA_CP_ASYNC_WAIT_ALL });
	/* Without copies it is a phase as well. */
	add(k, (struct tma_command){ .opcode = TMA_MBARRIER_ARRIVE,
	                             .flags = k->expect ? TMA_FLAG_EXPECT_TX : 0,
	                             .count = 1,
	                             .tx = k->expect,
	                             .barrier = barrier(k, own(k), 0) });
	add(k, (struct tma_command){ .opcode = TMA_MBARRIER_TRY_WAIT,
	                             .flags = TMA_FLAG_PARITY,
	                             .count = k->phase++ & 1,
	                             .tx = FOREVER,
	                             .barrier = barrier(k, own(k), 0) });
	k->expect = 0;
	k->stores = k->copies = false;
	forget(k);
}

/*
 * Faults.
 */

static void wait_for_ever(struct maker *k)
{
	add(k, (struct tma_command){ .opcode = TMA_MBARRIER_TRY_WAIT,
	                             .flags = TMA_FLAG_PARITY,
	                             .tx = FOREVER,
	                             .barrier = barrier(k, own(k), NEVER_OFFSET) });
}

/* Of a load that finds nothing good in the last page, or of a store that may not go there. */
static void late_fault(struct maker *k)
{
	uint32_t last = (GUEST_PAGES - 1) * PAGE_BYTES / CHUNK_BYTES, chunks = any_chunks(k), at;
	struct tma_command cmd = { .opcode = TMA_BULK_LOAD,
		                   .size = chunks * CHUNK_BYTES,
		                   .global_address = global(k, last + below(k, 128)) };

	if (!find(k, own(k), chunks, 1, true, &at))
		return;
	cmd.shared_dst = shared(k, own(k), at);
	cmd.barrier = barrier(k, own(k), 0);
	if (percent(k, 40)) {
		cmd.opcode = TMA_BULK_STORE;
		cmd.shared_src = cmd.shared_dst;
		cmd.shared_dst = cmd.barrier = 0;
		/* Behind the pages: in no window. */
		if (percent(k, 50))
			cmd.global_address += PAGE_BYTES;
	}
	add(k, cmd);
	k->life->hold[k->life->count] = true;
	wait_for_ever(k);
}

static void fault(struct maker *k)
{
	switch (below(k, 4)) {
	case 0:
		wait_for_ever(k);
		break;
	case 1:
		add(k, (struct tma_command){ .opcode = TMA_SIGNAL });
		k->life->commands[k->life->count - 1].version++;
		break;
	default:
		late_fault(k);
	}
}

/*
 * Lives.
 */

static void choose_setup(struct maker *k)
{
	struct queue_setup *s = &k->life->setup;
	const struct program *p = k->p;
	uint64_t rings = p->rings_base + p->guest.rings_at;

	*s = (struct queue_setup){ .used = true,
		                   .cta = (uint8_t)below(k, p->shape->ctas),
		                   .stream = (uint8_t)(p->guest.queue << 4 | below(k, 16)),
		                   .prot = (uint8_t)below(k, 8),
		                   .ring = percent(k, 50),
		                   .interrupt = percent(k, 40),
		                   .ring_log2 = (uint8_t)(4 + below(k, 3)),
		                   .records_log2 = (uint8_t)(4 + below(k, 3)),
		                   .bell = (uint8_t)below(k, 3),
		                   .consumer = percent(k, 60),
		                   .ring_at = p->guest.rings_at,
		                   .records_at = p->guest.rings_at + PAGE_BYTES };
	s->cta_mask = (uint16_t)((1u << p->shape->ctas) - 1);
	if (percent(k, 20))
		s->cta_mask &= (uint16_t)(rng_next(&k->g->rng) | 1u << s->cta);
	/* The pages in one piece or in two; windows of lives differ in number. */
	s->windows[s->num_windows++] =
		(struct window){ rings, rings + GUEST_RING_PAGES * PAGE_BYTES - 1, READ_WRITE };
	if (percent(k, 50)) {
		uint32_t first = 1 + below(k, GUEST_PAGES - 1);

		s->windows[s->num_windows++] =
			gen_window(p, p->guest.global_at, first * PAGE_BYTES, READ_WRITE);
		s->windows[s->num_windows++] = gen_window(p, p->guest.global_at + first * PAGE_BYTES,
		                                          (GUEST_PAGES - first) * PAGE_BYTES, READ_WRITE);
	} else {
		s->windows[s->num_windows++] =
			gen_window(p, p->guest.global_at, GUEST_PAGES * PAGE_BYTES, READ_WRITE);
	}
}

/* The barriers first, which a life before may have left in any state. */
static void make_life(struct maker *k)
{
	struct guest_life *life = k->life;
	uint32_t most = GUEST_COMMANDS - BATCH_ROOM - 1, batches = 1 + below(k, 4);

	k->phase = k->expect = 0;
	k->stores = k->copies = false;
	for (uint32_t s = 0; s <= PAGES; s++)
		for (uint32_t i = 0; k->use[s] && i < chunks_of(k, s); i++)
			k->use[s][i] = FREE;
	for (uint32_t c = 0; c < k->p->shape->ctas; c++)
		k->use[c][0] = LOST;
	/* Where its map is. */
	take(k, PAGES, 0, MAP_BYTES / CHUNK_BYTES, LOST);
	for (uint32_t i = 0; i < 2; i++)
		add(k, (struct tma_command){ .opcode = TMA_MBARRIER_INIT,
		                             .count = 1,
		                             .barrier = barrier(k, own(k), i * NEVER_OFFSET) });
	while (batches-- && life->count < most) {
		for (uint32_t i = below(k, 8); i && life->count < most; i--)
			one(k);
		wait(k);
		if (life->count < most && percent(k, 35))
			fault(k);
	}
}

void guest_make(struct gen *g)
{
	struct guest_lives *lives;
	struct maker k = { .g = g, .p = g->p };

	if (!g->p->guest.on)
		return;
	lives = calloc(1, sizeof(*lives));
	g->p->guest.lives = lives;
	for (uint32_t s = 0; s <= PAGES; s++)
		if (s == PAGES || s < g->shape->ctas)
			k.use[s] = malloc(chunks_of(&k, s));
	lives->count = 2 + rng_below(&g->rng, GUEST_LIVES - 1);
	for (uint32_t i = 0; i < lives->count; i++) {
		k.life = &lives->life[i];
		if (i + 1 < lives->count && percent(&k, CUT_PERCENT))
			k.life->cut = 1 + below(&k, percent(&k, 30) ? 60 : MAX_CYCLES);
		k.life->renew = !i || percent(&k, 50);
		choose_setup(&k);
		if (!k.life->renew)
			k.life->setup = lives->life[i - 1].setup;
		make_life(&k);
	}
	for (uint32_t s = 0; s <= PAGES; s++)
		free(k.use[s]);
}

void guest_choose_map(struct gen *g)
{
	const struct program *p = g->p;
	struct map_image *image = &g->p->maps[g->p->num_maps];

	if (!p->guest.on || !p->tensor)
		return;
	g->p->num_maps++;
	tensor_choose(&g->rng, g->shape, p->global_base + p->guest.global_at + MAP_BYTES,
	              (GUEST_PAGES - 1) * PAGE_BYTES - MAP_BYTES, p->guest.shared_bytes / 4, &g->guest_map);
	image->at = p->guest.global_at;
	tensor_encode(&g->guest_map, image->word);
}

struct bus_error guest_error(const struct program *p)
{
	return (struct bus_error){ .address = p->global_base + p->guest.global_at +
		                              (GUEST_PAGES - 1) * PAGE_BYTES,
		                   .bytes = PAGE_BYTES,
		                   .read = true,
		                   .write = true,
		                   .resp = p->guest.queue & 1 ? 2 : 3 };
}
