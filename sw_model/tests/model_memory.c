/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_memory - maps of global memory: what lies where, and what the bus answers.
 *
 * Spec: tma_model.h (tma_model_map, tma_model_map_error); global addresses are modulo 2^64
 * Checks: later maps hide earlier ones, what is unmapped is gone, copies cross from map to map, addresses wrap, unmapped memory
 *         answers DECERR, of two responses DECERR wins, prefetch counts errors and what no window allows.
 */
#include "lib/rng.h"
#include "model_cases.h"

#define RW (TMA_WINDOW_READ | TMA_WINDOW_WRITE)

#define TOP_PAGE (UINT64_C(0) - PAGE)

/* Everything but the first and the last page is out of the windows. */
FIXTURE_TEST(addresses_wrap)
{
	static uint8_t top[PAGE], bottom[PAGE];
	struct tma_queue_config config = f->queues[0];

	requeue(f, 0, &(struct tma_queue_config){ 0 }, &(struct tma_window){ TOP_PAGE, UINT64_MAX, RW });
	assert_int_equal(tma_model_window(f->m, 0, 1, &(struct tma_window){ 0, PAGE - 1, RW }), 0);
	requeue(f, 0, &config, NULL);
	memset(top, 0x11, sizeof(top));
	memset(bottom, 0x22, sizeof(bottom));
	assert_int_equal(tma_model_map(f->m, 0, TOP_PAGE, PAGE, top), 0);
	assert_int_equal(tma_model_map(f->m, 0, 0, PAGE, bottom), 0);

	memset(f->expected.smem[0] + DST, 0x11, 32);
	memset(f->expected.smem[0] + DST + 32, 0x22, 48);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -80, 0));
	expect_quiet(f, 0, load(AT(0, DST), UINT64_MAX - 31, 80, AT(0, BAR)));
	expect_all_memory(f);

	expect_quiet(f, 0, store(UINT64_MAX - 15, AT(0, DST + 16), 32));
	assert_int_equal(top[PAGE - 1], 0x11);
	assert_int_equal(bottom[0], 0x22);
	assert_memory_equal(bottom, f->expected.smem[0] + DST + 32, 16);
	issue(f, 0, store(UINT64_MAX - 15, AT(0, DST), PAGE + 32));
	expect_fault(f, 0, TMA_FAULT_WINDOW_WRITE, PAGE);
}

FIXTURE_TEST(later_maps_hide_earlier_ones)
{
	static uint8_t patch[48];

	memset(patch, 0xA7, sizeof(patch));
	assert_int_equal(tma_model_map(f->m, 0, GLOBAL + 0x1008, sizeof(patch), patch), 0);
	expect_loaded(f, 0, DST, GLOBAL + 0xff0, 128);
	memset(f->expected.smem[0] + DST + 0x18, 0xA7, sizeof(patch));
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -128, 0));
	expect_quiet(f, 0, load(AT(0, DST), GLOBAL + 0xff0, 128, AT(0, BAR)));
	expect_all_memory(f);

	expect_stored(f, GLOBAL + 0x1000, 0, SRC, 8);
	expect_stored(f, GLOBAL + 0x1038, 0, SRC + 0x38, 8);
	expect_quiet(f, 0, store(GLOBAL + 0x1000, AT(0, SRC), 64));
	expect_all_memory(f);
	assert_memory_equal(patch, f->expected.smem[0] + SRC + 8, sizeof(patch));
}

/* A map may end inside a beat: only the operand's own bytes have to be there. */
FIXTURE_TEST(unmapped_bytes_answer_decerr)
{
	assert_int_equal(tma_model_unmap_all(f->m, 0), 0);
	assert_int_equal(tma_model_map(f->m, 0, GLOBAL + 16, 160, f->global + 16), 0);
	expect_loaded(f, 0, DST, GLOBAL + 16, 160);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -160, 0));
	expect_quiet(f, 0, load(AT(0, DST), GLOBAL + 16, 160, AT(0, BAR)));
	expect_all_memory(f);

	expect_loaded(f, 1, DST, GLOBAL + 16, 112);
	issue(f, 1, load(AT(1, DST), GLOBAL + 16, 176, AT(1, BAR)));
	expect_fault(f, 1, TMA_FAULT_READ_DECERR, GLOBAL + 128);
	issue(f, 2, store(GLOBAL, AT(0, SRC), 32));
	expect_fault(f, 2, TMA_FAULT_WRITE_DECERR, GLOBAL);
	expect_all_memory(f);
}

