/* SPDX-License-Identifier: Apache-2.0 */
/* Queues: set-up, state, recovery. */
#include <inttypes.h>
#include <stdlib.h>

#include "device.h"
#include "event.h"
#include "history.h"

#define DEFAULT_DEPTH 1024
#define DEFAULT_SLOTS 256

/* All that tma_memory_alloc() may give. */
static struct tma_queue_window all_memory(const struct tma_device *device)
{
	struct tma_queue_window all = { .allow = TMA_ALLOW_READ | TMA_ALLOW_WRITE };

	if (device->about.placed) {
		all.address = ARENA_BASE;
		all.bytes = ARENA_BYTES;
	} else {
		all.address = device->about.memory_base;
		all.bytes = device->about.memory_bytes ? device->about.memory_bytes : -PAGE_BYTES;
	}
	return all;
}

/* A window, rounded to whole pages. */
static int copy_window(const struct tma_queue_window *from, uint32_t i, struct tma_queue_window *to)
{
	const uint32_t rights = TMA_ALLOW_READ | TMA_ALLOW_WRITE | TMA_ALLOW_MULTIMEM;
	uint64_t last = from->address + (from->bytes - 1);

	if (from->address % PAGE_BYTES)
		return because(TMA_EINVAL, "windows[%u].address = 0x%" PRIx64 ": must be a multiple of 4096",
		               i, from->address);
	if (!from->bytes || last < from->address)
		return because(TMA_EINVAL,
		               "windows[%u].bytes = %" PRIu64 ": must be at least 1, and end in 64 bits", i,
		               from->bytes);
	if (!from->allow || from->allow & ~rights)
		return because(TMA_EINVAL, "windows[%u].allow = 0x%x: must be of TMA_ALLOW_*, at least one",
		               i, from->allow);
	*to = *from;
	to->bytes = (last | (PAGE_BYTES - 1)) - from->address + 1;
	return 0;
}

static int copy_windows(const struct tma_queue_window *from, uint32_t count, struct tma_queue_window *to)
{
	uint32_t i;
	int error = 0;

	for (i = 0; i < count && !error; i++)
		error = copy_window(&from[i], i, &to[i]);
	return error;
}

static int check_front(const struct tma_queue_options *o)
{
	if (o->front != TMA_FRONT_RING && o->front != TMA_FRONT_DIRECT)
		return because(TMA_EINVAL, "front = %u: must be TMA_FRONT_DIRECT or TMA_FRONT_RING",
		               (unsigned int)o->front);
	if (o->front == TMA_FRONT_DIRECT && (o->ring_slots || o->record_slots))
		return because(TMA_EINVAL, "%s = %u: must be 0 unless front is TMA_FRONT_RING",
		               o->ring_slots ? "ring_slots" : "record_slots",
		               o->ring_slots ? o->ring_slots : o->record_slots);
	return 0;
}

static int check_options(const struct tma_device *device, const struct tma_queue_options *o)
{
	uint32_t all = (1u << device->info.ctas) - 1;
	bool ring = o->front == TMA_FRONT_RING;

	if (o->cta >= device->info.ctas)
		return because(TMA_EINVAL, "cta = %u: the device has CTAs 0 to %u", o->cta,
		               device->info.ctas - 1);
	if (o->cta_mask & ~all)
		return because(TMA_EINVAL, "cta_mask = 0x%x: the device has CTAs 0x%x", o->cta_mask, all);
	if (o->prot > 7)
		return because(TMA_EINVAL, "prot = %u: must be 0 to 7", o->prot);
	if (check_front(o))
		return TMA_EINVAL;
	if (ring && !device->has_ring)
		return because(TMA_ENOTSUP, "front = TMA_FRONT_RING: this engine has no rings");
	if (!ring && !device->backend->submit)
		return because(TMA_ENOTSUP,
		               "front = TMA_FRONT_DIRECT: the back end \"%s\" has no direct port",
		               device->backend->name);
	if (o->num_windows && !o->windows)
		return because(TMA_EINVAL, "windows is NULL, and num_windows = %u", o->num_windows);
	if (o->num_windows && o->num_windows > device->info.windows - ring)
		return because(TMA_ENOSPC, "num_windows = %u: a queue has %u%s", o->num_windows,
		               device->info.windows, ring ? ", one of them for its rings" : "");
	return 0;
}

