/* SPDX-License-Identifier: Apache-2.0 */
/* Completion of a copy: complete_tx of all its bytes on the barrier of every target CTA. */
#include "model.h"

static struct fault at_rank(uint16_t code, uint32_t rank, uint32_t offset)
{
	return (struct fault){ code, rank << 24 | offset };
}

/* Before the copy starts: every barrier that it will signal is alive. */
struct fault model_signal_check(const struct issue *issue)
{
	uint32_t offset = address_offset(issue->command->barrier);
	uint32_t targets = model_targets(issue);

	for (uint32_t rank = 0; rank < issue->model->config.ctas; rank++) {
		struct barrier b;

		if (!(targets >> rank & 1))
			continue;
		b = model_barrier_load(model_shared(issue->model, rank, offset));
		if (!model_barrier_alive(&b))
			return at_rank(TMA_FAULT_BARRIER_DEAD, rank, offset);
	}
	return (struct fault){ 0 };
}

static uint16_t signal_one(const struct issue *issue, uint32_t rank, uint32_t offset)
{
	unsigned char *bytes = model_shared(issue->model, rank, offset);
	struct barrier b = model_barrier_load(bytes);

	if (!model_barrier_alive(&b))
		return TMA_FAULT_SIGNAL_BARRIER_DEAD;
	if (model_barrier_complete_tx(&b, issue->command->size))
		return TMA_FAULT_SIGNAL_TX_COUNT_RANGE;
	model_barrier_store(bytes, &b);
	return TMA_FAULT_NONE;
}

/* When the bytes are in place. A bad barrier keeps its value, the others get their signal; the
 * lowest rank is reported. Two ranks never fail in different ways: a barrier that was alive dies
 * only under the copy's own bytes, and these are the same everywhere. */
struct fault model_signal(const struct issue *issue)
{
	uint32_t offset = address_offset(issue->command->barrier);
	uint32_t targets = model_targets(issue);
	struct fault fault = { 0 };

	for (uint32_t rank = 0; rank < issue->model->config.ctas; rank++) {
		uint16_t code = TMA_FAULT_NONE;

		if (targets >> rank & 1)
			code = signal_one(issue, rank, offset);
		if (code && !fault.code)
			fault = at_rank(code, rank, offset);
	}
	if (targets && issue->command->size)
		issue->model->counters.signals++;
	return fault;
}
