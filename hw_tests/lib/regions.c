/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory by address. */
#include "lib/regions.h"

#include <errno.h>
#include <stdlib.h>

uint8_t *regions_at(const struct regions *r, uint64_t addr)
{
	for (uint32_t i = 0; i < r->count; i++)
		if (r->list[i].first <= addr && addr <= r->list[i].last)
			return r->list[i].memory + (addr - r->list[i].first);
	return NULL;
}

int regions_add(struct regions *r, uint64_t base, uint64_t size, void *memory)
{
	uint64_t last = base + (size - 1);
	struct region *list;

	if (!memory || !size || (base | size) % 4096 || last < base)
		return -EINVAL;
	for (uint32_t i = 0; i < r->count; i++)
		if (base <= r->list[i].last && r->list[i].first <= last)
			return -EINVAL;
	list = realloc(r->list, (r->count + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	r->list = list;
	list[r->count++] = (struct region){ base, last, memory };
	return 0;
}

void regions_drop(struct regions *r, uint64_t base)
{
	for (uint32_t i = 0; i < r->count; i++) {
		if (r->list[i].first != base)
			continue;
		r->list[i] = r->list[--r->count];
		return;
	}
}

void regions_clear(struct regions *r)
{
	free(r->list);
	*r = (struct regions){ 0 };
}