/* Options of a queue -> its set-up. The windows are the caller's to free. */
static int set_up(const struct tma_device *device, const struct tma_queue_options *o, const struct ring *ring,
                  struct queue_setup *setup, struct tma_queue_window **windows)
{
	int error;

	*setup = (struct queue_setup){
		.cta = o->cta,
		.cta_mask = o->cta_mask ? o->cta_mask : (1u << device->info.ctas) - 1,
		.stream = o->stream,
		.prot = o->prot,
		.cancel_mask = o->cancel_mask,
	};
	if (ring)
		ring_place(ring, setup);

	*windows = calloc(o->num_windows + 1, sizeof(**windows));
	if (!*windows)
		return TMA_ENOMEM;
	setup->windows = *windows;
	if (!o->num_windows) {
		**windows = all_memory(device);
		setup->num_windows = 1;
		return 0;
	}
	error = copy_windows(o->windows, o->num_windows, *windows);
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

static int start(struct tma_device *device, uint32_t index, const struct tma_queue_options *o,
                 struct tma_queue *q)
{
	struct tma_queue_window *windows = NULL;
	struct queue_setup setup;
	int error = new_ring(device, index, o, &q->ring);

	if (!error)
		error = set_up(device, o, q->ring, &setup, &windows);
	if (!error)
		error = history_new(q);
	if (!error)
		error = registers_queue_open(device, index, &setup);
	free(windows);
	return error;
}

static int queue_open(struct tma_device *device, uint32_t index, const struct tma_queue_options *o,
                      struct tma_queue **queue)
{
	struct tma_queue *q;
	int error = check_options(device, o);

	if (error)
		return error;
	if (device->queues[index])
		return because(TMA_EBUSY, "queue %u is open", index);
	q = calloc(1, sizeof(*q));
	if (!q)
		return TMA_ENOMEM;
	q->device = device;
	q->index = index;
	q->depth = o->depth ? o->depth : DEFAULT_DEPTH;
	q->event = NO_EVENT;
	error = start(device, index, o, q);
	if (error) {
		ring_free(q->ring);
		history_free(q);
		free(q);
		return error;
	}
	q->mark = MARK_QUEUE;
	device->queues[index] = q;
	*queue = q;
	return 0;
}

int tma_queue_open(struct tma_device *device, uint32_t index, const struct tma_queue_options *options,
                   struct tma_queue **queue)
{
	struct tma_queue_options o;
	int error = check_device(device);

