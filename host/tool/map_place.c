/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a load puts what: the C model executes it, with a tensor whose bytes tell their places.
 *
 * The tensor is one of the same shape without gaps, and without what the load cannot reach; so it is small, and its
 * places can be told apart. A place takes four bytes, so the load is executed four times.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"

#define MAX_TENSOR (64u << 20)
#define TENSOR     4096u /* in memory; the map is in front */
#define DIGITS     4u    /* of a place, bytes */
#define LIMIT      100000u

/* The model while it executes. */
struct stage {
	const char *tool;
	struct map_copy *copy;
	struct tma_device *device;
	struct tma_memory *memory;
	struct tma_queue *loads, *waits;
	uint64_t tensor_bytes;
	uint32_t smem_bytes;
	uint8_t *smem;
};

/* An element, or with interleave a slice. */
static uint32_t unit_bytes(const struct tma_map_info *info)
{
	if (info->interleave)
		return info->interleave == TMA_MAP_INTERLEAVE_16B ? 16 : 32;
	return map_element_bits(info->type) / 8;
}

static uint32_t steps(const struct tma_map_info *info, uint32_t i)
{
	uint32_t step = i || info->interleave ? info->element_strides[i] : 1;

	return (info->box[i] + step - 1) / step;
}

/* Bytes of the copy, as its barrier counts them. */
static uint32_t copy_bytes(const struct map_copy *copy)
{
	const struct tma_map_info *info = &copy->info;
	uint32_t bytes = unit_bytes(info), i;

	switch (copy->mode) {
	case TMA_MODE_TILE:
		for (i = 0; i < info->rank; i++)
			bytes *= info->interleave && i == info->rank - 2 ? 1 : steps(info, i);
		return bytes;
	case TMA_MODE_GATHER4:
		return 4 * bytes * info->box[0];
	case TMA_MODE_IM2COL_W:
		return bytes * info->channels * (info->pixels + copy->offset[0]);
	case TMA_MODE_IM2COL_W_128:
		return bytes * info->channels * (128 + 4 * copy->offset[0]);
	default:
		return bytes * (info->interleave ? 1 : info->channels) * info->pixels;
	}
}

/* Elements of a dimension that the load may reach: what lies behind them needs no memory. */
static uint64_t reach(const struct map_copy *copy, uint32_t i)
{
	const struct tma_map_info *info = &copy->info;
	int64_t last = copy->coord[i];
	uint32_t row;

	if (info->kind == TMA_MAP_TILED && copy->mode == TMA_MODE_GATHER4 && i == 1) {
		for (row = 2; row < 5; row++)
			last = copy->coord[row] > last ? copy->coord[row] : last;
	} else if (info->kind == TMA_MAP_TILED) {
		last += info->box[i];
	} else if (i == info->rank - 1) {
		last += (int64_t)(info->pixels + 4u * copy->offset[0] + 1) * info->element_strides[i];
	} else if (i == 0 && !info->interleave) {
		last += info->channels;
	} else {
		/* The walk goes by the size of the spatial dimensions. */
		return info->dim[i];
	}
	return last < 1 ? 1 : (uint64_t)last + 1 < info->dim[i] ? (uint64_t)last + 1 : info->dim[i];
}

/* The tensor that is drawn instead. False: it is too large. */
static bool shrink(struct stage *s)
{
	struct map_copy *copy = s->copy;
	struct tma_map_info *info = &copy->info;
	uint32_t granule = info->interleave == TMA_MAP_INTERLEAVE_32B ? 32 : 16, i;
	uint64_t bytes;

	for (i = 0; i < info->rank; i++)
		info->dim[i] = reach(copy, i);
	bytes = copy->dense[0] = unit_bytes(info);
	for (i = 0; i < info->rank && bytes <= MAX_TENSOR; i++) {
		bytes = info->dim[i] <= MAX_TENSOR ? bytes * info->dim[i] : UINT64_MAX;
		if (!i && bytes <= MAX_TENSOR)
			bytes = (bytes + granule - 1) / granule * granule;
		if (i + 1 < info->rank)
			info->strides[i] = copy->dense[i + 1] = bytes;
	}
	s->tensor_bytes = bytes;
	return bytes <= MAX_TENSOR;
}

