/* SPDX-License-Identifier: Apache-2.0 */
/* barrier - the arithmetic of an mbarrier, for what a recorded program must leave behind. */
#ifndef REPLAY_BARRIER_H
#define REPLAY_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

struct barrier {
	uint32_t expected, pending, phase;
	int32_t tx;
};

struct barrier barrier_init(uint32_t count);

/** The object as it lies in shared memory. */
uint64_t barrier_word(const struct barrier *b);
/** The tx-count of an object in shared memory. */
int32_t barrier_word_tx(uint64_t word);
/** What an arrive on the barrier returns. */
uint64_t barrier_token(const struct barrier *b);

/* Each returns false, and changes nothing, when a count would leave its range. */
bool barrier_expect(struct barrier *b, uint32_t tx);
bool barrier_complete(struct barrier *b, uint32_t tx);
/** Of count @p n, with @p tx expected first. @p drop: n fewer arrivals from the next phase on. */
bool barrier_arrive(struct barrier *b, uint32_t n, uint32_t tx, bool drop);
bool barrier_arrive_no_complete(struct barrier *b, uint32_t n);

#endif
