/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a tensor copy together with its map, which is legal by itself, in the order of the
 * fault table. */
#include "tensor.h"

#define GRANULE_BITS 128

static const struct tma_command *command(const struct tensor_copy *t)
{
	return t->issue->command;
}

bool model_tensor_stores(const struct tensor_copy *t)
{
	return model_to_tensor(command(t));
}

static bool has_four_rows(const struct tensor_copy *t)
{
	return command(t)->mode == TMA_MODE_GATHER4 || command(t)->mode == TMA_MODE_SCATTER4;
}

/* Operands by value, for the address report. */

static uint64_t map_address(const struct tensor_copy *t)
{
	return command(t)->global_address;
}

static uint64_t dim(const struct tensor_copy *t)
{
	return command(t)->dim;
}

static uint64_t mode(const struct tensor_copy *t)
{
	return command(t)->mode;
}

static uint64_t shared_dst(const struct tensor_copy *t)
{
	return command(t)->shared_dst;
}

static uint64_t coordinate(const struct tensor_copy *t, uint32_t i)
{
	return (uint32_t)command(t)->coord[i];
}

static uint64_t first_coordinate(const struct tensor_copy *t)
{
	return coordinate(t, 0);
}

/* Rules, each true when broken. */

static bool tensor_rank(const struct tensor_copy *t)
{
	return command(t)->dim != t->map.rank;
}

static bool tensor_kind(const struct tensor_copy *t)
{
	static const enum tensor_kind kinds[] = {
		[TMA_MODE_TILE] = TILED,
		[TMA_MODE_IM2COL] = IM2COL,
		[TMA_MODE_IM2COL_NO_OFFS] = IM2COL,
		[TMA_MODE_GATHER4] = TILED,
		[TMA_MODE_SCATTER4] = TILED,
		[TMA_MODE_IM2COL_W] = IM2COL_W,
		[TMA_MODE_IM2COL_W_128] = IM2COL_W_128,
	};

	return kinds[command(t)->mode] != model_map_kind(&t->map);
}

static bool tensor_gather(const struct tensor_copy *t)
{
	return has_four_rows(t) && t->map.box[1] != 1;
}

static bool tensor_store(const struct tensor_copy *t)
{
	const struct tensor_map *map = &t->map;

	if (!model_tensor_stores(t))
		return false;
	if (map->type == TMA_RAW_TYPE_B4X16_P64 || map->atom == TMA_RAW_ATOM_32B_FLIP_8B)
		return true;
	for (uint32_t i = 0; i < model_map_spatial(map); i++)
		if (map->lower[i] < 0 || map->upper[i] > 0)
			return true;
	return false;
}

static bool misaligned_box(const struct tensor_copy *t)
{
	int64_t first = command(t)->coord[0];

	if (t->map.interleave != TMA_RAW_INTERLEAVE_NONE)
		return false;
	if (model_map_padded(&t->map))
		return first % PADDED_ELEMENTS;
	return first * model_map_element_bits(&t->map) % GRANULE_BITS;
}

/* The lowest negative coordinate, or the number of coordinates. */
static uint32_t negative(const struct tensor_copy *t)
{
	uint32_t n = has_four_rows(t) ? MAX_RANK : t->map.rank;
	uint32_t i = 0;

	while (i < n && command(t)->coord[i] >= 0)
		i++;
	return i;
}

static bool negative_coordinate(const struct tensor_copy *t)
{
	return model_tensor_stores(t) && negative(t) < (has_four_rows(t) ? MAX_RANK : t->map.rank);
}

static uint64_t negative_value(const struct tensor_copy *t)
{
	return coordinate(t, negative(t));
}

/* The lowest dimension in which the walk starts outside its window, right of it alone in a wide map;
 * the rank: in none. */
static uint32_t outside(const struct tensor_copy *t)
{
	const struct tensor_map *map = &t->map;
	uint32_t first = model_map_first_spatial(map);

	for (uint32_t i = 0; i < model_map_spatial(map); i++) {
		int64_t c = command(t)->coord[first + i];

		if (c > (int64_t)map->dim[first + i] - 1 + map->upper[i] || (!map->wide && c < map->lower[i]))
			return first + i;
	}
	return map->rank;
}

