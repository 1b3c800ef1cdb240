/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers: their words are in the model's memory; here is how certain they are. */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/check.h"

/* Alive, and far from every limit. */
uint64_t barrier_healthy(void)
{
	uint64_t count = UINT64_C(1) << (TMA_BARRIER_PENDING_BITS - 1);

	return count << TMA_BARRIER_EXPECTED_LSB | count << TMA_BARRIER_PENDING_LSB |
	       (uint64_t)TMA_BARRIER_ALIVE << TMA_BARRIER_LIVE_LSB;
}

static uint64_t word_of(const struct check *c, uint32_t rank, uint32_t offset)
{
	uint64_t word;

	memcpy(&word, tma_model_smem(c->model, rank) + offset / 8 * 8, 8);
	return word;
}

static void remember(struct check *c, struct barrier *b, uint32_t rank, uint32_t offset)
{
	uint64_t word = word_of(c, rank, offset);

	if (b->num_words && b->words[b->num_words - 1] == word)
		return;
	if (b->num_words && (b->words[b->num_words - 1] ^ word) >> TMA_BARRIER_PHASE_LSB & 1)
		b->num_flipped = b->num_signals;
	b->words = grow(b->words, b->num_words, &b->words_capacity, sizeof(*b->words));
	b->words[b->num_words++] = word;
}

struct barrier *barrier_at(struct check *c, uint32_t rank, uint32_t offset)
{
	struct cta *cta = &c->ctas[rank];
	struct barrier *b = cta->cells[offset / 8];

	if (!b) {
		b = allocate(sizeof(*b));
		c->barriers =
			grow(c->barriers, c->num_barriers, &c->barriers_capacity, sizeof(struct barrier *));
		c->barriers[c->num_barriers++] = b;
		cta->cells[offset / 8] = b;
	}
	if (!b->used) {
		b->used = true;
		b->tainted = false;
		for (unsigned i = 0; i < 8; i++)
			b->tainted = b->tainted || !shared_certain(c, rank, offset / 8 * 8 + i);
		remember(c, b, rank, offset);
	}
	return b;
}

bool barrier_first_seen(const struct check *c, const struct barrier *b, uint32_t rank, uint32_t offset)
{
	uint64_t word = word_of(c, rank, offset);
	size_t before = b->num_words;

	if (before && b->words[before - 1] == word)
		before--;
	for (size_t i = 0; i < before; i++)
		if (b->words[i] == word)
			return false;
	return true;
}

static void close_answers(struct check *c, struct barrier *b, uint32_t but)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->num_open; i++) {
		struct queue *q = &c->queues[b->open[i].queue];

		if (b->open[i].queue == but)
			b->open[kept++] = b->open[i];
		else if (b->open[i].expected < q->num_expected)
			q->expected[b->open[i].expected].compare_value = false;
	}
	b->num_open = kept;
}

void barrier_touch(struct check *c, uint32_t queue, uint32_t sequence, uint32_t rank, uint32_t offset,
                   bool by_copy)
{
	struct barrier *b = barrier_at(c, rank, offset);

	if (!(b->queues >> queue & 1) || sequence > b->last[queue])
		b->last[queue] = sequence;
	b->queues |= 1u << queue;
	b->copies = b->copies || by_copy;
	remember(c, b, rank, offset);
	for (uint32_t i = 0; i < c->shape.queues; i++)
		if (c->queues[i].token == b && (by_copy || i != queue))
			c->queues[i].token_certain = false;
	close_answers(c, b, by_copy ? MAX_QUEUES : queue);
}

/* One complete_tx per target, or the one arrival, by the probe on a copy of the word. With cta_group::2 the
 * barrier of a pair may hear of both its CTAs. */
