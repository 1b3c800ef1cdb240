/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cp.async. What the model does at once is taken apart again: bytes come with the beat, and a queue's
 * cp.async and arrivals are over in the order of their commands.
 */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/check.h"

uint32_t cp_source_bytes(const struct tma_command *command)
{
	if (command->flags & TMA_FLAG_IGNORE_SRC)
		return 0;
	return command->flags & TMA_FLAG_SRC_SIZE ? command->count : command->size;
}

/* Waits are over when all of the groups that they name are. */
bool cp_ready(const struct queue *q, const struct tma_command *command)
{
	bool all = command->opcode == TMA_CP_ASYNC_WAIT_ALL;

	if (!all && command->opcode != TMA_CP_ASYNC_WAIT_GROUP)
		return true;
	for (size_t i = q->first_cp; i < q->num_cps; i++)
		if (q->cps[i]->cp && (all || (uint64_t)q->cps[i]->group + command->count < q->cp_commits))
			return false;
	return true;
}

static uint8_t *destination(const struct check *c, const struct copy *copy)
{
	uint32_t address = copy->arrive ? copy->command.barrier : copy->command.shared_dst;

	return tma_model_smem(c->model, address >> 24) + (address & 0xffffff);
}

/* An arrival is to find a barrier that takes it, unless it is dead. */
void cp_prepare(struct check *c, struct copy *copy)
{
	uint32_t bytes = copy->arrive ? 8 : copy->command.size;
	uint8_t *word = destination(c, copy);
	uint64_t healthy = barrier_healthy();

	copy->bytes = allocate(bytes);
	memcpy(copy->bytes, word, bytes);
	if (copy->arrive && (copy->command.flags & TMA_FLAG_NOINC) && word[7] >> 6 == TMA_BARRIER_ALIVE)
		memcpy(word, &healthy, sizeof(healthy));
}

void cp_restore(struct check *c, struct copy *copy)
{
	memcpy(destination(c, copy), copy->bytes, copy->arrive ? 8 : copy->command.size);
	free(copy->bytes);
	copy->bytes = NULL;
}

/* The arrival to come is counted when the command runs. */
static void announce(struct check *c, const struct copy *copy)
{
	uint8_t *word = destination(c, copy);
	uint64_t value;

	if (copy->command.flags & TMA_FLAG_NOINC)
		return;
	memcpy(&value, word, sizeof(value));
	value += UINT64_C(1) << TMA_BARRIER_PENDING_LSB;
	memcpy(word, &value, sizeof(value));
}

void cp_start(struct check *c, struct copy *copy)
{
	struct queue *q = &c->queues[copy->queue];
	uint8_t zeroes[16] = { 0 };

	if (q->first_cp == q->num_cps)
		q->first_cp = q->num_cps = 0;
	q->cps = grow(q->cps, q->num_cps, &q->cps_capacity, sizeof(struct copy *));
	q->cps[q->num_cps++] = copy;
	if (copy->arrive) {
		barrier_touch(c, copy->queue, copy->sequence, copy->command.barrier >> 24,
		              copy->command.barrier & 0xffffff, true);
		announce(c, copy);
		copy->done = true;
	} else if (!cp_source_bytes(&copy->command)) {
		shared_write(c, copy->command.shared_dst >> 24, copy->command.shared_dst & 0xffffff, zeroes,
		             copy->command.size, copy, true);
		copy_done(c, copy);
	}
	cp_advance(c, copy->queue);
}

/* The one beat of it. */
void cp_deliver(struct check *c, const struct copy *copy, uint32_t offset)
{
	uint32_t source = cp_source_bytes(&copy->command);
	uint8_t bytes[16] = { 0 };

	memcpy(bytes, event_data(c) + copy->lead - offset, source);
	shared_write(c, copy->command.shared_dst >> 24, copy->command.shared_dst & 0xffffff, bytes,
	             copy->command.size, copy, !copy->doubtful);
}

static void note_over(struct queue *q, struct copy *copy)
{
	q->cp_over = grow(q->cp_over, q->num_over, &q->over_capacity, sizeof(struct copy *));
	q->cp_over[q->num_over++] = copy;
}

/* Who waits for the barrier waits for all before the arrival. */
static void arrive(struct check *c, struct queue *q, struct copy *copy)
{
	uint32_t rank = copy->command.barrier >> 24, offset = copy->command.barrier & 0xffffff;
	struct barrier *b = barrier_at(c, rank, offset);

	if (q->cp_failed)
		return;
	for (size_t i = 0; i < q->num_over; i++) {
		b->signals = grow(b->signals, b->num_signals, &b->signals_capacity, sizeof(struct copy *));
		b->signals[b->num_signals++] = q->cp_over[i];
	}
	barrier_signal(c, copy);
}

void cp_advance(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];

	while (q->first_cp < q->num_cps && q->cps[q->first_cp]->done) {
		struct copy *copy = q->cps[q->first_cp++];

		if (copy->arrive) {
			arrive(c, q, copy);
		} else {
			q->cp_failed = q->cp_failed || copy->failed;
			note_over(q, copy);
		}
	}
}

/* What the command has waited for, its queue may rely on. */
void cp_effects(struct check *c, uint32_t queue, const struct tma_command *command)
{
	struct queue *q = &c->queues[queue];
	bool all = command->opcode == TMA_CP_ASYNC_WAIT_ALL;
	size_t kept = 0;

	if (command->opcode == TMA_CP_ASYNC_COMMIT_GROUP || all)
		q->cp_commits++;
	if (!all && command->opcode != TMA_CP_ASYNC_WAIT_GROUP)
		return;
	for (size_t i = 0; i < q->num_over; i++) {
		struct copy *copy = q->cp_over[i];

		if (!all && (uint64_t)copy->group + command->count >= q->cp_commits) {
			q->cp_over[kept++] = copy;
			continue;
		}
		copy->awaited = true;
		q->waited = grow(q->waited, q->num_waited, &q->waited_capacity, sizeof(*q->waited));
		q->waited[q->num_waited++] = (struct waited){ copy, q->next - 1 };
	}
	q->num_over = kept;
}

void cp_forget(struct queue *q)
{
	q->first_cp = q->num_cps = q->num_over = 0;
	q->cp_commits = 0;
	q->cp_failed = false;
}
