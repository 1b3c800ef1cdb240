/* SPDX-License-Identifier: Apache-2.0 */
/* Records out of queues, through either front end, and waits for them. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime() */
#include <time.h>

#include "device.h"
#include "event.h"

/* Look for a fault that cannot be told by a record after so many turns without one. */
#define FAULT_LOOK 64
#define FAULT_ROOM 1200 /* of the words for a fault */

/* Longest sleep; a fault without a record is not told of by an interrupt. */
#define INTERRUPT_US 1000

/* A record of a fault that the library has told of already. */
static bool is_told(struct tma_queue *queue, const struct tma_record *record)
{
	if (!queue->told || record->kind != TMA_KIND_FAULT)
		return false;
	if (queue->resumed && (int32_t)(ring_taken(queue->ring) - queue->told_until) >= 0)
		queue->told = false;
	return queue->told;
}

/* 1 *record is the oldest that the engine has, 0 there is none, or TMA_EFAULT and *record. */
static int fetch_record(struct tma_queue *queue, struct tma_record *record)
{
	const struct tma_device *device = queue->device;
	uint32_t status;
	int got;

	do {
		if (queue->ring)
			got = ring_record(queue->ring, record);
		else
			got = device->backend->next_record(device->engine, queue->index, record);
	} while (got > 0 && is_told(queue, record));
	if (got <= 0 || record->kind != TMA_KIND_FAULT)
		return got;
	/* A fault whose queue was resumed before anybody took its record stops nobody any more. */
	if (device->backend->reg_read(device->engine, TMA_REG_QUEUE_STATUS(queue->index), &status))
		return TMA_EDEVICE;
	queue->faulted = status & TMA_REG_QUEUE_STATUS_FAULTED_MASK;
	return TMA_EFAULT;
}

/* The same of the queue's oldest, which the library may have already. */
static int take_record(struct tma_queue *queue, struct tma_record *record)
{
	int got = kept_take(&queue->kept, record);

	if (!got)
		return fetch_record(queue, record);
	return record->kind == TMA_KIND_FAULT ? TMA_EFAULT : got;
}

/*
 * A completion ring that cannot be written tells of nothing, its own fault included: that is in the
 * registers. TMA_EFAULT and *record if there is such a fault that software does not know, or what
 * fetch_record() says.
 */
static int look_for_fault(struct tma_queue *queue, struct tma_record *record)
{
	struct tma_queue_state state = { .size = sizeof(state) };
	int64_t passed;
	int got;

	if (!queue->ring)
		return 0;
	passed = ring_pass_failed(queue->ring);
	if (passed < 0)
		return (int)passed;
	queue->lost = queue->lost || passed;
	got = fetch_record(queue, record);
	if (got || !queue->lost || queue->faulted)
		return got;
	got = queue_state(queue, &state);
	if (got || !state.faulted)
		return got;
	*record = (struct tma_record){
		.sequence = state.fault_sequence,
		.queue = (uint8_t)queue->index,
		.kind = TMA_KIND_FAULT,
		.fault = state.fault,
		.address = state.fault_address,
		.tag = state.fault_tag,
	};
	queue->faulted = queue->told = true;
	queue->resumed = false;
	return TMA_EFAULT;
}

int queue_keep_records(struct tma_queue *queue, bool thorough)
{
	struct tma_record record;
	bool fault = false;
	int got;

	do {
		if (kept_reserve(&queue->kept))
			return TMA_ENOMEM;
		got = fetch_record(queue, &record);
		if (!got && thorough)
			got = look_for_fault(queue, &record);
		if (got < 0 && got != TMA_EFAULT)
			return got;
		if (got)
			kept_add(&queue->kept, &record);
		fault = fault || (got == TMA_EFAULT && queue->faulted);
	} while (got);
	return fault ? TMA_EFAULT : 0;
}

/* Of a call that gives records: why it returns TMA_EFAULT is what the command did wrong. */
static int given(struct tma_queue *queue, const struct tma_record *record, int result)
{
	char text[FAULT_ROOM];

	event_update(queue);
	if (result != TMA_EFAULT)
		return result;
	fault_text(queue, record, text, sizeof(text));
	return because(result, "%s", text);
}

static int check_wait(const struct tma_queue *queue, const struct tma_record *record, const char *name)
{
	int error = check_queue(queue);

	return error || record ? error : because(TMA_EINVAL, "%s is NULL", name);
}

static int poll_once(struct tma_queue *queue, struct tma_record *record)
{
	int got = take_record(queue, record);

	if (got)
		return got;
	got = device_advance(queue->device);
	if (got < 0)
		return got;
	got = take_record(queue, record);
	return got ? got : look_for_fault(queue, record);
}

