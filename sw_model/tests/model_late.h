/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs on late models share: places, commands that wait, and the run over the seeds.
 *
 * A program has a `run`, with its wait or without, and says if the result is `right`. Memory as it was is in
 * f->expected.
 */
#ifndef MODEL_LATE_H
#define MODEL_LATE_H

#include <stdbool.h>

#include "model_cases.h"

#define SIZE 1024u

#define A     GLOBAL
#define B     (GLOBAL + 4 * PAGE)
#define X     (GLOBAL + 8 * PAGE)
#define BOTH  (GLOBAL + 12 * PAGE) /* a multimem object */
#define HERE  0x1000u              /* shared memory */
#define THERE 0x4000u
#define EMPTY 0x48u /* a second barrier of CTA 0 */

struct world {
	struct fixture *f;
	uint8_t port1[PAGE];
	uint8_t seen[SIZE]; /* by the host */
};

struct late_program {
	const char *name;
	void (*run)(struct world *w, bool waits);
	bool (*right)(struct world *w);
};

uint8_t *late_now_global(const struct world *w, uint64_t address);
const uint8_t *late_was_global(const struct world *w, uint64_t address);
uint8_t *late_now_shared(const struct world *w, uint32_t rank, uint32_t offset);
const uint8_t *late_was_shared(const struct world *w, uint32_t rank, uint32_t offset);
void late_put(struct world *w, uint32_t q, struct tma_command c);
struct tma_command late_wait_group(uint32_t n, unsigned int flags);
void late_commit_and_wait(struct world *w, uint32_t q, unsigned int flags);
struct tma_command late_wait_phase(uint32_t bar, uint32_t parity);
void late_wait_record(struct world *w, uint8_t kind);
void late_wait_signal(struct world *w, uint32_t q);

/* Checks that several programs end with: A is in B, A is in shared memory HERE, HERE is in B. */
bool late_a_is_in_b(struct world *w);
bool late_a_is_here(struct world *w);
bool late_here_is_in_b(struct world *w);

/** A test of cmocka; its state is a program. */
void late_over_the_seeds(void **state);

#endif
