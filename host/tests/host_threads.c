/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_threads - queues of one device in threads of their own.
 *
 * Spec: tma.h (threads)
 * Checks: copies, faults, resumes, cancellation, resets, queues that close and open, memory that comes and goes, all
 *         at once, every byte and every record; a wait that another thread ends. Built with -fsanitize=thread by
 *         `make test-threads`.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "host_threads.h"
#include "lib/rng.h"

#define MBAR       0x40u
#define NEVER      0x48u /* a barrier whose phase does not end */
#define BUFFER     0x400u
#define MAX_CHUNKS 64u
#define MAX_QUEUES 4u
#define OWNERS     3              /* threads with devices of their own */
#define ROUNDS     3              /* of opening and closing */
#define PATIENCE   (120 * SECOND) /* what does not come in that time never does */

/* A thread with a queue of its own. cmocka's checks are for the program's first thread alone, so threads note what
 * is wrong. */
struct worker {
	struct tma_device *device;
	struct rng rng;
	uint32_t index, cta, rounds, phase;
	struct tma_queue *queue;
	pthread_mutex_t mutex; /* for `blocked` */
	bool blocked;          /* in a wait that somebody has to cancel; the queue stays as long */
	char why[300];         /* "": all is well */
};

#define NEED(condition)                                                                               \
	do {                                                                                          \
		if (!(condition)) {                                                                   \
			snprintf(w->why, sizeof(w->why), "queue %u, line %d: %s; last error: %.150s", \
			         w->index, __LINE__, #condition, tma_last_error());                   \
			return false;                                                                 \
		}                                                                                     \
	} while (0)

static uint32_t draw(struct worker *w, uint32_t below)
{
	return (uint32_t)(rng_next(&w->rng) % below);
}

static uint32_t shared(const struct worker *w, uint32_t offset)
{
	return tma_shared(w->cta, offset);
}

/* Submit what `build` makes of `c`. */
#define PUT(build)                                   \
	do {                                         \
		struct tma_command c;                \
		build;                               \
		NEED(tma_submit(w->queue, &c) >= 0); \
	} while (0)

/* The next record, of that kind, asked for at random times or waited for. */
static bool next(struct worker *w, struct tma_record *record, enum tma_kind kind)
{
	int expected = kind == TMA_KIND_FAULT ? TMA_EFAULT : 0, got = 0;

	memset(record, 0, sizeof(*record));
	if (draw(w, 2))
		got = tma_poll(w->queue, record);
	if (!got)
		got = tma_wait_ns(w->queue, record, PATIENCE);
	NEED(got == expected || got == 1);
	NEED(record->kind == kind);
	NEED(record->queue == w->index);
	return true;
}

static bool open_own(struct worker *w)
{
	const struct tma_queue_options options = {
		.size = sizeof(options), .cta = w->cta, .front = host_case()->front, .ring_slots = 0
	};

	NEED(tma_queue_open(w->device, w->index, &options, &w->queue) == 0);
	return true;
}

static bool load(struct worker *w, struct tma_memory *memory, uint32_t bytes)
{
	struct tma_record record;

	PUT(tma_mbarrier_arrive_expect_tx(&c, shared(w, MBAR), bytes));
	PUT(tma_cp_async_bulk_load(&c, shared(w, BUFFER), tma_memory_address(memory), bytes,
	                           shared(w, MBAR)));
	PUT(tma_mbarrier_try_wait_parity(&c, shared(w, MBAR), w->phase, TMA_NO_LIMIT));
	w->phase ^= 1;
	if (!next(w, &record, TMA_KIND_ANSWER))
		return false;
	NEED(record.value == 1);
	return true;
}

static bool store(struct worker *w, struct tma_memory *memory, uint32_t bytes)
{
	struct tma_record record;

	PUT(tma_cp_async_bulk_store(&c, tma_memory_address(memory), shared(w, BUFFER), bytes));
	PUT(tma_cp_async_bulk_commit_group(&c));
	PUT(tma_cp_async_bulk_wait_group(&c, 0); tma_set_record(&c, bytes));
	if (!next(w, &record, TMA_KIND_RETIRED))
		return false;
	NEED(record.tag == bytes);
	return true;
}

/* Through shared memory and back, with memory that is taken for it. */
static bool copy(struct worker *w)
{
	uint32_t bytes = 16 * (1 + draw(w, MAX_CHUNKS));
	uint8_t sent[16 * MAX_CHUNKS], there[16 * MAX_CHUNKS], back[16 * MAX_CHUNKS];
	struct tma_memory *from, *to;

	for (uint32_t i = 0; i < bytes; i++)
		sent[i] = (uint8_t)rng_next(&w->rng);
	NEED(tma_memory_alloc(w->device, bytes, &from) == 0);
	NEED(tma_memory_alloc(w->device, bytes, &to) == 0);
	NEED(tma_copy_in(from, 0, sent, bytes) == 0);
	if (!load(w, from, bytes) || !store(w, to, bytes))
		return false;
	NEED(tma_smem_read(w->device, shared(w, BUFFER), there, bytes) == 0);
	NEED(tma_copy_out(to, 0, back, bytes) == 0);
	NEED(!memcmp(there, sent, bytes));
	NEED(!memcmp(back, sent, bytes));
	tma_memory_free(from);
	tma_memory_free(to);
	return true;
}

static bool go_on(struct worker *w, const struct tma_record *record, enum tma_fault fault, int64_t sequence)
{
	struct tma_queue_state state = { .size = sizeof(state) };
	char text[200];

	NEED(record->fault == fault);
	NEED(record->sequence == (uint32_t)sequence);
	NEED(tma_fault_text(w->queue, record, text, sizeof(text)) > 0);
	NEED(tma_queue_state(w->queue, &state) == 0 && state.faulted && state.fault == fault);
	NEED(tma_resume(w->queue, record->sequence + 1) == 0);
	return true;
}

static bool fault(struct worker *w)
{
	struct tma_command command;
	struct tma_record record;
	int64_t sequence;

	tma_cp_async_bulk_store(&command, 8, shared(w, BUFFER), 16);
	sequence = tma_submit(w->queue, &command);
	NEED(sequence >= 0);
	if (!next(w, &record, TMA_KIND_FAULT))
		return false;
	NEED(!strncmp(tma_last_error(), "tma_", 4) && strstr(tma_last_error(), "GLOBAL_MISALIGNED"));
	return go_on(w, &record, TMA_FAULT_GLOBAL_MISALIGNED, sequence);
}

static void set_blocked(struct worker *w, bool blocked)
{
	pthread_mutex_lock(&w->mutex);
	w->blocked = blocked;
	pthread_mutex_unlock(&w->mutex);
}

/* A wait that ends when another thread cancels it. */
static bool block(struct worker *w)
{
	struct tma_command command;
	struct tma_record record;
	int64_t sequence;
	bool cancelled;

	tma_mbarrier_try_wait_parity(&command, shared(w, NEVER), 0, TMA_NO_LIMIT);
	sequence = tma_submit(w->queue, &command);
	NEED(sequence >= 0);
	set_blocked(w, true);
	cancelled = next(w, &record, TMA_KIND_FAULT);
	set_blocked(w, false);
	return cancelled && go_on(w, &record, TMA_FAULT_CANCELLED, sequence);
}

/* What waits in the queue is dropped, by a reset or with the queue. */
static bool start_over(struct worker *w)
{
	struct tma_record record;

	PUT(tma_mbarrier_try_wait_parity(&c, shared(w, NEVER), 0, TMA_NO_LIMIT));
	PUT(tma_signal(&c, 1));
	if (draw(w, 2)) {
		NEED(tma_queue_reset(w->queue) == 0);
	} else {
		tma_queue_close(w->queue);
		if (!open_own(w))
			return false;
	}
	PUT(tma_signal(&c, 2));
	if (!next(w, &record, TMA_KIND_SIGNAL))
		return false;
	NEED(record.tag == 2 && record.sequence == 0);
	return true;
}

/* What any thread may do with the device at any time. */
static bool use_device(struct worker *w)
{
	struct tma_device_info info = { .size = sizeof(info) };
	struct tma_memory *memory[4];
	uint64_t faults = 0;

	for (uint32_t i = 0; i < 4; i++)
		NEED(tma_memory_alloc(w->device, 1 + draw(w, 9000), &memory[i]) == 0);
	for (uint32_t i = 0; i < 4; i++)
		tma_memory_free(memory[i ^ 1]);
	NEED(tma_memory_alloc(w->device, 0, memory) == TMA_EINVAL);
	NEED(!strcmp(tma_last_error(), "tma_memory_alloc: bytes = 0: must be at least 1"));
	NEED(tma_device_info(w->device, &info) == 0);
	NEED(!info.clocked || tma_cycles(w->device));
	NEED(tma_counter(w->device, TMA_COUNTER_FAULTS, &faults) == 0);
	NEED(tma_device_check(w->device) == 0);
	return true;
}

static bool work(struct worker *w)
{
	static bool (*const rounds[])(struct worker *) = { copy, copy, fault, block, start_over, use_device };
	const uint32_t kinds = sizeof(rounds) / sizeof(rounds[0]);
	struct tma_record record;

	if (!open_own(w))
		return false;
	PUT(tma_mbarrier_init(&c, shared(w, NEVER), 1));
	PUT(tma_mbarrier_init(&c, shared(w, MBAR), 1); tma_set_record(&c, 0));
	if (!next(w, &record, TMA_KIND_RETIRED))
		return false;
	/* Each of them once, then any. */
	for (uint32_t i = 0; i < w->rounds; i++)
		if (!rounds[i < kinds ? (i + w->index) % kinds : draw(w, kinds)](w))
			return false;
	tma_queue_close(w->queue);
	return true;
}

static void *work_thread(void *worker)
{
	work(worker);
	return NULL;
}

struct canceller {
	struct worker *workers;
	uint32_t count;
	atomic_bool done;
};

static void *cancel_thread(void *argument)
{
	struct canceller *canceller = argument;

	while (!atomic_load(&canceller->done)) {
		for (uint32_t i = 0; i < canceller->count; i++) {
			struct worker *w = &canceller->workers[i];

			pthread_mutex_lock(&w->mutex);
			if (w->blocked)
				tma_cancel(w->queue);
			pthread_mutex_unlock(&w->mutex);
		}
		sleep_us(200);
	}
	return NULL;
}

/* Simulated cycles are slow, and every thread pays for all; so is a line, and the card is a simulated one. */
static uint32_t rounds_for(const struct tma_device_info *info)
{
	if (info->clocked || !strcmp(info->backend, "serial"))
		return 12;
	return strcmp(info->backend, "xrt") ? 300 : 60;
}

static void test_stress(struct tma_device *device)
{
	struct tma_device_info info = device_info(device);
	struct worker workers[MAX_QUEUES];
	struct canceller canceller = { .workers = workers };
	pthread_t threads[MAX_QUEUES], cancelling;

	canceller.count = info.queues < MAX_QUEUES ? info.queues : MAX_QUEUES;
	memset(workers, 0, sizeof(workers));
	for (uint32_t i = 0; i < canceller.count; i++) {
		workers[i].device = device;
		workers[i].rng.state = i + 1;
		workers[i].index = i;
		workers[i].cta = i % info.ctas;
		workers[i].rounds = rounds_for(&info);
		assert_int_equal(pthread_mutex_init(&workers[i].mutex, NULL), 0);
	}
	assert_int_equal(pthread_create(&cancelling, NULL, cancel_thread, &canceller), 0);
	for (uint32_t i = 0; i < canceller.count; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, work_thread, &workers[i]), 0);
	for (uint32_t i = 0; i < canceller.count; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	atomic_store(&canceller.done, true);
	assert_int_equal(pthread_join(cancelling, NULL), 0);
	for (uint32_t i = 0; i < canceller.count; i++) {
		if (workers[i].why[0])
			fail_msg("%s", workers[i].why);
		pthread_mutex_destroy(&workers[i].mutex);
	}
}

struct waiter {
	struct tma_queue *queue;
	struct tma_record record;
	int result;
};

static void *wait_thread(void *argument)
{
	struct waiter *w = argument;

	w->result = tma_wait_ns(w->queue, &w->record, PATIENCE);
	return NULL;
}

/* A queue waits for what a later command of another thread's queue brings. */
static void test_hand_over(struct tma_device *device)
{
	struct waiter waiter = { .queue = open_queue(device, 0, 0), .result = -1 };
	struct tma_queue *other = open_queue(device, 1, 1);
	pthread_t thread;

	init_barrier(waiter.queue, MBAR, 1);
	SUBMIT(waiter.queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT); c.tag = 5);
	assert_int_equal(pthread_create(&thread, NULL, wait_thread, &waiter), 0);
	sleep_us(20000);
	SUBMIT(other, tma_mbarrier_arrive(&c, MBAR, 1));
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(waiter.result, 0);
	assert_int_equal(waiter.record.value, 1);
	assert_int_equal(waiter.record.tag, 5);
}