/* A type of the same size that loads do not change. */
static uint32_t plain_type(uint32_t type)
{
	switch (map_element_bits(type)) {
	case 8:
		return TMA_MAP_DATA_UINT8;
	case 16:
		return TMA_MAP_DATA_UINT16;
	case 32:
		return TMA_MAP_DATA_UINT32;
	default:
		return TMA_MAP_DATA_UINT64;
	}
}

static int encode(const struct stage *s, struct tma_map *map, struct tma_map_error *error)
{
	const struct tma_map_info *m = &s->copy->info;
	uint64_t address = tma_memory_address(s->memory) + TENSOR;
	uint32_t type = plain_type(m->type);

	switch (map_kind(m)) {
	case KIND_TILED:
		return tma_map_encode_tiled(map, TMA_MAP_SM_100, type, m->rank, address, m->dim, m->strides,
		                            m->box, m->element_strides, m->interleave, m->swizzle,
		                            m->promotion, TMA_MAP_FILL_ZERO, error);
	case KIND_IM2COL:
		return tma_map_encode_im2col(map, TMA_MAP_SM_100, type, m->rank, address, m->dim, m->strides,
		                             m->lower, m->upper, m->channels, m->pixels, m->element_strides,
		                             m->interleave, m->swizzle, m->promotion, TMA_MAP_FILL_ZERO,
		                             error);
	default:
		return tma_map_encode_im2col_wide(
			map, TMA_MAP_SM_100, type, m->rank, address, m->dim, m->strides, m->lower[0],
			m->upper[0], m->channels, m->pixels, m->element_strides, m->interleave,
			m->wide == TMA_RAW_WIDE_W ? TMA_MAP_WIDE_MODE_W : TMA_MAP_WIDE_MODE_W128, m->swizzle,
			m->promotion, TMA_MAP_FILL_ZERO, error);
	}
}

/* ---- One load ------------------------------------------------------------------------------------- */

static int failed(const struct stage *s, int64_t error)
{
	fprintf(stderr, "%s: %s\n", s->tool, tma_strerror((int)error));
	return TOOL_FAIL;
}

/* The signal of a queue. */
static int take(const struct stage *s, struct tma_queue *queue)
{
	struct tma_record record;
	char text[800];
	int error;

	do {
		error = tma_wait(queue, &record, LIMIT);
	} while (!error && record.kind != TMA_KIND_SIGNAL);
	if (error == TMA_EFAULT) {
		tma_fault_text(queue, &record, text, sizeof(text));
		fprintf(stderr, "%s: the copy faults: %s\n", s->tool, text);
		return TOOL_FAIL;
	}
	return error ? failed(s, error) : 0;
}

/* The barrier is in the pair CTA, so that the box may have all of CTA 0. */
static int execute(const struct stage *s)
{
	const uint32_t barrier = tma_shared(1, 0);
	const struct map_copy *copy = s->copy;
	struct tma_command first[3], load[2], second[3];
	int64_t error;
	int status;

	tma_mbarrier_init(&first[0], barrier, 1);
	tma_mbarrier_arrive_expect_tx(&first[1], barrier, copy->bytes);
	tma_signal(&first[2], 1);
	tma_cp_async_bulk_tensor_load(&load[0], copy->mode, copy->info.rank, tma_shared(0, copy->base),
	                              tma_memory_address(s->memory), copy->coord, barrier, copy->offset);
	tma_set_cta_group_2(&load[0]);
	tma_signal(&load[1], 2);
	tma_mbarrier_try_wait_parity(&second[0], barrier, 0, TMA_NO_LIMIT);
	tma_mbarrier_inval(&second[1], barrier);
	tma_signal(&second[2], 3);

	error = tma_submit_all(s->waits, first, 3);
	status = error < 0 ? failed(s, error) : take(s, s->waits);
	if (status)
		return status;
	error = tma_submit_all(s->loads, load, 2);
	status = error < 0 ? failed(s, error) : take(s, s->loads);
	if (status)
		return status;
	error = tma_submit_all(s->waits, second, 3);
	return error < 0 ? failed(s, error) : take(s, s->waits);
}

