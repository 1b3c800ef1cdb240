/* SPDX-License-Identifier: Apache-2.0 */
/* Completion of a copy: complete_tx of all its bytes, once for every target CTA. */
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

	for (uint32_t target = 0; targets >> target; target++) {
		uint32_t rank;
		struct barrier b;

		if (!(targets >> target & 1))
			continue;
		rank = model_barrier_rank(issue->command, target);
		b = model_barrier_load(model_shared(issue->model, rank, offset));
		if (!model_barrier_alive(&b))
			return at_rank(TMA_FAULT_BARRIER_DEAD, rank, offset);
	}
	return (struct fault){ 0 };
}

static inline uint16_t signal_one(const struct issue *issue, uint32_t rank, uint32_t offset, uint32_t size)
{
	unsigned char *bytes = model_shared(issue->model, rank, offset);
	struct barrier b = model_barrier_load(bytes);

	if (!model_barrier_alive(&b))
		return TMA_FAULT_SIGNAL_BARRIER_DEAD;
	if (model_barrier_complete_tx(&b, size))
		return TMA_FAULT_SIGNAL_TX_COUNT_RANGE;
	model_barrier_store(bytes, &b);
	return TMA_FAULT_NONE;
}

/* To the barrier that hears of the data of one target, when its bytes are in place. */
struct fault model_signal_target(const struct issue *issue, uint32_t target, uint32_t bytes)
{
	uint32_t offset = address_offset(issue->command->barrier);
	uint32_t rank = model_barrier_rank(issue->command, target);
	uint16_t code = signal_one(issue, rank, offset, bytes);

	return code ? at_rank(code, rank, offset) : (struct fault){ 0 };
}

/* When the bytes are in place. A bad barrier keeps its value, the others get their signal; the
 * lowest rank is reported. Two ranks never fail in different ways: a barrier that was alive dies
 * only under the copy's own bytes, and these are the same everywhere. With CTA_GROUP_2 one barrier may
 * stand for both CTAs of a pair: it gets both signals. */
struct fault model_signal(const struct issue *issue, uint32_t bytes)
{
	uint32_t offset = address_offset(issue->command->barrier);
	uint32_t targets = model_targets(issue);
	struct fault fault = { 0 };

	for (uint32_t target = 0; targets >> target; target++) {
		uint32_t rank;
		uint16_t code;

		if (!(targets >> target & 1))
			continue;
		rank = model_barrier_rank(issue->command, target);
		code = signal_one(issue, rank, offset, bytes);
		if (code && !fault.code)
			fault = at_rank(code, rank, offset);
	}
	if (targets && bytes)
		issue->model->counters.signals++;
	return fault;
}
