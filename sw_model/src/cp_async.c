/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cp.async and its arrive on an mbarrier.
 *
 * Without a seed a cp.async is done when it has issued, so the arrive after it happens at once. One that fails
 * stops its queue there and then: the arrive that an engine drops because of it has not issued yet.
 */
#include <string.h>

#include "model.h"

#define CP_SIZE_MAX 16u

/* Bytes that are read; the rest of the cp-size is zero. */
uint32_t model_cp_source_bytes(const struct tma_command *c)
{
	if (has_flag(c, TMA_FLAG_IGNORE_SRC))
		return 0;
	return has_flag(c, TMA_FLAG_SRC_SIZE) ? c->count : c->size;
}

/* Member of the queue's open cp.async group, also when it fails. Nothing is written then. */
struct outcome model_cp_async(const struct issue *issue)
{
	const struct tma_command *c = issue->command;
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	struct row row = model_row(issue, FOR_READ, model_cp_source_bytes(c));
	unsigned char bytes[CP_SIZE_MAX] = { 0 };

	issue->queue->status.open_copies++;
	model_global_read(&row, bytes, &outcome.fault);
	if (!outcome.fault.code)
		memcpy(model_shared(issue->model, address_rank(c->shared_dst), address_offset(c->shared_dst)),
		       bytes, c->size);
	return outcome;
}

static unsigned char *barrier_bytes(const struct issue *issue)
{
	return model_shared(issue->model, address_rank(issue->command->barrier),
	                    address_offset(issue->command->barrier));
}

/* The arrival to come is counted at issue, unless the barrier's count has it already. */
static uint16_t announce(const struct issue *issue, struct barrier *b)
{
	return has_flag(issue->command, TMA_FLAG_NOINC) ? TMA_FAULT_NONE : model_barrier_expect_arrival(b);
}

struct fault model_cp_arrive_check(const struct issue *issue)
{
	struct barrier b = model_barrier_load(barrier_bytes(issue));
	struct fault fault = model_sync_alive_check(issue);

	if (fault.code)
		return fault;
	return (struct fault){ announce(issue, &b), issue->command->barrier };
}

/* Of a command that was checked. */
void model_cp_announce(const struct issue *issue)
{
	struct barrier b = model_barrier_load(barrier_bytes(issue));

	(void)announce(issue, &b);
	model_barrier_store(barrier_bytes(issue), &b);
}

/* The arrival, when the copies in front of it are done. */
struct fault model_cp_arrival(const struct issue *issue)
{
	struct barrier b = model_barrier_load(barrier_bytes(issue));

	if (!model_barrier_alive(&b))
		return (struct fault){ TMA_FAULT_SIGNAL_BARRIER_DEAD, issue->command->barrier };
	if (model_barrier_arrive(&b, 1, 0, 0))
		return (struct fault){ TMA_FAULT_SIGNAL_PENDING_UNDERFLOW, issue->command->barrier };
	model_barrier_store(barrier_bytes(issue), &b);
	return (struct fault){ 0 };
}

struct outcome model_cp_arrive(const struct issue *issue)
{
	model_cp_announce(issue);
	return (struct outcome){ .kind = TMA_KIND_RETIRED, .fault = model_cp_arrival(issue) };
}
