/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of tensor copies. */
#include "tile.h"

#include <stdlib.h>
#include <string.h>

#include "tma_model.h"

#define BARRIER 0u
#define CHUNK   16u
#define ROWS    8192u /* of the tensors that gather4 takes rows from */

uint32_t tile_step(const struct bench_tile *t, uint32_t bytes)
{
	return ((t->shared ? t->shared : bytes) + 127u) & ~127u;
}

bool tile_map(struct stage *s, const struct bench_tile *t, uint32_t half)
{
	static const uint32_t ones[TILE_DIMS] = { 1, 1, 1, 1, 1 };
	uint64_t address = STAGE_BASE + half + t->offset;
	struct tma_map_error error = { .parameter = "", .rule = "" };
	struct tma_map map;
	int refused = t->pixels
	                      ? tma_map_encode_im2col(&map, TMA_MAP_SM_100, t->type, t->rank, address, t->dim,
	                                              t->strides, t->lower, t->upper, t->channels, t->pixels,
	                                              ones, t->interleave, t->swizzle, TMA_MAP_PROMOTION_NONE,
	                                              TMA_MAP_FILL_ZERO, &error)
	                      : tma_map_encode_tiled(&map, TMA_MAP_SM_100, t->type, t->rank, address, t->dim,
	                                             t->strides, t->box, ones, t->interleave, t->swizzle,
	                                             TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error);

	if (refused) {
		fprintf(stderr, "tma_bench: its map is refused: %s: %s\n", error.parameter, error.rule);
		return false;
	}
	for (uint32_t i = 0; i < TMA_MAP_BYTES; i++)
		s->memory[STAGE_MAPS + i] = (uint8_t)(map.word[i / 8] >> i % 8 * 8);
	return true;
}

bool tile_warm(struct stage *s)
{
	stage_do(s, 0, TMA_PREFETCH_TENSORMAP, .global_address = STAGE_BASE + STAGE_MAPS);
	return stage_drain(s);
}

/* An odd number of boxes, so that none comes to the same buffer each time. */
static uint32_t boxes(const struct bench_tile *t)
{
	uint32_t n = 1;

	for (uint32_t d = 0; d < TILE_DIMS; d++)
		n *= t->count[d] ? t->count[d] : 1;
	return n % 2 ? n : n - 1;
}

struct tma_command tile_command(const struct bench_tile *t, uint8_t opcode, uint32_t i)
{
	struct tma_command c = { .opcode = opcode,
		                 .version = TMA_COMMAND_VERSION,
		                 .mode = t->mode,
		                 .dim = (uint8_t)t->rank,
		                 .global_address = STAGE_BASE + STAGE_MAPS };
	uint32_t box = i % boxes(t);

	for (uint32_t d = 0; d < t->rank; d++) {
		uint32_t count = t->count[d] ? t->count[d] : 1;

		c.coord[d] = t->start[d] + (int32_t)(t->step[d] * (box % count));
		box /= count;
	}
	if (t->mode == TMA_MODE_GATHER4)
		for (uint32_t k = 0; k < 4; k++)
			c.coord[1 + k] = (int32_t)((i * 37 + k * 1117) % ROWS);
	if (t->mode == TMA_MODE_IM2COL) {
		uint32_t taps = t->taps ? t->taps : 3;

		c.im2col[0] = i % taps;
		c.im2col[1] = i / taps % taps;
	}
	return c;
}

bool tile_ground(struct stage *s, const struct bench_tile *t)
{
	return !t->shared || rig_smem_write(s->rig, 0, STAGE_SMEM, s->memory + STAGE_HALF, s->rotate) == 0;
}

/* A model with the shared memory and queue 0 of the stage, and its global memory but for @p half, which
 * is @p other. */
static struct tma_model *model_of(struct stage *s, uint8_t *other)
{
	const struct tma_sim_info *info = rig_info(s->rig);
	struct tma_model_config config = { .ctas = info->ctas,
		                           .smem_bytes = info->smem_bytes,
		                           .queues = info->queues };
	struct tma_window window = { STAGE_BASE, STAGE_BASE + STAGE_BYTES - 1,
		                     TMA_WINDOW_READ | TMA_WINDOW_WRITE };
	struct tma_queue_config queue = { .enable = 1, .cta_mask = 1 };
	struct tma_model *m = tma_model_new(&config);

