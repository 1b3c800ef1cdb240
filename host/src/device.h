/* SPDX-License-Identifier: Apache-2.0 */
/* The library's own view of a device, its memory and its queues. */
#ifndef DEVICE_H
#define DEVICE_H

#include "backend.h"
#include "error.h"
#include "handle.h"
#include "kept.h"
#include "registers.h"
#include "ring.h"

struct tma_memory {
	uint32_t mark;
	uint32_t port;
	struct tma_device *device;
	bool lent; /* by the library, as a part of something: not the program's to free */
	uint64_t address, bytes;
	void *host;
	void *handle;                    /* of the back end */
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
	uint32_t mark;
	struct tma_device *device;
	uint32_t index; /* of its window */
	uint64_t bytes;
	struct tma_memory *memory[TMA_MAX_PORTS];
};

/* Opcodes are kept for this many commands, so that a fault of a copy, which may come long after its
 * issue, can still name it. */
#define HISTORY 4096

struct tma_queue {
	uint32_t mark;
	struct tma_device *device;
	uint32_t index, depth;
	uint32_t submitted; /* commands so far: the next sequence number */
	bool faulted;       /* a FAULT record was delivered */
	bool resetting;     /* a reset was begun and is not over: the engine counts from 0 */
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
	uint32_t mark;
	struct turns turns;
	const struct tma_backend *backend; /* as the library knows it: */
	struct tma_backend table;
	struct tma_backend_engine about;
	void *engine;
	struct tma_device_info info;
	bool has_ring;
	struct arena arenas[TMA_MAX_PORTS];
	struct tma_multimem_object *multimem[TMA_MAX_MULTIMEM];
	uint64_t memory_limit, memory_used; /* bytes, in whole pages */
	uint64_t submit_limit;
	struct tma_queue *queues[TMA_REG_QUEUE_COUNT];
	uint32_t events; /* queues with a file descriptor */
	bool broken;     /* a window of a multimem object, or a queue, did not close */
	bool watched;    /* tma_watch() */
};

static inline uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

/** Give a buffer, whose size is known, the lowest address that has room for it. @return false: none has */
bool arena_place(struct arena *arena, struct tma_memory *m);
/** The same for a buffer that has its address: no other is placed in this arena. */
void arena_insert(struct arena *arena, struct tma_memory *m);
void arena_remove(struct arena *arena, struct tma_memory *m);
/** The buffer that holds an address, or NULL. */
const struct tma_memory *arena_find(const struct arena *arena, uint64_t address);

/* What public functions of the same name do, with good handles and on the caller's turn. */
int memory_alloc(struct tma_device *device, uint32_t port, uint64_t bytes, struct tma_memory **memory);
/** The same, but the host alone knows that it is zero: the engine may find anything. */
int memory_take(struct tma_device *device, uint32_t port, uint64_t bytes, struct tma_memory **memory);
void memory_free(struct tma_memory *memory);
int memory_to_device(const struct tma_memory *memory, uint64_t offset, uint64_t bytes);
int memory_from_device(const struct tma_memory *memory, uint64_t offset, uint64_t bytes);
int memory_copy_in(const struct tma_memory *memory, uint64_t offset, const void *source, uint64_t bytes);
void multimem_free(struct tma_multimem_object *multimem);
int device_check(const struct tma_device *device);
int queue_state(const struct tma_queue *queue, struct tma_queue_state *state);
/** Does the engine count as the library does? @retval TMA_EBUSY  no, a reset was begun and is not over */
int queue_of_this_life(const struct tma_queue *queue);
void queue_close(struct tma_queue *queue);
/** As tma_fault_text(), the first one without the command as PTX. */
int fault_words(const struct tma_queue *queue, const struct tma_record *record, char *text, size_t length);
int fault_text(const struct tma_queue *queue, const struct tma_record *record, char *text, size_t length);

/** Is it one for this library? @retval TMA_EBACKEND */
int backend_fits(const struct tma_backend *backend);

/** The table as this library has it: what one of an older header lacks is NULL. */
void backend_copy(struct tma_backend *table, const struct tma_backend *backend);

/** The back end of a shared object, which stays loaded. @retval TMA_EBACKEND */
int backend_load(const char *name, const struct tma_backend **backend);

/** Let the engine go on, and tell queues with an event of records that came.
 * @return as the slot of the back end; 1 where engines go on by themselves */
int device_advance(const struct tma_device *device);

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

/** Let that be the reason of an error, and behind it what has not come. @return error */
int queue_because(const struct tma_queue *queue, int error, const char *what);

/** Copy a caller's struct, whose first member is its size; NULL gives all zero. A newer caller's
 * members that this library does not know must be zero.
 * @retval TMA_ESIZE  too small, not zero, or of a size that no version will have */
int options_in(void *to, size_t size, const void *from);

/** Copy a filled struct into a caller's; what this library does not know becomes zero.
 * @retval TMA_ESIZE  too small, or of a size that no version will have */
int options_out(void *to, size_t size, const void *from);

#endif
