/* SPDX-License-Identifier: Apache-2.0 */
/* Copies: the waits that they need, the barriers that they signal, the commands. */
#include "crosscheck/gen.h"

#define SLOT_TRIES     4
#define ARMED_PERCENT  80
#define ARM_PERCENT    45
#define EXPECT_PERCENT 20
#define CLOSE_PERCENT  40
#define COMMIT_PERCENT 50
#define COVER_PERCENT  45
#define LOCAL_PERCENT  50
#define ALL_BYTES      0xffffu

static uint32_t shared_chunk(const struct gen *g, uint32_t chunk)
{
	return g->p->arena_at / CHUNK_BYTES + chunk;
}

static uint32_t shared_address(const struct gen *g, uint32_t cta, uint32_t chunk)
{
	return cta << 24 | shared_chunk(g, chunk) * CHUNK_BYTES;
}

struct access copy_shared_access(const struct gen *g, int cta, uint32_t chunk, uint32_t chunks, bool write)
{
	uint64_t first = shared_chunk(g, chunk);

	return (struct access){
		.space = cta, .write = write, .mask = ALL_BYTES, .first = first, .last = first + chunks - 1
	};
}

struct access copy_global_access(const struct gen *g, const struct txn *t, bool write, uint16_t mask)
{
	uint64_t first = g->data_at / CHUNK_BYTES + t->global;

	return (struct access){
		.space = GLOBAL, .write = write, .mask = mask, .first = first, .last = first + t->chunks - 1
	};
}

uint64_t copy_global_address(const struct gen *g, const struct txn *t)
{
	return g->p->global_base + g->data_at + (uint64_t)t->global * CHUNK_BYTES;
}

void copy_add_access(struct gen *g, struct access a, uint32_t step)
{
	struct step *s = &g->p->steps[step];

	a.step = step;
	s->shares |= a.update && known_shares(g, s->queue, &a, step);
	known_add_access(g, &a);
}

/*
 * Barriers of a copy: the same slot in every CTA that is signalled, mostly the targets.
 */

/* Bytes that the barriers count for one target. */
static uint32_t tx_bytes(const struct txn *t)
{
	return t->tx ? t->tx : t->chunks * CHUNK_BYTES;
}

/* The CTA whose barrier is signalled for this target. */
static uint32_t signal_cta(const struct txn *t, uint32_t target)
{
	return t->pair ? (target & ~1u) | t->parity : target;
}

static uint16_t signalled(const struct txn *t)
{
	uint16_t ctas = 0;

	for (uint32_t c = 0; c < MAX_CTAS; c++)
		if (t->targets >> c & 1)
			ctas |= (uint16_t)(1u << signal_cta(t, c));
	return ctas;
}

/* What the barrier of this CTA counts: of two targets, where both are of its pair. */
static uint32_t signal_bytes(const struct txn *t, uint32_t cta)
{
	uint32_t count = 0;

	for (uint32_t c = 0; c < MAX_CTAS; c++)
		count += t->targets >> c & 1 && signal_cta(t, c) == cta;
	return count * tx_bytes(t);
}

static void set_busy(struct gen *g, uint32_t slot, uint16_t ctas, bool busy)
{
	for (uint32_t c = 0; c < g->shape->ctas; c++)
		if (ctas >> c & 1)
			g->bar[c][slot].busy = busy;
}

/* Can the copy signal this slot? armed: the phase waits for these very bytes. */
static bool slot_fits(const struct gen *g, const struct txn *t, uint32_t slot, bool armed)
{
	uint16_t ctas = signalled(t);

	for (uint32_t c = 0; c < g->shape->ctas; c++) {
		const struct bar *b = &g->bar[c][slot];

		if (!(ctas >> c & 1))
			continue;
		if (!bar_usable(b) || (armed && b->left) ||
		    (!b->left && -b->need < (int64_t)signal_bytes(t, c)))
			return false;
		/* Behind the last phase that expects somebody, no bytes are a phase of their own. */
		if (!b->next && !signal_bytes(t, c))
			return false;
	}
	return true;
}

static bool slot_join(struct gen *g, const struct txn *t, uint32_t slot)
{
	uint16_t ctas = signalled(t);

	for (uint32_t c = 0; c < g->shape->ctas; c++)
		if (ctas >> c & 1 && !phase_join(g, t->queue, &g->bar[c][slot]))
			return false;
	return true;
}

static int try_slots(struct gen *g, const struct txn *t, bool armed)
{
	uint8_t list[MAX_SLOTS];
	uint32_t tries = 0;

	for (uint8_t s = 0; s < g->num_slots; s++)
		list[s] = s;
	gen_shuffle(&g->rng, list, g->num_slots);
	for (uint32_t i = 0; i < g->num_slots && tries < SLOT_TRIES; i++) {
		if (!slot_fits(g, t, list[i], armed))
			continue;
		set_busy(g, list[i], signalled(t), true);
		if (slot_join(g, t, list[i]))
			return list[i];
		set_busy(g, list[i], signalled(t), false);
		tries++;
	}
	return -1;
}

