/* SPDX-License-Identifier: Apache-2.0 */
/* Commands into queues, through either front end. */
#include "device.h"
#include "history.h"

/* Ask whether a queue without room can get any, after so many turns without. */
#define STUCK_LOOK 256

/* Commands that the queue takes now. */
static int64_t room(const struct tma_queue *queue)
{
	const struct tma_device *device = queue->device;
	uint32_t waiting;

	if (queue->ring)
		return ring_room(queue->ring, queue->submitted);
	waiting = device->backend->waiting(device->engine, queue->index);
	return waiting < queue->depth ? queue->depth - waiting : 0;
}

/* Nobody but the caller can give the queue room: it is for him to take records, or to resume. Those that he has
 * taken the engine is told of in lots, which may be all that it waits for. */
static bool is_stuck(const struct tma_queue *queue, bool going)
{
	const struct tma_device *device = queue->device;
	uint32_t status = 0, stuck = TMA_REG_QUEUE_STATUS_FAULTED_MASK;

	if (queue->ring && ring_give_back(queue->ring))
		return false;
	if (queue->ring)
		stuck |= TMA_REG_QUEUE_STATUS_FULL_MASK;
	return !going ||
	       (!device->backend->reg_read(device->engine, TMA_REG_QUEUE_STATUS(queue->index), &status) &&
	        status & stuck);
}

/* Let the engine run until the queue has room. @return commands that it takes */
static int64_t wait_for_room(const struct tma_queue *queue)
{
	const struct tma_device *device = queue->device;
	uint64_t cycle;
	int64_t free;
	int going = 1;

	for (cycle = 0;; cycle++) {
		free = room(queue);
		if (free)
			return free;
		if (cycle == device->submit_limit)
			return queue_because(queue, TMA_EFULL, "no room");
		if ((!going || cycle % STUCK_LOOK == STUCK_LOOK - 1) && is_stuck(queue, going))
			return queue_because(queue, TMA_EFULL, "no room");
		going = device_advance(device);
		if (going < 0)
			return going;
		give_way(device);
	}
}

static int put(struct tma_queue *queue, const struct tma_command *command)
{
	const struct tma_device *device = queue->device;
	int error = 0;

	if (queue->ring)
		ring_write(queue->ring, queue->submitted, command);
	else
		error = device->backend->submit(device->engine, queue->index, command);
	if (error)
		return error;
	history_add(queue, queue->submitted, command);
	queue->opcodes[queue->submitted++ % HISTORY] = command->opcode;
	return 0;
}

/* Hand over as many as go in; what `submitted` grows by is how many that were. */
static int submit(struct tma_queue *queue, const struct tma_command *commands, uint32_t count)
{
	uint32_t done, end, first;
	int64_t free;
	int error;

	if (queue->faulted)
		return because(TMA_EFAULT,
		               "queue %u has stopped: tma_resume() or tma_queue_reset() come first",
		               queue->index);
	error = queue_of_this_life(queue);
	error = error ? error : device_check(queue->device);
	for (done = 0; !error && done < count;) {
		free = wait_for_room(queue);
		if (free < 0)
			return (int)free;
		end = free < count - done ? done + (uint32_t)free : count;
		first = queue->submitted;
		while (!error && done < end)
			error = put(queue, &commands[done++]);
		if (!error && queue->ring)
			error = ring_show(queue->ring, first, queue->submitted - first);
		if (!error && queue->ring)
			error = ring_doorbell(queue->ring, queue->submitted);
	}
	return error;
}

/* @return error, with `first` the number of the first command and `accepted` how many went in */
static int submit_in_turn(struct tma_queue *queue, const struct tma_command *commands, uint32_t count,
                          const char *name, uint32_t *first, uint32_t *accepted)
{
	int error = check_queue(queue);

	*first = *accepted = 0;
	if (!error && count && !commands)
		error = because(TMA_EINVAL, "%s is NULL", name);
	if (error)
		return error;
	enter(queue->device);
	*first = queue->submitted;
	error = submit(queue, commands, count);
	*accepted = queue->submitted - *first;
	leave(queue->device);
	return error;
}

int64_t tma_submit_all(struct tma_queue *queue, const struct tma_command *commands, uint32_t count)
{
	uint32_t first, accepted;
	int error = submit_in_turn(queue, commands, count, "commands", &first, &accepted);

	return ended64(__func__, error ? error : (int64_t)first);
}

int64_t tma_submit_some(struct tma_queue *queue, const struct tma_command *commands, uint32_t count)
{
	uint32_t first, accepted;
	int error = submit_in_turn(queue, commands, count, "commands", &first, &accepted);

	return ended64(__func__, error && (!accepted || error == TMA_EDEVICE) ? error : (int64_t)accepted);
}

int64_t tma_submit(struct tma_queue *queue, const struct tma_command *command)
{
	uint32_t first, accepted;
	int error = submit_in_turn(queue, command, 1, "command", &first, &accepted);

	return ended64(__func__, error ? error : (int64_t)first);
}

int64_t tma_queue_room(struct tma_queue *queue)
{
	int64_t result = check_queue(queue);

	if (!result) {
		enter(queue->device);
		result = queue_of_this_life(queue);
		if (!result)
			result = queue->ring ? ring_room_now(queue->ring, queue->submitted) : room(queue);
		leave(queue->device);
	}
	return ended64(__func__, result);
}
