/* SPDX-License-Identifier: Apache-2.0 */
/* What reductions make of the bytes: in global memory, beat by beat, and in shared memory. */
#include <stdlib.h>
#include <string.h>

#include "../../sw_model/src/arith.h"
#include "wavecheck/check.h"

static uint64_t element(const uint8_t *bytes, uint32_t size)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < size; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	return value;
}

/* Is the source of the element known, and has not changed since the command could run? */
static bool source_known(const struct check *c, const struct copy *copy, uint32_t i, uint32_t size)
{
	uint32_t rank, sources[2];

	for (uint32_t b = i; b < i + size; b++) {
		copy_source(copy, b, &rank, sources);
		if (!copy->known[b] || c->ctas[rank].changed[sources[0]] >= copy->cycle)
			return false;
	}
	return true;
}

static void check_element(struct check *c, const struct copy *copy, uint64_t address, uint32_t i,
                          const uint8_t *old, const uint8_t *seen)
{
	uint32_t size = arith_bytes(copy->type);
	uint64_t value, before = element(old, size), source = element(copy->bytes + i, size);

	c->stored.all += size;
	if (!source_known(c, copy, i, size))
		return;
	c->stored.compared += size;
	value = arith_reduce(copy->command.op, copy->type, copy->flush, before, source);
	if (value != element(seen, size))
		differ(c, P_m_axi_wdata_o, c->now->unit,
		       "the element at 0x%llx of %s is 0x%llx, by the model 0x%llx: it was 0x%llx, and meets 0x%llx",
		       (unsigned long long)address, name_copy(copy), (unsigned long long)element(seen, size),
		       (unsigned long long)value, (unsigned long long)before, (unsigned long long)source);
}

static void check_strobes(const struct check *c, const struct reduce_write *w, uint32_t from)
{
	const uint8_t *strobes = event_data(c) + c->shape.data_bytes;

	for (uint32_t lane = 0; lane < c->shape.data_bytes; lane++) {
		bool strobe = strobes[lane / 8] >> lane % 8 & 1;

		if (strobe != w->changes[from + lane])
			differ(c, P_m_axi_wstrb_o, c->now->unit,
			       "bit %u, the byte at 0x%llx, is %u: %s %s it", lane,
			       (unsigned long long)(w->address + from + lane), strobe, name_copy(w->copy),
			       strobe ? "does not write" : "writes");
	}
}

void reduce_data(struct check *c, const struct burst *b, uint64_t offset)
{
	struct reduce_port *r = &c->reduce[c->now->unit];
	struct reduce_write *w = &r->writes[b->reduction];
	uint32_t width = c->shape.data_bytes, from = b->seen * width, size = arith_bytes(w->copy->type), i;
	const uint8_t *data = event_data(c);
	uint64_t address = w->address + from;

	check_strobes(c, w, from);
	if (w->follows != SIZE_MAX)
		memcpy(w->data, r->writes[w->follows].data, width);
	for (uint32_t lane = 0; lane < width; lane += size)
		if (w->changes[from + lane] && copy_byte(w->copy, offset + lane, &i))
			check_element(c, w->copy, address + lane, i, w->data + from + lane, data + lane);
	for (uint32_t lane = 0; lane < width; lane++) {
		if (!w->changes[from + lane])
			continue;
		w->data[from + lane] = data[lane];
		if (c->private_memory)
			gmem_set(c->gmem[c->now->unit], address + lane, data[lane]);
	}
}

static void add_base(struct copy *copy, uint32_t index)
{
	if (index == copy->index)
		return;
	for (size_t i = 0; i < copy->num_bases; i++)
		if (copy->bases[i] == index)
			return;
	copy->bases = grow(copy->bases, copy->num_bases, &copy->bases_capacity, sizeof(*copy->bases));
	copy->bases[copy->num_bases++] = index;
}

/* The value of a byte depends on who wrote it, and on all that this one depends on. */
static void depend(struct check *c, struct copy *copy, uint32_t writer)
{
	const struct copy *w = c->copies[writer];

	if (w->witnessed)
		return;
	add_base(copy, writer);
	for (size_t i = 0; i < w->num_bases; i++)
		if (!c->copies[w->bases[i]]->witnessed)
			add_base(copy, w->bases[i]);
}

/* Is the old value one that there is, whoever may look at it? Reductions need not wait for each other. */
static bool old_known(const struct check *c, uint32_t rank, uint32_t offset)
{
	const struct cta *cta = &c->ctas[rank];
	const struct barrier *b = cta->cells[offset / 8];

	if (b && b->used)
		return false;
	return cta->known[offset] && !(cta->writer[offset] && c->copies[cta->writer[offset] - 1]->doubtful);
}

/* The model has changed the bytes; their certainty follows, element by element. */
void reduce_shared(struct check *c, struct copy *copy)
{
	const struct tma_command *command = &copy->command;
	uint32_t from = command->shared_src >> 24, src = command->shared_src & 0xffffff;
	uint32_t to = command->shared_dst >> 24, dst = command->shared_dst & 0xffffff;
	uint32_t size = arith_bytes(copy->type);
	uint8_t value[8];

	for (uint32_t i = 0; i < command->size; i += size) {
		bool known = true;

		for (uint32_t b = i; b < i + size; b++) {
			known = known && shared_certain(c, from, src + b) && old_known(c, to, dst + b);
			if (c->ctas[to].writer[dst + b])
				depend(c, copy, c->ctas[to].writer[dst + b] - 1);
		}
		memcpy(value, tma_model_smem(c->model, to) + dst + i, size);
		shared_write(c, to, dst + i, value, size, copy, known);
	}
}
