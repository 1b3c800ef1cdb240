/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_bulk - what the bulk copies move and signal, byte for byte.
 *
 * Spec: semantics 1.4, M16, M17, M22
 * Checks: the copied bytes are exact, every other byte of shared and global memory is untouched, each
 *         target's barrier is told all bytes once, and nobody else's.
 */
#include "model_cases.h"

struct copy_case {
	const char *name;
	uint32_t rank;   /* of the destination; of the source of a store */
	uint32_t offset; /* in shared memory */
	uint32_t at;     /* in global memory; CTA to CTA: in the source */
	uint32_t size;
};

static const struct copy_case load_cases[] = {
	{ "load, one granule", 0, DST, 0, 16 },
	{ "load, one line", 0, DST, 0x1000, 128 },
	{ "load, nothing aligned but to 16", 0, DST + 0x30, 0x1fd0, 0x250 },
	{ "load, one granule on either side of a page", 0, DST, 0x0ff0, 32 },
	{ "load, a page and a granule", 0, DST, 0x0ff0, 0x1010 },
	{ "load, three pages", 0, 0x50, 0x2ff0, 0x1f00 },
	{ "load, the last bytes of the window", 0, DST, GLOBAL_BYTES - 48, 48 },
	{ "load, the last bytes of shared memory but the barrier", 0, BAR_LAST + 8 - 80, 0x40, 64 },
	{ "load into the next CTA", 1, DST, 0, 64 },
	{ "load into the last CTA", 3, DST, 0x3000, 0x800 },
};

FIXTURE_CASE(loads, const struct copy_case *c)
{
	expect_loaded(f, c->rank, c->offset, GLOBAL + c->at, c->size);
	expect_barrier(f, c->rank, BAR, barrier_word(1, 1, -(int32_t)c->size, 0));
	expect_quiet(f, 0, load(AT(c->rank, c->offset), GLOBAL + c->at, c->size, AT(c->rank, BAR)));
	expect_all_memory(f);
}

TABLE_SUITE(test_model_bulk_loads, load_cases, loads)

static const struct copy_case shared_cases[] = {
	{ "CTA to CTA, one granule", 1, DST, SRC, 16 },
	{ "CTA to CTA, same offset", 3, SRC, SRC, 0x400 },
	{ "CTA to CTA, nothing aligned but to 16", 2, DST + 0x10, SRC + 0x70, 0x3b0 },
	{ "CTA to CTA, nearly all", 1, 0x50, 0x20, SMEM_BYTES - 0x60 },
};

FIXTURE_CASE(cta_to_cta, const struct copy_case *c)
{
	memcpy(f->expected.smem[c->rank] + c->offset, tma_model_smem(f->m, 0) + c->at, c->size);
	expect_barrier(f, c->rank, BAR, barrier_word(1, 1, -(int32_t)c->size, 0));
	expect_quiet(f, 0, copy(AT(c->rank, c->offset), AT(0, c->at), c->size, AT(c->rank, BAR)));
	expect_all_memory(f);
}

TABLE_SUITE(test_model_bulk_shared_copies, shared_cases, cta_to_cta)

struct store_case {
	const char *name;
	uint32_t offset;
	uint32_t at;
	uint32_t size;
	uint32_t byte_mask; /* above 0xffff: no mask */
};

#define NO_MASK 0x10000u

static const struct store_case store_cases[] = {
	{ "store, one granule", SRC, 0, 16, NO_MASK },
	{ "store, nothing aligned but to 16", SRC + 0x10, 0x1fd0, 0x250, NO_MASK },
	{ "store, two pages and a granule", 0, 0x4ff0, 0x1ff0, NO_MASK },
	{ "store, the last bytes of both memories", SMEM_BYTES - 64, GLOBAL_BYTES - 64, 64, NO_MASK },
	{ "byte mask of nothing", SRC, 0x100, 64, 0x0000 },
	{ "byte mask of everything", SRC, 0x100, 64, 0xffff },
	{ "byte mask of byte 0", SRC, 0x100, 64, 0x0001 },
	{ "byte mask of byte 15", SRC, 0x100, 64, 0x8000 },
	{ "byte mask of the low half", SRC, 0x100, 64, 0x00ff },
	{ "byte mask of odd bytes", SRC + 0x10, 0x130, 80, 0xaaaa },
	{ "byte mask across a page", 0x100, 0x0fe0, 0x1040, 0x4d21 },
};

