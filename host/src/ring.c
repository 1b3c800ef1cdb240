/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings in global memory.
 *
 * Order: slots are written, made visible to the device, and only then the doorbell is rung. A record
 * is there when its phase bit is that of the lap; the bit is looked at first, with acquire, and the
 * rest of the record after it.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "ring.h"

#define MIN_SLOTS 16u
#define MAX_SLOTS 65536u

struct ring {
	struct tma_device *device;
	struct tma_memory *memory; /* commands, and from `records_at` on records */
	uint32_t index;            /* of the queue */
	uint32_t slots, record_slots;
	uint64_t records_at;
	uint32_t head;     /* HEAD when it was last read */
	uint32_t taken;    /* records */
	uint32_t consumer; /* of these, told to the engine */
};

static bool is_size(uint32_t slots)
{
	return slots >= MIN_SLOTS && slots <= MAX_SLOTS && !(slots & (slots - 1));
}

static uint8_t log2_of(uint32_t slots)
{
	uint8_t log2 = 0;

	while (slots >> (log2 + 1))
		log2++;
	return log2;
}

int ring_new(struct tma_device *device, uint32_t index, uint32_t slots, uint32_t record_slots,
             struct ring **ring)
{
	struct ring *r;
	int error;

	if (!is_size(slots) || !is_size(record_slots))
		return because(TMA_EINVAL, "%s = %u: must be a power of two, %u to %u",
		               is_size(slots) ? "record_slots" : "ring_slots",
		               is_size(slots) ? record_slots : slots, MIN_SLOTS, MAX_SLOTS);
	r = calloc(1, sizeof(*r));
	if (!r)
		return TMA_ENOMEM;
	r->device = device;
	r->index = index;
	r->slots = slots;
	r->record_slots = record_slots;
	r->records_at = (slots * sizeof(struct tma_command) + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
	/* The engine reads no slot of a command that was not written. */
	error = memory_take(device, 0, r->records_at + record_slots * sizeof(struct tma_record), &r->memory);
	if (error) {
		free(r);
		return error;
	}
	error = ring_restart(r);
	if (error) {
		ring_free(r);
		return error;
	}
	*ring = r;
	return 0;
}

void ring_free(struct ring *ring)
{
	if (!ring)
		return;
	memory_free(ring->memory);
	free(ring);
}

void ring_abandon(struct ring *ring)
{
	free(ring);
}

void ring_place(const struct ring *ring, struct queue_setup *setup)
{
	setup->ring = true;
	setup->ring_base = ring->memory->address;
	setup->completion_base = setup->ring_base + ring->records_at;
	setup->ring_log2 = log2_of(ring->slots);
	setup->completion_log2 = log2_of(ring->record_slots);
}

struct tma_queue_window ring_window(const struct ring *ring)
{
	return (struct tma_queue_window){
		.address = ring->memory->address,
		.bytes = (ring->memory->bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1),
		.allow = TMA_ALLOW_READ | TMA_ALLOW_WRITE,
	};
}

/* Old records would pass for new ones: their phase bits are those of a first lap. */
int ring_restart(struct ring *ring)
{
	uint64_t bytes = ring->record_slots * sizeof(struct tma_record);

	ring->head = 0;
	ring->taken = 0;
	ring->consumer = 0;
	memset((uint8_t *)ring->memory->host + ring->records_at, 0, bytes);
	return memory_to_device(ring->memory, ring->records_at, bytes);
}

static int read_register(const struct ring *ring, uint32_t address, uint32_t *value)
{
	return ring->device->backend->reg_read(ring->device->engine, address, value) ? TMA_EDEVICE : 0;
}

static int write_register(const struct ring *ring, uint32_t address, uint32_t value)
{
	return ring->device->backend->reg_write(ring->device->engine, address, value) ? TMA_EDEVICE : 0;
}

int64_t ring_room(struct ring *ring, uint32_t submitted)
{
	if (submitted - ring->head == ring->slots &&
	    read_register(ring, TMA_REG_DOOR_HEAD(ring->index), &ring->head))
		return TMA_EDEVICE;
	return ring->slots - (submitted - ring->head);
}

int64_t ring_room_now(struct ring *ring, uint32_t submitted)
{
	if (read_register(ring, TMA_REG_DOOR_HEAD(ring->index), &ring->head))
		return TMA_EDEVICE;
	return ring->slots - (submitted - ring->head);
}

uint32_t ring_slots(const struct ring *ring)
{
	return ring->slots;
}

void ring_command(const struct ring *ring, uint32_t sequence, struct tma_command *command)
{
	const uint8_t *slots = ring->memory->host;

	memcpy(command, slots + sequence % ring->slots * sizeof(*command), sizeof(*command));
}

void ring_write(struct ring *ring, uint32_t sequence, const struct tma_command *command)
{
	uint8_t *slots = ring->memory->host;

	memcpy(slots + sequence % ring->slots * sizeof(*command), command, sizeof(*command));
}

int ring_show(struct ring *ring, uint32_t sequence, uint32_t count)
{
	uint32_t slot = sequence % ring->slots;
	uint32_t to_end = count < ring->slots - slot ? count : ring->slots - slot;
	int error = memory_to_device(ring->memory, slot * sizeof(struct tma_command),
	                             to_end * sizeof(struct tma_command));

	return error ? error
	             : memory_to_device(ring->memory, 0, (count - to_end) * sizeof(struct tma_command));
}

int ring_doorbell(struct ring *ring, uint32_t tail)
{
	atomic_thread_fence(memory_order_release);
	return write_register(ring, TMA_REG_DOOR_TAIL(ring->index), tail);
}

/* The engine is told in lots: a register access costs more than a record. */
static int consume(struct ring *ring, uint32_t lot)
{
	if (ring->taken - ring->consumer < lot)
		return 0;
	ring->consumer = ring->taken;
	return write_register(ring, TMA_REG_DOOR_CONSUMER(ring->index), ring->consumer);
}

int ring_give_back(struct ring *ring)
{
	bool late = ring->taken != ring->consumer;
	int error = consume(ring, 1);

	return error ? error : late;
}

/* Where the next record lies in the buffer of the rings. */
static uint64_t next_record(const struct ring *ring)
{
	return ring->records_at + ring->taken % ring->record_slots * sizeof(struct tma_record);
}

int ring_ready(const struct ring *ring)
{
	uint64_t offset = next_record(ring);
	uint32_t expected = !(ring->taken / ring->record_slots & 1);
	const _Atomic uint32_t *phase;
	int error = memory_from_device(ring->memory, offset, sizeof(struct tma_record));

	if (error)
		return error;
	phase = (const _Atomic uint32_t *)(const void *)((const uint8_t *)ring->memory->host + offset +
	                                                 offsetof(struct tma_record, phase));
	return (atomic_load_explicit(phase, memory_order_acquire) & 1) == expected;
}

int ring_record(struct ring *ring, struct tma_record *record)
{
	uint64_t offset = next_record(ring);
	int error, there = ring_ready(ring);

	if (there < 0)
		return there;
	if (!there)
		return consume(ring, 1);
	/* Memory that is not coherent may come piece by piece, and the record between two of them: its end came last. */
	error = memory_from_device(ring->memory, offset, sizeof(*record));
	if (error)
		return error;
	memcpy(record, (const uint8_t *)ring->memory->host + offset, sizeof(*record));
	record->phase = 0;
	ring->taken++;
	error = consume(ring, ring->record_slots / 4);
	return error ? error : 1;
}

/* Give the slot of the next record the phase that the record would have had: the slot must not pass for
 * written in the lap after. */
static int pass_over(struct ring *ring)
{
	uint64_t offset = next_record(ring) + offsetof(struct tma_record, phase);
	uint32_t phase = !(ring->taken / ring->record_slots & 1);

	ring->taken++;
	return memory_copy_in(ring->memory, offset, &phase, sizeof(phase));
}

/* What is counted has been answered by the bus: it would be there. */
int64_t ring_pass_failed(struct ring *ring)
{
	uint32_t counted, passed = 0;
	int there, error = ring_counted(ring, &counted);

	for (; !error && ring->taken != counted; passed++) {
		there = ring_ready(ring);
		if (there)
			return there < 0 ? there : (int64_t)passed;
		error = pass_over(ring);
	}
	return error ? error : (int64_t)passed;
}

uint32_t ring_taken(const struct ring *ring)
{
	return ring->taken - 1;
}

int ring_counted(const struct ring *ring, uint32_t *records)
{
	return read_register(ring, TMA_REG_DOOR_PRODUCER(ring->index), records);
}
