/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads [BACKEND [CONFIG [SEED]]] - two threads, each with a queue of its own on the same device, copy blocks
 * through shared memory. One of them is careless: some of its loads are wrong. Their faults stop its queue alone; it
 * puts the right load into the slot of each and resumes. In the end it waits for what never comes, until the thread that
 * has started it cancels the wait.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tma.h>

#define BLOCKS      24
#define BLOCK_BYTES 1024
#define BYTES       (BLOCKS * BLOCK_BYTES)
#define LIMIT       1000000               /* cycles to wait for a record */
#define MINUTE      UINT64_C(60000000000) /* in nanoseconds */

/* A thread, and what it alone uses; all share the device. */
struct worker {
	pthread_t thread;
	struct tma_queue *queue;
	struct tma_memory *memory; /* the blocks, and behind them their copies */
	uint32_t barrier, buffer;
	bool careless;
	uint32_t mended, cancelled;
	int error;
	atomic_bool stuck, done; /* for others to know */
	uint8_t before[BYTES], after[BYTES];
};

static void say_fault(const struct worker *w, const struct tma_record *record)
{
	char text[800];

	tma_fault_text(w->queue, record, text, sizeof(text));
	printf("threads: %s\n", text);
}

/* Put the right load in the place of the one at fault, and go on with it. */
static int mend(struct worker *w, const struct tma_record *record, const struct tma_command *load)
{
	int error;

	if (record->fault != TMA_FAULT_GLOBAL_MISALIGNED)
		return TMA_EFAULT;
	if (!w->mended++)
		say_fault(w, record);
	error = tma_replace(w->queue, record->sequence, load);
	return error < 0 ? error : tma_resume(w->queue, record->sequence);
}

static int copy_block(struct worker *w, uint32_t block)
{
	uint64_t from = tma_memory_address(w->memory) + (uint64_t)block * BLOCK_BYTES;
	struct tma_command program[6], load;
	struct tma_record record;
	int64_t first;
	int error;

	tma_mbarrier_arrive_expect_tx(&program[0], w->barrier, BLOCK_BYTES);
	tma_cp_async_bulk_load(&load, w->buffer, from, BLOCK_BYTES, w->barrier);
	program[1] = load;
	if (w->careless && block % 3 == 1)
		program[1].global_address += 8; /* not a multiple of 16 */
	tma_mbarrier_try_wait_parity(&program[2], w->barrier, block % 2, TMA_NO_LIMIT);
	tma_cp_async_bulk_store(&program[3], from + BYTES, w->buffer, BLOCK_BYTES);
	tma_cp_async_bulk_commit_group(&program[4]);
	tma_cp_async_bulk_wait_group(&program[5], 0);
	tma_set_record(&program[5], block);
	first = tma_submit_all(w->queue, program, 6);
	if (first < 0)
		return (int)first;
	do { /* a fault, perhaps; the answer of the wait; the record of the last command */
		error = tma_wait(w->queue, &record, LIMIT);
		if (error == TMA_EFAULT)
			error = mend(w, &record, &load);
	} while (error >= 0 && record.sequence != (uint32_t)first + 5);
	return error;
}

/* Wait for a phase to which nobody arrives. When the wait was cancelled, the queue is as well as before. */
static int wait_in_vain(struct worker *w)
{
	struct tma_command command;
	struct tma_record record;
	int64_t sequence;
	int error;

	tma_mbarrier_try_wait_parity(&command, w->barrier, BLOCKS % 2, TMA_NO_LIMIT);
	sequence = tma_submit(w->queue, &command);
	if (sequence < 0)
		return (int)sequence;
	atomic_store(&w->stuck, true);
	error = tma_wait_ns(w->queue, &record, MINUTE);
	atomic_store(&w->stuck, false);
	if (error != TMA_EFAULT || record.fault != TMA_FAULT_CANCELLED)
		return error < 0 ? error : TMA_EDEVICE;
	say_fault(w, &record);
	w->cancelled++;
	error = tma_resume(w->queue, (uint32_t)sequence + 1);
	if (error < 0)
		return error;
	tma_signal(&command, 42);
	sequence = tma_submit(w->queue, &command);
	return sequence < 0 ? (int)sequence : tma_wait(w->queue, &record, LIMIT);
}

