/* SPDX-License-Identifier: Apache-2.0 */
/* See barrier_ref.h. Layout and rules are written out here and not taken from generated headers. */
#include "unit_rtl/barrier_ref.h"

#include "tma_abi.h"

#define TX_LIMIT    ((1 << 20) - 1)
#define MAX_PENDING 0xFFFFFu
#define ALIVE       2u

struct bar_fields bar_unpack(uint64_t word)
{
	struct bar_fields f;

	f.expected = (uint32_t)(word & 0xFFFFF);
	f.pending = (uint32_t)(word >> 20 & 0xFFFFF);
	f.tx = (int32_t)(word >> 40 & 0x1FFFFF);
	if (f.tx >= 1 << 20)
		f.tx -= 1 << 21;
	f.phase = (uint32_t)(word >> 61 & 1);
	f.live = (uint32_t)(word >> 62);
	return f;
}

uint64_t bar_pack(struct bar_fields f)
{
	return (uint64_t)f.expected | (uint64_t)f.pending << 20 | (uint64_t)(f.tx & 0x1FFFFF) << 40 |
	       (uint64_t)f.phase << 61 | (uint64_t)f.live << 62;
}

static void turn(struct bar_fields *f, bool *flip)
{
	*flip = f->pending == 0 && f->tx == 0;
	if (*flip) {
		f->phase ^= 1;
		f->pending = f->expected;
	}
}

uint32_t bar_apply(uint64_t *word, const struct bar_request *r, bool *flip)
{
	struct bar_fields f = bar_unpack(*word);
	uint32_t arrivals = r->op == BAR_ARRIVE ? r->count : 0;

	*flip = false;
	if (r->op == BAR_INIT) {
		*word = bar_pack(
			(struct bar_fields){ .expected = r->count, .pending = r->count, .live = ALIVE });
		return 0;
	}
	if (f.live != ALIVE)
		return TMA_FAULT_BARRIER_DEAD;
	if (r->op == BAR_CHECK || r->op == BAR_TEST)
		return 0;
	if (r->op == BAR_INVAL) {
		*word = 0;
		return 0;
	}

	if (r->op == BAR_PEND) {
		if (f.pending == MAX_PENDING)
			return TMA_FAULT_PENDING_OVERFLOW;
		f.pending++;
		*word = bar_pack(f);
		return 0;
	}

	if (f.pending < arrivals)
		return TMA_FAULT_PENDING_UNDERFLOW;
	f.pending -= arrivals;
	f.tx += r->op == BAR_COMPLETE ? -(int32_t)r->tx : (int32_t)r->tx;
	if (f.tx > TX_LIMIT || f.tx < -TX_LIMIT)
		return TMA_FAULT_TX_COUNT_RANGE;
	if (r->op == BAR_ARRIVE && r->no_complete && f.pending == 0 && f.tx == 0)
		return TMA_FAULT_NO_COMPLETE_COMPLETES;
	if (r->op == BAR_ARRIVE && r->drop) {
		if (f.expected < arrivals)
			return TMA_FAULT_EXPECTED_UNDERFLOW;
		f.expected -= arrivals;
	}
	turn(&f, flip);
	*word = bar_pack(f);
	return 0;
}
