/* SPDX-License-Identifier: Apache-2.0 */
/* Fills commands of tensor copies. */
#include "command.h"

/* Operands that mode and dim do not have stay zero; what is no mode or no dim is for the engine to say. */
static uint32_t num_coordinates(enum tma_mode mode, uint32_t dim)
{
	return mode == TMA_MODE_GATHER4 || mode == TMA_MODE_SCATTER4 || dim > 5 ? 5 : dim;
}

static uint32_t num_im2col(enum tma_mode mode, uint32_t dim)
{
	switch (mode) {
	case TMA_MODE_IM2COL:
		return dim < 3 ? 0 : dim > 5 ? 3 : dim - 2;
	case TMA_MODE_IM2COL_W:
	case TMA_MODE_IM2COL_W_128:
		return 2;
	default:
		return 0;
	}
}

static void start_tensor(struct tma_command *command, enum tma_opcode opcode, enum tma_mode mode,
                         uint32_t dim, uint64_t map, const int32_t *coord)
{
	start(command, opcode, 0);
	command->mode = (uint8_t)((uint32_t)mode < UINT8_MAX ? (uint32_t)mode : UINT8_MAX);
	command->dim = (uint8_t)(dim < UINT8_MAX ? dim : UINT8_MAX);
	command->global_address = map;
	memcpy(command->coord, coord, num_coordinates(mode, dim) * sizeof(coord[0]));
}

static void set_im2col(struct tma_command *command, enum tma_mode mode, uint32_t dim, const uint16_t *im2col)
{
	for (uint32_t i = 0; im2col && i < num_im2col(mode, dim); i++)
		command->im2col[i] = im2col[i];
}

void tma_cp_async_bulk_tensor_load(struct tma_command *command, enum tma_mode mode, uint32_t dim,
                                   uint32_t dst, uint64_t map, const int32_t *coord, uint32_t mbar,
                                   const uint16_t *im2col)
{
	start_tensor(command, TMA_TENSOR_LOAD, mode, dim, map, coord);
	set_im2col(command, mode, dim, im2col);
	command->shared_dst = dst;
	command->barrier = mbar;
}

void tma_cp_async_bulk_tensor_store(struct tma_command *command, enum tma_mode mode, uint32_t dim,
                                    uint64_t map, const int32_t *coord, uint32_t src)
{
	start_tensor(command, TMA_TENSOR_STORE, mode, dim, map, coord);
	command->shared_dst = src; /* the coordinates take the place of shared_src */
}

void tma_cp_reduce_async_bulk_tensor(struct tma_command *command, enum tma_reduce op, enum tma_mode mode,
                                     uint32_t dim, uint64_t map, const int32_t *coord, uint32_t src)
{
	start_tensor(command, TMA_TENSOR_REDUCE, mode, dim, map, coord);
	command->op = (uint8_t)((uint32_t)op < UINT8_MAX ? (uint32_t)op : UINT8_MAX);
	command->shared_dst = src;
}

void tma_cp_async_bulk_prefetch_tensor(struct tma_command *command, enum tma_mode mode, uint32_t dim,
                                       uint64_t map, const int32_t *coord, const uint16_t *im2col)
{
	start_tensor(command, TMA_TENSOR_PREFETCH, mode, dim, map, coord);
	set_im2col(command, mode, dim, im2col);
}

void tma_set_multicast(struct tma_command *command, uint16_t cta_mask)
{
	command->flags |= TMA_FLAG_MULTICAST;
	command->cta_mask = cta_mask;
}

void tma_set_cta_group_2(struct tma_command *command)
{
	command->flags |= TMA_FLAG_CTA_GROUP_2;
}

void tma_prefetch_tensormap(struct tma_command *command, uint64_t map)
{
	start(command, TMA_PREFETCH_TENSORMAP, 0);
	command->global_address = map;
}

void tma_fence_proxy_tensormap(struct tma_command *command, uint64_t map)
{
	start(command, TMA_MAP_FENCE, 0);
	command->global_address = map;
}
