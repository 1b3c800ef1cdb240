/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers of the host library on the model, beside as many pages of the C library: what is needed for each by
 * itself is the same, so the ratio stays where it is as long as both take linear time.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "tma.h"

#define PAGE   4096u
#define ROUNDS 9u

static void plain_free(void **page, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		free(page[i]);
}

static bool plain_alloc(void **page, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		page[i] = aligned_alloc(PAGE, PAGE);
		if (!page[i]) {
			plain_free(page, i);
			return false;
		}
		memset(page[i], 0, PAGE);
	}
	return true;
}

/* As many twice, as below. */
static bool run_plain(void **page, uint32_t count)
{
	for (int turn = 0; turn < 2; turn++) {
		if (!plain_alloc(page, count))
			return false;
		plain_free(page, count);
	}
	return true;
}

/* Buffers that are freed in the order of their birth, and as many that are left to tma_close(). */
static bool run_buffers(void **memory, uint32_t count)
{
	struct tma_device *device = NULL;
	bool good = !tma_open(NULL, &device);

	for (int turn = 0; good && turn < 2; turn++) {
		for (uint32_t i = 0; good && i < count; i++) {
			struct tma_memory *m;

			good = !tma_memory_alloc(device, PAGE, &m);
			memory[i] = m;
		}
		for (uint32_t i = 0; good && turn == 0 && i < count; i++)
			tma_memory_free(memory[i]);
	}
	tma_close(device);
	return good;
}

static struct bench_row measure(const char *name, uint32_t count)
{
	struct bench_row row = { .name = name, .unit = "of malloc", .limit = 0.4, .at_least = true };
	void **list = calloc(count, sizeof(*list));
	double plain = 1e9, buffers = 1e9;

	row.failed = !list;
	for (uint32_t round = 0; round < ROUNDS && !row.failed; round++) {
		double start = bench_now(), between, end;

		row.failed = !run_plain(list, count);
		between = bench_now();
		row.failed |= !run_buffers(list, count);
		end = bench_now();
		plain = between - start < plain ? between - start : plain;
		buffers = end - between < buffers ? end - between : buffers;
	}
	free(list);
	row.value = plain / buffers;
	return row;
}

uint32_t bench_buffers(struct bench_row *rows, uint32_t room)
{
	uint32_t count = 0;

	if (count < room)
		rows[count++] = measure("8,000 buffers: allocate, free, close", 8000);
	if (count < room)
		rows[count++] = measure("32,000 buffers: allocate, free, close", 32000);
	return count;
}
