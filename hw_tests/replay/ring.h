/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring - software's side of a ring queue of the C model: slots, doorbells, records, by its registers.
 *
 * Call order: ring_open(), the queue's set-up with the fields that it fills in, then the rest in any
 * order, ring_close(). Functions that return int give 0 or a count, or a negative number on failure.
 */
#ifndef REPLAY_RING_H
#define REPLAY_RING_H

#include "lib/rng.h"
#include "tma_model.h"

struct ring {
	struct tma_model *model;
	uint32_t queue;
	uint32_t slots, records;
	uint8_t *memory; /* the ring, then the completion ring; NULL: no ring queue */
	uint64_t base, bytes;

	struct tma_command *waiting; /* for room in the ring, oldest first */
	uint32_t num_waiting, room;
	uint32_t tail;
	uint32_t taken, told; /* records, and those that CONSUMER counts */
};

/** Map random rings of random size for the queue, and fill in what its set-up says of them.
 * @param window  that they need */
int ring_open(struct ring *r, struct tma_model *model, uint32_t queue, struct rng *rng,
              struct tma_queue_config *config, struct tma_window *window);
void ring_close(struct ring *r);

/** Append a command. It is in its slot once there is room, after a later ring_ring(). */
int ring_submit(struct ring *r, const struct tma_command *command);

/** Write slots, as many as fit at most, and ring the doorbell. */
int ring_ring(struct ring *r, struct rng *rng);

/** Take a record: 1, or 0 there is none. Its phase word is 0 then. CONSUMER hears of it later. */
int ring_record(struct ring *r, struct tma_record *record);

/** Tell CONSUMER of the records that were taken. */
int ring_tell(struct ring *r);

#endif