/* A slot that the copy's queue may signal, now busy, or -1. */
static int take_slot(struct gen *g, const struct txn *t)
{
	int slot = -1;

	if (rng_percent(&g->rng, ARMED_PERCENT))
		slot = try_slots(g, t, true);
	return slot >= 0 ? slot : try_slots(g, t, false);
}

/* What is said to a barrier before the copy: all arrivals, some bytes to expect, or nothing. */
static void prepare(struct gen *g, uint8_t queue, struct bar *b, uint32_t bytes, uint32_t copies)
{
	if (!b->left)
		return;
	if (rng_percent(&g->rng, ARM_PERCENT))
		phase_arrive(g, -1, b, bytes * copies);
	else if (rng_percent(&g->rng, EXPECT_PERCENT))
		bar_expect(g, queue, b, bytes);
}

static void prepare_all(struct gen *g, const struct txn *t, int slot)
{
	uint16_t ctas = signalled(t);

	for (uint32_t c = 0; c < g->shape->ctas; c++)
		if (ctas >> c & 1)
			prepare(g, t->queue, &g->bar[c][slot], signal_bytes(t, c), 1 + t->credit);
}

/* Issue the copy; its slot is busy, and is not any more afterwards. */
static uint32_t issue(struct gen *g, const struct txn *t, struct tma_command *cmd, int slot)
{
	uint32_t rank = t->multicast ? rng_below(&g->rng, g->shape->ctas) : cmd->shared_dst >> 24, step;
	uint16_t ctas = signalled(t);
	uint8_t queue = t->queue;

	cmd->barrier = signal_cta(t, rank) << 24 | g->slot_offset[slot];
	step = gen_emit(g, queue, cmd);
	for (uint32_t c = 0; c < g->shape->ctas; c++)
		if (t->targets >> c & 1)
			g->p->steps[step].phase[c] = g->bar[signal_cta(t, c)][slot].event;
	for (uint32_t c = 0; c < g->shape->ctas; c++) {
		struct bar *b = &g->bar[c][slot];

		if (!(ctas >> c & 1))
			continue;
		b->used[queue] = g->queue[queue].retired[queue];
		bar_contribute(g, queue, b, signal_bytes(t, c), true);
	}
	set_busy(g, (uint32_t)slot, ctas, false);
	return step;
}

/* Some of the phases that a copy signals are closed at once. */
static void close_some(struct gen *g, const struct txn *t, int slot)
{
	uint16_t ctas = signalled(t);

	for (uint32_t c = 0; c < g->shape->ctas; c++)
		if (ctas >> c & 1 && rng_percent(&g->rng, CLOSE_PERCENT))
			phase_close(g, &g->bar[c][slot]);
}

static struct tma_command load_command(struct gen *g, const struct txn *t)
{
	uint32_t cta = (uint32_t)__builtin_ctz(t->targets | 1u << MAX_CTAS);
	struct tma_command cmd = { .opcode = TMA_BULK_LOAD,
		                   .global_address = copy_global_address(g, t),
		                   .size = t->chunks * CHUNK_BYTES };

	if (t->multicast) {
		cmd.flags = TMA_FLAG_MULTICAST;
		cmd.cta_mask = t->targets;
		cta = rng_below(&g->rng, g->shape->ctas);
	} else if (cta == g->p->queue[t->queue].cta && rng_percent(&g->rng, LOCAL_PERCENT)) {
		cmd.flags = TMA_FLAG_CTA_LOCAL;
	}
	cmd.shared_dst = shared_address(g, cta, t->dst);
	return cmd;
}

static bool targets_free(struct gen *g, const struct txn *t, uint8_t update)
{
	for (int c = 0; c < (int)g->shape->ctas; c++) {
		struct access a = copy_shared_access(g, c, t->dst, t->chunks, true);

		a.update = update;
		if (t->targets >> c & 1 &&
		    (!gen_may_touch(g, t->queue, (uint8_t)c) || !known_free(g, t->queue, &a)))
			return false;
	}
	return true;
}

bool copy_targets_free(struct gen *g, const struct txn *t)
{
	return targets_free(g, t, 0);
}

/* Of some loads their group is waited for: it tells that they have read. */
static void cover(struct gen *g, uint32_t step)
{
	if (!rng_percent(&g->rng, COVER_PERCENT))
		return;
	g->p->steps[step].reads_done = gen_new_event(g, (struct event){ .kind = EVENT_READS, .step = step });
	if (rng_percent(&g->rng, COMMIT_PERCENT))
		known_commit(g, g->p->steps[step].queue);
}

