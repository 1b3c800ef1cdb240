/* SPDX-License-Identifier: Apache-2.0 */
/* The bulk copies and reductions: global to shared, shared to global, CTA to CTA; the prefetch. */
#include <string.h>

#include "model.h"

/* cp.async.bulk.shared.global: the same bytes to every target, then a signal to each. */
struct outcome model_bulk_load(const struct issue *issue)
{
	const struct tma_command *c = issue->command;
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	uint32_t offset = address_offset(c->shared_dst);
	uint32_t targets = model_targets(issue);
	struct row row = model_row(issue, FOR_READ, c->size);
	unsigned char *first = NULL;
	uint32_t arrived = 0;

	if (c->size && targets)
		issue->queue->status.open_loads++;
	for (uint32_t rank = 0; targets >> rank; rank++) {
		unsigned char *to;

		if (!(targets >> rank & 1))
			continue;
		to = model_shared(issue->model, rank, offset);
		if (first) {
			memcpy(to, first, arrived);
			continue;
		}
		first = to;
		arrived = model_global_read(&row, to, &outcome.fault);
	}
	if (!outcome.fault.code)
		outcome.fault = model_signal(issue, c->size);
	return outcome;
}

/* Shared to global memory, or to all devices of a multimem object: member of the queue's open group, unless it
 * moves nothing. */
static struct outcome to_global(const struct issue *issue, bool multimem, uint16_t byte_mask,
                                const struct reduction *reduction)
{
	const struct tma_command *c = issue->command;
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	struct row row = model_row(issue, multimem ? FOR_MULTIMEM : FOR_WRITE, c->size);
	const struct change change = {
		.from = model_shared(issue->model, address_rank(c->shared_src),
		                     address_offset(c->shared_src)),
		.byte_mask = byte_mask,
		.reduction = reduction,
	};

	if (c->size)
		issue->queue->status.open_stores++;
	if (multimem)
		model_multimem_change(&row, &change, &outcome.fault);
	else
		model_global_change(&row, &change, &outcome.fault);
	return outcome;
}

/* cp.async.bulk.global.shared, and its multimem form */
struct outcome model_bulk_store(const struct issue *issue)
{
	const struct tma_command *c = issue->command;

	return to_global(issue, c->opcode == TMA_MULTIMEM_BULK_STORE,
	                 has_flag(c, TMA_FLAG_CP_MASK) ? c->byte_mask : ALL_BYTES, NULL);
}

struct reduction model_bulk_reduction(const struct issue *issue)
{
	const struct tma_command *c = issue->command;

	return (struct reduction){ .op = c->op,
		                   .type = c->type,
		                   .flush = model_flushes(issue->model, c->type) };
}

/* cp.reduce.async.bulk.global.shared, and its multimem form */
struct outcome model_bulk_reduce(const struct issue *issue)
{
	struct reduction r = model_bulk_reduction(issue);

	return to_global(issue, issue->command->opcode == TMA_MULTIMEM_BULK_REDUCE, ALL_BYTES, &r);
}

/* cp.async.bulk.shared::cluster.shared::cta. Two CTAs' memories never overlap. */
struct outcome model_bulk_shared(const struct issue *issue)
{
	const struct tma_command *c = issue->command;
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };

	memcpy(model_shared(issue->model, address_rank(c->shared_dst), address_offset(c->shared_dst)),
	       model_shared(issue->model, address_rank(c->shared_src), address_offset(c->shared_src)),
	       c->size);
	outcome.fault = model_signal(issue, c->size);
	return outcome;
}

/* cp.reduce.async.bulk.shared::cluster.shared::cta. The own CTA is a destination like others (M36). */
struct outcome model_bulk_reduce_shared(const struct issue *issue)
{
	const struct tma_command *c = issue->command;
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	struct reduction r = model_bulk_reduction(issue);

	model_reduce_bytes(
		&r, model_shared(issue->model, address_rank(c->shared_dst), address_offset(c->shared_dst)),
		model_shared(issue->model, address_rank(c->shared_src), address_offset(c->shared_src)),
		c->size);
	outcome.fault = model_signal(issue, c->size);
	return outcome;
}

/* cp.async.bulk.prefetch */
struct outcome model_bulk_prefetch(const struct issue *issue)
{
	struct row row = model_row(issue, FOR_READ, issue->command->size);

	issue->model->counters.prefetch_errors += model_global_prefetch(&row);
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}
