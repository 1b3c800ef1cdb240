/* SPDX-License-Identifier: Apache-2.0 */
/* mbarrier commands that change a barrier: init, inval, expect_tx, complete_tx, arrive. */
#include <string.h>

#include "model.h"

static unsigned char *barrier_bytes(const struct issue *issue)
{
	return model_shared(issue->model, address_rank(issue->command->barrier),
	                    address_offset(issue->command->barrier));
}

/* Stale memory cannot be told from a live object, so init takes any old contents. */
struct outcome model_sync_init(const struct issue *issue)
{
	struct barrier b = model_barrier_new(issue->command->count);

	model_barrier_store(barrier_bytes(issue), &b);
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}

struct fault model_sync_alive_check(const struct issue *issue)
{
	struct barrier b = model_barrier_load(barrier_bytes(issue));

	if (!model_barrier_alive(&b))
		return (struct fault){ TMA_FAULT_BARRIER_DEAD, issue->command->barrier };
	return (struct fault){ 0 };
}

struct outcome model_sync_inval(const struct issue *issue)
{
	memset(barrier_bytes(issue), 0, BARRIER_BYTES);
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}

static uint16_t update(const struct tma_command *c, struct barrier *b)
{
	switch (c->opcode) {
	case TMA_MBARRIER_EXPECT_TX:
		return model_barrier_expect_tx(b, c->tx);
	case TMA_MBARRIER_COMPLETE_TX:
		return model_barrier_complete_tx(b, c->tx);
	default:
		return model_barrier_arrive(b, c->count, c->tx, c->flags);
	}
}

/* Tries the update on a copy of the barrier. */
struct fault model_sync_update_check(const struct issue *issue)
{
	struct barrier b = model_barrier_load(barrier_bytes(issue));
	struct fault fault = model_sync_alive_check(issue);

	if (fault.code)
		return fault;
	return (struct fault){ update(issue->command, &b), issue->command->barrier };
}

struct outcome model_sync_update(const struct issue *issue)
{
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	struct barrier b = model_barrier_load(barrier_bytes(issue));

	if (issue->command->opcode == TMA_MBARRIER_ARRIVE) {
		outcome.kind = TMA_KIND_ANSWER;
		outcome.value = model_barrier_state(&b);
		issue->queue->state = model_barrier_state(&b);
		issue->queue->has_state = true;
	}
	(void)update(issue->command, &b);
	model_barrier_store(barrier_bytes(issue), &b);
	return outcome;
}
