/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of address ranges. They are short, so looking through them is fast enough. */
#include "lib/ranges.h"

#include <errno.h>
#include <stdlib.h>

int ranges_add(struct ranges *r, uint64_t base, uint64_t size, uint32_t kind, uint32_t owner)
{
	if (!size || base + (size - 1) < base)
		return -EINVAL;
	if (r->count == r->room) {
		uint32_t room = r->room ? 2 * r->room : 8;
		struct range *list = realloc(r->list, room * sizeof(*list));

		if (!list)
			return -ENOMEM;
		r->list = list;
		r->room = room;
	}
	r->list[r->count++] = (struct range){ base, base + (size - 1), kind, owner };
	return 0;
}

void ranges_clear(struct ranges *r)
{
	free(r->list);
	*r = (struct ranges){ 0 };
}

void ranges_drop(struct ranges *r, uint32_t owner)
{
	uint32_t kept = 0, i;

	for (i = 0; i < r->count; i++)
		if (r->list[i].owner != owner)
			r->list[kept++] = r->list[i];
	r->count = kept;
}

const struct range *ranges_touch(const struct ranges *r, uint64_t base, uint64_t size, uint32_t kinds)
{
	uint64_t last = base + (size - 1);

	for (uint32_t i = 0; i < r->count; i++) {
		const struct range *x = &r->list[i];

		if ((x->kind & kinds) && x->first <= last && base <= x->last)
			return x;
	}
	return NULL;
}
