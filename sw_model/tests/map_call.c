/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the encoders of tensor maps, for all tests of them. */
#include <string.h>

#include "map_test.h"

/* Rows of 256 elements are whole bytes in every type, and enough for the padded ones. */
static struct map_call any_call(enum map_function function, uint32_t type, uint32_t rank)
{
	const struct map_call call = {
		.function = function,
		.target = TMA_MAP_SM_100,
		.type = type,
		.rank = rank,
		.address = UINT64_C(0x123456789A0),
		.dim = { 256, 20, 19, 18, 17 },
		.strides = { 2048, 40960, 778240, UINT64_C(0xFFFFFFFFE0) },
		.box = { 16, 4, 3, 2, 1 },
		.element_strides = { 1, 2, 3, 4, 5 },
		.lower = { -1, -2, -3 },
		.upper = { 3, 2, 1 },
		.channels = 16,
		.pixels = 100,
		.promotion = TMA_MAP_PROMOTION_128B,
	};

	return call;
}

static struct map_call fit_row(struct map_call call)
{
	if (call.type >= TMA_MAP_DATA_16U4_ALIGN8B)
		call.box[0] = call.channels = 128;
	return call;
}

struct map_call tiled_call(uint32_t type, uint32_t rank)
{
	return fit_row(any_call(ENCODE_TILED, type, rank));
}

struct map_call im2col_call(uint32_t type, uint32_t rank)
{
	return fit_row(any_call(ENCODE_IM2COL, type, rank));
}

struct map_call wide_call(uint32_t type, uint32_t rank)
{
	struct map_call call = fit_row(any_call(ENCODE_WIDE, type, rank));

	call.swizzle = TMA_MAP_SWIZZLE_128B;
	return call;
}

int map_call(const struct map_call *c, struct tma_map *map, struct tma_map_error *error)
{
	switch (c->function) {
	case ENCODE_TILED:
		return tma_map_encode_tiled(map, c->target, c->type, c->rank, c->address, c->dim, c->strides,
		                            c->box, c->element_strides, c->interleave, c->swizzle,
		                            c->promotion, c->fill, error);
	case ENCODE_IM2COL:
		return tma_map_encode_im2col(map, c->target, c->type, c->rank, c->address, c->dim, c->strides,
		                             c->lower, c->upper, c->channels, c->pixels, c->element_strides,
		                             c->interleave, c->swizzle, c->promotion, c->fill, error);
	default:
		return tma_map_encode_im2col_wide(map, c->target, c->type, c->rank, c->address, c->dim,
		                                  c->strides, c->lower[0], c->upper[0], c->channels,
		                                  c->pixels, c->element_strides, c->interleave, c->mode,
		                                  c->swizzle, c->promotion, c->fill, error);
	}
}

struct tma_map map_of(struct map_call call)
{
	struct tma_map_error error;
	struct tma_map map;

	if (map_call(&call, &map, &error))
		fail_msg("%s %s", error.parameter, error.rule);
	return map;
}

struct tma_map_info map_call_info(const struct map_call *c)
{
	struct tma_map_info info;
	uint32_t corners = c->function == ENCODE_WIDE ? 1 : c->rank - 2;

	memset(&info, 0, sizeof(info)); /* padding too: infos are compared as bytes */
	info.kind = c->function == ENCODE_TILED ? TMA_MAP_TILED : TMA_MAP_IM2COL;
	info.type = c->type;
	info.rank = c->rank;
	info.address = c->address;
	info.interleave = c->interleave;
	info.swizzle = c->swizzle;
	info.promotion = c->promotion;
	info.fill = c->fill;
	memcpy(info.dim, c->dim, c->rank * sizeof(info.dim[0]));
	memcpy(info.strides, c->strides, (c->rank - 1) * sizeof(info.strides[0]));
	memcpy(info.element_strides, c->element_strides, c->rank * sizeof(info.element_strides[0]));
	if (c->function == ENCODE_TILED) {
		memcpy(info.box, c->box, c->rank * sizeof(info.box[0]));
		return info;
	}
	info.channels = c->channels;
	info.pixels = c->pixels;
	memcpy(info.lower, c->lower, corners * sizeof(info.lower[0]));
	memcpy(info.upper, c->upper, corners * sizeof(info.upper[0]));
	if (c->function == ENCODE_WIDE) {
		info.wide = c->mode == TMA_MAP_WIDE_MODE_W ? TMA_RAW_WIDE_W : TMA_RAW_WIDE_W_128;
		if (info.wide == TMA_RAW_WIDE_W_128)
			info.pixels = 128;
	}
	return info;
}