/* What is unmapped is so whatever lay there; what was on both sides of it stays, and so do error regions. */
FIXTURE_TEST(unmapped_bytes_are_gone)
{
	static uint8_t patch[48];

	assert_int_equal(tma_model_unmap(f->m, 2, GLOBAL, 16), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_unmap(f->m, 0, GLOBAL, 0), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_unmap(f->m, 0, UINT64_MAX, 2), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_map(f->m, 0, GLOBAL + 0x1000, sizeof(patch), patch), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1100, 1, 2, 2), 0);
	assert_int_equal(tma_model_unmap(f->m, 0, GLOBAL + 0x1000, 0x40), 0);
	assert_int_equal(tma_model_unmap(f->m, 0, GLOBAL_END, UINT64_MAX - GLOBAL_END), 0);
	issue(f, 0, load(AT(0, DST), GLOBAL + 0x1000, 16, AT(0, BAR)));
	expect_fault(f, 0, TMA_FAULT_READ_DECERR, GLOBAL + 0x1000);
	expect_loaded(f, 1, DST, GLOBAL + 0xfc0, 64);
	expect_loaded(f, 1, DST + 64, GLOBAL + 0x1040, 64);
	expect_barrier(f, 1, BAR, barrier_word(1, 1, -128, 0));
	expect_quiet(f, 1, load(AT(1, DST), GLOBAL + 0xfc0, 64, AT(1, BAR)));
	expect_quiet(f, 1, load(AT(1, DST + 64), GLOBAL + 0x1040, 64, AT(1, BAR)));
	issue(f, 2, store(GLOBAL + 0x1100, AT(0, SRC), 16));
	expect_fault(f, 2, TMA_FAULT_WRITE_SLVERR, GLOBAL + 0x1100);
	expect_all_memory(f);
}

/* Maps and holes of any place and size, over one another, against a table of all bytes. */
TEST(maps_and_holes_at_random)
{
	enum { BYTES = 512, CHUNK = 16, OWNERS = 4 };
	static uint8_t memory[OWNERS][BYTES];
	static const uint8_t *at[BYTES];
	struct tma_model *m = small_model(CHUNK);
	struct tma_window window = { GLOBAL, GLOBAL + PAGE - 1, RW };
	struct tma_queue_config config = { .enable = 1, .cta_mask = 1 };
	struct rng r = rng_make(31, 0);

	assert_int_equal(tma_model_window(m, 0, 0, &window), 0);
	assert_int_equal(tma_model_queue(m, 0, &config), 0);
	for (uint32_t i = 0; i < OWNERS * BYTES; i++)
		memory[i / BYTES][i % BYTES] = (uint8_t)rng_next(&r);
	for (uint32_t n = 0; n < 3000; n++) {
		uint32_t first = rng_below(&r, BYTES), size = 1 + rng_below(&r, BYTES - first);
		uint8_t *bytes = memory[rng_below(&r, OWNERS)];
		bool whole = true;

		if (rng_percent(&r, 40))
			bytes = NULL;
		if (bytes)
			assert_int_equal(tma_model_map(m, 0, GLOBAL + first, size, bytes + first), 0);
		else
			assert_int_equal(tma_model_unmap(m, 0, GLOBAL + first, size), 0);
		for (uint32_t i = first; i < first + size; i++)
			at[i] = bytes ? bytes + i : NULL;
		first = rng_below(&r, BYTES / CHUNK) * CHUNK;
		for (uint32_t i = 0; i < CHUNK; i++)
			whole &= at[first + i] != NULL;
		assert_int_equal(tma_model_submit(m, 0,
		                                  &(struct tma_command){ .version = TMA_COMMAND_VERSION,
		                                                         .opcode = TMA_CP_ASYNC,
		                                                         .size = CHUNK,
		                                                         .global_address = GLOBAL + first,
		                                                         .shared_dst = 512 }),
		                 0);
		assert_int_equal(tma_model_run(m), 1);
		assert_int_equal(model_status(m, 0).fault, whole ? 0 : TMA_FAULT_READ_DECERR);
		for (uint32_t i = 0; whole && i < CHUNK; i++)
			assert_int_equal(tma_model_smem(m, 0)[512 + i], *at[first + i]);
		assert_int_equal(tma_model_reset(m, 0), 0);
	}
	tma_model_free(m);
}

