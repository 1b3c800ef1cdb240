/* SPDX-License-Identifier: Apache-2.0 */
/* A first-in first-out queue of equally long slots that grows as needed. */
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define FIRST_CAPACITY 16u /* a power of two, as every capacity */

static unsigned char *slot_at(const struct fifo *f, size_t index)
{
	return f->slots + ((f->head + index) & (f->capacity - 1)) * f->slot_bytes;
}

void model_fifo_init(struct fifo *f, size_t slot_bytes)
{
	*f = (struct fifo){ .slot_bytes = slot_bytes };
}

void model_fifo_free(struct fifo *f)
{
	free(f->slots);
	model_fifo_init(f, f->slot_bytes);
}

/* Make room for `more` pushes. TMA_MODEL_ENOMEM leaves the queue as it was. */
int model_fifo_reserve(struct fifo *f, size_t more)
{
	size_t needed = f->count + more;
	size_t capacity = f->capacity ? f->capacity : FIRST_CAPACITY;
	unsigned char *slots;

	if (needed <= f->capacity)
		return 0;
	while (capacity < needed)
		capacity *= 2;
	slots = malloc(capacity * f->slot_bytes);
	if (!slots)
		return TMA_MODEL_ENOMEM;
	for (size_t i = 0; i < f->count; i++)
		memcpy(slots + i * f->slot_bytes, slot_at(f, i), f->slot_bytes);
	free(f->slots);
	f->slots = slots;
	f->capacity = capacity;
	f->head = 0;
	return 0;
}

/* The caller has reserved the slot. */
void model_fifo_push(struct fifo *f, const void *slot)
{
	memcpy(slot_at(f, f->count), slot, f->slot_bytes);
	f->count++;
}

bool model_fifo_peek(const struct fifo *f, void *slot)
{
	if (!f->count)
		return false;
	memcpy(slot, slot_at(f, 0), f->slot_bytes);
	return true;
}

/* Drop the oldest slot; the queue is not empty. */
void model_fifo_drop(struct fifo *f)
{
	f->head = (f->head + 1) & (f->capacity - 1);
	f->count--;
}

void model_fifo_clear(struct fifo *f)
{
	f->head = 0;
	f->count = 0;
}
