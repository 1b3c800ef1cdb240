/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline [BACKEND [CONFIG [SEED]]] - numbers stream through shared memory: while the host works on one chunk,
 * the engine loads the next one and stores the one before.
 *
 *	queue 0, the producer	waits until an input buffer is empty, loads a chunk into it
 *	queue 1, the consumer	waits until one is full. The host reads it, works, writes an output buffer,
 *				and the queue stores that
 *
 * An input buffer has two barriers: a phase of `full` ends when the bytes of a chunk have come, one of `empty` when
 * the host has read them. An output buffer is written again when its store has read it: wait_group.read.
 */
#include <stdio.h>
#include <stdlib.h>

#include <tma.h>

#define CHUNKS      24
#define CHUNK_WORDS 512
#define CHUNK_BYTES (CHUNK_WORDS * 4)
#define BUFFERS     2       /* for input, and as many for output */
#define LIMIT       1000000 /* cycles to wait for a record */

struct stream {
	struct tma_device *device;
	struct tma_memory *source, *destination;
	struct tma_queue *producer, *consumer;
};

/* Shared memory: barriers and buffers of chunk n. */
static uint32_t full(uint32_t n)
{
	return tma_shared(0, n % BUFFERS * 8);
}

static uint32_t empty(uint32_t n)
{
	return tma_shared(0, (BUFFERS + n % BUFFERS) * 8);
}

static uint32_t input(uint32_t n)
{
	return tma_shared(0, 1024 + n % BUFFERS * CHUNK_BYTES);
}

static uint32_t output(uint32_t n)
{
	return tma_shared(0, 1024 + (BUFFERS + n % BUFFERS) * CHUNK_BYTES);
}

/* Of the phase that chunk n ends on its barriers: 0 for the first one in a buffer, then 1, 0, .. */
static uint32_t parity(uint32_t n)
{
	return n / BUFFERS % 2;
}

/* What the host does to a number. */
static uint32_t work(uint32_t x)
{
	return x * x + 1;
}

static int take(struct tma_queue *queue)
{
	struct tma_record record;

	return tma_wait(queue, &record, LIMIT);
}

/* All of the producer's work at once: the barriers hold it back. */
static int produce(const struct stream *s)
{
	struct tma_command program[2 * BUFFERS + 3 * CHUNKS], *c = program;
	uint64_t source = tma_memory_address(s->source);
	int64_t error;

	for (uint32_t n = 0; n < BUFFERS; n++) {
		tma_mbarrier_init(c++, full(n), 1);
		tma_mbarrier_init(c++, empty(n), 1);
	}
	tma_set_record(c - 1, 0);
	for (uint32_t n = 0; n < CHUNKS; n++) {
		/* The phase before that of chunk n. Of a new barrier it counts as complete: the buffers are empty. */
		tma_mbarrier_try_wait_parity(c++, empty(n), !parity(n), TMA_NO_LIMIT);
		tma_mbarrier_arrive_expect_tx(c++, full(n), CHUNK_BYTES);
		tma_cp_async_bulk_load(c++, input(n), source + (uint64_t)n * CHUNK_BYTES, CHUNK_BYTES,
		                       full(n));
	}
	error = tma_submit_all(s->producer, program, (uint32_t)(c - program));
	/* Nothing orders two queues: the consumer may look at the barriers when this record is there. */
	return error < 0 ? (int)error : take(s->producer);
}

static int consume(const struct stream *s, uint32_t n)
{
	uint64_t destination = tma_memory_address(s->destination) + (uint64_t)n * CHUNK_BYTES;
	uint32_t words[CHUNK_WORDS];
	struct tma_command program[3];
	int64_t error;

	tma_mbarrier_try_wait_parity(&program[0], full(n), parity(n), TMA_NO_LIMIT);
	error = tma_submit(s->consumer, &program[0]);
	if (error >= 0)
		error = take(s->consumer);
	if (error >= 0)
		error = tma_smem_read(s->device, input(n), words, sizeof(words));
	tma_mbarrier_arrive(&program[0], empty(n), 1);
	if (error >= 0)
		error = tma_submit(s->consumer, &program[0]); /* the producer loads the next but one */
	if (error < 0)
		return (int)error;

	for (uint32_t i = 0; i < CHUNK_WORDS; i++)
		words[i] = work(words[i]);
	error = tma_smem_write(s->device, output(n), words, sizeof(words));
	tma_cp_async_bulk_store(&program[0], destination, output(n), CHUNK_BYTES);
	tma_cp_async_bulk_commit_group(&program[1]);
	tma_cp_async_bulk_wait_group_read(&program[2], BUFFERS - 1);
	tma_set_record(&program[2], n);
	if (error >= 0)
		error = tma_submit_all(s->consumer, program, 3);
	return error < 0 ? (int)error
	                 : take(s->consumer); /* the output buffer of chunk n + 1 may be written */
}

/* Until all stores are in memory; the producer has left an answer for each of its waits. */
static int finish(const struct stream *s)
{
	struct tma_command command;
	int64_t error;

	tma_cp_async_bulk_wait_group(&command, 0);
	tma_set_record(&command, CHUNKS);
	error = tma_submit(s->consumer, &command);
	if (error >= 0)
		error = take(s->consumer);
	for (uint32_t n = 0; n < CHUNKS && error >= 0; n++)
		error = take(s->producer);
	return (int)error;
}

/* The consumer waits in vain: perhaps a fault has stopped the producer. It lies behind its answers. */
static int ask_producer(const struct stream *s)
{
	int error;

	do
		error = take(s->producer);
	while (error >= 0);
	return error;
}

static int run(struct stream *s)
{
	const struct tma_queue_options ring = { .size = sizeof(ring), .front = TMA_FRONT_RING };
	static uint32_t before[CHUNKS * CHUNK_WORDS], after[CHUNKS * CHUNK_WORDS];
	int error;

	for (uint32_t i = 0; i < CHUNKS * CHUNK_WORDS; i++)
		before[i] = 7 * i + 3;
	error = tma_memory_alloc(s->device, sizeof(before), &s->source);
	if (error >= 0)
		error = tma_memory_alloc(s->device, sizeof(after), &s->destination);
	if (error >= 0)
		error = tma_copy_in(s->source, 0, before, sizeof(before));
	if (error >= 0)
		error = tma_queue_open(s->device, 0, &ring, &s->producer);
	if (error >= 0)
		error = tma_queue_open(s->device, 1, &ring, &s->consumer);
	if (error >= 0)
		error = produce(s);
	for (uint32_t n = 0; n < CHUNKS && error >= 0; n++)
		error = consume(s, n);
	if (error == TMA_ETIMEDOUT)
		error = ask_producer(s);
	if (error >= 0)
		error = finish(s);
	if (error >= 0)
		error = tma_copy_out(s->destination, 0, after, sizeof(after));
	for (uint32_t i = 0; i < CHUNKS * CHUNK_WORDS && error >= 0; i++) {
		if (after[i] == work(before[i]))
			continue;
		fprintf(stderr, "pipeline: word %u is %u, not %u\n", i, after[i], work(before[i]));
		return 1;
	}
	if (error >= 0)
		printf("pipeline: %d chunks of %d bytes, all right\n", CHUNKS, CHUNK_BYTES);
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
	struct stream stream = { 0 };
	int error = tma_open(&options, &stream.device);

	if (error >= 0)
		error = run(&stream);
	if (error < 0)
		fprintf(stderr, "pipeline: %s\n", tma_last_error());
	tma_close(stream.device);
	return error != 0;
}