void barrier_signal(struct check *c, struct copy *copy)
{
	struct tma_command command = { .opcode =
		                               copy->arrive ? TMA_MBARRIER_ARRIVE : TMA_MBARRIER_COMPLETE_TX,
		                       .version = TMA_COMMAND_VERSION,
		                       .count = copy->arrive,
		                       .tx = copy->arrive   ? 0
		                             : copy->tensor ? copy->tensor->tx
		                                            : copy->command.size };
	uint32_t offset = copy->command.barrier & 0xffffff;
	uint64_t address = 0;
	uint16_t code = 0;

	for (uint32_t target = 0; target < c->shape.ctas; target++) {
		uint32_t rank = copy_barrier_rank(copy, target);
		uint8_t *from = tma_model_smem(c->model, rank) + offset;
		uint8_t *word = tma_model_smem(c->probe, rank) + offset;
		struct barrier *b;
		struct tma_record fault;

		if (!(copy->targets >> target & 1))
			continue;
		b = barrier_at(c, rank, offset);
		barrier_touch(c, copy->queue, copy->sequence, rank, offset, true);
		b->signals = grow(b->signals, b->num_signals, &b->signals_capacity, sizeof(struct copy *));
		b->signals[b->num_signals++] = copy;
		if (b->tainted || copy->doubtful)
			continue;
		memcpy(word, from, 8);
		command.barrier = rank << 24 | offset;
		fault = probe_run(c, copy->queue, &command);
		memcpy(from, word, 8);
		remember(c, b, rank, offset);
		if (fault.fault && !code) {
			code = fault.fault == TMA_FAULT_BARRIER_DEAD ? TMA_FAULT_SIGNAL_BARRIER_DEAD
			       : copy->arrive                        ? TMA_FAULT_SIGNAL_PENDING_UNDERFLOW
			                                             : TMA_FAULT_SIGNAL_TX_COUNT_RANGE;
			address = command.barrier;
		}
	}
	if (code)
		queue_late_fault(c, copy, code, address);
}

bool barrier_explains(struct check *c, const struct tma_record *seen)
{
	uint32_t rank = (uint32_t)(seen->address >> 24), offset = seen->address & 0xffffff;

	if (seen->fault < TMA_FAULT_SIGNAL_BARRIER_DEAD || seen->fault > TMA_FAULT_SIGNAL_PENDING_UNDERFLOW ||
	    rank >= c->shape.ctas || offset % 8 || offset >= c->shape.smem_bytes ||
	    !barrier_at(c, rank, offset)->tainted)
		return false;
	for (size_t i = c->num_copies; i-- > 0;) {
		const struct copy *copy = c->copies[i];

		if (copy->queue != seen->queue || copy->sequence != seen->sequence ||
		    copy->life != c->queues[seen->queue].life || (copy->command.barrier & 0xffffff) != offset)
			continue;
		queue_late_fault(c, copy, seen->fault, seen->address);
		return true;
	}
	return false;
}

void barrier_awaited(struct check *c, struct barrier *b, uint32_t queue)
{
	struct queue *q = &c->queues[queue % MAX_QUEUES];
	/* A queue has waited for the phase that is over; who has seen the word, for all that is in it. */
	size_t over = queue == MAX_QUEUES ? b->num_signals : b->num_flipped;

	for (size_t i = 0; i < over; i++) {
		struct copy *copy = b->signals[i];

		/* Of a load of nothing but fill nothing is seen, and commands alone may have made the word what it is. */
		if (queue == MAX_QUEUES && copy->tensor && !copy->begun)
			continue;
		copy->awaited = true;
		if (queue == MAX_QUEUES) {
			copy->witnessed = true;
			continue;
		}
		q->waited = grow(q->waited, q->num_waited, &q->waited_capacity, sizeof(*q->waited));
		q->waited[q->num_waited++] = (struct waited){ copy, q->next - 1 };
	}
	for (size_t i = over; i < b->num_signals; i++)
		b->signals[i - over] = b->signals[i];
	b->num_signals -= over;
	b->num_flipped = 0;
}

void barrier_all_quiet(struct check *c)
{
	for (size_t i = 0; i < c->num_barriers; i++) {
		struct barrier *b = c->barriers[i];

		b->num_signals = b->num_flipped = 0;
		b->queues = 0;
		b->copies = false;
		b->num_open = 0;
		/* The last one is what it has now. */
		if (b->num_words) {
			b->words[0] = b->words[b->num_words - 1];
			b->num_words = 1;
		}
	}
}

void barrier_taint_queue(struct check *c, uint32_t queue, uint32_t sequence)
{
	for (size_t i = 0; i < c->num_barriers; i++)
		if (c->barriers[i]->queues >> queue & 1 && c->barriers[i]->last[queue] >= sequence) {
			c->barriers[i]->tainted = true;
			close_answers(c, c->barriers[i], MAX_QUEUES);
		}
}

void barrier_taint_all(struct check *c)
{
	for (size_t i = 0; i < c->num_barriers; i++) {
		c->barriers[i]->tainted = true;
		close_answers(c, c->barriers[i], MAX_QUEUES);
	}
}