/* One byte decides: an error region at either end of a beat, a map that begins or ends one late. */
TEST(one_byte_is_enough)
{
	static const struct {
		uint64_t error;
		uint16_t fault;
	} edges[] = { { 0xfff, 0 },
		      { 0x1000, TMA_FAULT_READ_SLVERR },
		      { 0x103f, TMA_FAULT_READ_SLVERR },
		      { 0x1040, 0 } };
	struct fixture *f;

	for (unsigned int i = 0; i < ARRAY_SIZE(edges); i++) {
		f = fixture_new();
		assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + edges[i].error, 1, 2, 2), 0);
		issue(f, 0, load(AT(0, DST), GLOBAL + 0x1000, 64, AT(0, BAR)));
		assert_int_equal(status_of(f, 0).fault, edges[i].fault);
		fixture_free(f);
	}
	for (unsigned int late = 0; late < 2; late++) {
		f = fixture_new();
		assert_int_equal(tma_model_unmap_all(f->m, 0), 0);
		assert_int_equal(tma_model_map(f->m, 0, GLOBAL + late, 63, f->global), 0);
		issue(f, 0, load(AT(0, DST), GLOBAL, 64, AT(0, BAR)));
		expect_fault(f, 0, TMA_FAULT_READ_DECERR, GLOBAL);
		expect_all_memory(f);
		fixture_free(f);
	}
}

FIXTURE_TEST(decerr_wins_in_a_beat)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1000, 0x40, 3, 3), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1000, 0x80, 2, 2), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1000, 0x80, 0, 0), 0);
	issue(f, 0, load(AT(0, DST), GLOBAL + 0x1000, 64, AT(0, BAR)));
	expect_fault(f, 0, TMA_FAULT_READ_DECERR, GLOBAL + 0x1000);
	issue(f, 1, store(GLOBAL + 0x1040, AT(1, SRC), 64));
	expect_fault(f, 1, TMA_FAULT_WRITE_SLVERR, GLOBAL + 0x1040);
	expect_all_memory(f);
}

/* A burst answers like its first failing beat. */
FIXTURE_TEST(first_beat_of_a_burst_answers)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1080, 0x40, 0, 2), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x10c0, 0x40, 0, 3), 0);
	issue(f, 0, store(GLOBAL + 0x1000, AT(0, SRC), 0x200));
	expect_fault(f, 0, TMA_FAULT_WRITE_SLVERR, GLOBAL + 0x1000);
	expect_all_memory(f);
}

/* A region that fails reads alone lets writes pass, and the reverse. */
FIXTURE_TEST(responses_are_per_direction)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1000, PAGE, 2, 0), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x2000, PAGE, 0, 3), 0);
	expect_stored(f, GLOBAL + 0x1000, 0, SRC, 64);
	expect_loaded(f, 0, DST, GLOBAL + 0x2000, 64);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -64, 0));
	expect_quiet(f, 0, store(GLOBAL + 0x1000, AT(0, SRC), 64));
	expect_quiet(f, 0, load(AT(0, DST), GLOBAL + 0x2000, 64, AT(0, BAR)));
	expect_all_memory(f);
}

/* What arrived before the error is in every CTA of the mask, and nobody is signalled. */
FIXTURE_TEST(multicast_stops_alike_everywhere)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1040, 1, 2, 2), 0);
	for (uint32_t rank = 1; rank < CTAS; rank++)
		expect_loaded(f, rank, DST, GLOBAL + 0xff0, 0x50);
	issue(f, 0, multicast(AT(0, DST), GLOBAL + 0xff0, 0x200, AT(0, BAR), 0xe));
	expect_fault(f, 0, TMA_FAULT_READ_SLVERR, GLOBAL + 0x1040);
	expect_all_memory(f);
}

/* Strobes do not decide whether a burst is sent. */
FIXTURE_TEST(byte_mask_does_not_hide_errors)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1000, 16, 0, 2), 0);
	issue(f, 0, store_masked(GLOBAL + 0x1000, AT(0, SRC), 16, 0));
	expect_fault(f, 0, TMA_FAULT_WRITE_SLVERR, GLOBAL + 0x1000);
	issue(f, 1, store_masked(GLOBAL_END, AT(1, SRC), 16, 0));
	expect_fault(f, 1, TMA_FAULT_WINDOW_WRITE, GLOBAL_END);
	expect_all_memory(f);
}

