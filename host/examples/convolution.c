/* SPDX-License-Identifier: Apache-2.0 */
/*
 * convolution [BACKEND [CONFIG [SEED]]] - an image of 28 x 28 pixels with 8 channels through 8 filters of 3 x 3.
 *
 * A convolution is a product of matrices: a row of the left one has, for one output pixel, the inputs under the filter.
 * im2col loads make that matrix in shared memory, one tap of the filter (a place in it) after another: a column
 * of a load is the input pixels that PIXELS outputs have under one tap. The image in memory needs no border.
 *
 * The walk of a load goes over the outputs; where it begins and turns is in the tensor map, with padding and stride:
 *	lower corner	-pad			the input pixel of output 0, and
 *	upper corner	pad - (FILTER - 1)	of the last one, counted from the last pixel
 *	element stride	stride
 *	coordinates	output * stride - pad, of the first output of the load
 *	offsets		the tap: move what is read, not the walk
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tma.h>

#define SIZE         28 /* of the image, both ways */
#define CHANNELS     8  /* 16 bytes a pixel */
#define FILTER       3
#define TAPS         (FILTER * FILTER)
#define FILTERS      8
#define PIXELS       56 /* of a load */
#define COLUMN_BYTES (PIXELS * CHANNELS * 2)
#define BARRIER      tma_shared(0, 0)
#define COLUMN(tap)  tma_shared(0, 1024 + COLUMN_BYTES * (tap))
#define IMAGE        4096    /* where it lies in memory; maps are in front of it */
#define LIMIT        1000000 /* cycles to wait for a record */

static int16_t image[SIZE][SIZE][CHANNELS];
static int16_t filters[FILTERS][TAPS][CHANNELS]; /* tap: 3 * row + column */

struct layer {
	int32_t stride, pad;
	uint64_t map; /* its place in memory */
};

struct engine {
	struct tma_device *device;
	struct tma_memory *memory;
	struct tma_queue *queue;
	uint32_t phase; /* of the barrier: loads so far */
};

static int32_t outputs(const struct layer *l)
{
	return (SIZE + 2 * l->pad - FILTER) / l->stride + 1;
}

/* @return 0, 1 there is no such map, or an error */
static int put_map(const struct engine *e, const struct layer *l)
{
	const uint64_t size[] = { CHANNELS, SIZE, SIZE, 1 };
	const uint64_t stride[] = { sizeof(image[0][0]), sizeof(image[0]), sizeof(image) };
	const int32_t lower[] = { -l->pad, -l->pad };
	const int32_t upper[] = { l->pad - (FILTER - 1), l->pad - (FILTER - 1) };
	const uint32_t step[] = { 1, (uint32_t)l->stride, (uint32_t)l->stride, 1 };
	struct tma_map_error error;
	struct tma_map map;

	if (tma_map_encode_im2col(&map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT16, 4,
	                          tma_memory_address(e->memory) + IMAGE, size, stride, lower, upper, CHANNELS,
	                          PIXELS, step, TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_NONE,
	                          TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error)) {
		fprintf(stderr, "convolution: %s %s\n", error.parameter, error.rule);
		return 1;
	}
	return tma_copy_in(e->memory, l->map, &map, sizeof(map));
}

/* The inputs of outputs first, first + 1, .. under every tap. */
static int load(struct engine *e, const struct layer *l, int32_t first)
{
	uint64_t map = tma_memory_address(e->memory) + l->map;
	int32_t x = first % outputs(l) * l->stride - l->pad, y = first / outputs(l) * l->stride - l->pad;
	const int32_t start[] = { 0, x, y, 0 };
	struct tma_command program[TAPS + 2], *c = program;
	struct tma_record record;
	int64_t command;

	tma_mbarrier_arrive_expect_tx(c++, BARRIER, TAPS * COLUMN_BYTES);
	for (uint32_t tap = 0; tap < TAPS; tap++) {
		const uint16_t offset[] = { (uint16_t)(tap % FILTER), (uint16_t)(tap / FILTER) };

		tma_cp_async_bulk_tensor_load(c++, TMA_MODE_IM2COL, 4, COLUMN(tap), map, start, BARRIER,
		                              offset);
	}
	tma_mbarrier_try_wait_parity(c++, BARRIER, e->phase++ % 2, TMA_NO_LIMIT);
	command = tma_submit_all(e->queue, program, TAPS + 2);
	return command < 0 ? (int)command : tma_wait(e->queue, &record, LIMIT);
}

/* One pixel through one tap of a filter: all channels. */
static int32_t dot(const int16_t *pixel, const int16_t *weights)
{
	int32_t sum = 0;

	for (int channel = 0; channel < CHANNELS; channel++)
		sum += pixel[channel] * weights[channel];
	return sum;
}

