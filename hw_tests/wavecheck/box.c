/* SPDX-License-Identifier: Apache-2.0 */
/* The model's view of a tensor copy. Nothing of the checker is included here: names would clash. */
#include "wavecheck/box.h"

#include <stdlib.h>
#include <string.h>

#include "../../sw_model/src/tensor.h"

#define CHUNK 16u
#define LINE  128u /* of shared memory, in which a swizzle moves bytes */
#define MAIN  128u /* pixels of im2col::w::128, */
#define PART  32u  /* of one of its segments */
/* No burst source of the engine is as long. */
#define BOX_RUN_LIMIT (1u << 20)

struct box {
	struct tma_command command;
	struct issue issue;
	struct tensor_copy copy;
};

struct box *box_new(struct tma_model *m, uint32_t queue, const struct tma_command *command)
{
	struct box *box = calloc(1, sizeof(*box));

	if (!box)
		return NULL;
	box->command = *command;
	box->issue = (struct issue){ .model = m,
		                     .queue = &m->queues[queue],
		                     .command = &box->command,
		                     .operation = model_operation(command->opcode) };
	box->copy.issue = &box->issue;
	model_map_read(&box->issue, &box->copy.map);
	model_tensor_shape(&box->copy);
	return box;
}

void box_free(struct box *box)
{
	free(box);
}

uint32_t box_rows(const struct box *box)
{
	return box->copy.rows;
}

uint32_t box_tx(const struct box *box)
{
	return box->copy.rows * box->copy.row_bytes;
}

/* The row of shared memory. The engine reads a pixel of im2col::w::128 that is one of a halo too twice, for
 * its row and then for that of the halo, before it goes on to the next. */
static uint32_t row_of(const struct box *box, uint32_t k)
{
	uint32_t halo = box->command.im2col[0], segment, h, behind;
	bool again;

	if (box->command.mode != TMA_MODE_IM2COL_W_128 || k < PART)
		return k;
	segment = (k - PART) / (PART + halo);
	if (segment > MAIN / PART - 1)
		segment = MAIN / PART - 1;
	behind = k - PART - segment * (PART + halo);
	if (segment == MAIN / PART - 1)
		return MAIN + MAIN / PART * behind + segment;
	again = behind < 2 * halo && behind % 2;
	h = behind < 2 * halo ? behind / 2 : behind - halo;
	return again ? MAIN + MAIN / PART * h + segment : PART * (segment + 1) + h;
}

uint32_t box_row(const struct box *box, uint32_t k, uint64_t *address, uint32_t *first)
{
	struct tensor_row row = model_tensor_row(&box->copy, row_of(box, k));

	*address = row.address;
	*first = row.first;
	return row.bytes;
}

/* Does a tile lie inside the tensor in dimension i? */
static bool fits(const struct box *box, uint32_t i)
{
	const struct tensor_map *map = &box->copy.map;
	int64_t first = box->command.coord[i];

	return first >= 0 && first + map->box[i] <= (int64_t)map->dim[i];
}

/* How many rows of a tile, from a multiple of that on, lie side by side in both memories. */
static uint32_t tile_run(const struct box *box)
{
	const struct tensor_map *map = &box->copy.map;
	bool slices = map->interleave != TMA_RAW_INTERLEAVE_NONE;
	uint64_t rows = slices ? map->box[0] : 1, bytes;

	if (box->command.mode != TMA_MODE_TILE || (slices && map->element_stride[0] != 1))
		return 1;
	if (box->copy.row_bytes != box->copy.pitch || !fits(box, 0))
		return (uint32_t)rows;
	for (uint32_t i = 1; i < map->rank; i++) {
		/* The one slice of an interleaved tensor. */
		if (slices && i == map->rank - 2)
			continue;
		bytes = rows * box->copy.row_bytes;
		if (map->stride[i] != bytes || map->element_stride[i] != 1 || !fits(box, i) ||
		    bytes * map->box[i] >= BOX_RUN_LIMIT)
			break;
		rows *= map->box[i];
	}
	return (uint32_t)rows;
}

/* Pixels of whole chunks, a power of two, at most eight, all their channels, of which a line of the bus is
 * more than one chunk. */
static bool side_by_side(const struct box *box, uint32_t beat)
{
	const struct tensor_map *map = &box->copy.map;
	uint32_t mode = box->command.mode, bytes = box->copy.row_bytes;

	return (mode == TMA_MODE_IM2COL || mode == TMA_MODE_IM2COL_NO_OFFS || mode == TMA_MODE_IM2COL_W) &&
	       beat > CHUNK && map->interleave == TMA_RAW_INTERLEAVE_NONE && map->box[0] == map->dim[0] &&
	       box->command.coord[0] == 0 && map->stride[1] == bytes && map->element_stride[1] == 1 &&
	       box->copy.pitch == bytes && bytes <= 8 * CHUNK && bytes % CHUNK == 0 && !(bytes & (bytes - 1));
}