static void add_targets(struct gen *g, const struct txn *t, uint32_t step, uint8_t update)
{
	for (int c = 0; c < (int)g->shape->ctas; c++) {
		struct access a = copy_shared_access(g, c, t->dst, t->chunks, true);

		a.update = update;
		if (t->targets >> c & 1)
			copy_add_access(g, a, step);
	}
}

bool lower_load(struct gen *g, const struct txn *t)
{
	struct access from = copy_global_access(g, t, false, ALL_BYTES);
	struct tma_command cmd;
	uint32_t step;
	int slot;

	if (g->dead[t->queue] || !known_free(g, t->queue, &from) || !copy_targets_free(g, t))
		return false;
	slot = take_slot(g, t);
	if (slot < 0)
		return false;
	prepare_all(g, t, slot);
	cmd = load_command(g, t);
	step = issue(g, t, &cmd, slot);
	copy_add_access(g, from, step);
	add_targets(g, t, step, 0);
	cover(g, step);
	close_some(g, t, slot);
	return true;
}

static bool slot_lies_in(const struct gen *g, int slot, const struct access *a)
{
	uint64_t chunk = g->slot_offset[slot] / CHUNK_BYTES;

	return chunk >= a->first && chunk <= a->last;
}

/* A copy or reduction from the queue's CTA to the target, with its command ready but for its operands in shared
 * memory. */
bool lower_to_shared(struct gen *g, const struct txn *t, struct tma_command *cmd, uint8_t update)
{
	uint8_t cta = g->p->queue[t->queue].cta;
	uint32_t target = (uint32_t)__builtin_ctz(t->targets), step;
	struct access from = copy_shared_access(g, cta, t->src, t->chunks, false);
	int slot;

	cmd->size = t->chunks * CHUNK_BYTES;
	cmd->shared_src = shared_address(g, cta, t->src);
	cmd->shared_dst = shared_address(g, target, t->dst);
	if (g->dead[t->queue] || !known_free(g, t->queue, &from) || !targets_free(g, t, update))
		return false;
	slot = take_slot(g, t);
	if (slot < 0)
		return false;
	prepare_all(g, t, slot);
	/* In the own CTA, that barrier may be what is read. */
	if ((target == cta && slot_lies_in(g, slot, &from)) || !known_free_now(g, t->queue, &from)) {
		set_busy(g, (uint32_t)slot, signalled(t), false);
		return false;
	}
	step = issue(g, t, cmd, slot);
	copy_add_access(g, from, step);
	add_targets(g, t, step, update);
	close_some(g, t, slot);
	return true;
}

bool lower_shared(struct gen *g, const struct txn *t)
{
	struct tma_command cmd = { .opcode = TMA_BULK_SHARED };

	return t->targets != 1u << g->p->queue[t->queue].cta && lower_to_shared(g, t, &cmd, 0);
}

/* A load with its command ready but for the barrier, from all these places. */
bool copy_signalling(struct gen *g, const struct txn *t, struct tma_command *cmd, const struct access *from,
                     uint32_t count)
{
	uint32_t step;
	int slot;

	for (uint32_t i = 0; i < count; i++)
		if (!known_free(g, t->queue, &from[i]))
			return false;
	slot = copy_targets_free(g, t) ? take_slot(g, t) : -1;
	if (slot < 0)
		return false;
	prepare_all(g, t, slot);
	step = issue(g, t, cmd, slot);
	for (uint32_t i = 0; i < count; i++)
		copy_add_access(g, from[i], step);
	add_targets(g, t, step, 0);
	cover(g, step);
	close_some(g, t, slot);
	return true;
}

/* May it read and write these? The first place that it reads is in shared memory. */
static bool store_ready(struct gen *g, const struct txn *t, const struct access *from, uint32_t num_from,
                        const struct access *to, uint32_t num_to)
{
	if (g->num_events + 2 > MAX_EVENTS || g->dead[t->queue])
		return false;
	for (uint32_t i = 0; i < num_from; i++)
		if (!known_free(g, t->queue, &from[i]))
			return false;
	for (uint32_t i = 0; i < num_to; i++)
		if (!known_free(g, t->queue, &to[i]))
			return false;
	return known_free_now(g, t->queue, from);
}

static bool store_issue(struct gen *g, const struct txn *t, const struct tma_command *cmd,
                        const struct access *from, uint32_t num_from, const struct access *to,
                        uint32_t num_to)
{
	int reads = gen_new_event(g, (struct event){ .kind = EVENT_READS, .step = g->p->num_steps });
	int writes = gen_new_event(g, (struct event){ .kind = EVENT_WRITES, .step = g->p->num_steps });
	uint32_t step;

	if (writes < 0)
		return false;
	step = gen_emit(g, t->queue, cmd);
	g->p->steps[step].reads_done = reads;
	g->p->steps[step].writes_done = writes;
	for (uint32_t i = 0; i < num_from; i++)
		copy_add_access(g, from[i], step);
	for (uint32_t i = 0; i < num_to; i++)
		copy_add_access(g, to[i], step);
	if (rng_percent(&g->rng, COMMIT_PERCENT))
		known_commit(g, t->queue);
	return true;
}

