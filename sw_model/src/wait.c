/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that look at a barrier's phase or at a state token: test_wait, try_wait, pending_count. */
#include "model.h"

/* A state token is needed before a barrier: that is the order of the fault codes. */
struct fault model_wait_check(const struct issue *issue)
{
	if (has_flag(issue->command, TMA_FLAG_LAST_STATE) && !issue->queue->has_state)
		return (struct fault){ TMA_FAULT_NO_STATE, model_command_header(issue->command) };
	if (issue->operation->operands & OPERAND_BARRIER)
		return model_sync_alive_check(issue);
	return (struct fault){ 0 };
}

static uint64_t state_of(const struct issue *issue)
{
	return has_flag(issue->command, TMA_FLAG_LAST_STATE) ? issue->queue->state
	                                                     : issue->command->global_address;
}

/* Is the phase that the command names complete? It is when the current one is of other parity. */
static bool phase_complete(const struct issue *issue)
{
	const struct tma_command *c = issue->command;
	struct barrier b = model_barrier_load(
		model_shared(issue->model, address_rank(c->barrier), address_offset(c->barrier)));
	uint64_t parity =
		has_flag(c, TMA_FLAG_PARITY) ? c->count : state_of(issue) >> TMA_STATE_PHASE_LSB & 1;

	return b.phase != parity;
}

struct outcome model_test_wait(const struct issue *issue)
{
	return (struct outcome){ .kind = TMA_KIND_ANSWER, .value = phase_complete(issue) };
}

struct outcome model_try_wait(const struct issue *issue)
{
	struct outcome outcome = model_test_wait(issue);

	outcome.blocked = !outcome.value && issue->command->tx && !issue->timed_out;
	return outcome;
}

struct outcome model_pending_count(const struct issue *issue)
{
	uint64_t pending = state_of(issue) >> TMA_STATE_PENDING_LSB & ((1u << TMA_STATE_PENDING_BITS) - 1);

	return (struct outcome){ .kind = TMA_KIND_ANSWER, .value = pending };
}
