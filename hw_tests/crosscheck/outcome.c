/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pending counts that an arrive may see: those arrivals of the phase that are certain to come
 * before it have been made, of those that are not ordered with it any may have been.
 */
#include "crosscheck/gen.h"

#define MAX_OPEN 5 /* unordered arrivals that are looked at: 32 sets */

static bool before(const struct step *a, const struct step *b)
{
	return b->know.retired[a->queue] > a->index;
}

static void add(struct step *s, uint32_t value)
{
	for (uint32_t i = 0; i < s->num_outcomes; i++)
		if (s->outcomes[i] == value)
			return;
	s->outcomes[s->num_outcomes++] = value;
}

/* What the pending count loses by it. An arrive of cp.async that counts itself adds one at first. */
static uint32_t taken_by(const struct step *s)
{
	if (s->cmd.opcode != TMA_CP_ASYNC_MBARRIER_ARRIVE)
		return s->cmd.count;
	return s->cmd.flags & TMA_FLAG_NOINC ? 1 : (uint32_t)-1;
}

/* No outcomes: too many to list, any will do. */
static void arrive_outcomes(struct program *p, struct step *s)
{
	uint32_t open[MAX_OPEN], num_open = 0, pending = s->phase_starts;

	for (uint32_t i = 0; i < p->num_steps; i++) {
		const struct step *other = &p->steps[i];

		if (other == s || other->arrives_in != s->arrives_in || before(s, other))
			continue;
		/* Nobody knows when cp.async arrives. */
		if (before(other, s) && other->cmd.opcode == TMA_MBARRIER_ARRIVE)
			pending -= taken_by(other);
		else if (num_open == MAX_OPEN)
			return;
		else
			open[num_open++] = taken_by(other);
	}
	for (uint32_t set = 0; set < 1u << num_open; set++) {
		uint32_t value = pending;

		for (uint32_t i = 0; i < num_open; i++)
			value -= set >> i & 1 ? open[i] : 0;
		add(s, value);
	}
}

/* Rules of the answers that hold a token or a part of one. */
void gen_outcomes(struct gen *g)
{
	struct program *p = g->p;

	for (uint32_t i = 0; i < p->num_steps; i++) {
		struct step *s = &p->steps[i];

		if (s->arrives_in < 0 || s->rule != RULE_EXACT || s->cmd.opcode != TMA_MBARRIER_ARRIVE)
			continue;
		s->rule = RULE_PENDING;
		arrive_outcomes(p, s);
	}
	for (uint32_t i = 0; i < p->num_steps; i++) {
		struct step *s = &p->steps[i];
		const struct step *arrive;

		if (s->token_of < 0 || s->rule != RULE_EXACT)
			continue;
		arrive = &p->steps[s->token_of];
		if (arrive->rule != RULE_PENDING)
			continue;
		s->rule = RULE_PENDING;
		s->num_outcomes = arrive->num_outcomes;
		for (uint32_t o = 0; o < arrive->num_outcomes; o++)
			s->outcomes[o] = arrive->outcomes[o];
	}
}
