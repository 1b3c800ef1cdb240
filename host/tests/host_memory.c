/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_memory - many buffers: where they lie, and what they cost the back end.
 *
 * Spec: tma.h (tma_memory_alloc, tma_memory_free), tma_backend.h (memory_alloc, memory_free)
 * Checks: one call of the back end for each buffer that comes and one for each that goes, whatever the order; every
 *         buffer where first fit puts it, against a search through all of them; an arena that is full.
 */
#include <string.h>

#include "device.h"
#include "host_test.h"
#include "lib/rng.h"

#define BUFFERS 8000u

/* The model, and how often it is told of memory. */
static struct {
	uint32_t allocs, frees, syncs;
} calls;

static int counted_alloc(void *engine, struct tma_backend_memory *memory)
{
	calls.allocs++;
	return tma_backend_model.memory_alloc(engine, memory);
}

static void counted_free(void *engine, const struct tma_backend_memory *memory)
{
	calls.frees++;
	tma_backend_model.memory_free(engine, memory);
}

static int counted_sync(void *engine, const struct tma_backend_memory *memory, uint64_t offset,
                        uint64_t bytes, bool to_device)
{
	(void)engine;
	assert_true(to_device && !offset && bytes <= memory->bytes);
	calls.syncs++;
	return 0;
}

static struct tma_device *open_counted(void)
{
	static struct tma_backend counted;
	static const struct tma_backend *const backends[] = { &counted, NULL };
	const struct tma_options options = { .size = sizeof(options),
		                             .backend = "counted",
		                             .backends = backends };
	struct tma_device *device = NULL;

	counted = tma_backend_model;
	counted.name = "counted";
	counted.memory_alloc = counted_alloc;
	counted.memory_free = counted_free;
	counted.memory_sync = counted_sync;
	memset(&calls, 0, sizeof(calls));
	assert_int_equal(tma_open(&options, &device), 0);
	return device;
}

static void expect_calls(uint32_t allocs, uint32_t frees)
{
	assert_int_equal(calls.allocs, allocs);
	assert_int_equal(calls.frees, frees);
	assert_int_equal(calls.syncs, allocs);
}

/* Buffers go in another order than they came, half of them come again, and the device takes the rest along. */
TEST(test_calls_are_linear)
{
	static struct tma_memory *memory[BUFFERS];
	struct tma_device *device = open_counted();

	for (uint32_t i = 0; i < BUFFERS; i++)
		memory[i] = alloc_memory(device, 64);
	expect_calls(BUFFERS, 0);
	for (uint32_t i = 0; i < BUFFERS / 2; i++)
		tma_memory_free(memory[i * 4801 % BUFFERS]);
	expect_calls(BUFFERS, BUFFERS / 2);
	for (uint32_t i = 0; i < BUFFERS / 2; i++)
		alloc_memory(device, 64 + i);
	expect_calls(BUFFERS + BUFFERS / 2, BUFFERS / 2);
	tma_close(device);
	expect_calls(BUFFERS + BUFFERS / 2, BUFFERS + BUFFERS / 2);
}

/* Bytes of the arena that a buffer keeps from others, the page behind it included. */
static uint64_t end_of(const struct tma_memory *m)
{
	return m->address + (m->bytes + 4095) / 4096 * 4096 + 4096;
}

/* The lowest page at which `m` meets none of the others, by trying the beginning and the end of each. */
static uint64_t first_fit(const struct tma_memory *const *others, uint32_t count, const struct tma_memory *m)
{
	uint64_t best = UINT64_MAX;

	for (uint32_t from = 0; from <= count; from++) {
		struct tma_memory trial = *m;
		bool meets = false;

		trial.address = from < count ? end_of(others[from]) : ARENA_BASE;
		for (uint32_t i = 0; i < count; i++)
			meets |= trial.address < end_of(others[i]) && others[i]->address < end_of(&trial);
		if (!meets && trial.address < best)
			best = trial.address;
	}
	return best;
}

TEST(test_first_fit)
{
	enum { MOST = 60 };
	static struct tma_memory pool[MOST], *live[MOST], *idle[MOST];
	struct arena arena = { 0 };
	struct rng r = rng_make(41, 0);
	uint32_t count = 0;

	for (uint32_t i = 0; i < MOST; i++)
		idle[i] = &pool[i];
	for (uint32_t n = 0; n < 20000; n++) {
		if (count == MOST || (count && rng_percent(&r, n / 2000 % 2 ? 60 : 40))) {
			uint32_t i = rng_below(&r, count);
			struct tma_memory *m = live[i];

			arena_remove(&arena, m);
			assert_null(arena_find(&arena, m->address));
			live[i] = live[--count];
			idle[MOST - 1 - count] = m;
		} else {
			struct tma_memory *m = idle[MOST - 1 - count];
			uint64_t address;

			*m = (struct tma_memory){ .bytes = 1 + rng_below(&r, 5 * 4096) };
			address = first_fit((const struct tma_memory *const *)live, count, m);
			assert_true(arena_place(&arena, m));
			assert_true(m->address == address);
			assert_true(arena_find(&arena, address + m->bytes - 1) == m);
			assert_null(arena_find(&arena, address + m->bytes));
			live[count++] = m;
		}
	}
}

/* The last buffer needs no page behind it. */
TEST(test_full_arena)
{
	struct tma_memory most = { .bytes = ARENA_BYTES - 3 * PAGE_BYTES };
	struct tma_memory two = { .bytes = 2 * PAGE_BYTES }, one = { .bytes = 1 }, more = { .bytes = 1 };
	struct arena arena = { 0 };

	assert_true(arena_place(&arena, &most));
	assert_true(arena_place(&arena, &two));
	assert_true(two.address + two.bytes == ARENA_BASE + ARENA_BYTES);
	assert_false(arena_place(&arena, &one));
	arena_remove(&arena, &two);
	assert_true(arena_place(&arena, &one));
	assert_false(arena_place(&arena, &more));
	arena_remove(&arena, &most);
	assert_true(arena_place(&arena, &more));
	assert_true(more.address == ARENA_BASE);
	arena_remove(&arena, &one);
	assert_true(arena_place(&arena, &two));
	arena_remove(&arena, &more);
	arena_remove(&arena, &two);
	assert_null(arena.tree);
	assert_true(arena.used == 0);
}

int run_memory_tests(void)
{
	return run_file_tests("memory");
}
