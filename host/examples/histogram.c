/* SPDX-License-Identifier: Apache-2.0 */
/* histogram - counts the letters of a text, several queues in the same counters at once. */
#include <stdio.h>

#include <tma.h>

#define QUEUES  4
#define LETTERS 28   /* 26, in whole pieces of 16 bytes */
#define ONES    1024 /* in the shared memory of each CTA: four times 16 bytes, word k of the k-th is 1 */

static const char text[] = "a reduction reads what is there, works on it, and writes what comes of it";

static int fill(struct tma_device *device)
{
	static const uint32_t ones[4][4] = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } };
	int error = 0;

	for (uint32_t c = 0; c < QUEUES && error >= 0; c++)
		error = tma_smem_write(device, tma_shared(c, ONES), ones, sizeof(ones));
	return error;
}

/* 16 bytes are the least that a reduction updates: one counter is counted up, 0 is added to its neighbours. */
static int64_t count(struct tma_queue *queue, uint32_t cta, uint64_t counters, char letter)
{
	uint32_t n = (uint32_t)(letter - 'a');
	struct tma_command command;

	tma_cp_reduce_async_bulk(&command, TMA_REDUCE_ADD, TMA_TYPE_U32, counters + n / 4 * 16,
	                         tma_shared(cta, ONES + n % 4 * 16), 16);
	return tma_submit(queue, &command);
}

/* The letters go to the queues in turn. What order they count in does not matter, nor that they meet. */
static int run(struct tma_queue *queue[QUEUES], uint64_t counters)
{
	struct tma_command end[2];
	struct tma_record record;
	uint32_t turn = 0;
	int64_t error = 0;

	for (const char *c = text; *c && error >= 0; c++)
		if (*c >= 'a' && *c <= 'z') {
			error = count(queue[turn], turn, counters, *c);
			turn = (turn + 1) % QUEUES;
		}
	tma_cp_async_bulk_commit_group(&end[0]);
	tma_cp_async_bulk_wait_group(&end[1], 0);
	tma_set_record(&end[1], 0);
	for (uint32_t q = 0; q < QUEUES && error >= 0; q++)
		error = tma_submit_all(queue[q], end, 2);
	for (uint32_t q = 0; q < QUEUES && error >= 0; q++)
		error = tma_wait(queue[q], &record, 100000);
	return (int)error;
}

static int show(struct tma_memory *memory)
{
	uint32_t counters[LETTERS];
	int error = tma_copy_out(memory, 0, counters, sizeof(counters));

	printf("letters:");
	for (int i = 0; i < 26 && error >= 0; i++)
		if (counters[i])
			printf(" %c%u", 'a' + i, counters[i]);
	puts("");
	return error;
}

int main(void)
{
	const struct tma_options options = { .size = sizeof(options), .reductions = true };
	struct tma_queue_options in_cta = { .size = sizeof(in_cta) };
	struct tma_device *device = NULL;
	struct tma_queue *queue[QUEUES];
	struct tma_memory *memory = NULL;
	int error = tma_open(&options, &device);

	if (error >= 0)
		error = tma_memory_alloc(device, LETTERS * 4, &memory); /* zero at first */
	for (in_cta.cta = 0; in_cta.cta < QUEUES && error >= 0; in_cta.cta++)
		error = tma_queue_open(device, in_cta.cta, &in_cta, &queue[in_cta.cta]);
	if (error >= 0)
		error = fill(device);
	if (error >= 0)
		error = run(queue, tma_memory_address(memory));
	if (error >= 0)
		error = show(memory);
	if (error < 0)
		fprintf(stderr, "histogram: %s\n", tma_strerror(error));
	tma_close(device);
	return error < 0;
}
