/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings for the model's tests: in the fixture's global memory, behind its data.
 *
 * Queue q has its ring of commands in page RING_PAGE(q), its completion ring in the page behind, of
 * RING_SLOTS slots each unless a test asks for more.
 */
#ifndef MODEL_RINGS_H
#define MODEL_RINGS_H

#include "model_cases.h"

#define RING_SLOTS_LOG2  4u
#define RING_SLOTS       (1u << RING_SLOTS_LOG2)
#define RING_PAGE(q)     (8u + 2 * (q))
#define RING_AT(q)       (GLOBAL + RING_PAGE(q) * PAGE)
#define COMPLETION_AT(q) (RING_AT(q) + PAGE)
#define SLOT_AT(q, n)    (RING_AT(q) + 64u * ((n) % RING_SLOTS))
#define RECORD_AT(q, n)  (COMPLETION_AT(q) + 32u * ((n) % RING_SLOTS))

/** Configuration of queue @p q bound to its rings, enabled. */
struct tma_queue_config ring_config(const struct fixture *f, uint32_t q);
/** Disable queue @p q and enable it with that. */
void ring_start(struct fixture *f, uint32_t q);

/** Put a command into the slot of sequence number @p n. */
void ring_put(struct fixture *f, uint32_t q, uint32_t n, struct tma_command command);
/** Put a command behind the last one and ring the doorbell; run everything. */
void ring_submit(struct fixture *f, uint32_t q, struct tma_command command);
void ring_issue(struct fixture *f, uint32_t q, struct tma_command command);
void ring_doorbell(struct fixture *f, uint32_t q, uint32_t tail);
/** Take all records out but the last @p left. */
void ring_take(struct fixture *f, uint32_t q, uint32_t left);

/** Record number @p n of the ring is this one, but for its queue and phase, which are checked too. */
void expect_ring_record(struct fixture *f, uint32_t q, uint32_t n, struct tma_record expected);
/** Record number @p n is the fault, and the queue's status says the same. */
void expect_ring_fault(struct fixture *f, uint32_t q, uint32_t n, uint16_t code, uint64_t address);

#endif