FIXTURE_CASE(stores, const struct store_case *c)
{
	struct tma_command command = store(GLOBAL + c->at, AT(0, c->offset), c->size);

	if (c->byte_mask != NO_MASK)
		command = store_masked(GLOBAL + c->at, AT(0, c->offset), c->size, (uint16_t)c->byte_mask);
	for (uint32_t i = 0; i < c->size; i++)
		if (c->byte_mask == NO_MASK || (c->byte_mask >> i % 16 & 1))
			expect_stored(f, GLOBAL + c->at + i, 0, c->offset + i, 1);
	expect_quiet(f, 0, command);
	expect_all_memory(f);
	assert_int_equal(status_of(f, 0).open_stores, 1);
}

TABLE_SUITE(test_model_bulk_stores, store_cases, stores)

struct multicast_case {
	const char *name;
	uint32_t queue;
	uint16_t mask;
	uint32_t dst_rank; /* ignored, like that of the barrier */
	uint32_t bar_rank;
	uint32_t size;
};

static const struct multicast_case multicast_cases[] = {
	{ "multicast to nobody", 0, 0x0, 0, 0, 64 },
	{ "multicast to the issuer alone", 0, 0x1, 0, 0, 64 },
	{ "multicast to one other", 0, 0x4, 0, 0, 64 },
	{ "multicast to all but the issuer", 0, 0xe, 0, 0, 0x300 },
	{ "multicast to everybody", 0, 0xf, 0, 0, 0x300 },
	{ "multicast from CTA 1 to the outer ones", 1, 0x9, 1, 1, 0x1010 },
	{ "multicast, ranks of the addresses outside the mask", 0, 0x6, 0, 3, 64 },
	{ "multicast of 0 bytes", 0, 0xf, 0, 0, 0 },
};

FIXTURE_CASE(multicasts, const struct multicast_case *c)
{
	struct tma_model_counters counters;
	uint64_t targets = 0;

	for (uint32_t rank = 0; rank < CTAS; rank++) {
		if (!(c->mask >> rank & 1))
			continue;
		expect_loaded(f, rank, DST, GLOBAL + 0xff0, c->size);
		expect_barrier(f, rank, BAR, barrier_word(1, 1, -(int32_t)c->size, 0));
		targets++;
	}
	expect_quiet(f, c->queue,
	             multicast(AT(c->dst_rank, DST), GLOBAL + 0xff0, c->size, AT(c->bar_rank, BAR), c->mask));
	expect_all_memory(f);
	assert_int_equal(tma_model_counters(f->m, &counters), 0);
	assert_int_equal(counters.signals, targets && c->size ? 1 : 0);
}

TABLE_SUITE(test_model_bulk_multicasts, multicast_cases, multicasts)

/* M22: a copy of nothing signals 0 bytes, which may end a phase; windows are not asked. */
FIXTURE_TEST(zero_bytes_signal)
{
	put_barrier(f, 0, BAR, barrier_word(2, 0, 0, 0));
	put_barrier(f, 1, BAR, barrier_word(2, 0, 0, 1));
	remember(f);
	expect_barrier(f, 0, BAR, barrier_word(2, 2, 0, 1));
	expect_barrier(f, 1, BAR, barrier_word(2, 2, 0, 0));
	expect_quiet(f, 0, load(AT(0, DST), GLOBAL_END, 0, AT(0, BAR)));
	expect_quiet(f, 0, copy(AT(1, DST), AT(0, SRC), 0, AT(1, BAR)));
	expect_all_memory(f);
}

FIXTURE_TEST(zero_bytes_need_a_live_barrier)
{
	put_barrier(f, 0, BAR_DEAD, 0);
	remember(f);
	issue(f, 0, load(AT(0, DST), GLOBAL, 0, AT(0, BAR_DEAD)));
	expect_fault(f, 0, TMA_FAULT_BARRIER_DEAD, BAR_DEAD);
	expect_all_memory(f);
}

FIXTURE_TEST(zero_byte_store_is_in_no_group)
{
	expect_quiet(f, 0, store(GLOBAL_END, AT(0, SRC), 0));
	assert_int_equal(status_of(f, 0).open_stores, 0);
	expect_all_memory(f);
}

