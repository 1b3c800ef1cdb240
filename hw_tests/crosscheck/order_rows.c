/* SPDX-License-Identifier: Apache-2.0 */
/* Beats of tensor copies against their rows. */
#include "crosscheck/order_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/must.h"
#include "tma_tables.h"

/* The beats of one copy, from that with its first byte on. */
struct beats {
	uint32_t bytes; /* of a beat */
	uint64_t first, count;
	uint32_t *rows, *asked;
};

static void add_row(void *arg, uint64_t at, uint64_t bytes)
{
	struct beats *b = arg;

	for (uint64_t i = at / b->bytes; i <= (at + bytes - 1) / b->bytes; i++)
		b->rows[i - b->first]++;
}

/* Beats outside of the copy's are none of it: trace says so. */
static void add_burst(struct beats *b, uint64_t at, uint32_t beats)
{
	for (uint64_t i = at / b->bytes; i < at / b->bytes + beats; i++)
		if (i - b->first < b->count)
			b->asked[i - b->first]++;
}

static bool beat_allowed(const struct beats *b, uint64_t i, bool all)
{
	return b->asked[i] <= b->rows[i] && !(all && b->rows[i] && !b->asked[i]);
}

static bool copy_allowed(const struct program *p, uint32_t step, const struct trace_burst *bursts,
                         uint32_t count, char *text, size_t room)
{
	const struct step *s = &p->steps[step];
	const struct tensor_copy *copy = &p->tensors[s->tensor];
	struct beats b = { .bytes = p->shape->data_bytes };
	bool good = true;

	b.first = copy->span.first / b.bytes;
	b.count = copy->span.last / b.bytes + 1 - b.first;
	b.rows = must(calloc(2 * b.count, sizeof(*b.rows)));
	b.asked = b.rows + b.count;
	tensor_rows(&copy->map, &s->cmd, p->global_base, add_row, &b);
	for (uint32_t i = 0; i < count; i++)
		if (bursts[i].step == step)
			add_burst(&b, bursts[i].address - p->global_base, bursts[i].beats);
	for (uint64_t i = 0; i < b.count && good; i++) {
		good = beat_allowed(&b, i, s->rule == RULE_EXACT && !s->fault);
		if (!good)
			snprintf(text, room,
			         "queue %u command %u (%s): the beat at %#llx holds bytes of %u rows and is "
			         "asked for %u times",
			         s->queue, s->index, tma_opcode_name(s->cmd.opcode),
			         (unsigned long long)(p->global_base + (b.first + i) * b.bytes), b.rows[i],
			         b.asked[i]);
	}
	free(b.rows);
	return good;
}

bool order_rows(const struct program *p, const struct trace_burst *bursts, uint32_t count, char *text,
                size_t room)
{
	for (uint32_t i = 0; i < p->num_steps; i++) {
		const struct step *s = &p->steps[i];

		if (s->tensor >= 0 && p->tensors[s->tensor].span.inside && p->tensors[s->tensor].span.fits &&
		    !copy_allowed(p, i, bursts, count, text, room))
			return false;
	}
	return true;
}