/* Of pixel k: is it the first one of a line of the window? */
static bool begins_line(const struct box *box, uint32_t k)
{
	const struct tensor_map *map = &box->copy.map;
	int64_t width = (int64_t)map->dim[1] + map->upper[0] - map->lower[0];
	int64_t from = (int64_t)box->command.coord[1] - map->lower[0] + k;

	return from >= width && from % width == 0;
}

bool box_goes_on(const struct box *box, uint32_t k, uint32_t beat)
{
	return side_by_side(box, beat) ? !begins_line(box, k) : k % tile_run(box) != 0;
}

bool box_joins(const struct box *box, uint32_t k)
{
	return box->copy.pitch == CHUNK && row_of(box, k) == row_of(box, k - 1) + 1;
}

bool box_joins_line(const struct box *box, uint32_t k)
{
	const struct tensor_map *map = &box->copy.map;
	uint32_t first = (box->command.shared_dst & 0xffffff) + row_of(box, k) * box->copy.pitch;

	return (map->swizzle == TMA_RAW_SWIZZLE_NONE && !map->swizzle96) || first % LINE;
}

uint32_t box_shared_bytes(const struct box *box)
{
	return box->copy.shared_bytes;
}

static bool is_six(const struct box *box)
{
	return box->copy.map.type == TMA_RAW_TYPE_B6X16_P32;
}

bool box_padding(const struct box *box, uint32_t b)
{
	const struct tensor_map *map = &box->copy.map;

	return model_map_padded(map) && b % CHUNK >= CHUNK * model_map_element_bits(map) / 8;
}

/* Semantics, 2.6. */
static uint32_t swizzled(const struct tensor_map *map, uint32_t at)
{
	uint32_t line = at / LINE;

	switch (map->swizzle96 ? TMA_RAW_SWIZZLE_32B : map->swizzle) {
	case TMA_RAW_SWIZZLE_32B:
		return at ^ (line & 1) << 4;
	case TMA_RAW_SWIZZLE_64B:
		return at ^ (line & 3) << 4;
	case TMA_RAW_SWIZZLE_128B:
		break;
	default:
		return at;
	}
	switch (map->atom) {
	case TMA_RAW_ATOM_16B:
		return at ^ (line & 7) << 4;
	case TMA_RAW_ATOM_32B:
		return at ^ (line & 3) << 5;
	case TMA_RAW_ATOM_32B_FLIP_8B:
		return at ^ (line & 3) << 5 ^ (line & 1) << 3;
	default:
		return at ^ (line & 1) << 6;
	}
}

void box_places(const struct box *box, uint32_t k, uint32_t *places)
{
	uint32_t first = (box->command.shared_dst & 0xffffff) + row_of(box, k) * box->copy.pitch;

	for (uint32_t b = 0; b < box->copy.shared_bytes; b++)
		places[b] = swizzled(&box->copy.map, first + b);
}

/* 6-bit values lie one behind the other in global memory, and each in a byte of its own in shared memory. */
void box_sources(const struct box *box, uint32_t b, uint32_t sources[2])
{
	sources[0] = is_six(box) ? 8 * b / 6 : b;
	sources[1] = is_six(box) ? sources[0] + 1 : b;
}

uint8_t box_stored(const struct box *box, uint32_t b, uint8_t low, uint8_t high)
{
	uint32_t shift = 8 * b % 6;

	if (!is_six(box))
		return low;
	return (uint8_t)((low & 0x3f) >> shift | (high & 0x3f) << (6 - shift));
}

void box_image(const struct box *box, const uint8_t *bytes, uint32_t first, uint32_t count, uint8_t *image)
{
	model_place_fill(&box->copy, image);
	if (count)
		model_place_bytes(&box->copy, image, bytes, first, count);
}

uint8_t box_reduction(const struct box *box, bool *flush)
{
	struct reduction r = model_reduction(&box->copy);

	*flush = r.flush;
	return (uint8_t)r.type;
}

uint32_t box_barrier_rank(const struct tma_command *command, uint32_t target)
{
	return model_barrier_rank(command, target);
}

uint8_t box_promotion(const uint8_t *map)
{
	return map[TMA_MAP_PROMOTION_LSB / 8] >> TMA_MAP_PROMOTION_LSB % 8 &
	       ((1u << TMA_MAP_PROMOTION_BITS) - 1);
}