/* An empty mask reaches neither memory nor barrier: not even a window or a dead barrier matters. */
FIXTURE_TEST(mask_0_touches_nothing)
{
	put_barrier(f, 0, BAR_DEAD, 0);
	remember(f);
	expect_quiet(f, 0, multicast(AT(0, DST), GLOBAL_END, 64, AT(0, BAR_DEAD), 0));
	expect_all_memory(f);
}

FIXTURE_TEST(multicast_names_the_lowest_dead_cta)
{
	put_barrier(f, 1, BAR, 0);
	put_barrier(f, 2, BAR, 0);
	put_barrier(f, 3, BAR, 0);
	remember(f);
	issue(f, 0, multicast(AT(0, DST), GLOBAL, 64, AT(0, BAR), 0xd));
	expect_fault(f, 0, TMA_FAULT_BARRIER_DEAD, AT(2, BAR));
	expect_all_memory(f);
}

/* CTA 1's barrier cannot take the bytes; the others are signalled all the same. */
FIXTURE_TEST(multicast_signals_whom_it_can)
{
	put_barrier(f, 1, BAR, barrier_word(1, 1, 63 - (int32_t)COUNT_MAX, 0));
	remember(f);
	for (uint32_t rank = 0; rank < CTAS; rank++) {
		expect_loaded(f, rank, DST, GLOBAL, 64);
		if (rank != 1)
			expect_barrier(f, rank, BAR, barrier_word(1, 1, -64, 0));
	}
	issue(f, 0, multicast(AT(0, DST), GLOBAL, 64, AT(0, BAR), 0xf));
	expect_fault(f, 0, TMA_FAULT_SIGNAL_TX_COUNT_RANGE, AT(1, BAR));
	expect_all_memory(f);
}

/* The bytes land on the barriers and kill the tags of all of them: the lowest CTA is reported. */
FIXTURE_TEST(multicast_over_its_own_barriers)
{
	memset(f->global, 0, 64);
	remember(f);
	for (uint32_t rank = 1; rank < CTAS; rank++)
		expect_loaded(f, rank, BAR, GLOBAL, 64);
	issue(f, 0, multicast(AT(0, BAR), GLOBAL, 64, AT(0, BAR), 0xe));
	expect_fault(f, 0, TMA_FAULT_SIGNAL_BARRIER_DEAD, AT(1, BAR));
	expect_all_memory(f);
}

FIXTURE_TEST(record_copies_retire)
{
	const struct tma_command commands[] = { base_load(), base_multicast(), base_store(), base_shared(),
		                                base_prefetch() };

	for (uint32_t i = 0; i < ARRAY_SIZE(commands); i++) {
		issue(f, 0, tagged(with_flags(commands[i], TMA_FLAG_RECORD), 100 + i));
		expect_record(f,
		              (struct tma_record){ .sequence = i, .kind = TMA_KIND_RETIRED, .tag = 100 + i });
	}
	expect_no_record(f);
}

/* The policy is a hint: with any of its values the result is the same. */
FIXTURE_TEST(cache_hint_changes_nothing)
{
	struct tma_command c = with_flags(base_load(), TMA_FLAG_CACHE_HINT);

	c.policy = UINT64_C(0xF5A5123456789ABC);
	expect_loaded(f, 0, DST, GLOBAL, 64);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -64, 0));
	expect_quiet(f, 0, c);
	expect_all_memory(f);
}

/* arrive.expect_tx, then two loads: the phase ends with the second one's last byte. */
FIXTURE_TEST(phase_ends_with_the_bytes)
{
	expect_quiet(f, 0, arrive_expect_tx(AT(0, BAR), 96, 0));
	assert_int_equal(get_barrier(f, 0, BAR), barrier_word(1, 0, 96, 0));
	expect_quiet(f, 0, load(AT(0, DST), GLOBAL, 64, AT(0, BAR)));
	assert_int_equal(get_barrier(f, 0, BAR), barrier_word(1, 0, 32, 0));
	expect_quiet(f, 1, load(AT(0, DST + 64), GLOBAL + 64, 32, AT(0, BAR)));
	assert_int_equal(get_barrier(f, 0, BAR), barrier_word(1, 1, 0, 1));
}

FIXTURE_TEST(prefetch_moves_nothing)
{
	expect_quiet(f, 0, prefetch(GLOBAL + 0x10, GLOBAL_BYTES - 0x10));
	expect_quiet(f, 0, prefetch(GLOBAL_END, 0));
	expect_all_memory(f);
}

LIST_SUITE(test_model_bulk)
