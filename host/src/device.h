/* SPDX-License-Identifier: Apache-2.0 */
/* The library's own view of a device, its memory and its queues. */
#ifndef DEVICE_H
#define DEVICE_H

#include "backend.h"
#include "kept.h"
#include "ring.h"

struct tma_memory {
	struct tma_device *device;
	uint32_t port;
	uint64_t address, bytes;
	void *host;
	struct tma_memory *left, *right; /* in the tree of its arena: lower and higher addresses */
	uint64_t gap, widest; /* bytes in front of it; of those below it in the tree and its own the most */
};

/* The buffers of one port. A page behind each stays unmapped, so that an engine that leaves a buffer meets a
 * bus error. */
struct arena {
	struct tma_memory *tree;
	uint64_t used; /* bytes up to the end of the last buffer's page */
};

struct tma_multimem_object {
	struct tma_device *device;
	uint32_t index; /* of its window */
	uint64_t bytes;
	struct tma_memory *memory[TMA_MAX_PORTS];
};

/* Opcodes are kept for this many commands, so that a fault of a copy, which may come long after its
 * issue, can still name it. */
#define HISTORY 4096

struct tma_queue {
	struct tma_device *device;
	uint32_t index, depth;
	uint32_t submitted; /* commands so far: the next sequence number */
	bool faulted;       /* a FAULT record was delivered */
	bool lost;          /* a record could not be written since the queue was opened or resumed */
	bool told;          /* ... and so the library has told of the fault by itself */
	bool resumed;       /* since then: a record of that fault has a number below told_until */
	uint32_t told_until;
	struct ring *ring;            /* NULL: the direct port */
	struct tma_command *commands; /* copies of the last `command_slots`; NULL: the ring has them */
	uint32_t command_slots;
	struct kept kept; /* records that are older than those that the engine still has */
	int event;        /* file descriptor, -1: none */
	bool event_set;   /* it is readable */
	uint8_t opcodes[HISTORY];
};

struct tma_device {
	const struct tma_backend *backend;
	void *engine;
	struct tma_device_info info;
	struct arena arenas[TMA_MAX_PORTS];
	struct tma_multimem_object *multimem[TMA_MAX_MULTIMEM];
	uint64_t memory_limit, memory_used; /* bytes, in whole pages */
	uint64_t submit_limit;
	struct tma_queue *queues[TMA_REG_QUEUE_COUNT];
	uint32_t events; /* queues with a file descriptor */
	bool broken;     /* a window of a multimem object, or a queue, did not close */
};

static inline uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

/** Give a buffer, whose size is known, the lowest address that has room for it. @return false: none has */
bool arena_place(struct arena *arena, struct tma_memory *m);
void arena_remove(struct arena *arena, struct tma_memory *m);
/** The buffer that holds an address, or NULL. */
const struct tma_memory *arena_find(const struct arena *arena, uint64_t address);

/** Memory of one port, as tma_memory_alloc(). */
int memory_alloc(struct tma_device *device, uint32_t port, uint64_t bytes, struct tma_memory **memory);

/** Is it one for this library? If not, stderr says so. */
bool backend_fits(const struct tma_backend *backend);

/** The back end of a shared object, which stays loaded. NULL: there is none, stderr says why. */
const struct tma_backend *backend_load(const char *name);

/** Let the engine go on, as backend.advance(), and tell queues with an event of records that came. */
int device_advance(struct tma_device *device);

/**
 * Take what records the queue has into `kept`, for its program to take later.
 *
 * @param thorough  look in the registers for a fault that no record tells of, too
 * @retval TMA_EFAULT  one of them is a FAULT
 * @retval TMA_ENOMEM, TMA_EDEVICE
 */
int queue_keep_records(struct tma_queue *queue, bool thorough);

/** What the queue's head waits for, as tma_queue_text(), which is this and checks its arguments. */
int queue_reason(const struct tma_queue *queue, char *text, size_t length);

/** Copy a caller's struct, whose first member is its size; NULL gives all zero. A newer caller's
 * members that this library does not know must be zero. @retval TMA_ESIZE  too small, or not zero */
int options_in(void *to, size_t size, const void *from);

/** Copy a filled struct into a caller's; what this library does not know becomes zero.
 * @retval TMA_ESIZE  too small */
int options_out(void *to, size_t size, const void *from);

#endif