static void *work(void *argument)
{
	struct worker *w = argument;
	struct tma_command command;
	int64_t error;

	tma_mbarrier_init(&command, w->barrier, 1);
	error = tma_submit(w->queue, &command);
	for (uint32_t block = 0; block < BLOCKS && error >= 0; block++)
		error = copy_block(w, block);
	if (error >= 0 && w->careless)
		error = wait_in_vain(w);
	if (error < 0)
		fprintf(stderr, "threads: %s\n", tma_last_error()); /* of this thread */
	w->error = error < 0 ? (int)error : 0;
	atomic_store(&w->done, true);
	return NULL;
}

/* Help a worker until it is done. To cancel means nothing to a queue that does not wait yet, so it is tried again. */
static void watch(struct worker *w)
{
	const struct timespec millisecond = { .tv_nsec = 1000000 };

	while (!atomic_load(&w->done)) {
		if (atomic_load(&w->stuck))
			tma_cancel(w->queue);
		nanosleep(&millisecond, NULL);
	}
	pthread_join(w->thread, NULL);
}

/* Worker i works in CTA i, with queue i. */
static int prepare(struct tma_device *device, struct worker *w, uint32_t i)
{
	const struct tma_queue_options options = { .size = sizeof(options),
		                                   .cta = i,
		                                   .front = TMA_FRONT_RING };
	int error;

	w->careless = i == 1;
	w->barrier = tma_shared(i, 0);
	w->buffer = tma_shared(i, 1024);
	for (uint32_t k = 0; k < BYTES; k++)
		w->before[k] = (uint8_t)(k * 7 + k / BLOCK_BYTES + i);
	error = tma_memory_alloc(device, 2 * BYTES, &w->memory);
	if (error >= 0)
		error = tma_copy_in(w->memory, 0, w->before, BYTES);
	if (error >= 0)
		error = tma_queue_open(device, i, &options, &w->queue);
	return error;
}

/* @return 0 what it has copied is right, 1 it is not, or an error */
static int check(struct worker *w)
{
	int error = tma_copy_out(w->memory, BYTES, w->after, BYTES);

	if (error < 0 || !memcmp(w->before, w->after, BYTES))
		return error;
	fprintf(stderr, "threads: a %s worker's blocks differ\n", w->careless ? "careless" : "careful");
	return 1;
}

static int run(struct tma_device *device, struct worker workers[2])
{
	int error = 0, started;

	for (uint32_t i = 0; i < 2 && !error; i++)
		error = prepare(device, &workers[i], i);
	if (error)
		return error;
	for (started = 0; started < 2; started++)
		if (pthread_create(&workers[started].thread, NULL, work, &workers[started]))
			break;
	for (int i = 0; i < started; i++)
		watch(&workers[i]);
	if (started < 2 || workers[0].error || workers[1].error)
		return 1;
	for (uint32_t i = 0; i < 2 && !error; i++)
		error = check(&workers[i]);
	if (!error)
		printf("threads: 2 x %d blocks, %u faults mended, %u wait cancelled, all right\n", BLOCKS,
		       workers[1].mended, workers[1].cancelled);
	return error;
}

int main(int argc, char **argv)
{
	const struct tma_options options = {
		.size = sizeof(options),
		.backend = argc > 1 ? argv[1] : NULL,
		.config = argc > 2 ? argv[2] : NULL,
		.seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 0,
	};
	static struct worker workers[2];
	struct tma_device *device = NULL;
	int error = tma_open(&options, &device);

	if (error >= 0)
		error = run(device, workers);
	if (error < 0)
		fprintf(stderr, "threads: %s\n", tma_last_error());
	tma_close(device);
	return error != 0;
}
