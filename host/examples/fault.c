/* SPDX-License-Identifier: Apache-2.0 */
/* fault - a command that breaks a rule, its report in words, and the queue opened anew. */
#include <stdio.h>

#include <tma.h>

#define QUEUE 2

/* A load of 49 bytes behind 17 good commands. */
static int break_a_rule(struct tma_queue *queue, uint64_t source)
{
	struct tma_command command;
	struct tma_record record;
	char text[600];
	int64_t error = 0;
	int i;

	for (i = 0; i < 17 && error >= 0; i++) {
		tma_cp_async_bulk_commit_group(&command);
		error = tma_submit(queue, &command);
	}
	tma_cp_async_bulk_load(&command, tma_shared(0, 1024), source, 49, tma_shared(0, 0));
	command.tag = 5;
	if (error >= 0)
		error = tma_submit(queue, &command);
	if (error >= 0 || error == TMA_EFAULT)
		error = tma_wait(queue, &record, 100000);
	if (error != TMA_EFAULT)
		return error < 0 ? (int)error : TMA_EDEVICE;
	tma_fault_text(queue, &record, text, sizeof(text));
	puts(text);
	return 0;
}

/* A queue that was closed and opened again is as good as new: it counts from 0. */
static int use_again(struct tma_queue *queue)
{
	struct tma_command command;
	struct tma_record record;
	int64_t error;

	tma_signal(&command, 6);
	error = tma_submit(queue, &command);
	if (error >= 0)
		error = tma_wait(queue, &record, 100000);
	if (error >= 0)
		printf("queue %u, command %u: signal, tag 0x%x\n", record.queue, record.sequence, record.tag);
	return (int)error;
}

int main(void)
{
	struct tma_device *device = NULL;
	struct tma_memory *memory;
	struct tma_queue *queue;
	int error = tma_open(NULL, &device);

	if (error >= 0)
		error = tma_memory_alloc(device, 4096, &memory);
	if (error >= 0)
		error = tma_queue_open(device, QUEUE, NULL, &queue);
	if (error >= 0)
		error = break_a_rule(queue, tma_memory_address(memory));
	if (error >= 0) {
		tma_queue_close(queue);
		error = tma_queue_open(device, QUEUE, NULL, &queue);
	}
	if (error >= 0)
		error = use_again(queue);
	if (error < 0)
		fprintf(stderr, "fault: %s\n", tma_strerror(error));
	tma_close(device);
	return error < 0;
}
