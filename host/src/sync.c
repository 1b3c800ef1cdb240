/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that need no record: for a queue, for a command, for a barrier. */
#include <inttypes.h>

#include "barrier.h"
#include "device.h"
#include "event.h"

/* A register access takes an engine several cycles, so the condition is looked at each so many turns. */
#define LOOK 16

/* 1: what is waited for is there, 0: not yet, or an error */
struct condition {
	const struct tma_device *device;
	struct tma_queue *queue; /* NULL: none stops the wait by its fault */
	int (*met)(const struct condition *condition);
	uint32_t sequence; /* of a command */
	uint32_t barrier, parity;
};

static int read_queue(const struct condition *c, uint32_t address, uint32_t *value)
{
	return c->device->backend->reg_read(c->device->engine, address, value) ? TMA_EDEVICE : 0;
}

/* BUSY counts commands, copies of every kind and records. What a direct port has not taken it cannot know. A copy that
 * fails may be the last thing of a queue whose commands have all left: it is stopped then, not idle. */
static int is_idle(const struct condition *c)
{
	uint32_t status, head;
	int error = read_queue(c, TMA_REG_QUEUE_HEAD(c->queue->index), &head);

	if (error || head != c->queue->submitted)
		return error;
	error = read_queue(c, TMA_REG_QUEUE_STATUS(c->queue->index), &status);
	return error ? error
	             : !(status & (TMA_REG_QUEUE_STATUS_BUSY_MASK | TMA_REG_QUEUE_STATUS_FAULTED_MASK));
}

static int has_left(const struct condition *c)
{
	uint32_t head;
	int error = read_queue(c, TMA_REG_QUEUE_HEAD(c->queue->index), &head);

	return error ? error : (int32_t)(head - c->sequence) > 0;
}

static int has_phase(const struct condition *c)
{
	struct barrier barrier;
	int error = barrier_read(c->device, c->barrier, &barrier);

	return error ? error : barrier.alive && barrier.phase != c->parity;
}

/*
 * A full completion ring would keep the queue from going on, so its records are taken, and kept.
 *
 * @return 1 some were, 0 there were none; TMA_EFAULT  the queue has stopped
 */
static int take_records(const struct condition *c)
{
	size_t before;
	uint32_t status;
	int error;

	if (!c->queue)
		return 0;
	before = c->queue->kept.count - c->queue->kept.first;
	error = queue_keep_records(c->queue, true);
	if (!error)
		error = read_queue(c, TMA_REG_QUEUE_STATUS(c->queue->index), &status);
	/* The register knows of a fault before its record is there. */
	if (!error && status & TMA_REG_QUEUE_STATUS_FAULTED_MASK && c->queue->faulted)
		error = TMA_EFAULT;
	return error ? error : c->queue->kept.count - c->queue->kept.first > before;
}

static int wait_for(const struct condition *c, uint64_t limit)
{
	uint64_t cycle;
	int met, took = 0, going = 1;

	for (cycle = 0;; cycle++) {
		if (cycle % LOOK == 0 || cycle == limit || !going) {
			met = c->met(c);
			if (met)
				return met < 0 ? met : 0;
			took = take_records(c);
			if (took < 0)
				return took;
		}
		if (cycle == limit || (!going && !took))
			return TMA_ETIMEDOUT;
		going = device_advance(c->device);
		if (going < 0)
			return going;
		give_way(c->device);
	}
}

/* The reason of a wait that ended without what it was for is what the queue waits for. */
static int explained(struct tma_queue *queue, int error)
{
	event_update(queue);
	return error == TMA_ETIMEDOUT || error == TMA_EFAULT ? queue_because(queue, error, "") : error;
}

int tma_sync(struct tma_queue *queue)
{
	struct condition idle = { .queue = queue, .met = is_idle };
	int error = check_queue(queue);

	if (!error) {
		idle.device = queue->device;
		enter(idle.device);
		error = queue_of_this_life(queue);
		if (!error)
			error = explained(queue, wait_for(&idle, idle.device->submit_limit));
		leave(idle.device);
	}
	return ended(__func__, error);
}

int tma_wait_command(struct tma_queue *queue, uint32_t sequence, uint64_t limit)
{
	struct condition left = { .queue = queue, .met = has_left, .sequence = sequence };
	int error = check_queue(queue);

	if (!error) {
		left.device = queue->device;
		enter(left.device);
		error = queue_of_this_life(queue);
		if (!error && (int32_t)(queue->submitted - sequence) <= 0)
			error = because(TMA_EINVAL, "sequence = %" PRIu32 ": %" PRIu32 " commands were given",
			                sequence, queue->submitted);
		else if (!error)
			error = explained(queue, wait_for(&left, limit));
		leave(left.device);
	}
	return ended(__func__, error);
}

static int check_barrier(const struct tma_device *device, uint32_t mbar, uint32_t parity)
{
	int error = check_device(device);

	if (error)
		return error;
	if (parity > 1)
		return because(TMA_EINVAL, "parity = %" PRIu32 ": must be 0 or 1", parity);
	if (!barrier_exists(device, mbar))
		return because(TMA_EINVAL,
		               "mbar = 0x%" PRIx32 ": must be a multiple of 8 in a CTA's shared memory",
		               mbar);
	return 0;
}

int tma_wait_barrier(struct tma_device *device, uint32_t mbar, uint32_t parity, uint64_t limit)
{
	struct condition phase = { .device = device, .met = has_phase, .barrier = mbar, .parity = parity };
	int error = check_barrier(device, mbar, parity);

	if (!error) {
		enter(device);
		error = wait_for(&phase, limit);
		leave(device);
		if (error == TMA_ENOTSUP)
			because(error, "the back end \"%s\" does not reach shared memory",
			        device->backend->name);
		if (error == TMA_ETIMEDOUT)
			because(error, "the phase of parity %" PRIu32 " is not complete", parity);
	}
	return ended(__func__, error);
}
