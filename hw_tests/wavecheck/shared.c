/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory: its bytes are in the model; here is which of them are known, and since when. */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/check.h"

#define CHUNK 16u

void shared_open(struct check *c)
{
	uint32_t bytes = c->shape.smem_bytes;

	for (uint32_t r = 0; r < c->shape.ctas; r++) {
		struct cta *cta = &c->ctas[r];

		cta->known = allocate(bytes);
		cta->writer = allocate(bytes * sizeof(*cta->writer));
		cta->changed = allocate(bytes * sizeof(*cta->changed));
		cta->cells = allocate(bytes / 8 * sizeof(*cta->cells));
	}
}

void shared_close(struct check *c)
{
	for (uint32_t r = 0; r < c->shape.ctas; r++) {
		struct cta *cta = &c->ctas[r];

		free(cta->known);
		free(cta->writer);
		free(cta->changed);
		free(cta->cells);
	}
	for (size_t i = 0; i < c->num_barriers; i++) {
		free(c->barriers[i]->signals);
		free(c->barriers[i]->words);
		free(c->barriers[i]->open);
		free(c->barriers[i]);
	}
	free(c->barriers);
}

void shared_write(struct check *c, uint32_t rank, uint32_t offset, const uint8_t *bytes, uint32_t size,
                  const struct copy *writer, bool known)
{
	struct cta *cta = &c->ctas[rank];
	uint8_t *smem = tma_model_smem(c->model, rank);

	memcpy(smem + offset, bytes, size);
	for (uint32_t i = offset; i < offset + size; i++) {
		cta->known[i] = known;
		cta->writer[i] = writer ? writer->index + 1 : 0;
		cta->changed[i] = c->now->cycle;
		if (cta->cells[i / 8])
			cta->cells[i / 8]->used = false;
	}
}

void shared_forget(struct check *c, const struct copy *copy)
{
	uint32_t offset = copy->command.shared_dst & 0xffffff;

	if (copy->tensor) {
		tensor_forget(c, copy);
		return;
	}
	for (uint32_t rank = 0; rank < c->shape.ctas; rank++) {
		if (!(copy->targets >> rank & 1))
			continue;
		memset(c->ctas[rank].known + offset, 0, copy->command.size);
		for (uint32_t i = 0; i < copy->command.size; i += 8)
			if (c->ctas[rank].cells[(offset + i) / 8])
				c->ctas[rank].cells[(offset + i) / 8]->used = false;
	}
}

/* Is it in place, whoever looks? */
static bool settled(const struct check *c, const struct copy *writer)
{
	return writer->witnessed || (writer->done && c->last_idle && writer->done_cycle <= c->last_idle);
}

/* Has it run, and has somebody waited for it? */
static bool over(const struct check *c, const struct copy *copy)
{
	return !copy->doubtful && (copy->awaited || settled(c, copy));
}

bool shared_certain(const struct check *c, uint32_t rank, uint32_t offset)
{
	const struct cta *cta = &c->ctas[rank];
	const struct barrier *b = cta->cells[offset / 8];
	const struct copy *writer;

	if (b && b->used)
		return !b->tainted && !b->queues;
	if (!cta->known[offset])
		return false;
	if (!cta->writer[offset])
		return true;
	writer = c->copies[cta->writer[offset] - 1];
	for (size_t i = 0; i < writer->num_bases; i++)
		if (!over(c, c->copies[writer->bases[i]]))
			return false;
	return over(c, writer);
}

bool shared_visible(const struct check *c, uint32_t rank, uint32_t offset)
{
	uint32_t writer = c->ctas[rank].writer[offset];

	return shared_certain(c, rank, offset) && (!writer || settled(c, c->copies[writer - 1]));
}