/* Nothing comes: the time is waited for, not the end of what goes on by itself. */
static void test_wait_ns_ends(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	const uint64_t time = SECOND / 50, start = now_ns();
	struct tma_record record;

	assert_int_equal(tma_wait_ns(queue, &record, 0), TMA_ETIMEDOUT);
	assert_int_equal(tma_wait_ns(queue, &record, time), TMA_ETIMEDOUT);
	assert_true(now_ns() - start >= time);
	SUBMIT(queue, tma_signal(&c, 3));
	assert_int_equal(tma_wait_ns(queue, &record, UINT64_MAX), 0);
	assert_int_equal(record.tag, 3);
}

/* A thread with a device of its own; nothing but the result goes out of it. */
struct owner {
	struct tma_options options;
	int error;
};

static int use_once(struct tma_device *device, uint32_t tag)
{
	const struct tma_queue_options options = { .size = sizeof(options), .front = host_case()->front };
	struct tma_queue *queue = NULL;
	struct tma_memory *memory;
	struct tma_command command;
	struct tma_record record = { 0 };
	int error = tma_memory_alloc(device, 5000, &memory);

	if (!error)
		error = tma_queue_open(device, 1, &options, &queue);
	tma_signal(&command, tag);
	if (!error)
		error = (int)tma_submit(queue, &command);
	if (!error)
		error = tma_wait(queue, &record, LIMIT);
	return error ? error : record.tag != tag;
}

