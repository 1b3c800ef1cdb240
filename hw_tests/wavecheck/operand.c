/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes of a copy are where in its beats: one stretch, or the rows of a tensor copy, one after the other. */
#include "wavecheck/box.h"
#include "wavecheck/check.h"

/* The part that the offset lies in; the last one, behind them all. */
static const struct part *part_at(const struct tensor *t, uint64_t offset)
{
	uint32_t low = 0, high = t->num_parts;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (t->parts[middle].start <= offset)
			low = middle;
		else
			high = middle;
	}
	return &t->parts[low];
}

static bool has_parts(const struct copy *copy)
{
	return copy->tensor && copy->tensor->num_parts;
}

uint64_t copy_address(const struct copy *copy, uint64_t offset)
{
	const struct part *p;

	if (!has_parts(copy))
		return copy->command.global_address - copy->lead + offset;
	p = part_at(copy->tensor, offset);
	return p->address - p->lead + (offset - p->start);
}

uint64_t copy_left(const struct copy *copy, uint64_t offset)
{
	const struct part *p;

	if (!has_parts(copy))
		return copy->span - offset;
	p = part_at(copy->tensor, offset);
	return p->span - (offset - p->start);
}

uint64_t copy_operand(const struct copy *copy, uint64_t offset)
{
	const struct part *p;

	if (!has_parts(copy))
		return offset < copy->lead ? copy->command.global_address : copy_address(copy, offset);
	p = part_at(copy->tensor, offset);
	return offset - p->start < p->lead ? p->address : copy_address(copy, offset);
}

bool copy_byte(const struct copy *copy, uint64_t offset, uint32_t *i)
{
	const struct part *p;

	if (!has_parts(copy)) {
		*i = (uint32_t)offset - copy->lead;
		return offset >= copy->lead && *i < copy->command.size;
	}
	p = part_at(copy->tensor, offset);
	*i = (uint32_t)offset - p->start - p->lead;
	if (offset - p->start < p->lead)
		return false;
	if (p->apart && *i >= p->bytes / 2)
		*i = *i < p->apart ? p->bytes : *i - p->apart + p->bytes / 2;
	if (*i >= p->bytes)
		return false;
	*i += p->operand;
	return true;
}

void copy_source(const struct copy *copy, uint32_t i, uint32_t *rank, uint32_t sources[2])
{
	if (copy->tensor) {
		*rank = copy->command.shared_dst >> 24;
		sources[0] = copy->tensor->places[2 * i];
		sources[1] = copy->tensor->places[2 * i + 1];
		return;
	}
	*rank = copy->command.shared_src >> 24;
	sources[0] = sources[1] = (copy->command.shared_src & 0xffffff) + i;
}

uint32_t copy_barrier_rank(const struct copy *copy, uint32_t target)
{
	if (copy->tensor)
		return box_barrier_rank(&copy->command, target);
	return target;
}