/* Add up the outputs of a load, a tap after the other. */
static int multiply(const struct engine *e, int32_t sums[PIXELS][FILTERS])
{
	int16_t column[PIXELS][CHANNELS];
	int error = 0;

	memset(sums, 0, sizeof(sums[0]) * PIXELS);
	for (uint32_t tap = 0; tap < TAPS && error >= 0; tap++) {
		error = tma_smem_read(e->device, COLUMN(tap), column, sizeof(column));
		for (int pixel = 0; pixel < PIXELS; pixel++)
			for (int filter = 0; filter < FILTERS; filter++)
				sums[pixel][filter] += dot(column[pixel], filters[filter][tap]);
	}
	return error;
}

/* An output as the textbook has it. */
static int32_t direct(const struct layer *l, int32_t output, int32_t filter)
{
	int32_t x = output % outputs(l) * l->stride - l->pad, y = output / outputs(l) * l->stride - l->pad;
	int32_t sum = 0;

	for (int32_t row = y; row < y + FILTER; row++)
		for (int32_t column = x; column < x + FILTER; column++)
			if (row >= 0 && row < SIZE && column >= 0 && column < SIZE)
				sum += dot(image[row][column],
				           filters[filter][FILTER * (row - y) + column - x]);
	return sum;
}

/* @return 0 they are right, 1 one is not. Behind `count` are outputs of images that there are not. */
static int check(const struct layer *l, int32_t first, int32_t count, int32_t sums[PIXELS][FILTERS])
{
	for (int32_t i = 0; i < PIXELS * FILTERS && first + i / FILTERS < count; i++) {
		int32_t output = first + i / FILTERS, filter = i % FILTERS, sum = sums[i / FILTERS][filter];
		int32_t expected = direct(l, output, filter);

		if (sum == expected)
			continue;
		fprintf(stderr, "convolution: output %d of filter %d is %d, not %d\n", output, filter, sum,
		        expected);
		return 1;
	}
	return 0;
}

/* @return 0 all outputs are right, 1 one is not, or an error */
static int convolve(struct engine *e, const struct layer *l)
{
	int32_t sums[PIXELS][FILTERS], count = outputs(l) * outputs(l);
	int error = put_map(e, l);

	for (int32_t first = 0; first < count && !error; first += PIXELS) {
		error = load(e, l, first);
		if (error >= 0)
			error = multiply(e, sums);
		if (error >= 0)
			error = check(l, first, count, sums);
	}
	if (!error)
		printf("convolution: %dx%dx%d * %dx%d, stride %d, padding %d: %d outputs, all right\n", SIZE,
		       SIZE, CHANNELS, FILTER, FILTER, l->stride, l->pad, count * FILTERS);
	return error;
}

static void fill(void)
{
	int16_t *numbers = &image[0][0][0], *weights = &filters[0][0][0];

	for (size_t i = 0; i < sizeof(image) / sizeof(*numbers); i++)
		numbers[i] = (int16_t)((int)i % 251 - 100);
	for (size_t i = 0; i < sizeof(filters) / sizeof(*weights); i++)
		weights[i] = (int16_t)((int)i % 17 - 8);
}

/* A queue, and the barrier of its loads. */
static int open_queue(struct engine *e)
{
	const struct tma_queue_options ring = { .size = sizeof(ring), .front = TMA_FRONT_RING };
	struct tma_command command;
	int64_t error = tma_queue_open(e->device, 0, &ring, &e->queue);

	tma_mbarrier_init(&command, BARRIER, 1);
	if (error >= 0)
		error = tma_submit(e->queue, &command);
	return error < 0 ? (int)error : 0;
}

static int run(struct engine *e)
{
	const struct layer layers[] = { { 1, 1, 0 }, { 2, 1, TMA_MAP_BYTES }, { 1, 0, 2 * TMA_MAP_BYTES } };
	int error;

	fill();
	error = tma_memory_alloc(e->device, IMAGE + sizeof(image), &e->memory);
	if (!error)
		error = tma_copy_in(e->memory, IMAGE, image, sizeof(image));
	if (!error)
		error = open_queue(e);
	for (uint32_t i = 0; i < sizeof(layers) / sizeof(layers[0]) && !error; i++)
		error = convolve(e, &layers[i]);
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
	struct engine engine = { 0 };
	int error = tma_open(&options, &engine.device);

	if (error >= 0)
		error = run(&engine);
	if (error < 0)
		fprintf(stderr, "convolution: %s\n", tma_last_error());
	tma_close(engine.device);
	return error != 0;
}
