/* SPDX-License-Identifier: Apache-2.0 */
/* Where a queue's next command comes from: its doorbell and the slots of its ring, or the direct port. */
#include <string.h>

#include "model.h"

int tma_model_doorbell(struct tma_model *m, uint32_t queue, uint32_t tail)
{
	struct queue *q;
	uint32_t head;

	if (!model_valid_queue(m, queue))
		return TMA_MODEL_EINVAL;
	q = &m->queues[queue];
	if (!model_queue_active(q) || !q->config.ring)
		return TMA_MODEL_ESTATE;
	head = q->status.next_sequence;
	if (tail - head > 1u << q->config.ring_slots_log2)
		model_fault(m, q, head, 0, (struct fault){ TMA_FAULT_RING_OVERRUN, tail });
	else
		q->status.tail = tail;
	return 0;
}

static void fetch(const struct tma_model *m, const struct queue *q, struct tma_command *command,
                  struct fault *fault)
{
	uint32_t slot = q->status.next_sequence & ((1u << q->config.ring_slots_log2) - 1);
	struct row row = { m, q, FOR_COMMAND, q->config.ring_base + (uint64_t)SLOT_BYTES * slot, SLOT_BYTES };
	unsigned char bytes[SLOT_BYTES];

	model_global_read(&row, bytes, fault);
	if (fault->code)
		fault->address = row.address;
	else
		memcpy(command, bytes, sizeof(*command));
}

/* The command at the head, or the fault that stands in its place. False: there is none. */
bool model_head(const struct tma_model *m, const struct queue *q, struct tma_command *command,
                struct fault *fault)
{
	if (q->asleep) {
		*command = q->sleeper;
		return true;
	}
	if (!q->config.ring)
		return model_fifo_peek(&q->commands, command);
	if (!model_queue_held(q))
		return false;
	fetch(m, q, command, fault);
	return true;
}
