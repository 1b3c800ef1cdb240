/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hello BACKEND [BYTES] - a program of a user on a card: bytes from global into shared memory, back into global memory,
 * and one fault; through a ring, on any back end.
 *
 * Exit status: 0, or the number of the error. HELLO_LEAVE in the environment: it ends without tma_close().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tma.h"

#define LIMIT 1000000u

/* The next record has to be of this kind. */
static int take(struct tma_queue *queue, enum tma_kind kind)
{
	struct tma_record record;
	char text[400];
	int error = tma_wait(queue, &record, LIMIT);

	if (error == TMA_EFAULT && kind == TMA_KIND_FAULT)
		return 0;
	if (error == TMA_EFAULT) {
		tma_fault_text(queue, &record, text, sizeof(text));
		fprintf(stderr, "hello: %s\n", text);
	}
	return error || record.kind == kind ? error : TMA_EDEVICE;
}

static int copy(struct tma_queue *queue, uint64_t from, uint64_t to, uint32_t bytes)
{
	uint32_t barrier = tma_shared(0, 0), buffer = tma_shared(0, 1024);
	struct tma_command program[7];
	int error;

	tma_mbarrier_init(&program[0], barrier, 1);
	tma_mbarrier_arrive_expect_tx(&program[1], barrier, bytes);
	tma_cp_async_bulk_load(&program[2], buffer, from, bytes, barrier);
	tma_mbarrier_try_wait_parity(&program[3], barrier, 0, TMA_NO_LIMIT);
	tma_cp_async_bulk_store(&program[4], to, buffer, bytes);
	tma_cp_async_bulk_commit_group(&program[5]);
	tma_cp_async_bulk_wait_group(&program[6], 0);
	tma_set_record(&program[6], 0);
	if (tma_submit_all(queue, program, 7) < 0)
		return TMA_EFULL;
	error = take(queue, TMA_KIND_ANSWER);
	return error ? error : take(queue, TMA_KIND_RETIRED);
}

/* An unknown command, and on behind it. */
static int fault(struct tma_queue *queue)
{
	struct tma_command program[2];
	int64_t first;
	int error;

	tma_signal(&program[0], 1);
	program[0].opcode = 0xEE;
	tma_signal(&program[1], 2);
	first = tma_submit_all(queue, program, 2);
	error = first < 0 ? (int)first : take(queue, TMA_KIND_FAULT);
	error = error ? error : tma_resume(queue, (uint32_t)first + 1);
	return error ? error : take(queue, TMA_KIND_SIGNAL);
}

static int run(struct tma_device *device, uint32_t bytes)
{
	const struct tma_queue_options options = { .size = sizeof(options), .front = TMA_FRONT_RING };
	struct tma_memory *from, *to;
	struct tma_queue *queue;
	uint8_t *sent, *got;
	uint32_t i;
	int error;

	error = tma_memory_alloc(device, bytes, &from);
	error = error ? error : tma_memory_alloc(device, bytes, &to);
	error = error ? error : tma_queue_open(device, 0, &options, &queue);
	if (error)
		return error;
	sent = tma_memory_host(from);
	got = tma_memory_host(to);
	for (i = 0; i < bytes; i++)
		sent[i] = (uint8_t)(i * 37 + (i >> 8) * 11 + 1);
	error = tma_memory_to_device(from, 0, bytes);
	error = error ? error : copy(queue, tma_memory_address(from), tma_memory_address(to), bytes);
	error = error ? error : tma_memory_from_device(to, 0, bytes);
	if (!error && memcmp(sent, got, bytes) != 0)
		error = TMA_EDEVICE;
	if (!error)
		error = tma_smem_read(device, tma_shared(0, 1024 + 3), got, bytes - 3);
	if (!error && memcmp(sent + 3, got, bytes - 3) != 0)
		error = TMA_EDEVICE;
	return error ? error : fault(queue);
}

int main(int argc, char **argv)
{
	struct tma_options options = { .size = sizeof(options), .backend = argc > 1 ? argv[1] : NULL };
	uint32_t bytes = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : 256;
	struct tma_device_info info = { .size = sizeof(info) };
	struct tma_device *device = NULL;
	int error = tma_open(&options, &device);

	if (error) {
		fprintf(stderr, "hello: %s\n", tma_last_error());
		return -error;
	}
	error = tma_device_info(device, &info);
	error = error ? error : run(device, bytes);
	if (error)
		fprintf(stderr, "hello: %s\n", tma_strerror(error));
	else
		printf("hello: %s %s: %u bytes there and back\n", info.backend, info.config, bytes);
	if (!getenv("HELLO_LEAVE"))
		tma_close(device);
	return -error;
}
