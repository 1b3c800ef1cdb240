/* SPDX-License-Identifier: Apache-2.0 */
/* ring - commands through a ring; one of them is wrong, the right one is put in its place, and the queue resumes. */
#include <stdio.h>

#include <tma.h>

#define COMMANDS 5
#define WRONG    3 /* the command at fault */

static void print(const struct tma_queue *queue, const struct tma_record *record)
{
	char text[600];

	if (record->kind == TMA_KIND_FAULT) {
		tma_fault_text(queue, record, text, sizeof(text));
		puts(text);
	} else {
		printf("queue %u, command %u: done, tag 0x%x\n", record->queue, record->sequence,
		       record->tag);
	}
}

/* Take records until the last command's, or a fault. */
static int take_records(struct tma_queue *queue)
{
	struct tma_record record = { 0 };
	int error;

	do {
		error = tma_wait(queue, &record, 100000);
		if (error == 0 || error == TMA_EFAULT)
			print(queue, &record);
	} while (error == 0 && record.sequence != COMMANDS - 1);
	return error;
}

static int run(struct tma_queue *queue, uint64_t source)
{
	uint32_t barrier = tma_shared(0, 0), buffer = tma_shared(0, 1024);
	struct tma_command program[COMMANDS];
	int64_t error;

	tma_mbarrier_init(&program[0], barrier, 1);
	tma_mbarrier_arrive_expect_tx(&program[1], barrier, 512);
	tma_cp_async_bulk_load(&program[2], buffer, source, 256, barrier);
	tma_cp_async_bulk_load(&program[WRONG], buffer + 256, source + 8, 256, barrier);
	tma_mbarrier_try_wait_parity(&program[4], barrier, 0, TMA_NO_LIMIT);
	program[4].tag = 7;

	error = tma_submit_all(queue, program, COMMANDS); /* five slots, one doorbell */
	if (error < 0)
		return (int)error;
	error = take_records(queue);
	if (error != TMA_EFAULT)
		return error < 0 ? (int)error : TMA_EDEVICE;

	program[WRONG].global_address = source;
	error = tma_replace(queue, WRONG, &program[WRONG]);
	if (error >= 0)
		error = tma_resume(queue, WRONG);
	return error < 0 ? (int)error : take_records(queue);
}

int main(void)
{
	const struct tma_queue_options options = { .size = sizeof(options), .front = TMA_FRONT_RING };
	struct tma_device *device = NULL;
	struct tma_memory *memory;
	struct tma_queue *queue;
	int error = tma_open(NULL, &device);

	if (error >= 0)
		error = tma_memory_alloc(device, 4096, &memory);
	if (error >= 0)
		error = tma_queue_open(device, 1, &options, &queue);
	if (error >= 0)
		error = run(queue, tma_memory_address(memory));
	if (error < 0)
		fprintf(stderr, "ring: %s\n", tma_strerror(error));
	tma_close(device);
	return error < 0;
}
