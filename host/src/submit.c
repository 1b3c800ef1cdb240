/* SPDX-License-Identifier: Apache-2.0 */
/* Commands into queues, and records out of them, through either front end. */
#include "device.h"
#include "event.h"
#include "history.h"

/* Look for a fault that cannot be told by a record after so many turns without one. */
#define FAULT_LOOK 64

/* Ask whether a queue without room can get any, after so many turns without. */
#define STUCK_LOOK 256

/* Commands that the queue takes now. */
static int64_t room(const struct tma_queue *queue)
{
	const struct tma_device *device = queue->device;
	uint32_t waiting;

	if (queue->ring)
		return ring_room(queue->ring, queue->submitted);
	waiting = device->backend->queue_waiting(device->engine, queue->index);
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
	struct tma_device *device = queue->device;
	uint64_t cycle;
	int64_t free;
	int going = 1;

	for (cycle = 0;; cycle++) {
		free = room(queue);
		if (free)
			return free;
		if (cycle == device->submit_limit)
			return TMA_EFULL;
		if ((!going || cycle % STUCK_LOOK == STUCK_LOOK - 1) && is_stuck(queue, going))
			return TMA_EFULL;
		going = device_advance(device);
		if (going < 0)
			return going;
	}
}

static int put(struct tma_queue *queue, const struct tma_command *command)
{
	const struct tma_device *device = queue->device;
	int error;

	if (queue->ring)
		error = ring_write(queue->ring, queue->submitted, command);
	else
		error = device->backend->submit(device->engine, queue->index, command);
	if (error)
		return error;
	history_add(queue, queue->submitted, command);
	queue->opcodes[queue->submitted++ % HISTORY] = command->opcode;
	return 0;
}

/* Hand over as many as go in; what `submitted` grows by is how many that were. */
static int submit_commands(struct tma_queue *queue, const struct tma_command *commands, uint32_t count)
{
	uint32_t done, end;
	int64_t free;
	int error;

	if (queue->faulted)
		return TMA_EFAULT;
	error = tma_device_check(queue->device);
	for (done = 0; !error && done < count;) {
		free = wait_for_room(queue);
		if (free < 0)
			return (int)free;
		end = free < count - done ? done + (uint32_t)free : count;
		while (!error && done < end)
			error = put(queue, &commands[done++]);
		if (!error && queue->ring)
			error = ring_doorbell(queue->ring, queue->submitted);
	}
	return error;
}

int64_t tma_submit_all(struct tma_queue *queue, const struct tma_command *commands, uint32_t count)
{
	uint32_t first = queue->submitted;
	int error = submit_commands(queue, commands, count);

	return error ? error : (int64_t)first;
}

int64_t tma_submit_some(struct tma_queue *queue, const struct tma_command *commands, uint32_t count)
{
	uint32_t first = queue->submitted;
	int error = submit_commands(queue, commands, count);
	uint32_t accepted = queue->submitted - first;

	return error && (!accepted || error == TMA_EDEVICE) ? error : (int64_t)accepted;
}

int64_t tma_queue_room(struct tma_queue *queue)
{
	return queue->ring ? ring_room_now(queue->ring, queue->submitted) : room(queue);
}

int64_t tma_submit(struct tma_queue *queue, const struct tma_command *command)
{
	return tma_submit_all(queue, command, 1);
}

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
	int got;

	do {
		if (queue->ring)
			got = ring_record(queue->ring, record);
		else
			got = device->backend->next_record(device->engine, queue->index, record);
	} while (got > 0 && is_told(queue, record));
	if (got <= 0 || record->kind != TMA_KIND_FAULT)
		return got;
	queue->faulted = true;
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
	got = tma_queue_state(queue, &state);
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
		fault = fault || got == TMA_EFAULT;
	} while (got);
	return fault ? TMA_EFAULT : 0;
}

static int poll_record(struct tma_queue *queue, struct tma_record *record)
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
	int got = poll_record(queue, record);

	event_update(queue);
	return got;
}

int tma_poll_many(struct tma_queue *queue, struct tma_record *records, uint32_t count)
{
	uint32_t taken = 0;
	int got = 1;

	while (got > 0 && taken < count) {
		got = taken ? take_record(queue, &records[taken]) : poll_record(queue, records);
		if (got > 0 || got == TMA_EFAULT)
			taken++;
	}
	event_update(queue);
	return taken || got > 0 ? (int)taken : got;
}

static int wait_record(struct tma_queue *queue, struct tma_record *record, uint64_t limit)
{
	uint64_t cycle;
	int got, going = 1;

	for (cycle = 0;; cycle++) {
		got = take_record(queue, record);
		if (!got && (cycle % FAULT_LOOK == FAULT_LOOK - 1 || cycle == limit || !going))
			got = look_for_fault(queue, record);
		if (got)
			return got < 0 ? got : 0;
		if (cycle == limit || !going)
			return TMA_ETIMEDOUT;
		going = device_advance(queue->device);
		if (going < 0)
			return going;
	}
}

int tma_wait(struct tma_queue *queue, struct tma_record *record, uint64_t limit)
{
	int error = wait_record(queue, record, limit);

	event_update(queue);
	return error;
}
