/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cp_async [BACKEND [CONFIG [SEED]]] - rows of different lengths, packed in memory one behind the other, become rows
 * of 64 bytes in shared memory, with zeros behind each: copies of 4, 8 and 16 bytes.
 *
 * The first half waits by groups: while a row is on its way, the host looks at the one before. The other half arrives
 * at a barrier.
 */
#include <stdio.h>
#include <stdlib.h>

#include <tma.h>

#define ROWS      16
#define ROW_WORDS 16
#define ROW_BYTES (ROW_WORDS * 4)
#define COPIES    (ROW_BYTES / 4) /* of a row, at most */
#define BARRIER   tma_shared(0, 0)
#define LIMIT     1000000 /* cycles to wait for a record */

struct rows {
	struct tma_device *device;
	struct tma_memory *memory;
	struct tma_queue *queue;
	uint32_t first[ROWS], words[ROWS]; /* where a row begins, in words, and how many it has */
	uint32_t packed[ROWS * ROW_WORDS];
	uint32_t total; /* words */
};

static uint32_t place(uint32_t row)
{
	return tma_shared(0, 1024 + row * ROW_BYTES);
}

/* Row r has 7 r modulo 17 words: 0 to 16. Nothing in memory is zero. */
static void make_rows(struct rows *r)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		r->first[i] = r->total;
		r->words[i] = i * 7 % (ROW_WORDS + 1);
		r->total += r->words[i];
	}
	for (uint32_t i = 0; i < ROWS * ROW_WORDS; i++)
		r->packed[i] = 1000 + i;
}

/* Commands, of which the last one gives a record: until it is there. */
static int run_program(struct tma_queue *queue, const struct tma_command *program, uint32_t count)
{
	int64_t first = tma_submit_all(queue, program, count);
	struct tma_record record;

	return first < 0 ? (int)first : tma_wait(queue, &record, LIMIT);
}

/* Copies of one row, as large as its first address allows. @return how many commands they are */
static uint32_t copy_row(const struct rows *r, uint32_t row, struct tma_command *c)
{
	uint64_t source = tma_memory_address(r->memory) + 4 * (uint64_t)r->first[row];
	uint32_t size = source % 16 == 0 ? 16 : source % 8 == 0 ? 8 : 4;
	uint32_t bytes = 4 * r->words[row], at, left;

	for (at = 0; at < ROW_BYTES; at += size) {
		/* Bytes behind the row are not read, but zero in shared memory. */
		left = at < bytes ? bytes - at : 0;
		tma_cp_async_src_size(c++, place(row) + at, source + at, size, left < size ? left : size);
	}
	return ROW_BYTES / size;
}

/* @return 0 the row is right, 1 it is not, or an error */
static int check_row(const struct rows *r, uint32_t row)
{
	uint32_t words[ROW_WORDS], expected;
	int error = tma_smem_read(r->device, place(row), words, sizeof(words));

	for (uint32_t i = 0; i < ROW_WORDS && error >= 0; i++) {
		expected = i < r->words[row] ? r->packed[r->first[row] + i] : 0;
		if (words[i] == expected)
			continue;
		fprintf(stderr, "cp_async: row %u, word %u is %u, not %u\n", row, i, words[i], expected);
		return 1;
	}
	return error;
}

/* Rows first..end-1, each a group. */
static int by_groups(const struct rows *r, uint32_t first, uint32_t end)
{
	struct tma_command program[COPIES + 2];
	uint32_t count;
	int error = 0;

	for (uint32_t row = first; row < end && !error; row++) {
		count = copy_row(r, row, program);
		tma_cp_async_commit_group(&program[count++]);
		tma_cp_async_wait_group(&program[count], 1); /* all but this row have come */
		tma_set_record(&program[count++], row);
		error = run_program(r->queue, program, count);
		if (!error && row > first)
			error = check_row(r, row - 1);
	}
	if (error)
		return error;
	tma_cp_async_wait_all(&program[0]);
	tma_set_record(&program[0], end);
	error = run_program(r->queue, program, 1);
	return error ? error : check_row(r, end - 1);
}

/* Rows first..end-1, all of them one phase of a barrier. */
static int by_barrier(const struct rows *r, uint32_t first, uint32_t end)
{
	struct tma_command program[ROWS * COPIES + 3], *c = program;
	int error;

	tma_mbarrier_init(c++, BARRIER, 1); /* the one arrival is the one below: .noinc */
	for (uint32_t row = first; row < end; row++)
		c += copy_row(r, row, c);
	tma_cp_async_mbarrier_arrive_noinc(c++, BARRIER);
	tma_mbarrier_try_wait_parity(c++, BARRIER, 0, TMA_NO_LIMIT);
	error = run_program(r->queue, program, (uint32_t)(c - program));
	for (uint32_t row = first; row < end && !error; row++)
		error = check_row(r, row);
	return error;
}

static int run(struct rows *r)
{
	const struct tma_queue_options ring = { .size = sizeof(ring), .front = TMA_FRONT_RING };
	int error;

	make_rows(r);
	error = tma_memory_alloc(r->device, sizeof(r->packed), &r->memory);
	if (!error)
		error = tma_copy_in(r->memory, 0, r->packed, sizeof(r->packed));
	if (!error)
		error = tma_queue_open(r->device, 0, &ring, &r->queue);
	if (!error)
		error = by_groups(r, 0, ROWS / 2);
	if (!error)
		error = by_barrier(r, ROWS / 2, ROWS);
	if (!error)
		printf("cp_async: %d rows, %u words and %u zeros, all right\n", ROWS, r->total,
		       ROWS * ROW_WORDS - r->total);
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
	struct rows rows = { 0 };
	int error = tma_open(&options, &rows.device);

	if (error >= 0)
		error = run(&rows);
	if (error < 0)
		fprintf(stderr, "cp_async: %s\n", tma_last_error());
	tma_close(rows.device);
	return error != 0;
}
