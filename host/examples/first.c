/* SPDX-License-Identifier: Apache-2.0 */
/* first - one load: 256 bytes of global memory into the shared memory of CTA 0. */
#include <stdio.h>

#include <tma.h>

#define BYTES 256

static int load(struct tma_device *device, struct tma_memory *memory, struct tma_queue *queue)
{
	uint32_t barrier = tma_shared(0, 0), buffer = tma_shared(0, 1024);
	struct tma_command program[4];
	struct tma_record record;
	char text[BYTES];
	int64_t error = 0;

	tma_mbarrier_init(&program[0], barrier, 1);
	tma_mbarrier_arrive_expect_tx(&program[1], barrier, BYTES);
	tma_cp_async_bulk_load(&program[2], buffer, tma_memory_address(memory), BYTES, barrier);
	tma_mbarrier_try_wait_parity(&program[3], barrier, 0, TMA_NO_LIMIT);
	for (int i = 0; i < 4 && error >= 0; i++)
		error = tma_submit(queue, &program[i]);
	if (error >= 0)
		error = tma_wait(queue, &record, 100000); /* the answer of try_wait: the bytes are there */
	if (error >= 0)
		error = tma_smem_read(device, buffer, text, BYTES);
	if (error >= 0)
		printf("try_wait answered %d; CTA 0 holds: %s\n", (int)record.value, text);
	return (int)error;
}

int main(void)
{
	static const char text[BYTES] = "moved by Tramway";
	struct tma_device *device = NULL;
	struct tma_memory *memory;
	struct tma_queue *queue;
	int error = tma_open(NULL, &device); /* the C model, in the shape of configuration `default` */

	if (error >= 0)
		error = tma_memory_alloc(device, 4096, &memory);
	if (error >= 0)
		error = tma_copy_in(memory, 0, text, BYTES);
	if (error >= 0)
		error = tma_queue_open(device, 0, NULL, &queue); /* queue 0, executing in CTA 0 */
	if (error >= 0)
		error = load(device, memory, queue);
	if (error < 0)
		fprintf(stderr, "first: %s\n", tma_strerror(error));
	tma_close(device);
	return error < 0;
}
