/* SPDX-License-Identifier: Apache-2.0 */
/* Faults 0x40 to 0x58 and 0xA0 to 0xA2: barriers, at issue and when a copy signals; cancelled waits. */
#include "engine/fault_cases.h"

#define COUNT_MAX ((1u << 20) - 1)
#define TX_MAX    ((int32_t)COUNT_MAX)
#define FOREVER   0xffffffffu

REFUSED(no_arrive_before, fault_command(TMA_MBARRIER_PENDING_COUNT), fault_header(&c),
        c.flags = TMA_FLAG_LAST_STATE)

static void on_zeroes(struct fault_program *p, struct tma_command c)
{
	fault_put_barrier(p, 0);
	fault_refused(p, c, FAULT_BAR);
}

BUILD(arrive_on_zeroes, on_zeroes(p, fault_on_barrier(TMA_MBARRIER_ARRIVE)))
BUILD(cp_arrive_on_zeroes, on_zeroes(p, fault_on_barrier(TMA_CP_ASYNC_MBARRIER_ARRIVE)))
BUILD(load_onto_tag_3, fault_put_barrier(p, fault_barrier_word(1, 1, 0) | UINT64_C(3) << 62),
      fault_refused(p, fault_load(), FAULT_BAR))
REFUSED(pair_is_dead, fault_tile(p, TMA_TENSOR_LOAD), c.barrier, c.flags = TMA_FLAG_CTA_GROUP_2,
        c.barrier |= fault_at(1, 0), fault_put_barrier(p, 0), p->barrier.cta = 1)
REFUSED(arrive_2_of_1, fault_on_barrier(TMA_MBARRIER_ARRIVE), FAULT_BAR, c.count = 2)
REFUSED(one_expected_too_many, fault_on_barrier(TMA_MBARRIER_EXPECT_TX), FAULT_BAR, c.tx = 16,
        fault_put_barrier(p, fault_barrier_word(1, 1, TX_MAX - 15)))
REFUSED(last_arrival, fault_on_barrier(TMA_MBARRIER_ARRIVE), FAULT_BAR, c.flags = TMA_FLAG_NO_COMPLETE)
REFUSED(drop_2_of_1, fault_on_barrier(TMA_MBARRIER_ARRIVE), FAULT_BAR, c.flags = TMA_FLAG_DROP, c.count = 2,
        fault_put_barrier(p, fault_barrier_word(1, 3, 0)))
BUILD(pending_count_is_full, fault_put_barrier(p, fault_barrier_word(1, COUNT_MAX, 0)),
      fault_refused(p, fault_on_barrier(TMA_CP_ASYNC_MBARRIER_ARRIVE), FAULT_BAR))

/* The phase is 0 and stays: the wait for its end blocks for ever. */
static void endless_wait(struct fault_program *p)
{
	struct tma_command c = fault_on_barrier(TMA_MBARRIER_TRY_WAIT);

	c.flags = TMA_FLAG_PARITY;
	c.tx = FOREVER;
	fault_refused(p, c, fault_header(&c));
	p->trigger = FAULT_BY_CANCEL;
}

static const struct fault_case cases[] = {
	{ TMA_FAULT_NO_STATE, "pending_count before any arrive", FAULT_BOTH_FRONTS, no_arrive_before },
	{ TMA_FAULT_BARRIER_DEAD, "arrive on zeroes", FAULT_BOTH_FRONTS, arrive_on_zeroes },
	{ TMA_FAULT_BARRIER_DEAD, "load onto tag 3", FAULT_BOTH_FRONTS, load_onto_tag_3 },
	{ TMA_FAULT_BARRIER_DEAD, "arrive of cp.async on zeroes", FAULT_BOTH_FRONTS, cp_arrive_on_zeroes },
	{ TMA_FAULT_BARRIER_DEAD, "cta_group::2, the pair's barrier", FAULT_BOTH_FRONTS, pair_is_dead },
	{ TMA_FAULT_PENDING_UNDERFLOW, "2 of 1", FAULT_BOTH_FRONTS, arrive_2_of_1 },
	{ TMA_FAULT_TX_COUNT_RANGE, "one byte too many expected", FAULT_BOTH_FRONTS, one_expected_too_many },
	{ TMA_FAULT_NO_COMPLETE_COMPLETES, "the last arrival", FAULT_BOTH_FRONTS, last_arrival },
	{ TMA_FAULT_EXPECTED_UNDERFLOW, "drop 2 of 1", FAULT_BOTH_FRONTS, drop_2_of_1 },
	{ TMA_FAULT_PENDING_OVERFLOW, "arrive of cp.async, one too many", FAULT_BOTH_FRONTS,
	  pending_count_is_full },
	{ TMA_FAULT_CANCELLED, "an endless try_wait", FAULT_BOTH_FRONTS, endless_wait },
};

const struct fault_list fault_sync_cases = FAULT_LIST(cases);

ISSUED(over_the_own_barrier, fault_load(), FAULT_BAR,
       c.global_address = FAULT_GLOBAL + FAULT_ZERO_PAGE * FAULT_PAGE, c.shared_dst = FAULT_BAR)
BUILD(one_arrived_too_many, fault_put_barrier(p, fault_barrier_word(1, 1, 63 - TX_MAX)),
      fault_issued(p, fault_load(), FAULT_BAR))

/* Nobody is expected any more, bytes are. */
static void nothing_pending(struct fault_program *p)
{
	struct tma_command c = fault_on_barrier(TMA_CP_ASYNC_MBARRIER_ARRIVE);

	c.flags = TMA_FLAG_NOINC;
	fault_put_barrier(p, fault_barrier_word(1, 0, 16));
	fault_issued(p, c, FAULT_BAR);
	p->moves = false;
}

static const struct fault_case signal_cases[] = {
	{ TMA_FAULT_SIGNAL_BARRIER_DEAD, "the copy overwrites its own barrier", FAULT_BOTH_FRONTS,
	  over_the_own_barrier },
	{ TMA_FAULT_SIGNAL_TX_COUNT_RANGE, "one byte too many arrived", FAULT_BOTH_FRONTS,
	  one_arrived_too_many },
	{ TMA_FAULT_SIGNAL_PENDING_UNDERFLOW, "arrive.noinc of cp.async with nothing pending",
	  FAULT_BOTH_FRONTS, nothing_pending },
};

const struct fault_list fault_signal_cases = FAULT_LIST(signal_cases);
