/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The caller's memory by address: stretches that do not overlap, in order, found by halving.
 *
 * A stretch that is taken out stays as one without bytes until half of all are such, so that taking out
 * costs no more than finding, whatever the order.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define FIRST_ROOM 8u

/* The first stretch that does not end before `address`; `count`: there is none. */
static size_t find(const struct stretches *s, uint64_t address)
{
	size_t from = 0, to = s->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (s->list[middle].last < address)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* What lies at `address`, or NULL, and the last address up to which that is so. */
unsigned char *model_stretches_at(const struct stretches *s, uint64_t address, uint64_t *last)
{
	size_t i = find(s, address);
	const struct stretch *x;

	*last = UINT64_MAX;
	if (i == s->count)
		return NULL;
	x = &s->list[i];
	if (address < x->base) {
		*last = x->base - 1;
		return NULL;
	}
	*last = x->last;
	return x->bytes ? x->bytes + (address - x->base) : NULL;
}

static int reserve(struct stretches *s, size_t more)
{
	size_t room = s->room ? s->room : FIRST_ROOM;
	struct stretch *grown;

	if (s->count + more <= s->room)
		return 0;
	while (room < s->count + more)
		room *= 2;
	grown = realloc(s->list, room * sizeof(*grown));
	if (!grown)
		return TMA_MODEL_ENOMEM;
	s->list = grown;
	s->room = room;
	return 0;
}

/* Put `with` stretches, at most one, in the place of those from i to j - 1. */
static void replace(struct stretches *s, size_t i, size_t j, const struct stretch *with)
{
	size_t put = with ? 1 : 0;

	for (size_t k = i; k < j; k++)
		s->empty -= !s->list[k].bytes;
	memmove(s->list + i + put, s->list + j, (s->count - j) * sizeof(*s->list));
	s->count = s->count - (j - i) + put;
	if (with)
		s->list[i] = *with;
}

/* Let stretch i begin behind `last`, which it holds. */
static void cut_front(struct stretch *x, uint64_t last)
{
	if (x->bytes)
		x->bytes += last - x->base + 1;
	x->base = last + 1;
}

/* Let a stretch end in front of `base`, that begins before it; what of it lies behind `last` becomes the next one. */
static void cut_back(struct stretches *s, size_t i, uint64_t base, uint64_t last)
{
	struct stretch rest = s->list[i];

	s->list[i].last = base - 1;
	if (rest.last <= last)
		return;
	cut_front(&rest, last);
	replace(s, i + 1, i + 1, &rest);
	s->empty += !rest.bytes;
}

static void drop_empty(struct stretches *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].bytes)
			s->list[kept++] = s->list[i];
	s->count = kept;
	s->empty = 0;
}

/* Let base..last be `bytes`, or with NULL nothing, whatever was there. */
int model_stretches_put(struct stretches *s, uint64_t base, uint64_t last, unsigned char *bytes)
{
	const struct stretch with = { base, last, bytes };
	size_t i = find(s, base), j = last == UINT64_MAX ? s->count : find(s, last + 1);
	bool begins_before = i < s->count && s->list[i].base < base;
	bool splits = begins_before && i == j;
	bool covers = i + begins_before < j;

	if (reserve(s, (bytes && !covers ? 1 : 0) + (splits ? 1 : 0)))
		return TMA_MODEL_ENOMEM;
	if (begins_before)
		cut_back(s, i++, base, last);
	if (splits)
		j = i;
	else if (j < s->count && s->list[j].base <= last)
		cut_front(&s->list[j], last);
	if (bytes) {
		replace(s, i, j, &with);
		return 0;
	}
	for (; i < j; i++) {
		s->empty += s->list[i].bytes != NULL;
		s->list[i].bytes = NULL;
	}
	if (2 * s->empty > s->count)
		drop_empty(s);
	return 0;
}

void model_stretches_free(struct stretches *s)
{
	free(s->list);
	*s = (struct stretches){ 0 };
}
