/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that a queue was given last. */
#include <stdlib.h>

#include "device.h"
#include "history.h"

/* Behind the commands that wait in front of the engine are those that it holds. */
#define HELD_BY_ENGINE 64

int history_new(struct tma_queue *queue)
{
	uint32_t slots = HELD_BY_ENGINE;

	if (queue->ring)
		return 0;
	while (slots < HISTORY && slots - HELD_BY_ENGINE < queue->depth)
		slots *= 2;
	queue->commands = calloc(slots, sizeof(*queue->commands));
	queue->command_slots = slots;
	return queue->commands ? 0 : TMA_ENOMEM;
}

void history_free(struct tma_queue *queue)
{
	free(queue->commands);
}

void history_add(struct tma_queue *queue, uint32_t sequence, const struct tma_command *command)
{
	if (queue->commands)
		queue->commands[sequence % queue->command_slots] = *command;
}

bool history_get(const struct tma_queue *queue, uint32_t sequence, struct tma_command *command)
{
	uint32_t slots = queue->ring ? ring_slots(queue->ring) : queue->command_slots;
	uint32_t age = queue->submitted - sequence;

	if (age == 0 || age > slots)
		return false;
	if (queue->ring)
		ring_command(queue->ring, sequence, command);
	else
		*command = queue->commands[sequence % slots];
	return true;
}
