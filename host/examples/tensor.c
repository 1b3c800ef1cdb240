/* SPDX-License-Identifier: Apache-2.0 */
/* tensor - a tile of a matrix into shared memory, swizzled, and back to another place of the matrix. */
#include <stdio.h>

#include <tma.h>

#define COLUMNS      256
#define ROWS         64
#define TILE_COLUMNS 64 /* 128 bytes: as long as the span of the swizzle */
#define TILE_ROWS    8
#define TILE_BYTES   (TILE_COLUMNS * TILE_ROWS * 2)
#define ROW          2    /* of the tile, printed below */
#define MATRIX       4096 /* where it lies in memory; the map is at 0 */

static uint16_t matrix[ROWS][COLUMNS]; /* row r, column c holds 1000 r + c */

/* Make a map of the matrix, say it in words, and put it where the engine can read it. */
static int put_map(struct tma_memory *memory)
{
	const uint64_t size[] = { COLUMNS, ROWS }, stride[] = { sizeof(matrix[0]) };
	const uint32_t tile[] = { TILE_COLUMNS, TILE_ROWS }, step[] = { 1, 1 };
	struct tma_map_error error;
	struct tma_map map;
	char text[800];

	if (tma_map_encode_tiled(&map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT16, 2,
	                         tma_memory_address(memory) + MATRIX, size, stride, tile, step,
	                         TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_128B, TMA_MAP_PROMOTION_NONE,
	                         TMA_MAP_FILL_ZERO, &error)) {
		fprintf(stderr, "%s %s\n", error.parameter, error.rule);
		return TMA_EINVAL;
	}
	tma_map_describe(&map, text, sizeof(text));
	fputs(text, stdout);
	return tma_copy_in(memory, 0, &map, sizeof(map));
}

/* The tile at column 128, row 16 goes to column 0, row 0. */
static int move(struct tma_queue *queue, uint64_t map)
{
	const int32_t from[] = { 128, 16 }, to[] = { 0, 0 };
	uint32_t barrier = tma_shared(0, 0), tile = tma_shared(0, 1024);
	struct tma_command program[7];
	struct tma_record record;
	int64_t error;

	tma_mbarrier_init(&program[0], barrier, 1);
	tma_mbarrier_arrive_expect_tx(&program[1], barrier, TILE_BYTES);
	tma_cp_async_bulk_tensor_load(&program[2], TMA_MODE_TILE, 2, tile, map, from, barrier, NULL);
	tma_mbarrier_try_wait_parity(&program[3], barrier, 0, TMA_NO_LIMIT);
	tma_cp_async_bulk_tensor_store(&program[4], TMA_MODE_TILE, 2, map, to, tile);
	tma_cp_async_bulk_commit_group(&program[5]);
	tma_cp_async_bulk_wait_group(&program[6], 0);
	tma_set_record(&program[6], 0);
	error = tma_submit_all(queue, program, 7);
	if (error >= 0)
		error = tma_wait(queue, &record, 100000); /* the tile is in shared memory */
	if (error >= 0)
		error = tma_wait(queue, &record, 100000); /* and back in the matrix */
	return (int)error;
}

/* Where the columns of a row of the tile lie: 16-byte chunks are swapped, each row in its own way. */
static int show(struct tma_device *device, struct tma_memory *memory)
{
	uint16_t row[TILE_COLUMNS];
	int error = tma_smem_read(device, tma_shared(0, 1024 + ROW * sizeof(row)), row, sizeof(row));

	if (error < 0)
		return error;
	printf("row %d of the tile, chunk by chunk:", ROW);
	for (int i = 0; i < TILE_COLUMNS; i += 8)
		printf(" %d", row[i]);
	error = tma_copy_out(memory, MATRIX, matrix, sizeof(matrix));
	printf("\nrow %d of the matrix: %d %d %d ..\n", ROW, matrix[ROW][0], matrix[ROW][1], matrix[ROW][2]);
	return error;
}

int main(void)
{
	struct tma_device *device = NULL;
	struct tma_memory *memory;
	struct tma_queue *queue;
	int error = tma_open(NULL, &device);

	for (int i = 0; i < ROWS * COLUMNS; i++)
		matrix[i / COLUMNS][i % COLUMNS] = (uint16_t)(i / COLUMNS * 1000 + i % COLUMNS);
	if (error >= 0)
		error = tma_memory_alloc(device, MATRIX + sizeof(matrix), &memory);
	if (error >= 0)
		error = tma_copy_in(memory, MATRIX, matrix, sizeof(matrix));
	if (error >= 0)
		error = put_map(memory);
	if (error >= 0)
		error = tma_queue_open(device, 0, NULL, &queue);
	if (error >= 0)
		error = move(queue, tma_memory_address(memory));
	if (error >= 0)
		error = show(device, memory);
	if (error < 0)
		fprintf(stderr, "tensor: %s\n", tma_strerror(error));
	tma_close(device);
	return error < 0;
}
