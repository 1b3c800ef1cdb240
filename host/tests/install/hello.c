/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hello BACKEND - a program of a user: 16 bytes from global into shared memory, and what they are.
 *
 * With HELLO_LINKED the back end "rtl" is one of its objects, and need not be found.
 * It has functions of its own by names that the library has inside, too: each side has to call its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tma.h>
#ifdef HELLO_LINKED
#include <tma_backend_rtl.h>
#endif

#define OWN_NAME(name)                                             \
	void name(void);                                           \
	void name(void)                                            \
	{                                                          \
		puts("hello: the library has called " #name "()"); \
		exit(EXIT_FAILURE);                                \
	}

OWN_NAME(model_check)
OWN_NAME(model_fault)
OWN_NAME(ring_write)
OWN_NAME(memory_alloc)
OWN_NAME(options_in)
OWN_NAME(backend_load)
OWN_NAME(rig_open)
OWN_NAME(rig_step)

static int hello(struct tma_device *device, struct tma_memory *memory, struct tma_queue *queue)
{
	uint32_t barrier = tma_shared(0, 0), buffer = tma_shared(0, 1024);
	struct tma_command program[4];
	struct tma_record record;
	char text[16] = "";
	int error;

	tma_mbarrier_init(&program[0], barrier, 1);
	tma_mbarrier_arrive_expect_tx(&program[1], barrier, sizeof(text));
	tma_cp_async_bulk_load(&program[2], buffer, tma_memory_address(memory), sizeof(text), barrier);
	tma_mbarrier_try_wait_parity(&program[3], barrier, 0, TMA_NO_LIMIT);
	for (int i = 0; i < 4; i++)
		if (tma_submit(queue, &program[i]) < 0)
			return TMA_EFULL;
	error = tma_wait(queue, &record, 100000);
	if (error >= 0)
		error = tma_smem_read(device, buffer, text, sizeof(text));
	if (error >= 0)
		printf("%s\n", text);
	return error;
}

int main(int argc, char **argv)
{
	struct tma_options options = { .size = sizeof(options), .config = "small" };
	struct tma_device_info info = { .size = sizeof(info) };
	struct tma_device *device = NULL;
	struct tma_memory *memory;
	struct tma_queue *queue;
	int error;

#ifdef HELLO_LINKED
	static const struct tma_backend *const backends[] = { &tma_backend_rtl, NULL };

	options.backends = backends;
#endif
	if (argc > 1)
		options.backend = argv[1];
	if (tma_version() != TMA_VERSION)
		return EXIT_FAILURE;
	error = tma_open(&options, &device);
	if (error >= 0)
		error = tma_device_info(device, &info);
	if (error >= 0)
		error = tma_memory_alloc(device, 4096, &memory);
	if (error >= 0)
		error = tma_copy_in(memory, 0, "hello from C", sizeof("hello from C"));
	if (error >= 0)
		error = tma_queue_open(device, 0, NULL, &queue);
	if (error >= 0)
		printf("%d.%d.%d %s%s: ", TMA_VERSION_MAJOR, TMA_VERSION_MINOR, TMA_VERSION_PATCH,
		       info.backend, tma_cycles(device) ? ", clocked" : "");
	if (error >= 0)
		error = hello(device, memory, queue);
	if (error < 0)
		fprintf(stderr, "hello: %s: %s\n", tma_error_name(error), tma_last_error());
	tma_close(device);
	return error < 0 ? -error : 0;
}
