/* SPDX-License-Identifier: Apache-2.0 */
/* The model's view of a tensor copy. Nothing of the checker is included here: names would clash. */
#include "wavecheck/box.h"

#include <stdlib.h>
#include <string.h>

#include "../../sw_model/src/tensor.h"

/* Bytes of an address in shared memory. */
#define PLACE_BYTES 3u
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

uint32_t box_row(const struct box *box, uint32_t k, uint64_t *address, uint32_t *first)
{
	struct tensor_row row = model_tensor_row(&box->copy, k);

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

uint32_t box_run(const struct box *box)
{
	const struct tensor_map *map = &box->copy.map;
	bool slices = map->interleave != TMA_INTERLEAVE_NONE;
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

uint32_t box_shared_bytes(const struct box *box)
{
	return box->copy.shared_bytes;
}

/* Every byte of this shared memory holds one byte of its own address. */
static void fill_addresses(unsigned char *smem, uint32_t bytes, uint32_t which)
{
	for (uint32_t i = 0; i < bytes; i++)
		smem[i] = (unsigned char)(i >> 8 * which);
}

/* Read out of it, a row says where it lies. */
void box_places(const struct box *box, uint32_t k, uint32_t *places)
{
	static unsigned char *smem[PLACE_BYTES];
	uint32_t bytes = box->issue.model->config.smem_bytes;
	unsigned char image[MAX_ROW_BYTES];

	memset(places, 0, box->copy.shared_bytes * sizeof(*places));
	for (uint32_t which = 0; which < PLACE_BYTES; which++) {
		if (!smem[which]) {
			smem[which] = malloc(bytes);
			if (!smem[which])
				abort();
			fill_addresses(smem[which], bytes, which);
		}
		model_place_get(&box->copy, smem[which], k, image);
		for (uint32_t b = 0; b < box->copy.shared_bytes; b++)
			places[b] |= (uint32_t)image[b] << 8 * which;
	}
}

void box_image(const struct box *box, const uint8_t *bytes, uint32_t first, uint32_t count, uint8_t *image)
{
	model_place_fill(&box->copy, image);
	if (count)
		model_place_bytes(&box->copy, image, bytes, first, count);
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
