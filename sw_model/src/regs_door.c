/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a queue's own page: doorbell, completion ring, interrupt, recovery. */
#include "model.h"
#include "tma_regs.h"

/* Offset of a register in its page. */
#define DOOR(name) (TMA_REG_DOOR_##name(0) - TMA_REG_DOOR(0))

bool model_door_read(const struct tma_model *m, uint32_t queue, uint32_t offset, uint32_t *value)
{
	const struct queue *q = &m->queues[queue];

	switch (offset) {
	case DOOR(TAIL):
		*value = model_queue_tail(q);
		return true;
	case DOOR(HEAD):
		*value = q->status.next_sequence;
		return true;
	case DOOR(CONSUMER):
		*value = q->status.consumer;
		return true;
	case DOOR(PRODUCER):
		*value = q->status.producer;
		return true;
	case DOOR(INTERRUPT_PENDING):
		*value = q->interrupt_pending;
		return true;
	case DOOR(INTERRUPT_ENABLE):
		*value = q->interrupt_enable;
		return true;
	case DOOR(RESUME):
	case DOOR(RESET):
	case DOOR(CANCEL):
		*value = 0;
		return true;
	default:
		return offset >= DOOR(STATUS) && model_state_read(q, offset - DOOR(STATUS), value);
	}
}

/* Writing 0 does nothing, but is refused where writing 1 is. */
static bool act(struct tma_model *m, uint32_t queue, bool one, int (*action)(struct tma_model *, uint32_t))
{
	return one ? !action(m, queue) : m->queues[queue].config.enable;
}

bool model_door_write(struct tma_model *m, uint32_t queue, uint32_t offset, uint32_t value)
{
	struct queue *q = &m->queues[queue];

	switch (offset) {
	case DOOR(TAIL):
		return !tma_model_doorbell(m, queue, value);
	case DOOR(CONSUMER):
		return !tma_model_consumer(m, queue, value);
	case DOOR(INTERRUPT_PENDING):
		if (value & TMA_REG_DOOR_INTERRUPT_PENDING_PENDING_MASK)
			q->interrupt_pending = false;
		return true;
	case DOOR(INTERRUPT_ENABLE):
		q->interrupt_enable = value & TMA_REG_DOOR_INTERRUPT_ENABLE_ENABLE_MASK;
		return true;
	case DOOR(RESUME):
		return !tma_model_resume(m, queue, value);
	case DOOR(RESET):
		return act(m, queue, value & TMA_REG_DOOR_RESET_RESET_MASK, tma_model_reset);
	case DOOR(CANCEL):
		return act(m, queue, value & TMA_REG_DOOR_CANCEL_CANCEL_MASK, tma_model_cancel);
	default:
		return false;
	}
}