/* One byte of each place: load it, and keep it. */
static int one_digit(struct stage *s, uint32_t digit)
{
	uint8_t *tensor = (uint8_t *)tma_memory_host(s->memory) + TENSOR;
	uint64_t i;
	int status;

	for (i = 0; i < s->tensor_bytes; i++)
		tensor[i] = (uint8_t)((i + 1) >> 8 * digit);
	memset(s->smem, 0xFF, s->smem_bytes);
	tma_memory_to_device(s->memory, 0, TENSOR + s->tensor_bytes);
	tma_smem_write(s->device, tma_shared(0, 0), s->smem, s->smem_bytes);
	status = execute(s);
	if (status)
		return status;
	tma_smem_read(s->device, tma_shared(0, 0), s->smem, s->smem_bytes);
	for (i = s->copy->base; i < s->smem_bytes; i++)
		s->copy->origin[i - s->copy->base] |= (uint32_t)s->smem[i] << 8 * digit;
	return 0;
}

/* ---- All ------------------------------------------------------------------------------------------- */

static int open_stage(struct stage *s)
{
	struct tma_options options = { .size = sizeof(options),
		                       .config = "max",
		                       .memory_bytes = 2 * MAX_TENSOR };
	struct tma_queue_options pair = { .size = sizeof(pair), .cta = 1 };
	struct tma_device_info info = { .size = sizeof(info) };
	int error = tma_open(&options, &s->device);

	if (error)
		return error;
	tma_device_info(s->device, &info);
	s->smem_bytes = info.smem_bytes;
	s->smem = malloc(info.smem_bytes);
	s->copy->origin = calloc(info.smem_bytes, sizeof(*s->copy->origin));
	if (!s->smem || !s->copy->origin)
		return TMA_ENOMEM;
	error = tma_memory_alloc(s->device, TENSOR + s->tensor_bytes, &s->memory);
	if (!error)
		error = tma_queue_open(s->device, 0, NULL, &s->loads);
	if (!error)
		error = tma_queue_open(s->device, 1, &pair, &s->waits);
	return error;
}

static int place(struct stage *s)
{
	struct map_copy *copy = s->copy;
	struct tma_map_error map_error;
	struct tma_map map;
	int status = 0, error;
	uint32_t i;

	error = open_stage(s);
	if (error)
		return failed(s, error);
	if (encode(s, &map, &map_error)) {
		fprintf(stderr, "%s: cannot be drawn: %s %s\n", s->tool, map_error.parameter, map_error.rule);
		return TOOL_FAIL;
	}
	tma_copy_in(s->memory, 0, &map, sizeof(map));
	for (i = 0; i < DIGITS && !status; i++)
		status = one_digit(s, i);
	if (status)
		return status;
	for (i = s->smem_bytes - copy->base; i && copy->origin[i - 1] == MAP_UNTOUCHED; i--)
		;
	copy->end = copy->base + i;
	return 0;
}

int map_place(const char *tool, struct map_copy *copy)
{
	struct stage s = { .tool = tool, .copy = copy };
	int status;

	if (map_element_bits(copy->info.type) < 8)
		return cli_refuse(tool, map_word(WORD_TYPE, copy->info.type),
		                  "types of 4 and 6 bits are not drawn");
	if (!shrink(&s)) {
		fprintf(stderr, "%s: the part of the tensor that is in reach has more than %u MiB\n", tool,
		        MAX_TENSOR >> 20);
		return TOOL_FAIL;
	}
	copy->bytes = copy_bytes(copy);
	status = place(&s);
	tma_close(s.device);
	free(s.smem);
	return status;
}

void map_coordinates(const struct map_copy *copy, uint32_t origin, uint32_t at[5])
{
	uint64_t place = origin - 1;
	uint32_t i;

	for (i = copy->info.rank; i-- > 0;) {
		at[i] = (uint32_t)(place / copy->dense[i]);
		place %= copy->dense[i];
	}
}
