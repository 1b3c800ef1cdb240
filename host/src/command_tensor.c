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

static bool start_tensor(struct tma_command *command, enum tma_opcode opcode, enum tma_mode mode,
                         uint32_t dim, uint64_t map, const int32_t *coord)
{
	if (!start(command, opcode, 0))
		return false;
	command->mode = byte_or_wrong((uint32_t)mode);
	command->dim = coord ? byte_or_wrong(dim) : UINT8_MAX;
	command->global_address = map;
	if (coord)
		memcpy(command->coord, coord, num_coordinates(mode, dim) * sizeof(coord[0]));
	return true;
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
	if (!start_tensor(command, TMA_TENSOR_LOAD, mode, dim, map, coord))
		return;
	set_im2col(command, mode, dim, im2col);
	command->shared_dst = dst;
	command->barrier = mbar;
}

void tma_cp_async_bulk_tensor_store(struct tma_command *command, enum tma_mode mode, uint32_t dim,
                                    uint64_t map, const int32_t *coord, uint32_t src)
{
	if (!start_tensor(command, TMA_TENSOR_STORE, mode, dim, map, coord))
		return;
	command->shared_dst = src; /* the coordinates take the place of shared_src */
}

void tma_cp_reduce_async_bulk_tensor(struct tma_command *command, enum tma_reduce op, enum tma_mode mode,
                                     uint32_t dim, uint64_t map, const int32_t *coord, uint32_t src)
{
	if (!start_tensor(command, TMA_TENSOR_REDUCE, mode, dim, map, coord))
		return;
	command->op = byte_or_wrong((uint32_t)op);
	command->shared_dst = src;
}

void tma_cp_async_bulk_prefetch_tensor(struct tma_command *command, enum tma_mode mode, uint32_t dim,
                                       uint64_t map, const int32_t *coord, const uint16_t *im2col)
{
	if (!start_tensor(command, TMA_TENSOR_PREFETCH, mode, dim, map, coord))
		return;
	set_im2col(command, mode, dim, im2col);
}

void tma_set_multicast(struct tma_command *command, uint16_t cta_mask)
{
	if (!command)
		return;
	command->flags |= TMA_FLAG_MULTICAST;
	command->cta_mask = cta_mask;
}

void tma_set_cta_group_2(struct tma_command *command)
{
	set_flag(command, TMA_FLAG_CTA_GROUP_2);
}

void tma_prefetch_tensormap(struct tma_command *command, uint64_t map)
{
	if (!start(command, TMA_PREFETCH_TENSORMAP, 0))
		return;
	command->global_address = map;
}

void tma_fence_proxy_tensormap(struct tma_command *command, uint64_t map)
{
	if (!start(command, TMA_MAP_FENCE, 0))
		return;
	command->global_address = map;
}