static bool im2col_start(const struct tensor_copy *t)
{
	return outside(t) < t->map.rank;
}

static uint64_t outside_value(const struct tensor_copy *t)
{
	return coordinate(t, outside(t));
}

/* The first im2col operand that does not fit its field, or 3: all do. The fields: 16 bits of one offset,
 * 8 of two, 5 of three; wHalo and wOffset. */
static uint32_t wide_operand(const struct tensor_copy *t)
{
	static const uint32_t offsets[] = { 1 << 16, 1 << 8, 1 << 5 };
	uint32_t spatial = t->map.rank - 2;
	uint32_t limits[MAX_SPATIAL] = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
	uint32_t i = 0;

	switch (command(t)->mode) {
	case TMA_MODE_IM2COL:
		for (uint32_t s = 0; s < spatial; s++)
			limits[s] = offsets[spatial - 1];
		break;
	case TMA_MODE_IM2COL_W:
		limits[0] = 1 << 9;
		limits[1] = 1 << 5;
		break;
	case TMA_MODE_IM2COL_W_128:
		limits[0] = 1 << 5;
		limits[1] = 1 << 5;
		break;
	default:
		break;
	}
	while (i < MAX_SPATIAL && command(t)->im2col[i] < limits[i])
		i++;
	return i;
}

static bool im2col_offsets(const struct tensor_copy *t)
{
	return wide_operand(t) < MAX_SPATIAL;
}

static uint64_t wide_value(const struct tensor_copy *t)
{
	return command(t)->im2col[wide_operand(t)];
}

/* What the box covers of shared memory, the gaps between its rows included. */
static bool tensor_range(const struct tensor_copy *t)
{
	uint32_t span = model_map_span(&t->map);
	uint64_t footprint = (uint64_t)t->rows * t->pitch;

	if (command(t)->opcode == TMA_TENSOR_PREFETCH)
		return false;
	footprint = (footprint + span - 1) / span * span;
	return address_offset(command(t)->shared_dst) + footprint > t->issue->model->config.smem_bytes;
}

static uint64_t reduce_op(const struct tensor_copy *t)
{
	return command(t)->op;
}

/* Words of bits are the integers of their size, but for s64 (M30). */
static bool tensor_reduce(const struct tensor_copy *t)
{
	uint32_t op = command(t)->op, type = model_reduction(t).type;
	bool bits = op == TMA_REDUCE_AND || op == TMA_REDUCE_OR || op == TMA_REDUCE_XOR;

	if (command(t)->opcode != TMA_TENSOR_REDUCE)
		return false;
	if (bits && (type == TMA_TYPE_U32 || type == TMA_TYPE_S32 || type == TMA_TYPE_U64))
		return false;
	return !model_reduces(t->issue->model, false, op, type);
}

static const struct tensor_rule rules[] = {
	{ TMA_FAULT_TENSOR_RANK, tensor_rank, dim },
	{ TMA_FAULT_TENSOR_KIND, tensor_kind, mode },
	{ TMA_FAULT_TENSOR_GATHER, tensor_gather, mode },
	{ TMA_FAULT_TENSOR_STORE, tensor_store, map_address },
	{ TMA_FAULT_MISALIGNED_BOX, misaligned_box, first_coordinate },
	{ TMA_FAULT_NEGATIVE_COORDINATE, negative_coordinate, negative_value },
	{ TMA_FAULT_IM2COL_START, im2col_start, outside_value },
	{ TMA_FAULT_IM2COL_OFFSETS, im2col_offsets, wide_value },
	{ TMA_FAULT_TENSOR_RANGE, tensor_range, shared_dst },
	{ TMA_FAULT_TENSOR_REDUCE, tensor_reduce, reduce_op },
};

struct fault model_tensor_check(const struct tensor_copy *t)
{
	return model_first_broken(t, rules, sizeof(rules) / sizeof(rules[0]));
}
