/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_memory_limits - what the model does when an allocation fails.
 *
 * Spec: tma_model.h (TMA_MODEL_ENOMEM: out of memory; nothing changed)
 * Checks: every allocation of the library fails once; the caller is told, nothing is lost or leaks,
 *         and the same call succeeds when there is memory again.
 *
 * The linker sends the program's own allocations here (--wrap).
 */
#include "model_cases.h"

#include <stdbool.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

/* Allocations that still succeed; negative: all of them. */
static int allowed = -1;

static bool refused(void)
{
	return allowed >= 0 && allowed-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return refused() ? NULL : __real_realloc(old, size);
}

/* One object, then one memory per CTA. */
TEST(creation)
{
	for (int n = 0; n < 5; n++) {
		allowed = n;
		assert_null(tma_model_new(&(struct tma_model_config){ .ctas = 4 }));
		assert_int_equal(allowed, -1);
	}
}

/* One object, what is in flight, one memory per CTA. */
TEST(creation_with_a_seed)
{
	for (int n = 0; n < 6; n++) {
		allowed = n;
		assert_null(tma_model_new(&(struct tma_model_config){ .ctas = 4, .seed = 1 }));
		assert_int_equal(allowed, -1);
	}
}

/* Every allocation that late copies need fails once, and they arrive all the same. */
FIXTURE_TEST_OF(late_copies, fixture_late(9))
{
	uint32_t refusals = 0;
	int moved = 0;

	for (uint32_t i = 0; i < 20; i++)
		submit(f, 0, load(AT(0, 0x1000 + 256 * i), GLOBAL + 512 * i, 256, AT(0, BAR)));
	do {
		allowed = 0;
		moved = tma_model_run(f->m);
		refusals += moved == TMA_MODEL_ENOMEM;
		assert_true(moved >= 0 || moved == TMA_MODEL_ENOMEM);
		allowed = -1;
		if (moved < 0)
			moved = tma_model_run(f->m);
	} while (moved > 0);
	assert_int_equal(moved, 0);
	assert_true(refusals >= 40);
	for (uint32_t i = 0; i < 20; i++)
		expect_loaded(f, 0, 0x1000 + 256 * i, GLOBAL + 512 * i, 256);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -20 * 256, 0));
	expect_all_memory(f);
}

FIXTURE_TEST(maps)
{
	uint32_t refusals = 0;

	for (uint32_t i = 0; i < 64; i += 2) {
		allowed = 0;
		if (tma_model_map(f->m, 0, GLOBAL + i, 1, f->global_store) == TMA_MODEL_ENOMEM)
			refusals++;
		allowed = -1;
		assert_int_equal(tma_model_map(f->m, 0, GLOBAL + i, 1, f->global + i), 0);
	}
	assert_true(refusals > 0);
	refusals = 0;
	for (uint32_t i = 0; i < 200; i += 2) {
		allowed = 0;
		if (tma_model_unmap(f->m, 0, GLOBAL + PAGE + i, 1) == TMA_MODEL_ENOMEM) {
			refusals++;
			assert_int_equal(tma_model_unmap(f->m, 0, GLOBAL + PAGE + i, 1), 0);
		}
		allowed = -1;
	}
	assert_true(refusals > 0);
	/* What is taken out whole needs no memory. */
	allowed = 0;
	assert_int_equal(tma_model_unmap(f->m, 0, GLOBAL + PAGE, PAGE), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL, 1, 2, 2), TMA_MODEL_ENOMEM);
	expect_loaded(f, 0, DST, GLOBAL, 64);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -64, 0));
	expect_quiet(f, 0, base_load());
	expect_all_memory(f);
}

FIXTURE_TEST(submission)
{
	struct tma_command c = base_signal();
	uint32_t queued = 0;

	for (int tries = 0; tries < 100; tries++) {
		allowed = 0;
		if (tma_model_submit(f->m, 0, &c) == TMA_MODEL_ENOMEM) {
			assert_int_equal(status_of(f, 0).queued, queued);
			assert_int_equal(tma_model_submit(f->m, 0, &c), 0);
		}
		allowed = -1;
		queued++;
	}
	assert_int_equal(tma_model_run(f->m), 100);
	for (uint32_t i = 0; i < queued; i++)
		expect_record(f, (struct tma_record){ .sequence = i, .kind = TMA_KIND_SIGNAL });
}

/* A command that has no room for its records does not run. */
FIXTURE_TEST(records)
{
	submit(f, 0, base_load());
	submit(f, 1, arrive(AT(1, BAR), 1, 0));
	allowed = 0;
	assert_int_equal(tma_model_step(f->m, 0), TMA_MODEL_ENOMEM);
	allowed = 0;
	assert_int_equal(tma_model_run(f->m), TMA_MODEL_ENOMEM);
	assert_int_equal(status_of(f, 0).queued, 1);
	expect_all_memory(f);
	assert_int_equal(tma_model_run(f->m), 2);
}

/* A cancel that has no room for the fault's record leaves the wait alone. */
FIXTURE_TEST(cancel)
{
	struct tma_command wait = base_try_parity();
	uint32_t refusals = 0;

	wait.tx = 0xffffffff;
	issue(f, 0, wait);
	for (int tries = 0; tries < 100; tries++) {
		submit(f, 1, base_signal());
		assert_int_equal(tma_model_step(f->m, 1), 1);
		allowed = 0;
		if (tma_model_cancel(f->m, 0) == TMA_MODEL_ENOMEM) {
			refusals++;
			assert_int_equal(status_of(f, 0).faulted, 0);
			assert_int_equal(status_of(f, 0).waiting, 1);
			assert_int_equal(tma_model_cancel(f->m, 0), 0);
		}
		allowed = -1;
		assert_int_equal(status_of(f, 0).fault, TMA_FAULT_CANCELLED);
		assert_int_equal(tma_model_resume(f->m, 0, 0), 0);
		assert_int_equal(tma_model_step(f->m, 0), 0);
	}
	assert_true(refusals > 0);
}

LIST_SUITE(test_model_memory_limits)
