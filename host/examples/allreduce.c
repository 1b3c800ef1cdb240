/* SPDX-License-Identifier: Apache-2.0 */
/* allreduce - what every CTA holds is added up, element by element, in the memory behind each port. */
#include <stdio.h>

#include <tma.h>

#define CTAS  4
#define WORDS 64
#define BYTES (WORDS * 4)
#define PLACE 1024 /* in the shared memory of each CTA */

/* Queue c executes in CTA c, and may update the object. */
static int open_queues(struct tma_device *device, uint64_t object, struct tma_queue *queue[CTAS])
{
	const struct tma_queue_window window = { object, BYTES, TMA_ALLOW_MULTIMEM };
	struct tma_queue_options options = { .size = sizeof(options), .windows = &window, .num_windows = 1 };
	int error = 0;

	for (options.cta = 0; options.cta < CTAS && error >= 0; options.cta++)
		error = tma_queue_open(device, options.cta, &options, &queue[options.cta]);
	return error;
}

/* CTA c holds (c + 1) * i in word i. */
static int fill(struct tma_device *device)
{
	float values[WORDS];
	int error = 0;

	for (uint32_t c = 0; c < CTAS && error >= 0; c++) {
		for (uint32_t i = 0; i < WORDS; i++)
			values[i] = (float)((c + 1) * i);
		error = tma_smem_write(device, tma_shared(c, PLACE), values, BYTES);
	}
	return error;
}

/* All queues at once; each tells when its own updates are in memory. */
static int add(struct tma_queue *queue[CTAS], uint64_t object)
{
	struct tma_command program[3];
	struct tma_record record;
	int64_t error = 0;

	for (uint32_t c = 0; c < CTAS && error >= 0; c++) {
		tma_multimem_cp_reduce_async_bulk(&program[0], TMA_REDUCE_ADD, TMA_TYPE_F32, object,
		                                  tma_shared(c, PLACE), BYTES);
		tma_cp_async_bulk_commit_group(&program[1]);
		tma_cp_async_bulk_wait_group(&program[2], 0);
		tma_set_record(&program[2], 0);
		error = tma_submit_all(queue[c], program, 3);
	}
	for (uint32_t c = 0; c < CTAS && error >= 0; c++)
		error = tma_wait(queue[c], &record, 100000);
	return (int)error;
}

static int show(struct tma_multimem_object *object, uint32_t ports)
{
	float values[WORDS];
	int error = 0;

	for (uint32_t p = 0; p < ports && error >= 0; p++) {
		error = tma_copy_out(tma_multimem_memory(object, p), 0, values, BYTES);
		printf("port %u: %g %g %g .. %g\n", p, values[0], values[1], values[2], values[WORDS - 1]);
	}
	return error;
}

int main(void)
{
	const struct tma_options options = { .size = sizeof(options), .reductions = true };
	struct tma_device_info info = { .size = sizeof(info) };
	struct tma_multimem_object *object = NULL;
	struct tma_device *device = NULL;
	struct tma_queue *queue[CTAS];
	int error = tma_open(&options, &device);

	if (error >= 0)
		error = tma_device_info(device, &info);
	if (error >= 0)
		error = tma_multimem_open(device, BYTES, 0,
		                          &object); /* a buffer on every port, zero at first */
	if (error >= 0)
		error = open_queues(device, tma_multimem_address(object), queue);
	if (error >= 0)
		error = fill(device);
	if (error >= 0)
		error = add(queue, tma_multimem_address(object));
	if (error >= 0)
		error = show(object, info.ports);
	if (error < 0)
		fprintf(stderr, "allreduce: %s\n", tma_strerror(error));
	tma_close(device);
	return error < 0;
}