static uint64_t prefetch_errors(struct fixture *f)
{
	struct tma_model_counters counters;

	assert_int_equal(tma_model_counters(f->m, &counters), 0);
	assert_int_equal(counters.faults, 0);
	return counters.prefetch_errors;
}

/* Two of three page parts fail: counted, not reported. */
FIXTURE_TEST(prefetch_counts_errors)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1100, 0x100, 2, 0), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x2000, 16, 3, 0), 0);
	expect_quiet(f, 0, prefetch(GLOBAL + 0xf00, 0x1200));
	assert_int_equal(prefetch_errors(f), 2);
	expect_quiet(f, 0, prefetch(GLOBAL_END - 16, 32));
	assert_int_equal(prefetch_errors(f), 3);
	expect_all_memory(f);
}

/* Of three page parts only the last one fails. */
FIXTURE_TEST(prefetch_looks_at_every_page)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x3ff0, 16, 2, 0), 0);
	expect_quiet(f, 0, prefetch(GLOBAL + 0x1800, 0x27f0));
	expect_quiet(f, 0, prefetch(GLOBAL + 0x1800, 0x2800));
	assert_int_equal(prefetch_errors(f), 2);
}

/* Each page without a window counts once, and stops nothing: the last one is read, and fails. */
FIXTURE_TEST(prefetch_needs_a_window_for_reads)
{
	struct tma_queue_config config = f->queues[0];

	requeue(f, 0, &config, &(struct tma_window){ GLOBAL, GLOBAL + 0xfff, TMA_WINDOW_READ });
	expect_quiet(f, 0, prefetch(GLOBAL, PAGE));
	requeue(f, 0, &config, &(struct tma_window){ GLOBAL, GLOBAL + 0xfff, TMA_WINDOW_WRITE });
	expect_quiet(f, 0, prefetch(GLOBAL + 16, 16));
	assert_int_equal(prefetch_errors(f), 1);
	requeue(f, 0, &config, &(struct tma_window){ GLOBAL + 0x3000, GLOBAL + 0x3fff, TMA_WINDOW_READ });
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x3000, 16, 2, 0), 0);
	expect_quiet(f, 0, prefetch(GLOBAL + 0xff0, 0x2010));
	assert_int_equal(prefetch_errors(f), 1 + 3);
	expect_quiet(f, 0, prefetch(GLOBAL + 0xff0, 0x2020));
	assert_int_equal(prefetch_errors(f), 4 + 4);
}

/* The largest: a page more than 2^20, of which memory has a few; over the end of the address space. */
FIXTURE_TEST(prefetch_of_4_gib)
{
	expect_quiet(f, 0, prefetch(GLOBAL + 16, 0xfffffff0));
	assert_int_equal(prefetch_errors(f), (1u << 20) - GLOBAL_BYTES / PAGE);
	expect_quiet(f, 0, prefetch(UINT64_MAX - 15, PAGE));
	assert_int_equal(prefetch_errors(f), (1u << 20) - GLOBAL_BYTES / PAGE + 2);
	expect_all_memory(f);
}

/* A copy goes on from window to window, each page by itself. */
FIXTURE_TEST(windows_add_up)
{
	struct tma_queue_config config = f->queues[0];

	requeue(f, 0, &(struct tma_queue_config){ 0 },
	        &(struct tma_window){ GLOBAL + 0x2000, GLOBAL + 0x2fff, TMA_WINDOW_READ });
	assert_int_equal(tma_model_window(f->m, 0, 1,
	                                  &(struct tma_window){ GLOBAL + 0x1000, GLOBAL + 0x1fff, RW }),
	                 0);
	requeue(f, 0, &config, NULL);
	expect_loaded(f, 0, DST, GLOBAL + 0x1ff0, 64);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -64, 0));
	expect_quiet(f, 0, load(AT(0, DST), GLOBAL + 0x1ff0, 64, AT(0, BAR)));
	expect_stored(f, GLOBAL + 0x1ff0, 0, SRC, 16);
	issue(f, 0, store(GLOBAL + 0x1ff0, AT(0, SRC), 64));
	expect_fault(f, 0, TMA_FAULT_WINDOW_WRITE, GLOBAL + 0x2000);
	expect_all_memory(f);
}

LIST_SUITE(test_model_memory)