	if (!error && !queue)
		error = because(TMA_EINVAL, "queue is NULL");
	if (!error)
		error = options_in(&o, sizeof(o), options);
	if (!error && index >= device->info.queues)
		error = because(TMA_EINVAL, "index = %u: the device has queues 0 to %u", index,
		                device->info.queues - 1);
	if (!error) {
		enter(device);
		error = queue_open(device, index, &o, queue);
		leave(device);
	}
	return ended(__func__, error);
}

/* Nobody can open it before it has closed: another thread would find rings that are still in use. */
void queue_close(struct tma_queue *queue)
{
	struct tma_device *device = queue->device;

	event_close(queue);
	/* Its buffers and rings may be freed when nothing of it is in flight, and else the device must not be
	 * used any more. */
	if (registers_queue_close(device, queue->index)) {
		device->broken = true;
		ring_abandon(queue->ring);
	} else {
		ring_free(queue->ring);
	}
	device->queues[queue->index] = NULL;
	history_free(queue);
	kept_clear(&queue->kept);
	unmark(&queue->mark);
	free(queue);
}

void tma_queue_close(struct tma_queue *queue)
{
	const struct tma_device *device;
	int error = queue ? check_queue(queue) : 0;

	if (queue && !error) {
		device = queue->device;
		enter(device);
		queue_close(queue);
		leave(device);
	}
	ended(__func__, error);
}

/* May the queue go on with that command, or have another one in its place? `end` is the first that it cannot. */
static int check_sequence(const struct tma_queue *queue, uint32_t sequence, uint32_t end)
{
	struct tma_queue_state state = { .size = sizeof(state) };
	int error = queue_state(queue, &state);

	if (error)
		return error;
	if (!state.faulted)
		return because(TMA_EINVAL, "queue %u has not faulted", queue->index);
	if (sequence - state.next_sequence >= end - state.next_sequence)
		return because(TMA_EINVAL,
		               "sequence = %u: must be %u, the next of the queue, or one behind it, below %u",
		               sequence, state.next_sequence, end);
	return 0;
}

static int resume(struct tma_queue *queue, uint32_t sequence)
{
	const struct tma_device *device = queue->device;
	int error = check_sequence(queue, sequence, queue->submitted + 1);

	if (error)
		return error;
	error = registers_queue_resume(device, queue->index, sequence);
	if (error)
		return error == TMA_ETIMEDOUT
		               ? because(error, "copies of queue %u are still in flight", queue->index)
		               : error;
	queue->faulted = queue->lost = false;
	queue->resumed = true;
	return queue->told ? ring_counted(queue->ring, &queue->told_until) : 0;
}

int tma_resume(struct tma_queue *queue, uint32_t sequence)
{
	int error = check_queue(queue);

	if (!error) {
		enter(queue->device);
		error = resume(queue, sequence);
		leave(queue->device);
	}
	return ended(__func__, error);
}

static int replace(struct tma_queue *queue, uint32_t sequence, const struct tma_command *command)
{
	int error;

	if (!queue->ring)
		return because(TMA_ENOTSUP, "queue %u is not a ring queue", queue->index);
	error = check_sequence(queue, sequence, queue->submitted);
	if (error)
		return error;
	queue->opcodes[sequence % HISTORY] = command->opcode;
	ring_write(queue->ring, sequence, command);
	return ring_show(queue->ring, sequence, 1);
}

int tma_replace(struct tma_queue *queue, uint32_t sequence, const struct tma_command *command)
{
	int error = check_queue(queue);

	if (!error && !command)
		error = because(TMA_EINVAL, "command is NULL");
	if (!error) {
		enter(queue->device);
		error = replace(queue, sequence, command);
		leave(queue->device);
	}
	return ended(__func__, error);
}

int queue_of_this_life(const struct tma_queue *queue)
{
	if (!queue->resetting)
		return 0;
	return because(TMA_EBUSY, "a reset of queue %u is not over: tma_queue_reset() comes first, again",
	               queue->index);
}

static int reset(struct tma_queue *queue)
{
	int error = registers_queue_reset(queue->device, queue->index);

	queue->resetting = true;
	if (error == TMA_ETIMEDOUT)
		return because(error, "copies of queue %u are still in flight", queue->index);
	if (!error && queue->ring)
		error = ring_restart(queue->ring);
	if (!error) {
		queue->submitted = 0;
		queue->resetting = queue->faulted = queue->told = queue->lost = false;
		kept_clear(&queue->kept);
		event_update(queue);
	}
	return error;
}

int tma_queue_reset(struct tma_queue *queue)
{
	int error = check_queue(queue);

	if (!error) {
		enter(queue->device);
		error = reset(queue);
		leave(queue->device);
	}
	return ended(__func__, error);
}

int tma_cancel(struct tma_queue *queue)
{
	const struct tma_device *device;
	int error = check_queue(queue);

	if (!error) {
		device = queue->device;
		enter(device);
		if (device->backend->reg_write(device->engine, TMA_REG_DOOR_CANCEL(queue->index), 1))
			error = TMA_EDEVICE;
		leave(device);
	}
	return ended(__func__, error);
}

int queue_state(const struct tma_queue *queue, struct tma_queue_state *state)
{
	struct tma_queue_state s = { .size = sizeof(s) };
	int error;

	error = registers_queue_state(queue->device, queue->index, &s);
	if (error)
		return error;
	s.waiting = queue->submitted - s.next_sequence;
	return options_out(state, sizeof(s), &s);
}

int tma_queue_state(struct tma_queue *queue, struct tma_queue_state *state)
{
	int error = check_queue(queue);

	if (!error && !state)
		error = because(TMA_EINVAL, "state is NULL");
	if (!error) {
		enter(queue->device);
		error = queue_state(queue, state);
		leave(queue->device);
	}
	return ended(__func__, error);
}
