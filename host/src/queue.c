/* SPDX-License-Identifier: Apache-2.0 */
/* Queues: set-up, commands in, records out. */
#include <stdlib.h>

#include "device.h"

#define DEFAULT_DEPTH 1024

static const struct tma_queue_window whole_arena = {
	.address = ARENA_BASE,
	.bytes = ARENA_BYTES,
	.allow = TMA_ALLOW_READ | TMA_ALLOW_WRITE,
};

/* Copy windows, rounded to whole pages. */
static int copy_windows(const struct tma_queue_window *from, uint32_t count, struct tma_queue_window *to)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		uint64_t last = from[i].address + (from[i].bytes - 1);

		if (!from[i].bytes || from[i].address % PAGE_BYTES || last < from[i].address)
			return TMA_EINVAL;
		if (!from[i].allow || from[i].allow & ~(TMA_ALLOW_READ | TMA_ALLOW_WRITE))
			return TMA_EINVAL;
		to[i] = from[i];
		to[i].bytes = (last | (PAGE_BYTES - 1)) - from[i].address + 1;
	}
	return 0;
}

/* Options of a queue -> what a back end is told. The windows are the caller's to free. */
static int set_up(const struct tma_device *device, const struct tma_queue_options *o,
                  struct backend_queue *setup, struct tma_queue_window **windows)
{
	uint32_t all = (1u << device->info.ctas) - 1;
	int error;

	*windows = NULL;
	if (o->cta >= device->info.ctas || o->cta_mask & ~all || o->prot > 7)
		return TMA_EINVAL;
	if (o->num_windows > device->info.windows)
		return TMA_ENOSPC;
	if (o->num_windows && !o->windows)
		return TMA_EINVAL;

	setup->cta = o->cta;
	setup->cta_mask = o->cta_mask ? o->cta_mask : all;
	setup->stream = o->stream;
	setup->prot = o->prot;
	setup->windows = &whole_arena;
	setup->num_windows = 1;
	if (!o->num_windows)
		return 0;

	*windows = calloc(o->num_windows, sizeof(**windows));
	if (!*windows)
		return TMA_ENOMEM;
	error = copy_windows(o->windows, o->num_windows, *windows);
	setup->windows = *windows;
	setup->num_windows = o->num_windows;
	return error;
}

int tma_queue_open(struct tma_device *device, uint32_t index, const struct tma_queue_options *options,
                   struct tma_queue **queue)
{
	struct tma_queue_options o;
	struct tma_queue_window *windows = NULL;
	struct backend_queue setup;
	struct tma_queue *q = NULL;
	int error;

	error = options_in(&o, sizeof(o), options);
	if (error)
		return error;
	if (index >= device->info.queues)
		return TMA_EINVAL;
	if (device->queues[index])
		return TMA_EBUSY;

	error = set_up(device, &o, &setup, &windows);
	if (error)
		goto out;
	q = calloc(1, sizeof(*q));
	if (!q) {
		error = TMA_ENOMEM;
		goto out;
	}
	error = device->backend->queue_open(device->engine, index, &setup);
	if (error) {
		free(q);
		goto out;
	}
	q->device = device;
	q->index = index;
	q->depth = o.depth ? o.depth : DEFAULT_DEPTH;
	device->queues[index] = q;
	*queue = q;
out:
	free(windows);
	return error;
}

void tma_queue_close(struct tma_queue *queue)
{
	struct tma_device *device;

	if (!queue)
		return;
	device = queue->device;
	device->backend->queue_close(device->engine, queue->index);
	device->queues[queue->index] = NULL;
	free(queue);
}

/* Let the engine run until the queue has room. */
static int wait_for_room(struct tma_queue *queue)
{
	const struct tma_device *device = queue->device;
	uint64_t cycle;
	int going;

	for (cycle = 0;; cycle++) {
		if (device->backend->queue_waiting(device->engine, queue->index) < queue->depth)
			return 0;
		if (cycle == device->submit_limit)
			return TMA_EFULL;
		going = device->backend->advance(device->engine);
		if (going < 0)
			return going;
		if (!going)
			return TMA_EFULL;
	}
}

int64_t tma_submit(struct tma_queue *queue, const struct tma_command *command)
{
	const struct tma_device *device = queue->device;
	int error;

	if (queue->faulted)
		return TMA_EFAULT;
	error = tma_device_check(device);
	if (error)
		return error;
	error = wait_for_room(queue);
	if (error)
		return error;
	error = device->backend->submit(device->engine, queue->index, command);
	if (error)
		return error;
	queue->opcodes[queue->submitted % HISTORY] = command->opcode;
	return queue->submitted++;
}

/* 1 *record is the queue's oldest, 0 there is none, or TMA_EFAULT and *record. */
static int take_record(struct tma_queue *queue, struct tma_record *record)
{
	const struct tma_device *device = queue->device;

	if (!device->backend->next_record(device->engine, queue->index, record))
		return 0;
	if (record->kind != TMA_KIND_FAULT)
		return 1;
	queue->faulted = true;
	return TMA_EFAULT;
}

int tma_poll(struct tma_queue *queue, struct tma_record *record)
{
	const struct tma_device *device = queue->device;
	int got = take_record(queue, record);

	if (got)
		return got;
	got = device->backend->advance(device->engine);
	return got < 0 ? got : take_record(queue, record);
}

int tma_wait(struct tma_queue *queue, struct tma_record *record, uint64_t limit)
{
	const struct tma_device *device = queue->device;
	uint64_t cycle;
	int got, going = 1;

	for (cycle = 0;; cycle++) {
		got = take_record(queue, record);
		if (got)
			return got < 0 ? got : 0;
		if (cycle == limit || !going)
			return TMA_ETIMEDOUT;
		going = device->backend->advance(device->engine);
		if (going < 0)
			return going;
	}
}

int tma_queue_state(struct tma_queue *queue, struct tma_queue_state *state)
{
	const struct tma_device *device = queue->device;
	struct tma_queue_state s = { .size = sizeof(s) };
	int error;

	error = device->backend->queue_state(device->engine, queue->index, &s);
	if (error)
		return error;
	s.waiting = queue->submitted - s.next_sequence;
	return options_out(state, sizeof(s), &s);
}
