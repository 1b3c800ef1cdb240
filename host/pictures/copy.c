/* SPDX-License-Identifier: Apache-2.0 */
/* One tensor copy on the C model: a numbered tensor, a command, and what it has left behind. */
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

#define TENSOR       4096u /* in memory; the map is in front */
#define MEMORY_BYTES (1u << 18)
#define BARRIER      0u
#define BUFFER       1024u

static struct tma_device *device;
static struct tma_memory *memory;
static struct tma_queue *queue;

static void must(int64_t error, const char *what)
{
	if (error >= 0)
		return;
	fprintf(stderr, "tensor_pictures: %s: %s\n", what, tma_strerror((int)error));
	exit(1);
}

void give_up(const char *why)
{
	fprintf(stderr, "tensor_pictures: %s\n", why);
	exit(1);
}

void must_encode(int refused, const struct tma_map_error *error)
{
	if (!refused)
		return;
	fprintf(stderr, "tensor_pictures: %s %s\n", error->parameter, error->rule);
	exit(1);
}

void open_model(void)
{
	must(tma_open(NULL, &device), "model");
	must(tma_memory_alloc(device, MEMORY_BYTES, &memory), "memory");
	must(tma_queue_open(device, 0, NULL, &queue), "queue");
}

void close_model(void)
{
	tma_close(device);
}

uint64_t tensor_address(void)
{
	return tma_memory_address(memory) + TENSOR;
}

static void fill_tensor(uint32_t words, uint32_t words_of_number)
{
	uint32_t *numbers = calloc(words, sizeof(*numbers)), i;

	if (!numbers)
		must(TMA_ENOMEM, "tensor");
	for (i = 0; i < words; i++)
		numbers[i] = words_of_number ? i / words_of_number + 1 : 0;
	must(tma_copy_in(memory, TENSOR, numbers, words * sizeof(*numbers)), "tensor");
	free(numbers);
}

void number_pixels(uint32_t pixels)
{
	fill_tensor(pixels * PIXEL_WORDS, PIXEL_WORDS);
}

void number_words(uint32_t words)
{
	fill_tensor(words, 1);
}

/* Execute a command, and wait until it is done; a fault ends the program. */
static void execute(const struct tma_command *copy)
{
	struct tma_command program[5];
	struct tma_record record;
	char text[800];
	int error;

	tma_mbarrier_init(&program[0], tma_shared(0, BARRIER), 1);
	program[1] = *copy;
	tma_cp_async_bulk_commit_group(&program[2]);
	tma_cp_async_bulk_wait_group(&program[3], 0);
	tma_signal(&program[4], 1);
	must(tma_submit_all(queue, program, 5), "submit");
	error = tma_wait(queue, &record, 1000);
	if (error == TMA_EFAULT) {
		tma_fault_text(queue, &record, text, sizeof(text));
		fprintf(stderr, "tensor_pictures: %s\n", text);
		exit(1);
	}
	must(error, "copy");
}

static void fill_shared(void)
{
	static uint8_t ones[32768];

	memset(ones, 0xFF, sizeof(ones));
	must(tma_smem_write(device, tma_shared(0, BUFFER), ones, sizeof(ones)), "shared memory");
}

void load(const struct copy *copy, uint32_t *smem, uint32_t words)
{
	struct tma_command command;

	fill_shared();
	must(tma_copy_in(memory, 0, &copy->map, sizeof(copy->map)), "map");
	tma_cp_async_bulk_tensor_load(&command, copy->mode, copy->dim, tma_shared(0, BUFFER),
	                              tma_memory_address(memory), copy->coord, tma_shared(0, BARRIER),
	                              copy->im2col);
	execute(&command);
	must(tma_smem_read(device, tma_shared(0, BUFFER), smem, words * sizeof(*smem)), "shared memory");
}

void store(const struct copy *copy, uint32_t behaviour, uint32_t *tensor, uint32_t words)
{
	struct tma_command command;

	fill_shared();
	fill_tensor(words, 0);
	must(tma_set_behaviour(device, behaviour), "behaviour");
	must(tma_copy_in(memory, 0, &copy->map, sizeof(copy->map)), "map");
	tma_cp_async_bulk_tensor_store(&command, copy->mode, copy->dim, tma_memory_address(memory),
	                               copy->coord, tma_shared(0, BUFFER));
	execute(&command);
	must(tma_copy_out(memory, TENSOR, tensor, words * sizeof(*tensor)), "tensor");
}