int tma_poll(struct tma_queue *queue, struct tma_record *record)
{
	int result = check_wait(queue, record, "record");

	if (!result) {
		enter(queue->device);
		result = queue_of_this_life(queue);
		if (!result)
			result = given(queue, record, poll_once(queue, record));
		leave(queue->device);
	}
	return ended(__func__, result);
}

static int poll_many(struct tma_queue *queue, struct tma_record *records, uint32_t count)
{
	uint32_t taken = 0;
	int got = 1;

	while (got > 0 && taken < count) {
		got = taken ? take_record(queue, &records[taken]) : poll_once(queue, records);
		if (got > 0 || got == TMA_EFAULT)
			taken++;
	}
	event_update(queue);
	return taken || got > 0 ? (int)taken : got;
}

int tma_poll_many(struct tma_queue *queue, struct tma_record *records, uint32_t count)
{
	int result = count ? check_wait(queue, records, "records") : check_queue(queue);

	if (!result) {
		enter(queue->device);
		result = queue_of_this_life(queue);
		if (!result)
			result = poll_many(queue, records, count);
		leave(queue->device);
	}
	return ended(__func__, result);
}

/* Let the engine go on, or sleep while it does. What is pending is cleared before the ring is looked at: a
 * record that comes behind that look is told of again. */
static int pass_time(const struct tma_queue *queue)
{
	const struct tma_device *device = queue->device;
	int there;

	if (!queue->ring || !device->backend->interrupt)
		return device_advance(device);
	if (device->backend->reg_write(device->engine, TMA_REG_DOOR_INTERRUPT_PENDING(queue->index),
	                               TMA_REG_DOOR_INTERRUPT_PENDING_PENDING_MASK))
		return TMA_EDEVICE;
	there = ring_ready(queue->ring);
	if (!there)
		there = device->backend->interrupt(device->engine, INTERRUPT_US);
	/* What has come may be another queue's. */
	if (there >= 0 && device->events)
		event_update_all(device);
	return there < 0 ? there : 1;
}

static uint64_t cycles_of(const struct tma_device *device)
{
	return device->backend->cycles ? device->backend->cycles(device->engine) : 0;
}

/* Other threads may let the engine run on between two turns. */
static int wait_cycles(struct tma_queue *queue, struct tma_record *record, uint64_t limit)
{
	const struct tma_device *device = queue->device;
	const bool clocked = device->info.clocked;
	const uint64_t start = clocked ? cycles_of(device) : 0;
	uint64_t turn;
	bool last;
	int got, going = 1;

	for (turn = 0;; turn++) {
		last = !going || (clocked ? cycles_of(device) - start : turn) >= limit;
		got = take_record(queue, record);
		if (!got && (last || turn % FAULT_LOOK == FAULT_LOOK - 1))
			got = look_for_fault(queue, record);
		if (got)
			return got < 0 ? got : 0;
		if (last)
			return queue_because(queue, TMA_ETIMEDOUT, "no record");
		going = pass_time(queue);
		if (going < 0)
			return going;
		give_way(device);
	}
}

int tma_wait(struct tma_queue *queue, struct tma_record *record, uint64_t limit)
{
	int error = check_wait(queue, record, "record");

	if (!error) {
		enter(queue->device);
		error = queue_of_this_life(queue);
		if (!error)
			error = given(queue, record, wait_cycles(queue, record, limit));
		leave(queue->device);
	}
	return ended(__func__, error);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* What does not go on by itself may go on by another thread: that is waited for asleep. */
static int wait_time(struct tma_queue *queue, struct tma_record *record, uint64_t limit)
{
	const struct tma_device *device = queue->device;
	const uint64_t start = now();
	unsigned int idle = 0;
	uint64_t turn;
	bool last;
	int got, going = 1;

	for (turn = 0;; turn++) {
		last = now() - start >= limit;
		got = take_record(queue, record);
		if (!got && (last || !going || turn % FAULT_LOOK == FAULT_LOOK - 1))
			got = look_for_fault(queue, record);
		if (got)
			return got < 0 ? got : 0;
		if (last)
			return queue_because(queue, TMA_ETIMEDOUT, "no record");
		going = pass_time(queue);
		if (going < 0)
			return going;
		idle = going ? 0 : idle + 1;
		if (going) {
			give_way(device);
		} else {
			leave(device);
			back_off(idle - 1);
			enter(device);
		}
	}
}

int tma_wait_ns(struct tma_queue *queue, struct tma_record *record, uint64_t nanoseconds)
{
	int error = check_wait(queue, record, "record");

	if (!error) {
		enter(queue->device);
		error = queue_of_this_life(queue);
		if (!error)
			error = given(queue, record, wait_time(queue, record, nanoseconds));
		leave(queue->device);
	}
	return ended(__func__, error);
}