/* A store with its command ready. */
bool copy_store(struct gen *g, const struct txn *t, struct tma_command *cmd, const struct access *from,
                uint32_t num_from, const struct access *to, uint32_t num_to)
{
	return store_ready(g, t, from, num_from, to, num_to) &&
	       store_issue(g, t, cmd, from, num_from, to, num_to);
}

/* A store from the transaction's source to these places. */
bool store_to(struct gen *g, const struct txn *t, struct tma_command *cmd, const struct access *to,
              uint32_t count)
{
	uint8_t cta = g->p->queue[t->queue].cta;
	struct access from = copy_shared_access(g, cta, t->src, t->chunks, false);

	if (!store_ready(g, t, &from, 1, to, count))
		return false;
	cmd->shared_src = shared_address(g, cta, t->src);
	/* Reductions have no mask. */
	if ((cmd->opcode == TMA_BULK_STORE || cmd->opcode == TMA_MULTIMEM_BULK_STORE) &&
	    (t->byte_mask != ALL_BYTES || rng_percent(&g->rng, 10))) {
		cmd->flags = TMA_FLAG_CP_MASK;
		cmd->byte_mask = t->byte_mask;
	}
	return store_issue(g, t, cmd, &from, 1, to, count);
}

bool lower_store(struct gen *g, const struct txn *t)
{
	struct access to = copy_global_access(g, t, true, t->byte_mask);
	struct tma_command cmd = { .opcode = TMA_BULK_STORE,
		                   .size = t->chunks * CHUNK_BYTES,
		                   .global_address = copy_global_address(g, t) };

	return store_to(g, t, &cmd, &to, 1);
}

/* Zero bytes to a live barrier: nobody can tell when it was signalled. */
static bool empty_signal(struct gen *g, const struct txn *t, struct tma_command *cmd)
{
	int slot = try_slots(g, t, false);

	if (slot < 0)
		return false;
	cmd->barrier = (t->multicast ? rng_below(&g->rng, g->shape->ctas) : cmd->shared_dst >> 24) << 24 |
	               g->slot_offset[slot];
	gen_emit(g, t->queue, cmd);
	for (uint32_t c = 0; c < g->shape->ctas; c++) {
		struct bar *b = &g->bar[c][slot];

		if (!(t->targets >> c & 1))
			continue;
		b->zero_signal = true;
		b->used[t->queue] = g->queue[t->queue].retired[t->queue];
	}
	set_busy(g, (uint32_t)slot, t->targets, false);
	return true;
}

/* Copies that move nothing. What they would overlap does not matter. */
bool lower_empty(struct gen *g, const struct txn *t)
{
	uint32_t cta = g->p->queue[t->queue].cta, target = (uint32_t)__builtin_ctz(t->targets | 1u << 31);
	struct txn nothing = *t;
	struct tma_command cmd;

	if (g->dead[t->queue])
		return false;
	for (uint32_t c = 0; c < g->shape->ctas; c++)
		if (t->targets >> c & 1 && !gen_may_touch(g, t->queue, (uint8_t)c))
			return false;
	nothing.chunks = 0;
	switch (rng_below(&g->rng, 5)) {
	case 0:
		cmd = load_command(g, &nothing);
		return t->targets && empty_signal(g, &nothing, &cmd);
	case 1:
		cmd = (struct tma_command){ .opcode = TMA_BULK_SHARED,
			                    .shared_src = shared_address(g, cta, t->src),
			                    .shared_dst = shared_address(g, target, t->dst) };
		return t->targets && !t->multicast && target != cta && empty_signal(g, &nothing, &cmd);
	case 2:
		cmd = (struct tma_command){ .opcode = TMA_BULK_STORE,
			                    .global_address = copy_global_address(g, t),
			                    .shared_src = shared_address(g, cta, t->src) };
		break;
	case 3:
		cmd = (struct tma_command){ .opcode = TMA_BULK_PREFETCH,
			                    .global_address = copy_global_address(g, t) };
		break;
	default:
		/* An empty mask: neither memory nor barrier is touched, so any will do. */
		nothing = *t;
		nothing.multicast = true;
		nothing.targets = 0;
		cmd = load_command(g, &nothing);
		cmd.barrier = shared_address(g, rng_below(&g->rng, g->shape->ctas), t->src) + 8;
	}
	gen_emit(g, t->queue, &cmd);
	return true;
}
