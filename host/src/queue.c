/* SPDX-License-Identifier: Apache-2.0 */
/* Queues: set-up, state, recovery. */
#include <stdlib.h>

#include "device.h"
#include "event.h"
#include "history.h"

#define DEFAULT_DEPTH 1024
#define DEFAULT_SLOTS 256

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
		if (!from[i].allow ||
		    from[i].allow & ~(TMA_ALLOW_READ | TMA_ALLOW_WRITE | TMA_ALLOW_MULTIMEM))
			return TMA_EINVAL;
		to[i] = from[i];
		to[i].bytes = (last | (PAGE_BYTES - 1)) - from[i].address + 1;
	}
	return 0;
}

static int check_options(const struct tma_device *device, const struct tma_queue_options *o)
{
	uint32_t all = (1u << device->info.ctas) - 1;
	bool ring = o->front == TMA_FRONT_RING;

	if (o->cta >= device->info.ctas || o->cta_mask & ~all || o->prot > 7)
		return TMA_EINVAL;
	if (!ring && (o->front != TMA_FRONT_DIRECT || o->ring_slots || o->record_slots))
		return TMA_EINVAL;
	if (o->num_windows && !o->windows)
		return TMA_EINVAL;
	if (o->num_windows && o->num_windows + ring > device->info.windows)
		return TMA_ENOSPC;
	return 0;
}

/* Options of a queue -> what a back end is told. The windows are the caller's to free. */
static int set_up(const struct tma_device *device, const struct tma_queue_options *o, const struct ring *ring,
                  struct backend_queue *setup, struct tma_queue_window **windows)
{
	int error;

	*setup = (struct backend_queue){
		.cta = o->cta,
		.cta_mask = o->cta_mask ? o->cta_mask : (1u << device->info.ctas) - 1,
		.stream = o->stream,
		.prot = o->prot,
		.cancel_mask = o->cancel_mask,
		.windows = &whole_arena,
		.num_windows = 1,
	};
	if (ring)
		ring_place(ring, setup);
	if (!o->num_windows)
		return 0;

	*windows = calloc(o->num_windows + 1, sizeof(**windows));
	if (!*windows)
		return TMA_ENOMEM;
	error = copy_windows(o->windows, o->num_windows, *windows);
	setup->windows = *windows;
	setup->num_windows = o->num_windows;
	if (ring)
		(*windows)[setup->num_windows++] = ring_window(ring);
	return error;
}

static int new_ring(struct tma_device *device, uint32_t index, const struct tma_queue_options *o,
                    struct ring **ring)
{
	if (o->front != TMA_FRONT_RING)
		return 0;
	return ring_new(device, index, o->ring_slots ? o->ring_slots : DEFAULT_SLOTS,
	                o->record_slots ? o->record_slots : DEFAULT_SLOTS, ring);
}

int tma_queue_open(struct tma_device *device, uint32_t index, const struct tma_queue_options *options,
                   struct tma_queue **queue)
{
	struct tma_queue_options o;
	struct tma_queue_window *windows = NULL;
	struct backend_queue setup;
	struct tma_queue *q;
	int error;

	error = options_in(&o, sizeof(o), options);
	if (error)
		return error;
	if (index >= device->info.queues)
		return TMA_EINVAL;
	if (device->queues[index])
		return TMA_EBUSY;
	error = check_options(device, &o);
	if (error)
		return error;

	q = calloc(1, sizeof(*q));
	if (!q)
		return TMA_ENOMEM;
	error = new_ring(device, index, &o, &q->ring);
	if (!error)
		error = set_up(device, &o, q->ring, &setup, &windows);
	q->device = device;
	q->index = index;
	q->depth = o.depth ? o.depth : DEFAULT_DEPTH;
	q->event = NO_EVENT;
	if (!error)
		error = history_new(q);
	if (!error)
		error = device->backend->queue_open(device->engine, index, &setup);
	free(windows);
	if (error) {
		ring_free(q->ring);
		history_free(q);
		free(q);
		return error;
	}
	device->queues[index] = q;
	*queue = q;
	return 0;
}

/* Until nothing of a closed queue is in flight: its buffers and rings may be freed then, and else the
 * device must not be used any more. */
static bool wait_closed(const struct tma_queue *queue)
{
	struct tma_device *device = queue->device;
	uint32_t status = TMA_REG_QUEUE_STATUS_CLOSING_MASK;
	uint64_t cycle;

	for (cycle = 0; cycle < device->submit_limit; cycle++) {
		if (device->backend->reg_read(device->engine, TMA_REG_QUEUE_STATUS(queue->index), &status))
			return false;
		if (!(status & TMA_REG_QUEUE_STATUS_CLOSING_MASK))
			return true;
		if (device_advance(device) <= 0)
			return false;
	}
	return false;
}

void tma_queue_close(struct tma_queue *queue)
{
	struct tma_device *device;

	if (!queue)
		return;
	device = queue->device;
	device->backend->queue_close(device->engine, queue->index);
	device->queues[queue->index] = NULL;
	event_close(queue);
	if (wait_closed(queue)) {
		ring_free(queue->ring);
	} else {
		device->broken = true;
		ring_abandon(queue->ring);
	}
	history_free(queue);
	kept_clear(&queue->kept);
	free(queue);
}

int tma_resume(struct tma_queue *queue, uint32_t sequence)
{
	struct tma_device *device = queue->device;
	struct tma_queue_state state = { .size = sizeof(state) };
	uint64_t cycle;
	int error = tma_queue_state(queue, &state);

	if (error)
		return error;
	if (!state.faulted || sequence - state.next_sequence > queue->submitted - state.next_sequence)
		return TMA_EINVAL;
	for (cycle = 0; cycle <= device->submit_limit; cycle++) {
		error = device->backend->queue_resume(device->engine, queue->index, sequence);
		if (error != REFUSED)
			break;
		error = device_advance(device);
		if (error < 0)
			return error;
		error = TMA_ETIMEDOUT;
	}
	if (error)
		return error;
	queue->faulted = queue->lost = false;
	queue->resumed = true;
	return queue->told ? ring_counted(queue->ring, &queue->told_until) : 0;
}

int tma_replace(struct tma_queue *queue, uint32_t sequence, const struct tma_command *command)
{
	struct tma_queue_state state = { .size = sizeof(state) };
	int error;

	if (!queue->ring)
		return TMA_ENOTSUP;
	error = tma_queue_state(queue, &state);
	if (error)
		return error;
	if (!state.faulted || sequence - state.next_sequence >= queue->submitted - state.next_sequence)
		return TMA_EINVAL;
	queue->opcodes[sequence % HISTORY] = command->opcode;
	return ring_write(queue->ring, sequence, command);
}

int tma_queue_reset(struct tma_queue *queue)
{
	const struct tma_device *device = queue->device;
	int error = device->backend->queue_reset(device->engine, queue->index);

	if (!error && queue->ring)
		error = ring_restart(queue->ring);
	if (!error) {
		queue->submitted = 0;
		queue->faulted = queue->told = queue->lost = false;
		kept_clear(&queue->kept);
		event_update(queue);
	}
	return error;
}

int tma_cancel(struct tma_queue *queue)
{
	const struct tma_device *device = queue->device;

	return device->backend->reg_write(device->engine, TMA_REG_DOOR_CANCEL(queue->index), 1) ? TMA_EDEVICE
	                                                                                        : 0;
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
