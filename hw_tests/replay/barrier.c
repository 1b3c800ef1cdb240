/* SPDX-License-Identifier: Apache-2.0 */
/* barrier - the arithmetic of an mbarrier, for what a recorded program must leave behind. */
#include "replay/barrier.h"
#include "tma_abi.h"

#define MAX_TX ((1 << 20) - 1)

struct barrier barrier_init(uint32_t count)
{
	return (struct barrier){ .expected = count, .pending = count };
}

uint64_t barrier_word(const struct barrier *b)
{
	uint64_t tx = (uint64_t)b->tx & ((1u << TMA_BARRIER_TX_BITS) - 1);

	return (uint64_t)b->expected << TMA_BARRIER_EXPECTED_LSB |
	       (uint64_t)b->pending << TMA_BARRIER_PENDING_LSB | tx << TMA_BARRIER_TX_LSB |
	       (uint64_t)b->phase << TMA_BARRIER_PHASE_LSB |
	       (uint64_t)TMA_BARRIER_ALIVE << TMA_BARRIER_LIVE_LSB;
}

int32_t barrier_word_tx(uint64_t word)
{
	int32_t tx = (int32_t)(word >> TMA_BARRIER_TX_LSB & ((1u << TMA_BARRIER_TX_BITS) - 1));

	return tx > MAX_TX ? tx - (1 << TMA_BARRIER_TX_BITS) : tx;
}

uint64_t barrier_token(const struct barrier *b)
{
	return (uint64_t)b->pending << TMA_STATE_PENDING_LSB | (uint64_t)b->phase << TMA_STATE_PHASE_LSB;
}

static bool add_tx(struct barrier *b, int64_t tx)
{
	int64_t sum = b->tx + tx;

	if (sum < -MAX_TX || sum > MAX_TX)
		return false;
	b->tx = (int32_t)sum;
	return true;
}

static void turn(struct barrier *b)
{
	if (b->pending || b->tx)
		return;
	b->phase ^= 1;
	b->pending = b->expected;
}

bool barrier_expect(struct barrier *b, uint32_t tx)
{
	if (!add_tx(b, tx))
		return false;
	turn(b);
	return true;
}

bool barrier_complete(struct barrier *b, uint32_t tx)
{
	if (!add_tx(b, -(int64_t)tx))
		return false;
	turn(b);
	return true;
}

bool barrier_arrive(struct barrier *b, uint32_t n, uint32_t tx, bool drop)
{
	if (n > b->pending || (drop && n > b->expected) || !add_tx(b, tx))
		return false;
	b->pending -= n;
	if (drop)
		b->expected -= n;
	turn(b);
	return true;
}

bool barrier_arrive_no_complete(struct barrier *b, uint32_t n)
{
	if (n > b->pending || (n == b->pending && !b->tx))
		return false;
	b->pending -= n;
	return true;
}
