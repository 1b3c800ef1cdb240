/* SPDX-License-Identifier: Apache-2.0 */
/*
 * File descriptors that are readable while a queue has records.
 *
 * Nobody but a call of the library looks for records: an interrupt only ends the sleep of a wait. So whoever lets the
 * engine go on looks for all queues that have a descriptor.
 */
#include <sys/eventfd.h>
#include <unistd.h>

#include "event.h"

/* A ring shows its records. Those of a direct port have to be taken to be seen. */
static bool has_records(struct tma_queue *queue)
{
	if (queue->resetting)
		return false;
	if (queue->kept.count)
		return true;
	if (queue->ring)
		return ring_ready(queue->ring) > 0;
	/* What there was no memory for is still there the next time. */
	(void)queue_keep_records(queue, false);
	return queue->kept.count;
}

void event_update(struct tma_queue *queue)
{
	eventfd_t count = 1;
	bool set;

	if (queue->event == NO_EVENT)
		return;
	set = has_records(queue);
	if (set == queue->event_set)
		return;
	/* Neither can block or fail: the count is 0 or 1, and nobody else is to change it. */
	if (set ? eventfd_write(queue->event, count) : eventfd_read(queue->event, &count))
		return;
	queue->event_set = set;
}

void event_update_all(const struct tma_device *device)
{
	uint32_t q;

	for (q = 0; q < device->info.queues; q++)
		if (device->queues[q])
			event_update(device->queues[q]);
}

void event_close(struct tma_queue *queue)
{
	if (queue->event == NO_EVENT)
		return;
	close(queue->event);
	queue->event = NO_EVENT;
	queue->event_set = false;
	queue->device->events--;
}

static int open_event(struct tma_queue *queue)
{
	if (queue->event == NO_EVENT) {
		queue->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (queue->event == NO_EVENT)
			return because(TMA_ENOMEM, "the system gives no file descriptor");
		queue->device->events++;
	}
	event_update(queue);
	return queue->event;
}

int tma_queue_event(struct tma_queue *queue)
{
	int result = check_queue(queue);

	if (!result) {
		enter(queue->device);
		result = open_event(queue);
		leave(queue->device);
	}
	return ended(__func__, result);
}

int device_advance(const struct tma_device *device)
{
	int going = device->backend->advance ? device->backend->advance(device->engine) : 1;

	if (going >= 0 && device->events)
		event_update_all(device);
	return going;
}
