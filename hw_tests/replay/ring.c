/* SPDX-License-Identifier: Apache-2.0 */
/* ring - software's side of a ring queue of the C model. */
#include "replay/ring.h"

#include <stdlib.h>
#include <string.h>

#include "tma_regs.h"

#define SLOT           64u
#define RECORD         32u
#define PAGE           UINT64_C(4096)
#define SIZES          4u /* log2 of the slots: 4 and up */
#define OKAY           0
#define COMPLETION(r_) ((r_)->memory + ring_bytes(r_))

static uint64_t ring_bytes(const struct ring *r)
{
	return ((uint64_t)r->slots * SLOT + PAGE - 1) & ~(PAGE - 1);
}

int ring_open(struct ring *r, struct tma_model *model, uint32_t queue, struct rng *rng,
              struct tma_queue_config *config, struct tma_window *window)
{
	*r = (struct ring){ .model = model, .queue = queue };
	config->ring = 1;
	config->ring_slots_log2 = (uint8_t)(TMA_MODEL_MIN_SLOTS_LOG2 + rng_below(rng, SIZES));
	config->completion_slots_log2 = (uint8_t)(TMA_MODEL_MIN_SLOTS_LOG2 + rng_below(rng, SIZES));
	r->slots = 1u << config->ring_slots_log2;
	r->records = 1u << config->completion_slots_log2;
	r->bytes = ring_bytes(r) + (((uint64_t)r->records * RECORD + PAGE - 1) & ~(PAGE - 1));
	/* Where it meets the replay's own memory once in 2^40 times. */
	r->base = rng_next(rng) >> 1 & ~(PAGE - 1);
	r->memory = calloc(1, r->bytes);
	if (!r->memory)
		return -1;
	config->ring_base = r->base;
	config->completion_base = r->base + ring_bytes(r);
	*window = (struct tma_window){ r->base, r->base + r->bytes - 1, TMA_WINDOW_READ | TMA_WINDOW_WRITE };
	return tma_model_map(model, 0, r->base, r->bytes, r->memory);
}

void ring_close(struct ring *r)
{
	free(r->memory);
	free(r->waiting);
	*r = (struct ring){ 0 };
}

int ring_submit(struct ring *r, const struct tma_command *command)
{
	if (r->num_waiting == r->room) {
		uint32_t room = r->room ? 2 * r->room : 64;
		struct tma_command *list = realloc(r->waiting, room * sizeof(*list));

		if (!list)
			return -1;
		r->waiting = list;
		r->room = room;
	}
	r->waiting[r->num_waiting++] = *command;
	return 0;
}

int ring_ring(struct ring *r, struct rng *rng)
{
	uint32_t head, count;

	if (!r->num_waiting)
		return 0;
	if (tma_model_reg_read(r->model, TMA_REG_DOOR_HEAD(r->queue), &head) != OKAY)
		return -1;
	count = r->slots - (r->tail - head);
	count = count < r->num_waiting ? count : r->num_waiting;
	if (!count)
		return 0;
	if (rng_percent(rng, 50))
		count = 1 + rng_below(rng, count);
	for (uint32_t i = 0; i < count; i++)
		memcpy(r->memory + (size_t)((r->tail + i) & (r->slots - 1)) * SLOT, &r->waiting[i], SLOT);
	r->num_waiting -= count;
	memmove(r->waiting, r->waiting + count, r->num_waiting * sizeof(*r->waiting));
	r->tail += count;
	return tma_model_reg_write(r->model, TMA_REG_DOOR_TAIL(r->queue), r->tail) == OKAY ? 0 : -1;
}

int ring_record(struct ring *r, struct tma_record *record)
{
	uint32_t phase = r->taken & r->records ? 0 : 1;

	memcpy(record, COMPLETION(r) + (size_t)(r->taken & (r->records - 1)) * RECORD, RECORD);
	if ((record->phase & 1) != phase)
		return 0;
	record->phase &= ~1u;
	r->taken++;
	return 1;
}

int ring_tell(struct ring *r)
{
	if (r->told == r->taken)
		return 0;
	r->told = r->taken;
	return tma_model_reg_write(r->model, TMA_REG_DOOR_CONSUMER(r->queue), r->told) == OKAY ? 0 : -1;
}