	if (m && (tma_model_map(m, 0, STAGE_BASE, STAGE_BYTES, s->memory) ||
	          (other && tma_model_map(m, 0, STAGE_BASE + STAGE_HALF, STAGE_HALF, other)) ||
	          tma_model_window(m, 0, 0, &window) || tma_model_queue(m, 0, &queue))) {
		tma_model_free(m);
		m = NULL;
	}
	if (m)
		memcpy(tma_model_smem(m, 0) + STAGE_SMEM, s->memory + STAGE_HALF, s->rotate);
	return m;
}

/* false: it faulted */
static bool execute(struct tma_model *m, const struct tma_command *c)
{
	struct tma_command init = {
		.opcode = TMA_MBARRIER_INIT, .version = TMA_COMMAND_VERSION, .barrier = BARRIER, .count = 1
	};
	struct tma_queue_status status;

	if (tma_model_submit(m, 0, &init) || tma_model_submit(m, 0, c))
		return false;
	tma_model_run(m);
	return tma_model_queue_status(m, 0, &status) == 0 && !status.faulted;
}

/* Operation i into its buffer of the model. */
static const uint8_t *expected(struct tma_model *m, const struct bench_tile *t, uint32_t i, uint32_t to)
{
	struct tma_command load = tile_command(t, TMA_TENSOR_LOAD, i);

	load.shared_dst = to;
	load.barrier = BARRIER;
	return execute(m, &load) ? tma_model_smem(m, 0) + to : NULL;
}

/* The buffer of operation @p last, every chunk of which is of that operation or of one before it. */
static bool buffer_right(struct tma_model *m, const struct bench_tile *t, const uint8_t *got, bool *right,
                         uint32_t size, uint32_t last, uint32_t slots, uint32_t in_flight, uint32_t to)
{
	uint32_t left = size / CHUNK;

	memset(right, 0, left * sizeof(*right));
	for (uint32_t i = last;; i -= slots) {
		const uint8_t *want = expected(m, t, i, to);

		for (uint32_t k = 0; want && k < size / CHUNK; k++) {
			if (!right[k] && !memcmp(got + k * CHUNK, want + k * CHUNK, CHUNK)) {
				right[k] = true;
				left--;
			}
		}
		if (!left || !want || i < slots || last - (i - slots) > in_flight)
			break;
	}
	return left == 0;
}

bool tile_loaded(struct stage *s, const struct bench_tile *t, uint32_t n, uint32_t bytes, uint32_t slots,
                 uint32_t in_flight)
{
	uint32_t step = tile_step(t, bytes), size = t->shared ? t->shared : bytes;
	struct tma_model *m = model_of(s, NULL);
	uint8_t *got = malloc(size);
	bool *chunks = malloc(size / CHUNK * sizeof(*chunks));
	bool right = m && got && chunks;

	for (uint32_t i = n - (n < slots ? n : slots); right && i < n; i++) {
		uint32_t to = STAGE_SMEM + i % slots * step;

		right = rig_smem_read(s->rig, 0, to, got, size) == 0 &&
		        buffer_right(m, t, got, chunks, size, i, slots, in_flight, to);
	}
	free(chunks);
	free(got);
	tma_model_free(m);
	return right;
}

bool tile_stored(struct stage *s, const struct bench_tile *t, uint32_t n, uint32_t step, uint32_t slots,
                 uint8_t *before, const uint8_t *shared, uint32_t shared_bytes)
{
	struct tma_model *m = model_of(s, before);
	bool right = m != NULL;

	if (m)
		memcpy(tma_model_smem(m, 0) + STAGE_SMEM, shared, shared_bytes);
	for (uint32_t i = 0; right && i < n; i++) {
		struct tma_command store = tile_command(t, TMA_TENSOR_STORE, i);

		store.shared_dst = STAGE_SMEM + i % slots * step;
		right = execute(m, &store);
	}
	right = right && !memcmp(before, s->memory + STAGE_HALF, STAGE_HALF);
	tma_model_free(m);
	return right;
}