static void *device_thread(void *argument)
{
	struct owner *owner = argument;

	for (uint32_t i = 0; i < ROUNDS && !owner->error; i++) {
		struct tma_device *device = NULL;

		owner->error = tma_open(&owner->options, &device);
		if (owner->error)
			break;
		owner->error = use_once(device, i);
		tma_close(device);
	}
	return NULL;
}

/* Devices know nothing of each other, not while they are opened and closed either. */
static void test_devices(struct tma_device *device)
{
	const struct host_case *c = host_case();
	struct owner owners[OWNERS];
	pthread_t threads[OWNERS];

	(void)device;
	if (!strcmp(c->backend, "xrt") || !strcmp(c->backend, "serial"))
		return; /* of one card, and of one line, a program has one device */
	for (int i = 0; i < OWNERS; i++)
		owners[i] = (struct owner){ .options = { .size = sizeof(struct tma_options),
			                                 .backend = c->backend,
			                                 .config = c->config,
			                                 .seed = c->seed,
			                                 .memory_bytes = 1 << 16,
			                                 .backends = host_backends() } };
	for (int i = 0; i < OWNERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, device_thread, &owners[i]), 0);
	for (int i = 0; i < OWNERS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	for (int i = 0; i < OWNERS; i++)
		assert_int_equal(owners[i].error, 0);
}

const struct host_test thread_tests[] = {
	{ "devices", test_devices },
	{ "stress", test_stress },
	{ "hand_over", test_hand_over },
	{ "wait_ns_ends", test_wait_ns_ends },
	{ 0 },
};
