/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_mbarrier_alu_test - one operation on an mbarrier, behind a complete_tx or alone.
 *
 * Checks: object, fault and its order, phase flip, and the answer's phase and pending count, against
 * barrier_ref.c. Operands are drawn so that the counts meet: equal, one off, at the ends of ranges.
 */
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_mbarrier_alu_pins.h"
#include "unit_rtl/barrier_ref.h"

#define ROUNDS    1000000u
#define MAX_COUNT 0xFFFFFu

#define ALU_TEST(name) TEST_WITH(name, struct mbarrier_alu *a, mbarrier_alu_open(), mbarrier_alu_close)

/* A value near one that matters. */
static uint32_t near(struct rng *r, uint32_t value)
{
	switch (rng_below(r, 8)) {
	case 0:
		return 0;
	case 1:
		return (value + 1) & MAX_COUNT;
	case 2:
		return (value - 1) & MAX_COUNT;
	case 3:
		return MAX_COUNT - rng_below(r, 2);
	case 4:
		return rng_below(r, MAX_COUNT + 1);
	default:
		return value & MAX_COUNT;
	}
}

static uint64_t draw_barrier(struct rng *r)
{
	struct bar_fields f = { .live = rng_percent(r, 95) ? 2 : rng_below(r, 4) };

	f.expected = near(r, 1 + rng_below(r, 4));
	f.pending = near(r, f.expected);
	f.tx = (int32_t)near(r, 16) * (rng_percent(r, 50) ? 1 : -1);
	f.phase = rng_below(r, 2);
	return bar_pack(f);
}

static struct bar_request draw_request(struct rng *r, uint64_t bar)
{
	struct bar_fields f = bar_unpack(bar);
	struct bar_request q = { .op = rng_below(r, BAR_OPS) };

	q.count = near(r, rng_percent(r, 50) ? f.pending : f.expected);
	if (q.op == BAR_EXPECT || q.op == BAR_COMPLETE || (q.op == BAR_ARRIVE && rng_percent(r, 50)))
		q.tx = near(r, (uint32_t)(f.tx < 0 ? -f.tx : f.tx));
	q.drop = q.op == BAR_ARRIVE && rng_percent(r, 30);
	q.no_complete = q.op == BAR_ARRIVE && rng_percent(r, 30);
	return q;
}

static void check(struct mbarrier_alu *a, uint64_t bar, const struct bar_request *first,
                  const struct bar_request *q)
{
	const struct mbarrier_alu_out *out = mbarrier_alu_out(a);
	struct bar_fields before;
	uint64_t wanted = bar;
	uint32_t fault;
	bool flip;

	*mbarrier_alu_in(a) = (struct mbarrier_alu_in){
		.bar = bar,
		.first = first != NULL,
		.first_tx = first ? first->tx : 0,
		.op = (uint8_t)q->op,
		.count = q->count,
		.tx = q->tx,
		.drop = q->drop,
		.no_complete = q->no_complete,
	};
	if (first) {
		/* Whoever lets a faulting one go first does not use the result. */
		if (bar_apply(&wanted, first, &flip))
			return;
	}
	before = bar_unpack(wanted);
	mbarrier_alu_eval(a);
	fault = bar_apply(&wanted, q, &flip);
	assert_int_equal(out->fault, fault);
	if (!fault)
		assert_int_equal(out->ends, flip);
	if (!fault && q->op != BAR_CHECK && q->op != BAR_TEST)
		assert_int_equal(out->bar, wanted);
	/* Of a dead object these mean nothing. */
	if (before.live == 2) {
		assert_int_equal(out->pending, before.pending);
		assert_int_equal(out->phase, before.phase);
	}
}

/* Every operation alone. */
ALU_TEST(alone)
{
	struct rng r = rng_make(1, 1);

	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint64_t bar = draw_barrier(&r);
		struct bar_request q = draw_request(&r, bar);

		check(a, bar, NULL, &q);
	}
}

/* Every operation behind a complete_tx, which may have completed the phase. */
ALU_TEST(behind_complete)
{
	struct bar_request first = { .op = BAR_COMPLETE };
	struct rng r = rng_make(2, 1);

	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint64_t bar = draw_barrier(&r), after;
		struct bar_request q;
		bool flip;

		if (rng_percent(&r, 30))
			bar &= ~(UINT64_C(0xFFFFF) << 20); /* nothing pending */
		first.tx = near(&r, (uint32_t)(bar >> 40 & 0xFFFFF));
		after = bar;
		bar_apply(&after, &first, &flip);
		q = draw_request(&r, after);
		check(a, bar, &first, &q);
	}
}

/* The ends of the tx-count, one by one. */
ALU_TEST(tx_range)
{
	static const int32_t held[] = { -0xFFFFF, -0xFFFFE, -1, 0, 1, 0xFFFFE, 0xFFFFF };
	static const uint32_t operand[] = { 0, 1, 2, 0xFFFFE, 0xFFFFF };

	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++) {
		for (size_t j = 0; j < sizeof(operand) / sizeof(*operand); j++) {
			struct bar_fields f = { .expected = 1, .pending = 1, .tx = held[i], .live = 2 };
			struct bar_request q = { .tx = operand[j] };

			for (q.op = BAR_EXPECT; q.op <= BAR_COMPLETE; q.op++)
				check(a, bar_pack(f), NULL, &q);
		}
	}
}

/* One pending arrival more, up to the last that there is room for; never a phase. */
ALU_TEST(pend_range)
{
	static const uint32_t pending[] = { 0, 1, MAX_COUNT - 1, MAX_COUNT };
	struct bar_request first = { .op = BAR_COMPLETE }, q = { .op = BAR_PEND };

	for (size_t i = 0; i < sizeof(pending) / sizeof(*pending); i++) {
		for (size_t j = 0; j < sizeof(pending) / sizeof(*pending); j++) {
			struct bar_fields f = { .expected = pending[j], .pending = pending[i], .live = 2 };

			check(a, bar_pack(f), NULL, &q);
			check(a, bar_pack(f), &first, &q);
			f.live = 1;
			check(a, bar_pack(f), NULL, &q);
		}
	}
}
