/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_turns - threads on an engine that is never idle: who waits for long keeps nobody from his turn.
 *
 * Spec: tma.h (threads)
 * Checks: short calls, and waits, beside a wait without end; how often the engine moved in between is counted, so no
 *         clock is looked at. Devices side by side, one in each thread.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */
#include <pthread.h>
#include <stdatomic.h>

#include "backend.h"
#include "host_threads.h"

#define MBAR  0x40u
#define CALLS 200u

/* The model, as slow as a simulated clock, and as restless. Asleep, so that the scheduler owes the thread something when
 * it wakes, and does not take it off for others by itself. */
static atomic_uint moves;

static int busy_advance(void *engine)
{
	int error = tma_backend_model.advance(engine);

	sleep_us(100);
	atomic_fetch_add(&moves, 1);
	return error < 0 ? error : 1;
}

const struct tma_backend *busy_backend(void)
{
	static struct tma_backend busy;

	busy = tma_backend_model;
	busy.name = "busy";
	busy.advance = busy_advance;
	return &busy;
}

struct waiter {
	struct tma_queue *queue;
	struct tma_record record;
	int result;
};

static void *wait_thread(void *argument)
{
	struct waiter *w = argument;

	w->result = tma_wait(w->queue, &w->record, UINT64_MAX);
	return NULL;
}

/* Start a wait that only tma_cancel() ends, and let it run. */
static pthread_t start_waiter(struct waiter *waiter, struct tma_device *device)
{
	unsigned int before = atomic_load(&moves);
	pthread_t thread;

	waiter->queue = open_queue(device, 0, 0);
	init_barrier(waiter->queue, MBAR, 1);
	SUBMIT(waiter->queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT));
	assert_int_equal(pthread_create(&thread, NULL, wait_thread, waiter), 0);
	while (atomic_load(&moves) - before < 100)
		sleep_us(100);
	return thread;
}

static void stop_waiter(struct waiter *waiter, pthread_t thread)
{
	assert_int_equal(tma_cancel(waiter->queue), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(waiter->result, TMA_EFAULT);
	assert_int_equal(waiter->record.fault, TMA_FAULT_CANCELLED);
}

static struct tma_device *open_busy(void)
{
	return open_device(&(struct host_case){ .backend = "busy" });
}

/* Each has its turn after the move that is under way, or the next; now and then a thread is not awake in time. Between
 * calls the engine is busy again. */
TEST_WITH(test_short_calls, struct tma_device *device, open_busy(), tma_close)
{
	struct waiter waiter = { .result = 1 };
	pthread_t thread = start_waiter(&waiter, device);
	unsigned int before, late = 0;

	for (uint32_t i = 0; i < CALLS; i++) {
		sleep_us(300);
		before = atomic_load(&moves);
		assert_int_equal(tma_device_check(device), 0);
		late += atomic_load(&moves) - before > 2;
	}
	assert_in_range(late, 0, CALLS / 20);
	stop_waiter(&waiter, thread);
}

/* One that goes round as the other does comes to its end as well. */
TEST_WITH(test_two_waits, struct tma_device *device, open_busy(), tma_close)
{
	struct tma_queue *queue = open_queue(device, 1, 0);
	struct waiter waiter = { .result = 1 };
	pthread_t thread = start_waiter(&waiter, device);
	unsigned int before = atomic_load(&moves);
	struct tma_record record;

	for (uint32_t i = 0; i < 20; i++) {
		SUBMIT(queue, tma_signal(&c, i));
		assert_int_equal(tma_wait(queue, &record, UINT64_MAX), 0);
		assert_int_equal(record.tag, i);
		assert_int_equal(tma_wait(queue, &record, 3), TMA_ETIMEDOUT);
	}
	assert_in_range(atomic_load(&moves) - before, 0, 20 * 1000);
	stop_waiter(&waiter, thread);
}

int run_turn_tests(void)
{
	return run_file_tests("turns");
}
