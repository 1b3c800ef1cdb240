/* SPDX-License-Identifier: Apache-2.0 */
/* result - what a run of a program leaves behind, and whether two runs agree. */
#ifndef CROSSCHECK_RESULT_H
#define CROSSCHECK_RESULT_H

#include <stddef.h>

#include "crosscheck/program.h"

/* Counters of the engine that do not depend on time, by number of the register. */
enum { COUNTED_COMMANDS, COUNTED_SIGNALS, COUNTED_FAULTS, COUNTED_PREFETCH_ERRORS, COUNTED_RECORDS, COUNTED };
extern const uint32_t counted[COUNTED];

/* The memories, each whole. */
struct memory {
	const struct shape *shape;
	uint8_t *smem[MAX_CTAS];
	uint8_t *global; /* of the first port */
	uint32_t global_bytes;
	uint8_t *port[MAX_PORTS]; /* of the others, PORT_BYTES each */
};

struct queue_result {
	struct tma_record *records;
	uint32_t num_records, room_records;
	uint32_t head; /* sequence number of the next command */
	uint16_t fault, fault_count;
	uint32_t fault_sequence, fault_tag;
	uint64_t fault_address;
};

/* What was done to the guest, and how often while another queue was busy. */
enum guest_act { GUEST_SETUPS, GUEST_RESETS, GUEST_RESUMES, GUEST_CANCELS, NUM_GUEST_ACTS };

struct guest_counts {
	uint64_t acts[NUM_GUEST_ACTS], busy[NUM_GUEST_ACTS];
	uint64_t accesses; /* to registers of others, */
	uint64_t both;     /* ... on both channels at once */
};

struct result {
	struct guest_counts guest;
	struct memory memory;
	struct queue_result queue[MAX_QUEUES];
	uint64_t counters[COUNTED];
	bool counters_known;
	uint8_t *sm[MAX_CTAS]; /* what the SMs have read */
};

/** Shared memories, all zero; global memory comes with memory_global(). Aborts without memory. */
void memory_init(struct memory *m, const struct shape *shape);
void memory_free(struct memory *m);
void memory_copy(struct memory *to, const struct memory *from);
/** Random bytes, as many as the program's global memory has. */
void memory_global(struct memory *m, const struct program *p);
/** Write the program's barriers. */
void memory_images(struct memory *m, const struct program *p);
/** Write what the external port writes during the program. */
void memory_pokes(struct memory *m, const struct program *p);

void result_free(struct result *r);
void result_add_record(struct result *r, const struct tma_record *record);

/**
 * Does a run show what the model shows?
 *
 * @param before  memories when both began
 * @param text    set to the first difference
 */
bool result_agrees(const struct program *p, const struct memory *before, const struct result *model,
                   const struct result *run, char *text, size_t room);

/** Is the fault's address in the run the model's, as far as it is certain? */
bool result_same_address(const struct program *p, uint32_t queue, uint16_t fault, uint64_t model,
                         uint64_t run);

/** Are all bytes the same? */
bool result_memories_agree(const struct program *p, const struct memory *model, const struct memory *run,
                           char *text, size_t room);

#endif