void shared_ext_write(struct check *c)
{
	uint32_t rank = c->now->unit;

	if (c->now->addr + CHUNK > c->shape.smem_bytes)
		return;
	for (uint32_t i = 0; i < CHUNK; i++)
		if (c->now->strobes >> i & 1)
			shared_write(c, rank, (uint32_t)c->now->addr + i, event_data(c) + i, 1, NULL, true);
}

/* What the read takes with it is decided now; the pins show it in the next cycle. */
void shared_ext_read(struct check *c)
{
	struct cta *cta = &c->ctas[c->now->unit];
	uint32_t offset = (uint32_t)c->now->addr;

	cta->reading = true;
	cta->address = c->now->addr;
	memset(cta->expect, 0, sizeof(cta->expect));
	memset(cta->compare, 1, sizeof(cta->compare));
	if (c->now->addr + CHUNK > c->shape.smem_bytes)
		return;
	memcpy(cta->expect, tma_model_smem(c->model, c->now->unit) + offset, CHUNK);
	for (uint32_t i = 0; i < CHUNK; i++)
		cta->compare[i] = shared_visible(c, c->now->unit, offset + i);
}

/* A word that was not known is from now on, if nothing can be changing it. */
static void believe_barrier(struct check *c, uint32_t rank, uint32_t offset, const uint8_t *seen)
{
	struct barrier *b = c->ctas[rank].cells[offset / 8];
	uint8_t *word = tma_model_smem(c->model, rank) + offset;

	if (b->tainted && !b->queues) {
		memcpy(word, seen, 8);
		b->tainted = false;
	} else if (!b->tainted && !memcmp(word, seen, 8) && barrier_first_seen(c, b, rank, offset)) {
		barrier_awaited(c, b, MAX_QUEUES);
	}
}

static _Noreturn void report_byte(const struct check *c, uint32_t rank, uint32_t offset, uint8_t seen,
                                  uint8_t expected)
{
	const struct cta *cta = &c->ctas[rank];
	uint32_t writer;
	bool barrier;

	if (offset >= c->shape.smem_bytes)
		differ(c, P_ext_rdata_o, rank,
		       "of CTA %u at 0x%x, outside shared memory, 0x%02x is read, must be 0", rank, offset,
		       seen);
	writer = cta->writer[offset];
	barrier = cta->cells[offset / 8] && cta->cells[offset / 8]->used;
	differ(c, P_ext_rdata_o, rank, "shared memory of CTA %u at 0x%x is 0x%02x, by the model 0x%02x%s%s",
	       rank, offset, seen, expected,
	       barrier  ? " (a barrier)"
	       : writer ? ", last written by "
	                : "",
	       barrier || !writer ? "" : name_copy(c->copies[writer - 1]));
}

void shared_ext_data(struct check *c)
{
	uint32_t rank = c->now->unit;
	struct cta *cta = &c->ctas[rank];
	const uint8_t *seen = event_data(c);
	uint32_t offset = (uint32_t)cta->address;

	if (!cta->reading)
		differ(c, P_ext_rvalid_o, rank, "data of a read that was not asked for");
	cta->reading = false;
	for (uint32_t i = 0; i < CHUNK; i++) {
		c->read.all++;
		c->read.compared += cta->compare[i];
		if (cta->compare[i] && seen[i] != cta->expect[i])
			report_byte(c, rank, offset + i, seen[i], cta->expect[i]);
	}
	if (cta->address + CHUNK > c->shape.smem_bytes)
		return;
	for (uint32_t i = 0; i < CHUNK; i++) {
		const struct barrier *b = cta->cells[(offset + i) / 8];

		if (b && b->used) {
			if (i % 8 == 0)
				believe_barrier(c, rank, offset + i, seen + i);
		} else if (!cta->known[offset + i] && cta->changed[offset + i] + 1 < c->now->cycle &&
		           (!cta->writer[offset + i] || settled(c, c->copies[cta->writer[offset + i] - 1]))) {
			shared_write(c, rank, offset + i, seen + i, 1, NULL, true);
		}
	}
}
